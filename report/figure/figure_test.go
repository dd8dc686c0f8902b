package figure_test

import (
	"bytes"
	"encoding/xml"
	"errors"
	"fmt"
	"image/png"
	"io"
	"strings"
	"testing"

	"github.com/seqsvm/seqsvm/internal/must"
	"github.com/seqsvm/seqsvm/report/figure"
)

// written is a figure as a file.
func written(t *testing.T, format string, theme *figure.Theme, f figure.Figure) []byte {
	t.Helper()
	var first, again bytes.Buffer
	must.Succeed(t, figure.Write(&first, format, theme, f))
	if err := figure.Write(&again, format, theme, f); err != nil || !bytes.Equal(first.Bytes(), again.Bytes()) {
		t.Errorf("%s: other bytes when drawn again, %v", format, err)
	}
	return first.Bytes()
}

// element is an element of an SVG with its attributes and its text.
type element struct {
	name       string
	attributes map[string]string
	text       string
}

// elements parses an SVG, which has to be well-formed.
func elements(t *testing.T, svg []byte) (list []element) {
	t.Helper()
	decoder := xml.NewDecoder(bytes.NewReader(svg))
	for {
		token, err := decoder.Token()
		if errors.Is(err, io.EOF) {
			return list
		}
		if err != nil {
			t.Fatalf("%v in\n%s", err, svg)
		}
		switch token := token.(type) {
		case xml.StartElement:
			e := element{name: token.Name.Local, attributes: map[string]string{}}
			for _, a := range token.Attr {
				e.attributes[a.Name.Local] = a.Value
			}
			list = append(list, e)
		case xml.CharData:
			if len(list) > 0 {
				list[len(list)-1].text += string(token)
			}
		}
	}
}

// texts are the texts of an SVG, one per line.
func texts(list []element) string {
	var b strings.Builder
	for _, e := range list {
		if e.name == "text" {
			b.WriteString(e.text + "\n")
		}
	}
	return b.String()
}

var sample = figure.Scatter{
	X: []float64{0, 1, 2}, Y: []float64{0, 4, 1}, Labels: []string{"One & <two>", "b", "One & <two>"},
	XName: "x", YName: "y",
}

// TestFormats: every format, both themes, panels: files that begin as such files do.
func TestFormats(t *testing.T) {
	begins := map[string]string{"svg": "<?xml", "png": "\x89PNG", "pdf": "%PDF-1.4"}
	for _, format := range figure.Formats {
		for _, theme := range []*figure.Theme{figure.Light, figure.Dark} {
			file := written(t, format, theme, figure.Grid{Columns: 1, Panels: []figure.Figure{sample, sample}})
			if !strings.HasPrefix(string(file), begins[format]) {
				t.Errorf("%s begins with %q", format, file[:8])
			}
		}
	}
	if err := figure.Write(io.Discard, "gif", figure.Light, sample); err == nil {
		t.Error("no error about gif")
	}
}

func TestFormatOf(t *testing.T) {
	for path, want := range map[string]string{
		"a.svg": "svg", "b/C.PNG": "png", "x.pdf": "pdf", "x.gif": "", "svg": "", "": "",
	} {
		if got := figure.FormatOf(path); got != want {
			t.Errorf("%s: %q, want %q", path, got, want)
		}
	}
}

// TestThemes: as many series in both, all different, and text and series that stand out from the background: contrast
// by WCAG 2 of 4.5 for text, and of 2 for the lightest series.
func TestThemes(t *testing.T) {
	for name, theme := range map[string]*figure.Theme{"light": figure.Light, "dark": figure.Dark} {
		if len(theme.Series) != len(figure.Light.Series) {
			t.Errorf("%s has %d series", name, len(theme.Series))
		}
		if c := contrast(theme.Ink, theme.Background); c < 4.5 {
			t.Errorf("%s: contrast of text %.1f", name, c)
		}
		if c := contrast(theme.Muted, theme.Background); c < 4.5 {
			t.Errorf("%s: contrast of small text %.1f", name, c)
		}
		for i, series := range theme.Series {
			if c := contrast(series, theme.Background); c < 2 {
				t.Errorf("%s: contrast of series %d %.1f", name, i, c)
			}
		}
	}
}

// TestSVG: text is text, escaped, and the size is that of the page.
func TestSVG(t *testing.T) {
	list := elements(t, written(t, "svg", figure.Light, sample))
	root := list[0]
	if root.name != "svg" || root.attributes["viewBox"] != "0 0 620 450" || root.attributes["width"] != "826.67" {
		t.Errorf("root %v", root)
	}
	for _, want := range []string{"One & <two>\n", "x\n", "y\n", "b\n"} {
		if !strings.Contains(texts(list), want) {
			t.Errorf("no text %q", want)
		}
	}
}

// TestInline: no ids, no styles, no declaration; colours by properties that the style sheet has for both themes.
func TestInline(t *testing.T) {
	var b bytes.Buffer
	must.Succeed(t, figure.Inline(&b, "a map", sample))
	list := elements(t, b.Bytes())
	if list[0].name != "svg" || list[1].name != "title" || strings.TrimSpace(list[1].text) != "a map" {
		t.Errorf("begins with %v", list[:2])
	}
	sheet := figure.StyleSheet()
	for _, e := range list {
		for _, name := range []string{"id", "style", "href"} {
			if _, has := e.attributes[name]; has {
				t.Errorf("%s has %s", e.name, name)
			}
		}
		paint := e.attributes["fill"] + e.attributes["stroke"]
		if at := strings.Index(paint, "--"); at >= 0 {
			if name, _, _ := strings.Cut(paint[at:], ","); strings.Count(sheet, name+":") != 3 {
				t.Errorf("style sheet without %s", name)
			}
		} else if paint != "" {
			t.Errorf("%s is painted %s, not by a property", e.name, paint)
		}
	}
}

// TestPNG: 144 pixels per inch, two per CSS pixel and a half.
func TestPNG(t *testing.T) {
	picture, err := png.Decode(bytes.NewReader(written(t, "png", figure.Dark, sample)))
	if err != nil || picture.Bounds().Dx() != 1240 {
		t.Fatalf("%v, %v", picture.Bounds(), err)
	}
	if r, g, b, _ := picture.At(0, 0).RGBA(); r>>8 != 0x15 || g>>8 != 0x19 || b>>8 != 0x1e {
		t.Errorf("background %x %x %x", r, g, b)
	}
}

// TestConfusionNames: names that are wider than their columns are written whole, upwards, and a matrix of many classes
// has a row of its own.
func TestConfusionNames(t *testing.T) {
	for _, classes := range []int{3, 9, 30} {
		f := figure.Confusion{Title: "Confusion matrix", Counts: make([][]int64, classes)}
		for c := range classes {
			f.Classes = append(f.Classes, fmt.Sprintf("mitochondrial-%d", c))
			f.Counts[c] = make([]int64, classes)
		}
		var svg bytes.Buffer
		must.Succeed(t, figure.Write(&svg, "svg", figure.Light, f))
		for _, name := range f.Classes {
			if n := strings.Count(svg.String(), ">"+name+"<"); n != 2 {
				t.Errorf("%s is written %d times, want beside a row and below a column", name, n)
			}
		}
		panels := []figure.Figure{figure.Chart{}, f, figure.Chart{}}
		width, _ := figure.Grid{Columns: 2, Panels: panels}.Size()
		if width != figure.Width {
			t.Errorf("%d classes beside charts are %v wide, want %v", classes, width, figure.Width)
		}
	}
}
