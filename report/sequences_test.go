package report

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/seqsvm/seqsvm/internal/must"
	"github.com/seqsvm/seqsvm/report/figure"
	"github.com/seqsvm/seqsvm/scan"
	"github.com/seqsvm/seqsvm/stringkernel"
	"github.com/seqsvm/seqsvm/wdk/poim"
)

// The bins of a record are powers of two of positions, as few as fit, each with the greatest score of its windows,
// whatever the order of the windows.
func TestScanTracks(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	for _, count := range []int{1, mostMarks, mostMarks + 1, 2000} {
		var windows []scan.Region
		last := 0
		for range count {
			start := random.IntN(10_000)
			last = max(last, start)
			windows = append(windows, scan.Region{Record: "chr", Start: start, End: start + 7, Score: random.NormFloat64()})
		}
		step := 1
		for last/step >= mostBins {
			step *= 2
		}
		s := new(ScanTracks)
		for _, w := range windows {
			s.Add(w)
		}
		p := s.Figure().(figure.Grid).Panels[0].(figure.Profile)
		if p.Step != step {
			t.Fatalf("bins of %d positions, want %d", p.Step, step)
		}
		for bin, got := range p.Values {
			want := math.Inf(-1)
			for _, w := range windows {
				if w.Start/step == bin {
					want = max(want, w.Score)
				}
			}
			if got != want && !(math.IsNaN(got) && math.IsInf(want, -1)) {
				t.Errorf("bin %d of %d: %v, want %v", bin, step, got, want)
			}
		}
		if marked := len(p.Spans); marked != count && count <= mostMarks || marked != 0 && count > mostMarks {
			t.Errorf("%d marks of %d windows", marked, count)
		}
	}
}

// Records for which there is no room are counted once each.
func TestScanTracksLeft(t *testing.T) {
	s := new(ScanTracks)
	for i := range mostTracks + 3 {
		for range 2 {
			s.Add(scan.Region{Record: fmt.Sprint(i), End: 1})
		}
	}
	if s.Left() != 3 || len(s.Figure().(figure.Grid).Panels) != mostTracks {
		t.Errorf("%d records without room", s.Left())
	}
}

// A score that is the weight of one k-mer at one place: the picture has its greatest importance there.
func TestImportance(t *testing.T) {
	word := poim.Weight{Position: 11, Word: []byte{2, 3, 0, 0, 2}, Value: 3} // GTAAG
	q := must.Get(poim.Compute(t.Context(), slices.Values([]poim.Weight{word}),
		poim.Options{Alphabet: stringkernel.DNA, Window: 30, Length: 5}))(t)
	panels := Importance(q).(figure.Grid).Panels
	curve, lengths, words := panels[0].(figure.Profile), panels[1].(figure.Heat), panels[2].(figure.Heat)
	want := 3 - 3*math.Pow(0.25, 5)
	if got := curve.Values[11]; math.Abs(got-want) > 1e-12 || !math.IsNaN(curve.Values[26]) {
		t.Errorf("importance %v at the place, want %v", got, want)
	}
	for p, v := range curve.Values {
		if v > curve.Values[11] {
			t.Errorf("importance %v at %d", v, p)
		}
	}
	if len(lengths.Names) != 5 || math.Abs(lengths.Values[0][11]-3*(math.Pow(0.25, 4)-math.Pow(0.25, 5))) > 1e-12 {
		t.Errorf("G at its place has the importance %v", lengths.Values[0][11])
	}
	if words.Names[0] != "GTAAG" || math.Abs(words.Values[0][11]-want) > 1e-12 || len(words.Names) != mostOligomers {
		t.Errorf("rows %s, the first with %v", strings.Join(words.Names, " "), words.Values[0][11])
	}
}
