package spectrum

import (
	"context"
	"fmt"
	"slices"

	"github.com/seqsvm/seqsvm/internal/countof"
	"github.com/seqsvm/seqsvm/internal/strands"
	"github.com/seqsvm/seqsvm/stringkernel"
	"github.com/seqsvm/seqsvm/stringkernel/compose"
)

// throughCount is the kernel whose counts are seen through a function: every method of Kernel for one that is not
// linear in counts. Of both strands, x and its reverse complement are one record with a break between.
type throughCount Kernel

// mostCounted is the longest k-mers of a bounded kernel by counts through a function: a position has a feature of each
// length, where raw counts have one for all.
const mostCounted = 12

func (k throughCount) check() error {
	if k.Bounded && k.K > mostCounted {
		return fmt.Errorf("spectrum: k = %d with bounded and %s, want 1…%d", k.K, k.weighting(), mostCounted)
	}
	return nil
}

// weighting names what k-mers have in place of counts.
func (k throughCount) weighting() string {
	if k.Count.Linear() {
		return "tfidf"
	}
	return "count=" + string(k.Count)
}

// record returns what k-mers of x are counted in.
func (k throughCount) record(x []byte) []byte {
	if !k.rc {
		return x
	}
	return strands.Record(k.Alphabet, x)
}

// records returns a corpus of the records.
func (k throughCount) records(c *stringkernel.Corpus) *stringkernel.Corpus {
	if !k.rc {
		return c
	}
	return strands.Records(k.Alphabet, c)
}

// eval adds up pairs of counts of common k-mers, by length and in order of their codes.
func (k throughCount) eval(x, y []byte) float64 {
	x, y = k.record(x), k.record(y)
	values, sum := countof.New(k.Count), 0.0
	for length := Kernel(k).shortest(); length <= k.K; length++ {
		c := newCoder(k.Alphabet, length)
		a, b := c.Append(nil, x), c.Append(nil, y)
		slices.Sort(a)
		slices.Sort(b)
		common := false
		for len(a) > 0 && len(b) > 0 {
			code := min(a[0], b[0])
			n, m := equalTo(a, code), equalTo(b, code)
			if n > 0 && m > 0 {
				sum += float64(values.At(uint32(n)) * values.At(uint32(m)))
				common = true
			}
			a, b = a[n:], b[m:]
		}
		if !common {
			break // a longer common k-mer would have a common prefix
		}
	}
	return sum
}

// equalTo returns how many codes at the beginning are the given one.
func equalTo(codes []uint64, code uint64) (n int) {
	for n < len(codes) && codes[n] == code {
		n++
	}
	return n
}

// self returns k(x, x).
func (k throughCount) self(ctx context.Context, x []byte) float64 {
	x = k.record(x)
	c := counters.Get().(*counter)
	coder, values := newCoder(k.Alphabet, k.K), countof.New(k.Count)
	c.findRepeats(ctx, &coder, Kernel(k).shortest(), x)
	sum := c.selfRepeats(&values)
	counters.Put(c)
	return sum
}

// trackSelf writes k(w, w) of all windows.
func (k throughCount) trackSelf(dst []float64, x []byte, window int) {
	values := countof.New(k.Count)
	k.track(dst, x, window, values.Square, func(uint64, int) float64 { return 1 })
}

// track writes a sum over the k-mers of each window: the value of the count times the weight of the k-mer, given by its
// code and length. A k-mer that enters or leaves a window changes its count: O(1) per window for each length.
func (k throughCount) track(
	dst []float64, x []byte, window int, value func(n uint32) float64, weight func(code uint64, length int) float64,
) {
	dst = dst[:len(x)-window+1]
	clear(dst)
	seqs := [][]byte{x}
	if k.rc {
		seqs = append(seqs, k.Alphabet.ReverseComplementTo(nil, x))
	}
	c := counters.Get().(*counter)
	defer counters.Put(c)
	sums, raises := make([]float64, len(dst)), []float64(nil)
	for length := Kernel(k).shortest(); length <= min(k.K, window); length++ {
		coder, places := newCoder(k.Alphabet, length), len(x)-length+1
		counts := c.identify(&coder, coder.Bits*uint(length), places, seqs)
		weights := make([]float64, len(counts))
		for s, y := range seqs {
			for at, code := range coder.All(y) {
				if s > 0 {
					at = 2*places - 1 - at
				}
				weights[c.ids[at]] = weight(code, length)
			}
		}
		slideTo(sums, window-length+1, places, c.ids, counts, func(id int32, n uint32) float64 {
			for len(raises) <= int(n) {
				m := uint32(len(raises))
				raises = append(raises, value(m+1)-value(m))
			}
			return float64(raises[n] * weights[id])
		})
		for i, sum := range sums {
			dst[i] += sum
		}
	}
}

// slideTo writes a sum over the features in each window of n places. ids are those of the features at each place of one
// sequence after another, −1 where there is none; counts, by id, are zero before and after; raise returns what an
// occurrence of a feature adds where n are there. What comes and goes is added to twice the digits, so that no window
// sees the rounding of those before.
func slideTo(dst []float64, n, places int, ids []int32, counts []uint32, raise func(id int32, n uint32) float64) {
	sum, rest := 0.0, 0.0
	add := func(value float64) {
		s := sum + value
		part := s - sum
		rest += (sum - (s - part)) + (value - part)
		sum = s
	}
	for p := range places {
		for at := p; at < len(ids); at += places {
			if id := ids[at]; id >= 0 {
				add(raise(id, counts[id]))
				counts[id]++
			}
		}
		first := p - n + 1
		if first < 0 {
			continue
		}
		dst[first] = sum + rest
		for at := first; at < len(ids); at += places {
			if id := ids[at]; id >= 0 {
				counts[id]--
				add(-raise(id, counts[id]))
			}
		}
	}
	for _, id := range ids { // of the last window
		if id >= 0 {
			counts[id] = 0
		}
	}
}

// eachFeature lists the k-mers of x with what the function makes of their counts.
func (k throughCount) eachFeature(x []byte, visit func(name string, value float64)) {
	x = k.record(x)
	for length := Kernel(k).shortest(); length <= k.K; length++ {
		c := newCoder(k.Alphabet, length)
		c.eachCount(x, func(code uint64, count int) { visit(c.String(code), k.Count.Of(count)) })
	}
}

// Stranded has counts of both strands added before a function sees them; nil where counts are raw, which the wrapper
// adds.
func (k Kernel) Stranded() compose.Stranded {
	if !k.weighs() {
		return nil
	}
	return strandedCounts(k)
}

type strandedCounts Kernel

func (k strandedCounts) BothStrands() stringkernel.Kernel {
	k.rc, k.fitted = true, nil
	return Kernel(k)
}

func (k strandedCounts) OneStrand() (one stringkernel.Kernel, both bool) {
	both = k.rc
	k.rc, k.fitted = false, nil
	return Kernel(k), both
}

// Comparer lists sequences by k-mer; nil unless counts are raw, or document frequencies known.
func (k Kernel) Comparer() compose.Comparer {
	if k.TFIDF && k.fitted == nil || !k.TFIDF && !k.Count.Linear() {
		return nil
	}
	return compared(k)
}

type compared Kernel

func (k compared) Compare(ctx context.Context, c *stringkernel.Corpus) (stringkernel.Comparison, error) {
	if k.TFIDF {
		return byFrequency(k).compare(ctx, c)
	}
	return Kernel(k).Compare(ctx, c)
}
