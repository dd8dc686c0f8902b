package seqio

import (
	"path/filepath"
	"slices"
	"strings"

	"github.com/seqsvm/seqsvm/seqio/internal/lines"
)

// foreign are formats that are not read: how their files begin, what names of others end in, and what to do.
var foreign = []struct {
	name   string
	begins []string
	line   string // that the first line holds
	names  string
	advice string
}{
	{"SAM", []string{"@HD\t", "@SQ\t", "@RG\t", "@PG\t", "@CO\t"}, "", ".sam", toFASTQ},
	{"BAM", []string{"BAM\x01"}, "", ".bam", toFASTQ},
	{"CRAM", []string{"CRAM\x02", "CRAM\x03"}, "", ".cram", toFASTQ},
	{"GenBank", []string{"LOCUS  "}, "", ".gb .gbk .gbff .genbank", toFASTA},
	{"EMBL or UniProt", []string{"ID   "}, ";", ".embl", toFASTA},
	{"NEXUS", []string{"#NEXUS", "#nexus", "#Nexus"}, "", ".nex .nexus .nxs",
		"convert trees to Newick (gotree reformat newick -f nexus) and sequences to FASTA"},
	{"Stockholm", []string{"# STOCKHOLM"}, "", ".sto .stk .stockholm", "convert it to FASTA (esl-reformat fasta FILE)"},
	{"Clustal", []string{"CLUSTAL", "MUSCLE ("}, "", ".aln .clustal", toFASTA},
	{"PHYLIP", nil, "", ".phy .phylip", toFASTA},
	{"GCG", []string{"!!NA_", "!!AA_", "PileUp"}, "", ".msf", toFASTA},
	{"VCF", []string{"##fileformat=VCF"}, "", ".vcf", "want sequences; VCF is for scoring variants"},
	{"BCF", []string{"BCF\x02"}, "", ".bcf", "want sequences; VCF (bcftools view FILE) is for scoring variants"},
	{"GFF", []string{"##gff-version"}, "", ".gff .gff3 .gtf", "want sequences; an annotation is for cutting windows"},
	{"PDF", []string{"%PDF-"}, "", ".pdf", "save its text (pdftotext FILE)"},
	{"Microsoft Office", []string{"\xd0\xcf\x11\xe0"}, "", ".xls .doc", "save it as CSV or text"},
	{"HDF5", []string{"\x89HDF"}, "", ".h5 .hdf5 .fast5", "write its sequences as FASTA"},
	{"NumPy", []string{"\x93NUMPY"}, "", ".npy", "write its sequences as FASTA"},
	{"Parquet", []string{"PAR1"}, "", ".parquet", "save it as CSV"},
}

const (
	toFASTQ = "convert it to FASTQ (samtools fastq FILE)"
	toFASTA = "convert it to FASTA (any2fasta FILE, or seqret of EMBOSS)"
)

// refuseForeign returns an error if an input begins as a file of a foreign format does.
func refuseForeign(in *lines.Input) error {
	head, _ := in.Buffer.Peek(lines.PeekSize)
	text := strings.TrimLeft(strings.TrimPrefix(string(head), lines.ByteOrderMark), " \t\r\n")
	first, _, _ := strings.Cut(text, "\n")
	for i, f := range foreign {
		if slices.ContainsFunc(f.begins, func(s string) bool { return strings.HasPrefix(text, s) }) &&
			strings.Contains(first, f.line) {
			return foreignError(in.Name, i)
		}
	}
	return nil
}

// foreignByName returns an error if a name ends as those of a foreign format do.
func foreignByName(name string) error {
	suffix := filepath.Ext(lines.WithoutCompression(name))
	for i, f := range foreign {
		if slices.Contains(strings.Fields(f.names), suffix) {
			return foreignError(name, i)
		}
	}
	return nil
}

func foreignError(name string, i int) error {
	return lines.Errorf(name, 0, "a file of %s, which is not read; %s", foreign[i].name, foreign[i].advice)
}
