package spectrum

import (
	"math"
	"math/rand/v2"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/seqsvm/seqsvm/stringkernel"
	"github.com/seqsvm/seqsvm/stringkernel/kerneltest"
)

func supportScorerOf(t *testing.T, k Kernel, sv *stringkernel.Corpus, coef ...[]float64) *supportScorer {
	t.Helper()
	s, err := newSupportScorer(t.Context(), k, sv, stringkernel.NewCoefficients(sv.Len(), coef))
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// Scores are sums of kernel values by their definition, and have the same bits once stored and restored; what explains
// them is that of weights by k-mer.
func TestSupportScorer(t *testing.T) {
	everyKernel(t, func(t *testing.T, k Kernel) {
		if k.Bounded {
			return
		}
		r := rand.New(rand.NewPCG(16, uint64(k.K)))
		sv := kerneltest.Concat(drawCorpus(t, r, k.Alphabet, 12, 60), stringkernel.View(
			[]byte(strings.Repeat(drawn[k.Alphabet][:1], 300+k.K)))) // a count that takes two postings
		queries := kerneltest.Concat(drawCorpus(t, r, k.Alphabet, 6, 90), sv)
		coef := [][]float64{randomVector(r, sv.Len()), make([]float64, sv.Len()), randomVector(r, sv.Len())}
		s, weights := supportScorerOf(t, k, sv, coef...), merge(k, sv, 0, false, coef...)
		restored, err := k.Restore(k.Arrays(s))
		if err != nil {
			t.Fatal(err)
		}
		mix := []float64{0.5, 1, -2}
		compareFeatures(t, s.TopFeatures(mix, 5), weights.TopFeatures(mix, 5))
		for q := range queries.Len() {
			x := queries.Seq(q)
			got := scores(s, x)
			if !sameBits(got, scores(restored, x)) {
				t.Fatalf("restored, the scores of %q differ", x)
			}
			features := definition(k, x)
			for m := range coef {
				want, scale := 0.0, 0.0
				for i := range sv.Len() {
					value := inner(features, definition(k, sv.Seq(i)))
					want += coef[m][i] * value
					scale += math.Abs(coef[m][i] * value)
				}
				if !near(got[m], want, scale) {
					t.Fatalf("score %d of %q = %v, want %v", m, x, got[m], want)
				}
				parts, wanted := make([]float64, len(x)), make([]float64, len(x))
				s.ExplainTo(parts, m, x)
				weights.ExplainTo(wanted, m, x)
				for p := range x {
					if !near(parts[p], wanted[p], scale) {
						t.Fatalf("contribution of place %d of %q: %v, want %v", p, x, parts[p], wanted[p])
					}
				}
			}
			compareFeatures(t, s.FeaturesOf(mix, x, stringkernel.AllFeatures),
				weights.FeaturesOf(mix, x, stringkernel.AllFeatures))
			if len(x) > 0 {
				compareTracks(t, k, s, 2, x, 1+r.IntN(len(x)))
			}
		}
	})
}

// compareFeatures compares two lists up to rounding, and thus up to the order of features of one weight.
func compareFeatures(t *testing.T, got, want []stringkernel.Feature) {
	t.Helper()
	if len(got) != len(want) {
		t.Fatalf("%d features, want %d", len(got), len(want))
	}
	for i, f := range got {
		a, b := f.Weight*float64(max(1, f.Count)), want[i].Weight*float64(max(1, want[i].Count))
		if !near(a, b, 100+math.Abs(b)) {
			t.Fatalf("feature %d: %+v, want %+v", i, f, want[i])
		}
	}
}

// Support vectors are kept apart where each has coefficients for few of many outputs, and not where all have.
func TestBySupport(t *testing.T) {
	r := rand.New(rand.NewPCG(17, 1))
	sv := drawCorpus(t, r, stringkernel.DNA, 120, 400)
	k := Kernel{K: 8, Alphabet: stringkernel.DNA}
	const outputs = 300
	few, all := make([][]float64, outputs), make([][]float64, outputs)
	for m := range few {
		few[m], all[m] = make([]float64, sv.Len()), randomVector(r, sv.Len())
		few[m][m%sv.Len()], few[m][(7*m+1)%sv.Len()] = 1, -1
	}
	for _, c := range []struct {
		kernel Kernel
		coef   [][]float64
		want   bool
	}{
		{k, few, true}, {k, few[:20], false}, {Kernel{K: 3, Alphabet: stringkernel.DNA}, few, false},
		{Kernel{K: 8, Bounded: true, Alphabet: stringkernel.DNA}, few, false},
	} {
		s, err := stringkernel.Merge(t.Context(), c.kernel, sv, c.coef...)
		if err != nil {
			t.Fatal(err)
		}
		if _, got := s.(*supportScorer); got != c.want {
			t.Errorf("%+v with %d outputs: %T", c.kernel, len(c.coef), s)
		}
	}
	dense := stringkernel.NewCoefficients(sv.Len(), all)
	if !reflect.DeepEqual(dense.Dense(), all) {
		t.Error("the coefficients of all records are others")
	}
}

// What a file says of support vectors is an error or a scorer that works.
func TestRestoreSupportRefuses(t *testing.T) {
	k := Kernel{K: 2, Alphabet: stringkernel.DNA}
	array := func(name string, data any) stringkernel.Array { return stringkernel.Array{Name: name, Data: data} }
	good := []stringkernel.Array{
		array("outputs", []int32{3}),
		array("sparse.rows", []uint8{2, 0, 2, 0, 1, 1}), // outputs 0 and 2, none, output 1
		array("sparse.values", []float64{1, -1, 2}),
		array("codes.2", []uint64{1, 15}),
		array("lists.2", []uint8{2, 0, 1, 2, 3, 1, 1, 5}), // once in 0 and three times in 2; five times in 1
	}
	s, err := k.Restore(good)
	if err != nil {
		t.Fatal(err)
	}
	if got, want := scores(s, []byte("ACTT")), []float64{1, 6, -1}; !sameBits(got, want) {
		t.Errorf("scores %v, want %v", got, want)
	}
	for _, c := range []struct {
		why  string
		at   int
		data any
		want string
	}{
		{"too few outputs", 0, []int32{2}, "row 0 is of output 2, want 1 to 1"},
		{"an output twice", 1, []uint8{2, 1, 0, 0, 1, 1}, "row 0 is of output 1, want 2 to 2"},
		{"too many entries", 1, []uint8{2, 0, 2, 0, 2, 1, 1}, "want 2 to 2, and 3 in all"},
		{"too few entries", 1, []uint8{2, 0, 2}, "3 numbers, want 2 rows of 1"},
		{"an endless number", 1, []uint8{2, 0, 2, 0, 1, 0xff}, "row 2 is of output 4294967296"},
		{"a NaN", 2, []float64{1, math.NaN(), 2}, "number 1 is NaN"},
		{"codes that descend", 3, []uint64{15, 1}, "does not ascend"},
		{"another k-mer", 3, []uint64{1, 16}, "not a k-mer"},
		{"a support vector too many", 4, []uint8{2, 0, 1, 3, 3, 1, 1, 5}, "support vector 3 of 3"},
		{"no occurrence", 4, []uint8{2, 0, 0, 2, 3, 1, 1, 5}, "occurs 0 times"},
		{"no end", 4, []uint8{2, 0, 1, 2}, "occurs 18446744073709551615 times"},
		{"more bytes", 4, []uint8{2, 0, 1, 2, 3, 1, 1, 5, 0}, "1 bytes after the last k-mer"},
		{"nothing", 4, nil, "missing"},
	} {
		bad := slices.Clone(good)
		bad[c.at].Data = c.data
		if _, err := k.Restore(bad); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: got %v, want %q", c.why, err, c.want)
		}
	}
	if _, err := (Kernel{K: 2, Bounded: true, Alphabet: stringkernel.DNA}).Restore(good); err == nil {
		t.Error("a bounded kernel takes the arrays of a plain one")
	}
}

// FuzzRestoreSupport reads any bytes as arrays: the result is an error or a scorer that works, and survives a round
// trip.
func FuzzRestoreSupport(f *testing.F) {
	f.Add([]byte{2, 0, 2, 0, 1, 1}, []byte{1, 15}, []byte{2, 0, 1, 2, 3, 1, 1, 5}, []byte("ACTT"))
	f.Fuzz(func(t *testing.T, rows, codes, lists, x []byte) {
		k := Kernel{K: 2, Alphabet: stringkernel.DNA}
		var kmers []uint64
		for _, code := range codes {
			kmers = append(kmers, uint64(code))
		}
		values := make([]float64, len(rows))
		for i := range values {
			values[i] = float64(i + 1)
		}
		for entries := range values { // how many the rows have is not known
			s, err := k.Restore([]stringkernel.Array{
				{Name: "outputs", Data: []int32{3}}, {Name: "sparse.rows", Data: rows},
				{Name: "sparse.values", Data: values[:entries]},
				{Name: "codes.2", Data: kmers}, {Name: "lists.2", Data: lists},
			})
			if err != nil {
				continue
			}
			first := scores(s, x)
			stringkernel.ExplainerOf(s).ExplainTo(make([]float64, len(x)), 0, x)
			again, err := k.Restore(k.Arrays(s))
			if err != nil {
				t.Fatal(err)
			}
			if !sameBits(first, scores(again, x)) {
				t.Fatal("scores change in a round trip")
			}
		}
	})
}
