package treekernel_test

import (
	"fmt"
	"math"
	"strings"
	"testing"

	"github.com/seqsvm/seqsvm/internal/must"
	"github.com/seqsvm/seqsvm/stringkernel"
	"github.com/seqsvm/seqsvm/treekernel"
)

// A node with very many fragments lists the small ones: of a root with 14 children that have a leaf each, the
// production and those with up to 5 children expanded, Σ_{i ≤ 5} C(14, i) = 3,473 ≤ 4,096; the 14 equal fragments at
// the children count 14².
func TestManyFragments(t *testing.T) {
	x := []byte("(r" + strings.Repeat("(c l)", 14) + ")")
	for _, k := range []stringkernel.Kernel{treekernel.SST{Lambda: 1, Depth: 2}, treekernel.SST{Lambda: 1, Size: 32}} {
		if got := k.Eval(x, x); got != 3473+14*14 {
			t.Errorf("%+v: k(x, x) = %v, want %v", k, got, 3473+14*14)
		}
	}
}

// Deep and wide trees take time and memory linear in their nodes.
func TestHugeTrees(t *testing.T) {
	const n = 12_000
	deep := []byte(strings.Repeat("(a", n) + strings.Repeat(")", n))
	wide := []byte("(a" + strings.Repeat(" a", n) + ")")
	bushy := []byte("(a" + strings.Repeat(" (a (a a))", n/3) + ")")
	for _, k := range everyKernel {
		for _, x := range [][]byte{deep, wide, bushy} {
			if self := k.SelfEval(x); math.IsNaN(self) || math.IsInf(self, 0) || self < 0 {
				t.Errorf("%T%+v: k(x, x) = %v", k, k, self)
			}
		}
	}
}

// A record that is not a tree is an error of Gram and Merge that names record and byte, and has no features otherwise.
func TestNoTrees(t *testing.T) {
	c := must.Get(stringkernel.NewCorpus([][]byte{[]byte("(a)"), []byte("(a (b)")}, []string{"one", "two"}))(t)
	const want = `record "two" (number 2): not a tree in brackets: byte 7: unexpected end inside the node "a", want )`
	for _, k := range everyKernel {
		if _, err := k.Gram(t.Context(), c); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%T: Gram: %v", k, err)
		}
		if _, err := stringkernel.Merge(t.Context(), k, c, []float64{1, 1}); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%T: Merge: %v", k, err)
		}
		if got := k.Eval(c.Seq(0), c.Seq(1)); got != 0 {
			t.Errorf("%T: k = %v with a record that is not a tree", k, got)
		}
		check := stringkernel.TraitsOf(k).CheckRecord
		if err := check(c.Seq(1)); err == nil || !strings.Contains(want, err.Error()) {
			t.Errorf("%T: CheckRecord: %v", k, err)
		}
		if err := check(c.Seq(0)); err != nil {
			t.Errorf("%T: CheckRecord: %v", k, err)
		}
	}
}

// Records that would take gigabytes or minutes to be compared node with node are refused where that is done.
func TestLargeRecords(t *testing.T) {
	sst, ptk := treekernel.SST{Lambda: 1}, treekernel.PTK{Lambda: 1, Mu: 1, Terminal: 1}
	leaves := sst
	leaves.Leaves = true
	many, flat := "(a"+strings.Repeat(" a", 10_000)+")", "(a"+strings.Repeat(" b", 2_000)+")"
	chain := strings.Repeat("(a ", 4_000) + "b" + strings.Repeat(")", 4_000)
	for _, c := range []struct {
		record string
		kernel stringkernel.Kernel
		want   string // of the error; "" for none
	}{
		{many, sst, "10001 nodes, want at most 10000"},
		{many, ptk, "10001 nodes, want at most 10000"},
		{flat, sst, ""},
		{flat, leaves, ""},
		{flat, ptk, "about 8e+09 steps"},
		{chain, sst, fmt.Sprintf("%d pairs of matching nodes", 3_999*3_999+1)}, // a → a, and a → b
		{chain, ptk, fmt.Sprintf("%d pairs of matching nodes", 4_000*4_000+1)},
		{many, treekernel.SST{Lambda: 1, Size: 3}, ""},
		{many, treekernel.PTK{Lambda: 1, Mu: 1, Terminal: 1, Size: 3}, ""},
	} {
		switch err := stringkernel.TraitsOf(c.kernel).CheckRecord([]byte(c.record)); {
		case c.want == "" && err != nil, c.want != "" && (err == nil || !strings.Contains(err.Error(), c.want)):
			t.Errorf("%+v: error %v of %s…, want %q", c.kernel, err, c.record[:20], c.want)
		}
	}
}
