package wdk_test

import (
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/seqsvm/seqsvm/stringkernel"
	"github.com/seqsvm/seqsvm/wdk"
)

// TestAlikeByDefinition compares values of windows whose letters resemble each other with the sum over lengths,
// positions and shifts.
func TestAlikeByDefinition(t *testing.T) {
	const letters = "ACDEFGHIKLMNPQRSTVWYX"
	rng := rand.New(rand.NewPCG(1, 2))
	for range 200 {
		x, y := make([]byte, 1+rng.IntN(12)), []byte{}
		for i := range x {
			x[i] = letters[rng.IntN(len(letters))]
			y = append(y, letters[rng.IntN(len(letters))])
		}
		k := wdk.Kernel{D: 1 + rng.IntN(4), Shift: rng.IntN(5), Subst: []string{"blosum62"}, Beta: 0.5,
			Alphabet: stringkernel.Protein}
		if rng.IntN(2) == 0 {
			for range x {
				k.Weights = append(k.Weights, 1+rng.Float64())
			}
		}
		if k.Shift > 0 && rng.IntN(2) == 0 {
			k.Ramp, k.Anchor = rng.Float64(), rng.IntN(len(x))
		}
		if got, want := k.Eval(x, y), byDefinition(k, x, y); math.Abs(got-want) > 1e-12 {
			t.Fatalf("%+v: k(%s, %s) = %v, by definition %v", k, x, y, got, want)
		}
	}
}

func TestAlikeErrors(t *testing.T) {
	for want, k := range map[string]wdk.Kernel{
		"beta needs subst": {D: 3, Beta: 1, Alphabet: stringkernel.Protein},
		"amino acids":      {D: 3, Subst: []string{"grantham"}, Alphabet: stringkernel.RNA},
	} {
		if err := k.Check(); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%+v: error %v, want one with %q", k, err, want)
		}
	}
}
