package scan

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"sync/atomic"
)

// FDR estimates false-discovery rates from the scores of known negatives, as target-decoy
// methods do. With n such scores, M windows scored and H(t) of them at t or above,
//
//	F(t)   = (1 + number of the n scores ≥ t)/(n + 1)   chance of a non-site, never estimated as 0
//	FDR(t) = min(1, M·F(t)/H(t))                            expected false share of the windows at t or above
//	q(s)   = min over t ≤ s of FDR(t)                       of a window with score s
//
// M·F(t) takes all windows for false ones, which is nearly so in a genome and errs on the safe side. F is a step
// function, and between its steps FDR falls with t, so that q is constant there and follows from one count per step: q
// costs memory for n numbers, however long the genome. The least q that n scores can give rises with M/(n + 1): it
// takes many known negatives to find few sites in much sequence. Neighbouring windows are not independent, which leaves
// the expectation as it is. The estimate is no better than the negatives: they should come from the genome that is
// scanned.
//
// J. D. Storey, R. Tibshirani, Statistical significance for genomewide studies, PNAS 100 (2003),
// doi:10.1073/pnas.1530509100; J. E. Elias, S. P. Gygi, Nature Methods 4 (2007), doi:10.1038/nmeth1019 (decoys); B. V.
// North et al., American Journal of Human Genetics 71 (2002), doi:10.1086/341527 (the 1 in F).
type FDR struct {
	negatives []float64      // scores, descending
	counts    []atomic.Int64 // counts[a] windows have a negatives at or above their score
	q         []float64      // by the same number
}

// NewFDR takes the scores of known negatives, of which there is at least one, in any order.
func NewFDR(negatives []float64) (*FDR, error) {
	if len(negatives) == 0 {
		return nil, fmt.Errorf("scan: no scores of negatives to estimate a false-discovery rate from")
	}
	f := &FDR{negatives: slices.Clone(negatives), counts: make([]atomic.Int64, len(negatives)+1)}
	slices.SortFunc(f.negatives, func(a, b float64) int { return cmp.Compare(b, a) })
	return f, nil
}

// above returns the number of negatives at or above a score.
func (f *FDR) above(score float64) int {
	lo, hi := 0, len(f.negatives)
	for lo < hi {
		if mid := int(uint(lo+hi) >> 1); f.negatives[mid] >= score {
			lo = mid + 1
		} else {
			hi = mid
		}
	}
	return lo
}

// Count counts the hits of a batch: a [Job].Work of a run without a threshold. It may be called concurrently for
// several batches.
func (f *FDR) Count(b *Batch) {
	for _, h := range b.Hits {
		f.counts[f.above(h.Score)].Add(1)
	}
}

// Estimate computes q of what was counted.
func (f *FDR) Estimate() {
	windows := int64(0)
	for a := range f.counts {
		windows += f.counts[a].Load()
	}
	f.q = make([]float64, len(f.counts))
	hits := int64(0)
	for a := range f.counts {
		hits += f.counts[a].Load()
		f.q[a] = 1
		if hits > 0 {
			f.q[a] = min(1, float64(windows)*float64(a+1)/float64(len(f.counts))/float64(hits))
		}
	}
	for a := len(f.q) - 2; a >= 0; a-- {
		f.q[a] = min(f.q[a], f.q[a+1])
	}
}

// Q returns the q-value of a score, after Estimate.
func (f *FDR) Q(score float64) float64 { return f.q[f.above(score)] }

// Least returns the least q-value that a window has, that of the greatest score; after Estimate.
func (f *FDR) Least() float64 { return f.q[0] }

// Threshold returns a number t such that the scores with a q-value of at most rate are those at t or above, +Inf if
// there are none; after Estimate.
func (f *FDR) Threshold(rate float64) float64 {
	a := 0
	for a < len(f.q) && f.q[a] <= rate {
		a++
	}
	switch a {
	case 0:
		return math.Inf(1)
	case len(f.q):
		return math.Inf(-1)
	}
	return math.Nextafter(f.negatives[a-1], math.Inf(1))
}
