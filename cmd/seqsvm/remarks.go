package main

import (
	"github.com/urfave/cli/v2"

	"github.com/seqsvm/seqsvm/model"
	"github.com/seqsvm/seqsvm/stringkernel"
)

// warnFeatureless says how many records have no feature of any kernel: their kernel values are 0, and their decision is the bias.
func (r *records) warnFeatureless(c *cli.Context, spec model.KernelSpec) {
	count, first := 0, -1
	for i := range r.corpus.Len() {
		if !hasFeature(spec, r.corpus.Seq(i)) {
			if count == 0 {
				first = i
			}
			count++
		}
	}
	if count > 0 {
		warn(c, "%d of %d records are too short for the kernel or hold too few letters of its alphabet, so that their kernel values are 0; the first is: %v",
			count, r.corpus.Len(), r.errorf(first, "no word of the kernel in %d letters", len(r.corpus.Seq(first))))
	}
}

func hasFeature(spec model.KernelSpec, x []byte) bool {
	for _, t := range spec.Terms {
		if stringkernel.HasFeature(t.Kernel, t.Alphabet(), x) {
			return true
		}
	}
	return false
}

// warnIndefinite says which kernels have a negative eigenvalue, and how large it is.
func warnIndefinite(c *cli.Context, spec model.KernelSpec) {
	for _, t := range spec.Terms {
		k, tells := t.Kernel.(interface {
			SmallestEigenvalue() (least, greatest float64)
		})
		if !tells {
			continue
		}
		if least, greatest := k.SmallestEigenvalue(); least < 0 {
			warn(c, "kernel %s is indefinite: its least eigenvalue over all words is %.2g of the greatest; the flag clip sets such to 0", t, least/greatest)
		}
	}
}
