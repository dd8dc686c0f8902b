package genome

import (
	"bytes"
	"errors"
	"io"
	"net/url"
	"slices"
	"strings"

	"github.com/seqsvm/seqsvm/seqio/internal/lines"
)

// Feature is a line of a GFF3 or GTF file.
type Feature struct {
	Seq    string
	Source string
	Type   string // exon, CDS, mRNA, …
	Span          // 0-based and half-open, where the file has 1-based positions, both inclusive; at least one letter
	Strand Strand // NoStrand for '.' and '?'
	Phase  int    // of a coding part: letters before its first whole codon, 0 to 2; −1 if column 8 does not say
	Line   int    // 1-based line of the file

	attributes []byte // the ninth column
}

// GFFReader reads GFF3, GTF (GFF 2.5) and GFF2 files, one line at a time.
//
// A line has nine columns separated by tabs: sequence, source, type, start, end (1-based, inclusive), score, strand,
// phase, attributes; the last may be missing. The score is ignored. Lines that begin with '#' and blank
// lines are skipped; "##FASTA" or a line that begins with '>' ends the features. Attributes are key=value of GFF3 or
// key "value" of GTF, whichever the line has. Percent codes of GFF3 are decoded. A reader takes a buffer of at most 512
// KiB, within which a line must be. It is not safe for concurrent use.
type GFFReader struct {
	rows    *lines.Rows
	ended   bool
	columns [][]byte
	feature Feature
}

// NewGFFReader begins to read an input, compressed with gzip or zstd or not. name identifies it in errors. The reader
// must be closed, which does not close r.
func NewGFFReader(r io.Reader, name string) (*GFFReader, error) {
	rows, err := lines.OpenRows(r, name)
	if err != nil {
		return nil, err
	}
	return &GFFReader{rows: rows}, nil
}

// Close ends the reading.
func (g *GFFReader) Close() error { return g.rows.Close() }

// Next returns the next feature, or io.EOF after the last. It is valid until the call after. A line that is not a
// feature is an [*seqio.Error] that names it.
func (g *GFFReader) Next() (*Feature, error) {
	for !g.ended {
		line, err := g.rows.Next()
		if err != nil {
			return nil, err
		}
		if line[0] == '>' && g.rows.Line == 1 {
			return nil, g.rows.Misread("GFF", errors.New("no features before '>'"))
		}
		if line[0] == '>' || string(line) == "##FASTA" {
			g.ended = true
			break
		}
		if line[0] == '#' {
			continue
		}
		f, err := g.parse(line)
		if err != nil {
			return nil, g.rows.Misread("GFF", err)
		}
		f.Line = g.rows.Line
		return f, nil
	}
	return nil, io.EOF
}

// parse reads a line.
func (g *GFFReader) parse(line []byte) (*Feature, error) {
	g.columns = lines.CutTabs(g.columns, line)
	r, f := row{columns: g.columns}, &g.feature
	if !r.width(8, 9, "9 separated by tabs: sequence, source, type, start, end, score, strand, phase, attributes") {
		return nil, r.err
	}
	*f = Feature{Source: string(r.columns[1]), Type: string(r.columns[2])}
	f.Seq = unescape(string(r.seq()))
	f.Span = r.span(r.columns[3], r.columns[4], "", 1)
	f.Start--
	f.Strand = r.strand(r.columns[6])
	if f.Phase = -1; len(r.columns[7]) == 1 {
		f.Phase = strings.IndexByte("012", r.columns[7][0])
	}
	if len(r.columns) == 9 {
		f.attributes = r.columns[8]
	}
	return f, r.err
}

// IsGFF3 reports whether the attributes are key=value; else they are key "value", or there are none.
func (f *Feature) IsGFF3() bool {
	i := bytes.IndexAny(f.attributes, "= \"")
	return i >= 0 && f.attributes[i] == '='
}

// Attribute returns the value of the first attribute of that name, and false if there is none. It takes the time of
// reading the attributes.
func (f *Feature) Attribute(key string) (value string, found bool) {
	raw, found := f.raw(key)
	if f.IsGFF3() {
		raw = unescape(raw)
	}
	return raw, found
}

// Parents returns the entries of the attribute Parent of GFF3: a comma separates them, since an exon may be in several
// transcripts.
func (f *Feature) Parents() []string {
	raw, _ := f.raw("Parent")
	if raw == "" || !f.IsGFF3() {
		return nil
	}
	parents := strings.Split(raw, ",")
	for i, p := range parents {
		parents[i] = unescape(p)
	}
	return parents
}

// has reports whether an attribute, which may be there several times, has a text among its entries, between which there
// are commas.
func (f *Feature) has(key, entry string) (found bool) {
	if !bytes.Contains(f.attributes, []byte(entry)) {
		return false
	}
	f.each(key, func(value string) bool {
		found = slices.Contains(strings.Split(value, ","), entry)
		return found
	})
	return found
}

// raw returns the value of the first attribute of that name as written, without quotes.
func (f *Feature) raw(key string) (value string, found bool) {
	f.each(key, func(text string) bool {
		value, found = text, true
		return true
	})
	return value, found
}

// each visits the values of the attributes of that name as written, without quotes, until visit returns true.
func (f *Feature) each(key string, visit func(value string) (last bool)) {
	separator := " "
	if f.IsGFF3() {
		separator = "="
	}
	for rest := f.attributes; len(rest) > 0; {
		var entry []byte
		entry, rest = cutEntry(rest, separator == " ")
		name, text, _ := bytes.Cut(bytes.TrimLeft(entry, " "), []byte(separator))
		if string(name) == key && visit(strings.Trim(string(text), ` "`)) {
			return
		}
	}
}

// cutEntry cuts at the first semicolon, in GTF at the first outside quotes.
func cutEntry(p []byte, quotes bool) (entry, rest []byte) {
	quoted := false
	for i, b := range p {
		switch {
		case b == '"' && quotes:
			quoted = !quoted
		case b == ';' && !quoted:
			return p[:i], p[i+1:]
		}
	}
	return p, nil
}

// unescape decodes percent codes; a text with a wrong one stays as it is.
func unescape(s string) string {
	if strings.IndexByte(s, '%') < 0 {
		return s
	}
	if decoded, err := url.PathUnescape(s); err == nil {
		return decoded
	}
	return s
}
