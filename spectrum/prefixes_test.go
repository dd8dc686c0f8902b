package spectrum

import (
	"maps"
	"math"
	"math/rand/v2"
	"testing"

	"github.com/seqsvm/seqsvm/stringkernel"
)

// Rows of sorted k-mers are the definition to the bit, and products are sums of rows: with counts that one posting does
// not hold, k-mers that a record has many times in a group, and several stretches.
func TestPrefixesAreTheDefinition(t *testing.T) {
	c := classesCorpus()
	n := c.Len()
	k := Kernel{K: 30, Bounded: true, Alphabet: stringkernel.DNA}
	g := newGram(t.Context(), k, c, 8)
	p := g.parts[0].(*prefixPart)
	if len(p.stretches) < 2 {
		t.Fatalf("%d stretches, want several", len(p.stretches))
	}
	rows, diag := make([][]float64, n), make([]float64, n)
	g.Diag(diag)
	for i := range n {
		rows[i] = make([]float64, n)
		g.Row(rows[i], i)
		if i%149 > 0 {
			continue
		}
		for j := range n {
			if want := k.Eval(c.Seq(i), c.Seq(j)); rows[i][j] != want {
				t.Fatalf("K[%d][%d] is %v, want %v", i, j, rows[i][j], want)
			}
		}
		if rows[i][i] != diag[i] {
			t.Fatalf("K[%d][%d] is %v in its row, %v on the diagonal", i, i, rows[i][i], diag[i])
		}
	}
	v, got := randomVector(rand.New(rand.NewPCG(31, 31)), n), make([]float64, n)
	g.MulVecTo(got, v)
	for j := range n {
		want, size := 0.0, 0.0
		for i := range n {
			want += rows[i][j] * v[i]
			size += rows[i][j] * math.Abs(v[i])
		}
		if math.Abs(got[j]-want) > 1e-13*size {
			t.Fatalf("(K·v)[%d] is %v, want %v", j, got[j], want)
		}
	}
}

// TestPrefixesThroughCounts compares the parts of long k-mers with the definition, all lengths in one list or one list
// each, through functions of counts: on all short strings, on drawn records of which some occur twice, and where there
// are many counts and stretches.
func TestPrefixesThroughCounts(t *testing.T) {
	short := shortStrings(6)
	r := rand.New(rand.NewPCG(32, 32))
	drawn := drawCorpus(t, r, stringkernel.DNA, 25, 120)
	eachCount(t, func(t *testing.T, f stringkernel.Count, pair func(a, b float64) float64) {
		if !f.Separable() {
			return
		}
		k := throughCount{K: 12, Bounded: true, Count: f, Alphabet: stringkernel.DNA}
		for above := range 4 {
			k.K = 6
			compareLong(t, k, corpusOf(t, short), above, 1, pair)
			k.K = 12
			compareLong(t, k, drawn, above, 1, pair)
		}
		p := compareLong(t, k, classesCorpus(), 5, 83, pair)
		if len(p.stretches) < 2 || len(p.stretches[1].repeats) == 0 {
			t.Fatalf("%d stretches, want several with repeats", len(p.stretches))
		}
	})
}

// compareLong compares each step-th row, and a product, with the sum over the k-mers of more than above letters.
func compareLong(
	t *testing.T, k throughCount, c *stringkernel.Corpus, above, step int, pair func(a, b float64) float64,
) *prefixPart {
	t.Helper()
	n := c.Len()
	counts, v := make([]map[string]int, n), randomVector(rand.New(rand.NewPCG(33, 33)), n)
	for j := range counts {
		counts[j] = definition(Kernel(k), c.Seq(j))
		maps.DeleteFunc(counts[j], func(s string, _ int) bool { return len(s) <= above })
	}
	prefixes := newPrefixPart(t.Context(), Kernel(k), c, above)
	lists, err := k.sortedPart(t.Context(), c, above+1)
	if err != nil {
		t.Fatal(err)
	}
	parts := []part{prefixes, lists}
	products, row := [][]float64{make([]float64, n), make([]float64, n)}, make([]float64, n)
	for i, p := range parts {
		p.product(products[i], v)
	}
	for i := 0; i < n; i += step {
		want, sum, size := make([]float64, n), 0.0, 0.0
		for j := range n {
			for s, a := range counts[i] {
				if b := counts[j][s]; b > 0 {
					want[j] += pair(float64(a), float64(b))
				}
			}
			sum += float64(want[j] * v[j])
			size += float64(want[j] * math.Abs(v[j]))
		}
		for at, p := range parts {
			clear(row)
			p.row(row, i)
			for j := range n {
				if !near(row[j], want[j], want[j]) {
					t.Fatalf("%+v above %d, %T: K[%d][%d] is %v, want %v", k, above, p, i, j, row[j], want[j])
				}
			}
			if got := products[at][i]; !near(got, sum, size) {
				t.Fatalf("%+v above %d, %T: (K·v)[%d] is %v, want %v", k, above, p, i, got, sum)
			}
		}
	}
	return prefixes
}
