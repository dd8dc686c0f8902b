package kerneltest

import (
	"bytes"
	"testing"

	"github.com/seqsvm/seqsvm/stringkernel"
	"github.com/seqsvm/seqsvm/stringkernel/compose"
)

// substitutions compares scores and contributions of sequences in which a letter is replaced with those of each such
// sequence alone, where the scorer has a shorter way: in a mean of the kernel with itself normalised and, if its
// letters are nucleotides, of both strands. Where a letter is replaced by itself they are those of the sequence.
func (s *suite) substitutions(t testing.TB) {
	sv := s.corpus(9)
	inside := s.kernel
	if s.Letters == "ACGT" {
		inside = compose.BothStrands(s.kernel, stringkernel.DNA)
	}
	if alone := s.fitted(t, sv).merge(t, sv, make([]float64, sv.Len())); stringkernel.TraitsOf(alone).Around == nil {
		t.Skip("the scorer scores each sequence as a whole")
	}
	f := s.wrapped(compose.Mean([]stringkernel.Kernel{compose.Normalized(inside), s.kernel}, nil)).fitted(t, sv)
	coef := s.coefficients(sv.Len())
	scorer, norms := f.merge(t, sv, coef...), f.norms(sv)
	for m := range coef {
		x := s.sequence()
		if s.Length == 0 {
			x = x[:min(len(x), 24)]
		}
		letters := []byte(s.Letters[:min(len(s.Letters), 4)])
		if m == 1 && s.Breaks != "" {
			letters = append(letters, s.Breaks[0])
		}
		f.substitutionsIn(t, scorer, m, x, letters, size(coef[m], norms))
	}
}

// substitutionsIn compares some places of one sequence, given the size of the coefficients.
func (s *suite) substitutionsIn(
	t testing.TB, scorer stringkernel.Scorer, m int, x, letters []byte, coefficients float64,
) {
	t.Helper()
	scores, parts := spoiled(len(x)*len(letters)), []float64(nil)
	explainer := stringkernel.ExplainerOf(scorer)
	if explainer != nil {
		parts = spoiled(len(scores))
	}
	before := bytes.Clone(x)
	compose.Substitute(scores, parts, scorer, m, x, letters)
	if !bytes.Equal(x, before) {
		t.Fatalf("substitutions changed %q to %q", before, x)
	}
	want, alone := spoiled(scorer.Outputs()), spoiled(len(x))
	for at := s.rng.IntN(3); at < len(scores); at += 1 + s.rng.IntN(2) {
		i, letter := at/len(letters), letters[at%len(letters)]
		y := bytes.Clone(x)
		y[i] = letter
		scorer.ScoreTo(want, y)
		scale := coefficients * max(s.norm(x), s.norm(y))
		if !s.near(scores[at], want[m], scale) {
			t.Fatalf("score %d of %q with %c at %d = %v, alone %v", m, x, letter, i, scores[at], want[m])
		}
		if explainer == nil {
			continue
		}
		explainer.ExplainTo(alone, m, y)
		if !s.near(parts[at], alone[i], scale) {
			t.Fatalf("contribution to score %d of %q with %c at %d = %v, alone %v", m, x, letter, i, parts[at], alone[i])
		}
	}
}
