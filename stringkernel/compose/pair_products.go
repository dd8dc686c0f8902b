package compose

import (
	"math"
	"slices"

	"github.com/seqsvm/seqsvm/internal/parallel"
	"github.com/seqsvm/seqsvm/internal/scratch"
	"github.com/seqsvm/seqsvm/internal/vectors"
	"github.com/seqsvm/seqsvm/stringkernel"
)

// mostProducts is the greatest number of products of a feature of each side that have a table, 2 MB: 4-mers of DNA and
// 2-mers of proteins. With four times as many, products took as long as rows.
const mostProducts = 1 << 18

// pairProducts are the explicit features of pairs: the products x ⊗ z of the features of both sides, or, where the
// order of the sides does not count, (x ⊗ z + z ⊗ x)/√2. A table W has a row for each feature of the left side, and
// pairs are added to it, a·x·zᵀ, and gathered from it, xᵀWz, by the features of the two sides.
type pairProducts struct {
	*pairGram
	left, right *sideFeatures
	factor      float64
}

// sideFeatures are the features of each different sequence of a side, numbered from 0 to below width.
type sideFeatures struct {
	ids    [][]uint32
	values [][]float64
	width  int
}

// newSideFeatures returns nil for a matrix without a list of all of its features.
func newSideFeatures(g stringkernel.Gram) *sideFeatures {
	features := stringkernel.FeatureRowsOf(g)
	if features == nil {
		return nil
	}
	own := make([]float64, g.Len())
	if features.Own(own); slices.ContainsFunc(own, func(v float64) bool { return v != 0 }) {
		return nil
	}
	s := &sideFeatures{ids: make([][]uint32, g.Len()), values: make([][]float64, g.Len())}
	numbers, sums := make([]uint32, features.Width()), make([]float64, features.Width())
	var values []float64
	for i := range s.ids {
		s.ids[i], values = features.AppendRow(nil, values[:0], i)
		for e, id := range s.ids[i] {
			sums[id] += values[e]
			numbers[id] = 1
		}
		slices.Sort(s.ids[i])
		s.ids[i] = slices.Clip(slices.Compact(s.ids[i]))
		for _, id := range s.ids[i] {
			s.values[i] = append(s.values[i], sums[id])
			sums[id] = 0
		}
	}
	for id, occurs := range numbers {
		numbers[id] = uint32(s.width)
		s.width += int(occurs)
	}
	for _, ids := range s.ids {
		for e, id := range ids {
			ids[e] = numbers[id]
		}
	}
	return s
}

// newPairProducts returns nil if there are too many products, or if features are not listed.
func newPairProducts(g *pairGram) *pairProducts {
	p := &pairProducts{pairGram: g, left: newSideFeatures(g.grams[0]), factor: math.Sqrt2 / 2}
	if p.left == nil || p.left.width > mostProducts {
		return nil
	}
	if p.right = p.left; len(g.grams) > 1 {
		p.right, p.factor = newSideFeatures(g.last()), 1
	}
	if p.right == nil || p.left.width*p.right.width > mostProducts {
		return nil
	}
	return p
}

// eachRow visits the rows of a table that record i has a feature of, with the value of that, and the features of the
// other side: both ways where the order does not count.
func (p *pairProducts) eachRow(t []float64, i int, visit func(row []float64, value float64, other []float64)) {
	q := p.right.width
	space := scratch.Borrow(&p.scratch, q)
	defer p.scratch.Put(space)
	one := func(left, right int) {
		clear(*space)
		for e, v := range p.right.ids[right] {
			(*space)[v] = p.right.values[right][e]
		}
		for e, u := range p.left.ids[left] {
			visit(t[int(u)*q:][:q], float64(p.factor*p.left.values[left][e]), *space)
		}
	}
	if one(p.Left[i], p.Right[i]); len(p.grams) == 1 {
		one(p.Right[i], p.Left[i])
	}
}

// mulVecTo writes K·v in O(n·w·q) for w features of a left side and a width of q.
func (p *pairProducts) mulVecTo(dst, v []float64) {
	tables, n := scratch.Vectors(sumBlocks, p.left.width*p.right.width), len(v)
	parallel.Each(sumBlocks, func(b int) {
		for i := b * n / sumBlocks; i < (b+1)*n/sumBlocks; i++ {
			if a := v[i]; a != 0 {
				p.eachRow(tables[b], i, func(row []float64, value float64, other []float64) {
					vectors.AddScaled(row, a*value, other)
				})
			}
		}
	})
	t := tables[0]
	for _, part := range tables[1:] {
		vectors.Add(t, part)
	}
	parallel.Each(n, func(i int) {
		sum := 0.0
		p.eachRow(t, i, func(row []float64, value float64, other []float64) {
			sum += float64(value * vectors.Dot(row, other))
		})
		dst[i] = sum
	})
}
