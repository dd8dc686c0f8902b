package main_test

import (
	"testing"

	"github.com/seqsvm/seqsvm/cmd/seqsvm/internal/cli"
)

// bowUsageCases are wrong parameters of words.
var bowUsageCases = []badCase{
	{name: "ngram zero", args: "cv --kernel words:ngram=0 two.fa",
		want: []string{`words: ngram = "0", want n or m-n with 1 ≤ m ≤ n ≤ 8`}},
	{name: "two weights", args: "cv --kernel words:binary,laplace two.fa",
		want: []string{"words: binary cannot be used with laplace"}},
	{name: "unknown language", args: "cv --kernel words:stem=latin two.fa",
		want: []string{`words: stem = "latin", want one of: english`}},
	{name: "mindf negative", args: "cv --kernel words:mindf=-1 two.fa",
		want: []string{"words: mindf = -1, want a number of documents or a share of them"}},
	{name: "a flag with a value", args: "cv --kernel words:tfidf=2 two.fa",
		want: []string{`tfidf = "2", want the flag alone, true or false`}},
	{name: "an entry without a word", args: "cv --kernel words:dict=heart:-* two.fa",
		want: []string{`words: dict: entry 2, "-*", has no word; write words`}},
	{name: "both strands of words", args: "cv --kernel words:rc two.fa",
		want: []string{"has no complement, want dna or rna"}},
}

func TestBowUsageErrors(t *testing.T) { checkBadCases(t, bowUsageCases, cli.ExitUsage) }

// bowDataCases are lists that cannot be read.
var bowDataCases = []badCase{
	{name: "no such list", args: "cv --kernel words:stop=@none.txt two.fa", want: []string{"none.txt"}},
}

func TestBowDataErrors(t *testing.T) { checkBadCases(t, bowDataCases, cli.ExitFailed) }
