package tag

import (
	"bufio"
	"cmp"
	"errors"
	"fmt"
	"io"
	"slices"
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

// explained is what a feature of a token adds to the score of its tag.
type explained struct {
	ID       string  `json:"id"`
	Position int     `json:"position"` // 1-based
	Token    string  `json:"token"`
	Tag      string  `json:"tag"`
	Feature  string  `json:"feature"`
	Weight   float64 `json:"weight"`
}

// weighted is a feature of the model.
type weighted struct {
	Tag     string  `json:"tag"`
	Feature string  `json:"feature"`
	Weight  float64 `json:"weight"`
}

// mostWeights is how many features are listed without --top.
const mostWeights = 5

// Explain runs explain: the features that decided about each token, or the strongest ones of the model without files.
// class is the tag whose score is explained; by default that of the best path, where it is not outside of spans.
func Explain(c *cli.Call, path, class string, top int, format string, out *cli.Output) error {
	if err := check(c, "a model of --task "+Task); err != nil {
		return err
	}
	top = cmp.Or(top, mostWeights)
	if len(c.Args) == 0 {
		m, err := readModel(c, path)
		if err == nil {
			err = checkTag(m, class)
		}
		if err != nil {
			return err
		}
		return out.WriteTable(format, func(t *cli.Table) { writeStrongest(t, m, class, top) })
	}
	m, corpus, err := load(c, path)
	if err == nil {
		err = checkTag(m, class)
	}
	if err != nil {
		return err
	}
	c.Stage("explaining")
	e, err := m.Explainer(corpus)
	if err != nil {
		return err
	}
	outside := m.Scheme.Outside()
	return out.WriteTable(format, func(t *cli.Table) {
		t.Header("id", "position", "token", "tag", "feature", "weight")
		for q := range corpus.Sequences() {
			id := strconv.Itoa(q + 1)
			if corpus.Names != nil {
				id = corpus.Names[q]
			}
			lo, _ := corpus.Bounds(q)
			tags := e.Path(q)
			for i, token := range corpus.Sequence(q) {
				tag := cmp.Or(class, tags[i])
				if class == "" && tag == outside {
					continue
				}
				list, _ := e.Token(lo+i, tag)
				for _, w := range list[:min(top, len(list))] {
					row := explained{id, i + 1, token.Fields[0], tag, w.Feature, w.Weight}
					if t.JSON() {
						t.Object(row)
					} else {
						t.Row(row.ID, row.Position, row.Token, row.Tag, row.Feature, row.Weight)
					}
				}
			}
		}
	})
}

func checkTag(m *tagging.Model, class string) error {
	if class != "" && !slices.Contains(m.Tags, class) {
		return cli.Usagef("--class %.60q, want one of: %s", class, cli.ListNames(m.Tags))
	}
	return nil
}

// writeStrongest writes the features of greatest weight of each tag.
func writeStrongest(t *cli.Table, m *tagging.Model, class string, top int) {
	t.Header("tag", "feature", "weight")
	for _, tag := range m.Tags {
		if class != "" && class != tag {
			continue
		}
		for _, w := range m.Strongest(tag, top) {
			if t.JSON() {
				t.Object(weighted{tag, w.Feature, w.Weight})
			} else {
				t.Row(tag, w.Feature, w.Weight)
			}
		}
	}
}

// described is what info prints.
type described struct {
	Task       string          `json:"task"`
	Features   string          `json:"features"`
	Scheme     tagging.Scheme  `json:"scheme"`
	Tags       []string        `json:"tags"`
	Learner    tagging.Learner `json:"learner"`
	C          float64         `json:"c"`
	Size       int             `json:"size"` // number of features
	Solver     string          `json:"solver"`
	Iterations int             `json:"iterations"`
	Primal     float64         `json:"primal"`
	Dual       float64         `json:"dual"`
	Gap        float64         `json:"gap"`
	Options    string          `json:"options"`
}

// Info runs info.
func Info(c *cli.Call, path, format string, out *cli.Output) error {
	m, err := readModel(c, path)
	if err != nil {
		return err
	}
	k := m.Machine
	return out.WriteAs(format, described{Task, m.Features.String(), m.Scheme, m.Tags, m.Learner, m.C, k.Features(),
		k.Solver, k.Iterations, k.Primal, k.Dual, k.Gap, m.Options}, nil)
}
