package background

import (
	"fmt"
	"io"
	"math"

	"gonum.org/v1/gonum/stat"
)

// Moments are the mean and the sample standard deviation (divisor one less than the number) of a quantity; NaN of too
// few values.
type Moments struct{ Mean, SD float64 }

// Text returns “mean ± deviation” with the given number of decimals, and NA for what is not a number.
func (m Moments) Text(decimals int) string {
	return fixed(m.Mean, decimals) + " ± " + fixed(m.SD, decimals)
}

// Profile sums up the compositions of a set of windows.
type Profile struct {
	N       int
	Letters Moments
	GC      Moments // shares; windows without a known letter do not count
	Repeats Moments
}

// NewProfile sums up compositions.
func NewProfile(compositions []Composition) Profile {
	var letters, gc, repeats []float64
	for _, c := range compositions {
		letters = append(letters, float64(c.Letters))
		if c.Unknown < c.Letters {
			gc = append(gc, c.GCShare())
			repeats = append(repeats, c.RepeatShare())
		}
	}
	return Profile{N: len(compositions), Letters: moments(letters), GC: moments(gc), Repeats: moments(repeats)}
}

func moments(values []float64) Moments {
	if len(values) == 0 {
		return Moments{math.NaN(), math.NaN()}
	}
	mean, sd := stat.MeanStdDev(values, nil) // NaN of one value
	return Moments{mean, sd}
}

// Profiles returns the profiles of the positives and of the windows.
func (m *Matches) Profiles() (positives, windows Profile) {
	compositions := make([]Composition, len(m.Windows))
	for i, w := range m.Windows {
		compositions[i] = w.Composition
	}
	return NewProfile(m.Positives), NewProfile(compositions)
}

// WriteReport writes how well the windows match the positives as tab-separated lines: quantity, positives, negatives.
// Shares have four decimals, numbers of letters one; NA is a mean of no values, or a deviation of fewer than two. The
// last lines have the number of negatives that were wanted and, by reason, of those that were not found.
func (m *Matches) WriteReport(w io.Writer) error {
	p, n := m.Profiles()
	text := []byte("quantity\tpositives\tnegatives\n")
	for _, l := range []struct {
		name      string
		decimals  int
		positives float64
		negatives float64
	}{
		{"windows", 0, float64(p.N), float64(n.N)},
		{"length_mean", 1, p.Letters.Mean, n.Letters.Mean}, {"length_sd", 1, p.Letters.SD, n.Letters.SD},
		{"gc_mean", 4, p.GC.Mean, n.GC.Mean}, {"gc_sd", 4, p.GC.SD, n.GC.SD},
		{"repeats_mean", 4, p.Repeats.Mean, n.Repeats.Mean}, {"repeats_sd", 4, p.Repeats.SD, n.Repeats.SD},
	} {
		text = fmt.Appendf(text, "%s\t%s\t%s\n", l.name, fixed(l.positives, l.decimals), fixed(l.negatives, l.decimals))
	}
	text = fmt.Appendf(text, "wanted\t\t%d\n", m.Wanted)
	for reason, n := range m.Unmatched {
		text = fmt.Appendf(text, "unmatched: %s\t\t%d\n", Reason(reason), n)
	}
	_, err := w.Write(text)
	return err
}

func fixed(x float64, decimals int) string {
	if math.IsNaN(x) {
		return "NA"
	}
	return fmt.Sprintf("%.*f", decimals, x)
}
