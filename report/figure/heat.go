package figure

import (
	"image/color"
	"math"
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
	body := vg.Rectangle{
		Min: vg.Point{X: c.Min.X + alongLeft, Y: c.Max.Y - titleRoom - h.height()},
		Max: vg.Point{X: c.Max.X - alongRight, Y: c.Max.Y - titleRoom},
	}
	low, high := h.limits()
	most := max(high, -low)
	columns := 0
	for _, row := range h.Values {
		columns = max(columns, len(row))
	}
	rowHigh := body.Size().Y / vg.Length(max(1, len(h.Names)))
	style := Mono(SmallSize, t.Ink)
	style.XAlign, style.YAlign = draw.XRight, draw.YCenter
	for i, name := range h.Names {
		top := body.Max.Y - times(i, rowHigh)
		c.FillText(style, vg.Point{X: body.Min.X - 5, Y: top - halfOf(rowHigh)}, name)
		for j, v := range h.Values[i] {
			if shade := t.shade(v, most); finite(v) && shade > 0 {
				c.SetColor(t.signed(v, shade))
				c.Fill(vg.Rectangle{
					Min: vg.Point{X: along(body, j, columns), Y: top - rowHigh},
					Max: vg.Point{X: along(body, j+1, columns), Y: top},
				}.Path())
			}
		}
	}
	drawFrame(c, t, body)
	drawPositions(c, t, body, columns, h.XName)
	drawRamp(c, t, body, low, high)
}

// limits are the least and the greatest value, 0 among them.
func (h Heat) limits() (low, high float64) {
	for _, row := range h.Values {
		for _, v := range row {
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

// drawFrame draws lines around the body.
func drawFrame(c draw.Canvas, t *Theme, body vg.Rectangle) {
	path := body.Path()
	c.SetLineStyle(Line(0.75, t.Muted))
	c.Stroke(path)
}

// drawPositions labels columns below the body.
func drawPositions(c draw.Canvas, t *Theme, body vg.Rectangle, columns int, name string) {
	label := Text(SmallSize, t.Muted)
	label.XAlign, label.YAlign = draw.XCenter, draw.YTop
	for _, tick := range Ticks(10).Ticks(1, float64(columns)) {
		position := int(tick.Value)
		if float64(position) != tick.Value {
			continue
		}
		x := (along(body, position-1, columns) + along(body, position, columns)) / 2
		c.StrokeLine2(Line(0.75, t.Muted), x, body.Min.Y, x, body.Min.Y-4)
		c.FillText(label, vg.Point{X: x, Y: body.Min.Y - 6}, strconv.Itoa(position))
	}
	style := Text(NormalSize, t.Ink)
	style.XAlign, style.YAlign = draw.XCenter, draw.YTop
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
		c.SetColor(t.signed(v, t.shade(v, most)))
		c.Fill(vg.Rectangle{
			Min: vg.Point{X: left, Y: y}, Max: vg.Point{X: left + 8, Y: y + vg.Length(float64(size)/steps)},
		}.Path())
	}
	style := Text(SmallSize, t.Muted)
	style.YAlign = draw.YCenter
	c.FillText(style, vg.Point{X: left + 11, Y: body.Max.Y - 3}, short(high))
	c.FillText(style, vg.Point{X: left + 11, Y: body.Max.Y - size + 3}, short(low))
}
