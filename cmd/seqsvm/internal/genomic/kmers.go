package genomic

import (
	"encoding/binary"
	"fmt"
	"io"
	"math"
	"slices"
	"strconv"

	"github.com/seqsvm/seqsvm/cmd/seqsvm/internal/cli"
	"github.com/seqsvm/seqsvm/cmd/seqsvm/internal/input"
	"github.com/seqsvm/seqsvm/model"
	"github.com/seqsvm/seqsvm/model/kmers"
	"github.com/seqsvm/seqsvm/seqio/matrix"
)

// kmersOptions are the options of model kmers.
type kmersOptions struct {
	input.Model
	input.Reading
	format string
	output cli.Output
}

// Kmers is the command model kmers.
func Kmers() cli.Options { return new(kmersOptions) }

func (o *kmersOptions) Flags(f *cli.Flags) {
	o.Model.Flags(f)
	o.Reading.Flags(f)
	f.Format(&o.format, "format: tsv, json (docs/json.md), or npy, the scores of all k-mers alone", cli.TSV, cli.JSON, npy)
	f.Output(&o.output, "output,o", "`FILE` to write").Holds(cli.ByFormat)
}

// npy is the format of arrays.
const npy = "npy"

func (o *kmersOptions) Run(c *cli.Call) error {
	scorer, m, err := loadKmers(c, &o.Model)
	if err != nil {
		return err
	}
	set, err := kmersOfFiles(c, &o.Reading, scorer, m)
	if err != nil {
		return err
	}
	if o.format == npy && set != nil {
		return cli.Usagef("--format npy with files, want none: it has all k-mers")
	}
	c.Stage("scoring")
	rows := kmers.Rows{
		Append: o.row(c.Digits()), Progress: func(share float64) { c.Show(share, "k-mers") }, Both: o.format == npy,
	}
	if o.output.Parquet() {
		return o.output.WriteTable(o.format, func(t *cli.Table) {
			t.Header("kmer", "score")
			t.WriteHeader()
			rows.Append = appendKmer
			t.Err = scorer.WriteRows(c.Context, kmerTable{t, scorer.Length()}, set, rows)
		})
	}
	return o.output.Write(func(w io.Writer) error {
		if o.format == npy {
			all := int(math.Pow(float64(scorer.Alphabet().Size()), float64(scorer.Length())))
			if _, err := io.WriteString(w, matrix.NPYHeader("<f8", all)); err != nil {
				return err
			}
		}
		return scorer.WriteRows(c.Context, w, set, rows)
	})
}

// appendKmer appends a k-mer and the bits of its score.
func appendKmer(dst, kmer []byte, score float64) []byte {
	return binary.LittleEndian.AppendUint64(append(dst, kmer...), math.Float64bits(score))
}

// kmerTable makes rows of what appendKmer appended.
type kmerTable struct {
	t *cli.Table
	k int
}

// Write implements io.Writer.
func (w kmerTable) Write(rows []byte) (int, error) {
	for row := range slices.Chunk(rows, w.k+8) {
		w.t.Text(string(row[:w.k]))
		w.t.Number(math.Float64frombits(binary.LittleEndian.Uint64(row[w.k:])))
		w.t.End()
	}
	return len(rows), w.t.Err
}

// row returns how a k-mer is written.
func (o *kmersOptions) row(digits int) func(dst, kmer []byte, score float64) []byte {
	if o.format == npy {
		return func(dst, _ []byte, score float64) []byte {
			return binary.LittleEndian.AppendUint64(dst, math.Float64bits(score))
		}
	}
	if o.format == cli.JSON {
		return func(dst, kmer []byte, score float64) []byte {
			dst = append(append(append(dst, `{"kmer":"`...), kmer...), `","score":`...)
			return append(strconv.AppendFloat(dst, score, 'g', -1, 64), "}\n"...)
		}
	}
	return func(dst, kmer []byte, score float64) []byte {
		dst = append(append(dst, kmer...), '\t')
		return append(strconv.AppendFloat(dst, score, 'g', digits, 64), '\n')
	}
}

// loadKmers reads a model, and makes it a scorer of k-mers.
func loadKmers(c *cli.Call, o *input.Model) (scorer *kmers.Scorer, m *model.Model, err error) {
	if m, err = o.Read(c); err != nil {
		return nil, nil, err
	}
	scorer, err = kmers.NewScorer(c.Context, m)
	input.NotePositive(c, &m.Decision)
	return scorer, m, cli.InFile(cli.InputName(o.Path), err)
}

// kmersOfFiles collects the k-mers of the operands, one file at a time. It returns nil if there are no operands.
func kmersOfFiles(c *cli.Call, o *input.Reading, scorer *kmers.Scorer, m *model.Model) (*kmers.Set, error) {
	r, err := input.ForModel(c, o, m)
	if err != nil || len(c.Args) == 0 {
		return nil, err
	}
	set := scorer.NewSet()
	for _, path := range c.Args {
		if err := c.Context.Err(); err != nil {
			return nil, err
		}
		data, err := r.File(path)
		if err != nil {
			return nil, err
		}
		for i := range data.Len() {
			set.Add(data.Corpus.Seq(i))
		}
	}
	if set.Len() == 0 {
		return nil, fmt.Errorf("%s: no k-mer of %d letters of %s", c.OperandNames(), scorer.Length(), scorer.Alphabet())
	}
	return set, nil
}
