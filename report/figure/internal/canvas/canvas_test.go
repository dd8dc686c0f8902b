package canvas

import (
	"bytes"
	"compress/zlib"
	"fmt"
	"image/color"
	"image/png"
	"io"
	"math"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"gonum.org/v1/plot/font"
	"gonum.org/v1/plot/font/liberation"
	"gonum.org/v1/plot/vg"

	"github.com/seqsvm/seqsvm/internal/must"
)

func face(t *testing.T) font.Face {
	t.Helper()
	cache := font.NewCache(liberation.Collection())
	return cache.Lookup(font.Font{Typeface: "Liberation", Variant: "Sans"}, 20)
}

// drawn draws one of everything: a square turned by a right angle about its corner, a disc, a curve, text.
func drawn(t *testing.T, c *Canvas) []byte {
	t.Helper()
	c.SetColor(color.NRGBA{R: 0xff, A: 0xff})
	c.Push()
	c.Translate(vg.Point{X: 40, Y: 10})
	c.Rotate(math.Pi / 2)
	c.Fill(vg.Rectangle{Max: vg.Point{X: 10, Y: 20}}.Path()) // from (20, 10) to (40, 20)
	c.Pop()
	var disc, curve vg.Path
	disc.Move(vg.Point{X: 75, Y: 50})
	disc.Arc(vg.Point{X: 70, Y: 50}, 5, 0, 2*math.Pi)
	disc.Close()
	c.Fill(disc)
	curve.Move(vg.Point{X: 10, Y: 80})
	curve.QuadTo(vg.Point{X: 50, Y: 95}, vg.Point{X: 90, Y: 80})
	c.Stroke(curve)
	c.FillString(face(t), vg.Point{X: 5, Y: 30}, "a(b)\\ −5 λ")
	c.FillString(face(t), vg.Point{X: 5, Y: 60}, "a(b)")
	var b bytes.Buffer
	must.Succeed(t, c.Write(&b))
	return b.Bytes()
}

func TestPixels(t *testing.T) {
	picture := must.Get(png.Decode(bytes.NewReader(drawn(t, NewPNG(100, 100)))))(t)
	red, none := color.NRGBA{R: 0xff, A: 0xff}, color.NRGBA{}
	for at, want := range map[[2]int]color.NRGBA{ // points from the lower left corner
		{30, 15}: red, {18, 15}: none, {42, 15}: none, {30, 22}: none, {70, 50}: red, {70, 44}: none,
	} {
		got := color.NRGBAModel.Convert(picture.At(2*at[0], 199-2*at[1]))
		if got != want {
			t.Errorf("pixel at %v is %v, want %v", at, got, want)
		}
	}
}

func TestElements(t *testing.T) {
	svg := string(drawn(t, NewSVG(100, 100, SVGOptions{})))
	for _, want := range []string{
		`<polygon points="40,90 40,80 20,80 20,90" fill="#ff0000"/>`, `<circle cx="70" cy="50" r="5" fill="#ff0000"/>`,
		`<path d="M10,20Q50,5 90,20" fill="none" stroke="#ff0000"`, `>a(b)\ −5 λ</text>`, `<text x="5" y="40" font-size="20"`,
	} {
		if !strings.Contains(svg, want) {
			t.Errorf("no %s in\n%s", want, svg)
		}
	}
}

// TestPDF: objects are where the table says, and the page has text as text where the encoding allows.
func TestPDF(t *testing.T) {
	file := drawn(t, NewPDF(100, 100))
	start := regexp.MustCompile(`startxref\n(\d+)\n%%EOF\n$`).FindSubmatch(file)
	if start == nil {
		t.Fatal("no table")
	}
	at, _ := strconv.Atoi(string(start[1]))
	entries := regexp.MustCompile(`(\d{10}) 00000 n `).FindAllSubmatch(file[at:], -1)
	for i, entry := range entries {
		offset, _ := strconv.Atoi(string(entry[1]))
		if want := fmt.Sprintf("%d 0 obj\n", i+1); !bytes.HasPrefix(file[offset:], []byte(want)) {
			t.Errorf("object %d is not at %d", i+1, offset)
		}
	}
	_, stream, _ := bytes.Cut(file, []byte("stream\n"))
	z := must.Get(zlib.NewReader(bytes.NewReader(stream)))(t)
	page := must.Get(io.ReadAll(z))(t)
	if text := string(page); strings.Count(text, "BT ") != 1 || !strings.Contains(text, `(a\(b\)) Tj ET`) {
		t.Errorf("page\n%s", text)
	}
	if len(entries) != 5 || !strings.Contains(string(file), "/BaseFont/Helvetica/Encoding/WinAnsiEncoding") {
		t.Errorf("%d objects", len(entries))
	}
}
