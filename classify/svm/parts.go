package svm

import (
	"github.com/seqsvm/seqsvm/classify/risk"
	"github.com/seqsvm/seqsvm/internal/parallel"
)

// worthTasks is the number of additions from which a loop between two products is divided among processors. Fewer take
// about as long as another processor needs to wake up.
const worthTasks = 1 << 17

// eachRange calls task on ranges that cover the records 0 … n−1, given the number of additions. What it computes of a
// record must depend on no other, so that ranges change no bit.
func eachRange(n, additions int, task func(lo, hi int)) {
	if additions < worthTasks {
		task(0, n)
		return
	}
	parallel.For(n, task)
}

// eachPart calls task on the parts of n records, each with its number, given the additions per record.
func eachPart(n, additions int, task func(k, lo, hi int)) {
	part := func(k int) { task(k, k*risk.PartLen, min(n, (k+1)*risk.PartLen)) }
	if additions*n < worthTasks {
		for k := range risk.Parts(n) {
			part(k)
		}
		return
	}
	parallel.Each(risk.Parts(n), part)
}

// sumRanges returns the sums of what term returns for the parts of n records, in their order, whatever processors do.
// Its additions per record are given.
func sumRanges(n, additions int, term func(lo, hi int) [3]float64) (sums [3]float64) {
	terms := make([][3]float64, risk.Parts(n))
	eachPart(n, additions, func(k, lo, hi int) { terms[k] = term(lo, hi) })
	for _, t := range terms {
		for m, x := range t {
			sums[m] += x
		}
	}
	return sums
}

// pieceLen is the number of records that are subtracted before they are multiplied, on the stack.
const pieceLen = 256
