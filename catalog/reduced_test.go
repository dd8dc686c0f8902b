package catalog

import (
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/seqsvm/seqsvm/internal/must"
	"github.com/seqsvm/seqsvm/stringkernel"
	"github.com/seqsvm/seqsvm/stringkernel/kerneltest"
)

// TestReducedAlphabets compares kernels on groups of amino acids with those on amino acids, whose letters the
// representatives are.
func TestReducedAlphabets(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 4))
	for _, text := range []string{
		"spectrum:k=3", "spectrum:k=14", "spectrum:k=3,bounded", "substring:weight=bounded,k=4", "substring:weight=constant",
		"gapped:l=5,k=3,filter=gapped", "gapped:l=14,k=3,filter=gapped", "mismatch:k=3,m=0", "wd:d=4,shift=2", "poly:d=2",
		"locality:window=2", "oligo:k=2,sigma=2",
	} {
		for _, a := range []stringkernel.Alphabet{stringkernel.Murphy4, stringkernel.Murphy10, stringkernel.HSDM17} {
			spec := must.Get(Parse(text))(t)
			reduced, err := spec.Compile(a)
			if text == "spectrum:k=14" && a == stringkernel.HSDM17 {
				if err == nil {
					t.Errorf("%s of 5-bit letters compiles", text)
				}
				continue
			}
			if err != nil {
				t.Fatal(err)
			}
			draw := func() []byte {
				x := make([]byte, 20)
				for i := range x {
					x[i] = a.Representatives()[(stringkernel.Protein.Letters() + "X")[rng.IntN(21)]]
				}
				return x
			}
			full, err := spec.Compile(stringkernel.Protein)
			if err != nil {
				full, err = spec.Compile(stringkernel.Bytes) // longer words than 64 bits hold
			}
			for range 20 {
				if x, y := draw(), draw(); err == nil {
					if got, want := reduced.Eval(x, y), full.Eval(x, y); math.Abs(got-want) > 1e-12 {
						t.Fatalf("%s of %s: k(%s, %s) = %v, %v of protein", text, a, x, y, got, want)
					}
				}
			}
		}
	}
}

func TestReducedConforms(t *testing.T) {
	for _, text := range []string{"spectrum:k=3", "mismatch:k=3,m=1", "gapped:l=4,k=2", "gapped:l=10,k=3,d=7", "wd:d=4"} {
		spec := must.Get(Parse(text + ",alphabet=murphy8"))(t)
		k := must.Get(spec.Compile(""))(t)
		length := 0
		if strings.HasPrefix(text, "wd") {
			length = 15
		}
		t.Run(text, func(t *testing.T) {
			kerneltest.Run(t, k, kerneltest.Options{Letters: stringkernel.Murphy8.Letters(), Breaks: "VX", Length: length})
		})
	}
}

// TestReducedBesideOthers checks that no kernel reads letters for groups of them.
func TestReducedBesideOthers(t *testing.T) {
	spec := must.Get(Parse("spectrum:k=3,alphabet=murphy10", "spectrum:k=2"))(t)
	if got := spec.WithAlphabet(stringkernel.Protein).Terms[1].Alphabet(); got != stringkernel.Murphy10 {
		t.Errorf("the alphabet left open becomes %s, want murphy10", got)
	}
	spec.Terms[1] = spec.Terms[1].withAlphabet(stringkernel.Protein)
	if _, err := spec.Compile(""); err == nil || !strings.Contains(err.Error(), "protein beside one of murphy10") {
		t.Errorf("error %v, want one about two alphabets", err)
	}
}
