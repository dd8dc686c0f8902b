package canvas

import (
	"bytes"
	"compress/zlib"
	"fmt"
	"image/color"
	"io"
	"math"
	"slices"
	"strings"

	xfont "golang.org/x/image/font"
	"golang.org/x/text/encoding/charmap"
	"gonum.org/v1/plot/font"
	"gonum.org/v1/plot/vg"
)

// pdf is one page. Its fonts are of the fourteen that every reader has, so that none is in the file.
type pdf struct {
	width, height float64
	page          bytes.Buffer
	fonts         []string     // names of base fonts: /F0, /F1, …
	opacities     []uint8      // /A0, /A1, …
	now           *color.NRGBA // the colour that is set
	err           error        // the first
}

// NewPDF returns a canvas that is written as one page of PDF.
func NewPDF(width, height vg.Length) *Canvas {
	return newCanvas(width, height, &pdf{width: width.Points(), height: height.Points()})
}

// writeTo writes the objects 1 catalogue, 2 pages, 3 page, 4 content, then fonts and opacities.
func (d *pdf) writeTo(w io.Writer) error {
	if d.err != nil {
		return d.err
	}
	var packed bytes.Buffer
	z := zlib.NewWriter(&packed)
	_, _ = z.Write(d.page.Bytes()) // to memory
	_ = z.Close()
	var resources strings.Builder
	next := 5
	objects := []string{
		"<</Type/Catalog/Pages 2 0 R>>", "<</Type/Pages/Kids[3 0 R]/Count 1>>", "",
		fmt.Sprintf("<</Length %d/Filter/FlateDecode>>\nstream\n%s\nendstream", packed.Len(), packed.String()),
	}
	resources.WriteString("/Font<<")
	for i, name := range d.fonts {
		fmt.Fprintf(&resources, "/F%d %d 0 R", i, next)
		objects = append(objects, fmt.Sprintf(
			"<</Type/Font/Subtype/Type1/BaseFont/%s/Encoding/WinAnsiEncoding>>", name))
		next++
	}
	resources.WriteString(">>/ExtGState<<")
	for i, opacity := range d.opacities {
		value := number(float64(opacity) / 0xff)
		fmt.Fprintf(&resources, "/A%d<</ca %s/CA %s>>", i, value, value)
	}
	resources.WriteString(">>")
	objects[2] = fmt.Sprintf("<</Type/Page/Parent 2 0 R/MediaBox[0 0 %s %s]/Resources<<%s>>/Contents 4 0 R>>",
		number(d.width), number(d.height), resources.String())
	return writeObjects(w, objects)
}

// writeObjects writes a file of objects numbered from 1, the first the catalogue.
func writeObjects(w io.Writer, objects []string) error {
	var b bytes.Buffer
	b.WriteString("%PDF-1.4\n%\xe2\xe3\xcf\xd3\n")
	starts := make([]int, len(objects))
	for i, object := range objects {
		starts[i] = b.Len()
		fmt.Fprintf(&b, "%d 0 obj\n%s\nendobj\n", i+1, object)
	}
	table := b.Len()
	fmt.Fprintf(&b, "xref\n0 %d\n0000000000 65535 f \n", len(objects)+1)
	for _, start := range starts {
		fmt.Fprintf(&b, "%010d 00000 n \n", start)
	}
	fmt.Fprintf(&b, "trailer\n<</Size %d/Root 1 0 R>>\nstartxref\n%d\n%%%%EOF\n", len(objects)+1, table)
	_, err := w.Write(b.Bytes())
	return err
}

func (d *pdf) stroke(p vg.Path, s style) {
	d.paint(s.color)
	dashes := make([]string, len(s.dashes))
	for i, length := range s.dashes {
		dashes[i] = number(length)
	}
	fmt.Fprintf(&d.page, "%s w [%s] 0 d\n", number(s.width), strings.Join(dashes, " "))
	d.path(p)
	d.page.WriteString("S\n")
}

func (d *pdf) fill(p vg.Path, c color.NRGBA) {
	if len(p) == 0 {
		return
	}
	d.paint(c)
	d.path(p)
	d.page.WriteString("f\n")
}

func (d *pdf) disc(at vg.Point, radius vg.Length, c color.NRGBA) {
	const handle = 0.5523
	r, k := radius, vg.Length(float64(radius*handle))
	point := func(x, y vg.Length) vg.Point { return vg.Point{X: at.X + x, Y: at.Y + y} }
	var p vg.Path
	p.Move(point(r, 0))
	p.CubeTo(point(r, k), point(k, r), point(0, r))
	p.CubeTo(point(-k, r), point(-r, k), point(-r, 0))
	p.CubeTo(point(-r, -k), point(-k, -r), point(0, -r))
	p.CubeTo(point(k, -r), point(r, -k), point(r, 0))
	p.Close()
	d.fill(identity.path(p), c)
}

// text writes text as text if its letters are in the encoding of the fonts, otherwise by their outlines.
func (d *pdf) text(s string, face font.Face, m matrix, c color.NRGBA) {
	const minus, dash = "\u2212", "\u2013" // of nearly the same width, and the second is in the encoding
	encoded, err := charmap.Windows1252.NewEncoder().String(strings.ReplaceAll(s, minus, dash))
	if err != nil {
		path, err := outline(s, face, m)
		if err != nil && d.err == nil {
			d.err = err
		}
		d.fill(path, c)
		return
	}
	d.paint(c)
	escaped := strings.NewReplacer(`\`, `\\`, `(`, `\(`, `)`, `\)`, "\r", `\r`, "\n", `\n`).Replace(encoded)
	fmt.Fprintf(&d.page, "BT /F%d %s Tf %s %s %s %s %s %s Tm (%s) Tj ET\n", d.font(face),
		number(face.Font.Size.Points()), exact(m.a), exact(m.b), exact(m.c), exact(m.d), number(m.e), number(m.f),
		escaped)
}

// font returns the number of a base font.
func (d *pdf) font(face font.Face) int {
	name := "Helvetica"
	if face.Font.Variant == "Mono" {
		name = "Courier"
	}
	if face.Font.Weight >= xfont.WeightSemiBold {
		name += "-Bold"
	}
	return index(&d.fonts, name)
}

// index returns the place of a value in a list, to which it is added if it is new.
func index[T comparable](list *[]T, value T) int {
	at := slices.Index(*list, value)
	if at < 0 {
		at, *list = len(*list), append(*list, value)
	}
	return at
}

// paint sets the colour and opacity of what follows.
func (d *pdf) paint(c color.NRGBA) {
	if d.now != nil && *d.now == c {
		return
	}
	share := func(x uint8) string { return exact(math.Round(float64(x)*1000/0xff) / 1000) }
	rgb := share(c.R) + " " + share(c.G) + " " + share(c.B)
	fmt.Fprintf(&d.page, "%s rg %s RG /A%d gs\n", rgb, rgb, index(&d.opacities, c.A))
	d.now = &c
}

func (d *pdf) path(p vg.Path) {
	var last vg.Point
	for _, step := range p {
		switch step.Type {
		case vg.MoveComp:
			d.page.WriteString(pdfAt(step.Pos) + " m\n")
		case vg.LineComp:
			d.page.WriteString(pdfAt(step.Pos) + " l\n")
		case vg.CurveComp:
			first, second := controls(last, step)
			d.page.WriteString(pdfAt(first) + " " + pdfAt(second) + " " + pdfAt(step.Pos) + " c\n")
		case vg.CloseComp:
			d.page.WriteString("h\n")
			continue
		}
		last = step.Pos
	}
}

// controls are the control points of a curve as a cubic one.
func controls(from vg.Point, curve vg.PathComp) (first, second vg.Point) {
	if len(curve.Control) == 2 {
		return curve.Control[0], curve.Control[1]
	}
	toward := func(p vg.Point) vg.Point {
		const share = 2. / 3
		q := curve.Control[0]
		return vg.Point{
			X: vg.Length(snap(between(p.X, q.X, share).Points())), Y: vg.Length(snap(between(p.Y, q.Y, share).Points())),
		}
	}
	return toward(from), toward(curve.Pos)
}

func pdfAt(p vg.Point) string { return number(p.X.Points()) + " " + number(p.Y.Points()) }
