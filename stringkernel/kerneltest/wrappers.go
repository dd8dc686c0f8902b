package kerneltest

import (
	"slices"
	"testing"

	"github.com/seqsvm/seqsvm/stringkernel"
	"github.com/seqsvm/seqsvm/stringkernel/compose"
)

// OptionsOf names the options that a kernel, fitted to a corpus if it depends on one, has, and those of its matrix and
// of its scorer for the corpus.
func OptionsOf(t testing.TB, k stringkernel.Kernel, c *stringkernel.Corpus) []string {
	t.Helper()
	s := (&suite{kernel: k}).fitted(t, c)
	k = s.kernel
	g, scorer := s.gram(t, c), s.merge(t, c, make([]float64, c.Len()))
	restorer := stringkernel.RestorerOf(k)
	table, err := stringkernel.Fold(k, 1)
	foldable := table != nil && err == nil
	var names []string
	for _, option := range []struct {
		name string
		has  bool
	}{
		{"Fitter", stringkernel.FitterOf(k) != nil},
		{"IndexSharer", stringkernel.IndexSharerOf(k) != nil},
		{"Enumerator", stringkernel.EnumeratorOf(k) != nil},
		{"Compare", stringkernel.TraitsOf(k).Compare != nil},
		{"Restorer", restorer != nil && restorer.Arrays(scorer) != nil},
		{"JointSelf", stringkernel.TraitsOf(k).JointSelf != nil},
		{"TrackSelf", stringkernel.TraitsOf(k).TrackSelf != nil},
		{"Stranded", compose.StrandedOf(k) != nil},
		{"Fold", foldable},
		{"Space", compose.SpaceOf(k) != nil},

		{"FeatureRows", stringkernel.FeatureRowsOf(g) != nil},
		{"Dense", stringkernel.DenseOf(g) != nil},
		{"RowBased", stringkernel.IsRowBased(g)},

		{"Explainer", stringkernel.ExplainerOf(scorer) != nil},
		{"FeatureLister", stringkernel.FeatureListerOf(scorer) != nil},
		{"Tracker", stringkernel.TrackerOf(scorer) != nil},
		{"ScoreBatchTo", stringkernel.TraitsOf(scorer).ScoreBatchTo != nil},
		{"Around", stringkernel.TraitsOf(scorer).Around != nil},
		{"SelfScoreTo", stringkernel.TraitsOf(scorer).SelfScoreTo != nil},
		{"WindowLength", stringkernel.WindowLength(scorer) > 0},
	} {
		if option.has {
			names = append(names, option.name)
		}
	}
	return names
}

// wrappers checks that wrappers have the options of what they wrap, no more and no less.
func (s *suite) wrappers(t testing.TB) {
	s.forwards(t, func(k stringkernel.Kernel) stringkernel.Kernel { return compose.Normalized(k) })
	s.forwards(t, func(k stringkernel.Kernel) stringkernel.Kernel {
		return compose.Mean([]stringkernel.Kernel{k, k}, nil)
	}, "Enumerator", "Space")
	if s.Letters == "ACGT" {
		s.forwards(t, func(k stringkernel.Kernel) stringkernel.Kernel {
			return compose.BothStrands(k, stringkernel.DNA)
		}, "Dense", "Space", "TrackSelf")
	}
	if s.Draw == nil { // a part of a tree is none
		s.forwards(t, func(k stringkernel.Kernel) stringkernel.Kernel { return compose.Part(k, 0, 1000, 0) },
			"Space", "WindowLength")
	}
	s.forwards(t, func(k stringkernel.Kernel) stringkernel.Kernel { return compose.RBF(k, 1) },
		"Enumerator", "Restorer", "TrackSelf", "Fold", "Space", "FeatureRows", "RowBased",
		"Explainer", "FeatureLister", "Tracker", "ScoreBatchTo", "WindowLength")
}

// forwards compares the options of a wrapper with those of the kernel, but for some that it never or always has.
func (s *suite) forwards(t testing.TB, wrap func(stringkernel.Kernel) stringkernel.Kernel, but ...string) {
	t.Helper()
	but = append(but, "IndexSharer", "JointSelf", "Compare", "SelfScoreTo", "Around", "Stranded")
	options := func(k stringkernel.Kernel, c *stringkernel.Corpus) []string {
		return slices.DeleteFunc(OptionsOf(t, k, c), func(name string) bool { return slices.Contains(but, name) })
	}
	c, wrapper := s.corpus(9), wrap(s.kernel)
	if got, want := options(wrapper, c), options(s.kernel, c); !slices.Equal(got, want) {
		t.Errorf("%T has the options %v, the kernel inside %v", wrapper, got, want)
	}
}
