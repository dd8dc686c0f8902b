package figure

import (
	"image/color"
	"sync"

	"codeberg.org/go-fonts/liberation/liberationmonoregular"
	"codeberg.org/go-fonts/liberation/liberationsansbold"
	"codeberg.org/go-fonts/liberation/liberationsansregular"
	"golang.org/x/image/font"
	"golang.org/x/image/font/opentype"
	plotfont "gonum.org/v1/plot/font"
	"gonum.org/v1/plot/text"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
)

// Theme is the colours of a picture. Use Light or Dark; both have as many Series.
type Theme struct {
	Background color.NRGBA
	Ink        color.NRGBA // text and axes
	Muted      color.NRGBA // text beside the point: notes, ticks
	Grid       color.NRGBA // lines behind the data
	// Series are the colours of classes, kernels and bases: those of M. Okabe and K. Ito, which people who see colours
	// differently can tell apart. Number i has the same hue in both themes, but for those that would be too faint.
	Series []color.NRGBA
}

// Light is for white paper.
var Light = &Theme{
	Background: rgb(0xffffff), Ink: rgb(0x1b1f24), Muted: rgb(0x57606a), Grid: rgb(0xe3e6ea),
	Series: []color.NRGBA{
		rgb(0x0072b2), rgb(0xd55e00), rgb(0x009e73), rgb(0xcc79a7), rgb(0xe69f00), rgb(0x56b4e9), rgb(0x000000),
	},
}

// Dark is for dark screens. The blue and the black of the light theme are a lighter blue and white, and sky blue is
// yellow.
var Dark = &Theme{
	Background: rgb(0x15191e), Ink: rgb(0xe6e9ec), Muted: rgb(0xa3acb5), Grid: rgb(0x343b43),
	Series: []color.NRGBA{
		rgb(0x56b4e9), rgb(0xe8742a), rgb(0x1fbf91), rgb(0xdf9bc2), rgb(0xe69f00), rgb(0xf0e442), rgb(0xffffff),
	},
}

func rgb(hex uint32) color.NRGBA {
	return color.NRGBA{R: uint8(hex >> 16), G: uint8(hex >> 8), B: uint8(hex), A: 0xff}
}

// Color is the colour of series i, from 0; they repeat.
func (t *Theme) Color(i int) color.NRGBA { return t.Series[i%len(t.Series)] }

// Faded is a colour that lets through what is behind it: share 1 is opaque, 0 invisible.
func Faded(c color.NRGBA, share float64) color.NRGBA {
	c.A = uint8(float64(float64(c.A)*share) + 0.5)
	return c
}

// Sizes of type, in points: legible where a picture of Width is shown at 800 pixels.
const (
	TitleSize  = 12
	LabelSize  = 10.5
	NormalSize = 9.5
	SmallSize  = 8.5
)

// Text is the style of text of a size and colour, sans serif; it begins at the point where it is drawn.
func Text(size vg.Length, c color.Color) text.Style {
	return text.Style{
		Color: c, Font: plotfont.Font{Typeface: "Liberation", Variant: "Sans", Size: size}, Handler: handler(),
		XAlign: draw.XLeft, YAlign: draw.YBottom,
	}
}

// Bold is Text in bold.
func Bold(size vg.Length, c color.Color) text.Style {
	s := Text(size, c)
	s.Font.Weight = font.WeightBold
	return s
}

// Mono is Text in letters of one width.
func Mono(size vg.Length, c color.Color) text.Style {
	s := Text(size, c)
	s.Font.Variant = "Mono"
	return s
}

// aligned is a style whose text is placed by another point than its lower left corner.
func aligned(s text.Style, x draw.XAlignment, y draw.YAlignment) text.Style {
	s.XAlign, s.YAlign = x, y
	return s
}

// handler has the fonts, which are read when the first picture is drawn.
var handler = sync.OnceValue(func() text.Handler {
	var faces plotfont.Collection
	for _, face := range []struct {
		plotfont.Font
		file []byte
	}{
		{plotfont.Font{Variant: "Sans"}, liberationsansregular.TTF},
		{plotfont.Font{Variant: "Sans", Weight: font.WeightBold}, liberationsansbold.TTF},
		{plotfont.Font{Variant: "Mono"}, liberationmonoregular.TTF},
	} {
		parsed, err := opentype.Parse(face.file)
		if err != nil {
			panic(err) // it is part of the program
		}
		face.Typeface = "Liberation"
		faces = append(faces, plotfont.Face{Font: face.Font, Face: parsed})
	}
	return text.Plain{Fonts: plotfont.NewCache(faces)}
})

// Line is the style of a solid line.
func Line(width vg.Length, c color.Color) draw.LineStyle {
	return draw.LineStyle{Color: c, Width: width}
}

// Dashed is the style of a dashed line.
func Dashed(width vg.Length, c color.Color) draw.LineStyle {
	return draw.LineStyle{Color: c, Width: width, Dashes: []vg.Length{4, 3}}
}

// mixed is a colour a share of the way from one to another.
func mixed(from, to color.NRGBA, share float64) color.NRGBA {
	mix := func(a, b uint8) uint8 { return uint8(float64(a) + float64((float64(b)-float64(a))*share) + 0.5) }
	return color.NRGBA{R: mix(from.R, to.R), G: mix(from.G, to.G), B: mix(from.B, to.B), A: 0xff}
}
