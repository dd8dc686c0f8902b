package cli

import (
	"io"
	"strings"

	"github.com/seqsvm/seqsvm/report/figure"
)

// Pictures are the options of a command that draws: --plot and, where the picture has curves, --curves.
type Pictures struct {
	Plot   Output
	Curves Output // a table of the points behind the picture
}

// Flags binds --plot, with its help.
func (p *Pictures) Flags(f *Flags, usage string) {
	plot := f.File(&p.Plot, "plot", usage+" (.svg, .png or .pdf)").Holds(Anything)
	plot.check = func() error {
		if p.Plot.Given() && figure.FormatOf(p.Plot.Path()) == "" {
			return Usagef("--plot %s, want a name that ends in .%s", p.Plot.Path(),
				strings.Join(figure.Formats, " or ."))
		}
		return nil
	}
}

// CurvesFlag binds --curves.
func (p *Pictures) CurvesFlag(f *Flags) {
	f.File(&p.Curves, "curves", "`FILE` for the points behind the picture, as a table: docs/pictures.md")
}

// Wanted reports whether a picture or its points were asked for.
func (p *Pictures) Wanted() bool { return p.Plot.Given() || p.Curves.Given() }

// Draw draws a figure if --plot is given.
func (p *Pictures) Draw(f figure.Figure) error {
	return p.Plot.Write(func(w io.Writer) error {
		return figure.Write(w, figure.FormatOf(p.Plot.Path()), figure.Light, f)
	})
}
