package tree

import (
	"github.com/seqsvm/seqsvm/internal/gather"
	"github.com/seqsvm/seqsvm/internal/parallel"
	"github.com/seqsvm/seqsvm/internal/vectors"
)

// addProduct adds K·v to dst; space is scratch of s.space() entries.
func (s *flatTree) addProduct(dst, v, space []float64) {
	c := space[:len(s.nodes)]
	s.eachPart(func(_ int, p part) {
		clear(c[p.nodes.lo:p.nodes.hi])
		s.leavesUp(p, v, c)
	})
	s.nodesUp(c)
	c[0] = 0
	s.nodesDown(c)
	if len(s.parts) == 1 {
		s.leavesDown(s.parts[0], dst, v, c)
		return
	}
	sums := space[len(c):]
	s.eachPart(func(i int, p part) {
		sum := sums[i*s.docs : (i+1)*s.docs]
		clear(sum)
		s.leavesDown(p, sum, v, c)
	})
	parallel.For(s.docs, func(lo, hi int) {
		for i := range s.parts {
			vectors.Add(dst[lo:hi], sums[i*s.docs+lo:i*s.docs+hi])
		}
	})
}

// nodesUp adds every node to its parent, from the last to the first.
func (s *flatTree) nodesUp(c []float64) {
	for k := len(s.levels) - 1; k > 0; k-- {
		s.inLevel(k, func(lo, hi int) {
			nodes := s.nodes[:hi]
			for t := hi - 1; t >= lo; t-- {
				c[nodes[t].parent] += c[t]
			}
		})
	}
}

// nodesDown makes the sums of nodes their values, from the first to the last.
func (s *flatTree) nodesDown(c []float64) {
	for k := 1; k < len(s.levels); k++ {
		s.inLevel(k, func(lo, hi int) {
			nodes := s.nodes[:hi]
			for t := lo; t < hi; t++ {
				e := nodes[t]
				c[t] = c[e.parent] + float64(s.omega[e.omega]*c[t])
			}
		})
	}
}

// leavesUp adds v to the nodes right above the leaves of a part.
func (s *flatTree) leavesUp(p part, v, c []float64) {
	s.eachFan(p, func(f fan, docs []uint16, value float64) {
		c[f.node] += float64(value * gather.Sum(v[f.base:], docs))
	})
	s.eachLeaves(p, func(l listed) { addAt(c, l.node, v, l.doc, l.value) })
	pairsUp(c, v, s.pairsOf(p))
}

// leavesDown adds the val of the nodes right above the leaves of a part to the documents.
func (s *flatTree) leavesDown(p part, dst, v, c []float64) {
	pairsDown(dst, c, v, s.pairsOf(p), s.omega)
	s.eachFan(p, func(f fan, docs []uint16, value float64) {
		val, to := float64(value*c[f.node]), dst[f.base:]
		for _, doc := range docs {
			to[doc] += val
		}
	})
	s.eachLeaves(p, func(l listed) { addAt(dst, l.doc, c, l.node, l.value) })
}

func addAt(dst []float64, to []int32, src []float64, from []int32, by []float64) {
	from = from[:len(to)]
	if by != nil {
		by = by[:len(to)]
		for j, t := range to {
			dst[t] += float64(by[j] * src[from[j]])
		}
		return
	}
	for j, t := range to {
		dst[t] += src[from[j]]
	}
}

func pairsUp(c, v []float64, pairs []pair) {
	for i := range pairs {
		p := &pairs[i]
		c[p.parent] += v[p.doc1] + v[p.doc2]
	}
}

func pairsDown(dst, c, v []float64, pairs []pair, omega []float64) {
	for i := range pairs {
		p := &pairs[i]
		val := c[p.parent] + float64(omega[p.omega]*(v[p.doc1]+v[p.doc2]))
		dst[p.doc1] += val
		dst[p.doc2] += val
	}
}
