package main_test

import (
	"os"
	"strings"
	"testing"

	"github.com/seqsvm/seqsvm/cmd/seqsvm/internal/cli"
)

// gkmModel is a valid model of LS-GKM; variations of it are not.
const gkmModel = "svm_type c_svc\nkernel_type gkm_esttrunc\nL 4\nk 3\nd 1\nnr_class 2\ntotal_sv 2\nrho 0.1\nlabel 1 " +
	"-1\nnr_sv 1 1\nSV\n1 ACGTA\n-1 CCGTA\n"

// gkm is gkmModel with a part replaced.
func gkm(old, new string) map[string]string {
	return map[string]string{"g.model.txt": strings.Replace(gkmModel, old, new, 1)}
}

// vcf is a genome, and a file of one variant after a header line.
func vcf(line string) map[string]string {
	return map[string]string{"g.fa": ">chr1\nACGTACGT\n", "v.vcf": "#CHROM\tPOS\tID\tREF\tALT\n" + line + "\n"}
}

// wordUsageCases are wrong command lines of convert, kmers and variants.
var wordUsageCases = []badCase{
	{name: "nothing to convert", args: "convert -o x.seqsvm", want: []string{"0 LS-GKM model files given, want one"}},
	{name: "two to convert", files: gkm("", ""), args: "convert g.model.txt g.model.txt -o x.seqsvm",
		want: []string{"2 LS-GKM model files"}},
	{name: "nowhere to convert to", files: gkm("", ""), args: "convert g.model.txt",
		want: []string{"--output is required"}},
	{name: "conversion in place", files: gkm("", ""), args: "convert g.model.txt -o g.model.txt",
		want: []string{"would replace an input"}},
	{name: "k-mers of no model", args: "kmers", want: []string{"--model is required"}},
	{name: "k-mers into their model", args: "kmers -m m.seqsvm -o m.seqsvm", want: []string{"would replace an input"}},
	{name: "k-mers of unknown input", args: "kmers --input genbank -m m.seqsvm two.fa",
		want: []string{`--input "genbank"`}},
	{name: "variants without a genome", files: vcf(""), args: "variants -m m.seqsvm v.vcf",
		want: []string{"--genome is required"}},
	{name: "variants without a model", files: vcf(""), args: "variants --genome g.fa v.vcf",
		want: []string{"--model is required"}},
	{name: "no variants", files: vcf(""), args: "variants -m m.seqsvm --genome g.fa",
		want: []string{"0 VCF files given, want one"}},
	{name: "two files of variants", files: vcf(""), args: "variants -m m.seqsvm --genome g.fa v.vcf v.vcf",
		want: []string{"2 VCF files"}},
	{name: "variants into the genome", files: vcf(""), args: "variants -m m.seqsvm --genome g.fa -o g.fa v.vcf",
		want: []string{"--output g.fa would replace an input"}},
	{name: "variants into themselves", files: vcf(""), args: "variants -m m.seqsvm --genome g.fa -o v.vcf v.vcf",
		want: []string{"--output v.vcf would replace an input"}},
}

func TestWordUsageErrors(t *testing.T) { checkBadCases(t, wordUsageCases, cli.ExitUsage) }

// wordDataCases are wrong files of convert, kmers and variants.
var wordDataCases = []badCase{
	{name: "missing model of LS-GKM", args: "convert none.model.txt -o x.seqsvm",
		want: []string{"none.model.txt: no such file"}},
	{name: "directory as model of LS-GKM", args: "convert . -o x.seqsvm", want: []string{".: is a directory"}},
	{name: "FASTA as model of LS-GKM", args: "convert two.fa -o x.seqsvm",
		want: []string{"two.fa:1: not an LS-GKM model", "svm_type"}},
	{name: "model converted twice", args: "convert m.seqsvm -o x.seqsvm",
		want: []string{"m.seqsvm:1: not an LS-GKM model"}},
	{name: "empty model of LS-GKM", files: map[string]string{"e": ""}, args: "convert e -o x.seqsvm",
		want: []string{"e: the file is empty"}},
	{name: "truncated model of LS-GKM", files: gkm("-1 CCGTA\n", ""), args: "convert g.model.txt -o x.seqsvm",
		want: []string{"g.model.txt:12: the file ends after 1 of 2"}},
	{name: "truncated header of LS-GKM", files: gkm("SV\n1 ACGTA\n-1 CCGTA\n", ""),
		args: "convert g.model.txt -o x.seqsvm", want: []string{"g.model.txt:10: the file ends before the SV line"}},
	{name: "another machine of LIBSVM", files: gkm("c_svc", "one_class"), args: "convert g.model.txt -o x.seqsvm",
		want: []string{`g.model.txt:1: svm_type "one_class", want c_svc (gkmtrain) or epsilon_svr`}},
	{name: "regression of LS-GKM with labels", files: gkm("c_svc", "epsilon_svr"), args: "convert g.model.txt -o x.seqsvm",
		want: []string{"g.model.txt:11: key label on line 9 does not belong to a regression"}},
	{name: "unknown kernel of LS-GKM", files: gkm("gkm_esttrunc", "gkm_new"), args: "convert g.model.txt -o x.seqsvm",
		want: []string{`g.model.txt:2: kernel_type "gkm_new"`}},
	{name: "k beyond L", files: gkm("k 3", "k 5"), args: "convert g.model.txt -o x.seqsvm",
		want: []string{"g.model.txt: gapped: k = 5, want 1…4"}},
	{name: "NaN of LS-GKM", files: gkm("-1 CCGTA", "-nan CCGTA"), args: "convert g.model.txt -o x.seqsvm",
		want: []string{`g.model.txt:13: coefficient "-nan"`}},
	{name: "short sequence of LS-GKM", files: gkm("CCGTA", "CC"), args: "convert g.model.txt -o x.seqsvm",
		want: []string{"g.model.txt:13: a sequence of 2 letters, want at least L = 4"}},
	{name: "conversion into no folder", files: gkm("", ""), args: "convert g.model.txt -o none/x.seqsvm",
		want: []string{"none"}},

	{name: "k-mers of a missing model", args: "kmers -m none.seqsvm", want: []string{"none.seqsvm: no such file"}},
	{name: "k-mers of no model file", args: "kmers -m two.fa", want: []string{"two.fa: not a seqsvm model"}},
	{name: "k-mers of missing sequences", args: "kmers -m m.seqsvm none.fa", want: []string{"none.fa: no such file"}},
	{name: "k-mers of sequences too short", files: map[string]string{"s.fa": ">a\nA\n>b\nNN\n"},
		args: "kmers -m m.seqsvm s.fa", want: []string{"s.fa: no k-mer of 2 letters of dna"}},
	{name: "k-mers of a broken file", files: map[string]string{"s.fa": ">a\nA1\n"}, args: "kmers -m m.seqsvm s.fa",
		want: []string{"s.fa:2:", "digit '1'"}},

	{name: "missing genome", files: vcf("chr1\t1\t.\tA\tC"), args: "variants -m m.seqsvm --genome none.fa v.vcf",
		want: []string{"none.fa: no such file"}},
	{name: "directory as genome", files: vcf("chr1\t1\t.\tA\tC"), args: "variants -m m.seqsvm --genome . v.vcf",
		want: []string{".: is a directory"}},
	{name: "no FASTA as genome", files: vcf("chr1\t1\t.\tA\tC"), args: "variants -m m.seqsvm --genome v.vcf v.vcf",
		want: []string{"v.vcf:1: expected '>'"}},
	{name: "missing variants", files: vcf("chr1\t1\t.\tA\tC"), args: "variants -m m.seqsvm --genome g.fa none.vcf",
		want: []string{"none.vcf: no such file"}},
	{name: "empty variants", files: map[string]string{"g.fa": ">a\nA\n", "e.vcf": ""},
		args: "variants -m m.seqsvm --genome g.fa e.vcf", want: []string{"e.vcf: the file is empty"}},
	{name: "too few columns", files: vcf("chr1\t1\t.\tA"), args: "variants -m m.seqsvm --genome g.fa v.vcf",
		want: []string{"v.vcf:2: 4 columns, want at least 5"}},
	{name: "blanks for tabs", files: vcf("chr1 1 . A C"), args: "variants -m m.seqsvm --genome g.fa v.vcf",
		want: []string{"v.vcf:2: 1 column"}},
	{name: "position no number", files: vcf("chr1\tone\t.\tA\tC"), args: "variants -m m.seqsvm --genome g.fa v.vcf",
		want: []string{`v.vcf:2: POS is "one"`}},
	{name: "position zero", files: vcf("chr1\t0\t.\tA\tC"), args: "variants -m m.seqsvm --genome g.fa v.vcf",
		want: []string{"v.vcf:2: POS 0", "chr1, which has 8"}},
	{name: "position beyond", files: vcf("chr1\t9\t.\tA\tC"), args: "variants -m m.seqsvm --genome g.fa v.vcf",
		want: []string{"v.vcf:2: POS 9", "chr1, which has 8"}},
	{name: "reference beyond", files: vcf("chr1\t8\t.\tTA\tC"), args: "variants -m m.seqsvm --genome g.fa v.vcf",
		want: []string{"v.vcf:2: POS 8 with a REF of 2 letters"}},
	{name: "unknown chromosome", files: vcf("1\t1\t.\tA\tC"), args: "variants -m m.seqsvm --genome g.fa v.vcf",
		want: []string{`v.vcf:2: chromosome "1" is not in the genome`}},
	{name: "another reference", files: vcf("chr1\t2\t.\tA\tG"), args: "variants -m m.seqsvm --genome g.fa v.vcf",
		want: []string{"v.vcf:2: REF has 'A' where the genome has 'C', letter 2"}},
	{name: "reference no base", files: vcf("chr1\t2\t.\tI\tG"), args: "variants -m m.seqsvm --genome g.fa v.vcf",
		want: []string{`v.vcf:2: REF is "I"`}},
	{name: "alternative no allele", files: vcf("chr1\t2\t.\tC\tG;T"),
		args: "variants -m m.seqsvm --genome g.fa v.vcf", want: []string{`v.vcf:2: ALT is "G;T"`}},
	{name: "index of another file", files: map[string]string{"g.fa": ">chr1\nACGT\n",
		"g.fa.fai": "chr1\t4\t5\t4\t5\n", "v.vcf": "chr1\t1\t.\tA\tC\n"},
		args: "variants -m m.seqsvm --genome g.fa v.vcf",
		want: []string{`g.fa.fai:1: record "chr1": does not fit g.fa`}},
	{name: "broken index", files: map[string]string{"g.fa": ">chr1\nACGT\n", "g.fa.fai": "chr1 4 6 4 5\n",
		"v.vcf": "chr1\t1\t.\tA\tC\n"},
		args: "variants -m m.seqsvm --genome g.fa v.vcf", want: []string{"g.fa.fai:1: 1 column, want 5"}},
}

func TestWordDataErrors(t *testing.T) { checkBadCases(t, wordDataCases, cli.ExitFailed) }

// TestModelsWithoutKmers are models whose raw score is not a sum over k-mers of one length.
func TestModelsWithoutKmers(t *testing.T) {
	inGoodFolder(t)
	writeFiles(t, vcf("chr1\t1\t.\tA\tC"))
	for _, c := range []struct{ train, want string }{
		{"--kernel substring:weight=bounded,k=3 two.fa", "the model has the kernel substring:weight=bounded,k=3"},
		{"--kernel spectrum:k=3,bounded two.fa", "the model has the kernel spectrum:k=3,bounded"},
		{"--kernel spectrum:k=2 --kernel spectrum:k=3 two.fa", "scores of k-mers need a single one"},
		{"--kernel spectrum:k=2 three.fa", "the model has 3 classes; scores of k-mers need a model of two"},
		{"--kernel spectrum:k=2 --multilabel / two.fa",
			"the model has 2 machines, one per label (multi-label); scores of k-mers need a model of two"},
		{"--kernel spectrum:k=2 --alphabet bytes two.fa", "the model is of bytes"},
	} {
		mustTool(t, append([]string{"train", "-q", "-o", "x.seqsvm"}, strings.Fields(c.train)...)...)
		checkBad(t, badCase{args: "kmers -m x.seqsvm -o x.tsv", code: cli.ExitFailed,
			want: []string{"x.seqsvm: ", c.want}})
		checkBad(t, badCase{args: "variants -m x.seqsvm --genome g.fa v.vcf -o x.tsv", code: cli.ExitFailed,
			want: []string{"x.seqsvm: ", c.want}})
	}
	mustTool(t, "train", "-o", "x.seqsvm", "--kernel", "spectrum:k=2", "prot.fa")
	checkBad(t, badCase{args: "variants -m x.seqsvm --genome g.fa v.vcf", code: cli.ExitFailed,
		want: []string{"x.seqsvm: the model is of protein, want dna"}})
	writeFiles(t, fa(">a label=A\nAAAAAAAAAAAAAA\n>t label=T\nTTTTTTTTTTTTTT\n"))
	mustTool(t, "train", "-q", "-o", "x.seqsvm", "--kernel", "spectrum:k=14", "g.fa")
	checkBad(t, badCase{args: "kmers -m x.seqsvm -o x.tsv", code: cli.ExitFailed,
		want: []string{"there are 4^14 k-mers, and at most 100000000 are listed"}})
}

// TestConvertOracle converts an LS-GKM model on real sequences, if the folder with it is given (SEQSVM_LSGKM, see
// package lsgkm), and lists its k-mers: all 4¹¹ on both strands.
func TestConvertOracle(t *testing.T) {
	folder := os.Getenv("SEQSVM_LSGKM")
	if folder == "" {
		t.Skip("SEQSVM_LSGKM is not set: no model of LS-GKM on real sequences")
	}
	t.Chdir(t.TempDir())
	mustTool(t, "convert", folder+"/t2.model.txt", "-o", "m.seqsvm")
	mustTool(t, "kmers", "-m", "m.seqsvm", "-o", "kmers.tsv")
	table, err := os.ReadFile("kmers.tsv")
	if err != nil {
		t.Fatal(err)
	}
	if n := strings.Count(string(table), "\n"); n != 1<<21 {
		t.Errorf("%d k-mers, want 4^11/2", n)
	}
}
