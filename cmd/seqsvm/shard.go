package main

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"io"
	"strings"

	"github.com/seqsvm/seqsvm/cmd/seqsvm/internal/cli"
	"github.com/seqsvm/seqsvm/cmd/seqsvm/internal/genomic"
	"github.com/seqsvm/seqsvm/cmd/seqsvm/internal/input"
	"github.com/seqsvm/seqsvm/seqio"
	"github.com/seqsvm/seqsvm/seqio/matrix"
	"github.com/seqsvm/seqsvm/seqio/shards"
	"github.com/seqsvm/seqsvm/stringkernel"
)

// mergeOptions are the options of model merge.
type mergeOptions struct{ output cli.Output }

func (o *mergeOptions) Flags(f *cli.Flags) {
	f.Output(&o.output, "output,o", "`FILE` to write; bed and bedgraph of scan in a .gz have an index for tabix "+
		"beside them").Holds(cli.Anything)
}

func (o *mergeOptions) Run(c *cli.Call) error {
	if len(c.Args) == 0 {
		return cli.Usagef("no shard, want those of a run, all of them")
	}
	set, err := shards.Open(c.Args)
	if errors.Is(err, shards.ErrNoNote) {
		return fmt.Errorf("%w: --shard writes FILE%s, which goes wherever the file goes", err, shards.Suffix)
	}
	if err != nil {
		return err
	}
	format := cmp.Or(genomic.FormatOf(set.Run), set.Run.Get("--format"), cli.TSV)
	if err := o.output.CheckHolds(format); err != nil {
		return err
	}
	index, err := genomic.IndexOf(c, format, &o.output)
	if err != nil {
		return err
	}
	c.Stage("joining")
	join := func(w io.Writer) error { return set.Join(c.Context, w) }
	write := join
	if genomic.Compares(set.Run) {
		write = func(w io.Writer) error { return genomic.Refine(c, w, join) }
	}
	return o.output.Write(func(w io.Writer) error { return genomic.WriteIndexed(w, index, write) })
}

// writeShard writes the rows as one piece.
func (o *matrixOptions) writeShard(c *cli.Call, m *matrixPart) error {
	err := o.output.Write(func(w io.Writer) error {
		o.shard.Begin(w)
		out, err := m.open(o.shard, o.format, c.Digits())
		if err != nil {
			return err
		}
		head, err := m.wholeHead(o.format)
		if err != nil {
			return err
		}
		o.shard.EndHead(head)
		err = m.write(c, out)
		o.shard.EndPiece()
		return err
	})
	if err != nil {
		return err
	}
	return o.shard.End(c, o.shard.Of, nil, shards.Value{Name: "rows", Value: digestOfRecords(m.rows)},
		shards.Value{Name: "columns", Value: digestOfRecords(m.columns)})
}

// wholeHead returns the head of a file with all rows if that is another than of one with a part of them: that of .npy
// says how many there are.
func (m *matrixPart) wholeHead(format string) ([]byte, error) {
	if format != "npy" {
		return nil, nil
	}
	var head bytes.Buffer
	_, err := matrix.NewNPY(&head, m.rows.Len(), m.columns.Len())
	return head.Bytes(), err
}

// digestOfRecords returns the checksum of the records of a set.
func digestOfRecords(set *seqio.Set) string {
	var in shards.Input
	for i := range set.Len() {
		in.Begin(set.Corpus.Name(i))
		in.Add(set.Corpus.Seq(i))
	}
	return in.String()
}

// pieceSize is the size of a piece of predict, as seqio.BatchSize counts it: so large that all threads share it.
var pieceSize = 1 << 18 // a variable for tests

// recordPieces cuts records into pieces, whatever the batches they come in.
type recordPieces struct {
	seen   shards.Input
	number int // of the piece that the next record belongs to
	size   int // of what it has
}

// each calls visit for the records of a batch by piece: for from … to − 1, which end a piece or do not.
func (p *recordPieces) each(corpus *stringkernel.Corpus, visit func(piece, from, to int, ends bool) error) error {
	for from, to := 0, 0; from < corpus.Len(); from = to {
		for to < corpus.Len() && p.size < pieceSize {
			p.seen.Begin(corpus.Name(to))
			p.seen.Add(corpus.Seq(to))
			p.size += seqio.BatchSize(1, len(corpus.Seq(to)))
			to++
		}
		ends := p.size >= pieceSize
		if err := visit(p.number, from, to, ends); err != nil {
			return err
		}
		if ends {
			p.number, p.size = p.number+1, 0
		}
	}
	return nil
}

// all is the number of pieces when all records were cut.
func (p *recordPieces) all() int {
	if p.size > 0 {
		return p.number + 1
	}
	return p.number
}

// writeShard writes the pieces of records that are the shard's.
func (o *predictOptions) writeShard(c *cli.Call, a *input.Application) error {
	var pieces recordPieces
	err := o.output.Write(func(w io.Writer) error {
		o.shard.Begin(w)
		return c.WriteTable(o.shard, o.format, func(t *cli.Table) {
			score := o.scorer(c.Context, a, t)
			t.WriteHeader()
			o.shard.EndHead(nil)
			t.Err = a.EachBatch(predictBatch, func(data *input.Records) error {
				return data.Placed(o.scorePieces(a, data.Corpus, &pieces, score))
			})
			if pieces.size > 0 && o.shard.Has(pieces.number) {
				o.shard.EndPiece()
			}
		})
	})
	if err != nil {
		return err
	}
	more := []shards.Value{{Name: "input", Value: pieces.seen.String()}}
	if len(c.Args) > 1 { // their names are a column
		more = append(more, shards.Value{Name: "files", Value: strings.Join(c.Args, " ")})
	}
	return o.shard.End(c, pieces.all(), []string{o.Path}, more...)
}

// scorePieces scores those records of a batch that are in pieces of the shard, and passes over the others.
func (o *predictOptions) scorePieces(a *input.Application, corpus *stringkernel.Corpus, pieces *recordPieces,
	score scoring) error {
	return pieces.each(corpus, func(piece, from, to int, ends bool) error {
		if !o.shard.Has(piece) {
			a.Skip(to - from)
			a.Done(to, corpus.Len())
			return nil
		}
		done := func(some, _ int) { a.Done(from+some, corpus.Len()) }
		err := inParts(corpus.Slice(from, to), a.Classifier.Scorer.Outputs(), score, done)
		if err == nil && ends {
			o.shard.EndPiece()
		}
		return afterRecords(from, err)
	})
}
