package figure

import (
	"image/color"
	"math"
	"slices"

	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
)

// Parts of what shines through of bands, thin lines and points.
const (
	bandShare  = 0.2
	thinShare  = 0.45
	pointShare = 0.55
)

// Radii of points that have sizes.
const (
	leastRadius    = 2.2
	greatestRadius = 6
)

func (l *Layer) color(t *Theme) color.NRGBA {
	switch {
	case l.Series < 0:
		return t.Muted
	case l.Kind == Thin:
		return Faded(t.Color(l.Series), thinShare)
	case l.Kind == Points || l.Kind == Bars:
		return Faded(t.Color(l.Series), pointShare)
	}
	return t.Color(l.Series)
}

// line is the style of the line.
func (l *Layer) line(t *Theme) draw.LineStyle {
	c := l.color(t)
	switch {
	case l.Kind == Dashes:
		return Dashed(1, c)
	case l.Kind == Thin:
		return Line(0.8, c)
	case l.Series >= len(t.Series):
		return Dashed(1.8, c) // colours repeat
	}
	return Line(1.8, c)
}

// glyph is the style of a point, below 0 of those in the legend.
func (l *Layer) glyph(t *Theme, i int) draw.GlyphStyle {
	radius := vg.Length(3)
	switch l.Kind {
	case Points:
		radius = 2.2
	case dots:
		radius = pointRadius
	}
	if l.Sizes != nil && i >= 0 {
		radius = max(leastRadius, vg.Length(greatestRadius*math.Sqrt(l.Sizes[i])))
	}
	return draw.GlyphStyle{
		Color: l.color(t), Radius: radius, Shape: shapes[max(0, l.Series)/len(t.Series)%len(shapes)],
	}
}

// entry is the layer in the legend.
func (l *Layer) entry(t *Theme) LegendEntry {
	e := LegendEntry{Name: l.Name}
	if l.Lower != nil && l.Kind != Whisker {
		e.Area = Faded(t.Color(max(0, l.Series)), bandShare)
	}
	if l.Y == nil {
		return e
	}
	switch l.Kind {
	case Bars:
		e.Area = l.color(t)
	case Points, dots:
		e.Glyph = l.glyph(t, -1)
	case Marked, Whisker:
		e.Line, e.Glyph = l.line(t), l.glyph(t, -1)
	default:
		e.Line = l.line(t)
	}
	return e
}

// dataRange is that of all that is drawn.
func (l *Layer) dataRange() (xmin, xmax, ymin, ymax float64) {
	xmin, xmax, ymin, ymax = math.Inf(1), math.Inf(-1), math.Inf(1), math.Inf(-1)
	for _, list := range [][]float64{l.Y, l.Lower, l.Upper} {
		for i, y := range list {
			if x := l.X[i]; finite(x) && finite(y) {
				xmin, xmax, ymin, ymax = min(xmin, x), max(xmax, x), min(ymin, y), max(ymax, y)
			}
		}
	}
	if l.Kind == Bars && len(l.X) > 0 {
		edge := float64(l.barWidth() / 2)
		xmin, xmax, ymin = xmin-edge, xmax+edge, min(ymin, 0)
	}
	return xmin, xmax, ymin, ymax
}

func (l *Layer) barWidth() float64 {
	if len(l.X) < 2 {
		return 1
	}
	return l.X[1] - l.X[0]
}

// draw draws the layer on a plot.
func (l *Layer) draw(c draw.Canvas, p *Plot) {
	x := func(v float64) vg.Length { return across(c, p.X.share(v)) }
	y := func(v float64) vg.Length { return upward(c, p.Y.share(v)) }
	at := func(ys []float64, i int) vg.Point { return vg.Point{X: x(l.X[i]) + l.shift, Y: y(ys[i])} }
	if l.Lower != nil && l.Kind == Whisker {
		l.whiskers(c, p.theme, at)
	} else if l.Lower != nil {
		l.band(c, p.theme, at)
	}
	switch {
	case l.Y == nil:
		return
	case l.Kind == Bars:
		wide := float64(l.barWidth() / 2)
		for i := range l.X {
			if l.Y[i] != 0 && finite(l.Y[i]) {
				fill(c, l.color(p.theme), box(x(l.X[i]-wide), y(0), x(l.X[i]+wide), y(l.Y[i])))
			}
		}
		return
	case l.Kind != Points && l.Kind != dots:
		for _, line := range l.runs(func(i int) vg.Point { return at(l.Y, i) }, l.Y) {
			c.StrokeLines(l.line(p.theme), line)
		}
	}
	if slices.Contains([]LayerKind{Points, dots, Marked, Whisker}, l.Kind) {
		for i := range l.X {
			if finite(l.X[i]) && finite(l.Y[i]) {
				c.DrawGlyph(l.glyph(p.theme, i), at(l.Y, i))
			}
		}
	}
}

// whiskers draws error bars.
func (l *Layer) whiskers(c draw.Canvas, t *Theme, at func([]float64, int) vg.Point) {
	const wide vg.Length = 3
	style := Line(1, l.color(t))
	for i := range l.X {
		if !finite(l.Lower[i]) || !finite(l.Upper[i]) {
			continue
		}
		low, high := at(l.Lower, i), at(l.Upper, i)
		c.StrokeLine2(style, low.X, low.Y, high.X, high.Y)
		for _, end := range []vg.Point{low, high} {
			c.StrokeLine2(style, end.X-wide, end.Y, end.X+wide, end.Y)
		}
	}
}

// band fills what is between the limits.
func (l *Layer) band(c draw.Canvas, t *Theme, at func([]float64, int) vg.Point) {
	var outline []vg.Point
	for i := range l.X {
		if finite(l.Upper[i]) {
			outline = append(outline, at(l.Upper, i))
		}
	}
	for i := range slices.Backward(l.X) {
		if finite(l.Lower[i]) {
			outline = append(outline, at(l.Lower, i))
		}
	}
	if len(outline) > 2 {
		c.FillPolygon(Faded(t.Color(max(0, l.Series)), bandShare), outline)
	}
}

// closer is how near to the last two a point is left out of a line, in points: a line through 100,000 records has no
// more points than can be seen.
const closer = 0.2

// runs are the lines between points that are not finite, without points that would not be seen: those that lie on the
// line from the last one that is kept to the next.
func (l *Layer) runs(at func(int) vg.Point, ys []float64) (lines [][]vg.Point) {
	var line []vg.Point
	for i := range l.X {
		if !finite(l.X[i]) || !finite(ys[i]) {
			if len(line) > 0 {
				lines, line = append(lines, line), nil
			}
			continue
		}
		p := at(i)
		if n := len(line); n >= 2 && straight(line[n-2], line[n-1], p) {
			line[n-1] = p
		} else {
			line = append(line, p)
		}
	}
	if len(line) > 0 {
		lines = append(lines, line)
	}
	return lines
}

// straight reports whether b is on the way from a to c, which goes right or up in an axis alone, as steps do, or is
// hardly a way.
func straight(a, b, c vg.Point) bool {
	near := func(x, y vg.Length) bool { return math.Abs((x - y).Points()) < 1e-6 }
	between := func(x, y, z vg.Length) bool { return x <= y && y <= z || x >= y && y >= z }
	if near(a.X, b.X) && near(b.X, c.X) {
		return between(a.Y, b.Y, c.Y)
	}
	if near(a.Y, b.Y) && near(b.Y, c.Y) {
		return between(a.X, b.X, c.X)
	}
	return math.Hypot((a.X-b.X).Points(), (a.Y-b.Y).Points()) < closer &&
		math.Hypot((c.X-b.X).Points(), (c.Y-b.Y).Points()) < closer
}

// LegendEntry is a name with a line, an area or a point before it: those of its styles that are set.
type LegendEntry struct {
	Name  string
	Line  draw.LineStyle
	Area  color.Color
	Glyph draw.GlyphStyle
}

// Sizes of a legend.
const (
	legendStep  vg.Length = 15
	legendThumb vg.Length = 16
)

// DrawLegend draws entries from a point downwards, the point being their upper left corner.
func DrawLegend(c draw.Canvas, at vg.Point, t *Theme, entries []LegendEntry) {
	style := aligned(Text(NormalSize, t.Ink), draw.XLeft, draw.YCenter)
	for i, e := range entries {
		y := at.Y - times(i, legendStep) - legendStep/2
		if e.Area != nil {
			fill(c, e.Area, box(at.X, y-4, at.X+legendThumb, y+4))
		}
		if e.Line.Width > 0 {
			c.StrokeLine2(e.Line, at.X, y, at.X+legendThumb, y)
		}
		if e.Glyph.Shape != nil {
			c.DrawGlyph(e.Glyph, vg.Point{X: at.X + legendThumb/2, Y: y})
		}
		c.FillText(style, vg.Point{X: at.X + legendThumb + 5, Y: y}, e.Name)
	}
}

func finite(x float64) bool { return !math.IsNaN(x) && !math.IsInf(x, 0) }
