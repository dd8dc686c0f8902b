package main

import (
	"strings"

	"github.com/seqsvm/seqsvm/cmd/seqsvm/internal/cli"

	"github.com/seqsvm/seqsvm/catalog"
	"github.com/seqsvm/seqsvm/seqio"
	"github.com/seqsvm/seqsvm/stringkernel"
)

// suspects counts what looks wrong with records, all at once or batch by batch.
type suspects struct {
	spec             catalog.Spec
	kernel           string   // a space and its name, where there are several
	outside, letters int      // letters outside the alphabet of the kernel, of all
	featureless, all int      // records without any feature, of all
	first            error    // names the first of these
	sources          []string // inputs
}

// add looks at records.
func (s *suspects) add(r *records) {
	outside, letters := seqio.CountOutside(r.corpus, inputAlphabet(s.spec))
	s.outside += outside
	s.letters += letters
	s.all += r.corpus.Len()
	for i := range r.corpus.Len() {
		if hasFeature(s.spec, r.corpus.Seq(i)) {
			continue
		}
		if s.featureless == 0 {
			s.first = r.errorf(i, "no feature of the kernel in %d letters", len(r.corpus.Seq(i)))
		}
		s.featureless++
	}
	for _, set := range r.sets {
		if n := len(s.sources); n == 0 || s.sources[n-1] != set.Source {
			s.sources = append(s.sources, set.Source)
		}
	}
}

// warn warns if many letters are outside the alphabet of the kernel, as RNA is outside DNA, and if records have no
// feature: their kernel values are 0, and their decision is the bias.
func (s *suspects) warn(c *cli.Call) {
	s.warnOutside(c)
	s.warnFeatureless(c)
}

func (s *suspects) warnOutside(c *cli.Call) {
	if s.letters > 0 {
		warnShareOutside(c, float64(s.outside)/float64(s.letters), strings.Join(s.sources, ", "), inputAlphabet(s.spec))
	}
}

func (s *suspects) warnFeatureless(c *cli.Call) {
	if s.featureless > 0 {
		c.Warn("%d of %d records are too short for the kernel%s or hold too few letters of its alphabet, so that "+
			"their kernel values are 0; the first is: %v",
			s.featureless, s.all, s.kernel, s.first)
	}
}

func hasFeature(spec catalog.Spec, x []byte) bool {
	for _, t := range spec.Terms {
		if stringkernel.HasFeature(t.Kernel, t.Alphabet(), x) {
			return true
		}
	}
	return false
}

// warnIndefinite says which kernels have a negative eigenvalue, and how large it is.
func warnIndefinite(c *cli.Call, spec catalog.Spec) {
	for _, t := range spec.Terms {
		eigenvalues := stringkernel.TraitsOf(t.Kernel).Eigenvalues
		if eigenvalues == nil {
			continue
		}
		if least, greatest := eigenvalues(); least < 0 {
			c.Warn("kernel %s is indefinite: its least eigenvalue over all k-mers is %.2g of the greatest; the flag "+
				"clip sets such to 0", t, least/greatest)
		}
	}
}
