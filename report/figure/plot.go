package figure

import (
	"math"
	"strconv"

	"gonum.org/v1/plot/text"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
)

// Plot is a rectangle with a title, two axes and a grid, on which layers are drawn. [Theme.Plot] returns one.
type Plot struct {
	Title string
	X, Y  Axis

	theme  *Theme
	layers []Layer
}

// Axis is an axis of a Plot. Its ends are those of what is added, unless they are set later.
type Axis struct {
	Name     string
	Min, Max float64
	Log      bool // logarithmic; Min is positive
	Ticks    func(least, most float64) []Tick
}

// Tick is a mark of an axis; one without a label is small.
type Tick struct {
	Value float64
	Label string
}

// Sizes of a plot, in points.
const (
	titlePadding vg.Length = 6
	namePadding  vg.Length = 3
	axisWidth    vg.Length = 0.75
	axisPadding  vg.Length = 3 // between an axis and the data
	tickLength   vg.Length = 4
)

// Plot returns a plot in the style of the theme, with a title and names of its axes ("" for none) and lines of a grid
// behind what is added.
func (t *Theme) Plot(title, x, y string) *Plot {
	axis := func(name string) Axis {
		return Axis{Name: name, Min: math.Inf(1), Max: math.Inf(-1), Ticks: Ticks(6).Ticks}
	}
	return &Plot{Title: title, X: axis(x), Y: axis(y), theme: t}
}

// Add adds a layer and widens the axes to its range.
func (p *Plot) Add(l Layer) {
	xmin, xmax, ymin, ymax := l.dataRange()
	p.X.Min, p.X.Max = min(p.X.Min, xmin), max(p.X.Max, xmax)
	p.Y.Min, p.Y.Max = min(p.Y.Min, ymin), max(p.Y.Max, ymax)
	p.layers = append(p.layers, l)
}

// Draw draws all, in the order in which it was added.
func (p *Plot) Draw(c draw.Canvas) {
	if p.Title != "" {
		style := aligned(Bold(TitleSize, p.theme.Ink), draw.XCenter, draw.YTop)
		c.FillText(style, vg.Point{X: across(c, 0.5), Y: c.Max.Y + style.FontExtents().Descent}, p.Title)
		c.Max.Y -= style.Rectangle(p.Title).Size().Y
		c.Max.Y -= titlePadding
	}
	p.X.settle()
	p.Y.settle()
	x, y := p.X.sized(p.theme, draw.XCenter, draw.YTop), p.Y.sized(p.theme, draw.XRight, draw.YCenter)
	width, height := y.width(), x.height()
	x.drawBelow(p.padX(x, draw.Crop(c, width, 0, 0, 0)))
	y.drawBeside(p.padY(y, draw.Crop(c, 0, 0, height, 0)))
	c = p.padY(y, p.padX(x, draw.Crop(c, width, 0, height, 0)))
	p.drawGrid(c, x, y)
	for i := range p.layers {
		p.layers[i].draw(c, p)
	}
}

// drawGrid draws lines at the labelled ticks.
func (p *Plot) drawGrid(c draw.Canvas, x, y sizedAxis) {
	style := Line(0.6, p.theme.Grid)
	for _, tick := range x.marks {
		if at := across(c, x.share(tick.Value)); tick.Label != "" && c.ContainsX(at) {
			c.StrokeLine2(style, at, c.Min.Y, at, c.Max.Y)
		}
	}
	for _, tick := range y.marks {
		if at := upward(c, y.share(tick.Value)); tick.Label != "" && c.ContainsY(at) {
			c.StrokeLine2(style, c.Min.X, at, c.Max.X, at)
		}
	}
}

// settle makes sure that an axis has a length.
func (a *Axis) settle() {
	if math.IsInf(a.Min, 0) {
		a.Min = 0
	}
	if math.IsInf(a.Max, 0) {
		a.Max = 0
	}
	if a.Min, a.Max = min(a.Min, a.Max), max(a.Min, a.Max); a.Min == a.Max {
		a.Min, a.Max = a.Min-1, a.Max+1
	}
}

// share is how far along the axis a value is: 0 at Min, 1 at Max.
func (a *Axis) share(v float64) float64 {
	least, most := a.Min, a.Max
	if a.Log {
		least, most, v = math.Log(least), math.Log(most), math.Log(v)
	}
	return (v - least) / (most - least)
}

// sizedAxis is an axis with its type and ticks.
type sizedAxis struct {
	*Axis
	name, label text.Style
	line        draw.LineStyle
	marks       []Tick
	room        vg.Point // of the largest label
}

func (a *Axis) sized(t *Theme, x draw.XAlignment, y draw.YAlignment) sizedAxis {
	s := sizedAxis{
		Axis: a, name: Text(LabelSize, t.Ink), label: Text(NormalSize, t.Muted), line: Line(axisWidth, t.Muted),
		marks: a.Ticks(a.Min, a.Max),
	}
	s.name.XAlign, s.label.XAlign, s.label.YAlign = draw.XCenter, x, y
	for _, tick := range s.marks {
		if tick.Label != "" {
			size := s.label.Rectangle(tick.Label).Size()
			s.room.X, s.room.Y = max(s.room.X, size.X), max(s.room.Y, size.Y)
		}
	}
	return s
}

// height is that of a horizontal axis.
func (s *sizedAxis) height() (h vg.Length) {
	if s.Name != "" {
		h += s.name.Height(s.Name)
		h += namePadding
	}
	h += tickLength
	h += s.room.Y
	h += axisWidth / 2
	return h + axisPadding
}

// width is that of a vertical axis.
func (s *sizedAxis) width() (w vg.Length) {
	if s.Name != "" {
		w += s.name.FontExtents().Descent
		w += s.name.Height(s.Name)
		w += namePadding
	}
	if s.room.X > 0 {
		w += s.room.X
		w += s.name.Width(" ")
	}
	w += tickLength
	w += axisWidth / 2
	return w + axisPadding
}

// drawBelow draws the axis along the lower edge.
func (s *sizedAxis) drawBelow(c draw.Canvas) {
	y := c.Min.Y
	if s.Name != "" {
		c.FillText(s.name, vg.Point{X: across(c, 0.5), Y: y + s.name.FontExtents().Descent}, s.Name)
		y += s.name.Height(s.Name)
		y += namePadding
	}
	descent := s.label.FontExtents().Descent
	for _, tick := range s.marks {
		if x := across(c, s.share(tick.Value)); tick.Label != "" && c.ContainsX(x) {
			c.FillText(s.label, vg.Point{X: x, Y: y + s.room.Y + descent}, tick.Label)
		}
	}
	y += s.room.Y
	for _, tick := range s.marks {
		if x := across(c, s.share(tick.Value)); c.ContainsX(x) {
			c.StrokeLine2(s.line, x, y+tick.begin(), x, y+tickLength)
		}
	}
	y += tickLength
	c.StrokeLine2(s.line, c.Min.X, y, c.Max.X, y)
}

// drawBeside draws the axis along the left edge.
func (s *sizedAxis) drawBeside(c draw.Canvas) {
	x := c.Min.X
	if s.Name != "" {
		style := s.name
		style.Rotation = math.Pi / 2
		x += style.Height(s.Name)
		descent := style.FontExtents().Descent
		c.FillText(style, vg.Point{X: x - descent, Y: upward(c, 0.5)}, s.Name)
		x += descent
		x += namePadding
	}
	x += s.room.X
	descent := s.label.FontExtents().Descent
	for _, tick := range s.marks {
		if y := upward(c, s.share(tick.Value)); tick.Label != "" && c.ContainsY(y) {
			c.FillText(s.label, vg.Point{X: x, Y: y + descent}, tick.Label)
		}
	}
	if s.room.X > 0 {
		x += s.label.Width(" ")
	}
	for _, tick := range s.marks {
		if y := upward(c, s.share(tick.Value)); c.ContainsY(y) {
			c.StrokeLine2(s.line, x+tick.begin(), y, x+tickLength, y)
		}
	}
	x += tickLength
	c.StrokeLine2(s.line, x, c.Min.Y, x, c.Max.Y)
}

// begin is where the mark begins; a small one has half the length.
func (t Tick) begin() vg.Length {
	if t.Label == "" {
		return tickLength / 2
	}
	return 0
}

// span is what needs room along an axis: from and to beside a share of it.
type span struct {
	share    float64
	from, to vg.Length
}

// padX narrows the canvas so that points and labels of ticks are whole.
func (p *Plot) padX(x sizedAxis, c draw.Canvas) draw.Canvas {
	points, _ := p.points()
	labels := []span{spanOf(x.share((p.X.Max+p.X.Min)/2), x.name.Rectangle(x.Name), horizontally)}
	for _, tick := range x.marks {
		if tick.Label != "" {
			labels = append(labels, spanOf(x.share(tick.Value), x.label.Rectangle(tick.Label), horizontally))
		}
	}
	c.Min.X, c.Max.X = padded(c.Min.X, c.Max.X, points, labels)
	return c
}

// padY lowers the canvas so that points and labels of ticks are whole.
func (p *Plot) padY(y sizedAxis, c draw.Canvas) draw.Canvas {
	_, points := p.points()
	name := y.name
	name.Rotation = math.Pi / 2
	labels := []span{spanOf(y.share((p.Y.Max+p.Y.Min)/2), name.Rectangle(y.Name), vertically)}
	extents := y.label.FontExtents()
	for _, tick := range y.marks {
		if tick.Label != "" {
			box := y.label.Rectangle(tick.Label).Add(vg.Point{Y: extents.Height - extents.Ascent})
			labels = append(labels, spanOf(y.share(tick.Value), box, vertically))
		}
	}
	c.Min.Y, c.Max.Y = padded(c.Min.Y, c.Max.Y, points, labels)
	return c
}

func horizontally(p vg.Point) vg.Length { return p.X }
func vertically(p vg.Point) vg.Length   { return p.Y }

func spanOf(share float64, box vg.Rectangle, along func(vg.Point) vg.Length) span {
	from := along(box.Min)
	return span{share, from, from + along(box.Size())}
}

// points are the room that dots need, along each axis.
func (p *Plot) points() (along, up []span) {
	for _, l := range p.layers {
		if l.Kind != dots {
			continue
		}
		for i, x := range l.X {
			x, y := p.X.share(x), p.Y.share(l.Y[i])
			if min(x, y) >= 0 && max(x, y) <= 1 { // and both are finite
				along = append(along, span{x, -pointRadius, pointRadius})
				up = append(up, span{y, -pointRadius, pointRadius})
			}
		}
	}
	return along, up
}

// padded moves the ends of a line inwards so that nothing begins before from or ends after to. Only points count at the
// beginning: names and labels may begin below or beside an axis.
func padded(from, to vg.Length, points, labels []span) (start, end vg.Length) {
	first, last := span{}, span{share: 1}
	at := func(s span) vg.Length { return from + vg.Length(float64(s.share)*float64(to-from)) }
	least, most := from, to
	for _, s := range points {
		if x := at(s) + s.from; s.from < s.to && x < least && s.share >= 0 {
			least, first = x, s
		}
	}
	for _, s := range append(points, labels...) {
		if x := at(s) + s.to; s.from < s.to && x > most && s.share <= 1 {
			most, last = x, s
		}
	}
	low, high := from-first.from, to-last.to
	l, r := vg.Length(first.share), vg.Length(last.share)
	over := vg.Length(float64(r * low))
	start = (vg.Length(float64(l*high)) - over) / (l - r)
	end = (vg.Length(float64((l-1)*high)) - over + low) / (l - r)
	return start, end
}

// Ticks labels about so many round values of an axis: multiples of 1, 2 or 5 times a power of ten.
type Ticks int

// Ticks returns the ticks from least to most.
func (n Ticks) Ticks(least, most float64) []Tick {
	if !(most > least) || math.IsInf(most-least, 0) {
		return []Tick{{Value: least, Label: label(least, 0)}}
	}
	power := math.Floor(float64(math.Log10((most-least)/float64(n))) + 1e-9)
	for ; ; power++ {
		for _, leading := range []float64{1, 2, 5} {
			if ticks := every(leading, int(power), least, most); len(ticks) <= int(n)+1 {
				return ticks
			}
		}
	}
}

// every returns ticks at the multiples of leading·10^power.
func every(leading float64, power int, least, most float64) (ticks []Tick) {
	scale := math.Pow10(-power) // of values, so that multiples are whole
	slack := float64(1e-9 * (most - least) * scale)
	for k := math.Ceil((float64(least*scale) - slack) / leading); float64(k*leading) <= float64(most*scale)+slack; k++ {
		value := float64(k*leading) / scale
		ticks = append(ticks, Tick{Value: value, Label: label(value, max(0, -power))})
	}
	return ticks
}

// label writes a value of an axis, with a true minus.
func label(x float64, decimals int) string {
	if x == 0 {
		return "0"
	}
	format, size := byte('f'), math.Abs(x)
	if size >= 1e6 || decimals > 5 {
		format, decimals = 'g', -1
		x, _ = strconv.ParseFloat(strconv.FormatFloat(x, 'g', 6, 64), 64)
	}
	s := strconv.FormatFloat(x, format, decimals, 64)
	if s[0] == '-' {
		return "\u2212" + s[1:]
	}
	return s
}

// halfOf, times, across and upward round their product before they add to it: a processor that would fuse the two then
// draws the same picture.
func halfOf(x vg.Length) vg.Length { return vg.Length(float64(x / 2)) }

func times(n int, x vg.Length) vg.Length { return vg.Length(float64(vg.Length(n) * x)) }

// across is the place at a share of the width of a canvas, upward that at a share of its height.
func across(c draw.Canvas, share float64) vg.Length {
	return c.Min.X + vg.Length(float64(share*float64(c.Max.X-c.Min.X)))
}

func upward(c draw.Canvas, share float64) vg.Length {
	return c.Min.Y + vg.Length(float64(share*float64(c.Max.Y-c.Min.Y)))
}

// side is the room on either side of a letter in a cell.
func side(wide vg.Length) vg.Length { return vg.Length(float64(wide * 0.03)) }
