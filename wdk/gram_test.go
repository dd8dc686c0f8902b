package wdk

import (
	"math"
	"runtime"
	"sync"
	"testing"

	"pgregory.net/rapid"

	"github.com/seqsvm/seqsvm/stringkernel"
)

// drawCorpus draws n windows of a length, some of them mostly like the one before.
func drawCorpus(t *rapid.T, k Kernel, n, length int) *stringkernel.Corpus {
	seqs := make([][]byte, n)
	for i := range seqs {
		seqs[i] = drawWindow(t, k, length)
		if i > 0 {
			copy(seqs[i], seqs[i-1][:rapid.SampledFrom([]int{0, 0, length / 2, length}).Draw(t, "copied")])
		}
	}
	c, err := stringkernel.NewCorpus(seqs, nil)
	if err != nil {
		t.Fatal(err)
	}
	return c
}

func TestProductsByDefinition(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		length := rapid.IntRange(0, 25).Draw(t, "length")
		k := drawKernel(t, length)
		c := drawCorpus(t, k, rapid.IntRange(1, 12).Draw(t, "n"), length)
		g, err := k.Gram(t.Context(), c)
		if err != nil {
			t.Fatal(err)
		}
		n := c.Len()
		v, got := rapid.SliceOfN(rapid.Float64Range(-2, 2), n, n).Draw(t, "v"), make([]float64, n)
		g.MulVecTo(got, v)
		checkProduct(t, k, c, v, got)
		newOperator(t.Context(), k, c, length).MulVecTo(got, v)
		checkProduct(t, k, c, v, got)
		if k.D*k.Alphabet.Bits() <= codeBits {
			newTables(t.Context(), k, c, length).MulVecTo(got, v)
			checkProduct(t, k, c, v, got)
		}
	})
}

func checkProduct(t *rapid.T, k Kernel, c *stringkernel.Corpus, v, got []float64) {
	for j := range v {
		want, size := 0.0, 0.0
		for i := range v {
			want += v[i] * byDefinition(k, c.Seq(i), c.Seq(j))
			size += math.Abs(v[i]) * math.Sqrt(byDefinition(k, c.Seq(i), c.Seq(i))*byDefinition(k, c.Seq(j), c.Seq(j)))
		}
		if !near(got[j], want, 100*size) {
			t.Fatalf("%+v: product %d: %v, want %v", k, j, got[j], want)
		}
	}
}

// Products by tables have the same bits on any number of processors, and are those by trees up to rounding.
func TestTablesOnAnyProcessors(t *testing.T) {
	const n, length = 5_000, 30
	c := randomWindows(n, length, 0.3)
	for i := 0; i < n; i += 97 {
		c.Seq(i)[i%length] = 'N'
	}
	k := Kernel{D: 5, Shift: 3, Alphabet: stringkernel.DNA}
	if !k.tabulated(n) {
		t.Fatal("no tables")
	}
	v, one, many, trees := make([]float64, n), make([]float64, n), make([]float64, n), make([]float64, n)
	for i := range v {
		v[i] = math.Sin(float64(i))
	}
	o := newTables(t.Context(), k, c, length)
	before := runtime.GOMAXPROCS(1)
	defer runtime.GOMAXPROCS(before)
	o.MulVecTo(one, v)
	runtime.GOMAXPROCS(3)
	o.MulVecTo(many, v)
	newOperator(t.Context(), k, c, length).MulVecTo(trees, v)
	for i := range one {
		if math.Float64bits(one[i]) != math.Float64bits(many[i]) {
			t.Fatalf("product %d: %v on one processor, %v on three", i, one[i], many[i])
		}
		if math.Abs(one[i]-trees[i]) > 1e-11*n {
			t.Fatalf("product %d: %v by tables, %v by trees", i, one[i], trees[i])
		}
	}
}

// k(x, x) is the same whether it is computed, kept or asked for at the same time.
func TestDiagonalIsKept(t *testing.T) {
	c, err := stringkernel.NewCorpus([][]byte{[]byte("GATTACA"), []byte("CATCATC"), []byte("GNNTACA")}, nil)
	if err != nil {
		t.Fatal(err)
	}
	k := Kernel{D: 3, Alphabet: stringkernel.DNA}
	g, err := k.Gram(t.Context(), c)
	if err != nil {
		t.Fatal(err)
	}
	for range 4 {
		var ask sync.WaitGroup
		for range 2 {
			ask.Go(func() {
				diag := make([]float64, c.Len())
				g.Diag(diag)
				for i, got := range diag {
					if want := k.Eval(c.Seq(i), c.Seq(i)); got != want {
						t.Errorf("entry %d is %v, want %v", i, got, want)
					}
				}
			})
		}
		ask.Wait()
	}
}
