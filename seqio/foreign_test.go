package seqio_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/seqsvm/seqsvm/internal/must"
	"github.com/seqsvm/seqsvm/seqio"
	"github.com/seqsvm/seqsvm/seqio/trees"
)

// Beginnings of files of formats that are not read are written by hand after their specifications.
func TestForeignFormats(t *testing.T) {
	for _, c := range []struct{ name, text, want string }{
		{"-", "@HD\tVN:1.6\tSO:coordinate\n@SQ\tSN:chr1\tLN:9\n",
			"SAM, which is not read; convert it to FASTQ (samtools fastq FILE)"},
		{"a.fq", "@CO\tunaligned\nr1\t4\t*\t0\t0\t*\t*\t0\t0\tACGT\tIIII\n", "SAM"},
		{"a.txt", "@PG\tID:bwa\n", "SAM"},
		{"a.sam", "r1\t4\t*\t0\t0\t*\t*\t0\t0\tACGT\tIIII\n", "SAM"},
		{"a", "BAM\x01\x00\x00\x00\x00", "BAM"},
		{"a", "CRAM\x03\x01", "CRAM"},
		{"a.gb", "LOCUS       AB000001     21 bp    DNA\n", "GenBank, which is not read; convert it to FASTA ("},
		{"a.fa", "\n  LOCUS       AB000001     21 bp    DNA\n", "GenBank"},
		{"a", "ID   X56734; SV 1; linear; mRNA; STD; PLN; 1859 BP.\n", "EMBL or UniProt"},
		{"a", "ID   SYK_HUMAN    Reviewed;   597 AA.\n", "EMBL or UniProt"},
		{"a", "# STOCKHOLM 1.0\n", "Stockholm"},
		{"a.txt", "#NEXUS\r\nBEGIN TREES;\n", "NEXUS"},
		{"a.txt", "#NEXUS [a comment]\nBEGIN TREES;\n", "NEXUS"},
		{"a.txt", "CLUSTAL O(1.2.4) multiple sequence alignment\n", "Clustal"},
		{"a.txt", "CLUSTAL 2.1 multiple sequence alignment\n", "Clustal"},
		{"a.txt", "CLUSTAL format alignment by MAFFT\n", "Clustal"},
		{"a.txt", "MUSCLE (3.8) multiple sequence alignment\n", "Clustal"},
		{"a.txt", "!!NA_SEQUENCE 1.0\n", "GCG"},
		{"a.txt", "SEQSVM\n\x1a\x01", "seqsvm"},
		{"a", "CLUSTAL W (1.83) multiple sequence alignment\n", "Clustal"},
		{"a.phy", " 2 4\na ACGT\nb ACGA\n", "PHYLIP"},
		{"a", "##fileformat=VCFv4.2\n", "VCF"},
		{"a.txt", "##gff-version 3\n", "GFF"},
		{"a.csv", "%PDF-1.7\n", "PDF"},
		{"a", "+1 1:0.5 30:-2e-3 \n", "LIBSVM's features"}, {"a.txt", "0 qid:3 1:2", "LIBSVM's features"},
	} {
		for _, opt := range []seqio.Options{{}, {Format: seqio.FASTA}} {
			if strings.Contains(c.want, "PHYLIP") || c.name == "a.sam" {
				opt.Format = seqio.Auto
			}
			_, err := seqio.Read(strings.NewReader(c.text), c.name, opt)
			if err == nil || !strings.HasPrefix(err.Error(), c.name+": a file of "+c.want) {
				t.Errorf("%s %q: %v, want %s", c.name, c.text, err, c.want)
			}
		}
		if c.name == "a.phy" || c.name == "a.sam" {
			continue
		}
		err := seqio.Stream(strings.NewReader(c.text), c.name, seqio.StreamOptions{Size: 1}, func(seqio.Chunk) error { return nil })
		if err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("stream of %q: %v, want %s", c.text, err, c.want)
		}
	}
	for text, want := range map[string]string{
		"# STOCKHOLM 1.0 is old\n": "a.txt: a file of Stockholm, which is not read; convert it to FASTA (esl-reformat " +
			"fasta FILE); if it is text, choose text or tsv",
	} {
		if _, err := seqio.Read(strings.NewReader(text), "a.txt", seqio.Options{}); err == nil || err.Error() != want {
			t.Errorf("%q: %v, want %s", text, err, want)
		}
	}
	_, err := seqio.Read(strings.NewReader("#NEXUS\nbegin trees;\ntree a = (b,c);\nend;\n"), "a.tre",
		seqio.Options{Tree: trees.Options{Syntax: trees.Newick}})
	if err == nil ||
		!strings.HasPrefix(err.Error(), "a.tre: a file of NEXUS, which is not read; convert trees to Newick (") {
		t.Error(err)
	}
	root := seqio.MakeFolder(t, map[string]string{"x/1": "a text", "y/2": "%PDF-1.7\n"})
	_, err = seqio.ReadFile(root, seqio.Options{})
	if err == nil || !strings.HasPrefix(err.Error(), filepath.Join(root, "y", "2")+": a file of PDF") {
		t.Error(err)
	}
}

// Texts that begin alike are read, those that somebody says are texts among them.
func TestNotForeign(t *testing.T) {
	for _, c := range []struct {
		name, text string
		opt        seqio.Options
	}{
		{"a.fq", "@HD 1\nA\n+\nI\n", seqio.Options{}},
		{"a.fq", "@SQ1\tx\nA\n+\nI\n", seqio.Options{}},
		{"a.txt", "ID   is no record\n", seqio.Options{}},
		{"a.txt", "ID   is no; record\n", seqio.Options{}},
		{"a.txt", "LOCUS  of control\n", seqio.Options{}},
		{"a.txt", "PAR1 is a gene\n", seqio.Options{}},
		{"a.txt", "CLUSTAL is a program\n", seqio.Options{}},
		{"a.txt", "# STOCKHOLM trip\n", seqio.Options{}},
		{"a.tsv", "#NEXUS is a hashtag\n", seqio.Options{}},
		{"a.txt", "PileUp of cars\n", seqio.Options{}},
		{"a", "@HD\tp\nACGT\n+\nIIII\n@CO\tq\nA\n+\nI\n", seqio.Options{Format: seqio.FASTQ}},
		{"a.txt", "LOCUS  of control\n", seqio.Options{Format: seqio.Lines}},
		{"a", "%PDF- is how they begin\n", seqio.Options{Format: seqio.Documents}},
		{"a.aln", ">x\nAC-T\n", seqio.Options{}},
	} {
		if _, err := seqio.Read(strings.NewReader(c.text), c.name, c.opt); err != nil {
			t.Errorf("%s %q: %v", c.name, c.text, err)
		}
	}
	root := t.TempDir()
	must.Succeed(t, os.WriteFile(filepath.Join(root, "1"), []byte("PAR1 "), 0o644))
	if _, err := seqio.ReadFile(root, seqio.Options{Format: seqio.Documents}); err != nil {
		t.Error(err)
	}
}
