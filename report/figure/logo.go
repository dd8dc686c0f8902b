package figure

import (
	"cmp"
	"image/color"
	"slices"
	"strconv"
	"strings"
	"sync"

	"golang.org/x/image/font/sfnt"
	"golang.org/x/image/math/fixed"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"

	"github.com/seqsvm/seqsvm/internal/subset"
	"github.com/seqsvm/seqsvm/report/figure/internal/canvas"
	"github.com/seqsvm/seqsvm/stringkernel"
)

// Logo is a sequence logo: a stack of letters per position, as high as the information of the position in bits, in it
// each letter as high as its share, the most frequent on top.
type Logo struct {
	Title     string
	Consensus string // after the title, in letters of one width
	Note      string // after these
	Alphabet  stringkernel.Alphabet
	Letters   string      // of the columns of Matrix
	Matrix    [][]float64 // probabilities: a row per position
	Bits      []float64   // height of each stack
	// Shift is where the first stack is among Span columns, so that logos below each other face; zero: from the left
	Shift, Span int
}

// Sizes of a logo.
const (
	logoHeight    vg.Length = 120 // with title and axis
	logoStacks    vg.Length = 72
	widestStack   vg.Length = 26
	logoAxis      vg.Length = 34 // beside the stacks, with its labels
	logoPositions vg.Length = 16 // below them
)

// Size is that of one logo.
func (l Logo) Size() (width, height vg.Length) { return Width, logoHeight }

// Draw draws the axis and the stacks.
func (l Logo) Draw(c draw.Canvas, t *Theme) {
	left, bottom := c.Min.X+logoAxis, c.Max.Y-titleRoom-logoStacks
	drawTitle(c, t, l.Title, "")
	after := c.Min.X + Bold(TitleSize, t.Ink).Width(l.Title) + 8
	letters := aligned(Mono(LabelSize, t.Ink), draw.XLeft, draw.YTop)
	c.FillText(letters, vg.Point{X: after, Y: c.Max.Y - 1}, l.Consensus)
	if l.Consensus != "" {
		after += letters.Width(l.Consensus) + 8
	}
	note := aligned(Text(NormalSize, t.Muted), draw.XLeft, draw.YTop) // near, so that a narrow screen has all of a short logo
	c.FillText(note, vg.Point{X: min(after, c.Max.X-note.Width(l.Note)), Y: c.Max.Y - 1}, l.Note)
	most := l.most()
	l.drawAxis(c, t, left, bottom, most)
	if len(l.Matrix) == 0 {
		return
	}
	wide := min(widestStack, (c.Max.X-left)/vg.Length(max(l.Span, l.Shift+len(l.Matrix))))
	label := aligned(Text(SmallSize, t.Muted), draw.XCenter, draw.YTop)
	for j := range l.Matrix {
		x := left + times(l.Shift+j, wide)
		l.drawStack(c, t, j, vg.Point{X: x, Y: bottom}, wide, float64(logoStacks)/most)
		if wide > 12 || (j+1)%5 == 0 {
			c.FillText(label, vg.Point{X: x + halfOf(wide), Y: bottom - 4}, strconv.Itoa(j+1))
		}
	}
}

// most is the number of bits of the axis: the greatest that the alphabet allows.
func (l Logo) most() float64 {
	if len(l.Letters) > 4 {
		return 4.4 // of log₂ 20 = 4.32
	}
	return 2
}

// drawAxis draws the bits beside the stacks, and the line below them.
func (l Logo) drawAxis(c draw.Canvas, t *Theme, left, bottom vg.Length, most float64) {
	line := Line(0.75, t.Muted)
	c.StrokeLine2(line, left-4, bottom, left-4, bottom+logoStacks)
	label := aligned(Text(NormalSize, t.Muted), draw.XRight, draw.YCenter)
	for _, tick := range Ticks(4).Ticks(0, most) {
		y := bottom + vg.Length(float64(tick.Value/most*float64(logoStacks)))
		c.StrokeLine2(line, left-8, y, left-4, y)
		c.FillText(label, vg.Point{X: left - 10, Y: y}, tick.Label)
	}
	name := aligned(Text(NormalSize, t.Ink), draw.XLeft, draw.YTop)
	c.FillText(name, vg.Point{X: c.Min.X, Y: bottom - 4}, "bits")
}

// drawStack draws the letters of a position from the least probable up.
func (l Logo) drawStack(c draw.Canvas, t *Theme, j int, at vg.Point, wide vg.Length, perBit float64) {
	order := subset.Whole(len(l.Matrix[j]))
	row := l.Matrix[j]
	slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(row[a], row[b]) })
	y := at.Y
	for _, i := range order {
		high := vg.Length(float64(float64(row[i]*l.Bits[j]) * perBit))
		c.SetColor(t.LetterColor(l.Alphabet, l.Letters[i]))
		drawLetter(c, l.Letters[i], box(at.X+side(wide), y, at.X+wide-side(wide), y+high))
		y += high
	}
}

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
	canvas.AppendGlyph(&path, segments, at)
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
