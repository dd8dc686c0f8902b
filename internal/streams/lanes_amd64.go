//go:build amd64 && !purego

package streams

import "golang.org/x/sys/cpu"

// lanePasses are those of this processor.
var lanePasses = choosePasses()

func choosePasses() passes {
	if cpu.X86.HasAVX {
		return avxPasses
	}
	return goPasses
}

var avxPasses = passes{
	least: 2,
	addAt: func(dst []lane4, to []int32, src []lane4, from []int32) {
		if len(to) > 0 {
			addAtAVX(&dst[0], &to[0], &src[0], &from[0], len(to))
		}
	},
	pairsUp: func(c, v []lane4, pairs []pair) {
		if len(pairs) > 0 {
			pairsUpAVX(&c[0], &v[0], &pairs[0], len(pairs))
		}
	},
	pairsDown: func(dst, c, v []lane4, pairs []pair, omega []float64) {
		if len(pairs) > 0 {
			pairsDownAVX(&dst[0], &c[0], &v[0], &pairs[0], len(pairs), &omega[0])
		}
	},
	nodesUp: func(c []lane4, nodes []edge) {
		if len(c) > 1 {
			nodesUpAVX(&c[0], &nodes[0], len(c))
		}
	},
	nodesDown: func(c []lane4, nodes []edge, omega []float64) {
		if len(c) > 1 {
			nodesDownAVX(&c[0], &nodes[0], len(c), &omega[0])
		}
	},
	fanUp: func(to *lane4, v []lane4, docs []uint16) {
		if len(docs) > 0 {
			fanUpAVX(to, &v[0], &docs[0], len(docs))
		}
	},
	fanDown: func(dst []lane4, docs []uint16, val *lane4) {
		if len(docs) > 0 {
			fanDownAVX(&dst[0], &docs[0], len(docs), val)
		}
	},
}

//go:noescape
func addAtAVX(dst *lane4, to *int32, src *lane4, from *int32, n int)

//go:noescape
func pairsUpAVX(c, v *lane4, pairs *pair, n int)

//go:noescape
func pairsDownAVX(dst, c, v *lane4, pairs *pair, n int, omega *float64)

//go:noescape
func nodesUpAVX(c *lane4, nodes *edge, n int)

//go:noescape
func nodesDownAVX(c *lane4, nodes *edge, n int, omega *float64)

//go:noescape
func fanUpAVX(to, v *lane4, docs *uint16, n int)

//go:noescape
func fanDownAVX(dst *lane4, docs *uint16, n int, val *lane4)
