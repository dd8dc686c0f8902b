package oligo_test

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/seqsvm/seqsvm/internal/drawn"
	"github.com/seqsvm/seqsvm/internal/long"
	"github.com/seqsvm/seqsvm/internal/must"
	"github.com/seqsvm/seqsvm/stringkernel"
	"github.com/seqsvm/seqsvm/stringkernel/kerneltest"
	"github.com/seqsvm/seqsvm/wdk/oligo"
)

func TestOligoCheck(t *testing.T) {
	kerneltest.Parameters(t, []kerneltest.ParameterCase{
		{Kernel: oligo.Kernel{K: 1, Sigma: 1e-3, Alphabet: stringkernel.DNA}, Want: ""},
		{Kernel: oligo.Kernel{K: 32, Sigma: 1e5, Alphabet: stringkernel.RNA}, Want: ""},
		{Kernel: oligo.Kernel{K: 8, Sigma: 1}, Want: ""},
		{Kernel: oligo.Kernel{Sigma: 1}, Want: "oligo: k = 0, want 1…8 for alphabet bytes"},
		{
			Kernel: oligo.Kernel{K: 33, Sigma: 1, Alphabet: stringkernel.DNA},
			Want:   "oligo: k = 33, want 1…32 for alphabet dna",
		},
		{
			Kernel: oligo.Kernel{K: 13, Sigma: 1, Alphabet: stringkernel.Protein},
			Want:   "oligo: k = 13, want 1…12 for alphabet protein",
		},
		{Kernel: oligo.Kernel{K: 3, Sigma: 0.0009}, Want: "oligo: sigma = 0.0009, want 0.001…100000"},
		{Kernel: oligo.Kernel{K: 3, Sigma: 100001}, Want: "oligo: sigma = 100001, want 0.001…100000"},
		{Kernel: oligo.Kernel{K: 3, Sigma: math.NaN()}, Want: "oligo: sigma = NaN, want"},
		{Kernel: oligo.Kernel{K: 3, Sigma: 1, Alphabet: "greek"}, Want: `oligo: alphabet "greek" is unknown`},
	})
}

func TestOligoConforms(t *testing.T) {
	for _, k := range []oligo.Kernel{
		{K: 1, Sigma: 0.5, Alphabet: stringkernel.DNA}, {K: 3, Sigma: 2, Alphabet: stringkernel.DNA},
		{K: 2, Sigma: 1e-3, Alphabet: stringkernel.DNA},
		{K: 2, Sigma: 1e5, Alphabet: stringkernel.DNA}, {K: 11, Sigma: 3, Alphabet: stringkernel.DNA},
		{K: 2, Sigma: 1.5},
	} {
		breaks := "Nn"
		if k.Alphabet == "" {
			breaks = ""
		}
		letters := "ACGT"
		opt := kerneltest.Options{Letters: letters, Breaks: breaks, Value: func(x, y []byte) float64 {
			return oligoByDefinition(x, y, letters, k.K, k.Sigma)
		}}
		t.Run(fmt.Sprintf("%+v", k), func(t *testing.T) { kerneltest.Run(t, k, opt) })
		if k.Sigma > 1e4 && !long.Tests { // each record has the whole of all others
			continue
		}
		var b stringkernel.CorpusBuilder
		for i := range 14 {
			b.Add("", randomBases(5+18*i, uint64(i%12)))
		}
		opt.Records, opt.Uncounted = b.Corpus(), true
		t.Run(fmt.Sprintf("%+v, long records", k), func(t *testing.T) { kerneltest.Run(t, k, opt) })
	}
}

func corpusOf(t testing.TB, seqs [][]byte) *stringkernel.Corpus {
	t.Helper()
	return must.Get(stringkernel.NewCorpus(seqs, nil))(t)
}

// isNear compares with what rounding allows sums of the size of scale.
func isNear(got, want, scale float64) bool {
	return math.Abs(got-want) <= 1e-11*(math.Abs(scale)+math.Abs(want))+1e-300
}

// Damaged arrays are refused for what is wrong with them; kerneltest has more damage, and the way back to the same
// bits.
func TestOligoRestoreRefuses(t *testing.T) {
	k := oligo.Kernel{K: 2, Sigma: 1, Alphabet: stringkernel.Protein}
	good := func() map[string]any {
		return map[string]any{
			"outputs":      []int32{1},
			"words":        []uint64{5, 1<<5 | 19},
			"cells":        []int32{1, 2},
			"positions":    []int32{3, 0, 7},
			"coefficients": []float64{1, 2, 3},
		}
	}
	restore := func(named map[string]any) error {
		var arrays []stringkernel.Array
		for name, data := range named {
			arrays = append(arrays, stringkernel.Array{Name: name, Data: data})
		}
		_, err := k.Restore(arrays)
		return err
	}
	must.Succeed(t, restore(good()))
	for _, c := range []struct {
		name string
		data any
		want string
	}{
		{"more", []int32{1}, `unexpected array "more"`},
		{"outputs", []int32{0}, "want one int32 from 1 to 1048576"},
		{"outputs", []int32{2}, "3 numbers, want 3 rows of 2"},
		{"words", []uint64{5, 20}, "code 1 (0x14) is not a k-mer of the alphabet"},
		{"words", []uint64{5, 1 << 10}, "code 1 (0x400) is not a k-mer"},
		{"words", []uint64{5, 5}, "k-mer 1 does not ascend"},
		{"cells", []int32{1}, "1 numbers of cells for 2 k-mers"},
		{"cells", []int32{0, 3}, "k-mer 0 has 0 of the 3"},
		{"cells", []int32{1, 3}, "k-mer 1 has 3 of the 2"},
		{"cells", []int32{1, 1}, "1 positions without a k-mer"},
		{"positions", []int32{3, 7, 7}, "position 7 after 7 of k-mer 1"},
		{"positions", []int32{-1, 0, 7}, "position -1 after -1 of k-mer 0"},
		{"coefficients", []float64{1, math.Inf(1), 3}, "number 1 is +Inf"},
	} {
		damaged := good()
		damaged[c.name] = c.data
		if err := restore(damaged); err == nil || !strings.HasPrefix(err.Error(), "oligo: ") ||
			!strings.Contains(err.Error(), c.want) {
			t.Errorf("%s = %v: error %v, want %q", c.name, c.data, err, c.want)
		}
	}
	twice := []stringkernel.Array{{Name: "outputs", Data: []int32{1}}, {Name: "outputs", Data: []int32{1}}}
	if _, err := k.Restore(twice); err == nil || !strings.Contains(err.Error(), "duplicate array") {
		t.Errorf("error %v", err)
	}
}

// A k-mer at one place adds its weight to its own letters alone.
func TestOligoExplainsPlaces(t *testing.T) {
	k := oligo.Kernel{K: 2, Sigma: 1, Alphabet: stringkernel.DNA}
	s := must.Get(stringkernel.Merge(t.Context(), k, corpusOf(t, [][]byte{[]byte("AAAC")}), []float64{3}))(t)
	got := make([]float64, 5)
	stringkernel.ExplainerOf(s).ExplainTo(got, 0, []byte("GACGG")) // AC one place before
	share := 3 * math.Exp(-0.25) / 2
	if want := []float64{0, share, share, 0, 0}; !slices.Equal(got, want) {
		t.Fatalf("contributions %v, want %v", got, want)
	}
}

// K-mers that occur once each, in a corpus far longer than the tables that are always granted, have none.
func TestOligoOfRareWords(t *testing.T) {
	const length = 1 << 14
	seqs := [][]byte{randomBases(length, 1), randomBases(length, 2)}
	k := oligo.Kernel{K: 10, Sigma: 2, Alphabet: stringkernel.DNA}
	merged := must.Get(stringkernel.Merge(t.Context(), k, corpusOf(t, seqs), []float64{1, -2}))(t)
	got := make([]float64, 1)
	merged.ScoreTo(got, seqs[1])
	if want := k.Eval(seqs[0], seqs[1]) - 2*k.Eval(seqs[1], seqs[1]); !isNear(got[0], want, 0) {
		t.Fatalf("score %v, want %v", got[0], want)
	}
}

func randomBases(n int, seed uint64) []byte {
	rng := rand.New(rand.NewPCG(seed, 0))
	return drawn.Text(rng, "ACGT", n)
}
