package seqio

import (
	"errors"
	"fmt"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"unicode"

	"github.com/seqsvm/seqsvm/seqio/internal/lines"
)

// foreign are formats that are not read: how their files begin, what names of others end in, and what to do. Texts
// begin like some, so that what follows the beginning has to match a regular expression.
var foreign = []struct {
	name    string
	begins  []string
	follows string
	names   string
	advice  string
}{
	{"SAM", []string{"@HD\t", "@SQ\t", "@RG\t", "@PG\t", "@CO\t"},
		`^[^\n]*(\n(@|[^\n]*\t)|\n?$)`, ".sam", toFASTQ}, // the second line of FASTQ is a sequence
	{"BAM", []string{"BAM\x01"}, "", ".bam", toFASTQ},
	{"CRAM", []string{"CRAM\x02", "CRAM\x03"}, "", ".cram", toFASTQ},
	{"GenBank", []string{"LOCUS  "}, `^[^\n]* [0-9]+ (bp|aa|rc)\b`, ".gb .gbk .gbff .genbank", toFASTA},
	{"EMBL or UniProt", []string{"ID   "}, `^[^\n]*;[^\n]* (BP|AA)\.`, ".embl", toFASTA},
	{"NEXUS", []string{"#NEXUS", "#nexus", "#Nexus"}, `^(\s*$|[ \t\r]*\n|\s*\[|(?i)\s+begin \w+;)`, ".nex .nexus .nxs",
		"convert trees to Newick (gotree reformat newick -f nexus) and sequences to FASTA"},
	{"Stockholm", []string{"# STOCKHOLM"}, `^\s+1\.`, ".sto .stk .stockholm",
		"convert it to FASTA (esl-reformat fasta FILE)"},
	{"Clustal", []string{"CLUSTAL", "MUSCLE ("},
		`^(\s?[WXO]\b|\s[0-9.]+ multiple|\smultiple|\s(?i:format) (alignment|for)\b|[0-9.]+\))`, ".aln .clustal", toFASTA},
	{"PHYLIP", nil, "", ".phy .phylip", toFASTA},
	{"GCG", []string{"!!NA_", "!!AA_", "PileUp"}, `^(SEQUENCE|MULTIPLE|[ \t\r]*(\n|$))`, ".msf", toFASTA},
	{"VCF", []string{"##fileformat=VCF"}, "", ".vcf", "want sequences; VCF is for scoring variants"},
	{"BCF", []string{"BCF\x02"}, "", ".bcf", "want sequences; VCF (bcftools view FILE) is for scoring variants"},
	{"GFF", []string{"##gff-version"}, "", ".gff .gff3 .gtf", "want sequences; an annotation is for cutting windows"},
	{"PDF", []string{"%PDF-"}, `^[0-9]`, ".pdf", "save its text (pdftotext FILE)"},
	{"Microsoft Office", []string{"\xd0\xcf\x11\xe0"}, "", ".xls .doc", "save it as CSV or text"},
	{"HDF5", []string{"\x89HDF"}, "", ".h5 .hdf5 .fast5", "write its sequences as FASTA"},
	{"NumPy", []string{"\x93NUMPY"}, "", ".npy", "write its sequences as FASTA"},
	{"Parquet", []string{"PAR1"}, `^[\x00-\x08\x0e-\x1f]`, ".parquet", "save it as CSV"},
}

const (
	toFASTQ = "convert it to FASTQ (samtools fastq FILE)"
	toFASTA = "convert it to FASTA (any2fasta FILE, or seqret of EMBOSS)"
)

// ErrForeign ends the errors about text that begins as a file of a format that is not read does.
var ErrForeign = errors.New("if it is text, choose text or tsv")

// refuseForeign returns an error if an input begins as a file of a foreign format does: [ErrForeign] if it may be asked
// for as text and has no control characters.
func refuseForeign(in *lines.Input, mayBeText bool) error {
	head, _ := in.Buffer.Peek(lines.PeekSize)
	text := strings.TrimLeft(strings.TrimPrefix(string(head), lines.ByteOrderMark), " \t\r\n")
	isControl := func(r rune) bool { return unicode.IsControl(r) && !unicode.IsSpace(r) }
	for i, f := range foreign {
		for _, begin := range f.begins {
			rest, found := strings.CutPrefix(text, begin)
			if !found || !regexp.MustCompile(f.follows).MatchString(rest) {
				continue
			}
			err := foreignError(in.Name, i)
			if mayBeText && !strings.ContainsFunc(text, isControl) {
				err.Err = fmt.Errorf("%w; %w", err.Err, ErrForeign)
			}
			return err
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

func foreignError(name string, i int) *Error {
	return lines.Errorf(name, 0, "a file of %s, which is not read; %s", foreign[i].name, foreign[i].advice)
}
