//go:build amd64 && !purego

package simd

import (
	"math"

	"golang.org/x/sys/cpu"
)

// These are the loops of this processor.
var (
	haar        = goHaar
	transpose64 = goTranspose64
	rows        = goRows
	sumCounts   = goSumCounts
	addDegrees  = goAddDegrees
)

func init() {
	if cpu.X86.HasAVX2 {
		haar, transpose64, rows, sumCounts = avx2Haar, avx2Transpose64, avx2Rows, avx2SumCounts
		addDegrees = avx2AddDegrees
	}
	if hasDegreesAVX512 {
		addDegrees = avx512AddDegrees
	}
}

// hasDegreesAVX512 says that bits of registers of 512 bits can be counted.
var hasDegreesAVX512 = cpu.X86.HasAVX512F && cpu.X86.HasAVX512DQ && cpu.X86.HasAVX512VPOPCNTDQ

var avx2Haar = haarLoops{
	forward:  avx2Forward,
	backward: avx2Backward,
	scale: func(x []float64, class []uint8, factors []Factors) {
		if len(class) > 0 {
			scaleAVX2(&x[0], &class[0], len(class), &factors[0])
		}
	},
}

func avx2Forward(x []float64, stride, columns, parts int) { forwardAVX2(&x[0], stride, columns, parts) }

func avx2Backward(x []float64, stride, columns, parts int) {
	backwardAVX2(&x[0], stride, columns, parts)
}

//go:noescape
func forwardAVX2(x *float64, stride, columns, parts int)

//go:noescape
func backwardAVX2(x *float64, stride, columns, parts int)

//go:noescape
func scaleAVX2(x *float64, class *uint8, n int, factors *Factors)

func avx2Transpose64(dst, src []float64) { transpose64AVX2(&dst[0], &src[0]) }

//go:noescape
func transpose64AVX2(dst, src *float64)

var avx2Rows = rowLoops{
	gather: func(dst, table []float64, stride int, ids []uint32, values []float64) {
		gatherRowsAVX2(&dst[0], len(dst)/RowWidth, &table[0], stride, &ids[0], &values[0], len(ids))
	},
	scatter: func(table []float64, stride int, ids []uint32, values, by []float64) {
		scatterRowsAVX2(&table[0], stride, &ids[0], &values[0], len(ids), &by[0], len(by)/RowWidth)
	},
}

//go:noescape
func gatherRowsAVX2(dst *float64, registers int, table *float64, stride int, ids *uint32, values *float64, n int)

//go:noescape
func scatterRowsAVX2(table *float64, stride int, ids *uint32, values *float64, n int, by *float64, registers int)

func avx2SumCounts(sum *Counts, table *[1 << 16]Counts, rows, times []uint16) {
	var first *uint16
	if len(times) > 0 {
		first = &times[0]
	}
	sumCountsAVX2(sum, table, &rows[0], first, len(rows))
}

//go:noescape
func sumCountsAVX2(sum *Counts, table *[1 << 16]Counts, rows, times *uint16, n int)

// avx2AddDegrees is for sums that 32 bits hold, which those of windows of less than 400,000 letters are for any d.
func avx2AddDegrees(dst []float64, x, windows, masks []uint64, words, planes, d int, by float64) {
	if len(dst) == 0 {
		return
	}
	if 64*words*d > math.MaxUint32 {
		goAddDegrees(dst, x, windows, masks, words, planes, d, by)
		return
	}
	none := &x[len(x)-words]
	halves := len(dst) / (WindowsAtOnce / 2)
	addDegreesAVX2(&dst[0], halves, &x[0], none, &windows[0], planes, d, by, &masks[0], words)
}

//go:noescape
func addDegreesAVX2(
	dst *float64, halves int, x, none, windows *uint64, planes, d int, by float64, masks *uint64, words int,
)

func avx512AddDegrees(dst []float64, x, windows, masks []uint64, words, planes, d int, by float64) {
	blocks := len(dst) / WindowsAtOnce
	if blocks == 0 {
		return
	}
	none := &x[len(x)-words]
	switch words {
	case 1:
		addDegrees1AVX512(&dst[0], blocks, &x[0], none, &windows[0], planes, d, by)
	case 2:
		addDegrees2AVX512(&dst[0], blocks, &x[0], none, &windows[0], planes, d, by)
	case 3:
		addDegrees3AVX512(&dst[0], blocks, &x[0], none, &windows[0], planes, d, by)
	case 4:
		addDegrees4AVX512(&dst[0], blocks, &x[0], none, &windows[0], planes, d, by)
	default:
		addDegreesAVX512(&dst[0], blocks, &x[0], none, &windows[0], planes, d, by, &masks[0], words)
	}
}

//go:noescape
func addDegrees1AVX512(dst *float64, blocks int, x, none, windows *uint64, planes, d int, by float64)

//go:noescape
func addDegrees2AVX512(dst *float64, blocks int, x, none, windows *uint64, planes, d int, by float64)

//go:noescape
func addDegrees3AVX512(dst *float64, blocks int, x, none, windows *uint64, planes, d int, by float64)

//go:noescape
func addDegrees4AVX512(dst *float64, blocks int, x, none, windows *uint64, planes, d int, by float64)

//go:noescape
func addDegreesAVX512(
	dst *float64, blocks int, x, none, windows *uint64, planes, d int, by float64, masks *uint64, words int,
)
