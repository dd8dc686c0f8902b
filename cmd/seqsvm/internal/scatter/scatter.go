// Package scatter draws points in the plane, coloured by class, as SVG or PNG: the same bytes for the same points.
package scatter

import (
	"fmt"
	"image/color"
	"io"
	"path/filepath"
	"slices"
	"strings"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/plotter"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
)

// Picture is what to draw.
type Picture struct {
	X, Y         []float64
	Labels       []string // of the points, nil if they have none
	XName, YName string   // of the axes
}

// Formats lists the formats, which are endings of file names too.
var Formats = []string{"svg", "png"}

// FormatOf returns the format of a file by its name, "" if that is not one of Formats.
func FormatOf(path string) string {
	format := strings.TrimPrefix(strings.ToLower(filepath.Ext(path)), ".")
	if !slices.Contains(Formats, format) {
		return ""
	}
	return format
}

// Sizes of the picture and its parts.
const (
	height      = 14 * vg.Centimeter
	width       = 16 * vg.Centimeter // without the legend
	legendWidth = 4 * vg.Centimeter
	margin      = 2 * vg.Millimeter // above and beside the axes, for points at their ends
	radius      = 2.2               // points
	textSize    = 9                 // points
	mostEntries = 38                // of the legend, which has room for no more
	mostLetters = 20                // of a name in the legend
)

// colours are those of M. Okabe and K. Ito, which people who see colours differently can tell apart; the black of their
// list is last, and the yellow, which is faint on white, is left out.
var colours = []color.Color{
	color.RGBA{0x00, 0x72, 0xb2, 0xff}, // blue
	color.RGBA{0xd5, 0x5e, 0x00, 0xff}, // vermilion
	color.RGBA{0x00, 0x9e, 0x73, 0xff}, // bluish green
	color.RGBA{0xcc, 0x79, 0xa7, 0xff}, // reddish purple
	color.RGBA{0xe6, 0x9f, 0x00, 0xff}, // orange
	color.RGBA{0x56, 0xb4, 0xe9, 0xff}, // sky blue
	color.RGBA{0x00, 0x00, 0x00, 0xff}, // black
}

// shapes tell classes of the same colour apart.
var shapes = []draw.GlyphDrawer{
	draw.CircleGlyph{}, draw.TriangleGlyph{}, draw.SquareGlyph{}, draw.CrossGlyph{}, draw.RingGlyph{},
	draw.PyramidGlyph{}, draw.BoxGlyph{}, draw.PlusGlyph{},
}

// Draw writes the picture in one of Formats.
func (p Picture) Draw(w io.Writer, format string) error {
	drawn := plot.New()
	drawn.X.Label.Text, drawn.Y.Label.Text = p.XName, p.YName
	legend := plot.NewLegend()
	legend.Top, legend.Left, legend.TextStyle.Font.Size = true, true, textSize
	names, members := p.classes()
	for c, name := range names {
		points, err := plotter.NewScatter(p.points(members[c]))
		if err != nil {
			return fmt.Errorf("scatter: %w", err)
		}
		points.GlyphStyle = draw.GlyphStyle{
			Color: colours[c%len(colours)], Radius: radius, Shape: shapes[c/len(colours)%len(shapes)],
		}
		drawn.Add(points)
		switch {
		case c < mostEntries:
			legend.Add(cut(name), points)
		case c == mostEntries:
			legend.Add(fmt.Sprintf("… %d more", len(names)-c))
		}
	}
	legendRoom := vg.Length(0)
	if p.Labels != nil {
		legendRoom = legendWidth
	}
	canvas, err := draw.NewFormattedCanvas(width+legendRoom, height, format)
	if err != nil {
		return fmt.Errorf("scatter: %w", err)
	}
	all := draw.New(canvas)
	drawn.Draw(draw.Crop(all, 0, -legendRoom-margin, 0, -margin))
	if p.Labels != nil {
		legend.Draw(draw.Crop(all, width, 0, 0, -margin))
	}
	_, err = canvas.WriteTo(w)
	return err
}

// classes returns the labels, sorted, with the points of each; one class without labels.
func (p Picture) classes() (names []string, members [][]int) {
	labels := p.Labels
	if labels == nil {
		labels = make([]string, len(p.X))
	}
	names = slices.Compact(slices.Sorted(slices.Values(labels)))
	members = make([][]int, len(names))
	for i, label := range labels {
		c, _ := slices.BinarySearch(names, label)
		members[c] = append(members[c], i)
	}
	return names, members
}

func (p Picture) points(members []int) plotter.XYs {
	points := make(plotter.XYs, len(members))
	for k, i := range members {
		points[k] = plotter.XY{X: p.X[i], Y: p.Y[i]}
	}
	return points
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
