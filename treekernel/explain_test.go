package treekernel_test

import (
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/seqsvm/seqsvm/internal/must"
	"github.com/seqsvm/seqsvm/stringkernel"
	"github.com/seqsvm/seqsvm/stringkernel/substring"
	"github.com/seqsvm/seqsvm/treekernel"
)

// What each node gets of the fragments that it shares with a support vector, in even parts, and in its label's bytes.
func TestContributionsOfNodes(t *testing.T) {
	for _, c := range []struct {
		kernel stringkernel.Kernel
		sv, x  string
		want   map[int]float64 // by byte of x; 0 for the others
	}{
		// x and (A x)
		{treekernel.Subtree{Lambda: 1}, "(S (A x))", "(S (A x) y)", map[int]float64{4: 1. / 2, 6: 1 + 1./2}},
		// S → A, A → x and the two together
		{treekernel.SST{Lambda: 1, Size: 2}, "(S (A x))", "(S (A x))",
			map[int]float64{1: 1./2 + 1./3, 4: 1./2 + 1./2 + 1./3, 6: 1./2 + 1./3}},
		// the same with x alone
		{treekernel.SST{Lambda: 1, Size: 2, Leaves: true}, "(S (A x))", "(S (A x))",
			map[int]float64{1: 1./2 + 1./3, 4: 1./2 + 1./2 + 1./3, 6: 1 + 1./2 + 1./3}},
		// S, Ab and S with Ab, whose label has two bytes
		{treekernel.PTK{Lambda: 1, Mu: 1, Terminal: 1, Size: 2}, "(S Ab)", "(S Q Ab)",
			map[int]float64{1: 1 + 1./2, 5: 3. / 4, 6: 3. / 4}},
		// [ S ], all 4 substrings of one symbol or more that end before the second label: [ [S S and [S[ …, of which
		// brackets count for their node
		{treekernel.Tag{Weight: substring.Fixed, K: 2}, "(S A)", "(S B)",
			map[int]float64{1: 1 + 1./2 + 1./2, 3: 1./2 + 1./2}},
	} {
		sv := must.Get(stringkernel.NewCorpus([][]byte{[]byte(c.sv)}, nil))(t)
		scorer := must.Get(stringkernel.Merge(t.Context(), c.kernel, sv, []float64{1}))(t)
		parts := make([]float64, len(c.x))
		stringkernel.ExplainerOf(scorer).ExplainTo(parts, 0, []byte(c.x))
		for i, got := range parts {
			if math.Abs(got-c.want[i]) > 1e-12 {
				t.Errorf("%T: byte %d of %s has %v, want %v", c.kernel, i, c.x, got, c.want[i])
			}
		}
	}
}

// A record that is not a tree gets nothing, also from a scorer that has explained a tree before.
func TestContributionsOfNoTree(t *testing.T) {
	tree, noTree := []byte("(S (A x))"), []byte("(S (A x)")
	sv := must.Get(stringkernel.NewCorpus([][]byte{tree}, nil))(t)
	for _, k := range everyKernel {
		k = must.Get(stringkernel.Fit(t.Context(), k, sv))(t)
		scorer := must.Get(stringkernel.Merge(t.Context(), k, sv, []float64{1}))(t)
		explainer := stringkernel.ExplainerOf(scorer)
		if explainer == nil {
			continue
		}
		explainer.ExplainTo(make([]float64, len(tree)), 0, tree)
		parts := make([]float64, len(noTree))
		explainer.ExplainTo(parts, 0, noTree)
		if !slices.Equal(parts, make([]float64, len(noTree))) {
			t.Errorf("%T: %v, want zeros", k, parts)
		}
	}
}

// A label of any length is listed by its beginning, a fragment of any size by its first nodes.
func TestLongNames(t *testing.T) {
	x := []byte("(S " + strings.Repeat("x", 5000) + strings.Repeat(" y", 1000) + ")")
	sv := must.Get(stringkernel.NewCorpus([][]byte{x}, nil))(t)
	scorer := must.Get(stringkernel.Merge(t.Context(), treekernel.Subtree{Lambda: 1}, sv, []float64{1}))(t)
	var got []string
	for _, f := range stringkernel.FeatureListerOf(scorer).FeaturesOf([]float64{1}, x, stringkernel.AllFeatures) {
		got = append(got, f.Text)
	}
	slices.Sort(got)
	label := strings.Repeat("x", 1000) + "…"
	want := []string{"(S " + label + strings.Repeat(" y", 198) + " …)", "(" + label + ")", "(y)"}
	if !slices.Equal(got, want) {
		t.Errorf("%d features %.60q, want %.60q", len(got), got, want)
	}
}

// Fragments are listed as trees in brackets.
func TestFragmentsAreListed(t *testing.T) {
	x := []byte("(S (A x\\(y) B)")
	sv := must.Get(stringkernel.NewCorpus([][]byte{x}, nil))(t)
	for _, c := range []struct {
		kernel stringkernel.Kernel
		want   map[string]float64
	}{
		{treekernel.Subtree{Lambda: 0.25}, map[string]float64{"(B)": 0.25, `(x\(y)`: 0.25, `(A x\(y)`: 0.25 * 0.25,
			`(S (A x\(y) B)`: 0.25 * 0.25 * 0.25 * 0.25}},
		{treekernel.SST{Lambda: 0.25, Size: 2, Leaves: true},
			map[string]float64{"(B)": 0.25, `(x\(y)`: 0.25, "(S A B)": 0.25, `(A x\(y)`: 0.25,
				`(S (A x\(y) B)`: 0.25 * 0.25}},
		{treekernel.PTK{Lambda: 0.5, Mu: 1, Terminal: 1, Size: 2}, map[string]float64{
			"(S)": 0.25, "(A)": 0.25, "(B)": 0.25, `(x\(y)`: 0.25, "(S A)": 0.25, "(S B)": 0.25, `(A x\(y)`: 0.25}},
	} {
		scorer := must.Get(stringkernel.Merge(t.Context(), c.kernel, sv, []float64{1}))(t)
		lister := stringkernel.FeatureListerOf(scorer)
		for _, list := range [][]stringkernel.Feature{lister.TopFeatures([]float64{1}, stringkernel.AllFeatures),
			lister.FeaturesOf([]float64{1}, x, stringkernel.AllFeatures)} {
			if len(list) != len(c.want) {
				t.Errorf("%T: %d features, want %d: %+v", c.kernel, len(list), len(c.want), list)
			}
			for _, f := range list {
				if math.Abs(f.Weight-c.want[f.Text]) > 1e-12 {
					t.Errorf("%T: %s has weight %v, want %v", c.kernel, f.Text, f.Weight, c.want[f.Text])
				}
			}
		}
	}
}
