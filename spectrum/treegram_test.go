package spectrum

import (
	"math"
	"math/rand/v2"
	"runtime"
	"testing"

	"github.com/seqsvm/seqsvm/stringkernel"
)

// TestTreeGram compares products by the suffix tree with sums over all strings, by letters that are symbols of a byte
// and by all 256 bytes, which are not; blocks of products, and any number of processors, have the same bits.
func TestTreeGram(t *testing.T) {
	r := rand.New(rand.NewPCG(35, 35))
	var every stringkernel.CorpusBuilder
	for range 9 {
		x := make([]byte, 300)
		for i := range x {
			x[i] = byte(i)
		}
		r.Shuffle(200, func(i, j int) { x[i], x[j] = x[j], x[i] })
		every.Add("", x)
	}
	all := map[stringkernel.Count]func(a, b float64) float64{
		stringkernel.CountRaw: func(a, b float64) float64 { return a * b },
	}
	for f, pair := range pairsByDefinition {
		if f.Separable() {
			all[f] = pair
		}
	}
	for f, pair := range all {
		t.Run(string(f), func(t *testing.T) {
			for _, k := range []Kernel{{K: 12, Alphabet: stringkernel.Protein}, {K: 4, Alphabet: stringkernel.Protein},
				{K: 5, Alphabet: "murphy10"}, {K: 8, Alphabet: stringkernel.Bytes}} {
				k.Bounded, k.Count = true, f
				c := every.Corpus()
				if k.Alphabet != stringkernel.Bytes {
					c = drawCorpus(t, r, stringkernel.Protein, 30, 90)
				}
				compareTree(t, k, c, pair)
				compareTree(t, k, drawCorpus(t, r, stringkernel.Bytes, 30, 90), pair)
			}
		})
	}
}

func compareTree(t *testing.T, k Kernel, c *stringkernel.Corpus, pair func(a, b float64) float64) {
	t.Helper()
	n := c.Len()
	counts, v := make([]map[string]int, n), make([][]float64, 9)
	for j := range counts {
		counts[j] = definition(k, c.Seq(j))
	}
	r := rand.New(rand.NewPCG(36, 36))
	for m := range v {
		v[m] = randomVector(r, n)
	}
	var first [][]float64
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(1))
	for _, processors := range []int{1, 3} {
		runtime.GOMAXPROCS(processors)
		m, err := k.Gram(t.Context(), c)
		if err != nil {
			t.Fatal(err)
		}
		g, one, block := m.(*treeGram), make([]float64, n), make([][]float64, len(v))
		for m := range block {
			block[m] = make([]float64, n)
		}
		g.MulBlockTo(block, v)
		g.MulVecTo(one, v[0])
		if first == nil {
			first = append(block, one)
		}
		for j, got := range one {
			if math.Float64bits(got) != math.Float64bits(block[0][j]) || got != first[len(v)][j] {
				t.Fatalf("%+v: (K·v)[%d] is %v, %v in a block and %v on one processor", k, j, got, block[0][j], first[0][j])
			}
		}
	}
	for j := range n {
		for m := range v {
			want, size := 0.0, 0.0
			for i := range n {
				sum := 0.0
				for s, a := range counts[i] {
					if b := counts[j][s]; b > 0 {
						sum += pair(float64(a), float64(b))
					}
				}
				want += float64(sum * v[m][i])
				size += float64(sum * math.Abs(v[m][i]))
			}
			if got := first[m][j]; !near(got, want, size) {
				t.Fatalf("%+v: (K·v[%d])[%d] is %v, want %v", k, m, j, got, want)
			}
		}
	}
}

// BenchmarkTreeGram measures an index, a product and a block of eight, of 1,000 records of 400 letters of proteins, of
// which half repeat motifs.
func BenchmarkTreeGram(b *testing.B) {
	r := rand.New(rand.NewPCG(37, 37))
	var records stringkernel.CorpusBuilder
	for i := range 1000 {
		records.Add("", draw(r, drawn[stringkernel.Protein], 400, i%2 == 0))
	}
	c := records.Corpus()
	v, dst := make([][]float64, 8), make([][]float64, 8)
	for m := range v {
		v[m], dst[m] = randomVector(r, c.Len()), make([]float64, c.Len())
	}
	for _, f := range []stringkernel.Count{stringkernel.CountRaw, stringkernel.CountSqrt} {
		k := Kernel{K: 6, Bounded: true, Count: f, Alphabet: stringkernel.Protein}
		index := func() stringkernel.Gram {
			g, err := k.Gram(b.Context(), c)
			if err == nil {
				err = stringkernel.Prepare(b.Context(), g)
			}
			if err != nil {
				b.Fatal(err)
			}
			return g
		}
		g := index()
		for what, run := range map[string]func(){
			"index":   func() { index() },
			"product": func() { g.MulVecTo(dst[0], v[0]) },
			"block":   func() { stringkernel.MulBlock(g, dst, v) },
		} {
			b.Run(string(f)+"/"+what, func(b *testing.B) {
				b.SetBytes(int64(c.Letters()))
				b.ReportAllocs()
				for b.Loop() {
					run()
				}
			})
		}
	}
}
