package stringkernel

import (
	"context"
	"fmt"

	"github.com/seqsvm/seqsvm/internal/ends"
	"github.com/seqsvm/seqsvm/internal/scratch"
)

// Coefficients are those of support vectors for several outputs, without zeros. Where each machine is trained on some
// of the records alone, as one per pair of classes, most are: 50 classes have 1,225 machines, and a record is in 49.
type Coefficients struct {
	Outputs int       // number of outputs
	Ends    []int     // Ends[i] is one past the entries of support vector i (0-based)
	Output  []int32   // of each entry, ascending within a support vector
	Values  []float64 // of each entry, not 0
	Scale   []float64 // Traits.Scale of each support vector; nil: not known
}

// NewCoefficients returns the coefficients coef[m][i] of n support vectors i for outputs m, each of which has n.
func NewCoefficients(n int, coef [][]float64) *Coefficients {
	entries := 0
	for _, values := range coef {
		for _, a := range values {
			if a != 0 {
				entries++
			}
		}
	}
	c := &Coefficients{
		Outputs: len(coef), Ends: make([]int, n),
		Output: make([]int32, 0, entries), Values: make([]float64, 0, entries),
	}
	for i := range n {
		for m := range coef {
			if a := coef[m][i]; a != 0 {
				c.Output, c.Values = append(c.Output, int32(m)), append(c.Values, a)
			}
		}
		c.Ends[i] = len(c.Values)
	}
	return c
}

// Len returns the number of support vectors.
func (c *Coefficients) Len() int { return len(c.Ends) }

// Row returns the outputs for which support vector i has a coefficient, and these, as views.
func (c *Coefficients) Row(i int) (outputs []int32, values []float64) {
	lo, hi := ends.Bounds(c.Ends, i)
	return c.Output[lo:hi], c.Values[lo:hi]
}

// AddTo adds those of support vector i, times a number, to dst, which has an entry per output.
func (c *Coefficients) AddTo(dst []float64, i int, times float64) {
	outputs, values := c.Row(i)
	for e, m := range outputs {
		dst[m] += float64(values[e] * times)
	}
}

// Dense returns coef[m][i] with the zeros.
func (c *Coefficients) Dense() [][]float64 {
	dense := scratch.Vectors(c.Outputs, c.Len())
	for i := range c.Ends {
		outputs, values := c.Row(i)
		for e, m := range outputs {
			dense[m][i] = values[e]
		}
	}
	return dense
}

// Mix returns Σ_m mix[m]·coef[m][i] for every i: the coefficients of a linear combination of outputs.
func (c *Coefficients) Mix(mix []float64) []float64 {
	mixed := make([]float64, c.Len())
	for i := range mixed {
		outputs, values := c.Row(i)
		for e, m := range outputs {
			mixed[i] += float64(mix[m] * values[e])
		}
	}
	return mixed
}

// Scaled returns the coefficients of support vector i times scale[i].
func (c *Coefficients) Scaled(scale []float64) *Coefficients {
	scaled := &Coefficients{Outputs: c.Outputs, Ends: c.Ends, Output: c.Output, Values: make([]float64, len(c.Values))}
	for i, s := range scale {
		for e, hi := ends.Bounds(c.Ends, i); e < hi; e++ {
			scaled.Values[e] = float64(c.Values[e] * s)
		}
	}
	return scaled
}

// Twice returns the coefficients of the support vectors followed by themselves.
func (c *Coefficients) Twice() *Coefficients {
	entries := len(c.Values)
	twice := &Coefficients{Outputs: c.Outputs, Ends: append([]int(nil), c.Ends...)}
	for _, end := range c.Ends {
		twice.Ends = append(twice.Ends, entries+end)
	}
	for range 2 {
		twice.Output, twice.Values = append(twice.Output, c.Output...), append(twice.Values, c.Values...)
	}
	return twice
}

// Check returns an error unless there is a row for each support vector, of 1 to MaxOutputs outputs: what every Merge
// checks first.
func (c *Coefficients) Check(sv *Corpus) error {
	switch {
	case c == nil || c.Outputs < 1:
		return fmt.Errorf("no coefficients to merge %d support vectors with", sv.Len())
	case c.Outputs > MaxOutputs:
		return fmt.Errorf("%d outputs, want at most %d", c.Outputs, MaxOutputs)
	case c.Len() != sv.Len() || c.Scale != nil && len(c.Scale) != sv.Len():
		return fmt.Errorf("coefficients of %d support vectors for %d", c.Len(), sv.Len())
	}
	return nil
}

// Merge merges support vectors by the coefficients coef[m][i] of outputs m, each of which has one for each support
// vector i: at least one output.
func Merge(ctx context.Context, k Kernel, sv *Corpus, coef ...[]float64) (Scorer, error) {
	if err := checkCoef(sv, coef); err != nil {
		return nil, err
	}
	return k.Merge(ctx, sv, NewCoefficients(sv.Len(), coef))
}
