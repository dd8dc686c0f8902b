package seqio

import (
	"cmp"
	"errors"
	"fmt"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"unicode"

	"github.com/seqsvm/seqsvm/seqio/internal/documents"
	"github.com/seqsvm/seqsvm/seqio/internal/lines"
)

// Format names what an input looks like. The zero value is [Auto].
type Format string

// The formats.
const (
	Auto  Format = ""      // inferred from the first bytes, then from the name; "auto" means the same
	FASTA Format = "fasta" // >id description, then sequence lines
	FASTQ Format = "fastq" // @id description, sequence, +, quality
	Lines Format = "text"  // one record per line

	TSV       Format = "tsv"       // tab-separated columns, see Columns
	CSV       Format = "csv"       // comma-separated columns with quotes (RFC 4180), see Columns
	JSONL     Format = "jsonl"     // a JSON object per line, see Columns
	Reuters   Format = "reuters"   // the SGML of Reuters-21578
	Documents Format = "documents" // one record per file; a folder holds one in each file, with sub-folders as labels

	FastText   Format = "fasttext"    // one record per line, its labels words that begin with __label__
	KeLP       Format = "kelp"        // an example of KeLP per line: labels and representations, see Columns
	DotBracket Format = "dot-bracket" // >id description, a line of RNA, its secondary structure

	Parquet Format = "parquet" // columns, see Columns

	BED Format = "bed" // intervals of sequences, see Options.Intervals
)

// Name returns the format's usual name.
func (f Format) Name() string {
	switch f {
	case FASTA, FASTQ, TSV, CSV, JSONL, BED:
		return strings.ToUpper(string(f))
	case Lines:
		return "text lines"
	case KeLP:
		return "KeLP"
	case Parquet:
		return "Parquet"
	case FastText:
		return "lines of fastText"
	case Reuters:
		return "Reuters SGML"
	}
	return string(f)
}

// Text reports whether records of the format are documents: text in some encoding, not letters of an alphabet.
func (f Format) Text() bool {
	switch f {
	case Lines, TSV, CSV, JSONL, Reuters, Documents, FastText, KeLP, DotBracket, Parquet:
		return true
	}
	return false
}

// Check returns an error if the format is not one of the constants above.
func (f Format) Check() error {
	if f.Text() || f == Auto || f == "auto" || f == FASTA || f == FASTQ || f == BED {
		return nil
	}
	return fmt.Errorf("seqio: format %q is unknown, want auto, fasta, fastq, text, tsv, csv, jsonl, reuters, "+
		"documents, fasttext, kelp, dot-bracket, parquet or bed", string(f))
}

// formatOf skips a byte order mark and infers the format of what follows.
func formatOf(in *lines.Input, wanted Format) (Format, error) {
	head, err := in.Begin()
	if len(head) == 0 && wanted == Documents && errors.Is(err, lines.ErrEmpty) {
		return Documents, nil // an empty file is an empty document
	}
	if errors.Is(err, lines.ErrUTF16) {
		err = fmt.Errorf("%w, or name the encoding, as encoding=utf-16", err)
	}
	if err = cmp.Or(err, in.RefuseBinary(head)); err != nil {
		return "", err
	}
	first := firstOf(head)
	if fasta := wanted == BED && strings.HasPrefix(first, ">"); wanted != Auto && wanted != "auto" && !fasta {
		return wanted, nil // or FASTA beside intervals, as of negatives, which no line of BED can be taken for
	}
	format := recognize(in.Name, first)
	switch {
	case format != Auto:
		return format, nil
	case first == "" && len(head) < lines.PeekSize-len(lines.ByteOrderMark): // blanks, to the end of the input
		return "", &lines.Error{File: in.Name, Err: lines.ErrNoRecords}
	}
	if err := foreignByName(in.Name); err != nil {
		return "", err
	}
	return "", &lines.Error{File: in.Name, Line: 1, Err: ErrUnknownFormat}
}

// firstOf drops white space at the beginning.
func firstOf(head []byte) string { return strings.TrimLeft(string(head), " \t\r\n") }

// recognize is the rule that says what an input is, by its name and its first bytes without blanks before them; Auto if
// they do not say. docs/input.md has it as a table.
func recognize(name, first string) Format {
	byName := FormatByName(name)
	switch byName {
	case TSV, CSV, JSONL, KeLP, DotBracket, BED, Parquet:
		return byName
	}
	switch {
	case strings.HasPrefix(first, parquetBegins):
		return Parquet
	case strings.HasPrefix(first, ">"):
		return FASTA
	case strings.HasPrefix(first, "@"):
		return FASTQ
	case documents.IsFastText(first):
		return FastText
	case (byName == Auto || byName == Lines) && lines.Intervals.MatchString(first):
		return BED
	case byName != Auto:
		return byName
	case strings.HasPrefix(first, "{"), isJSONList(name, first):
		return JSONL
	case strings.HasPrefix(first, "<!DOCTYPE lewis"):
		return Reuters
	case documents.IsKeLP(first):
		return KeLP
	}
	return Auto
}

// isJSONList reports whether an input is a list, of objects or, by its name, of what is none, which is an error.
func isJSONList(name, first string) bool {
	return documents.IsJSONList(first) ||
		strings.HasPrefix(first, "[") && filepath.Ext(lines.WithoutCompression(name)) == ".json"
}

// recognizeInFolder is the rule for a file of a folder, where a text may begin with '>', as a quotation does, or '{':
// first bytes count only if the lines that follow are those of FASTA or FASTQ. Anything else is a document, and so is a
// file that cannot be read.
func recognizeInFolder(file, encoding string) Format {
	if byName := FormatByName(file); byName != Auto && byName != Lines {
		return byName
	}
	in, err := lines.Open(nil, file)
	if err != nil {
		return Documents
	}
	defer in.Close()
	if documents.Decode(in, encoding) != nil {
		return Documents
	}
	head, err := in.Begin()
	if err != nil {
		return Documents
	}
	first := firstOf(head)
	sequence, _, isFASTQ := strings.Cut(first, "\n+")
	switch {
	case strings.HasPrefix(first, ">") && areSequences(first, '>'):
		return FASTA
	case strings.HasPrefix(first, "@") && isFASTQ && areSequences(sequence, '@'):
		return FASTQ
	}
	return Documents
}

// areSequences reports whether a text is lines of sequences below headers, which begin with a byte and an id.
func areSequences(text string, header byte) bool {
	letters := 0
	for line := range strings.Lines(text) {
		line = strings.TrimRight(line, " \t\r\n")
		switch {
		case line == "" || line[0] == ';':
		case line[0] == header:
			if len(line) == 1 || line[1] == ' ' || line[1] == '\t' {
				return false
			}
		case lines.CheckSequence([]byte(line)) < len(line):
			return false
		default:
			letters += len(line)
		}
	}
	return letters > 0
}

// suffixes imply formats.
var suffixes = map[string]Format{
	".fa": FASTA, ".fasta": FASTA, ".fna": FASTA, ".faa": FASTA, ".ffn": FASTA, ".fas": FASTA, ".fq": FASTQ,
	".fastq": FASTQ, ".txt": Lines, ".tsv": TSV, ".tab": TSV, ".csv": CSV, ".jsonl": JSONL, ".ndjson": JSONL,
	".sgm": Reuters, ".klp": KeLP, ".kelp": KeLP, ".dbn": DotBracket, ".parquet": Parquet,
	".bed": BED, ".narrowpeak": BED, ".broadpeak": BED,
}

// parquetBegins is the magic and the first field of a page.
const parquetBegins = "PAR1\x15"

// FormatByName implies the format from the suffix of a name, before .gz or .zst; Auto if it implies none.
func FormatByName(name string) Format { return suffixes[filepath.Ext(lines.WithoutCompression(name))] }

// ErrNoText is the cause if TSV, CSV or JSONL do not have the text where it is by default: set [Options].Columns.
var ErrNoText = documents.ErrNoText

// ErrLabels is the cause if a record of [FastText] or [JSONL] has several labels: set [Options].LabelLists.
var ErrLabels = documents.ErrLabels

// ErrUnknownFormat is the cause if neither the first bytes of an input nor its name imply the format: set
// [Options].Format.
var ErrUnknownFormat = errors.New("neither FASTA ('>') nor FASTQ ('@'), and the name does not imply the format; " +
	"choose fasta, fastq, text, tsv, csv, jsonl, reuters, documents, fasttext, kelp, dot-bracket, parquet or bed")

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
	{"LIBSVM's features", []string{"+", "-", "0", "1", "2", "3", "4", "5", "6", "7", "8", "9"},
		`^[0-9.,eE+-]*( qid:\d+)?( \d+:[0-9.eE+-]+)+[ \r]*(\n|$)`, ".svm .libsvm .svmlight",
		"svm-train of LIBSVM and train of LIBLINEAR take it; numbers are read from columns of tables or .npy (kernel table)"},
	{"PDF", []string{"%PDF-"}, `^[0-9]`, ".pdf", "save its text (pdftotext FILE)"},
	{"Microsoft Office", []string{"\xd0\xcf\x11\xe0"}, "", ".xls .doc", "save it as CSV or text"},
	{"HDF5", []string{"\x89HDF"}, "", ".h5 .hdf5 .fast5", "write its sequences as FASTA"},
	{"NumPy", []string{"\x93NUMPY"}, "", ".npy", "write its sequences as FASTA"},
	{"seqsvm's models", []string{"SEQSVM\n\x1a", "SEQTAG1\n\x1a"}, "", "", "want records; a model belongs to --model"},
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

func foreignError(name string, i int) *lines.Error {
	return lines.Errorf(name, 0, "a file of %s, which is not read; %s", foreign[i].name, foreign[i].advice)
}
