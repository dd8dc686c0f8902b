package treekernel_test

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/seqsvm/seqsvm/stringkernel"
	"github.com/seqsvm/seqsvm/stringkernel/substring"
	"github.com/seqsvm/seqsvm/treekernel"
)

// drawTagged draws a tree of nodes with labels of one letter, and writes its tag as letters.
func drawTagged(rng *rand.Rand, depth int) (tree, tag string) {
	label := string("abc"[rng.IntN(3)])
	tree, tag = "("+label, "["+label
	if depth > 0 {
		for range rng.IntN(4) {
			childTree, childTag := drawTagged(rng, depth-1)
			tree, tag = tree+" "+childTree, tag+childTag
		}
	}
	return tree + ")", tag + "]"
}

// TestCountsOfTags: the kernel on trees is the substring kernel on their tags, written as letters.
func TestCountsOfTags(t *testing.T) {
	rng := rand.New(rand.NewPCG(12, 1))
	for range 80 {
		x, tagX := drawTagged(rng, 3)
		y, tagY := drawTagged(rng, 3)
		for _, w := range []substring.Kernel{
			{Weight: substring.Constant}, {Weight: substring.Fixed, K: 4}, {Weight: substring.Bounded, K: 5},
			{Weight: substring.Length, Weights: []float64{0, 1, 2, 0, 1}}, {Weight: substring.Decay, Lambda: 0.7},
			{Weight: substring.Decay, Lambda: 0.7, Count: stringkernel.CountPresence},
			{Weight: substring.Decay, Lambda: 0.7, Count: stringkernel.CountSqrt},
			{Weight: substring.Decay, Lambda: 0.7, Count: stringkernel.CountLog},
			{Weight: substring.Decay, Lambda: 0.7, Count: stringkernel.CountSublinear},
		} {
			tags := treekernel.Tag{Weight: w.Weight, K: w.K, Lambda: w.Lambda, Weights: w.Weights, Count: w.Count}
			got, want := tags.Eval([]byte(x), []byte(y)), w.Eval([]byte(tagX), []byte(tagY))
			if math.Abs(got-want) > 1e-11*(1+want) {
				t.Fatalf("%+v: k(%s, %s) = %v, of the tags %v", tags, x, y, got, want)
			}
			got, want = tags.SelfEval([]byte(x)), w.SelfEval([]byte(tagX))
			if math.Abs(got-want) > 1e-11*(1+want) {
				t.Fatalf("%+v: k(%s, %[2]s) = %v, of the tags %v", tags, x, got, want)
			}
		}
	}
}
