package main

import (
	"fmt"

	"github.com/seqsvm/seqsvm/seqio"
)

// recipe is what a kind of task is trained with in the fixed setting.
type recipe struct {
	kind    string
	kernels []string
	c       string
}

// Recipes were chosen on dev parts, or by cross-validation where there are none, and written down before a test part
// was looked at.
var (
	modifications = recipe{"modified bases, windows of up to 50", []string{"wd:d=6,shift=1", "gapped:l=8,k=5,d=3"}, "1"}
	corePromoters = recipe{"core promoters, windows of up to 80",
		[]string{"wd:d=8,shift=8", "gapped:l=8,k=5,d=3", "spectrum:k=6,bounded"}, "1"}
	bindingSites = recipe{"binding sites, windows of up to 150",
		[]string{"gapped:l=10,k=6,rc", "spectrum:k=6,bounded,rc"}, "1"}
	promoters = recipe{"promoters and other windows", []string{"wd:d=8,shift=8", "gapped:l=8,k=5,d=3"}, "1"}
	regions   = recipe{"regions of several lengths", []string{"gapped:l=10,k=6,rc", "spectrum:k=6,bounded,rc"}, "1"}
)

// recipeFor returns the recipe of records by their lengths.
func recipeFor(s *seqio.Set) (recipe, error) {
	if s.Len() == 0 {
		return recipe{}, fmt.Errorf("%s: no records", s.Source)
	}
	n := len(s.Corpus.Seq(0))
	for i := range s.Len() {
		if len(s.Corpus.Seq(i)) != n {
			return regions, nil
		}
	}
	switch {
	case n <= 50:
		return modifications, nil
	case n <= 80:
		return corePromoters, nil
	case n <= 150:
		return bindingSites, nil
	}
	return promoters, nil
}
