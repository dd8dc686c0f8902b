package figure

import (
	"fmt"
	"math"
	"strconv"

	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"

	"github.com/seqsvm/seqsvm/stringkernel"
)

// Track is what each letter of a sequence adds to a decision: letters drawn to height, above a line for positive
// contributions and below it for negative ones, upright, so that no M is a W, in rows of RowLetters.
type Track struct {
	Title    string
	Note     string // beside the title
	Alphabet stringkernel.Alphabet
	Letters  []byte
	Values   []float64 // as many as letters
	Scale              // of the rows
}

// Scale is the least and the greatest value that a picture of a record has room for; two equal numbers: those of its
// own values.
type Scale struct{ Least, Most float64 }

// of returns the ends of the scale, 0 among them.
func (s Scale) of(values []float64) (low, high float64) {
	if s.Least == s.Most {
		return limits(values)
	}
	return s.Least, s.Most
}

// OneScale gives pictures of several records, [Track], [Words] or [Changes], the scale of all of them, and has the first
// say so.
func OneScale(records []Figure) {
	var values [][]float64
	for _, f := range records {
		switch f := f.(type) {
		case Track:
			values = append(values, f.Values)
		case Words:
			values = append(values, f.Values)
		case Changes:
			values = append(values, f.Values)
		}
	}
	if len(values) < 2 {
		return
	}
	low, high := limits(values...)
	said := "; one scale for all records"
	for i, f := range records {
		switch f := f.(type) {
		case Track:
			f.Scale, f.Note = Scale{low, high}, f.Note+said
			records[i] = f
		case Words:
			f.Scale, f.Note = Scale{low, high}, f.Note+said
			records[i] = f
		case Changes:
			f.Scale, f.Note = Scale{low, high}, f.Note+said
			records[i] = f
		}
		said = ""
	}
}

// RowLetters is the number of letters in a row of a Track.
const RowLetters = 100

// Sizes of a track.
const (
	trackRow    vg.Length = 62 // the letters of a row
	trackLabels vg.Length = 17 // positions below them
	trackGap    vg.Length = 6
	trackAxis   vg.Length = 44
	widestCell  vg.Length = 14
)

// Rows returns the number of rows that n letters take.
func Rows(n int) int { return max(1, (n+RowLetters-1)/RowLetters) }

// Size grows with the rows.
func (k Track) Size() (width, height vg.Length) {
	return Width, titleRoom + times(Rows(len(k.Letters)), rowHeight)
}

const rowHeight = trackRow + trackLabels + trackGap

// Draw draws the rows.
func (k Track) Draw(c draw.Canvas, t *Theme) {
	drawTitle(c, t, k.Title, k.Note)
	var scale trackScale
	if scale.low, scale.high = k.Scale.of(k.Values); scale.low == scale.high {
		scale.high = 1
	}
	for row := range Rows(len(k.Letters)) {
		top := c.Max.Y - titleRoom - times(row, rowHeight)
		k.drawRow(c, t, row*RowLetters, top, scale)
	}
}

// drawTitle draws a title on the left and a note on the right.
func drawTitle(c draw.Canvas, t *Theme, title, note string) {
	style := aligned(Bold(TitleSize, t.Ink), draw.XLeft, draw.YTop)
	c.FillText(style, vg.Point{X: c.Min.X, Y: c.Max.Y}, title)
	style = aligned(Text(NormalSize, t.Muted), draw.XRight, draw.YTop)
	c.FillText(style, vg.Point{X: c.Max.X, Y: c.Max.Y - 1}, note)
}

// trackScale is the values at the ends of the axis: low ≤ 0 ≤ high, low < high.
type trackScale struct{ low, high float64 }

// height is that of a value in points.
func (s trackScale) height(v float64) vg.Length {
	return vg.Length(float64(v / (s.high - s.low) * float64(trackRow)))
}

// drawRow draws the letters from one on, below top.
func (k Track) drawRow(c draw.Canvas, t *Theme, from int, top vg.Length, s trackScale) {
	left, zero := c.Min.X+trackAxis, top-s.height(s.high)
	wide := min(widestCell, (c.Max.X-left)/vg.Length(min(RowLetters, max(1, len(k.Letters)))))
	to := min(len(k.Letters), from+RowLetters)
	at := func(i int) vg.Length { return left + times(i-from, wide) }
	c.StrokeLine2(Line(0.6, t.Grid), left, zero, at(max(to, from+1)), zero)
	k.drawScale(c, t, left, top, zero, s)
	label := aligned(Text(SmallSize, t.Muted), draw.XCenter, draw.YTop)
	foot := top - trackRow
	for i := from; i < to; i++ {
		k.drawValue(c, t, i, vg.Point{X: at(i), Y: zero}, wide, s)
		if position := i + 1; position%10 == 0 || i == from && (position+9)%10 < 6 {
			x := at(i) + halfOf(wide)
			c.StrokeLine2(Line(0.6, t.Muted), x, foot-1, x, foot-4)
			c.FillText(label, vg.Point{X: x, Y: foot - 5}, strconv.Itoa(position))
		}
	}
}

// drawScale writes 0 at the axis, and the ends where there is room for them.
func (k Track) drawScale(c draw.Canvas, t *Theme, left, top, zero vg.Length, s trackScale) {
	c.StrokeLine2(Line(0.75, t.Muted), left-4, top-trackRow, left-4, top)
	style := aligned(Text(SmallSize, t.Muted), draw.XRight, draw.YCenter)
	for _, m := range []struct {
		y     vg.Length
		value float64
	}{{top, s.high}, {zero, 0}, {top - trackRow, s.low}} {
		if m.y != zero && math.Abs(float64(m.y-zero)) <= 9 {
			continue
		}
		c.StrokeLine2(Line(0.75, t.Muted), left-7, m.y, left-4, m.y)
		c.FillText(style, vg.Point{X: left - 9, Y: m.y}, short(m.value))
	}
}

// drawValue draws letter i from the zero line at a point.
func (k Track) drawValue(c draw.Canvas, t *Theme, i int, at vg.Point, wide vg.Length, s trackScale) {
	v := k.Values[i]
	if !finite(v) {
		return
	}
	top := at.Y + s.height(v)
	r := box(at.X+side(wide), min(at.Y, top), at.X+wide-side(wide), max(at.Y, top))
	c.SetColor(t.LetterColor(k.Alphabet, k.Letters[i]))
	drawLetter(c, k.Letters[i], r)
}

// short writes a value with two significant digits.
func short(v float64) string {
	if v == 0 {
		return "0"
	}
	s := fmt.Sprintf("%.2g", v)
	if s[0] == '-' {
		return "\u2212" + s[1:]
	}
	return s
}
