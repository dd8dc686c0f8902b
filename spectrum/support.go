package spectrum

import (
	"context"
	"encoding/binary"
	"fmt"
	"math"
	"strconv"
	"sync"

	"github.com/seqsvm/seqsvm/internal/ends"
	"github.com/seqsvm/seqsvm/internal/scratch"
	"github.com/seqsvm/seqsvm/internal/stored"
	"github.com/seqsvm/seqsvm/stringkernel"
	"github.com/seqsvm/seqsvm/stringkernel/compose"
)

// supportScorer has the support vectors of each k-mer and the coefficients of each support vector, in place of a weight
// of each k-mer for each output. A score takes a step for each k-mer that x has in common with a support vector, then
// one for each coefficient. It is safe for concurrent use.
type supportScorer struct {
	kernel Kernel // not Bounded
	lists  holders
	coef   *stringkernel.Coefficients
	rows   sync.Pool // *[]float64, a value for each support vector
}

// bySupport reports whether a scorer should keep support vectors apart: where weights for all outputs leave the caches,
// and the coefficients are so few that a score takes little longer than by those. That is so of one-vs-one with many
// classes: of 50, a table of 4⁸ k-mers takes 643 MB, and lists of 10,000 records of 300 letters, with 49 coefficients
// each, 30.
func (k Kernel) bySupport(sv *stringkernel.Corpus, c *stringkernel.Coefficients) bool {
	return k.fewCoefficients(sv.Len(), sv.Letters(), c.Outputs, len(c.Values))
}

// fewCoefficients is bySupport for a number of coefficients of support vectors.
func (k Kernel) fewCoefficients(sequences, letters, outputs, coefficients int) bool {
	const (
		leastTable = 1 << 21 // weights
		slower     = 4       // a step reaches the memory less often than a weight does
	)
	n := float64(letters)
	features := min(n, k.kmers(k.K))
	if k.Bounded || features*float64(outputs) < leastTable {
		return false
	}
	perRecord := n / float64(max(1, sequences))
	steps := perRecord*n/features + float64(coefficients+sequences)
	return steps <= slower*perRecord*float64(outputs)
}

// newSupportScorer lists the support vectors by k-mer.
func newSupportScorer(
	ctx context.Context, k Kernel, sv *stringkernel.Corpus, c *stringkernel.Coefficients,
) (*supportScorer, error) {
	lists, err := k.compare(ctx, sv)
	if err != nil {
		return nil, err
	}
	return &supportScorer{kernel: k, lists: lists[0], coef: c}, nil
}

// Outputs returns the number of scores per sequence.
func (s *supportScorer) Outputs() int { return s.coef.Outputs }

// ScoreTo adds up coefficients times kernel values, support vectors in order.
func (s *supportScorer) ScoreTo(dst []float64, x []byte) {
	row := scratch.Borrow(&s.rows, s.coef.Len())
	defer s.rows.Put(row)
	clear(*row)
	s.lists.addTo(*row, x)
	clear(dst[:s.coef.Outputs])
	for i, value := range *row {
		if value != 0 {
			s.coef.AddTo(dst, i, value)
		}
	}
}

// weight returns that of a k-mer, given the coefficients of one output.
func (h *holders) weight(code uint64, coef []float64) (sum float64) {
	for _, posting := range h.of(code) {
		sum += float64(coef[posting>>h.countBits] * float64(posting&mostCount(h.countBits)))
	}
	return sum
}

// ExplainTo writes the contribution of every position of x to score m, as that of a scorer with weights does.
func (s *supportScorer) ExplainTo(dst []float64, m int, x []byte) {
	dst = dst[:len(x)]
	clear(dst)
	if !s.known(x) {
		return
	}
	coef := s.coef.Mix(unitOf(m, s.coef.Outputs))
	for at, code := range s.lists.coder.All(x) {
		share := s.lists.weight(code, coef) / float64(s.kernel.K)
		for p := range dst[at : at+s.kernel.K] {
			dst[at+p] += share
		}
	}
}

// SubstituteTo scores the 2K − 1 letters around each position.
func (s *supportScorer) SubstituteTo(scores, contributions []float64, m int, x, letters []byte) {
	compose.SubstituteWithin(scores, contributions, s, m, x, letters, s.kernel.K)
}

// known reports whether x has a k-mer of a support vector.
func (s *supportScorer) known(x []byte) bool {
	for _, code := range s.lists.coder.All(x) {
		if len(s.lists.of(code)) > 0 {
			return true
		}
	}
	return false
}

// unitOf returns the mixture of n outputs that is output m.
func unitOf(m, n int) []float64 {
	mix := make([]float64, n)
	mix[m] = 1
	return mix
}

// FeaturesOf lists the k-mers of x with their weights: see stringkernel.FeatureLister.
func (s *supportScorer) FeaturesOf(mix []float64, x []byte, n int) []stringkernel.Feature {
	coef, h := s.coef.Mix(mix), &s.lists
	var list []stringkernel.Feature
	h.coder.eachCount(x, func(code uint64, count int) {
		if weight := h.weight(code, coef); weight != 0 {
			list = append(list, stringkernel.Feature{
				Text: h.coder.String(code), Weight: weight, Count: count, Contribution: float64(weight * float64(count)),
			})
		}
	})
	return stringkernel.StrongestContributions(list, n)
}

// TopFeatures lists k-mers with their weights: see stringkernel.FeatureLister. O(postings).
func (s *supportScorer) TopFeatures(mix []float64, n int) []stringkernel.Feature {
	return s.mixed(mix).TopFeatures([]float64{1}, n)
}

// TrackTo writes score m of all windows of x by a scorer of that output alone. O(postings + |x|).
func (s *supportScorer) TrackTo(dst []float64, m int, x []byte, window int) {
	s.mixed(unitOf(m, s.coef.Outputs)).TrackTo(dst, 0, x, window)
}

// mixed returns the scorer of a linear combination of outputs.
func (s *supportScorer) mixed(mix []float64) *scorer {
	coef, h := s.coef.Mix(mix), &s.lists
	weights := newLevel(s.kernel.K, len(h.codes), 1)
	for _, code := range h.codes {
		if weight := h.weight(code, coef); weight != 0 {
			weights.codes, weights.values = append(weights.codes, code), append(weights.values, weight)
		}
	}
	levels := []level{weights}
	mixed, _ := newScorer(s.kernel, 1, levels, scorerDepth(s.kernel, 1, levels)) // only a bounded kernel has an error
	return mixed
}

// listsName, and the length, is the array of the support vectors of each k-mer.
const listsName = "lists."

// arrays returns the scorer as flat arrays: those of its coefficients, "codes.K" ([]uint64: the k-mers, packed,
// ascending) and "lists.K" ([]uint8: for each k-mer the number of its postings, then for each the difference to the
// support vector of the one before, the first to 0, and the count, as unsigned varints).
func (s *supportScorer) arrays() []stringkernel.Array {
	h, length := &s.lists, strconv.Itoa(s.kernel.K)
	lists := make([]uint8, 0, 2*(len(h.codes)+len(h.postings)))
	for i := range h.codes {
		lo, hi := ends.Bounds(h.ends, i)
		lists = binary.AppendUvarint(lists, uint64(hi-lo))
		before := uint32(0)
		for _, posting := range h.postings[lo:hi] {
			doc := posting >> h.countBits
			lists = binary.AppendUvarint(lists, uint64(doc-before))
			lists = binary.AppendUvarint(lists, uint64(posting&mostCount(h.countBits)))
			before = doc
		}
	}
	return append(stored.Sparse(s.coef),
		stringkernel.Array{Name: codesName + length, Data: h.codes},
		stringkernel.Array{Name: listsName + length, Data: lists})
}

// restoreSupport rebuilds a scorer from its arrays.
func (k Kernel) restoreSupport(a *stored.Arrays) (*supportScorer, error) {
	length := strconv.Itoa(k.K)
	s := &supportScorer{kernel: k, coef: a.Sparse()}
	s.lists = holders{coder: newCoder(k.Alphabet, k.K), countBits: countBitsOf(s.coef.Len())}
	if s.coef.Len() >= mostDocuments {
		return nil, fmt.Errorf("spectrum: %d support vectors, want fewer than 2³⁰", s.coef.Len())
	}
	s.lists.codes = stored.Get[uint64](a, codesName+length, 1<<32-1)
	lists := stored.Get[uint8](a, listsName+length, math.MaxInt)
	if err := a.Close(); err != nil {
		return nil, fmt.Errorf("spectrum: %w", err)
	}
	if err := s.lists.coder.checkCodes(s.lists.codes); err != nil {
		return nil, fmt.Errorf("spectrum: %w", err)
	}
	if err := s.lists.restore(lists, s.coef.Len()); err != nil {
		return nil, fmt.Errorf("spectrum: array %q: %w", listsName+length, err)
	}
	return s, nil
}

// restore reads the postings of n documents.
func (h *holders) restore(lists stored.Varints, n int) error {
	h.postings = make([]uint32, 0, len(lists)/2) // a posting takes 2 bytes or more
	h.ends = make([]int, len(h.codes))
	for i := range h.codes {
		doc := uint64(0)
		for left := lists.Next(); left > 0; left-- {
			doc += min(lists.Next(), 1<<32)
			count := lists.Next()
			if doc >= uint64(n) || count < 1 || count > uint64(mostCount(h.countBits)) {
				return fmt.Errorf("k-mer %d occurs %d times in support vector %d of %d", i, count, doc, n)
			}
			h.postings = append(h.postings, uint32(doc)<<h.countBits|uint32(count))
		}
		h.ends[i] = len(h.postings)
	}
	if len(lists) > 0 {
		return fmt.Errorf("%d bytes after the last k-mer", len(lists))
	}
	h.place()
	return nil
}
