package substring

import (
	"unicode/utf8"

	"github.com/seqsvm/seqsvm/internal/canonical"
)

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
