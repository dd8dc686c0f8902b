package canvas

import (
	"image/color"
	"io"
	"math"

	"git.sr.ht/~sbinet/gg"
	"golang.org/x/image/font/sfnt"
	"golang.org/x/image/math/fixed"
	"gonum.org/v1/plot/font"
	"gonum.org/v1/plot/vg"
)

// dots are the pixels of a point: 144 per inch, for screens of two pixels per CSS pixel. A power of two, so that
// rounded positions stay exact.
const dots = 2

// raster draws on pixels.
type raster struct {
	pen    *gg.Context
	height float64
	err    error // the first
}

// NewPNG returns a canvas that is written as PNG, 144 pixels per inch.
func NewPNG(width, height vg.Length) *Canvas {
	size := func(x vg.Length) int { return int(x.Points()*dots + 0.5) }
	context := gg.NewContext(size(width), size(height))
	context.SetLineCapButt()
	return newCanvas(width, height, &raster{pen: context, height: float64(size(height))})
}

func (d *raster) writeTo(w io.Writer) error {
	if d.err != nil {
		return d.err
	}
	return d.pen.EncodePNG(w)
}

func (d *raster) at(p vg.Point) (x, y float64) {
	return p.X.Points() * dots, d.height - p.Y.Points()*dots
}

func (d *raster) stroke(p vg.Path, s style) {
	d.draw(p)
	d.pen.SetColor(s.color)
	d.pen.SetLineWidth(s.width * dots)
	dashes := make([]float64, len(s.dashes))
	for i, length := range s.dashes {
		dashes[i] = length * dots
	}
	d.pen.SetDash(dashes...)
	d.pen.Stroke()
}

func (d *raster) fill(p vg.Path, c color.NRGBA) {
	d.draw(p)
	d.pen.SetColor(c)
	d.pen.Fill()
}

func (d *raster) disc(at vg.Point, radius vg.Length, c color.NRGBA) {
	d.fill(circle(at, radius), c)
}

func (d *raster) text(s string, face font.Face, m matrix, c color.NRGBA) {
	path, err := outline(s, face, m)
	if err != nil && d.err == nil {
		d.err = err
	}
	d.fill(path, c)
}

// pieces are the lines of a curve.
const pieces = 8

// draw adds a path, curves as lines.
func (d *raster) draw(p vg.Path) {
	var last vg.Point
	for _, step := range p {
		switch step.Type {
		case vg.MoveComp:
			d.pen.MoveTo(d.at(step.Pos))
		case vg.LineComp:
			d.pen.LineTo(d.at(step.Pos))
		case vg.CurveComp:
			for i := 1; i <= pieces; i++ {
				d.pen.LineTo(d.at(along(last, step, float64(i)/pieces)))
			}
		case vg.CloseComp:
			d.pen.ClosePath()
			continue
		}
		last = step.Pos
	}
}

// along is a point of a quadratic or cubic curve.
func along(from vg.Point, curve vg.PathComp, t float64) vg.Point {
	points := append(append([]vg.Point{from}, curve.Control...), curve.Pos)
	for n := len(points) - 1; n > 0; n-- {
		for i := range n {
			points[i] = vg.Point{X: between(points[i].X, points[i+1].X, t), Y: between(points[i].Y, points[i+1].Y, t)}
		}
	}
	return vg.Point{X: vg.Length(snap(points[0].X.Points())), Y: vg.Length(snap(points[0].Y.Points()))}
}

func between(a, b vg.Length, t float64) vg.Length { return a + vg.Length(float64((b-a).Points()*t)) }

// circle is a circle as lines.
func circle(at vg.Point, radius vg.Length) vg.Path {
	var p vg.Path
	identity.arc(&p, vg.PathComp{Pos: at, Radius: radius, Angle: 2 * math.Pi})
	p.Close()
	return p
}

// outline is the path of text that begins at the origin of m.
func outline(s string, face font.Face, m matrix) (vg.Path, error) {
	var b sfnt.Buffer
	units := fixed.Int26_6(face.Face.UnitsPerEm())
	size := face.Font.Size.Points() / float64(units)
	var path vg.Path
	pen, last := 0., sfnt.GlyphIndex(0)
	for i, letter := range s {
		glyph, err := face.Face.GlyphIndex(&b, letter)
		if err != nil {
			return nil, err
		}
		if kern, err := face.Face.Kern(&b, last, glyph, units, 0); err == nil && i > 0 {
			pen += float64(kern)
		}
		segments, err := face.Face.LoadGlyph(&b, glyph, units, nil)
		if err != nil {
			return nil, err
		}
		at := func(p fixed.Point26_6) vg.Point {
			x, y := m.apply(float64((pen+float64(p.X))*size), float64(-float64(p.Y)*size))
			return vg.Point{X: vg.Length(snap(x)), Y: vg.Length(snap(y))}
		}
		AppendGlyph(&path, segments, at)
		advance, err := face.Face.GlyphAdvance(&b, glyph, units, 0)
		if err != nil {
			return nil, err
		}
		pen, last = pen+float64(advance), glyph
	}
	return path, nil
}

// AppendGlyph adds the contours of a glyph, each closed.
func AppendGlyph(path *vg.Path, segments sfnt.Segments, at func(fixed.Point26_6) vg.Point) {
	for i, segment := range segments {
		switch args := segment.Args; segment.Op {
		case sfnt.SegmentOpMoveTo:
			if i > 0 {
				path.Close()
			}
			path.Move(at(args[0]))
		case sfnt.SegmentOpLineTo:
			path.Line(at(args[0]))
		case sfnt.SegmentOpQuadTo:
			path.QuadTo(at(args[0]), at(args[1]))
		case sfnt.SegmentOpCubeTo:
			path.CubeTo(at(args[0]), at(args[1]), at(args[2]))
		}
	}
	if len(segments) > 0 {
		path.Close()
	}
}
