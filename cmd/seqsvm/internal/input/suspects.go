package input

import (
	"strings"

	"github.com/seqsvm/seqsvm/cmd/seqsvm/internal/cli"

	"github.com/seqsvm/seqsvm/catalog"
	"github.com/seqsvm/seqsvm/seqio"
	"github.com/seqsvm/seqsvm/stringkernel"
)

// Suspects counts what looks wrong with records, all at once or batch by batch.
type Suspects struct {
	Spec             catalog.Spec
	Kernel           string   // a space and its name, if there are several
	Outside, letters int      // letters outside the alphabet of the kernel, and all letters
	Featureless, all int      // records without any feature, and all records
	first            error    // names the first without a feature
	sources          []string // inputs
}

// Add counts records.
func (s *Suspects) Add(r *Records) {
	outside, letters := seqio.CountOutside(r.Corpus, AlphabetOf(s.Spec))
	s.Outside += outside
	s.letters += letters
	s.all += r.Corpus.Len()
	alphabets := make([]stringkernel.Alphabet, len(s.Spec.Terms)) // found by reflection, so not for every record
	for t, term := range s.Spec.Terms {
		alphabets[t] = term.Alphabet()
	}
	for i := range r.Corpus.Len() {
		x := r.Corpus.Seq(i)
		t := 0
		for t < len(alphabets) && !stringkernel.HasFeature(s.Spec.Terms[t].Kernel, alphabets[t], x) {
			t++
		}
		if t < len(alphabets) {
			continue
		}
		if s.Featureless == 0 {
			s.first = r.Errorf(i, "no feature of the kernel in %d letters", len(x))
		}
		s.Featureless++
	}
	for _, set := range r.Sets {
		if n := len(s.sources); n == 0 || s.sources[n-1] != set.Source {
			s.sources = append(s.sources, set.Source)
		}
	}
}

// Warn warns if many letters are outside the alphabet of the kernel, as RNA is outside DNA, and if records have no
// feature: their kernel values are 0, and their decision is the bias.
func (s *Suspects) Warn(c *cli.Call) {
	s.WarnOutside(c)
	s.WarnFeatureless(c)
}

// WarnOutside warns if many letters are outside the alphabet of the kernel.
func (s *Suspects) WarnOutside(c *cli.Call) {
	if s.letters > 0 {
		WarnShareOutside(c, float64(s.Outside)/float64(s.letters), strings.Join(s.sources, ", "), AlphabetOf(s.Spec))
	}
}

// WarnFeatureless warns if records have no feature of the kernel.
func (s *Suspects) WarnFeatureless(c *cli.Call) {
	if s.Featureless > 0 {
		c.Warn("%d of %d records are too short for the kernel%s or hold too few letters of its alphabet, so that "+
			"their kernel values are 0; the first is: %v",
			s.Featureless, s.all, s.Kernel, s.first)
	}
}

// WarnIndefinite says which kernels have a negative eigenvalue, and how large it is.
func WarnIndefinite(c *cli.Call, spec catalog.Spec) {
	for _, t := range spec.Terms {
		eigenvalues := stringkernel.TraitsOf(t.Kernel).Eigenvalues
		if eigenvalues == nil {
			continue
		}
		if least, greatest := eigenvalues(); least < 0 {
			c.Caution("kernel %s is indefinite: its least eigenvalue over all k-mers is %.2g of the greatest; the flag "+
				"clip sets such to 0", t, least/greatest)
		}
	}
}
