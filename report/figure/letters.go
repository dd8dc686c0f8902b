package figure

import (
	"image/color"
	"strings"
	"sync"

	"golang.org/x/image/font/sfnt"
	"golang.org/x/image/math/fixed"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"

	"github.com/seqsvm/seqsvm/stringkernel"
)

// glyph is the outline of a letter in the unit square, which it fills but for narrow letters, which keep to its middle.
type glyph vg.Path

// glyphs are the outlines of printable letters of ASCII in bold; those of others are empty.
var glyphs = sync.OnceValue(func() (list [256]glyph) {
	face := handler().Cache().Lookup(Bold(NormalSize, nil).Font, NormalSize).Face
	var b sfnt.Buffer
	for letter := byte('!'); letter <= '~'; letter++ {
		number, err := face.GlyphIndex(&b, rune(letter))
		if err != nil {
			continue // the font has all of them
		}
		segments, err := face.LoadGlyph(&b, number, fixed.Int26_6(face.UnitsPerEm()), nil)
		if err == nil && len(segments) > 0 {
			list[letter] = newGlyph(segments, float64(face.UnitsPerEm()))
		}
	}
	return list
})

// narrow is the width, in parts of the em square, up to which letters are not stretched to the width of the others.
const narrow = 0.45

// newGlyph scales the outline of a letter. Type has its y downwards.
func newGlyph(segments sfnt.Segments, em float64) glyph {
	box := segments.Bounds()
	left, bottom := float64(box.Min.X), float64(-box.Max.Y)
	width, height := float64(box.Max.X-box.Min.X), float64(box.Max.Y-box.Min.Y)
	share := min(1, width/em/narrow)
	at := func(p fixed.Point26_6) vg.Point {
		return vg.Point{
			X: vg.Length(float64((float64(p.X)-left)/width*share)) + halfOf(vg.Length(1-share)),
			Y: vg.Length((float64(-p.Y) - bottom) / height),
		}
	}
	var path vg.Path
	for i, s := range segments {
		switch s.Op {
		case sfnt.SegmentOpMoveTo:
			if i > 0 {
				path.Close()
			}
			path.Move(at(s.Args[0]))
		case sfnt.SegmentOpLineTo:
			path.Line(at(s.Args[0]))
		case sfnt.SegmentOpQuadTo:
			path.QuadTo(at(s.Args[0]), at(s.Args[1]))
		case sfnt.SegmentOpCubeTo:
			path.CubeTo(at(s.Args[0]), at(s.Args[1]), at(s.Args[2]))
		}
	}
	path.Close()
	return glyph(path)
}

// fill draws the glyph so that it fills a rectangle.
func (g glyph) fill(c draw.Canvas, r vg.Rectangle) {
	size := r.Size()
	to := func(p vg.Point) vg.Point {
		return vg.Point{X: r.Min.X + vg.Length(float64(p.X*size.X)), Y: r.Min.Y + vg.Length(float64(p.Y*size.Y))}
	}
	path := make(vg.Path, len(g))
	for i, step := range g {
		step.Pos = to(step.Pos)
		controls := step.Control
		step.Control = nil
		for _, p := range controls {
			step.Control = append(step.Control, to(p))
		}
		path[i] = step
	}
	c.Fill(path)
}

// drawLetter draws a letter that fills a rectangle in the current colour; a letter without a glyph is the rectangle.
func drawLetter(c draw.Canvas, letter byte, r vg.Rectangle) {
	if size := r.Size(); size.X <= 0 || size.Y < thinnest {
		return
	}
	if g := glyphs()[letter]; len(g) > 0 {
		g.fill(c, r)
		return
	}
	c.Fill(r.Path())
}

// thinnest is the height of letters that are too thin to draw, in points.
const thinnest vg.Length = 0.05

// groups are the letters of a colour, by number of the series; those of proteins by their chemistry: polar, amide,
// basic, acidic, and the others hydrophobic.
var (
	nucleotides = map[string]int{"A": 2, "C": 0, "G": 4, "TU": 1}
	residues    = map[string]int{"GSTYC": 2, "NQ": 3, "KRH": 0, "DE": 1, "AVLIPWFM": 6}
)

// LetterColor is the colour of a letter of an alphabet: Muted for one that does not belong to it, or cannot be
// printed.
func (t *Theme) LetterColor(a stringkernel.Alphabet, letter byte) color.NRGBA {
	groups := nucleotides
	switch {
	case a.OfAminoAcids():
		groups = residues
	case a == stringkernel.Bytes || a == "":
		if letter <= ' ' || letter > '~' {
			return t.Muted
		}
		return t.Ink
	}
	for members, series := range groups {
		if strings.IndexByte(members, letter) >= 0 {
			return t.Color(series)
		}
	}
	return t.Muted
}
