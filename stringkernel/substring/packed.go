package substring

import (
	"context"
	"slices"

	"github.com/seqsvm/seqsvm/spectrum"
	"github.com/seqsvm/seqsvm/stringkernel"
	"github.com/seqsvm/seqsvm/stringkernel/compose"
)

// mostPacked is the length of the longest nucleotide substrings that package spectrum counts for this kernel: a table
// of all 4⁹ takes less memory than an index of a megabase. Through a function, which makes a tree of each query, longer
// ones pay: those of one length, and of all lengths up to mostFolded, beyond which a model would take much memory.
const (
	mostPacked = 9
	mostFolded = 10
)

// Compile checks the parameters. A compiled kernel leaves short nucleotide substrings, and matrices of those of up to
// 32 letters, to package spectrum, which counts them in less time and memory than a suffix tree takes. Values of raw
// counts are whole numbers, and so have the same bits.
func (k Kernel) Compile() (stringkernel.Kernel, error) {
	k.compiled = true
	return k, k.Check()
}

// packed returns the kernel of package spectrum that has the same features, if the kernel is compiled and these are
// short enough for models.
func (k Kernel) packed() (p spectrum.Kernel, is bool) {
	p, is = k.counted()
	return p, is && (k.K <= mostPacked || !k.Count.Linear())
}

// counted returns the kernel of package spectrum that has the same features, if the kernel is compiled and these are of
// nucleotides and short enough to be numbers. Raw counts of longer ones than mostPacked are in training alone: in a
// model they would take more memory than support vectors do.
func (k Kernel) counted() (p spectrum.Kernel, is bool) {
	p = spectrum.Kernel{K: k.K, Bounded: k.Weight == Bounded, Count: k.Count, Alphabet: k.Alphabet}
	is = k.compiled && (k.Weight == Fixed || k.Weight == Bounded) && !k.ReadsText() && !k.Ends &&
		k.Alphabet.Complementary() && p.Check() == nil && (k.Count.Linear() || k.Weight == Fixed || k.K <= mostFolded)
	if is && k.rc {
		p = p.Stranded().BothStrands().(spectrum.Kernel)
	}
	return p, is
}

// Restorer stores and restores the weights of short nucleotide substrings, and the structures of longer ones; nil for
// those of units, whose vocabulary is that of the support vectors, and for tfidf.
func (k Kernel) Restorer() stringkernel.Restorer {
	if p, is := k.packed(); is {
		return packedRestorer(p)
	}
	if k.ReadsText() || k.Weight == TFIDF || !k.Count.Linear() {
		return nil
	}
	return compactRestorer(k)
}

// packedRestorer stores what package spectrum does.
type packedRestorer spectrum.Kernel

func (k packedRestorer) Arrays(s stringkernel.Scorer) []stringkernel.Array {
	if merged, ok := s.(packedScorer); ok { // else it is a table's
		s = merged.Scorer
	}
	return spectrum.Kernel(k).Arrays(s)
}

func (k packedRestorer) Restore(arrays []stringkernel.Array) (stringkernel.Scorer, error) {
	s, err := spectrum.Kernel(k).Restore(arrays)
	if err != nil {
		return nil, err
	}
	return packedScorer{s}, nil
}

// Enumerator lists short nucleotide substrings; nil for others.
func (k Kernel) Enumerator() stringkernel.Enumerator {
	if p, is := k.packed(); is {
		return p
	}
	return nil
}

// WindowNorms has the norms of windows by short nucleotide substrings; nil for others.
func (k Kernel) WindowNorms() compose.WindowNorms {
	if p, is := k.packed(); is {
		return p
	}
	return nil
}

// Folder has a table of short nucleotide substrings; nil for others.
func (k Kernel) Folder() compose.Folder {
	if p, is := k.packed(); is {
		return p.Folder()
	}
	return nil
}

// Space is a table of the substrings of one short length of nucleotides; nil for others.
func (k Kernel) Space() compose.Space {
	if p, is := k.packed(); is && p.Space() != nil {
		return packedSpace{p.Space()}
	}
	return nil
}

// packedSpace makes scorers as the kernel merges them.
type packedSpace struct{ compose.Space }

func (s packedSpace) Scorer(ctx context.Context, tables [][]float64) (stringkernel.Scorer, error) {
	scorer, err := s.Space.Scorer(ctx, tables)
	if err != nil {
		return nil, err
	}
	return packedScorer{scorer}, nil
}

// packedScorer is a scorer of package spectrum that lists features as those of suffix structures do.
type packedScorer struct{ stringkernel.Scorer }

func mergePacked(
	ctx context.Context, p spectrum.Kernel, sv *stringkernel.Corpus, c *stringkernel.Coefficients,
) (stringkernel.Scorer, error) {
	s, err := p.Merge(ctx, sv, c)
	if err != nil {
		return nil, err
	}
	return packedScorer{s}, nil
}

func (s packedScorer) Explainer() stringkernel.Explainer { return stringkernel.ExplainerOf(s.Scorer) }

func (s packedScorer) Tracker() stringkernel.Tracker { return stringkernel.TrackerOf(s.Scorer) }

func (s packedScorer) BatchScorer() stringkernel.BatchScorer {
	return stringkernel.BatchScorerOf(s.Scorer)
}

func (s packedScorer) Describer() stringkernel.Describer { return stringkernel.DescriberOf(s.Scorer) }

// TopFeatures leaves out a string if one with a letter more, on either side, has at least half its weight, as the
// TopFeatures of suffix structures do.
func (s packedScorer) TopFeatures(mix []float64, n int) []stringkernel.Feature {
	all := stringkernel.FeatureListerOf(s.Scorer).TopFeatures(mix, stringkernel.AllFeatures)
	weights := make(map[string]float64, len(all))
	for _, f := range all {
		weights[f.Text] = f.Weight
	}
	explained := map[string]bool{}
	for _, f := range all {
		for _, part := range []string{f.Text[1:], f.Text[:len(f.Text)-1]} {
			if w := weights[part]; w != 0 && f.Weight/w >= half {
				explained[part] = true
			}
		}
	}
	all = slices.DeleteFunc(all, func(f stringkernel.Feature) bool { return explained[f.Text] })
	return stringkernel.StrongestWeights(all, n)
}

// FeaturesOf lists the strings of x one by one.
func (s packedScorer) FeaturesOf(mix []float64, x []byte, n int) []stringkernel.Feature {
	return stringkernel.FeatureListerOf(s.Scorer).FeaturesOf(mix, x, n)
}
