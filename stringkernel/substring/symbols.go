package substring

import (
	"context"
	"math"
	"slices"
	"sync"
	"unicode/utf8"

	"github.com/seqsvm/seqsvm/internal/cancel"
	"github.com/seqsvm/seqsvm/internal/canonical"
	"github.com/seqsvm/seqsvm/stringkernel"
	"github.com/seqsvm/seqsvm/stringkernel/engine/tree"
	"github.com/seqsvm/seqsvm/suffix"
)

// encoding maps sequences to symbols of package suffix: 0 is a break, marks come next if the kernel has Ends, then
// letters or units. An alphabet of 256 letters is first cut down to the bytes that occur, so that the symbols fit a
// byte unless all of them do.
type encoding struct {
	marks  int32
	all    bool // every byte is a letter
	symbol [256]int32
	sigma  int        // of letters
	reader UnitReader // of units other than letters, else nil; its vocabulary grows while texts are made
}

func newEncoding(k Kernel, corpora ...*stringkernel.Corpus) *encoding {
	e := &encoding{marks: k.marks()}
	if u := k.symbols(); u != nil {
		e.reader = u.open()
		return e
	}
	used := new([256]bool)
	if k.allBytes() {
		used = stringkernel.BytesUsed(corpora)
	}
	e.useLetters(k, used)
	return e
}

// allBytes reports whether every byte is a letter.
func (k Kernel) allBytes() bool { return k.symbols() == nil && tree.AllBytes(k.Alphabet) }

// useLetters numbers the letters: those used, if every byte is one.
func (e *encoding) useLetters(k Kernel, used *[256]bool) {
	e.all = k.allBytes()
	e.symbol, e.sigma = tree.Letters(k.Alphabet, used, 1+e.marks)
}

// wide reports whether symbols need more than a byte.
func (e *encoding) wide() bool { return e.reader != nil || e.sigma > 256 }

// size returns the number of symbols, the separator included: of units, once all texts are read.
func (e *encoding) size() int {
	if e.reader == nil {
		return e.sigma
	}
	return e.reader.Len() + 1 + int(e.marks)
}

// hasLetter reports whether x has a letter of the alphabet, so that it gets marks around it.
func (e *encoding) hasLetter(x []byte) bool {
	if e.all {
		return len(x) > 0
	}
	return slices.ContainsFunc(x, func(b byte) bool { return e.symbol[b] != 0 })
}

// unitSymbol returns the symbol of the unit with a number; unknown ones break matches.
func (e *encoding) unitSymbol(number int32) int32 {
	if number <= 0 {
		return 0
	}
	return number + e.marks
}

// marked reports whether units with these numbers get marks around them: whether one is not a break.
func (e *encoding) marked(numbers []int32) bool {
	return e.marks > 0 && slices.ContainsFunc(numbers, func(n int32) bool { return n != 0 })
}

// encodeLetters appends the symbols of x, without marks.
func encodeLetters[S suffix.Symbol](e *encoding, dst []S, x []byte) []S {
	for _, b := range x {
		dst = append(dst, S(e.symbol[b]))
	}
	return dst
}

// encodeUnits appends the symbols of units with their marks.
func encodeUnits[S suffix.Symbol](e *encoding, dst []S, numbers []int32) []S {
	marked := e.marked(numbers)
	if marked {
		dst = append(dst, beginMark)
	}
	for _, n := range numbers {
		dst = append(dst, S(e.unitSymbol(n)))
	}
	if marked {
		dst = append(dst, endMark)
	}
	return dst
}

// encode appends the symbols of a whole sequence with its marks.
func encode[S suffix.Symbol](e *encoding, dst []S, x []byte) []S {
	if e.reader != nil {
		return encodeUnits(e, dst, e.reader.Read(x))
	}
	if e.marks == 0 || !e.hasLetter(x) {
		return encodeLetters(e, dst, x)
	}
	return append(encodeLetters(e, append(dst, beginMark), x), endMark)
}

// newText lays the sequences of the corpora end to end; nil corpora are skipped.
func newText[S suffix.Symbol](
	ctx context.Context, e *encoding, corpora ...*stringkernel.Corpus,
) (*suffix.Text[S], error) {
	for _, c := range corpora {
		if c != nil && e.reader == nil {
			if err := stringkernel.CheckLetters(c); err != nil {
				return nil, err
			}
		}
	}
	b := suffix.NewBuilder[S](math.MaxInt32) // size is known once all units are
	var symbols []S
	for _, c := range corpora {
		if c == nil {
			continue
		}
		if e.reader == nil {
			b.Grow(c.Len(), c.Letters()+int(e.marks)*c.Len())
		}
		for i := range c.Len() {
			cancel.Check(ctx)
			symbols = encode(e, symbols[:0], c.Seq(i))
			if err := b.Append(symbols); err != nil {
				return nil, err
			}
		}
	}
	text, err := b.Text()
	if err == nil {
		text.Sigma = e.size()
	}
	return text, err
}

// checkTree returns an error if the suffix tree of a text, with nodes for substrings of up to bound symbols (0: of any
// length), and what kernels add to it would take too much memory: 26 bytes per symbol and 64 per node at their peak, as
// measured.
func (e *encoding) checkTree(c *stringkernel.Corpus, symbols, bound int) error {
	nodes := float64(symbols)
	if bound > 0 {
		nodes = min(nodes, math.Pow(float64(e.size()), float64(bound)))
	}
	perLetter := (float64(26*float64(symbols)) + float64(64*nodes)) / float64(max(1, c.Letters()))
	return stringkernel.CheckIndex(c, perLetter)
}

// checkCompact returns an error if merging a text, and the terms of its nodes, would take too much memory: 30 bytes per
// symbol at the peak, as measured, and 16 for each output if every rank has a node.
func (e *encoding) checkCompact(c *stringkernel.Corpus, symbols, outputs int) error {
	return stringkernel.CheckIndex(c, float64(symbols)*float64(30+16*outputs)/float64(max(1, c.Letters())))
}

// longest returns the greatest number of symbols that a sequence of some corpora may have.
func (k Kernel) longest(corpora ...*stringkernel.Corpus) int {
	n := 0
	for _, c := range corpora {
		if c == nil {
			continue
		}
		for i := range c.Len() {
			n = max(n, len(c.Seq(i)))
		}
	}
	if u := k.symbols(); u != nil {
		n *= max(u.perByte, 1)
	}
	return n + int(k.marks())
}

// Unit names the symbols of a [Kernel]: what it counts strings of.
type Unit string

// The units of this package. Package bow has words; [Kernel.Over] takes any others.
const (
	ByteUnit Unit = "byte" // letters of the alphabet; the zero value means them too
	RuneUnit Unit = "rune" // code points of UTF-8: a byte that belongs to none is a break
)

// Units are symbols other than letters: code points, words, tags. They are safe for concurrent use.
type Units struct {
	open    func() UnitReader
	perByte int       // most units per byte of a sequence; 0 is 1
	norms   sync.Pool // of *selfText
}

// NewUnits returns the units of the readers that open makes, each for one goroutine and with an empty vocabulary.
func NewUnits(open func() UnitReader) *Units { return &Units{open: open} }

// Dense says that a sequence may have more units than bytes, at most perByte times as many. It is called before the
// units are used, and returns them.
func (u *Units) Dense(perByte int) *Units {
	u.perByte = perByte
	return u
}

// UnitReader cuts sequences into units and numbers these. It is for one goroutine.
type UnitReader interface {
	// Read returns the number of each unit of x, in order. The vocabulary's numbers are 1, 2, … in the order in which
	// units were first met; 0 is a break, across which nothing matches, and −1 a unit that is not in a closed
	// vocabulary. The result is valid until the next call.
	Read(x []byte) []int32
	// Places returns the positions of the units of the last x, which must not have changed. It is valid until the next
	// call of Read.
	Places() []Span
	// Len returns the number of units in the vocabulary.
	Len() int
	// Closed returns a reader of the present vocabulary, which no longer grows. Several may be made for several
	// goroutines.
	Closed() UnitReader
}

// UnitSpeller is a UnitReader that can write its units. Correct without it; with it, features can be listed.
type UnitSpeller interface {
	UnitReader
	// AppendUnit appends the text of the unit with a number above 0 to the units before it in dst, with the
	// separator between them.
	AppendUnit(dst []byte, number int32) []byte
}

// Span is the bytes Lo … Hi−1 of a sequence, 0-based.
type Span struct{ Lo, Hi int }

// Over returns the kernel on other units than letters or code points, whatever k.Unit is.
func (k Kernel) Over(u *Units) Kernel {
	k.units = u
	return k
}

// symbols returns the units of the kernel, nil if they are letters.
func (k Kernel) symbols() *Units {
	if k.units == nil && k.Unit == RuneUnit {
		return runeUnits
	}
	return k.units
}

// ReadsText reports whether units are code points, words or others of text rather than letters of an alphabet, which
// need not be inferred from the data then.
func (k Kernel) ReadsText() bool { return k.units != nil || k.Unit != "" && k.Unit != ByteUnit }

// The marks of records with Ends. No unit has their symbols: those of units follow.
const (
	beginMark = 1
	endMark   = 2
	marks     = 2 // how many there are
)

// marks returns the number of symbols that are marks.
func (k Kernel) marks() int32 {
	if k.Ends {
		return marks
	}
	return 0
}

// runeUnits are the code points of texts in NFC.
var runeUnits = NewUnits(func() UnitReader { return &runeReader{runes: new(runeTable)} })

// runeTable numbers code points, in pages of 256.
type runeTable struct {
	pages []*[256]int32 // as far as the greatest code point added
	list  []rune        // list[i] has number i + 1
}

// number returns the number of a code point, 0 if it has none.
func (t *runeTable) number(r rune) int32 {
	if page := int(r >> 8); page < len(t.pages) && t.pages[page] != nil {
		return t.pages[page][r&255]
	}
	return 0
}

func (t *runeTable) add(r rune) int32 {
	page := int(r >> 8)
	for page >= len(t.pages) {
		t.pages = append(t.pages, nil)
	}
	p := &t.pages[page]
	if *p == nil {
		*p = new([256]int32)
	}
	t.list = append(t.list, r)
	(*p)[r&255] = int32(len(t.list))
	return (*p)[r&255]
}

// runeReader reads code points.
type runeReader struct {
	runes   *runeTable
	closed  bool
	numbers []int32
	text    canonical.Text // the last one read
}

func (r *runeReader) Len() int { return len(r.runes.list) }

// AppendUnit appends a code point.
func (r *runeReader) AppendUnit(dst []byte, number int32) []byte {
	return utf8.AppendRune(dst, r.runes.list[number-1])
}

func (r *runeReader) Closed() UnitReader { return &runeReader{runes: r.runes, closed: true} }

func (r *runeReader) Read(x []byte) []int32 {
	r.numbers = r.numbers[:0]
	r.text.Read(x)
	for x = r.text.Letters; len(x) > 0; {
		c, size := utf8.DecodeRune(x)
		r.numbers = append(r.numbers, r.number(c, size))
		x = x[size:]
	}
	return r.numbers
}

func (r *runeReader) Places() []Span {
	places := make([]Span, 0, len(r.numbers))
	for at := 0; at < len(r.text.Letters); {
		_, size := utf8.DecodeRune(r.text.Letters[at:])
		lo, hi := r.text.Place(at, at+size)
		places = append(places, Span{lo, hi})
		at += size
	}
	return places
}

// number returns the number of a code point of size bytes: 0 if it replaces a byte that belongs to none.
func (r *runeReader) number(c rune, size int) int32 {
	if c == utf8.RuneError && size == 1 {
		return 0
	}
	switch n := r.runes.number(c); {
	case n > 0:
		return n
	case r.closed:
		return -1
	default:
		return r.runes.add(c)
	}
}
