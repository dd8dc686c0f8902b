package compose

import (
	"context"
	"fmt"
	"sync"

	"github.com/seqsvm/seqsvm/internal/cancel"
	"github.com/seqsvm/seqsvm/internal/parallel"
	"github.com/seqsvm/seqsvm/internal/scratch"
	"github.com/seqsvm/seqsvm/internal/strongest"
	"github.com/seqsvm/seqsvm/stringkernel"
)

// Nearest finds the records of a corpus that are most similar to a sequence, by the kernel itself: with [Normalized]
// those at the least distance in feature space. It is safe for concurrent use.
type Nearest struct {
	compare stringkernel.Comparison
	records int
	rows    sync.Pool // *[]float64, a value for each record
}

// Neighbour is a record of a corpus, 0-based, and its similarity k(x_i, x) to a sequence x.
type Neighbour struct {
	Record     int
	Similarity float64
}

// NewNearest fits the kernel to the corpus, if it depends on one, and indexes that: see [Compare].
func NewNearest(ctx context.Context, k stringkernel.Kernel, corpus *stringkernel.Corpus) (*Nearest, error) {
	k, err := stringkernel.Fit(ctx, k, corpus)
	if err != nil {
		return nil, err
	}
	compare, err := Compare(ctx, k, corpus)
	return &Nearest{compare: compare, records: corpus.Len()}, err
}

// Of returns the n records with the greatest similarity to x, the greatest first, of equal ones the first; without the
// record except, -1 for none, and without those of similarity 0, which share no feature with x. It takes what one
// comparison takes, and 8 bytes per record of the corpus for each call at a time.
func (s *Nearest) Of(x []byte, n, except int) []Neighbour {
	row := scratch.Borrow(&s.rows, s.records)
	defer s.rows.Put(row)
	s.compare(*row, x)
	list := strongest.NewList(min(n, s.records))
	for i, value := range *row {
		if value != 0 && i != except {
			list.Offer(i, value)
		}
	}
	var found []Neighbour
	for _, item := range list.Items() {
		found = append(found, Neighbour{item.Number, item.Value})
	}
	return found
}

// OfEach returns what Of does for each sequence of a corpus, on all processors, where the i-th leaves out the record
// first + i, or none if first < 0.
func (s *Nearest) OfEach(ctx context.Context, queries *stringkernel.Corpus, n, first int) ([][]Neighbour, error) {
	if n < 1 {
		return nil, fmt.Errorf("compose: %d nearest records, want at least 1", n)
	}
	found := make([][]Neighbour, queries.Len())
	err := parallel.Do(ctx, queries.Len(), func(i int) error {
		except := -1
		if first >= 0 {
			except = first + i
		}
		return cancel.Run(ctx, func() { found[i] = s.Of(queries.Seq(i), n, except) })
	})
	return found, err
}
