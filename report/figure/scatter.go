package figure

import (
	"fmt"
	"slices"

	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
)

// Scatter is points in the plane, coloured by class, with a legend.
type Scatter struct {
	Title        string
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
	p := t.Plot(s.Title, s.XName, s.YName)
	names, members := s.classes()
	var entries []LegendEntry
	for i, name := range names {
		points := dots{
			GlyphStyle: draw.GlyphStyle{
				Color: t.Color(i), Radius: pointRadius, Shape: shapes[i/len(t.Series)%len(shapes)],
			},
		}
		for _, at := range members[i] {
			points.add(s.X[at], s.Y[at])
		}
		p.Add(points)
		switch {
		case i < mostEntries:
			entries = append(entries, LegendEntry{Name: cut(name), Glyph: points.GlyphStyle})
		case i == mostEntries:
			entries = append(entries, LegendEntry{Name: fmt.Sprintf("… %d more", len(names)-i)})
		}
	}
	if s.Labels == nil {
		p.Draw(c)
		return
	}
	p.Draw(draw.Crop(c, 0, -scatterLegend, 0, 0))
	top := c.Max.Y
	if s.Title != "" {
		top -= titleRoom
	}
	DrawLegend(c, vg.Point{X: c.Max.X - scatterLegend + gap, Y: top}, t, entries)
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

// dots is points of one style.
type dots struct {
	draw.GlyphStyle
	x, y []float64
}

func (d *dots) add(x, y float64) {
	if finite(x) && finite(y) {
		d.x, d.y = append(d.x, x), append(d.y, y)
	}
}

// DataRange is the range of the points.
func (d dots) DataRange() (xmin, xmax, ymin, ymax float64) { return dataRange(d.x, d.y) }

// Margins keep points at the ends of the axes whole.
func (d dots) Margins() (x, y []float64, radius vg.Length) { return d.x, d.y, d.Radius }

// Plot draws the points.
func (d dots) Plot(c draw.Canvas, p *Plot) {
	x, y := p.Transforms(&c)
	for i := range d.x {
		c.DrawGlyph(d.GlyphStyle, vg.Point{X: x(d.x[i]), Y: y(d.y[i])})
	}
}
