package tag

import (
	"cmp"
	"slices"
	"strconv"

	"github.com/seqsvm/seqsvm/cmd/seqsvm/internal/cli"
	"github.com/seqsvm/seqsvm/tagging"
)

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
