package oligo

import (
	"fmt"
	"math"
	"math/rand/v2"
	"reflect"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/seqsvm/seqsvm/stringkernel"
	"github.com/seqsvm/seqsvm/stringkernel/compose"
	"github.com/seqsvm/seqsvm/stringkernel/kerneltest"
)

var (
	_ compose.Norms          = Kernel{}
	_ stringkernel.Restorer  = Kernel{}
	_ stringkernel.Explainer = (*scorer)(nil)
)

func TestOligoCheck(t *testing.T) {
	kerneltest.Parameters(t, []kerneltest.ParameterCase{
		{Kernel: Kernel{K: 1, Sigma: 1e-3, Alphabet: stringkernel.DNA}, Want: ""},
		{Kernel: Kernel{K: 32, Sigma: 1e5, Alphabet: stringkernel.RNA}, Want: ""},
		{Kernel: Kernel{K: 8, Sigma: 1}, Want: ""},
		{Kernel: Kernel{Sigma: 1}, Want: "oligo: k = 0, want 1…8 for alphabet bytes"},
		{
			Kernel: Kernel{K: 33, Sigma: 1, Alphabet: stringkernel.DNA},
			Want:   "oligo: k = 33, want 1…32 for alphabet dna",
		},
		{
			Kernel: Kernel{K: 13, Sigma: 1, Alphabet: stringkernel.Protein},
			Want:   "oligo: k = 13, want 1…12 for alphabet protein",
		},
		{Kernel: Kernel{K: 3, Sigma: 0.0009}, Want: "oligo: sigma = 0.0009, want 0.001…100000"},
		{Kernel: Kernel{K: 3, Sigma: 100001}, Want: "oligo: sigma = 100001, want 0.001…100000"},
		{Kernel: Kernel{K: 3, Sigma: math.NaN()}, Want: "oligo: sigma = NaN, want"},
		{Kernel: Kernel{K: 3, Sigma: 1, Alphabet: "greek"}, Want: `oligo: alphabet "greek" is unknown`},
	})
}

func TestOligoConforms(t *testing.T) {
	for _, k := range []Kernel{
		{K: 1, Sigma: 0.5, Alphabet: stringkernel.DNA}, {K: 3, Sigma: 2, Alphabet: stringkernel.DNA},
		{K: 2, Sigma: 1e-3, Alphabet: stringkernel.DNA},
		{K: 2, Sigma: 1e5, Alphabet: stringkernel.DNA}, {K: 11, Sigma: 3, Alphabet: stringkernel.DNA},
		{K: 2, Sigma: 1.5},
	} {
		breaks := "Nn"
		if k.Alphabet == "" {
			breaks = ""
		}
		t.Run(
			fmt.Sprintf("%+v", k),
			func(t *testing.T) { kerneltest.Run(t, k, kerneltest.Options{Letters: "ACGT", Breaks: breaks}) },
		)
	}
}

// sequences draws between least and most sequences of any lengths up to longest, over letters and a break.
func sequences(t *rapid.T, letters string, least, most, longest int) [][]byte {
	letter := rapid.SampledFrom([]byte(letters))
	return rapid.SliceOfN(rapid.SliceOfN(letter, 0, longest), least, most).Draw(t, "sequences")
}

func corpusOf(t testing.TB, seqs [][]byte) *stringkernel.Corpus {
	t.Helper()
	c, err := stringkernel.NewCorpus(seqs, nil)
	if err != nil {
		t.Fatal(err)
	}
	return c
}

// isNear compares with what rounding allows sums of the size of scale.
func isNear(got, want, scale float64) bool {
	return math.Abs(got-want) <= 1e-11*(math.Abs(scale)+math.Abs(want))+1e-300
}

// Values, rows and scores are those of the definition, the latter also of queries that are longer than any support
// vector, for k-mers with a table and without.
func TestOligoDefinition(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		k := Kernel{
			K:        rapid.IntRange(1, 4).Draw(rt, "k"),
			Sigma:    rapid.SampledFrom([]float64{0.01, 0.4, 1, 3, 50}).Draw(rt, "sigma"),
			Alphabet: stringkernel.DNA,
		}
		seqs := sequences(rt, "ACGTNAAC", 1, 6, 60)
		query := rapid.SliceOfN(rapid.SampledFrom([]byte("ACGTN")), 0, 90).Draw(rt, "query")
		c := corpusOf(t, seqs)
		g, err := k.Gram(t.Context(), c)
		if err != nil {
			rt.Fatal(err)
		}
		coef, size := make([]float64, len(seqs)), 0.0
		for i := range coef {
			coef[i] = rapid.Float64Range(-2, 2).Draw(rt, "coefficient")
		}
		row, want := make([]float64, len(seqs)), 0.0
		for i, x := range seqs {
			g.Row(row, i)
			for j, y := range seqs {
				defined := oligoByDefinition(x, y, "ACGT", k.K, k.Sigma)
				if got := k.Eval(x, y); !isNear(got, defined, 1e-4) {
					rt.Fatalf("Eval(%q, %q) = %v, want %v", x, y, got, defined)
				}
				if !isNear(row[j], defined, 1e-4) {
					rt.Fatalf("Row(%d)[%d] = %v, want %v", i, j, row[j], defined)
				}
			}
			value := oligoByDefinition(x, query, "ACGT", k.K, k.Sigma)
			want += coef[i] * value
			size += math.Abs(coef[i]) * value
		}
		for _, tables := range []bool{true, false} {
			s, err := stringkernel.Merge(t.Context(), k, c, coef, coef)
			if err != nil {
				rt.Fatal(err)
			}
			if rows := s.(*scorer).rows; !tables {
				copy(rows, slices.Repeat([]int{-1}, len(rows)))
			}
			got := make([]float64, 2)
			s.ScoreTo(got, query)
			if !isNear(got[0], want, size+1e-4) || got[1] != got[0] {
				rt.Fatalf("score %v of %q with tables %v, want %v", got, query, tables, want)
			}
		}
	})
}

// Damaged arrays are refused for what is wrong with them; kerneltest has more damage, and the way back to the same
// bits.
func TestOligoRestoreRefuses(t *testing.T) {
	k := Kernel{K: 2, Sigma: 1, Alphabet: stringkernel.Protein}
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
	if err := restore(good()); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		name string
		data any
		want string
	}{
		{"more", []int32{1}, `unknown array "more"`},
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
	k := Kernel{K: 2, Sigma: 1, Alphabet: stringkernel.DNA}
	s, err := stringkernel.Merge(t.Context(), k, corpusOf(t, [][]byte{[]byte("AAAC")}), []float64{3})
	if err != nil {
		t.Fatal(err)
	}
	got := make([]float64, 5)
	stringkernel.ExplainerOf(s).ExplainTo(got, 0, []byte("GACGG")) // AC one place before
	share := 3 * math.Exp(-0.25) / 2
	if want := []float64{0, share, share, 0, 0}; !slices.Equal(got, want) {
		t.Fatalf("contributions %v, want %v", got, want)
	}
}

// K-mers that occur once each, in a corpus far longer than the tables that are always granted, are looked up cell by
// cell.
func TestOligoTablesAreBounded(t *testing.T) {
	const length = 1 << 14
	seqs := [][]byte{randomBases(length, 1), randomBases(length, 2)}
	k := Kernel{K: 10, Sigma: 2, Alphabet: stringkernel.DNA}
	merged, err := stringkernel.Merge(t.Context(), k, corpusOf(t, seqs), []float64{1, -2})
	if err != nil {
		t.Fatal(err)
	}
	s := merged.(*scorer)
	if most := perCell * len(s.cells.at); len(s.tables) > most {
		t.Fatalf("%d values in tables, want at most %d", len(s.tables), most)
	}
	if slices.Max(s.rows) >= 0 {
		t.Fatal("a k-mer that is rare has a table")
	}
	got := make([]float64, 1)
	s.ScoreTo(got, seqs[1])
	if want := k.Eval(seqs[0], seqs[1]) - 2*k.Eval(seqs[1], seqs[1]); !isNear(got[0], want, 0) {
		t.Fatalf("score %v, want %v", got[0], want)
	}
}

// FuzzOligoRestore: whatever the arrays hold, an error or a scorer that does not panic and whose arrays are those it
// was made of.
func FuzzOligoRestore(f *testing.F) {
	f.Add(2, 1.0, int32(1), []byte{0, 5, 9}, []byte{1, 1, 2}, []byte{3, 0, 0, 7})
	f.Add(3, 1e5, int32(2), []byte{63}, []byte{2}, []byte{0, 255})
	f.Fuzz(func(t *testing.T, letters int, sigma float64, outputs int32, kmers, cells, places []byte) {
		k := Kernel{K: letters, Sigma: sigma, Alphabet: stringkernel.DNA}
		codes, counts, positions := make([]uint64, len(kmers)), make([]int32, len(cells)), make([]int32, len(places))
		for i, b := range kmers {
			codes[i] = uint64(b)
		}
		for i, b := range cells {
			counts[i] = int32(b) - 1
		}
		for i, b := range places {
			positions[i] = int32(b) << (b % 25) // some far away
		}
		coef := make([]float64, len(places)*int(max(0, min(outputs, 3))))
		for i := range coef {
			coef[i] = float64(i) - 1
		}
		arrays := []stringkernel.Array{
			{
				Name: "outputs",
				Data: []int32{outputs},
			}, {Name: oligoKmers, Data: codes}, {Name: oligoCells, Data: counts},
			{Name: oligoPositions, Data: positions}, {Name: oligoCoef, Data: coef},
		}
		s, err := k.Restore(arrays)
		if err != nil {
			return
		}
		x := []byte("ACGTTGCANACGGGTTTTTCA")
		dst, parts := make([]float64, outputs), make([]float64, len(x))
		s.ScoreTo(dst, x)
		s.(*scorer).ExplainTo(parts, int(outputs)-1, x)
		if again := k.Arrays(s); !reflect.DeepEqual(again, arrays) {
			t.Fatalf("%v, want %v", again, arrays)
		}
	})
}

func randomBases(n int, seed uint64) []byte {
	rng := rand.New(rand.NewPCG(seed, 0))
	x := make([]byte, n)
	for i := range x {
		x[i] = "ACGT"[rng.IntN(4)]
	}
	return x
}

// BenchmarkRows reports kernel values per second of rows of 2,000 windows of 141 bases.
func BenchmarkRows(b *testing.B) {
	var seqs [][]byte
	for i := range 2000 {
		seqs = append(seqs, randomBases(141, uint64(i)))
	}
	c := corpusOf(b, seqs)
	for _, k := range []Kernel{{K: 3, Sigma: 2, Alphabet: stringkernel.DNA},
		{K: 6, Sigma: 2, Alphabet: stringkernel.DNA}} {
		g, err := k.Gram(b.Context(), c)
		if err != nil {
			b.Fatal(err)
		}
		row := make([]float64, c.Len())
		b.Run(fmt.Sprintf("%+v", k), func(b *testing.B) {
			i := 0
			for b.Loop() {
				g.Row(row, i%c.Len())
				i++
			}
			b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N*c.Len()), "ns/value")
		})
	}
}

// BenchmarkOligo measures index, product and scores; bytes are letters.
func BenchmarkOligo(b *testing.B) {
	var seqs [][]byte
	for i := range 10000 {
		seqs = append(seqs, randomBases(200, uint64(i)))
	}
	c := corpusOf(b, seqs)
	v, dst := make([]float64, c.Len()), make([]float64, c.Len())
	for i := range v {
		v[i] = float64(i%7) - 3
	}
	for _, k := range []Kernel{{K: 3, Sigma: 2}, {K: 3, Sigma: 20}, {K: 6, Sigma: 2}, {K: 12, Sigma: 2}} {
		k.Alphabet = stringkernel.DNA
		g, err := k.Gram(b.Context(), c)
		if err != nil {
			b.Fatal(err)
		}
		s, err := stringkernel.Merge(b.Context(), k, c, v)
		if err != nil {
			b.Fatal(err)
		}
		for name, task := range map[string]func(){
			"index":   func() { _, _ = k.Gram(b.Context(), c) },
			"product": func() { g.MulVecTo(dst, v) },
			"score": func() {
				for i := range c.Len() {
					s.ScoreTo(dst[i:], c.Seq(i))
				}
			},
		} {
			b.Run(fmt.Sprintf("k=%d/sigma=%g/%s", k.K, k.Sigma, name), func(b *testing.B) {
				b.SetBytes(int64(c.Letters()))
				b.ReportAllocs()
				for b.Loop() {
					task()
				}
			})
		}
	}
}
