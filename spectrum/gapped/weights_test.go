package gapped

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/seqsvm/seqsvm/spectrum"
	"github.com/seqsvm/seqsvm/stringkernel"
	"github.com/seqsvm/seqsvm/stringkernel/compose"
	"github.com/seqsvm/seqsvm/stringkernel/kerneltest"
)

// functionsByDefinition are the functions of counts as they are defined.
var functionsByDefinition = map[stringkernel.Count]func(n float64) float64{
	stringkernel.CountPresence:  func(float64) float64 { return 1 },
	stringkernel.CountSqrt:      math.Sqrt,
	stringkernel.CountLog:       func(n float64) float64 { return math.Log(1 + n) },
	stringkernel.CountSublinear: func(n float64) float64 { return 1 + math.Log(n) },
}

// countsOf returns how often x has each k-mer, on both strands if rc.
func countsOf(x string, l int, rc bool, breaks string) map[string]float64 {
	counts := map[string]float64{}
	strands := []string{x}
	if rc {
		strands = append(strands, reverseComplement(x))
	}
	for _, x := range strands {
		for i := 0; i+l <= len(x); i++ {
			if breaks == "" || !strings.ContainsAny(x[i:i+l], breaks) {
				counts[x[i:i+l]]++
			}
		}
	}
	return counts
}

// throughFunction is Σ_u Σ_v g(#u(x))·g(#v(y))·h(d(u, v)) by the definition.
func throughFunction(g func(float64) float64, pair func(u, v string) float64, x, y map[string]float64) (sum float64) {
	for u, n := range x {
		for v, m := range y {
			sum += g(n) * g(m) * pair(u, v)
		}
	}
	return sum
}

// repetitive draws sequences with k-mers that recur, some of them their own reverse complements.
func repetitive(rng *rand.Rand, letters string, n int) string {
	var b strings.Builder
	for b.Len() < n {
		piece := random(rng, 1+rng.IntN(6), letters)
		for range 1 + rng.IntN(9) {
			b.WriteString(piece)
		}
	}
	return b.String()[:n]
}

// TestCountedByDefinition compares values, rows, products, matrices and scores of every engine with the definition.
func TestCountedByDefinition(t *testing.T) {
	rng := rand.New(rand.NewPCG(61, 1))
	for f, g := range functionsByDefinition {
		for _, c := range []struct {
			letters, breaks string
			k               Kernel
		}{
			{"ACGTN", "N", Kernel{L: 4, K: 2, D: 2, Filter: Plain, Alphabet: stringkernel.DNA}},
			{"ACGTN", "N", Kernel{L: 6, K: 4, D: 2, Filter: Truncated, Alphabet: stringkernel.DNA}},
			{"ACGTN", "N", Kernel{L: 7, K: 4, D: 2, Filter: Full, Alphabet: stringkernel.DNA}},
			{"AC", "", Kernel{L: 14, K: 12, D: 2, Filter: Plain, Alphabet: stringkernel.DNA}},
			{"LVWX", "X", Kernel{L: 3, K: 2, D: 1, Filter: Wildcard, Lambda: 0.5, Alphabet: stringkernel.Protein}},
			{"LV", "", Kernel{L: 15, K: 5, D: 10, Filter: Plain, Alphabet: stringkernel.Protein}},
		} {
			for _, rc := range []bool{false, true} {
				k := c.k
				k.Count = f
				if rc {
					if k.Alphabet != stringkernel.DNA {
						continue
					}
					k = k.BothStrands().(Kernel)
				}
				compiled, err := k.Compile()
				if err != nil {
					t.Fatal(err)
				}
				k = compiled.(Kernel)
				pair := func(u, v string) float64 { return k.engine().h[hamming(u, v)] }
				engines := map[string]stringkernel.Kernel{"chosen": k}
				if !k.engine().wide() {
					engines["masks"], engines["neighbours"] = masked{k}, neighbouring{k}
				}
				if k.engine().tabular {
					engines["table"] = tabled{k}
				}
				var b stringkernel.CorpusBuilder
				counts := make([]map[string]float64, 9)
				for i := range counts {
					x := repetitive(rng, c.letters, rng.IntN(70))
					if i == 0 {
						x = repetitive(rng, c.letters[:2], 1500) // counts beyond those tabulated
					}
					counts[i] = countsOf(x, k.L, rc, c.breaks)
					b.Add("", []byte(x))
				}
				corpus := b.Corpus()
				want := make([][]float64, len(counts))
				for i := range want {
					for j := range counts {
						want[i] = append(want[i], throughFunction(g, pair, counts[i], counts[j]))
					}
				}
				for name, engine := range engines {
					t.Run(fmt.Sprintf("%s/%s/l=%d/rc=%v/%s", f, k.Alphabet, k.L, rc, name), func(t *testing.T) {
						compareCounted(t, engine, corpus, want)
					})
				}
			}
		}
	}
}

func compareCounted(t *testing.T, k stringkernel.Kernel, c *stringkernel.Corpus, want [][]float64) {
	gram, err := k.Gram(t.Context(), c)
	if err != nil {
		t.Fatal(err)
	}
	n := c.Len()
	v, row, product, score := make([]float64, n), make([]float64, n), make([]float64, n), make([]float64, 1)
	for i := range v {
		v[i] = float64(1 + i%3)
	}
	s, err := stringkernel.Merge(t.Context(), k, c, v)
	if err != nil {
		t.Fatal(err)
	}
	gram.MulVecTo(product, v)
	matrix := make([]float64, n*n)
	if d := stringkernel.DenseOf(gram); d != nil {
		if err := d.DenseTo(t.Context(), matrix); err != nil {
			t.Fatal(err)
		}
	} else {
		for i := range n {
			gram.Row(matrix[i*n:(i+1)*n], i)
		}
	}
	for i := range n {
		gram.Row(row, i)
		sum := 0.0
		for j, value := range want[i] {
			sum += v[j] * value
			scale := math.Sqrt(want[i][i] * want[j][j])
			for way, got := range map[string]float64{
				"Eval": k.Eval(c.Seq(i), c.Seq(j)), "row": row[j], "matrix": matrix[i*n+j],
			} {
				if math.Abs(got-value) > 1e-9*(1+scale) {
					t.Fatalf("%s of %d and %d: %v, want %v", way, i, j, got, value)
				}
			}
		}
		s.ScoreTo(score, c.Seq(i))
		scale := 1 + math.Abs(sum) + want[i][i]
		if got := k.(interface{ SelfEval(x []byte) float64 }).SelfEval(c.Seq(i)); math.Abs(got-want[i][i]) > 1e-9*scale ||
			math.Abs(product[i]-sum) > 1e-9*scale || math.Abs(score[0]-sum) > 1e-9*scale {
			t.Fatalf("record %d: k(x, x) %v, want %v; product %v, score %v, want %v", i, got, want[i][i], product[i],
				score[0], sum)
		}
	}
}

// TestCountedLetters compares with the definition where letters resemble each other.
func TestCountedLetters(t *testing.T) {
	rng := rand.New(rand.NewPCG(62, 1))
	for f, g := range functionsByDefinition {
		k := Mismatch{K: 3, M: 3, Count: f, Subst: []string{"blosum62"}, Alphabet: stringkernel.Protein}
		e := k.engine()
		codes := stringkernel.Protein.Codes()
		pair := func(u, v string) float64 {
			weight := e.h[hamming(u, v)]
			for i := range u {
				weight *= e.alike.At(int(codes[u[i]]), int(codes[v[i]]))
			}
			return weight
		}
		var b stringkernel.CorpusBuilder
		var counts []map[string]float64
		for range 6 {
			x := repetitive(rng, "LVWX", 40)
			counts = append(counts, countsOf(x, 3, false, "X"))
			b.Add("", []byte(x))
		}
		want := make([][]float64, len(counts))
		for i := range want {
			for j := range counts {
				want[i] = append(want[i], throughFunction(g, pair, counts[i], counts[j]))
			}
		}
		compareCounted(t, k, b.Corpus(), want)
	}
}

// TestCountedExactIsTheSpectrum: without gaps and mismatches k-mers are those of the spectrum kernel.
func TestCountedExactIsTheSpectrum(t *testing.T) {
	rng := rand.New(rand.NewPCG(63, 1))
	for f := range functionsByDefinition {
		for _, rc := range []bool{false, true} {
			gaps := stringkernel.Kernel(Kernel{L: 4, K: 4, Filter: Plain, Count: f, Alphabet: stringkernel.DNA})
			exact := stringkernel.Kernel(spectrum.Kernel{K: 4, Count: f, Alphabet: stringkernel.DNA})
			if rc {
				gaps = compose.OnBothStrands(gaps, stringkernel.DNA)
				exact = compose.OnBothStrands(exact, stringkernel.DNA)
			}
			for range 20 {
				x, y := []byte(repetitive(rng, "ACGTN", 60)), []byte(repetitive(rng, "ACGT", 80))
				if got, want := gaps.Eval(x, y), exact.Eval(x, y); !near(got, want) {
					t.Fatalf("%s, rc %v: %v, by spectrum %v", f, rc, got, want)
				}
			}
		}
	}
}

// TestCountedLong compares k(x, x) by the table and by masks with that of pairs, on a sequence long enough for either.
func TestCountedLong(t *testing.T) {
	rng := rand.New(rand.NewPCG(64, 1))
	x := []byte(repetitive(rng, "ACGTACGTN", 6000))
	for _, k := range []Kernel{
		{L: 5, K: 3, D: 2, Filter: Truncated, Count: stringkernel.CountSqrt, Alphabet: stringkernel.DNA},
		{L: 14, K: 13, D: 1, Filter: Plain, Count: stringkernel.CountLog, Alphabet: stringkernel.DNA},
	} {
		for _, k := range []Kernel{k, k.BothStrands().(Kernel)} {
			e := k.engine()
			var w kmers
			w.list(e, x)
			got, want := e.selfEvalAtOnce(context.Background(), &w), e.evalPairs(x, x)
			if !near(got, want) || !near(k.SelfEval(x), want) {
				t.Errorf("l=%d rc %v: %v, k(x, x) %v, by pairs %v", k.L, k.rc, got, k.SelfEval(x), want)
			}
		}
	}
}

// TestCountedRepeats compares k(x, x) by raw counts, corrected for the k-mers that recur, with that of pairs.
func TestCountedRepeats(t *testing.T) {
	rng := rand.New(rand.NewPCG(65, 1))
	for f := range functionsByDefinition {
		for _, k := range []Kernel{
			{L: 6, K: 4, D: 2, Filter: Truncated, Count: f, Alphabet: stringkernel.DNA},
			{L: 12, K: 8, D: 4, Filter: Plain, Count: f, Alphabet: stringkernel.DNA},
		} {
			for _, k := range []Kernel{k, k.BothStrands().(Kernel)} {
				e, few := k.engine(), 0
				for range 20 {
					x := []byte(random(rng, 100, "ACGTACGTACGTN"))
					x = append(x, x[:rng.IntN(24)]...)
					var w kmers
					w.list(e, x)
					if n := w.repeats(); n > 0 && n < len(w.codes)/mostRepeats {
						few++
					}
					if got, want := k.SelfEval(x), e.evalPairs(x, x); !near(got, want) {
						t.Fatalf("%s, l=%d, rc %v: k(x, x) of %s is %v, by pairs %v", f, k.L, k.rc, x, got, want)
					}
				}
				if few == 0 {
					t.Errorf("l=%d, rc %v: no sequence repeats few k-mers", k.L, k.rc)
				}
			}
		}
	}
}

func TestCountedConforms(t *testing.T) {
	for f := range functionsByDefinition {
		for name, k := range map[string]stringkernel.Kernel{
			"table": Kernel{L: 5, K: 3, D: 2, Filter: Plain, Count: f, Alphabet: stringkernel.DNA},
			"both strands": compose.Normalized{Kernel: Kernel{
				L: 6, K: 4, D: 2, Filter: Wildcard, Lambda: 0.7, Count: f, Alphabet: stringkernel.DNA,
			}.BothStrands()},
			"mismatch": Mismatch{K: 4, M: 1, Count: f, Alphabet: stringkernel.DNA},
			"letters": compose.Normalized{Kernel: Mismatch{
				K: 3, M: 3, Count: f, Subst: []string{"transitions"}, Alphabet: stringkernel.DNA}.BothStrands()},
			"masks":      masked{Kernel{L: 5, K: 3, D: 2, Filter: Plain, Count: f, Alphabet: stringkernel.DNA}},
			"neighbours": neighbouring{Kernel{L: 5, K: 3, D: 2, Filter: Plain, Count: f, Alphabet: stringkernel.DNA}},
			"masks of both strands": compose.Normalized{Kernel: masked{Kernel{
				L: 5, K: 3, D: 2, Filter: Plain, Count: f, Alphabet: stringkernel.DNA}.BothStrands().(Kernel)}},
			"long": Kernel{L: 14, K: 12, D: 2, Filter: Plain, Count: f, Alphabet: stringkernel.DNA},
			"wide": Kernel{L: 30, K: 5, D: 25, Filter: Plain, Count: f, Alphabet: stringkernel.Bytes},
		} {
			opt := kerneltest.Options{Letters: "ACGT", Breaks: "Nn", Tolerance: 1e-9, MaxLength: 60}
			if name == "wide" {
				opt.Breaks = ""
			}
			t.Run(fmt.Sprintf("%s/%s", f, name), func(t *testing.T) { kerneltest.Run(t, k, opt) })
		}
	}
}

func TestCountedErrors(t *testing.T) {
	good := Kernel{L: 6, K: 4, D: 2, Filter: Plain, Alphabet: stringkernel.DNA}
	for _, c := range []struct {
		change func(k *Kernel)
		want   string
	}{
		{func(k *Kernel) { k.Count = "min" }, "count = \"min\", want one of: raw, presence, sqrt, log, sublinear"},
		{func(k *Kernel) { k.Count, k.Center = "sqrt", "9:3" }, "center cannot be used with count=sqrt"},
	} {
		k := good
		c.change(&k)
		if err := k.Check(); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%+v: %v, want %q", k, err, c.want)
		}
	}
	if err := (Mismatch{K: 4, M: 1, Count: "chi2", Alphabet: stringkernel.DNA}).Check(); err == nil {
		t.Error("mismatch takes count=chi2")
	}
}
