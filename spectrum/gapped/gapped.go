package gapped

import (
	"context"
	"fmt"
	"maps"
	"math"
	"math/big"
	"slices"

	"github.com/seqsvm/seqsvm/internal/kmer"
	"github.com/seqsvm/seqsvm/stringkernel"
	"github.com/seqsvm/seqsvm/stringkernel/compose"
)

// Kernel is the gapped k-mer kernel of Ghandi et al. 2014: k-mers of L letters of which K count, L-mers further apart
// than D mismatches counting nothing. The defaults of the catalogue (11, 7, 3, truncated) are those of LS-GKM (Lee
// 2016).
//
// It counts both strands itself ([compose.Stranded]), and its scorers can be stored and explained.
type Kernel struct {
	L        int                   `json:"l" doc:"length of k-mers, up to 32; fast up to 12 of protein, 8 of bytes"`
	K        int                   `json:"k" doc:"letters of a k-mer that count, 1…l"`
	D        int                   `json:"d" doc:"most mismatches, 0…l − k; l leaves full and truncated uncut"`
	Filter   Filter                `json:"filter" doc:"gapped (counts), full or truncated (estimates), wildcard"`
	Lambda   float64               `json:"lambda,omitempty" above:"0" doc:"weight of a wildcard, in (0, 1]"`
	Center   string                `json:"center,omitempty" doc:"M:H: weight M at the centre, halved every H letters"`
	Count    stringkernel.Count    `json:"count,omitempty"`
	Clip     bool                  `json:"clip,omitempty" doc:"set negative eigenvalues of a cut filter to 0"`
	Subst    []string              `json:"subst,omitempty"`
	Beta     float64               `json:"beta,omitempty" above:"0"`
	Alphabet stringkernel.Alphabet `json:"alphabet"`

	rc       bool
	compiled *engine // nil before Compile
}

// Check returns an error that names the first parameter out of range.
func (k Kernel) Check() error {
	_, err := k.ready()
	return err
}

func (k Kernel) check() error {
	if err := checkLength(k.Alphabet, k.L); err != nil {
		return err
	}
	if err := k.Filter.check(); err != nil {
		return err
	}
	switch {
	case k.K < 1 || k.K > k.L:
		return fmt.Errorf("k = %d, want 1…%d, at most l", k.K, k.L)
	case k.estimates() && k.D != k.L && (k.D < 0 || k.D > k.L-k.K):
		return fmt.Errorf("d = %d, want 0…l − k = %d, since k-mers further apart share no gapped k-mer, or %d "+
			"for the whole estimate", k.D, k.L-k.K, k.L)
	case !k.estimates() && (k.D < 0 || k.D > k.L-k.K):
		return fmt.Errorf("d = %d, want 0…l − k = %d: k-mers further apart share no gapped k-mer", k.D, k.L-k.K)
	case k.Filter == Wildcard && !(k.Lambda > 0 && k.Lambda <= 1):
		return fmt.Errorf("lambda = %v, want above 0 and at most 1 with filter=wildcard", k.Lambda)
	case k.Filter != Wildcard && k.Lambda != 0:
		return fmt.Errorf("lambda is not used with filter=%s", k.Filter)
	}
	if err := k.Count.CheckSeparable(); err != nil {
		return err
	}
	if k.Center != "" && !k.Count.Linear() {
		return fmt.Errorf("center cannot be used with count=%s: a k-mer is at several places", k.Count)
	}
	_, err := parseCentre(k.Center)
	return err
}

// estimates says whether h, uncut, reaches beyond l − k mismatches: estimated counts do, shared k-mers do not.
func (k Kernel) estimates() bool { return k.Filter == Full || k.Filter == Truncated }

// Compile computes the filter, which takes up to some milliseconds: Eval and SelfEval of a kernel that is not compiled
// do so at every call. To change a parameter, start from a kernel that is not compiled.
func (k Kernel) Compile() (stringkernel.Kernel, error) {
	e, err := k.ready()
	k.compiled = e
	return k, err
}

// ready returns the engine, or an error if a parameter is out of range.
func (k Kernel) ready() (*engine, error) { return ready("gapped", k.compiled, k.check, k.build) }

// engine is the kernel as a function of distance.
func (k Kernel) engine() *engine {
	if k.compiled != nil {
		return k.compiled
	}
	e, _ := k.build() // Check has seen the error
	return e
}

// build makes the engine. The error is about subst.
func (k Kernel) build() (*engine, error) {
	var h []*big.Rat
	if k.Filter == Wildcard {
		h = wildcardFunction(k.L, k.K, k.D, k.Lambda)
	} else {
		h = k.Filter.distanceFunction(k.Alphabet.Size(), k.L, k.K, k.D)
	}
	c, _ := parseCentre(k.Center) // Check has parsed it
	e := newEngine("gapped", "a smaller l or d, a k closer to l, or no clip", k.Alphabet, k.L, h, k.Clip, c, k.Count, k.rc)
	return e, e.resemble(k.Subst, k.Beta)
}

// BothStrands returns the kernel that counts both strands, φ(x) + φ(rc(x)), a k-mer and its reverse complement with one
// weight. It is what the wrapper [compose.BothStrands] makes, at less cost, and for centre-weighted k-mers of an even
// number it is LS-GKM's.
func (k Kernel) BothStrands() stringkernel.Kernel {
	k.rc, k.compiled = true, nil
	return k
}

// OneStrand returns the kernel that counts one strand, and whether k counts both.
func (k Kernel) OneStrand() (one stringkernel.Kernel, both bool) {
	both = k.rc
	k.rc, k.compiled = false, nil
	return k, both
}

// SmallestEigenvalue returns the least eigenvalue of the matrix of h over all k-mers, and the greatest. The kernel is
// positive semidefinite if the least is not negative; a corpus sees the more of a negative one the more k-mers it
// holds. Weights of letters are not in it: products of them and a semidefinite h are semidefinite.
func (k Kernel) SmallestEigenvalue() (least, greatest float64) {
	e := k.engine()
	return slices.Min(e.eigen), slices.Max(e.eigen)
}

// Traits says that features, and scores unless counts are seen through a function, are those of k-mers of L letters.
func (k Kernel) Traits() stringkernel.Traits {
	t := traits(k, k.L, k.Count, k.Subst)
	if k.Center != "" {
		t.TrackSelf = nil // a k-mer's weight depends on its place in a window
	}
	if k.L > kmer.MaxK(k.Alphabet) {
		t.KmerLength = 0 // no code holds them
	}
	if len(k.Subst) == 0 {
		t.Eigenvalues = k.SmallestEigenvalue
	}
	return t
}

// Eval returns k(x, y) from the number of pairs of k-mers at each distance: O(|x|·|y|).
func (k Kernel) Eval(x, y []byte) float64 { return k.engine().eval(x, y) }

// SelfEval returns k(x, x), the value of Eval(x, x) but for rounding, in half the time or, of long sequences, in
// O(|x|).
func (k Kernel) SelfEval(x []byte) float64 { return k.engine().selfEval(context.Background(), x) }

// Gram indexes a corpus; see the package comment for time and memory.
func (k Kernel) Gram(ctx context.Context, c *stringkernel.Corpus) (stringkernel.Gram, error) {
	return with(k, func(e *engine) (stringkernel.Gram, error) { return e.gram(ctx, c) })
}

// Merge folds the support vectors into one table of σ^l scores per output, or one per choice of positions where that
// has no room.
func (k Kernel) Merge(
	ctx context.Context, sv *stringkernel.Corpus, c *stringkernel.Coefficients,
) (stringkernel.Scorer, error) {
	return with(k, func(e *engine) (stringkernel.Scorer, error) { return e.merge(ctx, sv, c) })
}

// Arrays returns the coefficients of a scorer by k-mer.
func (k Kernel) Arrays(s stringkernel.Scorer) []stringkernel.Array { return arraysOf(s) }

// Restore rebuilds a scorer from its arrays.
func (k Kernel) Restore(arrays []stringkernel.Array) (stringkernel.Scorer, error) {
	return with(k, func(e *engine) (stringkernel.Scorer, error) { return e.restore(arrays) })
}

// Space returns the table of all k-mers where there is room for it, else nil.
func (k Kernel) Space() compose.Space { return k.engine().space() }

// Enumerator lists gapped k-mers, which filter=gapped counts, of all numbers of mismatches, raw counts and without
// weights by place or letter; nil for other parameters.
func (k Kernel) Enumerator() stringkernel.Enumerator {
	if k.Filter != Plain || k.D != k.L-k.K || !k.Count.Linear() || k.Center != "" || len(k.Subst) > 0 {
		return nil
	}
	return enumerator(k)
}

// enumerator is a kernel that counts gapped k-mers.
type enumerator Kernel

// gap stands for a letter that does not count in the name of a gapped k-mer.
const gap = '.'

// EachFeature lists the gapped k-mers of x with their counts, in alphabetical order; of both strands one and its
// reverse complement under the lesser name. O(C(l, k)·|x|), times the logarithm of their number.
func (k enumerator) EachFeature(x []byte, visit func(name string, value float64)) {
	counts := map[string]int{}
	k.count(counts, x)
	if k.rc {
		k.count(counts, k.Alphabet.ReverseComplementTo(nil, x))
	}
	for _, name := range slices.Sorted(maps.Keys(counts)) {
		value := float64(counts[name])
		if k.rc {
			switch other := k.opposite(name); {
			case other < name:
				continue
			case other > name:
				value *= math.Sqrt2 // for both
			}
		}
		visit(name, value)
	}
}

// count adds the gapped k-mers of x.
func (k enumerator) count(counts map[string]int, x []byte) {
	codes := k.Alphabet.Codes()
	letters := kmer.Letters(codes)
	word := make([]byte, k.L)
	run := 0
	for end, b := range x {
		if run++; codes[b] == stringkernel.Outside {
			run = 0
		}
		if run < k.L {
			continue
		}
		eachChoice(k.L, k.K, func(choice uint64) {
			for i := range word {
				if word[i] = gap; choice>>i&1 != 0 {
					word[i] = letters[codes[x[end+1-k.L+i]]]
				}
			}
			counts[string(word)]++
		})
	}
}

// opposite returns the reverse complement of a gapped k-mer, gaps staying gaps.
func (k enumerator) opposite(name string) string {
	pairs := k.Alphabet.ReverseComplementTo(nil, []byte(name))
	for i := range name {
		if name[len(name)-1-i] == gap {
			pairs[i] = gap
		}
	}
	return string(pairs)
}
