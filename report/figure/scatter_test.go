package figure_test

import (
	"fmt"
	"math"
	"math/rand/v2"
	"strconv"
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

// axisEnds are the ends of the longest lines in the colour of axes: left, right, upper and lower.
func axisEnds(list []element) (left, right, top, bottom float64) {
	for _, e := range list {
		var x1, y1, x2, y2 float64
		n, _ := fmt.Sscanf(e.attributes["points"], "%g,%g %g,%g", &x1, &y1, &x2, &y2)
		if n < 4 || e.name != "polyline" || e.attributes["stroke-width"] != "0.75" {
			continue
		}
		if y1 == y2 && x2-x1 > right-left {
			left, right = x1, x2
		}
		if x1 == x2 && y1-y2 > bottom-top {
			top, bottom = y2, y1
		}
	}
	return left, right, top, bottom
}

func number(text string) float64 {
	x, _ := strconv.ParseFloat(text, 64)
	return x
}

// Marks and bars do not touch the ends of axes that follow the data, but bars stand on theirs; an axis ends at a limit.
func TestMargins(t *testing.T) {
	ends := []float64{1, 2}
	for name, limits := range map[string][2]float64{"free": {}, "limited": {0, 2}} {
		list := elements(t, written(t, "svg", figure.Light, figure.Chart{YLimits: limits, Layers: []figure.Layer{{
			X: ends, Y: ends, Lower: ends, Upper: ends, Kind: figure.Whisker,
		}}}))
		left, right, top, bottom := axisEnds(list)
		marks := 0
		for _, e := range list {
			if e.name != "circle" {
				continue
			}
			marks++
			x, y := number(e.attributes["cx"]), number(e.attributes["cy"])
			if x-left < 4 || right-x < 4 || bottom-y < 4 || limits[1] == 0 && y-top < 4 || marks == 2 && limits[1] != 0 && y != top {
				t.Errorf("%s: mark %d at %g, %g, axes from %g to %g and from %g to %g", name, marks, x, y, left, right, bottom, top)
			}
		}
		if marks != 2 {
			t.Errorf("%s: %d marks", name, marks)
		}
	}
	list := elements(t, written(t, "svg", figure.Light, figure.Chart{Layers: []figure.Layer{{X: ends, Y: ends, Kind: figure.Bars}}}))
	_, _, top, bottom := axisEnds(list)
	least, most := bottom, top
	for _, e := range list[2:] { // the first is the background
		if e.name != "polygon" {
			continue
		}
		for corner := range strings.FieldsSeq(e.attributes["points"]) {
			_, y, _ := strings.Cut(corner, ",")
			least, most = min(least, number(y)), max(most, number(y))
		}
	}
	if least-top < 4 || most != bottom {
		t.Errorf("bars from %g to %g on an axis from %g to %g", most, least, bottom, top)
	}
}
