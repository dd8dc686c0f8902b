// Package canonical brings texts to Unicode's normal form NFC, so that canonically equivalent texts, such as é and e
// with a combining accent, are equal, and finds the places of the result in the text as it was.
package canonical

import (
	"bytes"
	"slices"
	"sort"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"
)

// Text is the normal form of a text. It is for one goroutine.
type Text struct {
	Letters []byte // in NFC: the text itself if that is
	text    []byte
	pieces  []piece // that NFC changed, in order
	buffer  []byte
}

// piece is bytes from … to−1 of the text, which became bytes at … end−1.
type piece struct{ from, to, at, end int }

// Read replaces the text. It keeps x, and copies it only if it is not in NFC. O(len(x)).
func (t *Text) Read(x []byte) {
	t.text, t.Letters, t.pieces = x, x, t.pieces[:0]
	if norm.NFC.IsNormal(x) {
		return
	}
	t.buffer = slices.Grow(t.buffer[:0], len(x))
	var in norm.Iter
	for in.Init(norm.NFC, x); !in.Done(); {
		p := piece{from: in.Pos(), at: len(t.buffer)}
		t.buffer = append(t.buffer, in.Next()...)
		p.to, p.end = in.Pos(), len(t.buffer)
		if !bytes.Equal(x[p.from:p.to], t.buffer[p.at:]) {
			t.pieces = append(t.pieces, p)
		}
	}
	t.Letters = t.buffer
}

// Place returns which bytes of the text became Letters[lo:hi], lo < hi, both between code points. The places of marks
// that changed their order overlap.
func (t *Text) Place(lo, hi int) (from, to int) {
	from, _ = t.around(lo)
	_, to = t.around(hi)
	return from, to
}

// around returns the place of an offset as that of a beginning and of an end. Package norm ends a piece after 30 marks.
func (t *Text) around(offset int) (from, to int) {
	i := sort.Search(len(t.pieces), func(i int) bool { return t.pieces[i].at >= offset })
	if i == 0 {
		return offset, offset
	}
	p := t.pieces[i-1]
	if offset >= p.end {
		return p.to + offset - p.end, p.to + offset - p.end
	}
	begun, to := t.Letters[p.at:offset], p.to
	for k := p.to; k > p.from; {
		became := norm.NFC.Bytes(t.text[p.from:k])
		if bytes.HasPrefix(became, begun) {
			to = k
		}
		if bytes.HasPrefix(begun, became) {
			return k, to
		}
		_, size := utf8.DecodeLastRune(t.text[:k])
		k -= size
	}
	return p.from, to
}
