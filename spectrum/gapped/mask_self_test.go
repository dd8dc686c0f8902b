package gapped

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"github.com/seqsvm/seqsvm/stringkernel"
)

// TestSelfByMasks compares k(x, x) by masks with pairs of k-mers, to the last bit, and makes sure that masks are used.
func TestSelfByMasks(t *testing.T) {
	rng := rand.New(rand.NewPCG(53, 1))
	protein := stringkernel.Protein
	for name, c := range map[string]struct {
		e    *engine
		used bool
	}{
		"gapped l=5 k=3":  {Kernel{L: 5, K: 3, D: 2, Filter: Plain, Alphabet: protein}.engine(), true},
		"gapped l=6 k=4":  {Kernel{L: 6, K: 4, D: 2, Filter: Plain, Alphabet: protein}.engine(), true},
		"gapped l=8 k=4":  {Kernel{L: 8, K: 4, D: 4, Filter: Plain, Alphabet: protein}.engine(), true},
		"bytes":           {Kernel{L: 3, K: 2, D: 1, Filter: Plain, Alphabet: stringkernel.Bytes}.engine(), true},
		"cut":             {Kernel{L: 4, K: 2, D: 1, Filter: Plain, Alphabet: protein}.engine(), true},
		"mismatch":        {Mismatch{K: 3, M: 1, Alphabet: protein}.engine(), true},
		"k-mers too long": {Kernel{L: 7, K: 5, D: 2, Filter: Plain, Alphabet: protein}.engine(), false},
		"no whole numbers": {Kernel{L: 5, K: 3, D: 2, Filter: Wildcard, Lambda: 0.3, Alphabet: protein}.engine(),
			false},
		"weights": {Kernel{L: 5, K: 3, D: 2, Filter: Plain, Center: "7:2", Alphabet: protein}.engine(),
			false},
		"nucleotides":        {Kernel{L: 5, K: 3, D: 2, Filter: Plain, Alphabet: stringkernel.DNA}.engine(), false},
		"truncated, l=5 d=3": {Kernel{L: 5, K: 3, D: 3, Filter: Truncated, Alphabet: protein}.engine(), false},
	} {
		if used := len(c.e.selfMasks) > 0; used != c.used {
			t.Errorf("%s: by masks %v, want %v", name, used, c.used)
			continue
		}
		for _, length := range []int{0, 3, 30, 600, 1200} {
			for _, letters := range []string{aminoAcids, aminoAcids + "XX", "A", "AG"} {
				x := []byte(random(rng, length, letters))
				got, want := c.e.selfEval(context.Background(), x), c.e.eval(x, x)
				if got != want {
					t.Errorf("%s: k(x, x) of %d letters of %s is %v, by pairs %v", name, length, letters, got, want)
				}
				var w kmers
				if w.list(c.e, x); c.used {
					if got := c.e.selfByMasks(context.Background(), w.codes); got != want {
						t.Errorf(
							"%s: by masks, k(x, x) of %d letters of %s is %v, by pairs %v",
							name,
							length,
							letters,
							got,
							want,
						)
					}
				}
			}
		}
		if c.used && !c.e.masksCountSelf(2000) {
			t.Errorf("%s: 2,000 k-mers are counted by pairs", name)
		}
		if c.e.masksCountSelf(3) {
			t.Errorf("%s: 3 k-mers are counted by masks", name)
		}
	}
}

// TestSelfByMasksWeighed: through a function of counts, k(x, x) by masks is that by pairs up to rounding.
func TestSelfByMasksWeighed(t *testing.T) {
	rng := rand.New(rand.NewPCG(53, 3))
	sqrt := stringkernel.CountSqrt
	for name, e := range map[string]*engine{
		"gapped l=4 k=2": Kernel{L: 4, K: 2, D: 2, Filter: Plain, Count: sqrt, Alphabet: stringkernel.Protein}.engine(),
		"gapped l=8 k=4": Kernel{L: 8, K: 4, D: 4, Filter: Plain, Count: stringkernel.CountLog,
			Alphabet: stringkernel.Protein}.engine(),
		"bytes": Kernel{L: 3, K: 2, D: 1, Filter: Plain, Count: sqrt, Alphabet: stringkernel.Bytes}.engine(),
	} {
		if !e.masksCountSelf(2000) {
			t.Errorf("%s: 2,000 k-mers are counted by pairs", name)
		}
		for _, length := range []int{0, 3, 30, 600, 1200} {
			for _, letters := range []string{aminoAcids, aminoAcids + "XX", "A", "AG"} {
				x := []byte(random(rng, length, letters))
				var w kmers
				w.list(e, x)
				want := e.eval(x, x)
				if got := e.selfByMasksWeighed(context.Background(), &w); math.Abs(got-want) > 1e-12*want {
					t.Errorf("%s: k(x, x) of %d letters of %s is %v, by pairs %v", name, length, letters, got, want)
				}
			}
		}
	}
}

// BenchmarkSelfEvalProtein has k(x, x) of proteins by masks and by pairs.
func BenchmarkSelfEvalProtein(b *testing.B) {
	rng := rand.New(rand.NewPCG(53, 2))
	for _, k := range []Kernel{
		{L: 5, K: 3, D: 2, Filter: Plain, Alphabet: stringkernel.Protein},
		{L: 6, K: 4, D: 2, Filter: Plain, Alphabet: stringkernel.Protein},
		{L: 8, K: 4, D: 4, Filter: Plain, Alphabet: stringkernel.Protein},
	} {
		e := k.engine()
		pairs := *e
		pairs.selfMasks = nil
		for _, length := range []int{200, 500, 2000} {
			x := []byte(random(rng, length, aminoAcids))
			var w kmers
			w.list(e, x)
			for what, call := range map[string]func() float64{
				"masks": func() float64 { return e.selfByMasks(context.Background(), w.codes) },
				"pairs": func() float64 { return pairs.selfEval(context.Background(), x) }} {
				b.Run(fmt.Sprintf("l=%d/%d/%s", k.L, length, what), func(b *testing.B) {
					b.SetBytes(int64(length))
					for b.Loop() {
						call()
					}
				})
			}
		}
	}
}
