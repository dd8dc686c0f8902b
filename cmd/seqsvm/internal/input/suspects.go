package input

import (
	"slices"
	"strings"

	"github.com/seqsvm/seqsvm/catalog"
	"github.com/seqsvm/seqsvm/cmd/seqsvm/internal/cli"
	"github.com/seqsvm/seqsvm/internal/parallel"
	"github.com/seqsvm/seqsvm/model"
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

	terms []featureRule // of each term: found by reflection, so not for every record

	Training *TrainingData // if not nil, records that the model was trained on count too
}

// Add counts records.
func (s *Suspects) Add(r *Records) {
	outside, letters := seqio.CountOutside(r.Corpus, s.Spec.Alphabet())
	s.Outside += outside
	s.letters += letters
	s.all += r.Corpus.Len()
	s.findTerms()
	known := make([]bool, r.Corpus.Len())
	parallel.Each(len(known), func(i int) { known[i] = s.hasFeature(r.Corpus.Seq(i)) })
	for i, has := range known {
		if !has {
			s.addFeatureless(r, i, "of the kernel")
		}
	}
	if s.Training != nil {
		s.Training.Add(r, r.Corpus)
	}
	for _, set := range r.Sets {
		if n := len(s.sources); n == 0 || s.sources[n-1] != set.Source {
			s.sources = append(s.sources, set.Source)
		}
	}
}

// featureRule says that a sequence has a feature of a kernel if it has as many letters of its alphabet in a row.
type featureRule struct {
	alphabet stringkernel.Alphabet
	letters  int
}

// hasFeature reports whether a sequence has a feature of a kernel.
func (s *Suspects) hasFeature(x []byte) bool {
	return slices.ContainsFunc(s.terms, func(t featureRule) bool { return t.alphabet.HasRun(x, t.letters) })
}

// findTerms finds the rules of the terms.
func (s *Suspects) findTerms() {
	if s.terms == nil {
		for _, t := range s.Spec.Terms {
			s.terms = append(s.terms, featureRule{t.Alphabet(), stringkernel.TraitsOf(t.Kernel).MinLength})
		}
	}
}

// addFeatureless counts a record without a feature of the kernel or the model.
func (s *Suspects) addFeatureless(r *Records, i int, of string) {
	if s.Featureless == 0 {
		s.first = r.Errorf(i, "no feature %s in %d letters", of, len(r.Corpus.Seq(i)))
	}
	s.Featureless++
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
		WarnShareOutside(c, float64(s.Outside)/float64(s.letters), strings.Join(s.sources, ", "), s.Spec.Alphabet())
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

// WarnKnown warns if records are those that the model was trained on, and says what follows.
func (s *Suspects) WarnKnown(c *cli.Call, consequence string) {
	if known := s.Training.Known(); known != "" {
		c.Warn("%s of %s are in the model's training data: %s", known, strings.Join(s.sources, ", "), consequence)
	}
}

// leastIndefinite is the share of the greatest eigenvalue from which on a negative one is worth a warning. That of
// LS-GKM's default kernel is 3e-4, and has no effect that we have seen.
const leastIndefinite = 0.005

// eigenvaluesOf returns the least and the greatest eigenvalue over all k-mers of a kernel, 0 if they are not known.
func eigenvaluesOf(t catalog.Term) (least, greatest float64) {
	eigenvalues := stringkernel.TraitsOf(t.Kernel).Eigenvalues
	if eigenvalues == nil || t.Rank != 0 { // an approximation by rows of numbers has no negative ones
		return 0, 0
	}
	return eigenvalues()
}

// WarnKernels says which kernels have parameters that do what is hardly meant, or a negative eigenvalue that is worth a
// warning.
func WarnKernels(c *cli.Call, spec catalog.Spec) {
	for _, t := range spec.Terms {
		if warnings := stringkernel.TraitsOf(t.Kernel).Warnings; warnings != nil {
			for _, warning := range warnings() {
				c.Warn("%s: %s", t.Name, warning)
			}
		}
		if least, greatest := eigenvaluesOf(t); least <= -leastIndefinite*greatest && least < 0 {
			c.Caution("kernel %s is indefinite: its least eigenvalue over all k-mers is %.2g of the greatest, and the "+
				"optimum may be a local one; the flag clip sets negative eigenvalues to 0", t, least/greatest)
		}
	}
}

// SayIndefinite says which kernels have a negative eigenvalue, however small.
func SayIndefinite(c *cli.Call, spec catalog.Spec) {
	for _, t := range spec.Terms {
		if least, greatest := eigenvaluesOf(t); least < 0 {
			c.Say("seqsvm: %s has eigenvalues down to %.2g of the greatest; clip makes them 0", t, least/greatest)
		}
	}
}

// TrainingData tells whether records are those that a model was trained on: by the model's sketch or, without one, by
// the checksum of all training data.
type TrainingData struct {
	model      *model.Model
	comparison *model.Comparison // nil without a sketch
	same       bool              // as the checksum says
}

// NewTrainingData begins a comparison with the training data of a model.
func NewTrainingData(m *model.Model) *TrainingData {
	d := &TrainingData{model: m}
	if m.Sketch != nil {
		d.comparison = m.Sketch.Compare()
	}
	return d
}

// Add adds records, of which a part is to be compared: all or some. The checksum is that of all.
func (d *TrainingData) Add(r *Records, part *stringkernel.Corpus) {
	if d.comparison != nil {
		d.comparison.Add(part)
		return
	}
	d.same = d.same || model.Checksum(r.Corpus, r.Labels) == d.model.Training.Checksum
}

// AddPiece adds a piece of a sequence that is not a record.
func (d *TrainingData) AddPiece(x []byte) {
	if d.comparison != nil {
		d.comparison.AddKmers(x)
	}
}

// Covered returns the share, in percent, of the k-mers of the training data that are in what was added; 0 if it is
// small, or not known.
func (d *TrainingData) Covered() float64 {
	if d.comparison == nil {
		return 0
	}
	if overlap := d.comparison.Overlap(); overlap.Covers() {
		return 100 * overlap.Covered
	}
	return 0
}

// Known says how much of what was added is training data, as in “3 of 10 records (30 %)”; "" if that is nothing, or by
// chance.
func (d *TrainingData) Known() string {
	if d.same {
		return "all records"
	}
	if d.comparison == nil {
		return ""
	}
	if overlap := d.comparison.Overlap(); overlap.Found() {
		return overlap.String()
	}
	return ""
}
