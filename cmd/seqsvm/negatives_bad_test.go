package main_test

import (
	"testing"

	"github.com/seqsvm/seqsvm/cmd/seqsvm/internal/cli"
)

// places is a genome of two chromosomes, an index that fits it, and positives on it.
func places(bed string) map[string]string {
	return map[string]string{"g.fa": ">chr1\nACGTACGTACGTACGTACGT\n>chr2\nNNNNNNNNNN\n", "p.bed": bed}
}

// negativesUsageCases are wrong command lines of negatives.
var negativesUsageCases = []badCase{
	{name: "negatives of no kind", args: "negatives two.fa", want: []string{"give --shuffle or --genome"}},
	{name: "negatives of both kinds", args: "negatives --shuffle --genome two.fa up.fa",
		want: []string{"give --shuffle or --genome"}},
	{name: "nothing to shuffle", args: "negatives --shuffle", want: []string{"no input file"}},
	{name: "shuffle of words of no letters", args: "negatives --shuffle --k 0 two.fa",
		want: []string{"--kmer 0, want 1 to 32"}},
	{name: "shuffle of words too long", args: "negatives --shuffle --k 33 two.fa",
		want: []string{"--kmer 33, want 1 to 32"}},
	{name: "no copies", args: "negatives --shuffle --copies 0 two.fa", want: []string{"--copies 0, want 1 to 10000"}},
	{name: "too many copies", args: "negatives --shuffle --copies 1000000000 two.fa",
		want: []string{"--copies 1000000000, want"}},
	{name: "copies no number", args: "negatives --shuffle --copies few two.fa", want: []string{`"few"`}},
	{name: "shuffle with a ratio", args: "negatives --shuffle --ratio 2 two.fa",
		want: []string{"--ratio cannot be used with --shuffle"}},
	{name: "shuffle with positives", args: "negatives --shuffle --positives two.fa",
		want: []string{"--positives cannot be used with --shuffle"}},
	{name: "shuffle of line ends", args: "negatives --shuffle --keep-newline two.fa", want: []string{"--keep-newline"}},
	{name: "shuffles replace their sequences", args: "negatives --shuffle -o two.fa two.fa",
		want: []string{"--output two.fa would replace an input"}},
	{name: "shuffle of an unknown alphabet", args: "negatives --shuffle --alphabet xna two.fa",
		want: []string{`--alphabet "xna"`}},
	{name: "genome without positives", args: "negatives --genome two.fa", want: []string{"--positives is required"}},
	{name: "genome with operands", args: "negatives --genome two.fa --positives up.fa down.fa",
		want: []string{`operand "down.fa"`, "--positives"}},
	{name: "genome with copies", args: "negatives --genome two.fa --positives up.fa --copies 2",
		want: []string{"--copies cannot be used with --genome"}},
	{name: "genome with k", args: "negatives --genome two.fa --positives up.fa --k 2",
		want: []string{"--kmer cannot be used with --genome"}},
	{name: "ratio zero", args: "negatives --genome two.fa --positives up.fa --ratio 0",
		want: []string{"--ratio 0, want above 0 and at most 1000"}},
	{name: "ratio NaN", args: "negatives --genome two.fa --positives up.fa --ratio NaN",
		want: []string{"--ratio NaN, want"}},
	{name: "ratio too large", args: "negatives --genome two.fa --positives up.fa --ratio 1e9",
		want: []string{"--ratio 1e+09, want"}},
	{name: "GC tolerance in per cent", args: "negatives --genome two.fa --positives up.fa --gc-tolerance 5",
		want: []string{"--gc-tolerance 5, want 0 to 1"}},
	{name: "repeat tolerance negative", args: "negatives --genome two.fa --positives up.fa --repeat-tolerance -0.1",
		want: []string{"--repeat-tolerance -0.1, want 0 to 1"}},
	{name: "no tries", args: "negatives --genome two.fa --positives up.fa --tries 0",
		want: []string{"--tries 0, want 1 or more"}},
	{name: "report into the genome", args: "negatives --genome two.fa --positives up.fa --report two.fa",
		want: []string{"--report two.fa would replace an input"}},
	{name: "windows into the positives", args: "negatives --genome two.fa --positives up.fa --negatives-bed up.fa",
		want: []string{"--negatives-bed up.fa would replace an input"}},
	{name: "windows into the exclusions", args: "negatives --genome two.fa --positives up.fa --exclude down.fa -o " +
		"down.fa", want: []string{"--output down.fa would replace an input"}},
	{name: "one file for report and windows", args: "negatives --genome two.fa --positives up.fa --report x " +
		"--negatives-bed x", want: []string{"--negatives-bed and --report are the same file"}},
	{name: "ratio of less than a window", files: places("chr1\t0\t4\n"),
		args: "negatives --genome g.fa --positives p.bed --ratio 0.5",
		want: []string{"--ratio 0.5 of 1 positive is less than one window"}},
	{name: "standard input for positives and exclusions", args: "negatives --genome two.fa --positives - --exclude -",
		want: []string{"standard input", "twice"}},
}

func TestNegativesUsageErrors(t *testing.T) { checkBadCases(t, negativesUsageCases, cli.ExitUsage) }

// negativesDataCases are wrong files of negatives.
var negativesDataCases = []badCase{
	{name: "missing sequences to shuffle", args: "negatives --shuffle none.fa",
		want: []string{"none.fa: no such file"}},
	{name: "broken sequences to shuffle", files: map[string]string{"e.fa": ">a\nAC1\n"},
		args: "negatives --shuffle e.fa", want: []string{"e.fa:2:", "digit '1'"}},
	{name: "words too long for the alphabet", args: "negatives --shuffle --k 13 prot.fa",
		want: []string{"prot.fa: ", "k = 13, want 1…12 for alphabet protein"}},
	{name: "an id in two files to shuffle", files: map[string]string{"again.fa": ">u1\nACGT\n"},
		args: "negatives --shuffle up.fa again.fa", want: []string{`again.fa:1: record "u1"`, "up.fa"}},
	{name: "shuffles into no folder", args: "negatives --shuffle -o no/x.fa two.fa",
		want: []string{"no/x.fa: cannot write"}},
	{name: "letters outside the alphabet to shuffle", args: "negatives --shuffle --alphabet dna --ambiguous error " +
		"prot.fa", want: []string{`prot.fa:2: record "p1": letter 'M' is not DNA`}},

	{name: "missing genome to match", files: places("chr1\t0\t4\n"),
		args: "negatives --genome none.fa --positives p.bed", want: []string{"none.fa: no such file"}},
	{name: "positives as genome", files: places("chr1\t0\t4\n"), args: "negatives --genome p.bed --positives p.bed",
		want: []string{"p.bed:1: expected '>'"}},
	{name: "missing positives", files: places(""), args: "negatives --genome g.fa --positives none.bed",
		want: []string{"none.bed: no such file"}},
	{name: "empty positives", files: places(""), args: "negatives --genome g.fa --positives p.bed",
		want: []string{"p.bed: the file is empty"}},
	{name: "positives of comments", files: places("#nothing\n"), args: "negatives --genome g.fa --positives p.bed",
		want: []string{"p.bed: no intervals"}},
	{name: "positives of two columns", files: places("chr1\t0\n"), args: "negatives --genome g.fa --positives p.bed",
		want: []string{"p.bed:1: 2 columns, want at least 3"}},
	{name: "positives with a start behind the end", files: places("chr1\t0\t4\nchr1\t9\t4\n"),
		args: "negatives --genome g.fa --positives p.bed", want: []string{"p.bed:2: start 9 is after end 4"}},
	{name: "positives of an unknown chromosome", files: places("1\t0\t4\n"),
		args: "negatives --genome g.fa --positives p.bed", want: []string{`p.bed:1: the genome has no sequence "1"`}},
	{name: "positives beyond the chromosome", files: places("chr1\t0\t40\nchr1\t18\t21\n"),
		args: "negatives --genome g.fa --positives p.bed",
		want: []string{"p.bed:1: chr1:0-40 is not within", "20 letters", "none of 2 positives fits the genome"}},
	{name: "positives of no letters", files: places("chr1\t4\t4\n"),
		args: "negatives --genome g.fa --positives p.bed", want: []string{"p.bed:1: chr1:4-4 has no letters"}},
	{name: "positives whose ids are no places", files: places(""), args: "negatives --genome g.fa --positives up.fa",
		want: []string{`up.fa:1: record "u1": the id has no position`}},
	{name: "positives of other lengths", files: map[string]string{"g.fa": ">chr1\nACGTACGTACGT\n",
		"p.fa": ">chr1:0-4\nACGTAC\n"}, args: "negatives --genome g.fa --positives p.fa",
		want: []string{`p.fa:1: record "chr1:0-4": 6 letters`, "positions 0 to 4"}},
	{name: "positives of another assembly", files: map[string]string{"g.fa": ">chr1\nACGTACGTACGT\n",
		"p.fa": ">chr1:0-4\nACGA\n"}, args: "negatives --genome g.fa --positives p.fa",
		want: []string{`p.fa:1: record "chr1:0-4": its letters differ from those of the genome`}},
	{name: "positives from another genome", files: map[string]string{"g.fa": ">chr1\nACGTACGTACGT\n",
		"p.fa": ">chr2:0-4\nACGA\n"}, args: "negatives --genome g.fa --positives p.fa",
		want: []string{`p.fa:1: record "chr2:0-4"`, `the genome has no sequence "chr2"`}},
	{name: "broken exclusions", files: map[string]string{"g.fa": ">chr1\nACGTACGTACGT\n", "p.bed": "chr1\t0\t2\n",
		"x.bed": "chr1 one 2\n"}, args: "negatives --genome g.fa --positives p.bed --exclude x.bed",
		want: []string{`x.bed:1: start is "one"`}},
	{name: "exclusions of another genome", files: map[string]string{"g.fa": ">chr1\nACGTACGTACGT\n",
		"p.bed": "chr1\t0\t2\n", "x.bed": "1\t0\t2\n"},
		args: "negatives --genome g.fa --positives p.bed --exclude x.bed",
		want: []string{"x.bed:1: no interval is in g.fa", `"1"`}},
	{name: "no window that matches", files: places("chr1\t0\t20\n"),
		args: "negatives --genome g.fa --positives p.bed -o x.fa --negatives-bed x.bed --report x.tsv",
		want: []string{"g.fa: no window found for any of 1 positive", "overlap 1"}},
	{name: "positives of unknown letters", files: places("chr2\t0\t5\n"),
		args: "negatives --genome g.fa --positives p.bed",
		want: []string{"g.fa: no window found for any of 1 positive", "no known base in the positive 1"}},
	{name: "genome without letters", files: map[string]string{"g.fa": ">chr1\n", "p.bed": "chr1\t0\t1\n"},
		args: "negatives --genome g.fa --positives p.bed", want: []string{"p.bed:1: chr1:0-1 is not within"}},
	{name: "windows into no folder", files: places("chr1\t0\t4\n"),
		args: "negatives --genome g.fa --positives p.bed --negatives-bed no/x.bed",
		want: []string{"no/x.bed: cannot write"}},
}

func TestNegativesDataErrors(t *testing.T) { checkBadCases(t, negativesDataCases, cli.ExitFailed) }
