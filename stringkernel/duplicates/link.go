package duplicates

import (
	"context"

	"github.com/seqsvm/seqsvm/stringkernel"
)

// Similarities are those that [Link] looks at: copies, windows that overlap by half, and relatives.
var Similarities = []float64{0.8, 0.5, 0.3}

const (
	mostApart     = 0.1 // of the records may have near-duplicates without folds by groups
	mostTogether  = 0.1 // of the records may be in one group, else folds are uneven
	sketchedTries = 8   // fruitless comparisons of a record
)

// Link returns the groups by which folds should be divided, and the similarity of their records: the least of some
// descending similarities at which no group has more than a tenth of the records. It returns none where no more than a
// tenth of the records have a near-duplicate. For speed, a record gives up after few fruitless comparisons: a pair
// may be missed, but never is one reported that is not.
func Link(ctx context.Context, c *stringkernel.Corpus, a stringkernel.Alphabet, similarities []float64) (
	linked *Groups, similarity float64, err error) {
	for _, t := range similarities {
		g, err := Finder{Alphabet: a, Similarity: t, mostInVain: sketchedTries}.Find(ctx, c)
		if err != nil {
			return nil, 0, err
		}
		together, largest := g.sizes()
		if float64(largest) > mostTogether*float64(c.Len()) {
			break
		}
		if float64(together) > mostApart*float64(c.Len()) {
			linked, similarity = g, t
		}
	}
	return linked, similarity, nil
}

// sizes returns how many records are not alone, and how many are in the largest group.
func (g *Groups) sizes() (together, largest int) {
	size := make([]int, len(g.Of))
	for _, first := range g.Of {
		size[first]++
	}
	for _, n := range size {
		if n > 1 {
			together += n
		}
		largest = max(largest, n)
	}
	return together, largest
}
