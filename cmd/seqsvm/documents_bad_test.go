package main

import "testing"

// documentUsageCases are wrong parameters of words.
var documentUsageCases = []badCase{
	{name: "ngram zero", args: "cv --kernel words:ngram=0 two.fa", want: []string{`words: ngram = "0", want n or m-n with 1 ≤ m ≤ n ≤ 8`}},
	{name: "two weights", args: "cv --kernel words:binary,laplace two.fa", want: []string{"words: binary and laplace, want one of them"}},
	{name: "unknown language", args: "cv --kernel words:stem=latin two.fa", want: []string{`words: stem = "latin", want one of: english`}},
	{name: "mindf negative", args: "cv --kernel words:mindf=-1 two.fa", want: []string{"words: mindf = -1, want a number of documents or a share of them"}},
	{name: "a flag with a value", args: "cv --kernel words:tfidf=2 two.fa", want: []string{`tfidf = "2", want the flag alone, true or false`}},
	{name: "an entry without a word", args: "cv --kernel words:dict=heart:-* two.fa", want: []string{`words: dict: entry 2, "-*", has no word that counts`}},
	{name: "both strands of words", args: "cv --kernel words:rc two.fa", want: []string{"has no complement, want dna or rna"}},
}

func TestDocumentUsageErrors(t *testing.T) { checkBadCases(t, documentUsageCases, exitUsage) }

// documentDataCases are lists that cannot be read.
var documentDataCases = []badCase{
	{name: "no such list", args: "cv --kernel words:stop=@none.txt two.fa", want: []string{"none.txt"}},
}

func TestDocumentDataErrors(t *testing.T) { checkBadCases(t, documentDataCases, exitFailed) }
