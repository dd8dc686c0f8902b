package figure

import (
	"fmt"

	"gonum.org/v1/plot/text"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"

	"github.com/seqsvm/seqsvm/internal/vectors"
)

// Confusion is a confusion matrix: a square per pair of classes, the true ones in rows, as dark as the share of the row
// that it holds, with the number of records where there is room.
type Confusion struct {
	Title   string
	Classes []string
	Counts  [][]int64 // [true][predicted]
}

// Sizes of a confusion matrix.
const (
	confusionTop   vg.Length = 34 // the title
	confusionLabel vg.Length = 22 // "true" and "predicted"
	leastLeft      vg.Length = 84
	mostName       vg.Length = 96 // of longer names the beginning is written
	mostNumbers              = 10 // classes with which numbers have room
	mostNames                = 50 // classes with which names have room
)

// layout is where the parts of a confusion matrix are: what is around the squares, and how wide each is.
type layout struct {
	left, below, side vg.Length
	turned            bool // names of columns are written upwards, since they are wider than their columns
	names             text.Style
}

// layout finds room for the names.
func (f Confusion) layout(t *Theme) layout {
	l := layout{left: leastLeft, below: 2*confusionLabel - 10, names: Text(NormalSize, t.Ink)}
	width, height := f.Size()
	var longest vg.Length
	if len(f.Classes) <= mostNames {
		for _, name := range f.Classes {
			longest = max(longest, min(mostName, l.names.Width(name)))
		}
		l.left = max(l.left, longest+confusionLabel)
	}
	fit := func() {
		l.side = min(width-l.left, height-confusionTop-l.below) / vg.Length(max(1, len(f.Classes)))
	}
	if fit(); longest > l.side-2 {
		l.turned, l.below = true, longest+confusionLabel+6
		fit()
	}
	l.names.Font.Size = min(NormalSize, vg.Length(float64(0.8*l.side)))
	return l
}

// Size is that of half a picture, or more of many classes.
func (f Confusion) Size() (width, height vg.Length) {
	if len(f.Classes) > mostNumbers {
		return Width, Width
	}
	return half, chartHeight
}

// Draw draws the matrix.
func (f Confusion) Draw(c draw.Canvas, t *Theme) {
	title := aligned(Bold(TitleSize, t.Ink), draw.XCenter, draw.YTop)
	l := f.layout(t)
	left, top, side := c.Min.X+l.left, c.Max.Y-confusionTop, l.side
	all := times(len(f.Classes), side)
	c.FillText(title, vg.Point{X: left + halfOf(all), Y: c.Max.Y}, f.Title)
	for row, counts := range f.Counts {
		sum := vectors.Sum(counts)
		for column, n := range counts {
			f.cell(c, t, vg.Point{X: left + times(column, side), Y: top - times(row+1, side)}, side, n, sum)
		}
	}
	f.names(c, l, left, top)
	label := aligned(Text(LabelSize, t.Ink), draw.XCenter, draw.YTop)
	c.FillText(label, vg.Point{X: left + halfOf(all), Y: top - all - (l.below - confusionLabel + 6)}, "predicted")
	label.Rotation, label.YAlign = quarter, draw.YTop
	c.FillText(label, vg.Point{X: c.Min.X, Y: top - halfOf(all)}, "true")
}

// quarter is a right angle in radians.
const quarter = 1.5707963267948966

// cell draws a square and its number.
func (f Confusion) cell(c draw.Canvas, t *Theme, corner vg.Point, side vg.Length, n, sum int64) {
	share := 0.
	if sum > 0 {
		share = float64(n) / float64(sum)
	}
	fill(c, mixed(t.Background, t.Color(0), 0.05+float64(0.55*share)),
		box(corner.X+1, corner.Y+1, corner.X+(side-1), corner.Y+(side-1)))
	if len(f.Classes) > mostNumbers {
		return
	}
	style := aligned(Text(min(LabelSize, side/3), t.Ink), draw.XCenter, draw.YCenter)
	c.FillText(style, corner.Add(vg.Point{X: halfOf(side), Y: halfOf(side)}), fmt.Sprint(n))
}

// names writes the classes beside the rows and below the columns.
func (f Confusion) names(c draw.Canvas, l layout, left, top vg.Length) {
	if len(f.Classes) > mostNames {
		return
	}
	row, column, room := l.names, l.names, l.side-2
	row.XAlign, row.YAlign = draw.XRight, draw.YCenter
	column.XAlign, column.YAlign = draw.XCenter, draw.YTop
	if l.turned {
		column.Rotation, column.XAlign, column.YAlign, room = quarter, draw.XRight, draw.YCenter, mostName
	}
	for i, name := range f.Classes {
		middle := times(i, l.side) + halfOf(l.side)
		c.FillText(row, vg.Point{X: left - 5, Y: top - middle}, fitting(row.Width, name, mostName))
		c.FillText(column, vg.Point{X: left + middle, Y: top - times(len(f.Classes), l.side) - 4},
			fitting(column.Width, name, room))
	}
}

// fitting cuts a name so that it has room.
func fitting(width func(string) vg.Length, name string, room vg.Length) string {
	letters := []rune(name)
	for n := len(letters); n > 0; n-- {
		text := string(letters[:n])
		if n < len(letters) {
			text += "…"
		}
		if width(text) <= room {
			return text
		}
	}
	return ""
}
