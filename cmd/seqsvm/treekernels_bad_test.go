package main_test

import (
	"testing"

	"github.com/seqsvm/seqsvm/cmd/seqsvm/internal/cli"
)

// treeKernelUsageCases are wrong parameters of tree kernels.
var treeKernelUsageCases = []badCase{
	{name: "subtree lambda zero", args: "cv --kernel subtree:lambda=0 two.fa",
		want: []string{"subtree: lambda = 0, want above 0"}},
	{name: "cut negative", args: "cv --kernel subtree:cut=-1 two.fa",
		want: []string{"subtree: cut = -1, want a number of levels"}},
	{name: "tag without k", args: "cv --kernel tag:weight=bounded two.fa", want: []string{"tag: ", "k is missing or 0, want ≥ 1"}},
	{name: "fragments too large", args: "cv --kernel sst:size=40 two.fa", want: []string{"sst: size = 40, want 1…32"}},
	{name: "terminal of bounded fragments", args: "cv --kernel ptk:size=3,terminal=5 two.fa",
		want: []string{"ptk: terminal = 5 with depth or size, want 1"}},
	{name: "unknown parameter of trees", args: "cv --kernel ptk:sigma=1 two.fa",
		want: []string{`unknown parameter "sigma", want one of: lambda, mu, terminal, depth, size, unordered, cut`}},
	{name: "both strands of trees", args: "cv --kernel sst:rc two.fa",
		want: []string{"has no complement, want dna or rna"}},
	{name: "affix of words that are no leaves", args: "cv --kernel words:after=## two.fa",
		want: []string{"words: after and before need leaves"}},
}

func TestTreeKernelUsageErrors(t *testing.T) { checkBadCases(t, treeKernelUsageCases, cli.ExitUsage) }

// treeKernelDataCases are records that are not trees.
var treeKernelDataCases = []badCase{
	{name: "sequences for trees", args: "train --kernel sst:size=3 -o x.seqsvm two.fa",
		want: []string{`two.fa:1: record "a1": not a tree in brackets: byte 1: "`, "want ( of a tree"}},
	{name: "cross-validation of sequences for trees", args: "cv --kernel tag --folds 2 two.fa",
		want: []string{`two.fa:1: record "a1": not a tree in brackets: byte 1`}},
	{name: "matrix of sequences for trees", args: "kernel --kernel ptk -o k.tsv two.fa",
		want: []string{`two.fa:1: record "a1": not a tree in brackets: byte 1`}},
	{name: "a bracket too many", files: map[string]string{"t.tsv": "label\ttext\na\t(a)\nb\t(a))\n"},
		args: "train --kernel subtree --input tsv -o x.seqsvm t.tsv",
		want: []string{`t.tsv:3: not a tree in brackets: byte 4: ) without its (`}},
	{name: "leaves of what is no tree", args: "train --kernel words:leaves -o x.seqsvm two.fa",
		want: []string{`two.fa:1: record "a1": not a tree`, "byte 1"}},
}

func TestTreeKernelDataErrors(t *testing.T) { checkBadCases(t, treeKernelDataCases, cli.ExitFailed) }
