// Package canvas draws on paper of three kinds, SVG, PNG and PDF, as a vg.Canvas of gonum.org/v1/plot does, with the
// same bytes for the same drawing on every processor and without a clock, a temporary file or a font that has to be
// installed.
//
// Transformations are applied here, once for all kinds, and positions are rounded to 1/128 of a point before they reach
// a kind: what is left to round there is exact. Text stays text in SVG and, where the characters are those of Windows
// code page 1252, in PDF; in PNG and otherwise in PDF it is drawn by the outlines of the Liberation fonts, whose widths
// are those of Arial and Helvetica.
package canvas

import (
	"image"
	"image/color"
	"io"
	"math"

	"gonum.org/v1/plot/font"
	"gonum.org/v1/plot/vg"
)

// device is paper of one kind. Positions are in points from the lower left corner, rounded.
type device interface {
	stroke(p vg.Path, s style)
	fill(p vg.Path, c color.NRGBA)
	disc(at vg.Point, radius vg.Length, c color.NRGBA)
	text(s string, face font.Face, m matrix, c color.NRGBA)
	writeTo(w io.Writer) error
}

// style is how a line is drawn.
type style struct {
	color  color.NRGBA
	width  float64   // points
	dashes []float64 // points, nil for a solid line
}

// Canvas is a vg.CanvasSizer on paper of one kind.
type Canvas struct {
	device
	width, height vg.Length
	now           state
	saved         []state
}

// state is what Push saves.
type state struct {
	matrix
	style
}

func newCanvas(width, height vg.Length, d device) *Canvas {
	c := &Canvas{device: d, width: width, height: height, now: state{matrix: identity}}
	vg.Initialize(c)
	return c
}

// Size is the size in points.
func (c *Canvas) Size() (width, height vg.Length) { return c.width, c.height }

// Write writes the file.
func (c *Canvas) Write(w io.Writer) error { return c.writeTo(w) }

// SetLineWidth sets the width of lines.
func (c *Canvas) SetLineWidth(w vg.Length) { c.now.width = snap(w.Points()) }

// SetLineDash sets the dashes of lines; where they begin cannot be chosen.
func (c *Canvas) SetLineDash(pattern []vg.Length, _ vg.Length) {
	c.now.dashes = nil
	for _, length := range pattern {
		c.now.dashes = append(c.now.dashes, snap(length.Points()))
	}
}

// SetColor sets the colour of lines, areas and text.
func (c *Canvas) SetColor(to color.Color) {
	if to == nil {
		to = color.Black
	}
	c.now.color = color.NRGBAModel.Convert(to).(color.NRGBA)
}

// Rotate turns what follows by a multiple of a right angle, in radians against the clock.
func (c *Canvas) Rotate(angle float64) { c.now.matrix = c.now.matrix.times(rotation(angle)) }

// Translate shifts what follows.
func (c *Canvas) Translate(by vg.Point) {
	c.now.matrix = c.now.matrix.times(matrix{1, 0, 0, 1, snap(by.X.Points()), snap(by.Y.Points())})
}

// Scale stretches what follows.
func (c *Canvas) Scale(x, y float64) { c.now.matrix = c.now.matrix.times(matrix{x, 0, 0, y, 0, 0}) }

// Push saves the state.
func (c *Canvas) Push() { c.saved = append(c.saved, c.now) }

// Pop restores the state that Push saved.
func (c *Canvas) Pop() {
	last := len(c.saved) - 1
	c.now, c.saved = c.saved[last], c.saved[:last]
}

// Stroke draws a line along the path.
func (c *Canvas) Stroke(p vg.Path) {
	if c.now.width > 0 && c.now.color.A > 0 {
		c.stroke(c.now.path(p), c.now.style)
	}
}

// Fill fills the path.
func (c *Canvas) Fill(p vg.Path) {
	if c.now.color.A == 0 {
		return
	}
	if at, radius, ok := disc(p); ok && c.now.rigid() {
		c.disc(c.now.point(at), vg.Length(snap(radius.Points())), c.now.color)
		return
	}
	c.fill(c.now.path(p), c.now.color)
}

// disc reports whether a path is one full circle.
func disc(p vg.Path) (at vg.Point, radius vg.Length, ok bool) {
	if len(p) == 3 && p[0].Type == vg.MoveComp && p[1].Type == vg.ArcComp && p[2].Type == vg.CloseComp &&
		math.Abs(p[1].Angle) >= 2*math.Pi {
		return p[1].Pos, p[1].Radius, true
	}
	return vg.Point{}, 0, false
}

// FillString writes text that begins at a point of its baseline.
func (c *Canvas) FillString(face font.Face, at vg.Point, s string) {
	if face.Font.Size > 0 && c.now.color.A > 0 && s != "" {
		c.text(s, face, c.now.matrix.times(matrix{1, 0, 0, 1, snap(at.X.Points()), snap(at.Y.Points())}), c.now.color)
	}
}

// DrawImage is part of vg.Canvas: no figure has an image.
func (c *Canvas) DrawImage(vg.Rectangle, image.Image) { panic("canvas: no images") }

// matrix maps (x, y) to (a·x + c·y + e, b·x + d·y + f).
type matrix struct{ a, b, c, d, e, f float64 }

var identity = matrix{1, 0, 0, 1, 0, 0}

// times returns the matrix that applies n, then m.
func (m matrix) times(n matrix) matrix {
	e, f := m.apply(n.e, n.f)
	return matrix{
		float64(m.a*n.a) + float64(m.c*n.b), float64(m.b*n.a) + float64(m.d*n.b),
		float64(m.a*n.c) + float64(m.c*n.d), float64(m.b*n.c) + float64(m.d*n.d), e, f,
	}
}

func (m matrix) apply(x, y float64) (float64, float64) {
	return float64(m.a*x) + float64(m.c*y) + m.e, float64(m.b*x) + float64(m.d*y) + m.f
}

// rigid reports whether circles stay circles of their size.
func (m matrix) rigid() bool { return m.a == m.d && m.b == -m.c && math.Abs(m.a)+math.Abs(m.b) == 1 }

// rotation turns by a multiple of a right angle, the nearest.
func rotation(angle float64) matrix {
	return [4]matrix{
		identity, {0, 1, -1, 0, 0, 0}, {-1, 0, 0, -1, 0, 0}, {0, -1, 1, 0, 0, 0},
	}[int(math.Round(angle/(math.Pi/2)))&3]
}

// sinCos is the sine and cosine, rounded so that they are the same on all processors.
func sinCos(angle float64) (sin, cos float64) {
	const places = 1 << 24
	sin, cos = math.Sincos(angle)
	return math.Round(sin*places) / places, math.Round(cos*places) / places
}

// snap rounds to 1/128 of a point, with halves a little moved: positions that are halves by design would be rounded by
// the last bit of how they were computed.
func snap(x float64) float64 { return math.Floor(float64(x*128)+0.5+1e-6) / 128 }

func (m matrix) point(p vg.Point) vg.Point {
	x, y := m.apply(snap(p.X.Points()), snap(p.Y.Points()))
	return vg.Point{X: vg.Length(snap(x)), Y: vg.Length(snap(y))}
}

// path maps a path, with arcs as lines.
func (m matrix) path(p vg.Path) vg.Path {
	out := make(vg.Path, 0, len(p))
	for _, step := range p {
		switch step.Type {
		case vg.MoveComp:
			out.Move(m.point(step.Pos))
		case vg.LineComp:
			out.Line(m.point(step.Pos))
		case vg.CurveComp:
			controls := make([]vg.Point, len(step.Control))
			for i, control := range step.Control {
				controls[i] = m.point(control)
			}
			if len(controls) == 1 {
				out.QuadTo(controls[0], m.point(step.Pos))
			} else {
				out.CubeTo(controls[0], controls[1], m.point(step.Pos))
			}
		case vg.ArcComp:
			m.arc(&out, step)
		case vg.CloseComp:
			out.Close()
		}
	}
	return out
}

// arc adds an arc as lines that each turn by at most 7.5 degrees.
func (m matrix) arc(out *vg.Path, step vg.PathComp) {
	lines := max(1, math.Ceil(math.Abs(step.Angle)/(math.Pi/24)-1e-9))
	for i := range int(lines) + 1 {
		sin, cos := sinCos(step.Start + float64(step.Angle*float64(i))/lines)
		at := m.point(vg.Point{
			X: step.Pos.X + vg.Length(float64(cos*step.Radius.Points())),
			Y: step.Pos.Y + vg.Length(float64(sin*step.Radius.Points())),
		})
		if len(*out) == 0 {
			out.Move(at)
		} else {
			out.Line(at)
		}
	}
}
