package figure

import (
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
)

// Changes is what other letters in place of those of a sequence would do: a heat map of letters by positions, in rows
// of RowLetters positions and of one scale. The letters that are there are written in their cells.
type Changes struct {
	Title, Note string
	Letters     []byte    // of the sequence
	Others      []byte    // that may take their places
	Values      []float64 // of each position and other letter, position by position
	Scale
}

// Size grows with the rows.
func (k Changes) Size() (width, height vg.Length) { return k.rows().Size() }

// Draw draws the rows.
func (k Changes) Draw(c draw.Canvas, t *Theme) { k.rows().Draw(c, t) }

func (k Changes) rows() Grid {
	grid := Grid{Columns: 1}
	low, high := k.Scale.of(k.Values)
	for from := 0; from == 0 || from < len(k.Letters); from += RowLetters {
		row := Heat{
			XName: "position", Letters: k.Letters[from:min(from+RowLetters, len(k.Letters))], First: from + 1,
			Columns: min(RowLetters, len(k.Letters)), Most: max(high, -low),
		}
		if from == 0 {
			row.Title, row.Note = k.Title, k.Note
		}
		for b, other := range k.Others {
			values := make([]float64, len(row.Letters))
			for p := range values {
				values[p] = k.Values[(from+p)*len(k.Others)+b]
			}
			row.Names, row.Values = append(row.Names, string(other)), append(row.Values, values)
		}
		grid.Panels = append(grid.Panels, row)
	}
	return grid
}

// Words is what each word of a text adds to a decision: the text in lines, with words on the colours of a heat map,
// underlined if they add to it and underlined with dashes if they take from it.
type Words struct {
	Title, Note string
	Words       []string
	Values      []float64 // as many as words
	Scale
}

const (
	wordRow   vg.Length = 19
	wordSpace vg.Length = 7
	faintest            = 0.04 // share of the greatest value from which on words are marked
	longest             = 60   // characters of a word that are shown
)

// lines breaks the text: where each word begins, and the number of lines.
func (w Words) lines() (words []string, at []vg.Point, lines int) {
	style := Text(LabelSize, Light.Ink)
	var x vg.Length
	for _, word := range w.Words {
		if runes := []rune(word); len(runes) > longest {
			word = string(runes[:longest]) + "…"
		}
		wide := style.Width(word)
		if x > 0 && x+wide > Width {
			x, lines = 0, lines+1
		}
		words, at = append(words, word), append(at, vg.Point{X: x, Y: -times(lines, wordRow)})
		x += wide + wordSpace
	}
	return words, at, lines + 1
}

// Size grows with the lines.
func (w Words) Size() (width, height vg.Length) {
	_, _, lines := w.lines()
	return Width, titleRoom + times(lines, wordRow)
}

// Draw draws the words.
func (w Words) Draw(c draw.Canvas, t *Theme) {
	drawTitle(c, t, w.Title, w.Note)
	low, high := w.Scale.of(w.Values)
	most := max(high, -low)
	style := aligned(Text(LabelSize, t.Ink), draw.XLeft, draw.YTop)
	words, places, _ := w.lines()
	for i, word := range words {
		at := vg.Point{X: c.Min.X + places[i].X, Y: c.Max.Y - titleRoom + places[i].Y}
		if v, shade := w.Values[i], t.shade(w.Values[i], most); finite(v) && shade >= faintest {
			left, right, foot := at.X-2, at.X+style.Width(word)+2, at.Y-14
			fill(c, t.signed(v, 0.4*shade), box(left, foot, right, at.Y+2))
			line := Line(1.2, t.signed(v, 1))
			if v < 0 {
				line = Dashed(1.2, t.signed(v, 1))
			}
			c.StrokeLine2(line, left, foot, right, foot)
		}
		c.FillText(style, at, word)
	}
}
