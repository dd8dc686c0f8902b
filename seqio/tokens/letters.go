package tokens

import (
	"fmt"
	"io"

	"github.com/seqsvm/seqsvm/internal/plural"
	"github.com/seqsvm/seqsvm/seqio"
	"github.com/seqsvm/seqsvm/seqio/internal/lines"
)

// letterFields are the fields of a letter, one slice for all that are alike.
var letterFields = func() (table [256][]string) {
	for b := range table {
		table[b] = []string{string([]byte{byte(b)})}
	}
	return table
}()

// FromSet returns the letters of records as tokens, without tags. Each record is a sequence and a document.
func FromSet(s *seqio.Set) *Corpus {
	c := &Corpus{Source: s.Source, Names: make([]string, s.Len()), places: make([]place, s.Len())}
	for i := range s.Len() {
		for _, b := range s.Corpus.Seq(i) {
			c.Tokens = append(c.Tokens, Token{Fields: letterFields[b]})
		}
		c.Ends = append(c.Ends, len(c.Tokens))
		c.Documents = append(c.Documents, i)
		c.Names[i] = s.Corpus.Name(i)
		c.places[i].file = s.Source
		if s.Lines != nil {
			c.places[i].line = s.Lines[i]
		}
	}
	return c
}

// AddStates reads the tags of letters: FASTA records with a state for each letter, in the order of the corpus. As with
// ReadColumns, r may be nil.
func (c *Corpus) AddStates(r io.Reader, name string) error {
	return c.readBeside(r, name, "states", func(token int, b byte) error {
		c.Tokens[token].Tag = letterFields[b][0]
		return nil
	})
}

// ApplyMask reads which letters count: FASTA records of 1, and 0 where a tag is not known and becomes empty.
func (c *Corpus) ApplyMask(r io.Reader, name string) error {
	return c.readBeside(r, name, "mask", func(token int, b byte) error {
		switch b {
		case '0':
			c.Tokens[token].Tag = ""
		case '1':
		default:
			return fmt.Errorf("the mask has %s, want 0 or 1", lines.LetterName(b))
		}
		return nil
	})
}

// readBeside reads a FASTA file parallel to the corpus, of any visible letters.
func (c *Corpus) readBeside(r io.Reader, name, what string, visit func(token int, b byte) error) error {
	rows, err := lines.OpenRows(r, name)
	if err != nil {
		return err
	}
	defer rows.Close()
	p := parallel{Corpus: c, what: what, visit: visit, record: -1}
	for {
		text, err := rows.Next()
		if err == io.EOF {
			break
		}
		if err != nil {
			return err
		}
		if text[0] == '>' {
			err = p.header(text[1:])
		} else {
			err = p.line(text)
		}
		if err != nil {
			return rows.Errorf("%w", err)
		}
	}
	if err := p.complete(); err != nil {
		return lines.Errorf(name, 0, "%w", err)
	}
	if p.record+1 != c.Sequences() {
		return lines.Errorf(name, 0, "%s, want the %d of %s", plural.Of(p.record+1, "record"), c.Sequences(), c.Source)
	}
	return nil
}

// parallel is the place in a corpus up to which a file beside it was read.
type parallel struct {
	*Corpus
	what       string // the letters are
	visit      func(token int, b byte) error
	record     int // −1 before the first
	token, end int // the next letter, and the end of the record
}

// header begins the next record.
func (p *parallel) header(text []byte) error {
	if err := p.complete(); err != nil {
		return err
	}
	p.record++
	id, _ := lines.CutWord(text)
	if p.record == p.Sequences() {
		return fmt.Errorf("record %s is one more than the %d of %s", lines.Quote(string(id)), p.record, p.Source)
	}
	if string(id) != p.Names[p.record] {
		return fmt.Errorf("record %s, want %s, as record %d of %s", lines.Quote(string(id)),
			lines.Quote(p.Names[p.record]), p.record+1, p.Source)
	}
	p.token, p.end = p.Bounds(p.record)
	return nil
}

// line reads letters.
func (p *parallel) line(text []byte) error {
	if p.record < 0 {
		return fmt.Errorf("want a FASTA header, >id, before the %s", p.what)
	}
	if at := lines.CheckVisible(text); at < len(text) {
		return fmt.Errorf("the %s have %s, want visible letters", p.what, lines.LetterName(text[at]))
	}
	for _, b := range text {
		if p.token == p.end {
			p.token++
			return p.complete()
		}
		if err := p.visit(p.token, b); err != nil {
			return err
		}
		p.token++
	}
	return nil
}

// complete returns an error unless the record has all of its letters.
func (p *parallel) complete() error {
	if p.record >= 0 && p.token != p.end {
		lo, _ := p.Bounds(p.record)
		return fmt.Errorf("record %s has %s of the %s, want the %d of %s", lines.Quote(p.Names[p.record]),
			plural.Of(p.token-lo, "letter"), p.what, p.end-lo, p.Source)
	}
	return nil
}
