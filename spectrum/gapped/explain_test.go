package gapped

import (
	"fmt"
	"math"
	"math/bits"
	"math/rand/v2"
	"testing"

	"github.com/seqsvm/seqsvm/stringkernel"
)

// TestExplainByDefinition spreads the weight of every gapped k-mer over the k letters it knows, occurrence by
// occurrence.
func TestExplainByDefinition(t *testing.T) {
	const l, k, letters = 5, 3, "ACGT"
	rng := rand.New(rand.NewPCG(41, 1))
	sv := relatives(rng, 12, 30, letters)
	coef, weights := make([]float64, sv.Len()), map[string]float64{}
	for i := range coef {
		coef[i] = rng.NormFloat64()
		for feature, count := range gappedCounts(string(sv.Seq(i)), l, k, letters) {
			weights[feature] += coef[i] * count
		}
	}
	for q := range sv.Len() {
		x := sv.Seq(q)
		want := make([]float64, len(x))
		for i := 0; i+l <= len(x); i++ {
			for feature := range gappedCounts(string(x[i:i+l]), l, k, letters) {
				for j := range l {
					if feature[j] != '.' {
						want[i+j] += weights[feature] / k
					}
				}
			}
		}
		kernel := Kernel{L: l, K: k, D: l - k, Filter: Plain, Alphabet: stringkernel.DNA}
		for _, engine := range []stringkernel.Kernel{tabled{kernel}, masked{kernel}, neighbouring{kernel}} {
			compareContributions(t, fmt.Sprintf("%T", engine), contributions(t, engine, sv, coef, x), want)
		}
	}
}

// TestExplainByPairs spreads every pair of k-mers over the choices of positions on which it agrees: all filters, centre
// weights, both strands, other alphabets, the three engines.
func TestExplainByPairs(t *testing.T) {
	rng := rand.New(rand.NewPCG(41, 2))
	all := kernels()
	for name, k := range longKernels() {
		if k.L <= 8 {
			all[name] = k
		}
	}
	all["uncut full"] = Kernel{L: 5, K: 2, D: 5, Filter: Full, Alphabet: stringkernel.DNA}
	all["wildcard"] = Kernel{L: 5, K: 3, D: 2, Filter: Wildcard, Lambda: 0.5, Alphabet: stringkernel.DNA}
	all["protein"] = Kernel{L: 3, K: 2, D: 1, Filter: Plain, Alphabet: stringkernel.Protein}
	for name, k := range all {
		strands := []Kernel{k}
		if k.Alphabet == stringkernel.DNA {
			strands = append(strands, k.BothStrands().(Kernel))
		}
		letters, _ := lettersOf(k.Alphabet)
		sv := relatives(rng, 8, 24, letters)
		coef := make([]float64, sv.Len())
		for i := range coef {
			coef[i] = rng.NormFloat64()
		}
		for _, k := range strands {
			engines := []stringkernel.Kernel{masked{k}, neighbouring{k}}
			if k.engine().tabular {
				engines = append(engines, tabled{k})
			}
			for q := range 3 {
				x := sv.Seq(q)
				want := contributionsByPairs(k.engine(), sv, coef, x)
				for _, engine := range engines {
					compareContributions(
						t,
						fmt.Sprintf("%s, rc %v, %T", name, k.rc, engine),
						contributions(t, engine, sv, coef, x),
						want,
					)
				}
			}
		}
	}
}

func contributions(t *testing.T, k stringkernel.Kernel, sv *stringkernel.Corpus, coef []float64, x []byte) []float64 {
	t.Helper()
	s, err := stringkernel.Merge(t.Context(), k, sv, make([]float64, len(coef)), coef)
	if err != nil {
		t.Fatal(err)
	}
	dst := make([]float64, len(x))
	stringkernel.ExplainerOf(s).ExplainTo(dst, 1, x)
	return dst
}

// contributionsByPairs goes through all pairs of k-mers, all choices of positions, and both strands of both.
func contributionsByPairs(e *engine, sv *stringkernel.Corpus, coef []float64, x []byte) []float64 {
	l := e.coder.length
	type occurrence struct {
		mer     uint64
		weight  float64
		at      int
		reverse bool
	}
	list := func(x []byte) (all []occurrence) {
		e.coder.each(x, func(i int, packed uint64, _ uint32) {
			w := e.centre.weight(i, len(x)-l+1)
			all = append(all, occurrence{packed, w, i, false})
			if e.rc {
				all = append(all, occurrence{e.coder.reverseComplement(packed), w, i, true})
			}
		})
		return all
	}
	dst := make([]float64, len(x))
	kmers := list(x)
	for i := range sv.Len() {
		for _, v := range list(sv.Seq(i)) {
			for _, u := range kmers {
				for positions := range uint64(1) << l {
					s := bits.OnesCount64(positions)
					if e.parts[s] == 0 || (u.mer^v.mer)&e.coder.spread(positions) != 0 {
						continue
					}
					value := coef[i] * u.weight * v.weight * e.parts[s]
					if positions == 0 {
						positions, s = 1<<l-1, l
					}
					for p := positions; p != 0; p &= p - 1 {
						letter := l - 1 - bits.TrailingZeros64(p)
						if u.reverse {
							letter = l - 1 - letter
						}
						dst[u.at+letter] += value / float64(s)
					}
				}
			}
		}
	}
	return dst
}

func compareContributions(t *testing.T, name string, got, want []float64) {
	t.Helper()
	scale := 0.0
	for _, v := range want {
		scale = max(scale, math.Abs(v))
	}
	for i := range want {
		if math.Abs(got[i]-want[i]) > 1e-10*scale {
			t.Fatalf("%s: position %d contributes %v, want %v", name, i, got[i], want[i])
		}
	}
}

// BenchmarkExplain is one query of 300 bases, tables made before.
func BenchmarkExplain(b *testing.B) {
	rng := rand.New(rand.NewPCG(41, 3))
	for _, k := range []Kernel{
		{L: 11, K: 7, D: 3, Filter: Truncated, Alphabet: stringkernel.DNA},
		{L: 16, K: 8, D: 2, Filter: Truncated, Alphabet: stringkernel.DNA},
	} {
		b.Run(fmt.Sprintf("l=%d", k.L), func(b *testing.B) {
			sv := relatives(rng, 1000, 300, "ACGT")
			s, err := stringkernel.Merge(b.Context(), k.BothStrands(), sv, make([]float64, sv.Len()))
			if err != nil {
				b.Fatal(err)
			}
			dst := make([]float64, 300)
			stringkernel.ExplainerOf(s).ExplainTo(dst, 0, sv.Seq(0))
			b.SetBytes(300)
			for b.Loop() {
				stringkernel.ExplainerOf(s).ExplainTo(dst, 0, sv.Seq(0))
			}
		})
	}
}
