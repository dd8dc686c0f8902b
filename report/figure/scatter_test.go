package figure_test

import (
	"fmt"
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/seqsvm/seqsvm/report/figure"
)

// randomScatter draws points of some classes.
func randomScatter(n, classes int) figure.Scatter {
	rng := rand.New(rand.NewPCG(1, 2))
	s := figure.Scatter{XName: "pc1 (40.0 %)", YName: "pc2 (10.0 %)"}
	for i := range n {
		s.X, s.Y = append(s.X, rng.NormFloat64()), append(s.Y, rng.NormFloat64())
		if classes > 0 {
			s.Labels = append(s.Labels, fmt.Sprintf("class %02d <&>", i%classes))
		}
	}
	return s
}

// TestScatter: the axes and every class that has room are named, and every point is drawn.
func TestScatter(t *testing.T) {
	const entries = 26
	for _, classes := range []int{0, 1, 2, 8, 26, 100} {
		s := randomScatter(200, classes)
		list := elements(t, written(t, "svg", figure.Light, s))
		want := []string{s.XName, s.YName}
		for c := range min(classes, entries) {
			want = append(want, fmt.Sprintf("class %02d <&>", c))
		}
		if classes > entries {
			want = append(want, fmt.Sprintf("… %d more", classes-entries))
		}
		for _, name := range want {
			if !strings.Contains(texts(list), name) {
				t.Errorf("%d classes: no %q in the picture", classes, name)
			}
		}
		drawn := 0
		for _, e := range list {
			if e.name == "circle" || e.name == "polygon" || e.name == "path" || e.name == "polyline" {
				drawn++
			}
		}
		if drawn < 200 {
			t.Errorf("%d classes: %d shapes for 200 points", classes, drawn)
		}
	}
}

// TestScatterOfNothing: no points, one point, points that are not numbers.
func TestScatterOfNothing(t *testing.T) {
	for _, x := range [][]float64{nil, {1}, {math.NaN(), math.Inf(1), 2}} {
		written(t, "png", figure.Light, figure.Scatter{X: x, Y: x})
	}
}
