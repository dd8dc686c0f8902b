package svmtest

import (
	"fmt"
	"math"
	"math/rand/v2"

	"gonum.org/v1/gonum/floats"

	"github.com/seqsvm/seqsvm/stringkernel"
)

// PairCounts returns the matrix of toyKernel with explicit rows.
func PairCounts(c *stringkernel.Corpus) *Gram {
	g := &Gram{Features: 1024}
	for i := range c.Len() {
		x := c.Seq(i)
		counts := make([]float64, g.Features)
		for j := range len(x) - 1 {
			counts[int(x[j]&31)<<5|int(x[j+1]&31)] += 0.1
		}
		g.add(counts)
	}
	return g
}

// add appends a row of values by feature.
func (g *Gram) add(row []float64) {
	var ids []int32
	var values []float64
	for id, v := range row {
		if v > 0 {
			ids, values = append(ids, int32(id)), append(values, v)
		}
	}
	g.IDs, g.Values = append(g.IDs, ids), append(g.Values, values)
}

// Gram is the Gram matrix of explicit sparse features: the stand-in of the tests for a kernel with products in
// linear time. Rows and products scatter over a dense table and gather from it.
type Gram struct {
	IDs      [][]int32
	Values   [][]float64
	Features int
	Own      []float64 // added to the diagonal; nil: nothing
}

// Len returns the number of records.
func (g *Gram) Len() int { return len(g.IDs) }

// Diag writes K_ii.
func (g *Gram) Diag(dst []float64) {
	for i, v := range g.Values {
		dst[i] = floats.Dot(v, v) + g.ownOf(i)
	}
}

func (g *Gram) ownOf(i int) float64 {
	if g.Own == nil {
		return 0
	}
	return g.Own[i]
}

// Row writes column i of K, as the product with a unit vector.
func (g *Gram) Row(dst []float64, i int) {
	v := make([]float64, g.Len())
	v[i] = 1
	g.MulVecTo(dst, v)
}

// MulVecTo writes K·v.
func (g *Gram) MulVecTo(dst, v []float64) {
	table := make([]float64, g.Features)
	for i, vi := range v {
		if vi == 0 {
			continue
		}
		for t, id := range g.IDs[i] {
			table[id] += vi * g.Values[i][t]
		}
	}
	for j := range dst {
		sum := 0.0
		for t, id := range g.IDs[j] {
			sum += table[id] * g.Values[j][t]
		}
		dst[j] = sum + g.ownOf(j)*v[j]
	}
}

// FeatureRows returns the sparse features.
func (g *Gram) FeatureRows() stringkernel.FeatureRows { return rows{g} }

// rows are the explicit rows of the matrix.
type rows struct{ g *Gram }

func (r rows) Width() int { return r.g.Features }

func (r rows) Scatter(t []float64, i int, a float64) {
	for k, id := range r.g.IDs[i] {
		t[id] += a * r.g.Values[i][k]
	}
}

func (r rows) Gather(t []float64, i int) float64 {
	sum := 0.0
	for k, id := range r.g.IDs[i] {
		sum += t[id] * r.g.Values[i][k]
	}
	return sum
}

func (r rows) Own(dst []float64) {
	for i := range r.g.IDs {
		dst[i] = r.g.ownOf(i)
	}
}

func (r rows) AppendRow(ids []uint32, values []float64, i int) ([]uint32, []float64) {
	for _, id := range r.g.IDs[i] {
		ids = append(ids, uint32(id))
	}
	return ids, append(values, r.g.Values[i]...)
}

// Planted returns the normalised k-spectrum Gram matrix of n random DNA sequences of a length, where those of the
// positive half carry a motif of 12 letters twice, each letter of it altered with a probability, and labels flipped
// with another.
func Planted(n, length, k int, altered, flipped float64, seed uint64) (*Gram, []float64) {
	rng := rand.New(rand.NewPCG(seed, 1))
	motif := make([]byte, 12)
	for i := range motif {
		motif[i] = byte(rng.IntN(4))
	}
	g := &Gram{Features: 1 << (2 * k)}
	y := make([]float64, n)
	seq := make([]byte, length)
	for i := range n {
		for j := range seq {
			seq[j] = byte(rng.IntN(4))
		}
		y[i] = float64(1 - 2*(i%2))
		if y[i] > 0 {
			for range 2 {
				at := rng.IntN(length - len(motif))
				for j, m := range motif {
					if rng.Float64() >= altered {
						seq[at+j] = m
					}
				}
			}
		}
		if rng.Float64() < flipped {
			y[i] = -y[i]
		}
		g.addSpectrum(seq, k)
	}
	return g, y
}

func (g *Gram) addSpectrum(seq []byte, k int) {
	counts := make([]float64, g.Features)
	for j := 0; j+k <= len(seq); j++ {
		code := 0
		for _, b := range seq[j : j+k] {
			code = code<<2 | int(b)
		}
		counts[code]++
	}
	g.add(counts)
	values := g.Values[len(g.Values)-1]
	norm := math.Sqrt(floats.Dot(values, values))
	for j := range values {
		values[j] /= norm
	}
}

// Unbased hides that a matrix is row-based.
type Unbased struct{ stringkernel.Gram }

// Corpus returns n random sequences of 40 letters over ACGT; sequence i prefers letter i mod 3.
func Corpus(n int) *stringkernel.Corpus {
	rng := rand.New(rand.NewPCG(4, uint64(n)))
	var b stringkernel.CorpusBuilder
	for i := range n {
		seq := make([]byte, 40)
		for j := range seq {
			seq[j] = "ACGT"[rng.IntN(4)]
			if rng.IntN(6) == 0 {
				seq[j] = "ACG"[i%3]
			}
		}
		b.Add(fmt.Sprintf("s%d", i), seq)
	}
	return b.Corpus()
}
