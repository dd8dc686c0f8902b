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

// sumRanges returns the sum of what term returns for the parts of n records, in their order, whatever processors do.
// Its additions per record are given.
func sumRanges[S interface{ plus(s S) S }](n, additions int, term func(lo, hi int) S) (sum S) {
	terms := make([]S, risk.Parts(n))
	part := func(k int) { terms[k] = term(k*risk.PartLen, min(n, (k+1)*risk.PartLen)) }
	if additions*n < worthTasks {
		for k := range terms {
			part(k)
		}
	} else {
		parallel.Each(len(terms), part)
	}
	for _, t := range terms {
		sum = sum.plus(t)
	}
	return sum
}

// sum1 and sum3 are one sum and three.
type (
	sum1 float64
	sum3 [3]float64
)

func (s sum1) plus(t sum1) sum1 { return s + t }

func (s sum3) plus(t sum3) sum3 { return sum3{s[0] + t[0], s[1] + t[1], s[2] + t[2]} }
