package figure_test

import (
	"fmt"
	"math"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/seqsvm/seqsvm/internal/must"
	"github.com/seqsvm/seqsvm/report/figure"
	"github.com/seqsvm/seqsvm/stringkernel"
)

// box is the extent of an outline, y downwards, and its colour.
type box struct {
	left, top, right, bottom float64
	fill                     string
}

func (b box) height() float64 { return b.bottom - b.top }

// outlines are the boxes of the filled paths and polygons of a figure in SVG, in order, without the background.
func outlines(t *testing.T, f figure.Figure) (list []box) {
	t.Helper()
	for _, e := range elements(t, written(t, "svg", figure.Light, f)) {
		points := e.attributes["d"] + e.attributes["points"]
		if fill := e.attributes["fill"]; points != "" && fill != "none" && fill != "#ffffff" {
			list = append(list, boxOf(t, points, fill))
		}
	}
	return list
}

var point = regexp.MustCompile(`(-?[\d.]+),(-?[\d.]+)`)

func boxOf(t *testing.T, points, fill string) box {
	t.Helper()
	b := box{math.Inf(1), math.Inf(1), math.Inf(-1), math.Inf(-1), fill}
	for _, m := range point.FindAllStringSubmatch(points, -1) {
		x, errX := strconv.ParseFloat(m[1], 64)
		y, errY := strconv.ParseFloat(m[2], 64)
		if errX != nil || errY != nil {
			t.Fatalf("point %q", m[0])
		}
		b = box{min(b.left, x), min(b.top, y), max(b.right, x), max(b.bottom, y), fill}
	}
	return b
}

// hex is a colour as SVG writes it.
func hex(a stringkernel.Alphabet, letter byte) string {
	c := figure.Light.LetterColor(a, letter)
	return fmt.Sprintf("#%02x%02x%02x", c.R, c.G, c.B)
}

// near reports whether two lengths agree but for the rounding of coordinates.
func near(a, b float64) bool { return math.Abs(a-b) < 0.03 }

// Letters of a logo are as high as their share of the information of the position, and stand upon each other without
// gaps, the most probable on top.
func TestLogo(t *testing.T) {
	logo := figure.Logo{
		Title: "m", Alphabet: stringkernel.DNA, Letters: "ACGT",
		Matrix: [][]float64{{0.125, 0.5, 0.25, 0.125}, {0, 0, 1, 0}}, Bits: []float64{0.25, 2},
	}
	letters := outlines(t, logo)
	if len(letters) != 5 {
		t.Fatalf("%d letters, want 5", len(letters))
	}
	perBit := letters[4].height() / 2 // of G, 2 bits
	foot := letters[4].bottom
	for i, want := range []struct {
		letter byte
		share  float64
	}{{'A', 0.125}, {'T', 0.125}, {'G', 0.25}, {'C', 0.5}} {
		l := letters[i]
		if !near(l.height(), want.share*0.25*perBit) || !near(l.bottom, foot) || l.fill != hex(logo.Alphabet, want.letter) {
			t.Errorf("letter %d is %+v, want %c with %.3f of %.2f above %.2f", i, l, want.letter, want.share, 0.25*perBit, foot)
		}
		foot = l.top
	}
	if letters[4].left < letters[0].right || letters[4].height() < 20 {
		t.Errorf("the second stack is %+v, beside %+v", letters[4], letters[0])
	}
}

// Letters of a track are as high as their contributions on one scale, above or below one line in each row.
func TestTrack(t *testing.T) {
	n := figure.RowLetters + 3
	track := figure.Track{
		Title: "r", Alphabet: stringkernel.DNA, Letters: []byte(strings.Repeat("ACGT", n)[:n]), Values: make([]float64, n),
	}
	for i := range track.Values {
		track.Values[i] = float64(i%9-3) / 4
	}
	letters := outlines(t, track)
	k, scale := 0, 0.0
	lines := map[int]float64{} // of zero, by row
	for i, v := range track.Values {
		if v == 0 {
			continue
		}
		l := letters[k]
		k++
		if scale == 0 {
			scale = l.height() / math.Abs(v)
		}
		line := l.bottom
		if v < 0 {
			line = l.top
		}
		row := i / figure.RowLetters
		if _, known := lines[row]; !known {
			lines[row] = line
		}
		if !near(l.height(), scale*math.Abs(v)) || !near(line, lines[row]) || l.fill != hex(track.Alphabet, track.Letters[i]) {
			t.Errorf("letter %d of %v is %+v, want a height of %.2f at %.2f", i, v, l, scale*math.Abs(v), lines[row])
		}
	}
	if k != len(letters) || len(lines) != 2 || figure.Rows(n) != 2 {
		t.Errorf("%d outlines of %d letters in %d rows", len(letters), k, len(lines))
	}
	shown := texts(elements(t, written(t, "svg", figure.Light, track)))
	for _, want := range []string{"r\n", "\n1\n", "\n10\n", "\n100\n", "\n1.2\n", "\n\u22120.75\n"} {
		if !strings.Contains("\n"+shown, want) {
			t.Errorf("no %q in\n%s", want, shown)
		}
	}
}

// Nucleotides have four colours in both themes, U is T, and residues have those of their kind.
func TestLetterColor(t *testing.T) {
	for _, theme := range []*figure.Theme{figure.Light, figure.Dark} {
		seen := map[string]bool{}
		for _, letter := range []byte("ACGT") {
			seen[fmt.Sprint(theme.LetterColor(stringkernel.DNA, letter))] = true
		}
		if len(seen) != 4 || theme.LetterColor(stringkernel.RNA, 'U') != theme.LetterColor(stringkernel.DNA, 'T') {
			t.Errorf("colours %v", seen)
		}
		if theme.LetterColor(stringkernel.Protein, 'D') != theme.LetterColor(stringkernel.Protein, 'E') ||
			theme.LetterColor(stringkernel.Protein, 'D') == theme.LetterColor(stringkernel.Protein, 'K') ||
			theme.LetterColor(stringkernel.DNA, 'N') != theme.Muted || theme.LetterColor("", 'x') != theme.Ink ||
			theme.LetterColor("", ' ') != theme.Muted {
			t.Error("colours of residues and other letters")
		}
	}
}

// Cells of a heat map have the share of the greatest absolute value, each in its place; zeros and NaN have none.
func TestHeat(t *testing.T) {
	heat := figure.Heat{
		Title: "h", XName: "x", Names: []string{"AC", "GT"},
		Values: [][]float64{{4, 0, -2, 1}, {math.NaN(), 1, 0, -4}},
	}
	type cell struct {
		column  int
		fill    string
		opacity string
	}
	var cells []cell
	blue, red := "#0072b2", "#d55e00"
	var left, wide float64
	for _, e := range elements(t, written(t, "svg", figure.Light, heat)) {
		if fill := e.attributes["fill"]; e.name != "polygon" || fill != blue && fill != red || len(cells) == 6 {
			continue
		}
		b := boxOf(t, e.attributes["points"], "")
		if cells == nil {
			left, wide = b.left, b.right-b.left
		}
		cells = append(cells, cell{int(math.Round((b.left - left) / wide)), e.attributes["fill"], e.attributes["fill-opacity"]})
	}
	want := []cell{{0, blue, ""}, {2, red, "0.5"}, {3, blue, "0.25"}, {1, blue, "0.25"}, {3, red, ""}}
	if fmt.Sprint(cells[:min(5, len(cells))]) != fmt.Sprint(want) {
		t.Errorf("cells %v, want %v", cells, want)
	}
}

// A profile has an area per run of values of one sign; what is not a number has none, and lines and marks are drawn.
func TestProfile(t *testing.T) {
	least := 2.5
	profile := figure.Profile{
		Title: "p", Values: []float64{1, 2, -1, math.NaN(), 3, 3}, Step: 1000, Threshold: &least,
		Spans: []figure.Span{{From: 4, To: 6}},
	}
	areas := outlines(t, profile)
	if len(areas) != 4 { // the last is the mark
		t.Fatalf("areas %+v, want 3 and a mark", areas)
	}
	perUnit := areas[0].height() / 2
	for i, want := range []float64{2, 1, 3} {
		if !near(areas[i].height(), want*perUnit) {
			t.Errorf("area %d is %.2f high, want %.2f", i, areas[i].height(), want*perUnit)
		}
	}
	if !near(areas[3].left, areas[2].left) || !near(areas[3].right, areas[2].right) {
		t.Errorf("the mark is %+v, below %+v", areas[3], areas[2])
	}
}

// Each letter of a sequence is written once in the heat map of changes, in the row of its base and the column of its
// position, and rows have one scale and the positions of the sequence.
func TestChanges(t *testing.T) {
	n := figure.RowLetters + 20
	letters := []byte(strings.Repeat("ACGTN", n)[:n])
	k := figure.Changes{Title: "r", Letters: letters, Others: []byte("ACGT"), Values: make([]float64, 4*n)}
	k.Values[1], k.Values[4*n-1] = -1, 0.5
	list := elements(t, written(t, "svg", figure.Light, k))
	seen, rows := 0, map[string]int{}
	for _, e := range list {
		if letter := strings.TrimSpace(e.text); e.name == "text" && len(letter) == 1 && strings.Contains("ACGT", letter) {
			y, _, _ := strings.Cut(e.attributes["y"], ".")
			rows[y+letter]++
			seen++
		}
	}
	if want := n - n/5 + 2*4; seen != want || len(rows) != 8 {
		t.Errorf("%d letters in the rows %v, want %d", seen, rows, want)
	}
	for _, want := range []string{"r\n", "100\n", "110\n", "120\n", "1\n", "\u22121\n"} {
		if all := texts(list); !strings.Contains(all, want) {
			t.Errorf("%q is not in %q", want, all)
		}
	}
}

// Words follow each other in lines within the width, and those of no weight are not marked.
func TestWords(t *testing.T) {
	w := figure.Words{Title: "t", Words: strings.Fields(strings.Repeat("good sun ", 100)), Values: make([]float64, 200)}
	w.Words[7], w.Values[3], w.Values[5] = strings.Repeat("x", 1000), 2, -1
	marked := 0
	for _, e := range elements(t, written(t, "svg", figure.Light, w)) {
		if e.name == "text" {
			if x := must.Get(strconv.ParseFloat(e.attributes["x"], 64))(t); x > 600 {
				t.Errorf("%.20s begins at %v", e.text, x)
			}
		}
		if e.attributes["stroke-dasharray"] != "" || strings.Contains(e.attributes["fill-opacity"], "0.") {
			marked++
		}
	}
	if marked != 3 {
		t.Errorf("%d areas and dashed lines, want 3: two words, one of them below zero", marked)
	}
}

// Figures of sequences are drawn in all formats, and without data.
func TestSequenceFormats(t *testing.T) {
	all := figure.Grid{Columns: 1, Panels: []figure.Figure{
		figure.Logo{}, figure.Track{}, figure.Heat{}, figure.Profile{}, figure.Changes{}, figure.Words{},
		figure.Track{Alphabet: stringkernel.Bytes, Letters: []byte("a b\x00\xff"), Values: []float64{1, 2, 3, 4, math.NaN()}},
		figure.Logo{Alphabet: stringkernel.Protein, Letters: "ACDEF", Matrix: [][]float64{{1, 0, 0, 0, 0}}, Bits: []float64{4}},
	}}
	for _, format := range figure.Formats {
		written(t, format, figure.Dark, all)
	}
}

// Pictures of several records have the ends of all values on each axis, which the first says; one record has its own.
func TestOneScale(t *testing.T) {
	small := figure.Track{Title: "small", Note: "a", Alphabet: stringkernel.DNA, Letters: []byte("ACGT"), Values: []float64{1, 0, -1, 0}}
	great := small
	great.Values = []float64{0, 4, 0, -2}
	ends := func(records ...figure.Figure) string {
		figure.OneScale(records)
		svg := written(t, "svg", figure.Light, figure.Grid{Columns: 1, Panels: records})
		return strings.Join(strings.Fields(texts(elements(t, svg))), " ")
	}
	both := ends(small, great)
	for text, want := range map[string]int{
		"4 0 \u22122": 2, "1 0 \u22121": 0, "small a; one scale for all records": 1, "small a": 2,
	} {
		if got := strings.Count(both, text); got != want {
			t.Errorf("%q is there %d times, want %d:\n%s", text, got, want, both)
		}
	}
	if one := ends(small); !strings.Contains(one, "1 0 \u22121") || strings.Contains(one, "scale") {
		t.Errorf("one record alone has %s", one)
	}
	words := []figure.Figure{figure.Words{Words: []string{"a"}, Values: []float64{1}}, figure.Words{Words: []string{"b"},
		Values: []float64{-3}}, figure.Changes{Letters: []byte("A"), Others: []byte("C"), Values: []float64{2}}}
	figure.OneScale(words)
	want := figure.Scale{Least: -3, Most: 2}
	if words[0].(figure.Words).Scale != want || words[1].(figure.Words).Scale != want || words[2].(figure.Changes).Scale != want {
		t.Errorf("scales %+v", words)
	}
}
