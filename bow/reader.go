package bow

import (
	"context"

	"github.com/seqsvm/seqsvm/internal/cancel"
	"github.com/seqsvm/seqsvm/internal/intern"
)

// span is the place of a token: bytes lo … hi−1 of the text, 0-based.
type span struct{ lo, hi int }

// Limits on the words that a reader remembers.
const (
	mostSeen      = 1 << 17 // different words
	mostSeenBytes = 4 << 20
	mostSeenWord  = 64 // bytes; a longer word is looked up every time
)

// dropped is the id of a stop word.
const dropped = -2

// reader turns texts into token ids. It remembers the ids of the words of texts, so that each is folded, compared with
// the stop words and stemmed once. It is for one goroutine.
type reader struct {
	forms   *forms
	terms   *intern.Terms // the vocabulary
	open    bool          // new words are added to terms
	phrases *phrases      // if not nil, tokens are its entries instead of words
	letters bool          // tokens are the letters of words

	seen     intern.Terms
	meanings []int32      // of seen
	words    intern.Terms // ids of words where tokens are entries or letters
	spelling spelling     // of words
	joined   []byte
	wordIDs  []int32
	places   []span // of wordIDs

	ids   []int32 // the tokens of the last text, intern.None for a word outside the vocabulary; without stop words
	spans []span  // of ids
}

// read fills ids and spans with the tokens of x.
func (r *reader) read(x []byte) {
	r.forgetMany()
	if !r.indirect() {
		r.ids, r.spans = r.tokens(r.ids[:0], r.spans[:0], x)
		return
	}
	r.wordIDs, r.places = r.tokens(r.wordIDs[:0], r.places[:0], x)
	if r.letters {
		r.spell()
	} else {
		r.matchPhrases()
	}
}

// indirect reports whether tokens are derived from words instead of being words.
func (r *reader) indirect() bool { return r.letters || r.phrases != nil }

// forgetMany frees the memory of the words seen if there are too many.
func (r *reader) forgetMany() {
	if r.seen.Len() > mostSeen || len(r.seen.Text)+len(r.words.Text) > mostSeenBytes {
		r.seen, r.words, r.meanings, r.spelling = intern.Terms{}, intern.Terms{}, nil, spelling{}
	}
}

// appendIDs appends the tokens of x, which are words, without their places. The end of ctx ends it (package cancel).
func (r *reader) appendIDs(ctx context.Context, ids []int32, x []byte) []int32 {
	r.forgetMany()
	r.forms.words.each(x, func(lo, hi int) {
		if len(ids)%(1<<16) == 0 {
			cancel.Check(ctx)
		}
		if id := r.meaning(x[lo:hi]); id != dropped {
			ids = append(ids, id)
		}
	})
	return ids
}

func (r *reader) tokens(ids []int32, spans []span, x []byte) ([]int32, []span) {
	r.forms.words.each(x, func(lo, hi int) {
		if id := r.meaning(x[lo:hi]); id != dropped {
			ids, spans = append(ids, id), append(spans, span{lo, hi})
		}
	})
	return ids, spans
}

// meaning returns the id of a word of a text.
func (r *reader) meaning(word []byte) int32 {
	if len(word) > mostSeenWord {
		return r.resolve(word)
	}
	before := r.seen.Len()
	at := r.seen.Add(word)
	if int(at) == before {
		r.meanings = append(r.meanings, r.resolve(word))
	}
	return r.meanings[at]
}

// resolve is meaning for a word not seen before.
func (r *reader) resolve(word []byte) int32 {
	term, kept := r.forms.term(word)
	switch {
	case !kept:
		return dropped
	case r.indirect():
		return r.words.Add(term)
	default:
		return r.token(term)
	}
}

// token returns the id of a term of the vocabulary.
func (r *reader) token(term []byte) int32 { return r.terms.Number(term, r.open) }

// matchPhrases scans the words from left to right: the longest entry that begins at a word is a token and consumes its
// words; a word at which none begins is unknown.
func (r *reader) matchPhrases() {
	r.ids, r.spans = r.ids[:0], r.spans[:0]
	for at := 0; at < len(r.wordIDs); {
		r.joined = r.joined[:0]
		for i := at; i < min(at+r.phrases.longest, len(r.wordIDs)); i++ {
			r.joined = append(append(r.joined, r.words.At(int(r.wordIDs[i]))...), ' ')
		}
		entry, found := r.phrases.longestAt(r.joined)
		if !found {
			entry = phrase{intern.None, 1}
		}
		r.ids = append(r.ids, entry.id)
		// NFKC may put spaces into a word, so that it can match an entry of several words
		next := min(at+entry.words, len(r.places))
		r.spans = append(r.spans, span{r.places[at].lo, r.places[next-1].hi})
		at = next
	}
}
