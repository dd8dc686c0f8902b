package wdk

import (
	"github.com/seqsvm/seqsvm/stringkernel"
)

// Eval returns k(x, y) from the runs of matches along 2S + 1 diagonals: O((2S+1)·L) time. It is 0 for sequences of
// unequal length. Without shifts and position weights it is exact: an integer times 2/(d(d+1)).
func (k Kernel) Eval(x, y []byte) float64 {
	if len(x) != len(y) {
		return 0
	}
	if k.resembling() {
		return k.evalAlike(x, y)
	}
	total := k.diagonal(x, y, 0)
	for s := 1; s <= min(k.Shift, len(x)-1); s++ {
		total += k.diagonal(x, y, s) + k.diagonal(y, x, s)
	}
	return total * k.unit()
}

// SelfEval returns k(x, x) like Eval, from half of the diagonals. Without position weights the runs of the main
// diagonal are the runs of letters of the alphabet.
func (k Kernel) SelfEval(x []byte) float64 {
	if k.resembling() {
		return k.evalAlike(x, x)
	}
	total := 0.0
	if k.Weights == nil {
		total = float64(ownRuns(&k, x))
	} else {
		total = k.diagonal(x, x, 0)
	}
	for s := 1; s <= min(k.Shift, len(x)-1); s++ {
		total += 2 * k.diagonal(x, x, s)
	}
	return total * k.unit()
}

// ownRuns returns the sum over the maximal runs of letters of the alphabet.
func ownRuns(k *Kernel, x []byte) int {
	codes := k.Alphabet.Codes()
	total, start := 0, 0
	for p, b := range x {
		if codes[b] == stringkernel.Outside {
			total += k.run(p - start)
			start = p + 1
		}
	}
	return total + k.run(len(x)-start)
}

// diagonal returns the contribution of the matches of x from position p + s with y from position p, in integer length
// weights.
func (k Kernel) diagonal(x, y []byte, s int) float64 {
	n := len(x) - s
	x, y = x[s:], y[:n]
	if k.uniform() {
		return k.delta(s) * float64(k.runs(x, y))
	}
	codes := k.Alphabet.Codes()
	total, run := 0.0, 0
	for p := n - 1; p >= 0; p-- {
		if run++; x[p] != y[p] || codes[x[p]] == stringkernel.Outside {
			run = 0
			continue
		}
		total += float64(k.pair(p, s) * float64(k.upTo(run)))
	}
	return total
}

// runs returns the sum over the maximal runs of matches of two sequences of equal length.
func (k Kernel) runs(x, y []byte) int {
	codes := k.Alphabet.Codes()
	total, run := 0, 0
	for p, b := range x {
		if run++; b != y[p] || codes[b] == stringkernel.Outside {
			total += k.run(run - 1)
			run = 0
		}
	}
	return total + k.run(run)
}
