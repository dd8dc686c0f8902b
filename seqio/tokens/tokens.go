// Package tokens reads sequences whose tokens have a tag each: words of sentences in columns, as the shared tasks of
// CoNLL have them, and letters of FASTA records beside a second FASTA file of states.
//
// # Columns
//
// A line is a token, a blank line ends a sentence. Columns are separated by tabs or, in a line without any, by blanks;
// all lines have as many. A sentence whose first word is -DOCSTART- begins a document; without any, each sentence is a
// document of its own.
//
// Lines before the first token of a sentence that begin with # and a blank are comments if they read # NAME = VALUE, as
// in CoNLL-U, or have another number of columns than tokens; so are lines of one column that begin with # where tokens
// have more. If column 1 numbers the tokens of every sentence, as in CoNLL-U, lines whose number is a range (3-4) or a
// decimal (5.1) are no tokens.
//
// # States
//
// Record i of the file of states has a letter for each letter of record i of the sequences, which is its tag, and the
// same id. So has a mask: 1 where the tag counts, 0 where it is not known.
package tokens

import (
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/seqsvm/seqsvm/internal/ends"
	"github.com/seqsvm/seqsvm/internal/plural"
	"github.com/seqsvm/seqsvm/seqio/internal/lines"
)

// Token is one of a sequence.
type Token struct {
	Fields []string // its columns; of a letter, the letter
	Tag    string   // "" where it is not known
	Line   int      // of its file, 1-based; 0 of a letter
}

// Line is a line that is no token.
type Line struct {
	Before int    // the number of tokens before it
	Text   string // "" of a blank line
	Row    bool   // it has columns as tokens have
}

// Corpus is sequences of tokens.
type Corpus struct {
	Tokens    []Token
	Ends      []int    // sequence q has the tokens Ends[q−1] … Ends[q] − 1
	Documents []int    // the document of each sequence, numbered from 0
	Names     []string // ids of records; nil of sentences
	Source    string   // the name of the input in errors
	Columns   int      // of a line; 0 of letters
	Numbered  bool     // column 1 numbers the tokens of each sentence
	Comments  int      // number of comment lines
	Others    []Line   // in order; none of letters or after Select

	places []place // of each sequence
}

// place is the file of a sequence and, of a record, the 1-based line of its header.
type place struct {
	file string
	line int
}

// Sequences returns the number of sequences.
func (c *Corpus) Sequences() int { return len(c.Ends) }

// Bounds returns the numbers of the first token of a sequence and of the one after its last.
func (c *Corpus) Bounds(q int) (lo, hi int) { return ends.Bounds(c.Ends, q) }

// Sequence returns the tokens of a sequence.
func (c *Corpus) Sequence(q int) []Token {
	lo, hi := c.Bounds(q)
	return c.Tokens[lo:hi:hi]
}

// TakeTags makes a column the tags, 1-based. The error is that of the first token which has none.
func (c *Corpus) TakeTags(column int) error {
	for t := range c.Tokens {
		token := &c.Tokens[t]
		if token.Tag = token.Fields[column-1]; token.Tag == "" {
			return c.Errorf(t, "column %d of %d is empty, want a tag", column, c.Columns)
		}
	}
	return nil
}

// Join returns the sequences of several corpora as one, which are all of lines of as many columns or all of letters. A
// blank line comes between files unless there is one.
func Join(list []*Corpus) (*Corpus, error) {
	if len(list) == 1 {
		return list[0], nil
	}
	all := &Corpus{Columns: list[0].Columns, Numbered: true}
	var names []string
	documents := 0
	for i, c := range list {
		if c.Columns != all.Columns {
			return nil, lines.Errorf(c.Source, 0, "%s, want the %d of %s", plural.Of(c.Columns, "column"), all.Columns,
				list[0].Source)
		}
		for _, end := range c.Ends {
			all.Ends = append(all.Ends, len(all.Tokens)+end)
		}
		for _, d := range c.Documents {
			all.Documents = append(all.Documents, documents+d)
		}
		documents = all.Documents[len(all.Documents)-1] + 1
		end := len(all.Tokens)
		blank := slices.ContainsFunc(c.Others, func(l Line) bool { return l.Before == 0 && l.Text == "" })
		if n := len(all.Others); i > 0 && c.Columns > 0 && !blank && (n == 0 || all.Others[n-1].Before < end) {
			all.Others = append(all.Others, Line{Before: end})
		}
		for _, line := range c.Others {
			line.Before += end
			all.Others = append(all.Others, line)
		}
		all.Numbered, all.Comments = all.Numbered && c.Numbered, all.Comments+c.Comments
		all.Tokens, all.places = append(all.Tokens, c.Tokens...), append(all.places, c.places...)
		all.Names, names = append(all.Names, c.Names...), append(names, c.Source)
	}
	all.Source = strings.Join(names, ", ")
	return all, nil
}

// Select returns the corpus of some sequences, which shares their tokens' texts.
func (c *Corpus) Select(keep func(q int) bool) *Corpus {
	out := &Corpus{Source: c.Source, Columns: c.Columns, Numbered: c.Numbered}
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
		return lines.Errorf(c.places[q].file, c.Tokens[token].Line, "%w", err)
	}
	e := lines.Errorf(c.places[q].file, c.places[q].line, "letter %d: %w", token-lo+1, err)
	e.Record = c.Names[q]
	return e
}

// WriteLines writes the lines of a corpus, in order: tokens with their columns and more, separated by tabs, and the
// others as they are. Rows that are no tokens get _ in each additional column.
func (c *Corpus) WriteLines(w io.Writer, more func(token int) []string) error {
	others := c.Others
	var columns []string
	for t, token := range c.Tokens {
		columns = more(t)
		for ; len(others) > 0 && others[0].Before <= t; others = others[1:] {
			if err := others[0].write(w, len(columns)); err != nil {
				return err
			}
		}
		if _, err := fmt.Fprintln(w, strings.Join(append(slices.Clip(token.Fields), columns...), "\t")); err != nil {
			return err
		}
	}
	for _, line := range others {
		if err := line.write(w, len(columns)); err != nil {
			return err
		}
	}
	return nil
}

func (l *Line) write(w io.Writer, more int) error {
	text := l.Text
	if l.Row {
		text += strings.Repeat("\t_", more)
	}
	_, err := fmt.Fprintln(w, text)
	return err
}
