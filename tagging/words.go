package tagging

import (
	"errors"
	"fmt"
	"math"
	"sort"
	"strconv"
	"unicode"
	"unicode/utf8"

	"github.com/seqsvm/seqsvm/classify/chain"
	"github.com/seqsvm/seqsvm/internal/intern"
	"github.com/seqsvm/seqsvm/seqio/tokens"
)

// words are the features of words in sentences: attributes of a word, such as what it ends in, each at a place in the
// window around a token.
type words struct {
	options
	dictionaries []*dictionary
	others       []int // columns besides that of the word and of the tag, 0-based

	known intern.Terms // attributes: kind and text
	first []int32      // the number of an attribute's first feature, that of the lowest place
	size  int
	lines columns
}

// kinds of attributes: the first byte of a term.
const (
	kindWord   = 'w'
	kindLower  = 'l'
	kindShape  = 's'
	kindPrefix = 'p'
	kindSuffix = 'e'
	kindGram   = 'g'
	kindPair   = '2'
	kindColumn = 'c'
	kindListed = 'd'
	kindClass  = 'k'
	kindShapes = '3'
	kindEdge   = '|' // there is no word at this place
	kindAll    = '*' // of every token
)

// places returns the window of an attribute: the offsets from a token of the words that may have it.
func (w *words) places(kind byte) (lo, hi int) {
	switch kind {
	case kindWord:
		return -w.width, w.width
	case kindLower:
		return -w.lower, w.lower
	case kindShape:
		return -w.shape, w.shape
	case kindColumn:
		return -w.columnWidth, w.columnWidth
	case kindPrefix, kindSuffix, kindListed:
		return -1, 1
	case kindClass:
		return -w.classes, w.classes
	case kindShapes:
		return -1, 0
	case kindPair:
		return -w.pairs, w.pairs - 1
	case kindEdge:
		reach := w.reach()
		return -reach, reach
	}
	return 0, 0
}

func (w *words) reach() int {
	return max(w.width, w.lower, w.shape, w.columnWidth, w.classes, w.pairs, 1)
}

// eachAttribute calls visit with every attribute of token t of a sentence, in memory that the next one overwrites.
func (w *words) eachAttribute(sentence []tokens.Token, t int, buf []byte, visit func(term []byte)) []byte {
	word := w.word(sentence[t])
	emit := func(kind byte, text string) {
		buf = append(append(buf[:0], kind), text...)
		visit(buf)
	}
	if w.width >= 0 {
		emit(kindWord, word)
	}
	buf = lowerTo(append(buf[:0], kindLower), word)
	if w.lower >= 0 {
		visit(buf)
	}
	lower := string(buf[1:])
	if w.shape >= 0 {
		buf = shapeTo(append(buf[:0], kindShape), word, false)
		visit(buf)
		buf = shapeTo(append(buf[:0], kindShape, '~'), word, true)
		visit(buf)
	}
	at := 0
	for n := 1; n <= w.prefix && at < len(lower); n++ {
		_, size := utf8.DecodeRuneInString(lower[at:])
		at += size
		emit(kindPrefix, lower[:at])
	}
	at = len(lower)
	for n := 1; n <= w.suffix && at > 0; n++ {
		_, size := utf8.DecodeLastRuneInString(lower[:at])
		at -= size
		emit(kindSuffix, lower[at:])
	}
	if w.grams > 1 {
		inside := "^" + lower + "$"
		for lo := 0; lo < len(inside); {
			_, step := utf8.DecodeRuneInString(inside[lo:])
			hi := lo + step
			for n := 2; n <= w.grams && hi < len(inside); n++ {
				_, size := utf8.DecodeRuneInString(inside[hi:])
				hi += size
				emit(kindGram, inside[lo:hi])
			}
			lo += step
		}
	}
	if w.pairs > 0 && t+1 < len(sentence) {
		buf = append(append(append(buf[:0], kindPair), lower...), ' ')
		buf = lowerTo(buf, w.word(sentence[t+1]))
		visit(buf)
	}
	if w.classes >= 0 {
		buf = w.classTerms(sentence[t:], lower, buf, visit)
	}
	if w.columnWidth >= 0 {
		for _, c := range w.others {
			buf = append(append(buf[:0], kindColumn), strconv.Itoa(c+1)...)
			buf = append(append(buf, '='), sentence[t].Fields[c]...)
			visit(buf)
		}
	}
	emit(kindAll, "")
	return buf
}

// lowerTo appends a word in lower case.
func lowerTo(buf []byte, word string) []byte {
	for _, r := range word {
		buf = utf8.AppendRune(buf, unicode.ToLower(r))
	}
	return buf
}

// shapeTo appends the shape of a word: X for upper case, x for lower, 0 for digits, what it is for anything else.
// A run of one class is one letter if short.
func shapeTo(buf []byte, word string, short bool) []byte {
	last := rune(-1)
	for _, r := range word {
		switch {
		case unicode.IsUpper(r):
			r = 'X'
		case unicode.IsLetter(r):
			r = 'x'
		case unicode.IsDigit(r):
			r = '0'
		}
		if !short || r != last {
			buf = utf8.AppendRune(buf, r)
		}
		last = r
	}
	return buf
}

// word returns the word of a token.
func (w *words) word(t tokens.Token) string { return t.Fields[w.column-1] }

// fit numbers the attributes of training that occur often enough.
func (w *words) fit(c *tokens.Corpus, tag int) error {
	w.restoreColumns(columns{c.Columns, tag})
	if err := w.check(c); err != nil {
		return err
	}
	if w.column == tag {
		return fmt.Errorf("column %d has both the words and the tags, want column= of features words or another tag",
			tag)
	}
	if w.column == 1 && c.Numbered {
		return fmt.Errorf("%s: column 1 numbers the tokens, want that of the words, as in features words:column=2", c.Source)
	}
	var all intern.Terms
	var counts []int
	var buf []byte
	count := func(term []byte) {
		id := all.Add(term)
		if int(id) == len(counts) {
			counts = append(counts, 0)
		}
		counts[id]++
	}
	for q := range c.Sequences() {
		sentence := c.Sequence(q)
		for t := range sentence {
			buf = w.eachAttribute(sentence, t, buf, count)
		}
		w.listed(sentence, func(_ int, term []byte) { count(term) })
	}
	w.known = intern.Terms{} // of what an earlier corpus had
	w.known.Add([]byte{kindEdge})
	for id, n := range counts {
		if n >= w.least {
			w.known.Add(all.At(id))
		}
	}
	return w.number()
}

// number numbers the features of the attributes.
func (w *words) number() error {
	w.first, w.size = make([]int32, w.known.Len()), 0
	for id := range w.first {
		lo, hi := w.places(w.known.At(id)[0])
		w.first[id] = int32(w.size)
		if w.size += hi - lo + 1; w.size > math.MaxInt32/chain.MostStates {
			return fmt.Errorf("features words: %d attributes have too many features, want a greater min", w.known.Len())
		}
	}
	return nil
}

// restoreColumns takes what the lines of training were.
func (w *words) restoreColumns(of columns) {
	w.lines, w.others = of, nil
	for i := range of.Count {
		if i != w.column-1 && i != of.Tag-1 {
			w.others = append(w.others, i)
		}
	}
}

func (w *words) columns() columns     { return w.lines }
func (w *words) features() int        { return w.size }
func (w *words) terms() *intern.Terms { return &w.known }

func (w *words) restore(of columns) error {
	w.restoreColumns(of)
	if of.Count < w.column {
		return fmt.Errorf("lines of %d columns, want the word in column %d", of.Count, w.column)
	}
	if w.known.Len() == 0 || w.known.At(0)[0] != kindEdge {
		return errors.New("the list of attributes does not begin with the edge")
	}
	for id := range w.known.Len() {
		if kindNames[w.known.At(id)[0]] == "" {
			return fmt.Errorf("attribute %d is of an unknown kind", id)
		}
	}
	return w.number()
}

// check accepts lines of the columns of training, also without that of the tag where it is the last.
func (w *words) check(c *tokens.Corpus) error {
	if c.Names != nil {
		return fmt.Errorf("%s has letters, want words in columns for features words", c.Source)
	}
	if c.Columns < w.column {
		return fmt.Errorf("%s has %d columns, want the word in column %d", c.Source, c.Columns, w.column)
	}
	if least := w.lines.Count; c.Columns != least && !(w.lines.Tag == least && c.Columns == least-1) &&
		w.columnWidth >= 0 {
		return fmt.Errorf("%s has %d columns, want the %d of training, whose values are features", c.Source, c.Columns,
			least)
	}
	return nil
}

// rows returns the features of all tokens.
func (w *words) rows(c *tokens.Corpus) chain.Rows {
	out := &chain.Lists{Size: w.size}
	var buf []byte
	for q := range c.Sequences() {
		sentence := c.Sequence(q)
		attributes := make([][]int32, len(sentence))
		take := func(t int, term []byte) {
			if id := w.known.Find(term); id != intern.None {
				attributes[t] = append(attributes[t], id)
			}
		}
		for t := range sentence {
			buf = w.eachAttribute(sentence, t, buf, func(term []byte) { take(t, term) })
		}
		w.listed(sentence, take)
		for t := range sentence {
			out.List = w.row(out.List, attributes, t)
			out.Ends = append(out.Ends, len(out.List))
		}
	}
	return out
}

// row appends the features of token t of a sentence.
func (w *words) row(row []int32, attributes [][]int32, t int) []int32 {
	reach := w.reach()
	for o := -reach; o <= reach; o++ {
		at := t + o
		if at == -1 || at == len(attributes) {
			row = append(row, w.first[0]+int32(o+reach)) // the edge is attribute 0
		}
		if at < 0 || at >= len(attributes) {
			continue
		}
		for _, id := range attributes[at] {
			if lo, hi := w.places(w.known.At(int(id))[0]); lo <= o && o <= hi {
				row = append(row, w.first[id]+int32(o-lo))
			}
		}
	}
	return row
}

// name returns a feature in words, as in word[+1]=of.
func (w *words) name(feature int32) string {
	id := sort.Search(len(w.first), func(id int) bool { return w.first[id] > feature }) - 1
	term := w.known.At(id)
	from, _ := w.places(term[0])
	place := int(feature-w.first[id]) + from
	return fmt.Sprintf("%s[%+d]=%s", kindNames[term[0]], place, term[1:])
}

var kindNames = map[byte]string{
	kindWord: "word", kindLower: "lower", kindShape: "shape", kindPrefix: "prefix", kindSuffix: "suffix",
	kindGram: "gram", kindPair: "pair", kindColumn: "column", kindListed: "listed", kindEdge: "edge",
	kindClass: "class", kindShapes: "shapes", kindAll: "all",
}
