package compose_test

import (
	"bytes"
	"context"
	"math"
	"math/rand/v2"
	"reflect"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/seqsvm/seqsvm/internal/drawn"
	"github.com/seqsvm/seqsvm/internal/must"
	"github.com/seqsvm/seqsvm/internal/oracle"
	"github.com/seqsvm/seqsvm/spectrum"
	"github.com/seqsvm/seqsvm/spectrum/gapped"
	"github.com/seqsvm/seqsvm/stringkernel"
	"github.com/seqsvm/seqsvm/stringkernel/compose"
	"github.com/seqsvm/seqsvm/stringkernel/kerneltest"
	"github.com/seqsvm/seqsvm/stringkernel/substring"
)

// positions counts the positions at which two sequences have the same letter, times a factor: a kernel with no
// capability.
type positions struct{ factor float64 }

func (positions) Check() error { return nil }

func (k positions) SelfEval(x []byte) float64 { return k.Eval(x, x) }

func (k positions) Eval(x, y []byte) float64 {
	same := 0
	for i := range min(len(x), len(y)) {
		if x[i] == y[i] {
			same++
		}
	}
	return k.factor * float64(same)
}

func (k positions) Gram(ctx context.Context, c *stringkernel.Corpus) (stringkernel.Gram, error) {
	return stringkernel.DirectGram{Kernel: k, Corpus: c}, nil
}

func (k positions) Merge(
	ctx context.Context, sv *stringkernel.Corpus, c *stringkernel.Coefficients,
) (stringkernel.Scorer, error) {
	return stringkernel.DirectScorer{Kernel: k, SV: sv, Coef: c}, c.Check(sv)
}

func near(got, want float64) bool { return math.Abs(got-want) <= 1e-11*(1+math.Abs(want)) }

// wrap returns every wrapper around a kernel.
func wrap(k stringkernel.Kernel) map[string]stringkernel.Kernel {
	both := compose.BothStrands(k, stringkernel.DNA)
	return map[string]stringkernel.Kernel{
		"normalised":         compose.Normalized(k),
		"both strands":       both,
		"normalised strands": compose.Normalized(both),
		"sum": compose.Mean([]stringkernel.Kernel{
			spectrum.Kernel{K: 2, Alphabet: stringkernel.DNA}, k}, nil),
	}
}

// TestUnfittedGram demands that an unfitted tfidf kernel takes the corpus it indexes as its reference, diagonal
// included, wrapped or not.
func TestUnfittedGram(t *testing.T) {
	c := must.Get(stringkernel.NewCorpus([][]byte{[]byte("GATTACA"), []byte("GATTTNCA"), nil, []byte("CATTAG")}, nil))(t)
	tfidf := substring.Kernel{Weight: substring.TFIDF, Alphabet: stringkernel.DNA}
	kernels := wrap(tfidf)
	kernels["bare"] = tfidf
	for name, kernel := range kernels {
		fitted := must.Get(stringkernel.Fit(t.Context(), kernel, c))(t)
		loose := must.Get(kernel.Gram(t.Context(), c))(t)
		diag, row := make([]float64, c.Len()), make([]float64, c.Len())
		loose.Diag(diag)
		for i := range diag {
			loose.Row(row, i)
			if !near(diag[i], row[i]) {
				t.Errorf("%s: K[%d][%d] = %v on the diagonal, %v in its row", name, i, i, diag[i], row[i])
			}
			for j := range row {
				if want := fitted.Eval(c.Seq(i), c.Seq(j)); !near(row[j], want) {
					t.Errorf("%s: K[%d][%d] = %v, fitted %v", name, i, j, row[j], want)
				}
			}
		}
	}
}

// TestStrandsByDefinition adds up the four terms over sequences with IUPAC codes, lower case and letters of the other
// nucleic acid.
func TestStrandsByDefinition(t *testing.T) {
	for _, a := range []struct {
		alphabet            stringkernel.Alphabet
		letters, complement string
	}{
		{stringkernel.DNA, "ACGT", "TGCA"},
		{stringkernel.RNA, "ACGU", "UGCA"},
	} {
		reverse := func(x []byte) []byte {
			rc := make([]byte, len(x))
			for i, b := range x {
				rc[len(x)-1-i] = '.' // breaks, whatever it is
				if code := strings.IndexByte(a.letters, b); code >= 0 {
					rc[len(x)-1-i] = a.complement[code]
				}
			}
			return rc
		}
		kernel := compose.BothStrands(
			substring.Kernel{Weight: substring.Constant, Alphabet: a.alphabet}, a.alphabet)
		rapid.Check(t, func(t *rapid.T) {
			draw := rapid.SliceOfN(rapid.SampledFrom([]byte("AACCGGTUTUNRacgtu-\x00\xff")), 0, 15)
			x, y := draw.Draw(t, "x"), draw.Draw(t, "y")
			value := func(x, y []byte) float64 {
				return oracle.Substring(x, y, a.letters, 0, func(string) float64 { return 1 })
			}
			want := value(x, y) + value(reverse(x), y) + value(x, reverse(y)) + value(reverse(x), reverse(y))
			if got := kernel.Eval(x, y); got != want {
				t.Fatalf("%s: k(%q, %q) = %v, by definition %v", a.alphabet, x, y, got, want)
			}
			want = value(x, x) + 2*value(x, reverse(x)) + value(reverse(x), reverse(x))
			if got := kernel.SelfEval(x); got != want {
				t.Fatalf("%s: k(%q, itself) = %v, by definition %v", a.alphabet, x, got, want)
			}
		})
	}
	rna := compose.BothStrands(
		substring.Kernel{Weight: substring.Decay, Lambda: 0.5, Alphabet: stringkernel.RNA},
		stringkernel.RNA)
	kerneltest.Run(t, compose.Normalized(rna), kerneltest.Options{Letters: "ACGU", Breaks: "NT"})
}

// TestWrappersOfNothing checks zero values and wrappers of a kernel out of range.
func TestWrappersOfNothing(t *testing.T) {
	bad := substring.Kernel{Weight: substring.Fixed}
	for want, kernel := range map[string]stringkernel.Kernel{
		"normalized: no kernel inside": compose.Normalized(nil),
		"rc: no kernel inside":         compose.BothStrands(nil, stringkernel.DNA),
		"rbf: no kernel inside":        compose.RBF(nil, 1),
		`alphabet "bytes"`:             compose.BothStrands(bad, ""),
		"sum: no kernels":              compose.Mean(nil, nil),
		"sum: term 2: sum: no kernel":  compose.Mean([]stringkernel.Kernel{positions{1}, nil}, nil),
		"sum: term 1: substring: k":    compose.Mean([]stringkernel.Kernel{compose.Normalized(bad), bad}, nil),
		"substring: k is missing or 0": compose.BothStrands(bad, stringkernel.DNA),
	} {
		if err := kernel.Check(); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%#v: error %v, want one with %q", kernel, err, want)
		}
	}
}

// TestNormalizedScales normalises norms over the whole range of float64.
func TestNormalizedScales(t *testing.T) {
	x, y := []byte("GATTACA"), []byte("GATTTCC")
	c := must.Get(stringkernel.NewCorpus([][]byte{x, y}, nil))(t)
	for factor, want := range map[float64]float64{
		1: 5. / 7, 1e-300: 5. / 7, 1e300: 5. / 7, 0x1p-1022: 5. / 7,
		0: 0, -1: 0, // a norm that an indefinite kernel makes negative counts as none
		1e-320: 0, // too small to keep its digits
	} {
		kernel := compose.Normalized(positions{factor})
		g := must.Get(kernel.Gram(t.Context(), c))(t)
		row, diag, product, score := make([]float64, 2), make([]float64, 2), make([]float64, 2), make([]float64, 1)
		g.Row(row, 0)
		g.Diag(diag)
		g.MulVecTo(product, []float64{1, 0})
		s := must.Get(stringkernel.Merge(t.Context(), kernel, c, []float64{1, 0}))(t)
		s.ScoreTo(score, y)
		for name, got := range map[string]float64{
			"Eval": kernel.Eval(x, y), "Row": row[1], "MulVecTo": product[1], "ScoreTo": score[0],
		} {
			if math.Abs(got-want) > 1e-14 || math.IsNaN(got) {
				t.Errorf("factor %v: %s = %v, want %v", factor, name, got, want)
			}
		}
		if own := kernel.SelfEval(x); own != diag[0] || own != row[0] || own != map[bool]float64{true: 1}[want > 0] {
			t.Errorf("factor %v: SelfEval = %v, Diag = %v, Row = %v", factor, own, diag[0], row[0])
		}
	}
}

// TestSumRefusesHostileArrays gives Restore arrays that no sum has stored.
func TestSumRefusesHostileArrays(t *testing.T) {
	two := spectrum.Kernel{K: 2, Alphabet: stringkernel.DNA}
	kernel := compose.Mean([]stringkernel.Kernel{two, spectrum.Kernel{K: 3, Alphabet: stringkernel.DNA}}, nil)
	sv := must.Get(stringkernel.NewCorpus([][]byte{[]byte("GATTACA"), []byte("CATTAG")}, nil))(t)
	scorer := must.Get(stringkernel.Merge(t.Context(), kernel, sv, []float64{1, -1}))(t)
	restorer := stringkernel.RestorerOf(kernel)
	good := restorer.Arrays(scorer)
	if _, err := restorer.Restore(good); err != nil {
		t.Fatalf("its own arrays: %v", err)
	}
	renamed := func(name string) []stringkernel.Array {
		arrays := append([]stringkernel.Array(nil), good...)
		arrays[0].Name = name
		return arrays
	}
	wide := must.Get(stringkernel.Merge(t.Context(), two, sv, []float64{1, -1}, []float64{1, 1}))(t)
	wideArrays := two.Arrays(wide)
	var mixed []stringkernel.Array
	for _, a := range wideArrays {
		mixed = append(mixed, stringkernel.Array{Name: "0/" + a.Name, Data: a.Data})
	}
	for _, a := range good {
		if strings.HasPrefix(a.Name, "1/") {
			mixed = append(mixed, a)
		}
	}
	for why, arrays := range map[string][]stringkernel.Array{
		"none":              nil,
		"a term is missing": good[:len(good)/2],
		"twice":             append(append([]stringkernel.Array(nil), good...), good[0]),
		"twice, by another name": append(append([]stringkernel.Array(nil), good...),
			stringkernel.Array{Name: "0" + good[0].Name, Data: good[0].Data}),
		"no number":               renamed("outputs"),
		"an empty number":         renamed("/outputs"),
		"a negative number":       renamed("-1/outputs"),
		"a number beyond":         renamed("2/outputs"),
		"a number far beyond":     renamed("99999999999999999999/outputs"),
		"an empty name":           renamed(""),
		"another name":            renamed("0/inputs"),
		"different output counts": mixed,
	} {
		if s, err := restorer.Restore(arrays); err == nil {
			t.Errorf("%s: no error, a scorer of %d outputs", why, s.Outputs())
		}
	}
	want := []string{"0/outputs", "0/codes.2", "0/values.2", "1/outputs", "1/codes.3", "1/values.3"}
	if names := arrayNames(good); !reflect.DeepEqual(names, want) {
		t.Errorf("the arrays are named %q", names)
	}
}

func arrayNames(arrays []stringkernel.Array) []string {
	names := make([]string, len(arrays))
	for i, a := range arrays {
		names[i] = a.Name
	}
	return names
}

// Norms of sequences of k-mers in which a letter is replaced are those of each alone, also where hardly a k-mer is
// left.
func TestSubstitutedNorms(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 3))
	random := func(n int) []byte {
		return drawn.Text(rng, "ACGT", n)
	}
	sv := must.Get(stringkernel.NewCorpus([][]byte{random(60), random(60), random(60)}, nil))(t)
	lonely := []byte(strings.Repeat("N", 60))
	copy(lonely[30:], "ACGTA")
	for _, inside := range []stringkernel.Kernel{
		spectrum.Kernel{K: 5, Alphabet: stringkernel.DNA},
		gapped.Kernel{L: 5, K: 3, Filter: gapped.Plain, D: 2, Alphabet: stringkernel.DNA},
		gapped.Kernel{L: 5, K: 3, Filter: gapped.Plain, D: 2, Alphabet: stringkernel.DNA, Center: "20:5"},
	} {
		k := compose.Normalized(compose.OnBothStrands(inside, stringkernel.DNA))
		s := must.Get(stringkernel.Merge(t.Context(), k, sv, []float64{1, -2, 0.5}))(t)
		for _, x := range [][]byte{random(60), sv.Seq(0), lonely} {
			letters := []byte("ACGTN")
			scores, want := make([]float64, len(x)*len(letters)), make([]float64, len(x)*len(letters))
			compose.Substitute(scores, nil, s, 0, x, letters)
			for at := range want {
				y := bytes.Clone(x)
				y[at/5] = letters[at%5]
				s.ScoreTo(want[at:at+1], y)
				if math.Abs(scores[at]-want[at]) > 1e-12 {
					t.Fatalf("%+v: %c at %d of %s: %v, alone %v", inside, letters[at%5], at/5, x, scores[at], want[at])
				}
			}
		}
	}
}
