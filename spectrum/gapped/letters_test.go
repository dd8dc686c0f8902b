package gapped_test

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/seqsvm/seqsvm/internal/must"
	"github.com/seqsvm/seqsvm/spectrum/gapped"
	"github.com/seqsvm/seqsvm/stringkernel"
	"github.com/seqsvm/seqsvm/stringkernel/compose"
)

// letterKernels are kernels whose scorers replace letters by tables.
var letterKernels = []gapped.Kernel{
	{L: 6, K: 4, D: 2, Filter: gapped.Plain},
	{L: 7, K: 5, D: 1, Filter: gapped.Truncated},
	{L: 6, K: 4, D: 2, Filter: gapped.Full},
	{L: 5, K: 3, D: 5, Filter: gapped.Full},
	{L: 6, K: 4, D: 2, Filter: gapped.Truncated, Center: "9:3"},
	{L: 2, K: 1, D: 1, Filter: gapped.Plain},
}

// letterRecords are sequences with repeats, palindromes and broken k-mers.
func letterRecords(rng *rand.Rand) []string {
	piece := random(rng, 9, "ACGT")
	return []string{
		random(rng, 60, "ACGT"), strings.Repeat("A", 25), strings.Repeat("ACGT", 8), piece + "N" + piece + piece,
		"acgtnACGTTGCA", random(rng, 12, "AC"), "ACG", "",
	}
}

// What replaces all letters at once gives what each record with another letter does, normalised, on one strand or both.
func TestSubstitutions(t *testing.T) {
	rng := rand.New(rand.NewPCG(5, 3))
	for _, k := range letterKernels {
		for _, rc := range []bool{false, true} {
			k.Alphabet = stringkernel.DNA
			kernel := stringkernel.Kernel(k)
			if rc {
				kernel = compose.OnBothStrands(k, stringkernel.DNA)
			}
			normalised := compose.Normalized(kernel)
			scorer, _ := merged(t, rng, normalised, 1)
			explainer := stringkernel.ExplainerOf(scorer)
			for _, x := range letterRecords(rng) {
				letters := []byte("ACGTN")[:4+rng.IntN(2)]
				n := len(x) * len(letters)
				scores, parts := make([]float64, n), make([]float64, n)
				compose.Substitute(scores, nil, scorer, 0, []byte(x), letters)
				compose.Substitute(nil, parts, scorer, 0, []byte(x), letters)
				one, alone := make([]float64, 1), make([]float64, len(x))
				for at := range n {
					y := []byte(x)
					y[at/len(letters)] = letters[at%len(letters)]
					scorer.ScoreTo(one, y)
					explainer.ExplainTo(alone, 0, y)
					if !near(scores[at], one[0]) || !near(parts[at], alone[at/len(letters)]) {
						t.Fatalf("%+v, rc %v: %q with %c at %d: score %v, contribution %v, alone %v and %v", k, rc, x,
							letters[at%len(letters)], at/len(letters), scores[at], parts[at], one[0], alone[at/len(letters)])
					}
				}
			}
		}
	}
}

// merged returns the scorer of random support vectors, with these and their coefficients.
func merged(t *testing.T, rng *rand.Rand, k stringkernel.Kernel, outputs int) (stringkernel.Scorer, support) {
	t.Helper()
	var sv support
	coef := make([][]float64, outputs)
	for i := range 7 {
		sv.records = append(sv.records, random(rng, 20+i, "ACGT"))
		for m := range coef {
			coef[m] = append(coef[m], rng.NormFloat64())
		}
	}
	sv.coef = coef
	return must.Get(stringkernel.Merge(t.Context(), k, corpusOf(sv.records), coef...))(t), sv
}

func corpusOf(records []string) *stringkernel.Corpus {
	var b stringkernel.CorpusBuilder
	for _, x := range records {
		b.Add("", []byte(x))
	}
	return b.Corpus()
}

type support struct {
	records []string
	coef    [][]float64
}

// LettersTo has the numbers of the definition of each mode, pair by pair, and seven digits of the greatest where tables
// have no more.
func TestLettersOfModes(t *testing.T) {
	rng := rand.New(rand.NewPCG(7, 3))
	for _, k := range letterKernels {
		if k.D == k.L {
			continue
		}
		for _, rc := range []bool{false, true} {
			k.Alphabet = stringkernel.DNA
			kernel := stringkernel.Kernel(k)
			if rc {
				kernel = compose.OnBothStrands(k, stringkernel.DNA)
			}
			scorer, sv := merged(t, rng, kernel, 2)
			explainer := gapped.LetterExplainerOf(scorer)
			plain := k
			plain.Center = ""
			h := distancesOf(plain)
			for _, x := range letterRecords(rng)[:4] {
				for mode := gapped.Importance; mode <= gapped.DeepPerturbation; mode++ {
					got := make([]float64, 4*len(x))
					explainer.LettersTo(got, mode, 1, []byte(x))
					numbers, short := lettersByPairs(k, h, mode, sv.records, sv.coef[1], x, rc), 0.0
					if mode == gapped.Hypothetical && len(numbers) > 0 {
						short = 1e-7 * max(slices.Max(numbers), -slices.Min(numbers))
					}
					for at, want := range numbers {
						if !near(got[at], want) && math.Abs(got[at]-want) > short {
							t.Fatalf("%+v, rc %v, mode %d of %q: %v for %c at %d, want %v", k, rc, mode, x, got[at],
								"ACGT"[at%4], at/4, want)
						}
					}
				}
			}
		}
	}
}

// lettersByPairs is the definition of gkmexplain's modes (Shrikumar et al. 2019), pair by pair of k-mers of x and of
// both strands of the support vectors, twice if both strands count.
func lettersByPairs(
	k gapped.Kernel, h []float64, mode gapped.Mode, sv []string, coef []float64, x string, rc bool,
) []float64 {
	at := func(m int) float64 {
		if m > k.D || m < 0 {
			return 0
		}
		return h[m]
	}
	e, times := make([]float64, 4*len(x)), 1.0
	if rc {
		times = 2
	}
	for v, a := range eachWeighedKmer(k, sv, coef, rc) {
		for i := 0; i+k.L <= len(x); i++ {
			u := x[i : i+k.L]
			if strings.Trim(u, "ACGT") != "" {
				continue
			}
			m := hamming(u, v, k.L)
			most := k.D
			if mode == gapped.DeepHypothetical || mode == gapped.DeepPerturbation {
				most++
			}
			if m > most {
				continue
			}
			weight := a * times * centreWeight(k.Center, i, len(x)-k.L+1)
			for p := range k.L {
				for b, letter := range []byte("ACGT") {
					changed := m
					if u[p] == v[p] && letter != v[p] {
						changed++
					} else if u[p] != v[p] && letter == v[p] {
						changed--
					}
					value := 0.0
					switch mode {
					case gapped.Importance:
						if letter == u[p] && letter == v[p] {
							value = at(m) / float64(k.L-m)
						}
					case gapped.Hypothetical, gapped.DeepHypothetical:
						if letter == v[p] {
							value = at(changed) / float64(k.L-changed)
						}
					default:
						if letter != u[p] {
							value = at(changed) - at(m)
						}
					}
					e[4*(i+p)+b] += weight * value
				}
			}
		}
	}
	return e
}

// eachWeighedKmer returns the k-mers of support vectors, of both strands, with their coefficients.
func eachWeighedKmer(k gapped.Kernel, sv []string, coef []float64, rc bool) map[string]float64 {
	weights := map[string]float64{}
	for i, y := range sv {
		n := len(y) - k.L + 1
		for j := range n {
			v, a := y[j:j+k.L], coef[i]*centreWeight(k.Center, j, n)
			weights[v] += a
			if rc {
				weights[string(stringkernel.DNA.ReverseComplementTo(nil, []byte(v)))] += a
			}
		}
	}
	return weights
}

// centreWeight is min(M, ⌊M·2^(−|n div 2 − i|/H) + 1⌋) of a center M:H, 1 without one.
func centreWeight(center string, i, n int) float64 {
	var peak, half float64
	if _, err := fmt.Sscanf(center, "%f:%f", &peak, &half); err != nil {
		return 1
	}
	return min(peak, math.Floor(peak*math.Exp2(-math.Abs(float64(n/2-i))/half)+1))
}
