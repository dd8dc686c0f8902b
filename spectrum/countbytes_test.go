package spectrum

import (
	"math"
	"math/rand/v2"
	"runtime"
	"slices"
	"testing"

	"github.com/seqsvm/seqsvm/stringkernel"
)

// TestCountBytes compares rows and products of many records, whose small counts are in bytes or have places of 16 bits,
// with values of the kernel; their bits are the same on any number of processors.
func TestCountBytes(t *testing.T) {
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(1))
	for _, of := range []struct {
		k      Kernel
		widths []uint
		common layer
		length int
	}{
		{Kernel{K: 6, Bounded: true, Alphabet: stringkernel.DNA}, []uint{0, 4, 2, 0, 0, 0, 0}, layer{3, 2, 1}, 30},
		{Kernel{K: 5, Bounded: true, Alphabet: stringkernel.DNA}, []uint{0, 8, 8, 4, 2, 0}, layer{5, 2, 1}, 300},
		{Kernel{K: 3, Bounded: true, Alphabet: stringkernel.Protein}, []uint{0, 2, 0, 0}, layer{1, 5, 1}, 60},
	} {
		r := rand.New(rand.NewPCG(4, 8))
		n := leastRecords
		if of.length < 100 {
			n *= 3 // scattered in parts
		}
		var b stringkernel.CorpusBuilder
		for i := range n {
			size := r.IntN(2 * of.length)
			if i%1000 == 999 {
				size *= 20 // counts beyond a byte
			}
			b.Add("", draw(r, drawn[of.k.Alphabet], size, i%50 == 0))
		}
		c, v := b.Corpus(), randomVector(r, n)
		for _, f := range []stringkernel.Count{stringkernel.CountPresence, stringkernel.CountLog} {
			of.k.Count = f
			checkCountBytes(t, of.k, c, v, of.widths, of.common)
		}
	}
}

func checkCountBytes(t *testing.T, k Kernel, c *stringkernel.Corpus, v []float64, widths []uint, common layer) {
	t.Helper()
	n, at := c.Len(), 999
	var first []float64
	for _, processors := range []int{1, 3} {
		runtime.GOMAXPROCS(processors)
		g, err := k.Gram(t.Context(), c)
		if err != nil {
			t.Fatal(err)
		}
		packed := g.(*gram).parts[0].(*foldPart).more.packed
		if got := packed[0].(*countBytes).widths; !slices.Equal(got, widths) {
			t.Errorf("%+v: widths %d, want %d", k, got, widths)
		}
		if got := packed[1].(*commonRepeats).layers[0]; got != common {
			t.Errorf("%+v: most common are %d letters with a count of %d, want %d and %d", k, got.length, got.count,
				common.length, common.count)
		}
		got := make([]float64, 2*n)
		row, product := got[:n], got[n:]
		g.Row(row, at)
		g.MulVecTo(product, v)
		if first == nil {
			first = got
			checkByValues(t, k, c, v, row, product, at)
		}
		for j := range got {
			if math.Float64bits(got[j]) != math.Float64bits(first[j]) {
				t.Fatalf("%+v: number %d is %v on %d processors, %v on one", k, j, got[j], processors, first[j])
			}
		}
	}
}

// checkByValues compares entries of row at with values of the kernel, and its sum with v with that of a product.
func checkByValues(t *testing.T, k Kernel, c *stringkernel.Corpus, v, row, product []float64, at int) {
	t.Helper()
	sum := 0.0
	for j := range row {
		sum += v[j] * row[j]
		if j%37 != 0 && j != at {
			continue
		}
		if want := k.Eval(c.Seq(at), c.Seq(j)); !near(row[j], want, want) {
			t.Fatalf("%+v: row %d has %v for record %d, want %v", k, at, row[j], j, want)
		}
	}
	if !near(product[at], sum, absSum(v, row)) {
		t.Fatalf("%+v: (K·v)[%d] is %v, want %v", k, at, product[at], sum)
	}
}
