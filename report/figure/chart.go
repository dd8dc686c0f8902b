package figure

import (
	"fmt"
	"math"
	"slices"

	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
)

// Chart is a panel of curves, points and bars, with a legend of their names below. Numbers that are not finite are left
// out.
type Chart struct {
	Title, XName, YName string
	// Ends of the axes; two equal numbers: those of the data, with a margin.
	XRange, YRange [2]float64
	YLimits        [2]float64 // of Y, beyond which there is no margin; two equal numbers: none
	LogX           bool       // in powers of ten; all values are positive
	Diagonal       bool       // a dashed line y = x
	Layers         []Layer
	Note           string // below all, small
	Wide           bool   // as wide as a picture, rather than half of it
}

// Layer is a part of a chart, drawn in order. What is nil is not drawn.
type Layer struct {
	Name         string // in the legend, "" for none
	Series       int    // which colour, from 0; below 0 grey
	X, Y         []float64
	Lower, Upper []float64 // a band around Y, or beside it if Y is nil
	Sizes        []float64 // of points, as shares of the greatest area; nil: all are alike
	Kind         LayerKind

	shift vg.Length // to the right
}

// LayerKind is how X and Y are drawn.
type LayerKind int

// The kinds.
const (
	Lines   LayerKind = iota // a line through the points
	Thin                     // a thin, faint line: one of many
	Marked                   // a line through points that are marked
	Points                   // points alone
	Bars                     // a bar from 0 around each X, as wide as they are apart
	Dashes                   // a dashed line
	Whisker                  // marked points, a line, and Lower to Upper as an error bar
	dots                     // opaque points, which are whole at the ends of the axes
)

// half is the width of a panel of which two make a picture.
const half = (Width - gap) / 2

// chartHeight is the height of a chart without its legend and note.
const chartHeight vg.Length = 268

// Size is that of half a picture, or as wide as one.
func (ch Chart) Size() (width, height vg.Length) {
	return ch.width(), chartHeight + ch.below()
}

func (ch Chart) width() vg.Length {
	if ch.Wide {
		return Width
	}
	return half
}

// below is the height of legend and note.
func (ch Chart) below() vg.Length {
	room := times(ch.legendRows(), legendStep)
	if ch.Note != "" {
		room += legendStep
	}
	return room
}

// legendColumn is the width of an entry.
const legendColumn vg.Length = 140

func (ch Chart) legendRows() int {
	named := 0
	for _, l := range ch.Layers {
		if l.Name != "" {
			named++
		}
	}
	columns := ch.legendColumns()
	return (named + columns - 1) / columns
}

// legendColumns is how many entries are in a row: one where a name is long.
func (ch Chart) legendColumns() int {
	room := legendColumn
	style := Text(NormalSize, Light.Ink)
	for _, l := range ch.Layers {
		if l.Name != "" {
			room = max(room, style.Width(l.Name)+legendThumb+12)
		}
	}
	return max(1, int(ch.width()/room))
}

// Draw draws the chart.
func (ch Chart) Draw(c draw.Canvas, t *Theme) {
	p := ch.plot(t)
	p.Draw(draw.Crop(c, 0, -6, ch.below()+4, 0))
	ch.drawLegend(c, t)
	if ch.Note != "" {
		c.FillText(Text(SmallSize, t.Muted), vg.Point{X: c.Min.X + 4, Y: c.Min.Y}, ch.Note)
	}
}

// plot is the chart without legend and note.
func (ch Chart) plot(t *Theme) *Plot {
	p := t.Plot(ch.Title, ch.XName, ch.YName)
	if ch.LogX {
		p.X.Log, p.X.Ticks = true, powers
	}
	if ch.Diagonal {
		p.Add(Layer{X: []float64{0, 1}, Y: []float64{0, 1}, Series: -1, Kind: Dashes})
	}
	shifts := ch.shifts()
	for i, l := range ch.Layers {
		l.shift = shifts[i]
		p.Add(l)
	}
	ch.setRanges(p)
	return p
}

// ShareAxes gives charts that are to be compared the same axes, which have room for the data of all.
func ShareAxes(charts ...*Chart) {
	x, y := [2]float64{math.Inf(1), math.Inf(-1)}, [2]float64{math.Inf(1), math.Inf(-1)}
	for _, ch := range charts {
		p := ch.plot(Light)
		x[0], x[1] = min(x[0], p.X.Min), max(x[1], p.X.Max)
		y[0], y[1] = min(y[0], p.Y.Min), max(y[1], p.Y.Max)
	}
	for _, ch := range charts {
		ch.XRange, ch.YRange = x, y
	}
}

// shifts moves error bars at equal X aside, so that each is seen: how far, of each layer.
func (ch Chart) shifts() []vg.Length {
	const step = 4
	shifts := make([]vg.Length, len(ch.Layers))
	var bars []int
	for i, l := range ch.Layers {
		if l.Kind == Whisker {
			bars = append(bars, i)
		}
	}
	for k, i := range bars {
		shifts[i] = step * vg.Length(float64(2*k-len(bars)+1)/2)
	}
	return shifts
}

// axisMargin is what an axis is longer than the data at each end, as a share of its length.
const axisMargin = 0.04

// setRanges sets the ends of the axes.
func (ch Chart) setRanges(p *Plot) {
	bars := slices.ContainsFunc(ch.Layers, func(l Layer) bool { return l.Kind == Bars })
	for _, axis := range []struct {
		*Axis
		ends [2]float64
	}{{&p.X, ch.XRange}, {&p.Y, ch.YRange}} {
		switch {
		case axis.ends[0] != axis.ends[1]:
			axis.Min, axis.Max = axis.ends[0], axis.ends[1]
		case !finite(axis.Min) || !finite(axis.Max): // of nothing
			axis.Min, axis.Max = 0, 1
		case axis.Log:
			axis.Min, axis.Max = axis.Min/1.4, axis.Max*1.4
		case axis.Min == axis.Max:
			axis.Min, axis.Max = axis.Min-0.5, axis.Max+0.5
		default:
			room := float64(axisMargin * (axis.Max - axis.Min))
			if axis.Max += room; !bars || axis.Min != 0 { // bars stand on the axis
				axis.Min -= room
			}
		}
	}
	if least, most := ch.YLimits[0], ch.YLimits[1]; least != most {
		p.Y.Min, p.Y.Max = max(p.Y.Min, least), min(p.Y.Max, most)
	}
}

func (ch Chart) drawLegend(c draw.Canvas, t *Theme) {
	columns := ch.legendColumns()
	top := c.Min.Y + ch.below()
	named := slices.DeleteFunc(slices.Clone(ch.Layers), func(l Layer) bool { return l.Name == "" })
	slices.SortStableFunc(named, func(a, b Layer) int { return a.rank() - b.rank() })
	for at, l := range named {
		corner := vg.Point{
			X: c.Min.X + 4 + times(at%columns, ch.width()/vg.Length(columns)),
			Y: top - times(at/columns, legendStep),
		}
		DrawLegend(c, corner, t, []LegendEntry{l.entry(t)})
	}
}

// rank puts bands and thin lines after what they belong to.
func (l *Layer) rank() int {
	switch {
	case l.Y == nil:
		return 1
	case l.Kind == Thin:
		return 2
	}
	return 0
}

// powers labels the powers of ten of a logarithmic axis, with 2 and 5 times them where there are few.
func powers(least, most float64) (ticks []Tick) {
	first, end := math.Floor(float64(math.Log10(least))-1e-9), math.Ceil(float64(math.Log10(most))+1e-9)
	for power := first; power <= end; power++ {
		for _, leading := range []float64{1, 2, 5} {
			value := leading * math.Pow10(int(power))
			if value < least*(1-1e-9) || value > most*(1+1e-9) {
				continue
			}
			text := ""
			if leading == 1 || end-first <= 3 {
				text = label(value, max(0, -int(power)))
			}
			ticks = append(ticks, Tick{Value: value, Label: text})
		}
	}
	return ticks
}

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
