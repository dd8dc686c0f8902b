package stringkernel_test

import (
	"reflect"
	"testing"

	"pgregory.net/rapid"

	"github.com/seqsvm/seqsvm/stringkernel"
)

// Coefficients without zeros are those with them, scaled, twice and mixed as lists of numbers are.
func TestCoefficients(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n, outputs := rapid.IntRange(0, 6).Draw(t, "n"), rapid.IntRange(1, 4).Draw(t, "outputs")
		number := rapid.SampledFrom([]float64{0, 0, 0, 1, -2, 0.5})
		coef := make([][]float64, outputs)
		scaled, twice := make([][]float64, outputs), make([][]float64, outputs)
		scale := rapid.SliceOfN(rapid.SampledFrom([]float64{0, 1, 3}), n, n).Draw(t, "scale")
		mix, mixed := rapid.SliceOfN(number, outputs, outputs).Draw(t, "mix"), make([]float64, n)
		for m := range coef {
			coef[m] = rapid.SliceOfN(number, n, n).Draw(t, "coef")
			twice[m] = append(append([]float64{}, coef[m]...), coef[m]...)
			scaled[m] = make([]float64, n)
			for i, a := range coef[m] {
				scaled[m][i] = a * scale[i]
				mixed[i] += mix[m] * a
			}
		}
		c := stringkernel.NewCoefficients(n, coef)
		for _, a := range c.Values {
			if a == 0 {
				t.Fatal("a zero is kept")
			}
		}
		if got := c.Mix(mix); !reflect.DeepEqual(got, mixed) {
			t.Fatalf("mixed %v, want %v", got, mixed)
		}
		for _, of := range []struct {
			got  *stringkernel.Coefficients
			want [][]float64
		}{{c, coef}, {c.Scaled(scale), scaled}, {c.Twice(), twice}} {
			if got := of.got.Dense(); !reflect.DeepEqual(got, of.want) {
				t.Fatalf("%v, want %v", got, of.want)
			}
		}
	})
}
