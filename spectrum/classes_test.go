package spectrum

import (
	"bytes"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/seqsvm/seqsvm/stringkernel"
)

// classesCorpus has k-mers that many documents share, one of them more often than a posting counts, and enough of those
// that two share for several pieces of a list.
func classesCorpus() *stringkernel.Corpus {
	rng := rand.New(rand.NewPCG(25, 25))
	var b stringkernel.CorpusBuilder
	common := draw(rng, "ACGT", 30, false)
	for i := range 150 {
		x := []byte(draw(rng, "ACGT", 400, false))
		b.Add("", x)
		b.Add("", append(bytes.Repeat([]byte("A"), i*4), append([]byte(common), x...)...))
	}
	return b.Corpus()
}

// Features as sorting collects them, class by class, are those that inverting their list by document gives, and so are
// products, to the bit but for the order of the ranges that are summed, and rows.
func TestClassesAreTheInvertedIndex(t *testing.T) {
	c := classesCorpus()
	n := c.Len()
	v := randomVector(rand.New(rand.NewPCG(26, 26)), n)
	for _, k := range []Kernel{{K: 12, Alphabet: stringkernel.DNA}} {
		p := newSharer(t.Context(), k, c).postings()
		sortPostings(p)
		for _, counted := range []bool{false, true} {
			inc := p.documents(t.Context(), sizesOf(t, p, n, counted), counted)
			inverted := newPostings(t.Context(), inc, p.features, false)
			sortPostings(inverted)
			if len(p.classes) < 3 || p.classes[len(p.classes)-1].size != 0 {
				t.Fatalf("%+v: %d classes, want one of many postings after others", k, len(p.classes))
			}
			for i := range p.classes {
				class := &p.classes[i]
				for f := range class.features {
					if got, want := class.list(f), inverted.classes[0].list(class.first+f); !slices.Equal(got, want) {
						t.Fatalf("%+v: feature %d has %d postings, inverted %d or others", k, class.first+f, len(got),
							len(want))
					}
				}
			}
			got, want := make([]float64, n), make([]float64, n)
			for i := range n {
				clear(got)
				clear(want)
				p.row(got, inc, i)
				inverted.row(want, inc, i)
				if !slices.Equal(got, want) {
					t.Fatalf("%+v: row %d is not that of the inverted list", k, i)
				}
			}
			clear(got)
			clear(want)
			p.product(got, v)
			inverted.product(want, v)
			for i := range got {
				if math.Abs(got[i]-want[i]) > 1e-9*(1+math.Abs(want[i])) {
					t.Fatalf("%+v: (K·v)[%d] is %v, inverted %v", k, i, got[i], want[i])
				}
			}
			if shares := p.shares(n); shares[0] != 0 || shares[len(shares)-1] != p.features || !slices.IsSorted(shares) {
				t.Errorf("%+v: shares %v of %d features", k, shares, p.features)
			}
		}
	}
}

// sortPostings puts the postings of each feature in order of documents.
func sortPostings(p *postings) {
	for i := range p.classes {
		c := &p.classes[i]
		for f := range c.features {
			slices.Sort(c.list(f))
		}
	}
}

// sizesOf returns how many entries the features of each of n documents take.
func sizesOf(t *testing.T, p *postings, n int, counted bool) []int {
	sizes := make([]int, n)
	p.each(t.Context(), func(_, doc uint32, count int) {
		if counted {
			count = countEntries(count)
		}
		sizes[doc] += count
	})
	return sizes
}
