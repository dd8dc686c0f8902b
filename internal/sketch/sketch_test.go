package sketch_test

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"github.com/seqsvm/seqsvm/internal/sketch"
)

// A sketch holds the least hashes of the distinct codes, whatever their order and number, and the parts they came in.
func TestSketchIsTheLeastHashes(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		size := rapid.IntRange(1, 20).Draw(t, "size")
		code := rapid.Uint64Range(0, rapid.SampledFrom([]uint64{5, 50, math.MaxUint64}).Draw(t, "greatest"))
		codes := rapid.SliceOfN(code, 0, 100).Draw(t, "codes")
		b := sketch.NewBuilder(size)
		parts := []*sketch.Builder{b}
		for range rapid.IntRange(0, 3).Draw(t, "more parts") {
			parts = append(parts, b.Apart())
		}
		var want []uint64
		for _, c := range codes {
			parts[rapid.IntRange(0, len(parts)-1).Draw(t, "part")].Add(c)
			want = append(want, sketch.Hash(c))
		}
		for _, part := range parts[1:] {
			b.Join(part)
		}
		slices.Sort(want)
		all := slices.Compact(want)
		want = all[:min(size, len(all))]
		got := b.Sketch()
		if !slices.Equal(got.Least, want) || got.Complete() != (len(all) < size) {
			t.Fatalf("%x, want %x", got.Least, want)
		}
		for _, h := range all {
			if in, known := got.Find(h); in != slices.Contains(want, h) || known != in {
				t.Fatalf("Find(%x) = %t, %t", h, in, known)
			}
		}
	})
}

// The estimates of a share have the mean and the standard deviation that they say they have.
func TestShareIsEstimated(t *testing.T) {
	const size, n, shared, runs = 500, 6000, 1500, 40
	var shares []float64
	said := 0.0
	for seed := range uint64(runs) {
		r := rand.New(rand.NewPCG(seed, 1))
		set, other := sketch.NewBuilder(size), sketch.NewBuilder(size)
		for i := range n {
			code := r.Uint64()
			set.Add(code)
			if i < shared {
				other.Add(code)
				other.Add(r.Uint64())
			}
		}
		share, deviation := other.Sketch().ContainedIn(set.Sketch()).Estimate()
		shares, said = append(shares, share), said+deviation/runs
	}
	mean, variance := 0.0, 0.0
	for _, x := range shares {
		mean += x / runs
	}
	for _, x := range shares {
		variance += (x - mean) * (x - mean) / (runs - 1)
	}
	deviation := math.Sqrt(variance)
	if math.Abs(mean-0.5) > 3*said/math.Sqrt(runs) {
		t.Errorf("mean %v, want 0.5", mean)
	}
	if ratio := deviation / said; ratio < 0.7 || ratio > 1.3 { // the ratio of 40 runs varies by 11 %
		t.Errorf("standard deviation %v, the estimates say %v", deviation, said)
	}
}

func TestWholeSetsAreExact(t *testing.T) {
	set, other := sketch.NewBuilder(10), sketch.NewBuilder(10)
	for code := range uint64(9) {
		set.Add(code)
		other.Add(code + 6)
	}
	share, deviation := other.Sketch().ContainedIn(set.Sketch()).Estimate()
	if share != 3./9 || deviation != 0 {
		t.Errorf("%v ± %v, want 1/3", share, deviation)
	}
	if share, deviation = (sketch.Share{}).Estimate(); share != 0 || deviation != 0 {
		t.Errorf("nothing seen: %v ± %v", share, deviation)
	}
}
