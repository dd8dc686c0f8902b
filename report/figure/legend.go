package figure

import (
	"image/color"
	"math"

	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
)

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
	style := Text(NormalSize, t.Ink)
	style.YAlign = draw.YCenter
	for i, e := range entries {
		y := at.Y - times(i, legendStep) - legendStep/2
		if e.Area != nil {
			c.SetColor(e.Area)
			c.Fill(vg.Rectangle{
				Min: vg.Point{X: at.X, Y: y - 4}, Max: vg.Point{X: at.X + legendThumb, Y: y + 4},
			}.Path())
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
