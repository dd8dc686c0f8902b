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

// piece is bytes from … to−1 of the text, which became bytes at … end−1. A record is shorter than 2³⁰, and NFC at most
// three times as long.
type piece struct{ from, to, at, end uint32 }

// Read replaces the text. It keeps x, and copies it only if it is not in NFC. Bytes that are not UTF-8 stay, and
// nothing combines with them. O(len(x)).
func (t *Text) Read(x []byte) {
	t.text, t.Letters, t.pieces = x, x, t.pieces[:0]
	if utf8.Valid(x) && norm.NFC.IsNormal(x) {
		return
	}
	t.buffer = slices.Grow(t.buffer[:0], len(x))
	for at := 0; at < len(x); {
		size := bytes.IndexRune(x[at:], utf8.RuneError) // which is also the sign for bytes that are not UTF-8
		if size < 0 {
			size = len(x) - at
		}
		t.append(x[at:at+size], at)
		at += size
		_, size = utf8.DecodeRune(x[at:])
		t.buffer = append(t.buffer, x[at:at+size]...)
		at += size
	}
	t.Letters = t.buffer
}

// append adds the normal form of UTF-8 that begins at an offset of the text.
func (t *Text) append(x []byte, offset int) {
	var in norm.Iter
	for in.Init(norm.NFC, x); !in.Done(); {
		from, at := in.Pos(), len(t.buffer)
		for in.Pos() == from && !in.Done() { // a letter may become several, one after another
			t.buffer = append(t.buffer, in.Next()...)
		}
		if to := in.Pos(); !bytes.Equal(x[from:to], t.buffer[at:]) {
			t.pieces = append(t.pieces,
				piece{uint32(offset + from), uint32(offset + to), uint32(at), uint32(len(t.buffer))})
		}
	}
}

// Place returns which bytes of the text became Letters[lo:hi], lo < hi, both between code points. The places of marks
// that changed their order overlap.
func (t *Text) Place(lo, hi int) (from, to int) {
	from, _ = t.around(lo)
	_, to = t.around(hi)
	return from, to
}

// around returns the place of an offset as that of a beginning and of an end. Pieces are short: package norm ends one
// after 30 marks.
func (t *Text) around(offset int) (from, to int) {
	i := sort.Search(len(t.pieces), func(i int) bool { return int(t.pieces[i].at) >= offset })
	if i == 0 {
		return offset, offset
	}
	p := t.pieces[i-1]
	if after := offset - int(p.end); after >= 0 {
		return int(p.to) + after, int(p.to) + after
	}
	begun, from, to := t.Letters[p.at:offset], int(p.from), int(p.to)
	for k := to; k > from; {
		became := norm.NFC.Bytes(t.text[from:k])
		if bytes.HasPrefix(became, begun) {
			to = k
		}
		if bytes.HasPrefix(begun, became) {
			return k, to
		}
		_, size := utf8.DecodeLastRune(t.text[:k])
		k -= size
	}
	return from, to
}
