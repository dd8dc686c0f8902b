package kmers_test

import (
	"bytes"
	"context"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/seqsvm/seqsvm/catalog"
	"github.com/seqsvm/seqsvm/classify/decide"
	"github.com/seqsvm/seqsvm/internal/must"
	"github.com/seqsvm/seqsvm/model"
	"github.com/seqsvm/seqsvm/model/kmers"
	"github.com/seqsvm/seqsvm/stringkernel"
)

// handMade is a model of the sequences and coefficients below.
func handMade(t testing.TB, normalize bool, kernels ...string) *model.Model {
	t.Helper()
	spec := must.Get(catalog.Parse(kernels...))(t)
	spec.Normalize = normalize
	kernel := must.Get(spec.Compile(""))(t)
	seqs := [][]byte{[]byte("ACGTACGGTTACA"), []byte("GGGATTACANNACGT"), []byte("TTTTGCGCAC")}
	if strings.Contains(kernels[0], "protein") {
		seqs = [][]byte{[]byte("MKWVTFIS"), []byte("WVTXKLM"), []byte("AAWVKK")}
	}
	support := must.Get(stringkernel.NewCorpus(seqs, nil))(t)
	m := must.Get(model.New(t.Context(), &decide.Model{
		Rule: decide.Rule{Classes: []string{"no", "yes"}, Scheme: decide.TwoClass, Positive: 1,
			Machines: []decide.Binary{{Positive: 1, Rho: 0.5}}},
		Kernel: kernel, Support: support, Index: []int{0, 1, 2},
		Coef: stringkernel.NewCoefficients(len(handCoef), [][]float64{handCoef}),
	}, model.Options{KeepSequences: true}))(t)
	return m
}

var handCoef = []float64{1, 0.25, -1.5}

// naive is w(u) from kernel values alone.
func naive(t testing.TB, m *model.Model) func(kmer string) float64 {
	t.Helper()
	spec := m.Kernel
	spec.Normalize = false
	kernel := must.Get(spec.Compile(""))(t)
	return func(kmer string) float64 {
		sum := 0.0
		for i, a := range handCoef {
			x := m.Support.Seq(i)
			scale := 1.0
			if m.Kernel.Normalize {
				scale = 1 / math.Sqrt(kernel.Eval(x, x))
			}
			sum += a * scale * kernel.Eval(x, []byte(kmer))
		}
		return sum
	}
}

// plainRows are lines k-mer, tab, score.
var plainRows = kmers.Rows{Append: func(dst, kmer []byte, score float64) []byte {
	return fmt.Appendf(dst, "%s\t%s\n", kmer, strconv.FormatFloat(score, 'g', -1, 64))
}}

// writeTable returns the lines of a table.
func writeTable(t testing.TB, s *kmers.Scorer, set *kmers.Set) []string {
	t.Helper()
	var b bytes.Buffer
	must.Succeed(t, s.WriteRows(context.Background(), &b, set, plainRows))
	return strings.Split(strings.TrimSuffix(b.String(), "\n"), "\n")
}

// checkTable compares a table with the k-mers it should have and their scores by definition.
func checkTable(t *testing.T, name string, lines, want []string, score func(string) float64) {
	t.Helper()
	if len(lines) != len(want) {
		t.Fatalf("%s: %d lines, want %d", name, len(lines), len(want))
	}
	for i, line := range lines {
		kmer, text, _ := strings.Cut(line, "\t")
		got, err := strconv.ParseFloat(text, 64)
		if kmer != want[i] || err != nil || math.Abs(got-score(kmer)) > 1e-9 {
			t.Fatalf("%s: line %q, want %s %v", name, line, want[i], score(want[i]))
		}
	}
}

// rcOf is the reverse complement in an alphabet that has A, C, G and T or U in this order.
func rcOf(letters, w string) string {
	out := []byte(w)
	slices.Reverse(out)
	for i, b := range out {
		out[i] = letters[3-strings.IndexByte(letters, b)]
	}
	return string(out)
}

// TestSet lists the k-mers of sequences.
func TestSet(t *testing.T) {
	m := handMade(t, true, "gapped:l=4,k=3,d=1,alphabet=dna,rc")
	s := must.Get(kmers.NewScorer(t.Context(), m))(t)
	rapid.Check(t, func(rt *rapid.T) {
		seqs := rapid.SliceOfN(rapid.StringOfN(rapid.SampledFrom([]rune("ACGTN")), 0, 40, -1), 0, 5).Draw(rt,
			"sequences")
		distinct := map[string]bool{}
		set := s.NewSet()
		for _, x := range seqs {
			set.Add([]byte(x))
			for i := 0; i+4 <= len(x); i++ {
				if w := x[i : i+4]; !strings.Contains(w, "N") {
					distinct[min(w, rcOf("ACGT", w))] = true
				}
			}
		}
		var want []string
		for w := range distinct {
			want = append(want, w)
		}
		slices.Sort(want)
		if set.Len() != len(want) {
			rt.Fatalf("%d k-mers, want %d", set.Len(), len(want))
		}
		if len(want) == 0 {
			want = []string{""} // no line at all
		}
		lines := writeTable(t, s, set)
		for i := range lines {
			lines[i], _, _ = strings.Cut(lines[i], "\t")
		}
		if !slices.Equal(lines, want) {
			rt.Fatalf("%q, want %q", lines, want)
		}
	})
}

// TestLongKmers lists k-mers of which there are too many to list all.
func TestLongKmers(t *testing.T) {
	m := handMade(t, true, "spectrum:k=32,alphabet=dna,rc")
	m.Support, _ = stringkernel.NewCorpus([][]byte{[]byte(strings.Repeat("ACGGT", 8)), []byte(strings.Repeat("T", 33)),
		[]byte(strings.Repeat("GATTACA", 6))}, nil)
	s := must.Get(kmers.NewScorer(t.Context(), m))(t)
	set := s.NewSet()
	set.Add([]byte(strings.Repeat("T", 50)))
	set.Add([]byte(strings.Repeat("A", 32)))
	set.Add([]byte(strings.Repeat("GATTACA", 6)[3:36]))
	lines := writeTable(t, s, set)
	var want []string
	for _, w := range []string{strings.Repeat("A", 32), strings.Repeat("GATTACA", 6)[3:35],
		strings.Repeat("GATTACA", 6)[4:36]} {
		want = append(want, min(w, rcOf("ACGT", w)))
	}
	slices.Sort(want)
	checkTable(t, "32 letters", lines, want, naive(t, m))
	if err := s.WriteRows(context.Background(), new(bytes.Buffer), nil, plainRows); err == nil ||
		!strings.Contains(err.Error(), "there are 4^32 k-mers, and at most 100000000 are listed") {
		t.Errorf("all k-mers: %v", err)
	}
}
