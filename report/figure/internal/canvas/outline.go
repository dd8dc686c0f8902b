package canvas

import (
	"golang.org/x/image/font/sfnt"
	"golang.org/x/image/math/fixed"
	"gonum.org/v1/plot/font"
	"gonum.org/v1/plot/vg"
)

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
		appendGlyph(&path, segments, at)
		advance, err := face.Face.GlyphAdvance(&b, glyph, units, 0)
		if err != nil {
			return nil, err
		}
		pen, last = pen+float64(advance), glyph
	}
	return path, nil
}

// appendGlyph adds the contours of a glyph, each closed.
func appendGlyph(path *vg.Path, segments sfnt.Segments, at func(fixed.Point26_6) vg.Point) {
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
