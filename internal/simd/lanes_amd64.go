//go:build amd64 && !purego

package simd

import "golang.org/x/sys/cpu"

// lanes are the loops of this processor.
var lanes = chooseLanes()

func chooseLanes() lanesLoops {
	if cpu.X86.HasAVX {
		return avxLanes
	}
	return goLanes
}

var avxLanes = lanesLoops{
	least: 2,
	addAt: func(dst []Lanes, to []int32, src []Lanes, from []int32) {
		if len(to) > 0 {
			addAtAVX(&dst[0], &to[0], &src[0], &from[0], len(to))
		}
	},
	addScaled: func(dst []Lanes, to []int32, src []Lanes, from []int32, by []float64) {
		if len(to) > 0 {
			addScaledAtAVX(&dst[0], &to[0], &src[0], &from[0], len(to), &by[0])
		}
	},
	pairsUp: func(c, v []Lanes, pairs []Pair) {
		if len(pairs) > 0 {
			pairsUpAVX(&c[0], &v[0], &pairs[0], len(pairs))
		}
	},
	pairsDown: func(dst, c, v []Lanes, pairs []Pair, omega []float64) {
		if len(pairs) > 0 {
			pairsDownAVX(&dst[0], &c[0], &v[0], &pairs[0], len(pairs), &omega[0])
		}
	},
	nodesUp: func(c []Lanes, nodes []Edge) {
		if len(c) > 1 {
			nodesUpAVX(&c[0], &nodes[0], len(c))
		}
	},
	nodesDown: func(c []Lanes, nodes []Edge, omega []float64) {
		if len(c) > 1 {
			nodesDownAVX(&c[0], &nodes[0], len(c), &omega[0])
		}
	},
	fanUp: func(to *Lanes, v []Lanes, docs []uint16, by float64) {
		if len(docs) > 0 {
			fanUpAVX(to, &v[0], &docs[0], len(docs), by)
		}
	},
	fanDown: func(dst []Lanes, docs []uint16, val *Lanes, by float64) {
		if len(docs) > 0 {
			fanDownAVX(&dst[0], &docs[0], len(docs), val, by)
		}
	},
}

//go:noescape
func addAtAVX(dst *Lanes, to *int32, src *Lanes, from *int32, n int)

//go:noescape
func addScaledAtAVX(dst *Lanes, to *int32, src *Lanes, from *int32, n int, by *float64)

//go:noescape
func pairsUpAVX(c, v *Lanes, pairs *Pair, n int)

//go:noescape
func pairsDownAVX(dst, c, v *Lanes, pairs *Pair, n int, omega *float64)

//go:noescape
func nodesUpAVX(c *Lanes, nodes *Edge, n int)

//go:noescape
func nodesDownAVX(c *Lanes, nodes *Edge, n int, omega *float64)

//go:noescape
func fanUpAVX(to, v *Lanes, docs *uint16, n int, by float64)

//go:noescape
func fanDownAVX(dst *Lanes, docs *uint16, n int, val *Lanes, by float64)
