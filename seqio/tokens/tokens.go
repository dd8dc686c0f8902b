// Package tokens reads sequences whose tokens have a tag each: words of sentences in columns, as the shared tasks of
// CoNLL have them, and letters of FASTA records beside a second FASTA file of states.
//
// # Columns
//
// A line is a token, a blank line ends a sentence. Columns are separated by tabs or, in a line without any, by blanks;
// all lines have as many. A line of one column that begins with # before the first token of a sentence is a comment
// where tokens have more. A sentence whose first word is -DOCSTART- begins a document; without any, each sentence is a
// document of its own.
//
// # States
//
// Record i of the file of states has a letter for each letter of record i of the sequences, which is its tag, and the
// same id. So has a mask: 1 where the tag counts, 0 where it is not known.
package tokens

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/seqsvm/seqsvm/seqio"
	"github.com/seqsvm/seqsvm/seqio/internal/lines"
)

// Token is one of a sequence.
type Token struct {
	Fields []string // its columns; of a letter, the letter
	Tag    string   // "" where it is not known
}

// Corpus is sequences of tokens.
type Corpus struct {
	Tokens    []Token
	Ends      []int    // sequence q has the tokens Ends[q−1] … Ends[q] − 1
	Documents []int    // the document of each sequence, numbered from 0
	Names     []string // ids of records; nil of sentences
	Source    string   // the name of the input in errors
	Columns   int      // of a line; 0 of letters

	places []place // of each sequence
}

// place is the file of a sequence and the 1-based line of its first token, of a record that of its header.
type place struct {
	file string
	line int
}

// Sequences returns the number of sequences.
func (c *Corpus) Sequences() int { return len(c.Ends) }

// Bounds returns the numbers of the first token of a sequence and of the one after its last.
func (c *Corpus) Bounds(q int) (lo, hi int) {
	if q > 0 {
		lo = c.Ends[q-1]
	}
	return lo, c.Ends[q]
}

// Sequence returns the tokens of a sequence.
func (c *Corpus) Sequence(q int) []Token {
	lo, hi := c.Bounds(q)
	return c.Tokens[lo:hi:hi]
}

// Join returns the sequences of several corpora as one, which are all of lines of as many columns or all of letters.
func Join(list []*Corpus) (*Corpus, error) {
	if len(list) == 1 {
		return list[0], nil
	}
	all := &Corpus{Columns: list[0].Columns}
	var names []string
	documents := 0
	for _, c := range list {
		if c.Columns != all.Columns {
			return nil, lines.Errorf(c.Source, 0, "%d columns, want the %d of %s", c.Columns, all.Columns, list[0].Source)
		}
		for _, end := range c.Ends {
			all.Ends = append(all.Ends, len(all.Tokens)+end)
		}
		for _, d := range c.Documents {
			all.Documents = append(all.Documents, documents+d)
		}
		documents = all.Documents[len(all.Documents)-1] + 1
		all.Tokens, all.places = append(all.Tokens, c.Tokens...), append(all.places, c.places...)
		all.Names, names = append(all.Names, c.Names...), append(names, c.Source)
	}
	all.Source = strings.Join(names, ", ")
	return all, nil
}

// Select returns the corpus of some sequences, which shares their tokens' texts.
func (c *Corpus) Select(keep func(q int) bool) *Corpus {
	out := &Corpus{Source: c.Source, Columns: c.Columns}
	for q := range c.Sequences() {
		if !keep(q) {
			continue
		}
		out.Tokens = append(out.Tokens, c.Sequence(q)...)
		out.Ends = append(out.Ends, len(out.Tokens))
		out.Documents = append(out.Documents, c.Documents[q])
		out.places = append(out.places, c.places[q])
		if c.Names != nil {
			out.Names = append(out.Names, c.Names[q])
		}
	}
	return out
}

// Errorf returns an error about a token: with the file and its line, of a letter with its record and place (1-based).
func (c *Corpus) Errorf(token int, format string, args ...any) error {
	q, found := slices.BinarySearch(c.Ends, token)
	if found {
		q++
	}
	lo, _ := c.Bounds(q)
	err := fmt.Errorf(format, args...)
	if c.Names == nil {
		return lines.Errorf(c.places[q].file, c.places[q].line+token-lo, "%w", err)
	}
	e := lines.Errorf(c.places[q].file, c.places[q].line, "letter %d: %w", token-lo+1, err)
	e.Record = c.Names[q]
	return e
}

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
			err = read.line(lines.TrimRight(p.Data), l.Line)
		}
		if err != nil {
			if at := (*seqio.Error)(nil); errors.As(err, &at) {
				return nil, err
			}
			return nil, lines.Errorf(name, l.Line, "%w", err)
		}
	}
	read.end()
	if len(read.corpus.Ends) == 0 {
		return nil, lines.Errorf(name, 0, "%w", lines.ErrEmpty)
	}
	return read.corpus, nil
}

// docStart is the first word of a document.
const docStart = "-DOCSTART-"

// columnReader takes one line after another.
type columnReader struct {
	corpus    *Corpus
	tag       int
	documents int  // begun so far
	started   bool // some began by docStart
	shared    map[string]string
	held      int64
}

func (r *columnReader) line(text []byte, line int) error {
	c := r.corpus
	if len(bytes.TrimSpace(text)) == 0 {
		r.end()
		return nil
	}
	if !utf8.Valid(text) {
		return errors.New("the line is not UTF-8; convert the file")
	}
	fields := r.fields(string(text))
	begins := len(c.places) == len(c.Ends)
	if begins && text[0] == '#' && len(fields) == 1 && c.Columns != 1 {
		return nil
	}
	if c.Columns == 0 {
		if r.tag > len(fields) {
			return fmt.Errorf("%d columns, want at least the %d of --tag", len(fields), r.tag)
		}
		if r.tag == 0 && len(fields) == 1 {
			return errors.New("one column, want a token and its tag, separated by a tab or a blank")
		}
		c.Columns = len(fields)
	}
	if len(fields) != c.Columns {
		return fmt.Errorf("%d columns, want the %d of the first line; sentences are separated by blank lines", len(fields),
			c.Columns)
	}
	token := Token{Fields: fields}
	switch {
	case r.tag > 0:
		token.Tag = fields[r.tag-1]
	case r.tag == 0:
		token.Tag = fields[len(fields)-1]
	}
	if begins {
		c.places = append(c.places, place{c.Source, line})
		if fields[0] == docStart {
			if r.started = true; len(c.Ends) > 0 {
				r.documents++
			}
		}
		c.Documents = append(c.Documents, r.documents)
	}
	c.Tokens = append(c.Tokens, token)
	r.held += int64(16*len(fields) + 40)
	return lines.CheckHeld(r.held, "tokens")
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

// WriteLine writes a token's columns and more, separated by tabs.
func WriteLine(w io.Writer, t Token, more ...string) error {
	_, err := fmt.Fprintln(w, strings.Join(append(slices.Clip(t.Fields), more...), "\t"))
	return err
}
