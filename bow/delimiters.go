package bow

import (
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"

	"github.com/seqsvm/seqsvm/internal/canonical"
)

// delimiterNames are those of characters that a specification of a kernel or a grid of them reads otherwise.
var delimiterNames = map[string]rune{"comma": ',', "colon": ':', "slash": '/', "plus": '+', "minus": '-', "at": '@'}

// White is the entry of Delimiters that adds no character to what separates words anyway.
const White = "white"

// delimiters finds the words of texts between delimiters.
type delimiters struct {
	ascii [utf8.RuneSelf]bool
	other []rune
}

// newDelimiters reads entries, nil if there are none.
func newDelimiters(entries []string) (*delimiters, error) {
	if len(entries) == 0 {
		return nil, nil
	}
	d := new(delimiters)
	for r := range rune(utf8.RuneSelf) {
		d.ascii[r] = separates(r)
	}
	for i, entry := range entries {
		entry = norm.NFC.String(entry)
		sign, size := utf8.DecodeRuneInString(entry)
		named, isName := delimiterNames[entry]
		switch {
		case entry == White:
			continue
		case isName:
			sign = named
		case entry == "" || size < len(entry) || sign == utf8.RuneError && size == 1:
			return nil, fmt.Errorf("delimiters: entry %d is %.40q, want one character, %s or one of: %s", i+1, entry,
				White, strings.Join(slices.Sorted(maps.Keys(delimiterNames)), ", "))
		}
		if sign < utf8.RuneSelf {
			d.ascii[sign] = true
		} else {
			d.other = append(d.other, sign)
		}
	}
	return d, nil
}

// separates reports whether words end at a character whatever the delimiters: names of n-grams and lists of words can
// then be told apart.
func separates(r rune) bool { return unicode.IsSpace(r) || unicode.IsControl(r) }

// each calls visit for every word of x, in order. Words are those of NFC: ≠ is not the sign = with a mark. A byte that
// is not UTF-8 separates.
func (d *delimiters) each(x []byte, visit func(lo, hi int)) {
	var text canonical.Text
	text.Read(x)
	d.eachNormal(text.Letters, func(lo, hi int) { visit(text.Place(lo, hi)) })
}

// eachNormal is each of a text in NFC.
func (d *delimiters) eachNormal(x []byte, visit func(lo, hi int)) {
	start := 0
	end := func(at, size int) {
		if start < at {
			visit(start, at)
		}
		start = at + size
	}
	for at := 0; at < len(x); {
		if b := x[at]; b < utf8.RuneSelf {
			if d.ascii[b] {
				end(at, 1)
			}
			at++
			continue
		}
		r, size := utf8.DecodeRune(x[at:])
		if r == utf8.RuneError && size == 1 || separates(r) || slices.Contains(d.other, r) {
			end(at, size)
		}
		at += size
	}
	end(len(x), 0)
}

// checkDelimiters returns an error for delimiters that cannot be read, or with what they cannot be used with.
func (t Tokenizer) checkDelimiters() error {
	switch _, err := newDelimiters(t.Delimiters); {
	case err != nil:
		return err
	case len(t.Delimiters) > 0 && t.Leaves:
		return errors.New("delimiters cannot be used with leaves: the words are whole labels")
	case len(t.Delimiters) > 0 && t.NFKC:
		return errors.New("delimiters cannot be used with nfkc, which makes spaces of some signs")
	}
	return nil
}
