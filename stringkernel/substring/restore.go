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
	lettersName   = "letters" // the bytes that occur, if all are letters
	startsName    = "starts"  // see suffix.Stored
	beforeName    = stored.SortedLetters
	prefixesName  = "prefixes"  //
	documentsName = "documents" //
	branchesName  = "branches"  //
)

// compactRestorer stores the merged structures of letters.
type compactRestorer Kernel

// Arrays returns those of a compact structure; nil of another, which symbols of more than a byte need.
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
	return append(arrays,
		stringkernel.Array{Name: startsName, Data: index.Starts},
		stringkernel.Array{Name: beforeName, Data: index.Before},
		stringkernel.Array{Name: prefixesName, Data: index.Prefixes.Bytes()},
		stringkernel.Array{Name: documentsName, Data: index.Docs.Bytes()},
		stringkernel.Array{Name: branchesName, Data: index.Branches},
	)
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

// Restore rebuilds the scorer in one pass over its arrays.
func (k compactRestorer) Restore(arrays []stringkernel.Array) (stringkernel.Scorer, error) {
	return stored.Restore(Kernel(k), "substring", arrays, func(a *stored.Arrays) (stringkernel.Scorer, error) {
		e, err := Kernel(k).storedEncoding(a)
		if err != nil {
			return nil, err
		}
		coef := a.Sparse()
		s := suffix.Stored{Sigma: e.sigma, NumDocs: coef.Len(), MaxDepth: int(Kernel(k).lengthWeights(0).bound),
			Least: leastNumbered, Starts: stored.Get[int32](a, startsName, math.MaxInt),
			Before:   stored.Get[uint64](a, beforeName, math.MaxInt),
			Branches: stored.Get[uint64](a, branchesName, math.MaxInt)}
		prefixes := stored.Get[uint8](a, prefixesName, math.MaxInt)
		documents := stored.Get[uint8](a, documentsName, math.MaxInt)
		if err := a.Close(); err != nil {
			return nil, err
		}
		index, err := restoreIndex(s, prefixes, documents)
		if err != nil {
			return nil, err
		}
		if err := memory.Check(8 * float64(coef.Len()) * float64(coef.Outputs)); err != nil {
			return nil, fmt.Errorf("%d coefficients for %d outputs need %w", coef.Len(), coef.Outputs, err)
		}
		return newCompactScorer(context.Background(), Kernel(k), e, index, coef.Dense())
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

// restoreIndex takes the numbers of each rank from their bytes.
func restoreIndex(s suffix.Stored, prefixes, documents []uint8) (*suffix.Compact, error) {
	ranks := 0
	if n := len(s.Starts); n > 0 {
		ranks = max(0, int(s.Starts[n-1]))
	}
	var err error
	if s.Prefixes, err = suffix.RestoreNarrow(prefixes, ranks); err != nil {
		return nil, fmt.Errorf("array %q: %w", prefixesName, err)
	}
	if s.Docs, err = suffix.RestoreNarrow(documents, ranks); err != nil {
		return nil, fmt.Errorf("array %q: %w", documentsName, err)
	}
	return suffix.NewStored(context.Background(), s)
}
