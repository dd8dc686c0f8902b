package bow

import (
	"unicode/utf8"

	"github.com/seqsvm/seqsvm/internal/ends"
	"github.com/seqsvm/seqsvm/internal/intern"
)

// spelling is the letters of words: for each word the tokens of a space, its characters and a space. It is for one
// goroutine.
type spelling struct {
	ids  []int32
	ends []int // in ids, after word 0, 1, …
}

var space = []byte(" ")

// of returns the letters of a word, whose number is at most one above all earlier ones. letter returns the token of a
// character.
func (s *spelling) of(number int, word []byte, letter func(character []byte) int32) []int32 {
	if number == len(s.ends) {
		s.ids = append(s.ids, letter(space))
		for len(word) > 0 {
			_, size := utf8.DecodeRune(word)
			s.ids = append(s.ids, letter(word[:size]))
			word = word[size:]
		}
		s.ids = append(s.ids, letter(space))
		s.ends = append(s.ends, len(s.ids))
	}
	lo, hi := ends.Bounds(s.ends, number)
	return s.ids[lo:hi]
}

// spell makes tokens of the letters of the words read. Each word is followed by a token that is in no n-gram; the place
// of a letter is that of its word.
func (r *reader) spell() {
	r.ids, r.spans = r.ids[:0], r.spans[:0]
	for i, word := range r.wordIDs {
		r.ids = append(r.ids, r.spelling.of(int(word), r.words.At(int(word)), r.token)...)
		r.ids = append(r.ids, intern.None)
		for len(r.spans) < len(r.ids) {
			r.spans = append(r.spans, r.places[i])
		}
	}
}
