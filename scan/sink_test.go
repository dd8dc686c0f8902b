package scan

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"github.com/seqsvm/seqsvm/internal/must"
	"github.com/seqsvm/seqsvm/seqio/genome"
)

// list is a sink that keeps everything.
type list struct {
	regions []Region
	ended   int
}

func (l *list) Add(r Region) error { l.regions = append(l.regions, r); return nil }
func (l *list) End() error         { l.ended++; return nil }

// drawRegions draws hits in order, of equal lengths, with many equal scores.
func drawRegions(t *rapid.T) []Region {
	var hits []Region
	window := rapid.IntRange(1, 8).Draw(t, "window")
	for index := range rapid.IntRange(1, 3).Draw(t, "records") {
		for start := range rapid.IntRange(0, 40).Draw(t, "length") {
			for _, strand := range []genome.Strand{genome.Plus, genome.Minus} {
				if rapid.IntRange(0, 3).Draw(t, "hit") == 0 {
					hits = append(hits, Region{"r", index, start, start + window,
						float64(rapid.IntRange(0, 6).Draw(t, "score")), strand})
				}
			}
		}
	}
	return hits
}

// through passes hits through a sink that ends in l.
func through(t *rapid.T, hits []Region, sink Sink, l *list) []Region {
	for _, h := range hits {
		must.Succeed(t, sink.Add(h))
	}
	must.Succeed(t, sink.End())
	if l.ended != 1 {
		t.Fatalf("End was called %d times", l.ended)
	}
	if !slices.IsSortedFunc(l.regions, inOrder) {
		t.Fatalf("not in order: %v", l.regions)
	}
	return l.regions
}

// TestSuppressor compares with the definition: take the best that is left, drop what is near it, again and again.
func TestSuppressor(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		hits, distance := drawRegions(t),
			rapid.OneOf(rapid.IntRange(1, 10), rapid.Just(math.MaxInt)).Draw(t, "distance")
		joint := rapid.Bool().Draw(t, "joint")
		var want []Region
		for left := slices.Clone(hits); len(left) > 0; {
			best := slices.MinFunc(left, better)
			want = append(want, best)
			left = slices.DeleteFunc(left, func(h Region) bool {
				d := h.Start - best.Start
				return h.Index == best.Index && (joint || h.Strand == best.Strand) && -distance < d && d < distance
			})
		}
		slices.SortFunc(want, inOrder)
		for _, least := range []int{0, 1, 2, 7} { // regions before they are settled
			l := new(list)
			sink := &Suppressor{Distance: distance, Joint: joint, Next: l, least: least}
			if got := through(t, hits, sink, l); !slices.Equal(got, want) {
				t.Fatalf("distance %d, joint %t, settled from %d\nof   %v\ngot  %v\nwant %v", distance, joint, least,
					hits, got, want)
			}
		}
	})
}

// TestTop compares with sorting, and checks that hits below the threshold that it raises make no difference, with
// suppression before it neither.
func TestTop(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		hits, n, distance := drawRegions(t), rapid.IntRange(1, 12).Draw(t, "n"),
			rapid.IntRange(1, 5).Draw(t, "distance")
		want := slices.Clone(hits)
		slices.SortFunc(want, better)
		want = want[:min(n, len(want))]
		slices.SortFunc(want, inOrder)
		l := new(list)
		if got := through(t, hits, &Top{N: n, Next: l}, l); !slices.Equal(got, want) {
			t.Fatalf("top %d\nof   %v\ngot  %v\nwant %v", n, hits, got, want)
		}
		all, some, least := new(list), new(list), NewThreshold(0)
		through(t, hits, &Suppressor{Distance: distance, Next: &Top{N: n, Next: all}}, all)
		top := &Suppressor{Distance: distance, Next: &Top{N: n, Next: some, Least: least}, least: 3}
		for _, h := range hits {
			if h.Score >= least.Value() {
				must.Succeed(t, top.Add(h))
			}
		}
		if err := top.End(); err != nil || !slices.Equal(some.regions, all.regions) {
			t.Fatalf("with a threshold %v, without %v (%v)", some.regions, all.regions, err)
		}
	})
}

// TestMerger compares with joining one strand after the other, all in memory.
func TestMerger(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		hits := drawRegions(t)
		var want []Region
		for _, strand := range []genome.Strand{genome.Plus, genome.Minus} {
			for _, h := range hits {
				if h.Strand != strand {
					continue
				}
				if n := len(want) - 1; n >= 0 && want[n].Strand == strand && want[n].Index == h.Index &&
					h.Start <= want[n].End {
					want[n].End, want[n].Score = max(want[n].End, h.End), max(want[n].Score, h.Score)
					continue
				}
				want = append(want, h)
			}
		}
		slices.SortFunc(want, inOrder)
		l := new(list)
		if got := through(t, hits, &Merger{Next: l}, l); !slices.Equal(got, want) {
			t.Fatalf("of   %v\ngot  %v\nwant %v", hits, got, want)
		}
	})
}

// TestSuppressorMemory: of a record where every window is a hit few are in memory at a time, whether scores are random,
// fall, or are all the same as in a run of N.
func TestSuppressorMemory(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 1))
	for name, score := range map[string]func(start int) float64{
		"random": func(int) float64 { return r.Float64() },
		"equal":  func(int) float64 { return -1 },
		"fall":   func(start int) float64 { return -float64(start) },
		"saw":    func(start int) float64 { return float64(start % 1000) },
	} {
		l := new(list)
		s := &Suppressor{Distance: 100, Next: l}
		most, hits := 0, 100_000
		for n := range hits {
			start := n / 2
			if err := s.Add(Region{Start: start, End: start + 100, Score: score(start),
				Strand: genome.Strand("+-"[n%2])}); err != nil {
				t.Fatal(err)
			}
			most = max(most, len(s.open))
		}
		if most > 2*settleFrom || len(l.regions) < hits/200 {
			t.Errorf("%s: %d regions in memory, %d kept", name, most, len(l.regions))
		}
	}
}
