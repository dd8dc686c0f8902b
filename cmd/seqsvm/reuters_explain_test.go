package main_test

import (
	"slices"
	"strings"
	"testing"
)

// The strongest words and substrings for a topic of Reuters-21578 R8 are words of that topic.
func TestTopFeaturesOfReuters(t *testing.T) {
	path := realText(t, "text-reuters-r8/train.tsv.gz")
	t.Chdir(t.TempDir())
	for kernel, want := range map[string][]string{
		"words:ngram=1-2,tfidf,sublinear":   {"oil", "crude", "opec", "refinery"},
		"substring:weight=decay,lambda=0.8": {" oil ", " crude ", " opec "},
	} {
		mustTool(t, "train", "-q", "--kernel", kernel, "--input", "tsv", "--header", "no", "--label", "1", "--text",
			"2", "-o", "m.seqsvm", path)
		var features []string
		for line := range strings.Lines(mustTool(t, "explain", "-m", "m.seqsvm", "--class", "crude", "--top", "8")) {
			features = append(features, strings.Split(line, "\t")[2])
		}
		for _, w := range want {
			if !slices.Contains(features[1:9], w) {
				t.Errorf("%s: %q is not among the strongest: %q", kernel, w, features[1:])
			}
		}
	}
}
