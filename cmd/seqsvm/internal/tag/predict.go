package tag

import (
	"bufio"
	"cmp"
	"errors"
	"fmt"
	"io"
	"strconv"

	"github.com/seqsvm/seqsvm/cmd/seqsvm/internal/cli"
	"github.com/seqsvm/seqsvm/seqio/genome"
	"github.com/seqsvm/seqsvm/seqio/tokens"
	"github.com/seqsvm/seqsvm/tagging"
)

// Formats of predict besides those of tables.
const (
	FASTA = "fasta"
	GFF3  = "gff3"
)

// Predict runs predict: it writes the lines of the input, those of tokens with one column more, or the tags of letters.
func Predict(c *cli.Call, path string, probabilities bool, format string, out *cli.Output) error {
	if err := check(c, "a model of --task "+Task); err != nil {
		return err
	}
	m, corpus, err := load(c, path)
	if err != nil {
		return err
	}
	if corpus.Names == nil && (format == FASTA || format == GFF3) {
		return cli.Usagef("--format %s is for records of letters, want tsv or json", format)
	}
	c.Stage("tagging")
	tagged, err := m.Tag(c.Context, corpus, probabilities || format == GFF3)
	if err != nil {
		return err
	}
	w := writer{model: m, corpus: corpus, tagged: tagged, probabilities: probabilities}
	switch {
	case format == FASTA:
		return out.Write(w.fasta)
	case format == GFF3:
		return out.Write(w.gff)
	case corpus.Names == nil && format == cli.TSV:
		return out.Write(w.columns)
	}
	return out.WriteTable(format, w.table)
}

// untagged asks for tokens whose tags are not looked at.
const untagged = -1

// load reads a model and the tokens that it is applied to.
func load(c *cli.Call, path string) (*tagging.Model, *tokens.Corpus, error) {
	m, err := readModel(c, path)
	if err != nil {
		return nil, nil, err
	}
	corpus, err := new(Input).read(c, m.Features.OfLetters(), untagged)
	return m, corpus, err
}

// writer writes tags.
type writer struct {
	model         *tagging.Model
	corpus        *tokens.Corpus
	tagged        []tagging.Tagged
	probabilities bool
}

// columns writes the lines of the input, those of tokens with a column more for the tag and, if asked for, one for its
// probability.
func (w *writer) columns(to io.Writer) error {
	out := bufio.NewWriter(to)
	q, lo := 0, 0
	err := w.corpus.WriteLines(out, func(token int) []string {
		if token == w.corpus.Ends[q] {
			q, lo = q+1, token
		}
		t := w.tagged[q]
		if !w.probabilities {
			return t.Tags[token-lo : token-lo+1]
		}
		return []string{t.Tags[token-lo], strconv.FormatFloat(t.P[token-lo], 'f', 4, 64)}
	})
	if err != nil {
		return err
	}
	return out.Flush()
}

// sequence is a sequence in JSON.
type sequence struct {
	ID            string    `json:"id"`
	Tokens        []string  `json:"tokens"`
	Tags          []string  `json:"tags"`
	Probabilities []float64 `json:"probabilities,omitempty"`
}

// table writes a row for each token, or an object for each sequence.
func (w *writer) table(t *cli.Table) {
	header := []any{"id", "position", "token", "tag"}
	if w.probabilities {
		header = append(header, "probability")
	}
	t.Header(header...)
	for q, tagged := range w.tagged {
		s := sequence{ID: strconv.Itoa(q + 1), Tags: tagged.Tags}
		if w.probabilities {
			s.Probabilities = tagged.P
		}
		if w.corpus.Names != nil {
			s.ID = w.corpus.Names[q]
		}
		for _, token := range w.corpus.Sequence(q) {
			s.Tokens = append(s.Tokens, token.Fields[0])
		}
		if t.JSON() {
			t.Object(s)
			continue
		}
		for i, token := range s.Tokens {
			cells := []any{s.ID, i + 1, token, s.Tags[i]}
			if w.probabilities {
				cells = append(cells, s.Probabilities[i])
			}
			t.Row(cells...)
		}
	}
}

// fasta writes states as FASTA, if each is one letter.
func (w *writer) fasta(to io.Writer) error {
	out := bufio.NewWriter(to)
	for q, t := range w.tagged {
		fmt.Fprintf(out, ">%s\n", w.corpus.Names[q])
		for _, tag := range t.Tags {
			if len(tag) != 1 {
				return errors.New("--format fasta needs states of one letter, want tsv, json or gff3")
			}
			out.WriteString(tag)
		}
		out.WriteByte('\n')
	}
	return out.Flush()
}

// gff writes runs of a state, or spans, as features of GFF3: 1-based, both ends included, with the mean probability of
// their tokens for a score.
func (w *writer) gff(to io.Writer) error {
	out := bufio.NewWriter(to)
	out.WriteString(genome.GFF3Header)
	for q, t := range w.tagged {
		for _, s := range w.model.Scheme.Segments(t.Tags) {
			sum := 0.0
			for _, p := range t.P[s.Lo:s.Hi] {
				sum += p
			}
			place := genome.Span{Start: s.Lo, End: s.Hi}
			out.Write(genome.AppendGFF3Place(nil, w.corpus.Names[q], "seqsvm", cmp.Or(s.Kind, noKind), place))
			fmt.Fprintf(out, "%.4f\t.\t.\t.\n", sum/float64(s.Hi-s.Lo))
		}
	}
	return out.Flush()
}
