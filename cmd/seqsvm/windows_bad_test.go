package main_test

import (
	"strings"
	"testing"

	"github.com/seqsvm/seqsvm/cmd/seqsvm/internal/cli"
)

// genes is a genome of two records of 40 bases and an annotation of the lines given, “type start end strand
// attributes” on chr1.
func genes(lines ...string) map[string]string {
	var text strings.Builder
	for _, line := range lines {
		f := strings.SplitN(line, " ", 5)
		text.WriteString("chr1\tx\t" + strings.Join(f[:3], "\t") + "\t.\t" + strings.Join(f[3:], "\t.\t") + "\n")
	}
	bases := strings.Repeat("CCGTAAAGCC", 4)
	return map[string]string{"g.fa": ">chr1\n" + bases + "\n>chr2\n" + bases + "\n", "g.gff": text.String()}
}

// bedOf is that genome and a BED file.
func bedOf(text string) map[string]string {
	files := genes()
	files["s.bed"] = text
	return files
}

// intron is a valid annotation of an intron with GT and AG: bases 3 to 18.
func intron() map[string]string { return genes("exon 1 2 + Parent=t", "exon 19 30 + Parent=t") }

// cutArgs are valid options; a later option overrides an earlier one.
const cutArgs = "windows --genome g.fa --annotation g.gff --site donor --upstream 2 --downstream 4 "

// windowUsageCases are wrong command lines of windows.
var windowUsageCases = []badCase{
	{name: "windows of no genome", args: "windows --annotation g.gff --site donor",
		want: []string{"--genome is required"}},
	{name: "windows without sites", args: "windows --genome g.fa",
		want: []string{"0 of --annotation, --bed and --list given, want one"}},
	{name: "windows with sites twice", args: "windows --genome g.fa --annotation g.gff --bed s.bed --site donor",
		want: []string{"2 of --annotation, --bed and --list"}},
	{name: "windows from standard input", args: "windows --genome g.fa --bed -", want: []string{"standard input"}},
	{name: "windows with an operand", args: cutArgs + "two.fa", want: []string{`operand "two.fa"`}},
	{name: "site missing", args: "windows --genome g.fa --annotation g.gff",
		want: []string{`--site ""`, "donor, acceptor, start, tss"}},
	{name: "site unknown", args: "windows --genome g.fa --annotation g.gff --site exon",
		want: []string{`--site "exon"`, "donor"}},
	{name: "site of intervals", args: "windows --genome g.fa --bed s.bed --site donor",
		want: []string{"--site without --annotation"}},
	{name: "anchor of transcripts", args: cutArgs + "--at end", want: []string{"--at without --bed"}},
	{name: "anchor unknown", args: "windows --genome g.fa --bed s.bed --at middle",
		want: []string{`--at "middle"`, "start, centre, end"}},
	{name: "negative upstream", args: cutArgs + "--upstream -1", want: []string{"-1 letters upstream"}},
	{name: "nothing downstream", args: cutArgs + "--downstream 0", want: []string{"0 letters downstream"}},
	{name: "window shorter than its consensus", args: cutArgs + "--downstream 1",
		want: []string{"1 letters downstream", "GT"}},
	{name: "window given twice", args: cutArgs + "--window 6 --offset 2",
		want: []string{"--upstream and --downstream cannot be used with --window"}},
	{name: "window without an offset", args: "windows --genome g.fa --annotation g.gff --site donor --window 6",
		want: []string{"--window and --offset must be given together"}},
	{name: "offset behind the window", args: "windows --genome g.fa --annotation g.gff --site donor --window 6 " +
		"--offset 6", want: []string{"--window 6 --offset 6"}},
	{name: "negative offset", args: "windows --genome g.fa --annotation g.gff --site donor --window 6 --offset -1",
		want: []string{"--window 6 --offset -1"}},
	{name: "consensus of no bases", args: cutArgs + "--consensus G+", want: []string{`--consensus "G+"`, "IUPAC"}},
	{name: "negative decoys", args: cutArgs + "--decoys -3", want: []string{`--decoys "-3"`, "10x"}},
	{name: "decoys no number", args: cutArgs + "--decoys many", want: []string{`--decoys "many"`}},
	{name: "ratio no number", args: cutArgs + "--decoys NaNx", want: []string{`--decoys "NaNx"`}},
	{name: "decoys from nowhere", args: cutArgs + "--decoys-from exons", want: []string{`--decoys-from "exons"`}},
	{name: "decoys from transcripts that are not there",
		args: "windows --genome g.fa --bed s.bed --decoys-from transcripts", want: []string{"needs --annotation"}},
	{name: "negative distance", args: cutArgs + "--distance -1", want: []string{"--distance -1"}},
	{name: "least intron zero", args: cutArgs + "--min-intron 0", want: []string{"--min-intron 0"}},
	{name: "split unknown", args: cutArgs + "--split half", want: []string{`--split "half"`, "chrom=NAME"}},
	{name: "split by no names", args: cutArgs + "--split chrom=", want: []string{`--split "chrom="`}},
	{name: "split by empty blocks", args: cutArgs + "--split block=0,test=0.2", want: []string{`block is "0"`}},
	{name: "split by short blocks", args: cutArgs + "--split block=5,test=0.2 --train a.fa --test b.fa",
		want: []string{"blocks of 5 letters are shorter than windows of 6"}},
	{name: "split with all for testing", args: cutArgs + "--split block=10,test=1", want: []string{`fraction is "1"`}},
	{name: "split without a fraction", args: cutArgs + "--split block=10", want: []string{`--split "block=10"`}},
	{name: "split into one file", args: cutArgs + "--split chrom=chr2 -o x.fa",
		want: []string{"--output cannot be used with --split"}},
	{name: "split without files", args: cutArgs + "--split chrom=chr2 --train x.fa",
		want: []string{"--split needs --train and --test"}},
	{name: "test file without a split", args: cutArgs + "--test x.fa", want: []string{"--test without --split"}},
	{name: "both parts into one file", files: intron(), args: cutArgs + "--split chrom=chr2 --train x.fa --test x.fa",
		want: []string{"--train and --test are the same file"}},
	{name: "windows into the genome", files: intron(), args: cutArgs + "-o g.fa",
		want: []string{"--output g.fa would replace an input"}},
	{name: "windows into the annotation", files: intron(), args: cutArgs + "-o g.gff",
		want: []string{"--output g.gff would replace an input"}},
}

func TestWindowUsageErrors(t *testing.T) { checkBadCases(t, windowUsageCases, cli.ExitUsage) }

// windowDataCases are wrong files of windows.
var windowDataCases = []badCase{
	{name: "missing genome of windows", files: map[string]string{"g.gff": intron()["g.gff"]}, args: cutArgs,
		want: []string{"g.fa: no such file"}},
	{name: "missing annotation", files: map[string]string{"g.fa": intron()["g.fa"]}, args: cutArgs,
		want: []string{"g.gff: no such file"}},
	{name: "FASTA as annotation", files: intron(), args: cutArgs + "--annotation two.fa",
		want: []string{"two.fa: no exon or coding part", "0 features"}},
	{name: "annotation as genome", files: intron(), args: cutArgs + "--genome g.gff",
		want: []string{"g.gff:1: expected '>'"}},
	{name: "empty annotation", files: map[string]string{"g.fa": intron()["g.fa"], "g.gff": ""}, args: cutArgs,
		want: []string{"g.gff: the file is empty"}},
	{name: "too few columns of an annotation", files: map[string]string{"g.fa": intron()["g.fa"],
		"g.gff": "chr1\tx\texon\t1\t2\n"}, args: cutArgs, want: []string{"g.gff:1: 5 columns, want 9"}},
	{name: "unknown sequence", files: map[string]string{"g.fa": ">1\nACGT\n", "g.gff": intron()["g.gff"]},
		args: cutArgs, want: []string{`g.gff:1: sequence "chr1" is not in the genome, which has "1"`}},
	{name: "no known sequence at all", files: map[string]string{"g.fa": ">1\nACGT\n", "g.gff": intron()["g.gff"]},
		args: cutArgs + "--unknown skip", want: []string{`g.gff:1: sequence "chr1" is not in the genome, which has "1"`}},
	{name: "exon beyond the end", files: genes("exon 1 2 + Parent=t", "exon 19 41 + Parent=t"), args: cutArgs,
		want: []string{`g.gff:2: exon 19-41 reaches beyond the end of sequence "chr1", which has 40 letters`}},
	{name: "exons that overlap", files: genes("exon 19 30 + Parent=t", "exon 5 19 + Parent=t"), args: cutArgs,
		want: []string{`g.gff:2: exon 5-19 of transcript "t" overlaps its exon 19-30 of line 1`}},
	{name: "start behind end", files: genes("exon 2 1 + Parent=t"), args: cutArgs,
		want: []string{"g.gff:1: start 2 is after end 1"}},
	{name: "start zero", files: genes("exon 0 1 + Parent=t"), args: cutArgs, want: []string{`g.gff:1: start is "0"`}},
	{name: "wrong strand", files: genes("exon 1 2 forward Parent=t"), args: cutArgs,
		want: []string{`g.gff:1: strand is "forward"`}},
	{name: "no strand", files: genes("exon 1 2 . Parent=t", "exon 19 30 . Parent=t"), args: cutArgs,
		want: []string{"g.gff: none of the 1 transcripts has a strand"}},
	{name: "no exons of that type", files: intron(), args: cutArgs + "--exons match_part",
		want: []string{"g.gff: no exon or coding part of a transcript"}},
	{name: "exons without a transcript", files: genes("exon 1 2 + Note=x"), args: cutArgs,
		want: []string{"g.gff: no exon or coding part of a transcript (attribute Parent or transcript_id) in 1 feature"}},
	{name: "no introns", files: genes("exon 1 30 + Parent=t"), args: cutArgs,
		want: []string{"g.gff: no true window for training; of 0 sites"}},
	{name: "no consensus", files: intron(), args: cutArgs + "--consensus GC",
		want: []string{"g.gff: no true window", "of 1 sites: 1 without the consensus"}},
	{name: "windows over the end", files: intron(), args: cutArgs + "--upstream 3",
		want: []string{"of 1 sites: 1 over an end of the sequence"}},
	{name: "starts of coding parts alone", files: genes("CDS 5 9 + Parent=t"), args: cutArgs + "--site tss",
		want: []string{"no true window", "of 0 sites"}},
	{name: "no decoys", files: intron(), args: cutArgs + "--distance 50",
		want: []string{"no decoy for training", "too near a site"}},
	{name: "test record unknown", files: intron(), args: cutArgs + "--split chrom=chr3 --train a.fa --test b.fa",
		want: []string{`no record "chr3"`}},
	{name: "nothing to test on", files: intron(), args: cutArgs + "--split chrom=chr2 --train a.fa --test b.fa",
		want: []string{"no true window for testing; of 1 sites"}},
	{name: "genome of one block", files: map[string]string{"g.fa": ">chr1\n" + strings.Repeat("CCGTAAAGCC", 4) + "\n",
		"g.gff": intron()["g.gff"]},
		args: cutArgs + "--split block=40,test=0.5 --train a.fa --test b.fa", want: []string{"1 block of 40 letters"}},
	{name: "index of another genome", files: map[string]string{"g.fa": ">chr1\nACGTACGT\n",
		"g.fa.fai": "chr1\t8\t5\t4\t5\n", "g.gff": genes("exon 1 2 + Parent=t")["g.gff"]}, args: cutArgs,
		want: []string{"g.fa.fai:1:"}},
	{name: "BED of two columns", files: bedOf("chr1\t4\n"), args: "windows --genome g.fa --bed s.bed",
		want: []string{"s.bed:1: 2 columns, want at least 3"}},
	{name: "BED with a header line", files: bedOf("chrom\tstart\tend\n"), args: "windows --genome g.fa --bed s.bed",
		want: []string{`s.bed:1: start is "start"`}},
	{name: "BED beyond the end", files: bedOf("#\nchr1\t4\t41\n"), args: "windows --genome g.fa --bed s.bed",
		want: []string{"s.bed:2: interval 5-41 reaches beyond the end"}},
	{name: "BED with an empty interval", files: bedOf("chr1\t4\t4\n"), args: "windows --genome g.fa --bed s.bed",
		want: []string{"s.bed:1: the interval has no letters"}},
	{name: "BED of genes without blocks", files: bedOf("chr1\t4\t8\n"),
		args: "windows --genome g.fa --annotation s.bed --site donor",
		want: []string{"s.bed:1: fewer than 12 columns"}},
	{name: "place without a strand", files: bedOf("chr1\t4\t.\n"), args: "windows --genome g.fa --list s.bed",
		want: []string{`s.bed:1: strand is ".", want + or -`}},
	{name: "place zero", files: bedOf("chr1\t0\t+\n"), args: "windows --genome g.fa --list s.bed",
		want: []string{`s.bed:1: position is "0"`}},
	{name: "windows in no folder", files: intron(), args: cutArgs + "-o none/x.fa",
		want: []string{"none/x.fa: cannot write"}},
	{name: "report in no folder", files: intron(), args: cutArgs + "-o x.fa --report none/x.tsv",
		want: []string{"none/x.tsv: cannot write"}},
}

func TestWindowDataErrors(t *testing.T) { checkBadCases(t, windowDataCases, cli.ExitFailed) }

// The annotation of the cases above is valid.
func TestWindowCasesAreGood(t *testing.T) {
	inGoodFolder(t)
	writeFiles(t, intron())
	r := tool(t, "", strings.Fields(cutArgs+"-q --decoys 1 --duplicates keep")...)
	if want := ">chr1:1-6(+) label=1 name=t\nCCGTAA\n"; r.code != cli.ExitOK || !strings.HasPrefix(r.out, want) {
		t.Errorf("%+v, want %s", r, want)
	}
}
