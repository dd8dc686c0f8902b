package substring

import (
	"context"
	"fmt"
	"math"

	"github.com/seqsvm/seqsvm/internal/memory"
	"github.com/seqsvm/seqsvm/internal/stored"
	"github.com/seqsvm/seqsvm/stringkernel"
	"github.com/seqsvm/seqsvm/suffix"
)

// The arrays of a stored scorer, besides the coefficients of each document.
const (
	lettersName = "letters" // the bytes that occur, if all are letters
	startsName  = "starts"  // see suffix.Shape
	layoutName  = "layout"  // ranks of a node with a number, bytes of a common prefix and of a document's number
	blocksName  = stored.SortedBlocks
	termsName   = "terms"   // see compactScorer; made of the rest where absent
	vectorsName = "vectors" // number of support vectors and first document of the reference, under tfidf
)

// Restorer stores and restores the structures of merged scorers; nil for those of units, whose vocabulary is that of
// the support vectors, and where counts are seen through a function.
func (k Kernel) Restorer() stringkernel.Restorer {
	if k.ReadsText() || !k.Count.Linear() {
		return nil
	}
	return compactRestorer(k)
}

// compactRestorer stores the merged structures of letters.
type compactRestorer Kernel

// Arrays returns those of a compact structure; nil of another, which symbols of more than a byte need. Terms are stored
// unless they, for many outputs, take more than the structure.
func (k compactRestorer) Arrays(scorer stringkernel.Scorer) []stringkernel.Array {
	s, is := scorer.(*compactScorer)
	if !is {
		return nil
	}
	arrays := stored.Sparse(stringkernel.NewCoefficients(s.index.NumDocs, s.coef))
	if s.encoding.all {
		arrays = append(arrays, stringkernel.Array{Name: lettersName, Data: s.encoding.letters()})
	}
	index := s.index.Stored
	layout := []int32{int32(index.Least), int32(index.PrefixWidth), int32(index.DocWidth)}
	arrays = append(arrays,
		stringkernel.Array{Name: startsName, Data: index.Starts},
		stringkernel.Array{Name: layoutName, Data: layout},
		stringkernel.Array{Name: blocksName, Data: index.Blocks},
	)
	if s.idf != nil {
		arrays = append(arrays, stringkernel.Array{Name: vectorsName, Data: []int32{int32(s.vectors), int32(s.first)}})
	}
	if 8*len(s.terms) <= len(index.Blocks) {
		arrays = append(arrays, stringkernel.Array{Name: termsName, Data: s.terms})
	}
	return arrays
}

// letters returns the bytes that are letters, in the order of their symbols.
func (e *encoding) letters() []uint8 {
	list := []uint8{}
	for b, symbol := range e.symbol {
		if symbol != 0 {
			list = append(list, uint8(b))
		}
	}
	return list
}

// Restore takes the scorer from its arrays, in one pass over them where there are terms.
func (k compactRestorer) Restore(arrays []stringkernel.Array) (stringkernel.Scorer, error) {
	return stored.Restore(Kernel(k), "substring", arrays, func(a *stored.Arrays) (stringkernel.Scorer, error) {
		e, err := Kernel(k).storedEncoding(a)
		if err != nil {
			return nil, err
		}
		coef := a.Sparse()
		shape := suffix.Shape{Sigma: e.sigma, NumDocs: coef.Len(), MaxDepth: int(Kernel(k).lengthWeights(0).bound),
			Starts: stored.Get[int32](a, startsName, math.MaxInt)}
		index, err := restoreBlocks(a, shape)
		if err != nil {
			return nil, err
		}
		if err := memory.Check(8 * float64(coef.Len()) * float64(coef.Outputs)); err != nil {
			return nil, fmt.Errorf("%d coefficients for %d outputs need %w", coef.Len(), coef.Outputs, err)
		}
		vectors := []int32{int32(index.NumDocs), int32(index.NumDocs)}
		if k.Weight == TFIDF {
			vectors = stored.Get[int32](a, vectorsName, 2)
			if len(vectors) != 2 || min(vectors[0], vectors[1]) < 0 || int(max(vectors[0], vectors[1])) > index.NumDocs {
				return nil, fmt.Errorf("array %q is %v, want two numbers of up to %d documents", vectorsName, vectors,
					index.NumDocs)
			}
		}
		s := newCompactScorer(Kernel(k), e, index, int(vectors[0]), int(vectors[1]), coef.Dense())
		given := a.Has(termsName)
		if given {
			s.terms = a.Table(termsName, 2*index.Numbers(), s.columns())
		}
		if err := a.Close(); err != nil || given {
			return s, err
		}
		return s, s.makeTerms(context.Background())
	})
}

// storedEncoding returns the encoding that letters were numbered by.
func (k Kernel) storedEncoding(a *stored.Arrays) (*encoding, error) {
	e, used := &encoding{marks: k.marks()}, new([256]bool)
	if k.allBytes() {
		last := -1
		for _, b := range stored.Get[uint8](a, lettersName, 256) {
			if int(b) <= last {
				return nil, fmt.Errorf("array %q: letter %d behind %d, want ascending ones", lettersName, b, last)
			}
			used[b], last = true, int(b)
		}
	}
	e.useLetters(k, used)
	if e.wide() {
		return nil, fmt.Errorf("%d letters, want fewer", e.sigma)
	}
	return e, nil
}

// restoreBlocks returns the index that is stored as it is used.
func restoreBlocks(a *stored.Arrays, shape suffix.Shape) (*suffix.Compact, error) {
	layout := stored.Get[int32](a, layoutName, math.MaxInt)
	s := suffix.Stored{Shape: shape, Blocks: stored.Get[uint8](a, blocksName, math.MaxInt)}
	if err := a.Err(); err != nil {
		return nil, err
	}
	if len(layout) != 3 || layout[0] < 2 || layout[0] > leastNumbered {
		return nil, fmt.Errorf("array %q is %v, want three numbers, the first from 2 to %d", layoutName, layout,
			leastNumbered)
	}
	s.Least, s.PrefixWidth, s.DocWidth = int(layout[0]), int(layout[1]), int(layout[2])
	return suffix.NewStored(context.Background(), s)
}
