package figure

import (
	"image/color"
	"math"
	"slices"
	"strconv"

	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
)

// Heat is a heat map of rows along positions: the first series of the theme for positive values, the second for
// negative ones, the more of it the greater they are. Its axis of positions is that of a Profile, so that they may
// stand one below the other.
type Heat struct {
	Title, Note string
	XName       string      // of the positions
	Names       []string    // of the rows, from the top, in letters of one width
	Values      [][]float64 // a row per name; NaN is left out
	Letters     []byte      // of the columns, each written in the row of its name; nil: none
	First       int         // position of the first column; 0: 1
	Columns     int         // that the width has room for; 0: as many as there are
	Most        float64     // value of the full colour; 0: the greatest
}

// Sizes of figures along positions.
const (
	alongLeft   vg.Length = 74 // names of rows, labels of the axis
	alongRight  vg.Length = 52 // legend of colours
	alongFoot   vg.Length = 32 // labels of positions and their name
	heatRow     vg.Length = 13
	rampLeast   vg.Length = 40
	profileHigh vg.Length = 90
)

// Size grows with the rows.
func (h Heat) Size() (width, height vg.Length) { return Width, titleRoom + h.height() + alongFoot }

func (h Heat) height() vg.Length {
	return max(rampLeast, times(len(h.Names), heatRow))
}

// Draw draws cells, names and the legend.
func (h Heat) Draw(c draw.Canvas, t *Theme) {
	drawTitle(c, t, h.Title, h.Note)
	body := alongBody(c, h.height())
	low, high := limits(h.Values...)
	most := max(high, -low)
	columns := 0
	for _, row := range h.Values {
		columns = max(columns, len(row))
	}
	if h.Most > 0 {
		low, high, most = -h.Most, h.Most, h.Most
	}
	body.Max.X = along(body, columns, max(columns, h.Columns))
	rowHigh := body.Size().Y / vg.Length(max(1, len(h.Names)))
	style := aligned(Mono(SmallSize, t.Ink), draw.XRight, draw.YCenter)
	for i, name := range h.Names {
		top := body.Max.Y - times(i, rowHigh)
		c.FillText(style, vg.Point{X: body.Min.X - 5, Y: top - halfOf(rowHigh)}, name)
		for j, v := range h.Values[i] {
			if shade := t.shade(v, most); finite(v) && shade > 0 {
				fill(c, t.signed(v, shade), box(along(body, j, columns), top-rowHigh, along(body, j+1, columns), top))
			}
		}
	}
	inside := aligned(Mono(min(NormalSize, 1.6*body.Size().X/vg.Length(max(1, columns))), t.Ink), draw.XCenter, draw.YCenter)
	for j, letter := range h.Letters {
		if i := slices.Index(h.Names, string(letter)); i >= 0 {
			x, y := (along(body, j, columns)+along(body, j+1, columns))/2, body.Max.Y-times(i, rowHigh)-halfOf(rowHigh)
			c.FillText(inside, vg.Point{X: x, Y: y}, string(letter))
		}
	}
	c.SetLineStyle(Line(0.75, t.Muted))
	c.Stroke(body.Path())
	drawColumns(c, t, body, max(1, h.First), columns, h.XName)
	drawRamp(c, t, body, low, high)
}

// alongBody is where the values of a figure along positions are.
func alongBody(c draw.Canvas, height vg.Length) vg.Rectangle {
	top := c.Max.Y - titleRoom
	return box(c.Min.X+alongLeft, top-height, c.Max.X-alongRight, top)
}

// limits are the least and the greatest of finite values, 0 among them.
func limits(lists ...[]float64) (low, high float64) {
	for _, values := range lists {
		for _, v := range values {
			if finite(v) {
				low, high = min(low, v), max(high, v)
			}
		}
	}
	return low, high
}

// along is the left end of column j of so many.
func along(body vg.Rectangle, j, columns int) vg.Length {
	return body.Min.X + vg.Length(float64(float64(j)/float64(max(1, columns))*float64(body.Size().X)))
}

// shade is how much of a colour a value has, in 64 steps.
func (t *Theme) shade(v, most float64) float64 {
	if most == 0 {
		return 0
	}
	return math.Round(math.Abs(v)/most*64) / 64
}

func (t *Theme) signed(v, share float64) color.NRGBA {
	if v < 0 {
		return Faded(t.Color(1), share)
	}
	return Faded(t.Color(0), share)
}

// drawColumns labels columns, from a first position on, below the body.
func drawColumns(c draw.Canvas, t *Theme, body vg.Rectangle, first, columns int, name string) {
	last := float64(first + columns - 1)
	ticks := slices.DeleteFunc(Ticks(10).Ticks(float64(first), last), func(tick Tick) bool {
		return tick.Value != math.Trunc(tick.Value)
	})
	for i := range ticks {
		ticks[i].Label = strconv.Itoa(int(ticks[i].Value))
	}
	drawPositions(c, t, body, ticks, name, func(v float64) vg.Length {
		return (along(body, int(v)-first, columns) + along(body, int(v)-first+1, columns)) / 2
	})
}

// drawPositions draws ticks below the body, and the name of the axis.
func drawPositions(c draw.Canvas, t *Theme, body vg.Rectangle, ticks []Tick, name string, at func(float64) vg.Length) {
	label := aligned(Text(SmallSize, t.Muted), draw.XCenter, draw.YTop)
	for _, tick := range ticks {
		x := at(tick.Value)
		c.StrokeLine2(Line(0.75, t.Muted), x, body.Min.Y, x, body.Min.Y-4)
		c.FillText(label, vg.Point{X: x, Y: body.Min.Y - 6}, tick.Label)
	}
	style := aligned(Text(NormalSize, t.Ink), draw.XCenter, draw.YTop)
	c.FillText(style, vg.Point{X: (body.Min.X + body.Max.X) / 2, Y: body.Min.Y - 18}, name)
}

// drawRamp draws the legend of colours beside the body.
func drawRamp(c draw.Canvas, t *Theme, body vg.Rectangle, low, high float64) {
	const steps = 32
	most := max(high, -low)
	if most == 0 {
		return
	}
	left, size := body.Max.X+10, min(body.Size().Y, 110)
	for i := range steps {
		v := low + float64((high-low)*(float64(i)+0.5)/steps)
		y := body.Max.Y - size + vg.Length(float64(float64(i)/steps*float64(size)))
		fill(c, t.signed(v, t.shade(v, most)), box(left, y, left+8, y+vg.Length(float64(size)/steps)))
	}
	style := aligned(Text(SmallSize, t.Muted), draw.XLeft, draw.YCenter)
	c.FillText(style, vg.Point{X: left + 11, Y: body.Max.Y - 3}, short(high))
	c.FillText(style, vg.Point{X: left + 11, Y: body.Max.Y - size + 3}, short(low))
}

// Profile is a value per position as an area from zero, with marked spans: what matters where, or the score along a
// sequence.
type Profile struct {
	Title, Note  string
	XName, YName string
	Values       []float64 // NaN where there is none
	Step         int       // positions that a value stands for; 0 means 1
	Spans        []Span    // marked below the area, in values
	Threshold    *float64  // drawn as a dashed line
}

// Span is a part of a profile that is marked: values From … To − 1.
type Span struct{ From, To int }

// spanRoom is for marks below the area.
const spanRoom vg.Length = 12

// Size is that of one profile.
func (p Profile) Size() (width, height vg.Length) {
	height = titleRoom + profileHigh + alongFoot
	if len(p.Spans) > 0 {
		height += spanRoom
	}
	return Width, height
}

// Draw draws the area, the axes and the marks.
func (p Profile) Draw(c draw.Canvas, t *Theme) {
	drawTitle(c, t, p.Title, p.Note)
	body := alongBody(c, profileHigh)
	low, high := limits(p.Values)
	if p.Threshold != nil {
		low, high = limits([]float64{low, high, *p.Threshold})
	}
	if low == high {
		high = 1
	}
	y := func(v float64) vg.Length {
		return body.Min.Y + vg.Length(float64((v-low)/(high-low)*float64(profileHigh)))
	}
	p.drawAxis(c, t, body, low, high, y)
	for from := 0; from < len(p.Values); {
		to := from + 1
		for to < len(p.Values) && finite(p.Values[from]) && finite(p.Values[to]) &&
			(p.Values[to] < 0) == (p.Values[from] < 0) {
			to++
		}
		p.fill(c, t, body, from, to, y)
		from = to
	}
	if p.Threshold != nil && finite(*p.Threshold) {
		c.StrokeLine2(Dashed(0.9, t.Ink), body.Min.X, y(*p.Threshold), body.Max.X, y(*p.Threshold))
	}
	c.StrokeLine2(Line(0.75, t.Muted), body.Min.X, y(0), body.Max.X, y(0))
	foot := body
	if len(p.Spans) > 0 {
		foot.Min.Y -= spanRoom
	}
	for _, s := range p.Spans {
		from, to := along(body, s.From, len(p.Values)), along(body, s.To, len(p.Values))
		fill(c, Faded(t.Color(3), 0.35), box(from, body.Min.Y-2-9, max(to, from+1.5), body.Min.Y-2))
	}
	p.drawPositions(c, t, foot)
}

// fill draws the area of values of one sign; none if the first is not a number.
func (p Profile) fill(c draw.Canvas, t *Theme, body vg.Rectangle, from, to int, y func(float64) vg.Length) {
	if !finite(p.Values[from]) {
		return
	}
	x := func(j int) vg.Length { return along(body, j, len(p.Values)) }
	var path vg.Path
	path.Move(vg.Point{X: x(from), Y: y(0)})
	for j, v := range p.Values[from:to] {
		path.Line(vg.Point{X: x(from + j), Y: y(v)})
		path.Line(vg.Point{X: x(from + j + 1), Y: y(v)})
	}
	path.Line(vg.Point{X: x(to), Y: y(0)})
	path.Close()
	c.SetColor(t.signed(p.Values[from], 1))
	c.Fill(path)
}

// drawAxis draws lines and labels of values, and their name above.
func (p Profile) drawAxis(c draw.Canvas, t *Theme, body vg.Rectangle, low, high float64, y func(float64) vg.Length) {
	label := aligned(Text(SmallSize, t.Muted), draw.XRight, draw.YCenter)
	for _, tick := range Ticks(4).Ticks(low, high) {
		c.StrokeLine2(Line(0.6, t.Grid), body.Min.X, y(tick.Value), body.Max.X, y(tick.Value))
		c.FillText(label, vg.Point{X: body.Min.X - 5, Y: y(tick.Value)}, tick.Label)
	}
	name := aligned(Text(NormalSize, t.Ink), draw.XCenter, draw.YTop)
	name.Rotation = math.Pi / 2
	c.FillText(name, vg.Point{X: body.Min.X - alongLeft, Y: (body.Min.Y + body.Max.Y) / 2}, p.YName)
}

// drawPositions labels the positions of values.
func (p Profile) drawPositions(c draw.Canvas, t *Theme, body vg.Rectangle) {
	if p.Step <= 1 {
		drawColumns(c, t, body, 1, len(p.Values), p.XName)
		return
	}
	most := float64(len(p.Values) * p.Step)
	ticks := Ticks(8).Ticks(1, 1+most)
	for i := range ticks {
		ticks[i].Label = place(ticks[i].Value)
	}
	drawPositions(c, t, body, ticks, p.XName, func(v float64) vg.Length {
		return body.Min.X + vg.Length(float64((v-1)/most*float64(body.Size().X)))
	})
}

// place writes a position in bases, kilobases or megabases.
func place(x float64) string {
	switch {
	case x >= 1e6:
		return strconv.FormatFloat(x/1e6, 'g', 6, 64) + " M"
	case x >= 1e4:
		return strconv.FormatFloat(x/1e3, 'g', 6, 64) + " k"
	}
	return strconv.FormatFloat(x, 'f', 0, 64)
}
