package figure

import (
	"cmp"
	"slices"
	"strconv"

	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"

	"github.com/seqsvm/seqsvm/stringkernel"
)

// Logo is a sequence logo: a stack of letters per position, as high as the information of the position in bits, in it
// each letter as high as its share, the most frequent on top.
type Logo struct {
	Title    string
	Note     string // beside the title
	Alphabet stringkernel.Alphabet
	Letters  string      // of the columns of Matrix
	Matrix   [][]float64 // probabilities: a row per position
	Bits     []float64   // height of each stack
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
	drawTitle(c, t, l.Title, l.Note)
	most := l.most()
	l.drawAxis(c, t, left, bottom, most)
	if len(l.Matrix) == 0 {
		return
	}
	wide := min(widestStack, (c.Max.X-left)/vg.Length(len(l.Matrix)))
	label := Text(SmallSize, t.Muted)
	label.XAlign, label.YAlign = draw.XCenter, draw.YTop
	for j := range l.Matrix {
		x := left + times(j, wide)
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
	label := Text(NormalSize, t.Muted)
	label.XAlign, label.YAlign = draw.XRight, draw.YCenter
	for _, tick := range Ticks(4).Ticks(0, most) {
		y := bottom + vg.Length(float64(tick.Value/most*float64(logoStacks)))
		c.StrokeLine2(line, left-8, y, left-4, y)
		c.FillText(label, vg.Point{X: left - 10, Y: y}, tick.Label)
	}
	name := Text(NormalSize, t.Ink)
	name.YAlign = draw.YTop
	c.FillText(name, vg.Point{X: c.Min.X, Y: bottom - 4}, "bits")
}

// drawStack draws the letters of a position from the least probable up.
func (l Logo) drawStack(c draw.Canvas, t *Theme, j int, at vg.Point, wide vg.Length, perBit float64) {
	order := make([]int, len(l.Matrix[j]))
	for i := range order {
		order[i] = i
	}
	row := l.Matrix[j]
	slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(row[a], row[b]) })
	y := at.Y
	for _, i := range order {
		high := vg.Length(float64(float64(row[i]*l.Bits[j]) * perBit))
		c.SetColor(t.LetterColor(l.Alphabet, l.Letters[i]))
		drawLetter(c, l.Letters[i], vg.Rectangle{
			Min: vg.Point{X: at.X + side(wide), Y: y}, Max: vg.Point{X: at.X + wide - side(wide), Y: y + high},
		})
		y += high
	}
}
