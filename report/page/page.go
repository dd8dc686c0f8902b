package page

import "github.com/seqsvm/seqsvm/report/figure"

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
