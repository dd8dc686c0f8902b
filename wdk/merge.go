package wdk

import (
	"context"
	"fmt"
	"math"
	"sync"

	"github.com/seqsvm/seqsvm/internal/memory"
	"github.com/seqsvm/seqsvm/stringkernel"
)

// Merge folds the support vectors into a table and a trie per position: O(N (2S + 1)) time for N letters, and O(d) more
// per letter for k-mers that many support vectors share. Tries are folded at the first score: a model that is only
// written to a file needs none. It returns an error that names the first support vector of another length, and one
// if tables or tries would take more than some gigabytes, or tens of gigabytes with shifts.
func (k Kernel) Merge(
	ctx context.Context, sv *stringkernel.Corpus, c *stringkernel.Coefficients,
) (stringkernel.Scorer, error) {
	length, err := k.windows(sv)
	if err != nil {
		return nil, err
	}
	if err := c.Check(sv); err != nil {
		return nil, fmt.Errorf("wd: %w", err)
	}
	if k.resembling() {
		return k.mergeAlike(sv, c, length)
	}
	coef := c.Dense()
	if words := sv.Len() * (2*min(k.Shift, length) + 1); words > math.MaxInt32/2 {
		return nil, fmt.Errorf("wd: %d k-mers of support vectors at a position, want fewer than 2³⁰", words)
	}
	p := newPacking(k.Alphabet, sv)
	depth := tableDepth(k, p, length, len(coef), sv.Len()*(2*min(k.Shift, length)+1))
	if entries := length << p.bits * len(coef); entries > mostEntries {
		return nil, fmt.Errorf("wd: windows of %d letters and %d outputs need tables of %d entries, want at most %d",
			length, len(coef), entries, mostEntries)
	}
	s := newScorer(k, p, length, len(coef), depth)
	switch words := sv.Len() * (2*min(k.Shift, length) + 1); {
	case !s.branched:
	case words > maxWords:
		return nil, fmt.Errorf("wd: %d support vectors with shifts have %d k-mers at a position, want at most %d",
			sv.Len(), words, maxWords)
	case words > mostSums/(length*(len(coef)+1)):
		return nil, fmt.Errorf(
			"wd: %d k-mers at each of %d positions and %d outputs need tries of %d numbers, want at most %d",
			words, length, len(coef), words*length*(len(coef)+1), mostSums)
	}
	s.folded.Make = func(ctx context.Context) struct{} {
		s.fold(ctx, sv, coef)
		sv, coef = nil, nil // not needed any more
		return struct{}{}
	}
	if s.branched {
		return s, nil
	}
	return s, stringkernel.Prepare(ctx, s)
}

// tableDepth returns the length of the longest k-mers in the tables of positions: d if that takes little memory, else
// the length that gives up to four times as many k-mers as support vectors have at a position.
func tableDepth(k Kernel, p packing, length, outputs, words int) int {
	depth, entries := 1, length<<p.bits*outputs
	for depth < min(k.D, length, p.letters()-1) {
		power := 1 << (p.bits * (depth + 1))
		if entries += power * length * outputs; entries > maxEntries || entries > anyEntries && power > 4*words {
			break
		}
		depth++
	}
	return depth
}

// newScorer lays out tables of k-mers of up to depth letters.
func newScorer(k Kernel, p packing, length, outputs, depth int) *scorer {
	s := &scorer{
		kernel: k, packing: p, length: length, outputs: outputs, depth: depth, upTo: make([]float64, k.D+1),
		gains: make([][64]float64, min(k.D, length)), root: newLadder(p.bits, depth), base: make([]int, length+1),
	}
	s.branched = depth < min(k.D, length)
	s.folded.Make = func(context.Context) (done struct{}) { return done }
	for m := range s.upTo {
		s.upTo[m] = float64(k.upTo(m))
	}
	for before := range s.gains {
		for n, letters := range p.whole {
			s.gains[before][n] = s.upTo[min(before+int(letters), k.D)] - s.upTo[before]
		}
	}
	for q := range length {
		s.base[q+1] = s.base[q] + s.root.size(s.depthAt(q))
	}
	return s
}

// fold fills the tables from right to left.
func (s *scorer) fold(ctx context.Context, sv *stringkernel.Corpus, coef [][]float64) {
	s.sv = newPackedWindows(&s.packing, sv, s.length)
	s.values = memory.InLargePages[float64](s.base[s.length] * s.outputs)
	if s.branched {
		s.tries = make([]trie, s.length)
	}
	most := min(s.kernel.Shift, max(0, s.length-1))
	var offsets []int
	for offset := -most; offset <= most; offset++ {
		offsets = append(offsets, offset)
	}
	var space sync.Pool // of *folding
	sweep(ctx, s.kernel, sv, s.length, offsets,
		func(q int, w sorted) trie {
			f, _ := space.Get().(*folding)
			if f == nil {
				f = &folding{scorer: s}
			}
			defer space.Put(f)
			f.begin(q)
			f.collect(w, offsets, coef)
			f.table()
			f.tails()
			return f.trie.clone()
		},
		func(q int, t trie) {
			if s.branched {
				s.tries[q] = t
			}
		})
}

const (
	anyEntries  = 1 << 20 // of the tables of all positions, times outputs: always allowed
	maxEntries  = 1 << 24 // limited for speed
	mostEntries = 1 << 29 // an error beyond, even for tables of single letters only
	mostSums    = 1 << 32 // of the tries of all positions, at most 1 + outputs for each k-mer: an error beyond
)
