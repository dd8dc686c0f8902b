package spectrum

import (
	"context"
	"encoding/json"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/seqsvm/seqsvm/internal/hash"
	"github.com/seqsvm/seqsvm/internal/kmer"
	"github.com/seqsvm/seqsvm/stringkernel"
	"github.com/seqsvm/seqsvm/stringkernel/compose"
	"pgregory.net/rapid"
)

var (
	_ compose.Norms           = Kernel{}
	_ compose.WindowNorms     = Kernel{}
	_ stringkernel.Restorer   = Kernel{}
	_ stringkernel.Enumerator = Kernel{}
	_ stringkernel.Gram       = (*gram)(nil)
	_ stringkernel.Explainer  = (*scorer)(nil)
	_ stringkernel.Tracker    = (*scorer)(nil)
)

func TestCheck(t *testing.T) {
	for _, c := range []struct {
		k    Kernel
		want string // a part of the error, empty for none
	}{
		{Kernel{K: 1, Alphabet: stringkernel.DNA}, ""},
		{Kernel{K: 32, Alphabet: stringkernel.RNA}, ""},
		{Kernel{K: 12, Alphabet: stringkernel.Protein, Bounded: true}, ""},
		{Kernel{K: 8}, ""},
		{Kernel{}, "k = 0, want 1…8 for alphabet bytes"},
		{Kernel{K: -3, Alphabet: stringkernel.DNA}, "k = -3, want 1…32"},
		{Kernel{K: 33, Alphabet: stringkernel.DNA}, "substring:weight=fixed"},
		{Kernel{K: 13, Alphabet: stringkernel.Protein, Bounded: true}, "substring:weight=bounded"},
		{Kernel{K: 9, Alphabet: stringkernel.Bytes}, "want 1…8"},
		{Kernel{K: 3, Alphabet: "greek"}, `alphabet "greek" is unknown`},
	} {
		err := c.k.Check()
		if c.want == "" && err != nil || c.want != "" && (err == nil || !strings.Contains(err.Error(), c.want)) {
			t.Errorf("%+v: got %v, want %q", c.k, err, c.want)
		}
		if c.want == "" {
			continue
		}
		if _, err := c.k.Gram(t.Context(), &stringkernel.Corpus{}); err == nil {
			t.Errorf("%+v: Gram takes it", c.k)
		}
		if _, err := stringkernel.Merge(t.Context(), c.k, &stringkernel.Corpus{}, []float64{}); err == nil {
			t.Errorf("%+v: Merge takes it", c.k)
		}
		if _, err := c.k.Restore(nil); err == nil {
			t.Errorf("%+v: Restore takes it", c.k)
		}
	}
}

func TestJSON(t *testing.T) {
	k := Kernel{K: 7, Bounded: true, Alphabet: stringkernel.Protein}
	text, err := json.Marshal(k)
	if err != nil || string(text) != `{"k":7,"bounded":true,"alphabet":"protein"}` {
		t.Fatalf("got %s, %v", text, err)
	}
	var back Kernel
	if err := json.Unmarshal(text, &back); err != nil || back != k {
		t.Errorf("got %+v, %v", back, err)
	}
}

func TestEvalIsTheDefinition(t *testing.T) {
	everyKernel(t, func(t *testing.T, k Kernel) {
		r := rand.New(rand.NewPCG(1, uint64(k.K)))
		c := drawCorpus(t, r, k.Alphabet, 14, 70)
		features := make([]map[string]int, c.Len())
		for i := range features {
			features[i] = definition(k, c.Seq(i))
		}
		for i := range c.Len() {
			for j := range c.Len() {
				x, y := c.Seq(i), c.Seq(j)
				want := inner(features[i], features[j])
				if got := k.Eval(x, y); got != want {
					t.Fatalf("Eval(%q, %q) = %v, want %v", x, y, got, want)
				}
			}
			want := inner(features[i], features[i])
			if got := k.SelfEval(c.Seq(i)); got != want {
				t.Fatalf("SelfEval(%q) = %v, want %v", c.Seq(i), got, want)
			}
		}
	})
}

// All strings of up to 7 letters on {A, C, N} against each other.
func TestEvalOnAllShortStrings(t *testing.T) {
	var all [][]byte
	for length := range 6 {
		for n, x := 0, make([]byte, length); ; n++ {
			rest := n
			for i := range x {
				x[i] = "ACN"[rest%3]
				rest /= 3
			}
			if rest > 0 {
				break
			}
			all = append(all, append([]byte(nil), x...))
		}
	}
	for _, k := range []Kernel{{K: 2, Alphabet: stringkernel.DNA}, {K: 3, Bounded: true, Alphabet: stringkernel.DNA}} {
		features := make([]map[string]int, len(all))
		for i, x := range all {
			features[i] = definition(k, x)
		}
		for i, x := range all {
			for j, y := range all {
				if got, want := k.Eval(x, y), inner(features[i], features[j]); got != want {
					t.Fatalf("%+v: Eval(%q, %q) = %v, want %v", k, x, y, got, want)
				}
			}
		}
	}
}

func TestEvalProperties(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		a := rapid.SampledFrom([]stringkernel.Alphabet{stringkernel.DNA, stringkernel.Protein, stringkernel.Bytes}).
			Draw(t, "alphabet")
		k := Kernel{
			K:        rapid.IntRange(1, kmer.MaxK(a)).Draw(t, "k"),
			Bounded:  rapid.Bool().Draw(t, "bounded"),
			Alphabet: a,
		}
		sequence := rapid.SliceOfN(rapid.SampledFrom([]byte(drawn[a])), 0, 60)
		x, y := sequence.Draw(t, "x"), sequence.Draw(t, "y")
		if got, want := k.Eval(x, y), inner(definition(k, x), definition(k, y)); got != want {
			t.Fatalf("Eval = %v, want %v", got, want)
		}
		if k.Eval(x, y) != k.Eval(y, x) || k.SelfEval(x) != k.Eval(x, x) {
			t.Fatal("not symmetric, or SelfEval is not Eval")
		}
		if xy := k.Eval(x, y); xy*xy > k.SelfEval(x)*k.SelfEval(y)*(1+1e-12) {
			t.Fatal("Cauchy and Schwarz disagree")
		}
	})
}

// One sequence with a count above 2¹⁶ in every k-mer: closed forms of x = Aⁿ.
func TestLargeCounts(t *testing.T) {
	const n = 70_000
	x := []byte(strings.Repeat("A", n))
	c, _ := stringkernel.NewCorpus([][]byte{x, x[:100], []byte("CAC")}, nil)
	for _, length := range []int{1, 3, 11, 32} {
		for _, bounded := range []bool{false, true} {
			k := Kernel{K: length, Bounded: bounded, Alphabet: stringkernel.DNA}
			want := 0.0
			for l := length; l >= 1; l-- {
				want += float64(n-l+1) * float64(100-l+1)
				if !bounded {
					break
				}
			}
			if got := k.Eval(x, x[:100]); got != want {
				t.Errorf("%+v: Eval = %v, want %v", k, got, want)
			}
			for _, depth := range depths(k, 12) {
				g := newGram(context.Background(), k, c, depth)
				row := make([]float64, 3)
				for _, inverted := range []bool{false, true} {
					forceRows(g, inverted)
					g.Row(row, 1)
					if row[0] != want || row[1] != k.SelfEval(x[:100]) {
						t.Errorf("%+v, depth %d: row %v, want %v first", k, depth, row, want)
					}
				}
				g.Diag(row)
				if row[0] != k.SelfEval(x) {
					t.Errorf("%+v, depth %d: diagonal %v, want %v", k, depth, row[0], k.SelfEval(x))
				}
			}
		}
	}
}

// k-mers coded by multiples of the inverse of the hash function's factor: without a seed they all belong to a few
// slots, and counting them would take minutes.
func TestWordsOfOneSlot(t *testing.T) {
	if testing.Short() {
		t.Skip("it hashes for seconds, on one processor")
	}
	const n = 300_000
	inverse := uint64(1)
	for range 6 { // Newton's iteration doubles the bits that are right
		inverse *= 2 - inverse*hash.Golden
	}
	k := Kernel{K: 32, Alphabet: stringkernel.DNA}
	c := newCoder(k.Alphabet, k.K)
	var x []byte
	for i := range uint64(n) {
		x = append(append(x, c.String(i*inverse)...), 'N')
	}
	if got := k.SelfEval(x); got != n {
		t.Errorf("k(x, x) = %v of %d different k-mers", got, n)
	}
	if got := k.Eval(x, x); got != n {
		t.Errorf("Eval = %v of %d different k-mers", got, n)
	}
}
