package main_test

import (
	"strings"
	"testing"

	"github.com/seqsvm/seqsvm/cmd/seqsvm/internal/cli"
)

// selectUsageCases are wrong command lines of rfe and unmask.
var selectUsageCases = []badCase{
	{name: "rfe without a kernel", args: "rfe two.fa", want: []string{"--kernel is required"}},
	{name: "rfe without records", args: "rfe --kernel spectrum", want: []string{"no input file"}},
	{name: "step zero", args: "rfe --kernel spectrum --step 0 two.fa",
		want: []string{`--drop "0", want a share below 1 or a whole number`}},
	{name: "step no number", args: "rfe --kernel spectrum --step half two.fa", want: []string{`--drop "half"`}},
	{name: "broken step", args: "rfe --kernel spectrum --step 2.5 two.fa", want: []string{`--drop "2.5"`}},
	{name: "infinite step", args: "rfe --kernel spectrum --step Inf two.fa", want: []string{`--drop "Inf"`}},
	{name: "least zero", args: "rfe --kernel spectrum --least 0 two.fa", want: []string{"--least 0"}},
	{name: "one fold of rfe", args: "rfe --kernel spectrum --folds 1 two.fa", want: []string{"--folds 1"}},
	{name: "unknown metric", args: "rfe --kernel spectrum --metric loss two.fa",
		want: []string{`--metric "loss"`, "accuracy"}},
	{name: "metric of several labels without them",
		args: "rfe --kernel spectrum --metric f1_micro,hamming_loss two.fa",
		want: []string{`--metric "f1_micro,hamming_loss"`}},
	{name: "level that is not there", args: "rfe --kernel spectrum:k=2 --metric accuracy_level_0 --hierarchy / two.fa",
		want: []string{`--metric "accuracy_level_0"`, "accuracy_level_1"}},
	{name: "rfe of several labels with probabilities",
		args: "rfe --kernel spectrum --multilabel , --positive A two.fa",
		want: []string{"--positive cannot be used with --multilabel"}},
	{name: "unknown criterion of features", args: "rfe --kernel spectrum --by gini two.fa", want: []string{`--by "gini"`}},
	{name: "criterion of classes for numbers", args: "rfe --kernel spectrum --task regress --by fisher two.fa",
		want: []string{"--by fisher compares the records of classes"}},
	{name: "keep without a file", args: "rfe --kernel spectrum --keep 3 two.fa",
		want: []string{"--keep needs --features"}},
	{name: "keep nothing", args: "rfe --kernel spectrum --keep 0 --features f.txt two.fa", want: []string{"--keep 0"}},
	{name: "probabilities of rfe", args: "rfe --kernel spectrum --probability two.fa",
		want: []string{"unknown option --probability"}},
	{name: "groups of rfe by no pattern", args: "rfe --kernel spectrum --group regex:( two.fa",
		want: []string{"--group: "}},
	{name: "similarity of rfe", args: "rfe --kernel spectrum --similarity 2 two.fa",
		want: []string{"--similarity 2, want 0 to 1"}},
	{name: "features of a substring kernel", args: "rfe --kernel substring:weight=constant --folds 2 --features " +
		"f.txt two.fa", want: []string{"the kernel substring:", "no list of features", "want words, spectrum"}},
	{name: "features of a gapped kernel", args: "rfe --kernel gapped:l=4,k=2,d=2 --folds 2 two.fa",
		want: []string{"the kernel gapped:"}},
	{name: "features of a sum", args: "rfe --kernel spectrum:k=1 --kernel spectrum:k=2 --folds 2 two.fa",
		want: []string{"spectrum:k=1", "alone"}},
	{name: "features of a Gaussian", args: "rfe --kernel spectrum:k=2,rbf=1 --folds 2 two.fa",
		want: []string{"rbf=1", "without rbf"}},
	{name: "features into the input", args: "rfe --kernel spectrum --features two.fa two.fa",
		want: []string{"--features two.fa would replace an input"}},

	{name: "unmask nothing", args: "unmask", want: []string{"0 texts given, want at least two"}},
	{name: "unmask one text", args: "unmask up.fa", want: []string{"1 texts given, want at least two"}},
	{name: "unmask one text by pairs", args: "unmask --train up.fa up.fa", want: []string{"1 texts given, want at least two"}},
	{name: "unmask a text twice", args: "unmask up.fa ./up.fa", want: []string{"./up.fa is given twice"}},
	{name: "unmask a folder twice", files: map[string]string{"d/a.txt": "a"}, args: "unmask d d",
		want: []string{"d is given twice"}},
	{name: "chunk of nothing", args: "unmask --chunk 0 up.fa down.fa", want: []string{"--chunk 0, want 1 or more"}},
	{name: "more rounds than words", args: "unmask --words 20 up.fa down.fa",
		want: []string{"10 rounds that drop 6 words each leave none of 20; use at most 3"}},
	{name: "one fold of unmask", args: "unmask --folds 1 up.fa down.fa", want: []string{"Folds = 1"}},
	{name: "endless runs of unmask", args: "unmask --runs 1000000000000000000 up.fa down.fa",
		want: []string{"Runs = 1000000000000000000, want 1 to 10000"}},
	{name: "all words out at once", args: "unmask --remove 9223372036854775807 up.fa down.fa",
		want: []string{"Remove = 9223372036854775807, want 1 to "}},
	{name: "no cost of unmask", args: "unmask --C 0 up.fa down.fa", want: []string{"--C 0"}},
}

func TestSelectUsageErrors(t *testing.T) { checkBadCases(t, selectUsageCases, cli.ExitUsage) }

// selectDataCases are wrong files of rfe and unmask.
var selectDataCases = []badCase{
	{name: "rfe of a missing file", args: "rfe --kernel spectrum none.fa", want: []string{"none.fa: no such file"}},
	{name: "rfe of more folds than records", args: "rfe --kernel spectrum:k=2 --folds 7 --features f.txt two.fa",
		want: []string{"two.fa: ", "7 folds of 6 records"}},
	{name: "rfe of records without features", args: "rfe --kernel spectrum:k=9 --folds 2 --features f.txt two.fa",
		want: []string{"two.fa: ", "no record has any feature"}},
	{name: "rfe for a metric that is undefined", args: "rfe --kernel spectrum:k=2 --folds 6 --metric auroc " +
		"--features f.txt two.fa", want: []string{"two.fa: ", "metric auroc is undefined in every fold"}},
	{name: "features into no folder", args: "rfe --kernel spectrum --folds 2 --features no/f.txt two.fa",
		want: []string{"no/f.txt: cannot write"}},

	{name: "unmask a missing text", files: map[string]string{"a.txt": "one two"}, args: "unmask a.txt none.txt",
		want: []string{"none.txt: no such file"}},
	{name: "unmask an empty text", files: map[string]string{"a.txt": "one two", "e.txt": ""},
		args: "unmask a.txt e.txt", want: []string{"e.txt: the file is empty"}},
	{name: "unmask a short text", files: map[string]string{"a.txt": strings.Repeat("one two three ", 2000),
		"b.txt": strings.Repeat("one two ", 600)}, args: "unmask -o x.tsv a.txt b.txt",
		want: []string{"b.txt: 1200 words make 2 chunks of 500, want at least 10 chunks: a longer text, or shorter chunks"}},
	{name: "unmask by a missing text", files: map[string]string{"p.tsv": "\nsame\ta.txt\tnone.txt\n", "a.txt": "one two"},
		args: "unmask --train p.tsv", want: []string{"p.tsv:2: none.txt: no such file"}},
	{name: "unmask too few words", files: map[string]string{"a.txt": strings.Repeat("one two three ", 2000),
		"b.txt": strings.Repeat("one two ", 3000)}, args: "unmask -o x.tsv a.txt b.txt",
		want: []string{"a.txt and b.txt: ", "3 different words, want at least 250"}},
}

func TestSelectDataErrors(t *testing.T) { checkBadCases(t, selectDataCases, cli.ExitFailed) }
