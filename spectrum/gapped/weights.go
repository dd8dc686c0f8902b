package gapped

import (
	"fmt"
	"math"
	"strconv"
	"strings"

	"github.com/seqsvm/seqsvm/internal/countof"
	"github.com/seqsvm/seqsvm/internal/elementary"
	"github.com/seqsvm/seqsvm/stringkernel"
)

// What a k-mer of a record weighs: 1, or what its place says (center=M:H), or what a function g makes of its count. Of
// counts through a function a record has each k-mer once, with the weight g(c) for the c places where it is; with both
// strands c is its count on both of them, and the record lists the lesser of a k-mer and its reverse complement for
// either. One that is its own reverse complement would then be listed twice, and weighs g(c)/2. So whatever takes
// k-mers of one strand with weights, and adds the other strand, takes counts through a function as well.

// weight is what a k-mer weighs in a form to store: by place the whole number itself; through a function the number of
// its places in the record, doubled, and 1 more if it is its own reverse complement and both strands count.
type weight uint32

// single is the weight, through a function, of a k-mer that is at one place.
const single weight = 2

// weighing has the values of weights.
type weighing struct {
	counts *countof.Values // nil unless counts are seen through a function
}

// newWeighing returns the values of weights by place, or through a function.
func newWeighing(f stringkernel.Count) weighing {
	if f.Linear() {
		return weighing{}
	}
	values := countof.New(f)
	return weighing{&values}
}

// of returns the value of a weight.
func (w weighing) of(of weight) float64 {
	switch {
	case w.counts == nil:
		return float64(of)
	case of&1 != 0:
		return w.counts.At(uint32(of)&^1) / 2
	default:
		return w.counts.At(uint32(of >> 1))
	}
}

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
