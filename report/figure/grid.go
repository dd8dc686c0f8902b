package figure

import (
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
)

// Grid is panels side by side, in rows from the top. A row is as high as its highest panel. Where there are several
// columns, a panel that is wider than half a picture has a row of its own.
type Grid struct {
	Columns int // 0 for all in one row
	Panels  []Figure
}

// gap is between panels, titleRoom that of the title of one, in points.
const (
	gap       vg.Length = 16
	titleRoom vg.Length = 22
)

// Size is the size of all panels.
func (g Grid) Size() (width, height vg.Length) {
	rows := g.rows()
	for _, row := range rows {
		width, height = max(width, row.width), height+row.height
	}
	return width, height + vg.Length(gap*vg.Length(max(0, len(rows)-1))) // not fused
}

// row is panels side by side.
type row struct {
	panels        []Figure
	lefts         []vg.Length // where each begins
	width, height vg.Length
}

// rows divides the panels.
func (g Grid) rows() (rows []row) {
	columns := g.Columns
	if columns == 0 {
		columns = len(g.Panels)
	}
	closed := true
	for _, panel := range g.Panels {
		width, height := panel.Size()
		broad := g.Columns > 1 && width > half
		if closed || broad {
			rows = append(rows, row{})
		}
		last := &rows[len(rows)-1]
		if len(last.panels) > 0 {
			last.width += gap
		}
		last.lefts, last.panels = append(last.lefts, last.width), append(last.panels, panel)
		last.width, last.height = last.width+width, max(last.height, height)
		closed = broad || len(last.panels) == columns
	}
	return rows
}

// Draw draws the panels.
func (g Grid) Draw(c draw.Canvas, t *Theme) {
	top := c.Max.Y
	for _, row := range g.rows() {
		for i, panel := range row.panels {
			width, _ := panel.Size()
			left := c.Min.X + row.lefts[i]
			panel.Draw(draw.Canvas{Canvas: c.Canvas, Rectangle: vg.Rectangle{
				Min: vg.Point{X: left, Y: top - row.height}, Max: vg.Point{X: left + width, Y: top},
			}}, t)
		}
		top -= row.height + gap
	}
}
