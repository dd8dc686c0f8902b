package main_test

import (
	"testing"

	"github.com/seqsvm/seqsvm/cmd/seqsvm/internal/cli"
)

// sequenceUsageCases are wrong parameters of substring about its units.
var sequenceUsageCases = []badCase{
	{name: "unknown unit", args: "cv --kernel substring:unit=line two.fa",
		want: []string{`substring: unit = "line", want byte, rune or word`}},
	{name: "a language of letters", args: "cv --kernel substring:stem=english two.fa",
		want: []string{"substring: case, nfkc, stem, stop and delimiters need unit=word"}},
	{name: "unknown language of words", args: "cv --kernel substring:unit=word,stem=latin two.fa",
		want: []string{`substring: stem = "latin", want one of: english`}},
	{name: "stems with case", args: "cv --kernel substring:unit=word,stem=english,case two.fa",
		want: []string{"stem cannot be used with case"}},
	{name: "an alphabet of words", args: "cv --kernel substring:unit=word,alphabet=dna two.fa",
		want: []string{"alphabet = dna with unit=word, want none"}},
	{name: "an alphabet beside words", args: "cv --alphabet dna --kernel substring:unit=word two.fa",
		want: []string{"has alphabet bytes with --alphabet dna"}},
	{name: "both strands of word sequences", args: "cv --kernel substring:unit=word,rc two.fa",
		want: []string{"has no complement, want dna or rna"}},
	{name: "word sequences of no length", args: "cv --kernel substring:unit=word,weight=fixed two.fa",
		want: []string{"substring: k is missing or 0, want ≥ 1 with weight=fixed, such as k=6"}},
	{name: "ends with a number", args: "cv --kernel substring:ends=2 two.fa",
		want: []string{`ends = "2", want the flag alone, true or false`}},
}

func TestSequenceUsageErrors(t *testing.T) { checkBadCases(t, sequenceUsageCases, cli.ExitUsage) }

// sequenceDataCases are lists that cannot be read.
var sequenceDataCases = []badCase{
	{name: "no such list of stop words", args: "cv --kernel substring:unit=word,stop=@none.txt two.fa",
		want: []string{"none.txt"}},
}

func TestSequenceDataErrors(t *testing.T) { checkBadCases(t, sequenceDataCases, cli.ExitFailed) }
