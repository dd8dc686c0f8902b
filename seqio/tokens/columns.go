package tokens

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"io"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/seqsvm/seqsvm/internal/plural"
	"github.com/seqsvm/seqsvm/seqio"
	"github.com/seqsvm/seqsvm/seqio/internal/lines"
)

// ReadColumns reads tokens in columns, compressed or not. tag is the 1-based column of the tags, 0 for the last one and
// −1 if there are none: then Tag is empty. All columns stay in Fields. name identifies the input in errors; with a nil
// reader it is the path of a file. Errors are a [*seqio.Error] with the line.
func ReadColumns(r io.Reader, name string, tag int) (*Corpus, error) {
	in, err := lines.Open(r, name)
	if err != nil {
		return nil, err
	}
	defer in.Close()
	if _, err := in.Begin(); err != nil {
		return nil, err
	}
	read := columnReader{corpus: &Corpus{Source: name}, tag: tag, shared: map[string]string{}}
	l := lines.NewReader(in.Buffer)
	for {
		p, err := l.Next()
		if err == io.EOF {
			break
		}
		if err == nil && !(p.First && p.Last) {
			err = fmt.Errorf("a line of more than %d KiB, want a token with its columns", lines.BufferSize>>10)
		}
		if err == nil {
			err = read.next(lines.TrimRight(p.Data), l.Line)
		}
		if err != nil {
			return nil, inLine(name, l.Line, err)
		}
	}
	if err := read.release(); err != nil {
		return nil, err
	}
	read.end()
	if len(read.corpus.Ends) == 0 {
		return nil, lines.Errorf(name, 0, "%w", lines.ErrEmpty)
	}
	read.corpus.dropRows()
	if tag < 0 {
		return read.corpus, nil
	}
	return read.corpus, read.corpus.TakeTags(cmp.Or(tag, read.corpus.Columns))
}

// inLine returns an error with its line, unless it has one.
func inLine(name string, line int, err error) error {
	if at := (*seqio.Error)(nil); errors.As(err, &at) {
		return err
	}
	return lines.Errorf(name, line, "%w", err)
}

// docStart is the first word of a document.
const docStart = "-DOCSTART-"

// columnReader takes one line after another.
type columnReader struct {
	corpus    *Corpus
	tag       int
	documents int  // begun so far
	started   bool // some began by docStart
	tabs      bool // the first token has them
	fasta     bool // it looks like a header of FASTA
	waiting   []waiting
	shared    map[string]string
	held      int64
}

// waiting is a line before the first that says how many columns tokens have.
type waiting struct {
	text string
	line int
}

// next takes a line.
func (r *columnReader) next(text []byte, line int) error {
	inside := bytes.TrimSpace(text)
	if len(inside) == 0 {
		text = nil
	}
	if !utf8.Valid(text) {
		return errors.New("the line is not UTF-8; convert the file")
	}
	r.held += int64(len(text) + 40)
	if err := lines.CheckHeld(r.held, "lines"); err != nil {
		return err
	}
	if r.corpus.Columns == 0 {
		if len(inside) == 0 || inside[0] == '#' {
			r.waiting = append(r.waiting, waiting{string(text), line})
			return nil
		}
		if err := r.begin(string(text)); err != nil {
			return err
		}
		if err := r.release(); err != nil {
			return err
		}
	}
	return r.line(string(text), line)
}

// begin takes the number of columns from the first token.
func (r *columnReader) begin(text string) error {
	fields := r.fields(text)
	n := len(fields)
	if r.tag > n {
		return fmt.Errorf("%s, want at least the %d of --tag", plural.Of(n, "column"), r.tag)
	}
	r.fasta = len(fields[0]) > 1 && fields[0][0] == '>' && fields[0][1] != '>'
	switch {
	case r.tag == 0 && n == 1 && r.fasta:
		return errors.New("one column, want a token and its tag, or --states for the letters of FASTA records")
	case r.tag == 0 && n == 1:
		return errors.New("one column, want a token and its tag, separated by a tab or a blank")
	case n == 1 && r.fasta:
		return errFASTA
	}
	r.corpus.Columns, r.tabs = n, strings.Contains(text, "\t")
	return nil
}

var errFASTA = errors.New("FASTA records, want a token per line and a blank line after each sentence")

// release takes the lines that have waited. If all lines of a file begin with #, the first of them says the columns.
func (r *columnReader) release() error {
	for _, w := range r.waiting {
		if r.corpus.Columns == 0 && w.text != "" && !named.MatchString(w.text) {
			if err := r.begin(w.text); err != nil {
				return inLine(r.corpus.Source, w.line, err)
			}
		}
		if err := r.line(w.text, w.line); err != nil {
			return inLine(r.corpus.Source, w.line, err)
		}
	}
	r.waiting = nil
	return nil
}

// line takes a line after it is known how many columns tokens have.
func (r *columnReader) line(text string, line int) error {
	c := r.corpus
	if text == "" {
		r.end()
		c.Others = append(c.Others, Line{Before: len(c.Tokens)})
		return nil
	}
	fields := r.fields(text)
	begins := len(c.places) == len(c.Ends)
	if begins && r.comment(text, len(fields)) {
		c.Comments++
		c.Others = append(c.Others, Line{Before: len(c.Tokens), Text: text})
		return nil
	}
	switch {
	case len(fields) == c.Columns:
	case r.fasta:
		return errFASTA
	default:
		return fmt.Errorf("%s, want the %d of the first line; sentences are separated by blank lines",
			plural.Of(len(fields), "column"), c.Columns)
	}
	if len(c.Tokens) == 0 && isHeader(fields, cmp.Or(max(r.tag, 0), len(fields))-1) {
		return fmt.Errorf("a header (%s), want a token; remove the line", strings.Join(fields, ", "))
	}
	if begins {
		c.places = append(c.places, place{file: c.Source})
		if fields[0] == docStart {
			if r.started = true; len(c.Ends) > 0 {
				r.documents++
			}
		}
		c.Documents = append(c.Documents, r.documents)
	}
	c.Tokens = append(c.Tokens, Token{Fields: fields, Line: line})
	r.held += int64(16*len(fields) + 16)
	return lines.CheckHeld(r.held, "tokens")
}

// named is a comment of CoNLL-U, such as # sent_id = 1.
var named = regexp.MustCompile(`^\s*# +([^\s=]+|new(doc|par) +id) +=( |$)`)

// comment reports whether a line before the first token of a sentence is a comment.
func (r *columnReader) comment(line string, fields int) bool {
	text := strings.TrimSpace(line)
	switch {
	case text[0] != '#':
		return false
	case named.MatchString(text):
		return true
	}
	own := fields
	if r.tabs && !strings.Contains(line, "\t") {
		own = 1
	}
	if blank := text == "#" || text[1] == ' ' || text[1] == '\t'; blank {
		return own != r.corpus.Columns
	}
	return own == 1 && fields != r.corpus.Columns
}

// isHeader reports whether fields are names of columns: of words and of tags.
func isHeader(fields []string, tag int) bool {
	is := func(names string) func(field string) bool {
		return func(field string) bool {
			return slices.Contains(strings.Fields(names), strings.ToLower(strings.TrimLeft(field, "# ")))
		}
	}
	return slices.ContainsFunc(fields[:tag], is("token tokens word words form text residue letter")) &&
		is("tag tags label labels ner ner_tag ner_tags entity pos upos xpos chunk iob bio class state ss")(fields[tag])
}

// fields cuts a line into columns, whose texts it shares with earlier lines.
func (r *columnReader) fields(text string) []string {
	var fields []string
	if strings.Contains(text, "\t") {
		fields = strings.Split(text, "\t")
	} else {
		fields = strings.Fields(text)
	}
	for i, f := range fields {
		own, known := r.shared[f]
		if !known {
			own = strings.Clone(f)
			r.shared[own] = own
			r.held += int64(len(own) + 64)
		}
		fields[i] = own
	}
	return fields
}

// end ends a sentence, if one has begun.
func (r *columnReader) end() {
	c := r.corpus
	if len(c.places) > len(c.Ends) {
		c.Ends = append(c.Ends, len(c.Tokens))
		if !r.started {
			r.documents++
		}
	}
}

// isRow reports whether the number of a token is a range or a decimal, as of CoNLL-U.
func isRow(number string) bool {
	whole, part, found := strings.Cut(strings.Replace(number, "-", ".", 1), ".")
	return found && isNumber(whole) && isNumber(part)
}

func isNumber(s string) bool {
	return s != "" && strings.Trim(s, "0123456789") == ""
}

// dropRows finds whether column 1 numbers the tokens, and makes other lines of ranges and decimals there.
func (c *Corpus) dropRows() {
	numbered := false
	for q := range c.Sequences() {
		n, kept := 0, 0
		for _, t := range c.Sequence(q) {
			if isRow(t.Fields[0]) {
				continue
			}
			if kept++; t.Fields[0] == docStart {
				continue
			}
			if n++; t.Fields[0] != strconv.Itoa(n) {
				return
			}
		}
		if kept == 0 {
			return
		}
		numbered = numbered || n > 1
	}
	if c.Numbered = numbered && c.Columns > 1; !c.Numbered {
		return
	}
	all, others := c.Tokens, c.Others
	c.Tokens, c.Others = nil, nil
	from, q := 0, 0
	for i, t := range all {
		for ; from < len(others) && others[from].Before == i; from++ {
			c.Others = append(c.Others, Line{Before: len(c.Tokens), Text: others[from].Text})
		}
		if isRow(t.Fields[0]) {
			c.Others = append(c.Others, Line{len(c.Tokens), strings.Join(t.Fields, "\t"), true})
		} else {
			c.Tokens = append(c.Tokens, t)
		}
		if i+1 == c.Ends[q] {
			c.Ends[q] = len(c.Tokens)
			q++
		}
	}
	for _, line := range others[from:] {
		c.Others = append(c.Others, Line{Before: len(c.Tokens), Text: line.Text})
	}
}
