package main

import (
	"os"

	"github.com/seqsvm/seqsvm/catalog"
	"github.com/seqsvm/seqsvm/cmd/seqsvm/internal/cli"
	"github.com/seqsvm/seqsvm/spectrum"
	"github.com/seqsvm/seqsvm/stringkernel/substring"
)

// A model is large if it takes this many bytes, and this many for each letter of its training records.
const (
	largeModel     = 100e6
	largePerLetter = 16
)

// remarkLarge names the kernel with smaller models where that of bounded k-mers is large.
func remarkLarge(c *cli.Call, spec catalog.Spec, path string, letters int) {
	file, err := os.Stat(path)
	if err != nil || !file.Mode().IsRegular() || file.Size() < largeModel || file.Size() < largePerLetter*int64(letters) {
		return
	}
	if other := smallerModels(spec); other != "" {
		c.Say("seqsvm: the model has %.0f MB, a weight for each k-mer and score; %s is the same kernel, and its models "+
			"are not much larger than their records", float64(file.Size())/1e6, other)
	}
}

// smallerModels returns the kernel that has the same values and, as suffix trees, smaller models: "" if there is none.
func smallerModels(spec catalog.Spec) string {
	term, single := spec.Single()
	k, kmers := term.Kernel.(spectrum.Kernel)
	if !single || term.Composed() || !kmers || !k.Bounded || k.TFIDF {
		return ""
	}
	term.Name = "substring"
	term.Kernel = substring.Kernel{Weight: substring.Bounded, K: k.K, Count: k.Count, Alphabet: k.Alphabet}
	return term.String()
}
