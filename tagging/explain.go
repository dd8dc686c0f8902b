package tagging

import (
	"cmp"
	"fmt"
	"math"
	"slices"

	"github.com/seqsvm/seqsvm/classify/chain"
	"github.com/seqsvm/seqsvm/internal/subset"
	"github.com/seqsvm/seqsvm/seqio/tokens"
)

// Weight is what a feature adds to the score of a tag.
type Weight struct {
	Feature string
	Weight  float64
}

// Explainer says what decided about tokens of a corpus. It is not for concurrent use.
type Explainer struct {
	model  *Model
	corpus *tokens.Corpus
	rows   chain.Rows
	tagger *chain.Tagger
}

// Explainer returns one of a corpus.
func (m *Model) Explainer(c *tokens.Corpus) (*Explainer, error) {
	if err := m.Features.of.check(c); err != nil {
		return nil, err
	}
	return &Explainer{m, c, m.Features.of.rows(c), m.Machine.Tagger()}, nil
}

// Path returns the tags of a sequence as the machine has them: see [Model].Tags.
func (e *Explainer) Path(q int) []string {
	lo, hi := e.corpus.Bounds(q)
	y, names := make([]uint8, hi-lo), make([]string, hi-lo)
	e.tagger.Tag(y, e.tagger.Score(e.rows, lo, hi))
	for t, state := range y {
		names[t] = e.model.Tags[state]
	}
	return names
}

// Strongest returns at most n features, those that speak most for a machine's tag, with their weights where a token has
// no other.
func (m *Model) Strongest(tag string, n int) []Weight {
	state := slices.Index(m.Tags, tag)
	if state < 0 {
		return nil
	}
	order := subset.Numbers[int32](m.Machine.Features())
	slices.SortStableFunc(order, func(a, b int32) int {
		return cmp.Compare(m.Machine.Weight(b, state), m.Machine.Weight(a, state))
	})
	list := make([]Weight, 0, n)
	for _, feature := range order[:min(n, len(order))] {
		if weight := m.Machine.Weight(feature, state); weight > 0 {
			list = append(list, Weight{m.Features.of.name(feature), weight})
		}
	}
	return list
}

// Token returns what each feature of a token of the corpus adds to the score of a machine's tag, the greatest in size
// first; the rest of the score of a path is that of its links.
func (e *Explainer) Token(token int, tag string) ([]Weight, error) {
	state := slices.Index(e.model.Tags, tag)
	if state < 0 {
		return nil, fmt.Errorf("tag %q, want one of %v", tag, e.model.Tags)
	}
	row := e.rows.Row(token, nil)
	list := make([]Weight, len(row))
	scale := 1 / math.Sqrt(float64(len(row)))
	for i, feature := range row {
		list[i] = Weight{e.model.Features.of.name(feature), e.model.Machine.Weight(feature, state) * scale}
	}
	slices.SortStableFunc(list, func(a, b Weight) int {
		return cmp.Or(cmp.Compare(math.Abs(b.Weight), math.Abs(a.Weight)), cmp.Compare(a.Feature, b.Feature))
	})
	return list, nil
}
