package treekernel_test

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/seqsvm/seqsvm/stringkernel"
	"github.com/seqsvm/seqsvm/stringkernel/compose"
	"github.com/seqsvm/seqsvm/stringkernel/kerneltest"
	"github.com/seqsvm/seqsvm/stringkernel/substring"
	"github.com/seqsvm/seqsvm/treekernel"
	"github.com/seqsvm/seqsvm/treekernel/bracket"
)

// labels are few, so that trees have much in common; among them an empty one, a prefix of another and one that needs
// escapes.
var labels = []string{"a", "b", "ab", "", "A##a::x", "A##b::y", "(\\"}

// drawRecord draws one to three trees.
func drawRecord(r *rand.Rand) []byte {
	var w bracket.Writer
	for range 1 + r.IntN(3)/2 {
		drawTree(r, &w, 1+r.IntN(12), labels[:1+r.IntN(len(labels))])
	}
	return w.Bytes()
}

// drawTree writes a tree of n nodes of random shape.
func drawTree(r *rand.Rand, w *bracket.Writer, n int, labels []string) {
	w.OpenString(labels[r.IntN(len(labels))])
	for n--; n > 0; {
		below := 1 + r.IntN(n)
		drawTree(r, w, below, labels)
		n -= below
	}
	w.Close()
}

var treeOptions = kerneltest.Options{Letters: "(a)", Draw: drawRecord}

// everyKernel has each parameter in at least one kernel, but for Terminal.
var everyKernel = []stringkernel.Kernel{
	treekernel.Subtree{Lambda: 1},
	treekernel.Subtree{Lambda: 0.3, Labels: treekernel.Labels{Unordered: true, Cut: 3, Before: "::"}},
	treekernel.Tag{Weight: substring.Constant},
	treekernel.Tag{Weight: substring.Bounded, K: 5, Labels: treekernel.Labels{Unordered: true}},
	treekernel.Tag{
		Weight: substring.Decay,
		Lambda: 0.5,
		Labels: treekernel.Labels{After: "##", Before: "::", Levels: 2},
	},
	treekernel.Tag{Weight: substring.Length, Weights: []float64{0, 1, 0.5, 0.25}},
	treekernel.Tag{Weight: substring.TFIDF, Lambda: 0.9, Labels: treekernel.Labels{Keep: []string{"a", "A*"}}},
	treekernel.Tag{Weight: substring.Constant, Count: stringkernel.CountSqrt},
	treekernel.Tag{Weight: substring.Bounded, K: 5, Count: stringkernel.CountLog},
	treekernel.SST{Lambda: 0.4},
	treekernel.SST{Lambda: 1, Leaves: true, Labels: treekernel.Labels{Unordered: true}},
	treekernel.SST{Lambda: 0.4, Size: 3, Leaves: true},
	treekernel.SST{Lambda: 0.4, Depth: 2},
	treekernel.SST{Lambda: 0.7, Depth: 3, Size: 4, Labels: treekernel.Labels{Unordered: true, Keep: []string{"a*"}}},
	treekernel.PTK{Lambda: 0.4, Mu: 0.4, Terminal: 1},
	treekernel.PTK{Lambda: 1, Mu: 1, Terminal: 1, Labels: treekernel.Labels{Unordered: true, Cut: 4}},
	treekernel.PTK{Lambda: 0.7, Mu: 0.4, Terminal: 1, Size: 4},
	treekernel.PTK{Lambda: 0.4, Mu: 0.9, Terminal: 1, Depth: 3, Size: 5, Labels: treekernel.Labels{Unordered: true}},
}

func TestConformance(t *testing.T) {
	for i, k := range everyKernel {
		t.Run(fmt.Sprintf("%d/%T", i, k), func(t *testing.T) { kerneltest.Run(t, k, treeOptions) })
		if i%4 == 0 {
			t.Run(fmt.Sprintf("%d/%T/normalised", i, k), func(t *testing.T) {
				kerneltest.Run(t, compose.Normalized(k), treeOptions)
			})
		}
	}
}

func TestConformanceOfComposites(t *testing.T) {
	sum := compose.Mean(
		[]stringkernel.Kernel{
			compose.Normalized(treekernel.SST{Lambda: 0.4, Size: 3}),
			treekernel.Subtree{Lambda: 0.5},
		}, nil)
	kerneltest.Run(t, sum, treeOptions)
	kerneltest.Run(t, compose.RBF(treekernel.Subtree{Lambda: 0.5}, 0.5), treeOptions)
	indefinite := treeOptions
	indefinite.Indefinite = true
	kerneltest.Run(t, treekernel.PTK{Lambda: 0.4, Mu: 0.4, Terminal: 5}, indefinite)
}
