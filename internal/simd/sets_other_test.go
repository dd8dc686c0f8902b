//go:build !amd64 || purego

package simd

var (
	haarSets = map[string]haarLoops{"go": goHaar}
	rowSets  = map[string]rowLoops{"go": goRows}

	countSets = map[string]func(sum *Counts, table *[1 << 16]Counts, rows, times []uint16){"go": goSumCounts}

	degreesSets = map[string]func(dst []float64, x, windows, masks []uint64, words, planes, d int, by float64){
		"go": goAddDegrees,
	}
)
