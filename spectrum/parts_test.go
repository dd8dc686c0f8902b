package spectrum

import (
	"math"
	"math/rand/v2"
	"runtime"
	"testing"

	"github.com/seqsvm/seqsvm/stringkernel"
)

// partsCorpus is random records of 50 to 550 letters, some of them long.
func partsCorpus(rng *rand.Rand, letters int) *stringkernel.Corpus {
	var b stringkernel.CorpusBuilder
	for len(b.Letters()) < letters {
		size := 50 + rng.IntN(500)
		if rng.IntN(200) == 0 {
			size *= 20
		}
		b.Add("", []byte(draw(rng, "ACGT", size, false)))
	}
	return b.Corpus()
}

// The bits of the diagonal, a product and a row are the same on any number of processors, and the product is that of
// the rows: by parts and in one, by documents and by features.
func TestProcessorsChangeNoBit(t *testing.T) {
	rng := rand.New(rand.NewPCG(23, 23))
	c := partsCorpus(rng, 1<<18)
	n := c.Len()
	v := randomVector(rng, n)
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(1))
	for _, k := range []Kernel{{K: 3}, {K: 6}, {K: 9}, {K: 12}, {K: 4, Bounded: true}, {K: 12, Bounded: true}} {
		k.Alphabet = stringkernel.DNA
		var want []float64
		for _, processors := range []int{1, 2, 7} {
			runtime.GOMAXPROCS(processors)
			g, err := k.Gram(t.Context(), c)
			if err != nil {
				t.Fatal(err)
			}
			got := make([]float64, 4*n)
			diag, row, product, byFeature := got[:n], got[n:2*n], got[2*n:3*n], got[3*n:]
			g.Diag(diag)
			g.Row(row, n/2)
			g.MulVecTo(product, v)
			forceRows(g.(*gram), true)
			g.MulVecTo(byFeature, v)
			for j := range n {
				if math.Abs(product[j]-byFeature[j]) > 1e-9*(1+math.Abs(product[j])) {
					t.Fatalf("%+v: (K·v)[%d] is %v by documents, %v by features", k, j, product[j], byFeature[j])
				}
			}
			if want == nil {
				want = got
			}
			for j := range got {
				if math.Float64bits(got[j]) != math.Float64bits(want[j]) {
					t.Fatalf("%+v: number %d is %v on %d processors, %v on one", k, j, got[j], processors, want[j])
				}
			}
		}
	}
}

// What 16 processors would do of each pass: no part has more than 1.2 times the mean, so that they are 13 times as fast
// as one where the data pays for 16 parts.
func TestPartsAreEven(t *testing.T) {
	rng := rand.New(rand.NewPCG(24, 24))
	c := partsCorpus(rng, 1<<21)
	even := func(what string, sizes []int) {
		t.Helper()
		most := 0
		for _, size := range sizes {
			most = max(most, size)
		}
		if mean := float64(sum(sizes)) / float64(len(sizes)); float64(most) > 1.2*mean {
			t.Errorf("%s: %d parts, the largest %.2f times the mean", what, len(sizes), float64(most)/mean)
		}
	}
	blocks := documentBlocks(c, 16)
	sizes := make([]int, len(blocks)-1)
	for b := range sizes {
		for j := blocks[b]; j < blocks[b+1]; j++ {
			sizes[b] += len(c.Seq(j))
		}
	}
	even("letters", sizes)
	if len(sizes) != 16 {
		t.Errorf("%d blocks of documents, want 16", len(sizes))
	}
	g, err := Kernel{K: 5, Alphabet: stringkernel.DNA}.Gram(t.Context(), c)
	if err != nil {
		t.Fatal(err)
	}
	inc := g.(*gram).parts[0].(*flatPart).inc
	if parts := scatterParts(inc.len(), 1<<10); parts != 16 {
		t.Errorf("%d parts of a scatter, want 16", parts)
	}
	cuts := cut(inc.ends, 16)
	for p := range sizes {
		from, _ := inc.bounds(cuts[p])
		_, to := inc.bounds(cuts[p+1] - 1)
		sizes[p] = to - from
	}
	even("scatter", sizes)

	p := newPostings(t.Context(), inc, 1<<10, false)
	shares := p.shares(c.Len())
	sizes = make([]int, len(shares)-1)
	for s := range sizes {
		for f := shares[s]; f < shares[s+1]; f++ {
			sizes[s] += len(p.classes[0].list(f))
		}
	}
	if even("postings", sizes); len(sizes) < 16 {
		t.Errorf("%d shares of postings, want 16", len(sizes))
	}
}
