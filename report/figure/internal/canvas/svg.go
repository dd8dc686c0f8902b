package canvas

import (
	"bytes"
	"fmt"
	"html"
	"image/color"
	"io"
	"math"
	"strconv"
	"strings"

	xfont "golang.org/x/image/font"
	"gonum.org/v1/plot/font"
	"gonum.org/v1/plot/vg"
)

// SVGOptions are of an SVG that is part of a page. The zero value is a file of its own.
type SVGOptions struct {
	Inline  bool                   // an element of an HTML page
	Title   string                 // what is read to those who do not see the picture
	Classes string                 // of the element
	Names   map[color.NRGBA]string // custom properties of CSS for colours, as in "--ink"
}

// svg writes elements with presentation attributes alone: no style sheet, no style attribute, which a page's
// Content-Security-Policy may forbid, no id, which could be another picture's.
type svg struct {
	SVGOptions
	width, height float64
	body          bytes.Buffer
}

// NewSVG returns a canvas that is written as SVG.
func NewSVG(width, height vg.Length, o SVGOptions) *Canvas {
	return newCanvas(width, height, &svg{SVGOptions: o, width: width.Points(), height: height.Points()})
}

// pixels are the CSS pixels of a point.
const pixels = 4. / 3

// families are what text is set in where the Liberation fonts are not installed: letters of the same widths.
var families = map[font.Variant]string{
	"Sans": "Liberation Sans,Arial,Helvetica,sans-serif",
	"Mono": "Liberation Mono,Courier New,monospace",
}

func (d *svg) writeTo(w io.Writer) error {
	var head strings.Builder
	if !d.Inline {
		head.WriteString(`<?xml version="1.0" encoding="UTF-8"?>` + "\n")
	}
	head.WriteString(`<svg`)
	if !d.Inline {
		head.WriteString(` xmlns="http://www.w3.org/2000/svg"`)
	}
	if d.Classes != "" {
		fmt.Fprintf(&head, ` class="%s"`, html.EscapeString(d.Classes))
	}
	fmt.Fprintf(&head, ` width="%s" height="%s" viewBox="0 0 %s %s"`,
		number(d.width*pixels), number(d.height*pixels), number(d.width), number(d.height))
	fmt.Fprintf(&head, ` role="img" font-family="%s">`+"\n", families["Sans"])
	if d.Title != "" {
		fmt.Fprintf(&head, "<title>%s</title>\n", html.EscapeString(d.Title))
	}
	for _, part := range [][]byte{[]byte(head.String()), d.body.Bytes(), []byte("</svg>\n")} {
		if _, err := w.Write(part); err != nil {
			return err
		}
	}
	return nil
}

func (d *svg) stroke(p vg.Path, s style) {
	shape, closed := d.shape(p)
	fmt.Fprintf(&d.body, "<%s fill=\"none\"%s", shape, d.paint("stroke", s.color))
	if s.width != 1 {
		fmt.Fprintf(&d.body, ` stroke-width="%s"`, number(s.width))
	}
	if len(s.dashes) > 0 {
		dashes := make([]string, len(s.dashes))
		for i, length := range s.dashes {
			dashes[i] = number(length)
		}
		fmt.Fprintf(&d.body, ` stroke-dasharray="%s"`, strings.Join(dashes, " "))
	}
	if !closed && len(p) > 2 {
		d.body.WriteString(` stroke-linejoin="round"`)
	}
	d.body.WriteString("/>\n")
}

func (d *svg) fill(p vg.Path, c color.NRGBA) {
	shape, _ := d.shape(p)
	fmt.Fprintf(&d.body, "<%s%s/>\n", shape, d.paint("fill", c))
}

func (d *svg) disc(at vg.Point, radius vg.Length, c color.NRGBA) {
	fmt.Fprintf(&d.body, "<circle cx=\"%s\" cy=\"%s\" r=\"%s\"%s/>\n",
		number(at.X.Points()), number(d.height-at.Y.Points()), number(radius.Points()), d.paint("fill", c))
}

func (d *svg) text(s string, face font.Face, m matrix, c color.NRGBA) {
	x, y := number(m.e), number(d.height-m.f)
	if m.a == 1 && m.b == 0 && m.c == 0 && m.d == 1 {
		fmt.Fprintf(&d.body, `<text x="%s" y="%s"`, x, y)
	} else {
		fmt.Fprintf(&d.body, `<text transform="matrix(%s %s %s %s %s %s)"`,
			exact(m.a), exact(-m.b), exact(-m.c), exact(m.d), x, y)
	}
	fmt.Fprintf(&d.body, ` font-size="%s"%s`, number(face.Font.Size.Points()), d.paint("fill", c))
	if family := face.Font.Variant; family != "Sans" && families[family] != "" {
		fmt.Fprintf(&d.body, ` font-family="%s"`, families[family])
	}
	if face.Font.Weight >= xfont.WeightSemiBold {
		d.body.WriteString(` font-weight="bold"`)
	}
	fmt.Fprintf(&d.body, ">%s</text>\n", html.EscapeString(s))
}

// paint is the attribute of a colour.
func (d *svg) paint(attribute string, c color.NRGBA) string {
	opaque := c
	opaque.A = 0xff
	text := fmt.Sprintf("#%02x%02x%02x", c.R, c.G, c.B)
	if name := d.Names[opaque]; name != "" {
		text = fmt.Sprintf("var(%s,%s)", name, text)
	}
	text = fmt.Sprintf(` %s="%s"`, attribute, text)
	if c.A != 0xff {
		text += fmt.Sprintf(` %s-opacity="%s"`, attribute, number(float64(c.A)/0xff))
	}
	return text
}

// shape is a path as an element without its end, a polyline or polygon where it has one line alone.
func (d *svg) shape(p vg.Path) (element string, closed bool) {
	lines := 0
	for i, step := range p {
		switch {
		case step.Type == vg.LineComp && i > 0, step.Type == vg.MoveComp && i == 0:
			lines++
		case step.Type == vg.CloseComp && i == len(p)-1:
			closed = true
		default:
			return `path d="` + d.path(p) + `"`, false
		}
	}
	var b strings.Builder
	for i, step := range p[:lines] {
		if i > 0 {
			b.WriteByte(' ')
		}
		b.WriteString(d.at(step.Pos))
	}
	name := "polyline"
	if closed {
		name = "polygon"
	}
	return name + ` points="` + b.String() + `"`, closed
}

func (d *svg) path(p vg.Path) string {
	var b strings.Builder
	for _, step := range p {
		switch step.Type {
		case vg.MoveComp:
			b.WriteString("M" + d.at(step.Pos))
		case vg.LineComp:
			b.WriteString("L" + d.at(step.Pos))
		case vg.CurveComp:
			b.WriteByte(" QC"[len(step.Control)])
			for _, control := range step.Control {
				b.WriteString(d.at(control) + " ")
			}
			b.WriteString(d.at(step.Pos))
		case vg.CloseComp:
			b.WriteByte('Z')
		}
	}
	return b.String()
}

func (d *svg) at(p vg.Point) string {
	return number(p.X.Points()) + "," + number(d.height-p.Y.Points())
}

// number is a length of at most two decimals: multiples of 1/128 are never half of a hundredth but where that is exact.
func number(x float64) string {
	return strconv.FormatFloat(math.Round(x*100)/100+0, 'f', -1, 64)
}

// exact is a coefficient.
func exact(x float64) string { return strconv.FormatFloat(x+0, 'f', -1, 64) }
