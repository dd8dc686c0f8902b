package figure

import (
	"math"
	"strconv"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/text"
	"gonum.org/v1/plot/vg/draw"
)

// Plot returns a plot in the style of the theme, with a title and names of its axes ("" for none) and lines of a grid
// behind what is added.
func (t *Theme) Plot(title, x, y string) *plot.Plot {
	p := plot.New()
	p.TextHandler = handler
	p.BackgroundColor = nil
	p.Title.Text, p.Title.Padding = title, 6
	set(&p.Title.TextStyle, Bold(TitleSize, t.Ink))
	for axis, name := range map[*plot.Axis]string{&p.X: x, &p.Y: y} {
		axis.Label.Text, axis.Label.Padding = name, 3
		set(&axis.Label.TextStyle, Text(LabelSize, t.Ink))
		set(&axis.Tick.Label, Text(NormalSize, t.Muted))
		axis.LineStyle, axis.Tick.LineStyle = Line(0.75, t.Muted), Line(0.75, t.Muted)
		axis.Tick.Length, axis.Padding = 4, 3
		axis.Tick.Marker = Ticks(6)
	}
	p.Legend = plot.NewLegend()
	p.Legend.TextStyle = Text(NormalSize, t.Ink)
	p.Legend.YPosition, p.Legend.Padding, p.Legend.ThumbnailWidth = draw.PosCenter, 3, 18
	p.Add(gridLines{t})
	return p
}

// set gives text the type and colour of a style; where and how it is turned stays.
func set(to *text.Style, style text.Style) {
	to.Font, to.Color, to.Handler = style.Font, style.Color, style.Handler
}

// gridLines are lines at the labelled ticks, behind the data.
type gridLines struct{ *Theme }

// Plot draws them.
func (g gridLines) Plot(c draw.Canvas, p *plot.Plot) {
	x, y := p.Transforms(&c)
	style := Line(0.6, g.Grid)
	for _, tick := range p.X.Tick.Marker.Ticks(p.X.Min, p.X.Max) {
		if at := x(tick.Value); !tick.IsMinor() && c.ContainsX(at) {
			c.StrokeLine2(style, at, c.Min.Y, at, c.Max.Y)
		}
	}
	for _, tick := range p.Y.Tick.Marker.Ticks(p.Y.Min, p.Y.Max) {
		if at := y(tick.Value); !tick.IsMinor() && c.ContainsY(at) {
			c.StrokeLine2(style, c.Min.X, at, c.Max.X, at)
		}
	}
}

// Ticks labels about so many round values of an axis: multiples of 1, 2 or 5 times a power of ten.
type Ticks int

// Ticks returns the ticks from least to most.
func (n Ticks) Ticks(least, most float64) []plot.Tick {
	if !(most > least) || math.IsInf(most-least, 0) {
		return []plot.Tick{{Value: least, Label: label(least, 0)}}
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
func every(leading float64, power int, least, most float64) (ticks []plot.Tick) {
	scale := math.Pow10(-power) // of values, so that multiples are whole
	slack := float64(1e-9 * (most - least) * scale)
	for k := math.Ceil((float64(least*scale) - slack) / leading); float64(k*leading) <= float64(most*scale)+slack; k++ {
		value := float64(k*leading) / scale
		ticks = append(ticks, plot.Tick{Value: value, Label: label(value, max(0, -power))})
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
