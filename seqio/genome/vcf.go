package genome

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"

	"github.com/seqsvm/seqsvm/internal/iupac"
	"github.com/seqsvm/seqsvm/internal/plural"
	"github.com/seqsvm/seqsvm/seqio/internal/lines"
)

// Variant is one data line of a VCF file: a place of a genome and its alternative alleles.
type Variant struct {
	Chrom string
	Pos   int      // of the first letter of Ref, 1-based
	ID    string   // as in the file; "." if missing
	Ref   string   // IUPAC codes of nucleotides, upper case, at least one
	Alt   []Allele // none if the column is "."
	Line  int      // 1-based line of the file
}

// Allele is an alternative to the reference allele of a variant.
type Allele struct {
	Text string // IUPAC codes of nucleotides in upper case or, if it is symbolic, what the file says
	// not a sequence: <DEL> and the like, a breakend, or * (an allele missing due to an upstream deletion)
	Symbolic bool
}

// VCFReader reads the columns CHROM, POS, ID, REF and ALT of a VCF file, one line at a time.
//
// Lines that begin with '#' are header lines, of which the one with column names is checked if present; none is
// required; blank lines are skipped. Columns are separated by tabs; there are at least five, and what follows them is
// ignored. Line ends are LF or CRLF. Alleles are case-insensitive. It takes a buffer of at most 512 KiB,
// within which the five columns must be; a line may be longer. It is not safe for concurrent use.
type VCFReader struct {
	Keep bool // lines, for [VCFReader.Header] and [VCFReader.Text]

	rows    *lines.Rows
	header  []byte
	text    []byte   // of the last line
	chrom   string   // of the last line
	alleles []Allele // room for those of the next variants
}

// NewVCFReader begins to read an input, compressed with gzip or zstd or not, or the file of that name if r is nil. name
// identifies it in errors. The reader must be closed, which does not close r. A missing file, a directory and a file
// that may not be read are an [*seqio.Error].
func NewVCFReader(r io.Reader, name string) (*VCFReader, error) {
	rows, err := lines.OpenRows(r, name)
	if err != nil {
		return nil, err
	}
	rows.Long = true
	return &VCFReader{rows: rows}, nil
}

// Close ends the reading.
func (v *VCFReader) Close() error { return v.rows.Close() }

// BytesRead returns how many bytes of the input have been read, compressed or not.
func (v *VCFReader) BytesRead() int64 { return v.rows.BytesRead() }

// Next returns the next variant, or io.EOF after the last. A line that is not a variant is an [*seqio.Error] that names
// it.
func (v *VCFReader) Next() (Variant, error) {
	for {
		line, err := v.rows.Next()
		if err != nil {
			return Variant{}, err
		}
		var variant Variant
		isHeader := line[0] == '#'
		if isHeader {
			err = checkVCFHeader(line, v.rows.Row.Last)
		} else {
			variant, err = v.parse(line, v.rows.Row.Last)
			variant.Line = v.rows.Line
		}
		if err != nil {
			return Variant{}, v.rows.Misread("VCF", err)
		}
		if v.Keep {
			if err := v.keep(isHeader); err != nil {
				return Variant{}, err
			}
		}
		if !isHeader {
			return variant, nil
		}
	}
}

// keep keeps the line, whose first piece was read, and reads its other pieces.
func (v *VCFReader) keep(isHeader bool) (err error) {
	v.text = v.text[:0]
	for piece := v.rows.Row; ; {
		v.text = append(v.text, piece.Data...)
		if err := lines.CheckHeld(int64(len(v.header)+len(v.text)), "lines"); err != nil {
			return v.rows.Errorf("%w", err)
		}
		if piece.Last {
			if v.text = bytes.TrimSuffix(v.text, []byte{'\r'}); isHeader {
				v.header = append(append(v.header, v.text...), '\n')
			}
			return nil
		}
		if piece, err = v.rows.Reader.Next(); err != nil {
			return err
		}
	}
}

// Header returns the header lines so far, each with a line end, if lines are kept.
func (v *VCFReader) Header() []byte { return v.header }

// Text returns the line of the last variant, whatever its length, without the line end, if lines are kept. It is valid
// until the next call of Next.
func (v *VCFReader) Text() []byte { return v.text }

// Errorf returns an error about a line (1-based) of the input. The format may use %w.
func (v *VCFReader) Errorf(line int, format string, args ...any) error {
	return lines.Errorf(v.rows.Name, line, format, args...)
}

// vcfColumns are the names of the columns that are read.
var vcfColumns = [...]string{"CHROM", "POS", "ID", "REF", "ALT"}

// checkVCFHeader checks the line of column names.
func checkVCFHeader(line []byte, whole bool) error {
	if !bytes.HasPrefix(line, []byte("#CHROM")) {
		return nil
	}
	columns, err := cutColumns(line[1:], whole)
	if err != nil {
		return err
	}
	for i, name := range vcfColumns {
		if string(columns[i]) != name {
			return fmt.Errorf("column %d is named %s, want %s", i+1, lines.Quote(string(columns[i])), name)
		}
	}
	return nil
}

// parse reads a data line, or the beginning of a long one.
func (v *VCFReader) parse(line []byte, whole bool) (Variant, error) {
	columns, err := cutColumns(line, whole)
	if err != nil {
		return Variant{}, err
	}
	for i, column := range columns {
		if len(column) == 0 {
			return Variant{}, fmt.Errorf("column %s is empty", vcfColumns[i])
		}
		if bad := lines.CheckVisible(column); bad < len(column) {
			return Variant{}, fmt.Errorf("%s in column %s", lines.ByteName(column[bad]), vcfColumns[i])
		}
	}
	if v.chrom != string(columns[0]) {
		v.chrom = string(columns[0])
	}
	x := Variant{Chrom: v.chrom, ID: string(columns[2])}
	if x.Pos, err = strconv.Atoi(string(columns[1])); err != nil || x.Pos < 0 {
		return Variant{}, fmt.Errorf("POS is %s, want a whole number", lines.Quote(string(columns[1])))
	}
	if x.Ref = strings.ToUpper(string(columns[3])); !isAlleleSequence(x.Ref) {
		return Variant{}, fmt.Errorf("REF is %s, want letters A, C, G, T, N or other IUPAC codes",
			lines.Quote(string(columns[3])))
	}
	x.Alt, err = v.parseAlleles(string(columns[4]))
	return x, err
}

// cutColumns returns the first five columns.
func cutColumns(line []byte, whole bool) (columns [len(vcfColumns)][]byte, err error) {
	for i := range columns {
		var more bool
		columns[i], line, more = bytes.Cut(line, []byte{'\t'})
		switch {
		case more || whole && i == len(columns)-1:
		case whole:
			return columns, fmt.Errorf("%s, want at least %d separated by tabs: CHROM, POS, ID, REF, ALT",
				plural.Of(i+1, "column"), len(columns))
		default:
			return columns, errLongVariant
		}
	}
	return columns, nil
}

var errLongVariant = errors.New("columns CHROM to ALT take 512 KiB or more; describe a variant of that length by a " +
	"symbolic allele")

// parseAlleles reads the column ALT. Alleles of many variants share a piece of memory.
func (v *VCFReader) parseAlleles(column string) ([]Allele, error) {
	if column == "." {
		return nil, nil
	}
	if cap(v.alleles)-len(v.alleles) < 1+strings.Count(column, ",") {
		v.alleles = make([]Allele, 0, 1024)
	}
	alleles := v.alleles[len(v.alleles):]
	for text := range strings.SplitSeq(column, ",") {
		upper := strings.ToUpper(text)
		switch {
		case isAlleleSequence(upper):
			alleles = append(alleles, Allele{Text: upper})
		case isSymbolic(text):
			alleles = append(alleles, Allele{Text: text, Symbolic: true})
		default:
			return nil, fmt.Errorf("ALT is %s, want letters A, C, G, T, N or other IUPAC codes, a symbolic allele such "+
				"as <DEL>, a breakend or *", lines.Quote(text))
		}
	}
	v.alleles = alleles[len(alleles):]
	return slices.Clip(alleles), nil
}

// isAlleleSequence reports whether an allele spells letters, at least one: codes for one nucleotide or several.
func isAlleleSequence(allele string) bool {
	for i := range len(allele) {
		if iupac.Bases(allele[i]) == "" {
			return false
		}
	}
	return allele != ""
}

// isSymbolic reports whether an allele is well formed and not a sequence: *, an id in angle brackets, with or without a
// letter before or after it, a breakend with a mate (t[p[, t]p], [p[t, ]p]t) or without (t. and .t).
func isSymbolic(allele string) bool {
	n := len(allele)
	switch {
	case allele == "*":
		return true
	case strings.Count(allele, "[") == 2 || strings.Count(allele, "]") == 2: // p may be <contig>:position
		return true
	case n > 2 && strings.Count(allele, "<") == 1 && strings.Count(allele, ">") == 1:
		return allele[0] == '<' || allele[n-1] == '>'
	case n > 1 && (allele[0] == '.' || allele[n-1] == '.'):
		return isAlleleSequence(strings.ToUpper(strings.Trim(allele, ".")))
	}
	return false
}
