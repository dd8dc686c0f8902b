package main

import (
	"bytes"
	"fmt"
	"math"
	"regexp"
	"slices"

	"gonum.org/v1/gonum/floats"

	"github.com/seqsvm/seqsvm/classify/metrics"
	"github.com/seqsvm/seqsvm/stringkernel"
)

// apart returns records that hold neither side of a variant, whose alleles are 2i and 2i + 1.
func apart(alleles [][]byte) func(x []byte) []byte {
	return func(x []byte) []byte {
		both := slices.Concat(x, []byte{0}, stringkernel.DNA.ReverseComplementTo(nil, x))
		for i := 0; i < len(alleles); i += 2 {
			if bytes.Contains(both, alleles[i][:reach]) || bytes.Contains(both, alleles[i][reach+1:]) {
				return nil
			}
		}
		return x
	}
}

// ofPeaks are the chromosomes of the peaks.
var ofPeaks = regexp.MustCompile(`^chr(1[4-9]|2[0-2]):`)

// runCtcf prints figures of all forms; best is the index of the chosen one.
func runCtcf(best int) {
	var variants set
	ids, source, ends := []string{}, []float64{}, []int{} // ends of the positives and of each set of negatives
	for _, name := range []string{"positives", "negatives1", "negatives2", "negatives3", "negatives4", "negatives5"} {
		t := columns("ctcf-asb", name+".tsv.gz", "ref", "alt", "id", "deltasvm")
		variants.add(t[0], t[1])
		ids, source, ends = append(ids, t[2]...), append(source, numbers(t[3])...), append(ends, len(ids)+len(t[2]))
	}
	sites := learn(apart(variants.alleles[:2*ends[0]]), others[0]...).score(variants.alleles)
	peaks := learn(func(x []byte) []byte { // the middle, since the length of a peak tells its class
		if len(x) < 300 {
			return nil
		}
		return x[(len(x)-300)/2:][:300]
	}, "variants-ctcf-asb/peaks.fa.gz").score(variants.alleles)
	either := slices.Clone(peaks)
	for i, id := range ids {
		if ofPeaks.MatchString(id) {
			either[i] = sites[i]
		}
	}
	every := func(int) bool { return true }
	// row prints mean and range over the sets of negatives
	row := func(name string, values []float64, in func(i int) bool) {
		fmt.Fprint(out, name)
		for _, area := range []func([]float64, []bool) (float64, error){metrics.AUROC, metrics.AUPRC} {
			var all []float64
			for k := 1; k < len(ends); k++ {
				sizes, positive := []float64{}, []bool{}
				for i, v := range values {
					if in(i) && (i < ends[0] || i >= ends[k-1] && i < ends[k]) {
						sizes, positive = append(sizes, math.Abs(v)), append(positive, i < ends[0])
					}
				}
				all = append(all, must(area(sizes, positive)))
			}
			fmt.Fprintf(out, "\t%.3f (%.3f–%.3f)", floats.Sum(all)/float64(len(all)), slices.Min(all), slices.Max(all))
		}
		fmt.Fprintln(out)
	}
	for _, part := range []struct {
		title  string
		scored []sums
		in     func(i int) bool
	}{
		{"all variants, model of tfbs-fastsk-a", sites, every},
		{"chr1–13 and X, model of peaks on chr14–22", peaks, func(i int) bool { return !ofPeaks.MatchString(ids[i]) }},
		{"all variants, chr1–13 and X by that of peaks, others by that of tfbs-fastsk-a", either, every},
	} {
		fmt.Fprintf(out, "\nctcf-asb: %s; chosen: %s\tAUROC\tauPRC\n", part.title, forms[best].name)
		row("deltaSVM of the source", source, part.in)
		for _, f := range forms {
			row(f.name, each(part.scored, f.of), part.in)
		}
		row("delta, of variants with site in the top tenth", each(part.scored, forms[0].of),
			func(i int) bool { return part.in(i) && part.scored[i].siteRank >= 0.9 })
	}
}
