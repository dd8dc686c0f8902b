package main_test

import (
	"testing"

	"github.com/seqsvm/seqsvm/cmd/seqsvm/internal/cli"
)

// positionUsageCases are wrong parameters of poly, locality and oligo.
var positionUsageCases = []badCase{
	{name: "poly d zero", args: "cv --kernel poly:d=0 two.fa", want: []string{"poly: d = 0, want 1…16"}},
	{name: "poly d too large", args: "cv --kernel poly:d=17 two.fa", want: []string{"poly: d = 17, want 1…16"}},
	{name: "poly c negative", args: "cv --kernel poly:c=-1 two.fa", want: []string{"poly: c = -1, want 0…1000000"}},
	{name: "poly of k", args: "cv --kernel poly:k=3 two.fa",
		want: []string{`unknown parameter "k"`, "d, c, alphabet, rc"}},
	{name: "locality window too large", args: "cv --kernel locality:window=32 two.fa",
		want: []string{"locality: window = 32, want 0…31"}},
	{name: "locality inner zero", args: "cv --kernel locality:inner=0 two.fa",
		want: []string{"locality: inner = 0, want 1…8"}},
	{name: "locality outer too large", args: "cv --kernel locality:outer=5 two.fa",
		want: []string{"locality: outer = 5, want 1…4"}},
	{name: "locality weights unknown", args: "cv --kernel locality:weights=square two.fa",
		want: []string{`locality: weights = "square", want triangle or uniform`}},
	{name: "oligo k zero", args: "cv --kernel oligo:k=0 two.fa", want: []string{"oligo: k = 0, want 1…32"}},
	{name: "oligo k too large for the alphabet", args: "cv --kernel oligo:k=13 --alphabet protein two.fa",
		want: []string{"oligo: k = 13, want 1…12"}},
	{name: "oligo sigma zero", args: "cv --kernel oligo:sigma=0 two.fa",
		want: []string{"oligo: sigma = 0, want 0.001…100000"}},
	{name: "oligo sigma too large", args: "cv --kernel oligo:sigma=1e6 two.fa",
		want: []string{"oligo: sigma = 1e+06, want 0.001…100000"}},
}

func TestPositionUsageErrors(t *testing.T) { checkBadCases(t, positionUsageCases, cli.ExitUsage) }

// unequal are sequences of two lengths.
var unequal = map[string]string{"e.fa": ">a A\nACGT\n>b B\nACGG\n>c A\nACG\n>d B\nACGA\n"}

// positionDataCases are windows of two lengths.
var positionDataCases = []badCase{
	{name: "poly of two lengths", files: unequal, args: "train --kernel poly -o x.seqsvm e.fa",
		want: []string{`e.fa:5: record "c": 3 letters, but the first record has 4`}},
	{name: "locality of two lengths", files: unequal, args: "train --kernel locality -o x.seqsvm e.fa",
		want: []string{`e.fa:5: record "c": 3 letters, but the first record has 4`}},
	{name: "matrix of poly of two lengths", files: unequal, args: "kernel --kernel poly e.fa",
		want: []string{`e.fa:5: record "c": 3 letters, but the first record has 4`}},
}

func TestPositionDataErrors(t *testing.T) { checkBadCases(t, positionDataCases, cli.ExitFailed) }

// A record of another length is an error with a model of windows.
func TestPositionModelsWantTheirLength(t *testing.T) {
	inGoodFolder(t)
	writeFiles(t, unequal)
	for _, kernel := range []string{"poly", "locality"} {
		mustTool(t, "train", "-q", "--kernel", kernel, "-o", "x.seqsvm", "two.fa")
		checkBad(t, badCase{args: "predict -m x.seqsvm e.fa", code: cli.ExitFailed,
			want: []string{`e.fa:1: record "a": 4 letters, want 5`}})
		checkBad(t, badCase{args: "evaluate -m x.seqsvm three.fa e.fa", code: cli.ExitFailed,
			want: []string{`e.fa:1: record "a": 4 letters, want 5`}})
	}
}
