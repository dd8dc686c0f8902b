package scan

import (
	"cmp"
	"math"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"github.com/seqsvm/seqsvm/seqio/genome"
)

// TestFDR compares with the definition, evaluated at every score that occurs and just beside it.
func TestFDR(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		score := rapid.Map(rapid.IntRange(-8, 8), func(n int) float64 { return float64(n) / 4 })
		decoys := rapid.SliceOfN(score, 0, 30).Draw(t, "decoys")
		peaks := rapid.SliceOfN(score, 1, 60).Draw(t, "peaks")
		windows, nullWindows := rapid.Int64Range(60, 500).Draw(t, "windows"), rapid.Int64Range(30, 500).Draw(t, "null")
		f := &FDR{peaks: slices.SortedFunc(slices.Values(peaks), func(a, b float64) int { return cmp.Compare(b, a) })}
		counts := make([]int64, len(peaks)+1)
		for _, s := range decoys {
			counts[f.from(s)]++
		}
		f.estimate(windows, counts, nullWindows)
		atLeast := func(v []float64, t float64) (n int) {
			for _, s := range v {
				if s >= t {
					n++
				}
			}
			return n
		}
		var thresholds []float64
		for _, s := range append(append([]float64{}, peaks...), decoys...) {
			thresholds = append(thresholds, s, math.Nextafter(s, 9), math.Nextafter(s, -9))
		}
		q := func(s float64) float64 {
			least := 1.0
			for _, t := range thresholds {
				if h := atLeast(peaks, t); t <= s && h > 0 {
					chance := float64(1+atLeast(decoys, t)) / float64(nullWindows+1)
					least = min(least, float64(windows)*chance/float64(h))
				}
			}
			return least
		}
		rate := rapid.Float64Range(0.01, 0.99).Draw(t, "rate")
		threshold, lowest := f.Threshold(rate), 1.0
		for _, s := range peaks {
			want := q(s)
			lowest = min(lowest, want)
			if got := f.Q(s); math.Abs(got-want) > 1e-12 {
				t.Fatalf("q(%v) = %v, want %v", s, got, want)
			}
			if math.Abs(want-rate) > 1e-9 && (s >= threshold) != (want <= rate) {
				t.Fatalf("score %v with q %v, rate %v, threshold %v", s, want, rate, threshold)
			}
		}
		if got := f.Least(); math.Abs(got-lowest) > 1e-12 {
			t.Fatalf("least q-value %v, want %v", got, lowest)
		}
	})
}

// TestThin: a thinner changes nothing for the Suppressor after it, whatever is outside its span, and leaves few.
func TestThin(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		before, after := drawHits(t, "before", 0), drawHits(t, "after", 60)
		hits := drawHits(t, "hits", 30)
		distance := rapid.OneOf(rapid.IntRange(1, 10), rapid.Just(math.MaxInt)).Draw(t, "distance")
		all := slices.Concat(before, hits, after)
		known := span{30, 59}
		if rapid.Bool().Draw(t, "alone") {
			all, known = slices.Clone(hits), everywhere
		}
		want := suppressed(t, all, distance)
		left := new(thinner).thin(slices.Clone(hits), distance, known)
		thinned := slices.DeleteFunc(all, func(h Hit) bool {
			return h.Start >= 30 && h.Start < 60 && !slices.Contains(left, h)
		})
		if got := suppressed(t, thinned, distance); !slices.Equal(got, want) {
			t.Fatalf("distance %d\nleft %v\ngot  %v\nwant %v", distance, left, got, want)
		}
	})
}

// drawHits draws hits of thirty places, with many equal scores, at most one per place.
func drawHits(t *rapid.T, name string, from int) (hits []Hit) {
	scores := rapid.SliceOfN(rapid.IntRange(-2, 6), 30, 30).Draw(t, name)
	for p, score := range scores {
		if score >= 0 {
			hits = append(hits, Hit{from + p, float64(score), genome.Strand("+-"[p%2])})
		}
	}
	return hits
}

// suppressed takes the best hit that is left and drops what is near it, again and again.
func suppressed(t *rapid.T, hits []Hit, distance int) []Hit {
	var regions []Region
	for _, h := range hits {
		regions = append(regions, Region{Start: h.Start, Score: h.Score, Strand: h.Strand})
	}
	l := new(list)
	var kept []Hit
	for _, r := range through(t, regions, &Suppressor{Distance: distance, Joint: true, Next: l}, l) {
		kept = append(kept, Hit{r.Start, r.Score, r.Strand})
	}
	return kept
}
