package figure

import (
	"cmp"
	"fmt"
	"image/color"
	"io"
	"path/filepath"
	"slices"
	"strings"

	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"

	"github.com/seqsvm/seqsvm/report/figure/internal/canvas"
)

// Figure is a picture, or a panel of one, that draws itself.
type Figure interface {
	// Size is the size that it wants, in points. Draw is given a rectangle of at least that size.
	Size() (width, height vg.Length)
	// Draw draws within the rectangle of the canvas, whose background is that of the theme.
	Draw(c draw.Canvas, t *Theme)
}

// Width is the width of a picture of one panel, and of two panels of half of it, in points: 800 CSS pixels.
const Width vg.Length = 600

// Formats lists the formats, which are endings of file names too.
var Formats = []string{"svg", "png", "pdf"}

// FormatOf returns the format of a file by its name, "" if that is not one of Formats.
func FormatOf(path string) string {
	format := strings.TrimPrefix(strings.ToLower(filepath.Ext(path)), ".")
	if !slices.Contains(Formats, format) {
		return ""
	}
	return format
}

// box is a rectangle by its ends.
func box(left, bottom, right, top vg.Length) vg.Rectangle {
	return vg.Rectangle{Min: vg.Point{X: left, Y: bottom}, Max: vg.Point{X: right, Y: top}}
}

// fill fills a rectangle with a colour.
func fill(c draw.Canvas, with color.Color, r vg.Rectangle) {
	c.SetColor(with)
	c.Fill(r.Path())
}

// margin is around the whole picture, in points.
const margin vg.Length = 10

// Write draws a figure and writes it as a file in one of Formats. An error is about the format or of w.
func Write(w io.Writer, format string, t *Theme, f Figure) error {
	width, height := outer(f)
	var c *canvas.Canvas
	switch format {
	case "svg":
		c = canvas.NewSVG(width, height, canvas.SVGOptions{})
	case "png":
		c = canvas.NewPNG(width, height)
	case "pdf":
		c = canvas.NewPDF(width, height)
	default:
		return fmt.Errorf("figure: format %q, want one of: %s", format, strings.Join(Formats, ", "))
	}
	all := draw.New(c)
	c.SetColor(t.Background)
	c.Fill(all.Rectangle.Path())
	return put(w, c, t, f)
}

// Inline is a figure for an HTML page: an svg element of class "figure" that is transparent and takes its colours from
// the custom properties that StyleSheet defines, so that one copy serves the light and the dark page. It has no ids and
// no style attributes. Its title is read out to those who do not see the picture; the page sets its width by a rule for
// .figure, as in .figure{max-width:100%;height:auto}.
func Inline(w io.Writer, title string, f Figure) error {
	width, height := outer(f)
	return put(w, canvas.NewSVG(width, height, canvas.SVGOptions{
		Inline: true, Title: title, Classes: "figure", Names: properties(Light),
	}), Light, f)
}

// StyleSheet is the CSS that gives Inline pictures their colours: on screens those of Dark where the reader prefers
// dark pages or an element around has data-theme="dark", otherwise, or where it has data-theme="light", those of Light.
func StyleSheet() string {
	declared := func(t *Theme) string {
		names := properties(t)
		var lines []string
		for c, name := range names {
			lines = append(lines, fmt.Sprintf("%s:#%02x%02x%02x", name, c.R, c.G, c.B))
		}
		slices.Sort(lines)
		return "{" + strings.Join(lines, ";") + "}"
	}
	light, dark := declared(Light), declared(Dark)
	return ":root,[data-theme=light]" + light + "\n@media screen and (prefers-color-scheme:dark){" +
		":root:not([data-theme=light])" + dark + "}\n@media screen{[data-theme=dark]" + dark + "}\n"
}

// properties names the colours of a theme. Series are named before the rest, so that one that equals the ink is still
// a series.
func properties(t *Theme) map[color.NRGBA]string {
	names := map[color.NRGBA]string{
		t.Background: "--figure-background", t.Ink: "--figure-ink", t.Muted: "--figure-muted", t.Grid: "--figure-grid",
	}
	for i, c := range t.Series {
		names[c] = fmt.Sprintf("--figure-%d", i+1)
	}
	return names
}

func outer(f Figure) (width, height vg.Length) {
	width, height = f.Size()
	return width + 2*margin, height + 2*margin
}

func put(w io.Writer, c *canvas.Canvas, t *Theme, f Figure) error {
	f.Draw(draw.Crop(draw.New(c), margin, -margin, margin, -margin), t)
	return c.Write(w)
}

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
	columns := cmp.Or(g.Columns, len(g.Panels))
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
			panel.Draw(draw.Canvas{Canvas: c.Canvas, Rectangle: box(left, top-row.height, left+width, top)}, t)
		}
		top -= row.height + gap
	}
}
