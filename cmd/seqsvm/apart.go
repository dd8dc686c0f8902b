package main

import (
	"context"
	"math"

	"github.com/seqsvm/seqsvm/classify/decide"
	"github.com/seqsvm/seqsvm/cmd/seqsvm/internal/cli"
	"github.com/seqsvm/seqsvm/stringkernel"
)

// remarkApart warns if a model knows each of its n training records by itself, as with words of records without spaces.
func remarkApart(c *cli.Call, trained *decide.Model, n int) error {
	if n < 2 || trained.Support == nil || trained.Support.Len() < n { // a record without a coefficient is like another
		return nil
	}
	apart, err := haveNothingInCommon(c.Context, trained.Kernel, trained.Support)
	if apart {
		c.Warn("no two of the %d records have a feature of the kernel in common, so that none tells anything about another; "+
			"take shorter features, or a kernel for records like these (seqsvm kernels)", n)
	}
	return err
}

// comparedFirst is how many pairs of neighbours are compared before all records are.
const comparedFirst = 64

// haveNothingInCommon reports whether the values of a kernel between any two of the records are 0.
func haveNothingInCommon(ctx context.Context, kernel stringkernel.Kernel, records *stringkernel.Corpus) (bool, error) {
	n := records.Len()
	for i := range min(n-1, comparedFirst) {
		if kernel.Eval(records.Seq(i), records.Seq(i+1)) != 0 {
			return false, nil
		}
	}
	gram, err := kernel.Gram(ctx, records)
	if err != nil {
		return false, err
	}
	ones, sums, own := make([]float64, n), make([]float64, n), make([]float64, n)
	for i := range ones {
		ones[i] = 1
	}
	gram.MulVecTo(sums, ones)
	gram.Diag(own)
	for i, k := range own {
		if math.Abs(sums[i]-k) > 1e-12*max(1, k) {
			return false, nil
		}
	}
	return true, nil
}
