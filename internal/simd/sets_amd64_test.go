//go:build amd64 && !purego

package simd

import "golang.org/x/sys/cpu"

// haarSets are the sets of loops that this processor can run.
var (
	haarSets = map[string]haarLoops{"go": goHaar}
	rowSets  = map[string]rowLoops{"go": goRows}

	countSets = map[string]func(sum *Counts, table *[1 << 16]Counts, rows, times []uint16){"go": goSumCounts}

	degreesSets = map[string]func(dst []float64, x, windows, masks []uint64, words, planes, d int, by float64){
		"go": goAddDegrees,
	}
)

func init() {
	if cpu.X86.HasAVX2 {
		haarSets["avx2"], rowSets["avx2"] = avx2Haar, avx2Rows
		countSets["avx2"], degreesSets["avx2"] = avx2SumCounts, avx2AddDegrees
	}
	if hasDegreesAVX512 {
		degreesSets["avx512"] = avx512AddDegrees
	}
}
