package page

import (
	"fmt"
	"math"
	"strconv"
	"strings"

	"github.com/seqsvm/seqsvm/report/figure"
)

// Page is what a report shows, from top to bottom.
type Page struct {
	Title    string
	Lead     string // a sentence on what it is about
	Tiles    []Tile
	Notes    []Note
	Sections []Section
	Tracks   *Tracks  // nil: there are none
	Records  *Records // nil: there are none
	Foot     string   // what wrote the page
}

// Tile is a figure to see first.
type Tile struct {
	Name, Value string
	Small       string // below the value: its interval, or a remark
}

// Note is something to know before the figures are believed, or a remark.
type Note struct {
	Warning bool
	Text    string
}

// Section is a part of the page under a heading.
type Section struct {
	ID     string // of its anchor: lower-case letters and hyphens
	Title  string
	Text   string // a few sentences
	Blocks []Block
}

// Block is one or several of facts, a table and pictures, under a small heading if it has a title.
type Block struct {
	Title   string
	Text    string
	Folded  bool // the reader has to open it
	Begins  bool // a row of the page
	Facts   []Fact
	Table   *Table
	Figures []Figure
}

// Fact is a name and what it stands for.
type Fact struct{ Name, Value string }

// Figure is a picture, in the colours of the page.
type Figure struct {
	Title   string // below it, "" if it has one of its own
	Alt     string // what it shows, in words
	Picture figure.Figure
}

// Broad reports whether a picture is meant for the whole width of a page.
func (f Figure) Broad() bool {
	width, _ := f.Picture.Size()
	return width >= figure.Width
}

// Table is a table that is shown whole. The first cell of a row names it.
type Table struct {
	Caption string
	Titled  bool // a heading says what the caption says: it is for those who hear the page
	Stacked bool // on a narrow screen a row is a block, rather than a line that scrolls
	Columns []Column
	Rows    [][]Cell
}

// Column is a column of a table.
type Column struct {
	Name   string
	Number bool   // cells are set to the right
	Code   bool   // cells are sequences: letters of one width
	Help   string // what it is, where the name does not say it
}

// Cell is a cell of a table: text, and a drawing of what it says.
type Cell struct {
	Text  string
	Note  string // small, below the text
	Shade int    // of the background: 0 for none, up to MaxShade
	Good  bool   // the shade speaks well of it
	Range *Span  // nil: none
}

// MaxShade is the darkest shade of a cell.
const MaxShade = 9

// Span is a value and its interval, on a scale from 0 to 1.
type Span struct{ Lower, Value, Upper float64 }

// Shade returns the shade of a share from 0 to 1: every share above 0 has one.
func Shade(share float64) int { return min(MaxShade, int(math.Ceil(share*MaxShade))) }

// spanWidth is the number of units that a Span is drawn in.
const spanWidth = 100

// X places a value of a span in its drawing.
func (Span) X(value float64) string {
	return strconv.FormatFloat(2+float64((spanWidth-4)*min(1, max(0, value))), 'f', 1, 64)
}

// Bar describes the span's interval, empty if it has none.
func (s Span) Bar() string {
	if math.IsNaN(s.Lower) || math.IsNaN(s.Upper) || s.Lower > s.Upper {
		return ""
	}
	return fmt.Sprintf("M%s 6H%s", s.X(s.Lower), s.X(s.Upper))
}

// Class returns the classes of a cell of a column in the style.
func (c Cell) Class(of Column) string {
	var classes []string
	if of.Number {
		classes = append(classes, "number")
	}
	if of.Code {
		classes = append(classes, "code")
	}
	if c.Range != nil {
		classes = append(classes, "interval")
	}
	if long(c.Text) {
		classes = append(classes, "long")
	}
	if c.Shade > 0 {
		hue := "s"
		if c.Good {
			hue = "g"
		}
		classes = append(classes, hue+strconv.Itoa(min(c.Shade, MaxShade)))
	}
	return strings.Join(classes, " ")
}
