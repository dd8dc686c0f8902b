package gapped

import (
	"fmt"
	"math"
	"strconv"
	"strings"

	"github.com/seqsvm/seqsvm/internal/elementary"
)

// centre is the weighting of k-mers by their place: min(M, ⌊M·2^(−|c − i|/H) + 1⌋) for k-mer i (0-based) of n places
// and c = ⌊n/2⌋, as LS-GKM has it. The zero value weighs all k-mers 1.
//
// With an even number of places the centre is not in the middle: then a sequence and its reverse complement differ by
// one place.
type centre struct {
	peak int     // M
	half float64 // H
}

// parseCentre reads M:H; nothing is the zero value.
func parseCentre(text string) (centre, error) {
	if text == "" {
		return centre{}, nil
	}
	m, h, _ := strings.Cut(text, ":")
	peak, err := strconv.Atoi(m)
	half, err2 := strconv.ParseFloat(h, 64)
	if err != nil || err2 != nil || peak < 1 || peak > 255 || !(half > 0) || math.IsInf(half, 0) {
		return centre{}, fmt.Errorf("center = %q, want M:H such as 50:50: the greatest weight M in 1…255 and"+
			" the distance H > 0 of half the weight", text)
	}
	return centre{peak, half}, nil
}

// weight returns the weight of k-mer i of n, a whole number.
func (c centre) weight(i, n int) float64 {
	if c.peak == 0 {
		return 1
	}
	distance := math.Abs(float64(n/2 - i))
	return min(float64(c.peak), math.Floor(float64(float64(c.peak)*elementary.Exp2(-distance/c.half))+1))
}
