package figure

import (
	"fmt"
	"slices"

	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
)

// Scatter is points in the plane, coloured by class, with a legend.
type Scatter struct {
	X, Y         []float64
	Labels       []string // of the points, nil if they have none
	XName, YName string   // of the axes
}

// Sizes of the parts of a Scatter.
const (
	scatterHeight vg.Length = 430
	scatterLegend vg.Length = 120
	pointRadius   vg.Length = 2.4
	mostEntries             = 26 // of the legend, which has room for no more
	mostLetters             = 18 // of a name in the legend
)

// shapes tell classes of the same colour apart.
var shapes = []draw.GlyphDrawer{
	draw.CircleGlyph{}, draw.TriangleGlyph{}, draw.SquareGlyph{}, draw.CrossGlyph{}, draw.RingGlyph{},
	draw.PyramidGlyph{}, draw.BoxGlyph{}, draw.PlusGlyph{},
}

// Size is the size with the legend.
func (s Scatter) Size() (width, height vg.Length) { return Width, scatterHeight }

// Draw draws the points; those that are not finite are left out.
func (s Scatter) Draw(c draw.Canvas, t *Theme) {
	p := t.Plot("", s.XName, s.YName)
	names, members := s.classes()
	var entries []LegendEntry
	for i, name := range names {
		points := Layer{Kind: dots, Series: i, Name: cut(name)}
		for _, at := range members[i] {
			points.X, points.Y = append(points.X, s.X[at]), append(points.Y, s.Y[at])
		}
		p.Add(points)
		switch {
		case i < mostEntries:
			entries = append(entries, points.entry(t))
		case i == mostEntries:
			entries = append(entries, LegendEntry{Name: fmt.Sprintf("… %d more", len(names)-i)})
		}
	}
	if s.Labels == nil {
		p.Draw(c)
		return
	}
	p.Draw(draw.Crop(c, 0, -scatterLegend, 0, 0))
	DrawLegend(c, vg.Point{X: c.Max.X - scatterLegend + gap, Y: c.Max.Y}, t, entries)
}

// classes returns the labels, sorted, with the points of each; one class without labels.
func (s Scatter) classes() (names []string, members [][]int) {
	labels := s.Labels
	if labels == nil {
		labels = make([]string, len(s.X))
	}
	names = slices.Compact(slices.Sorted(slices.Values(labels)))
	members = make([][]int, len(names))
	for i, label := range labels {
		c, _ := slices.BinarySearch(names, label)
		members[c] = append(members[c], i)
	}
	return names, members
}

// cut shortens a name for the legend.
func cut(name string) string {
	if name == "" {
		return "(no label)"
	}
	if letters := []rune(name); len(letters) > mostLetters {
		return string(letters[:mostLetters-1]) + "…"
	}
	return name
}
