package bow

import (
	"fmt"
	"strings"
	"unsafe"

	"github.com/armon/go-radix"

	"github.com/seqsvm/seqsvm/internal/intern"
)

// phrases is an explicit dictionary: sequences of terms, of which the last may be a prefix. Keys of the tree are the
// terms, each followed by a space unless it is a prefix, so that the longest key that is a prefix of the rest of a text
// is the longest entry.
type phrases struct {
	tree    *radix.Tree
	keys    []string // distinct, in the order of the dictionary
	longest int      // words of the longest entry
}

// phrase is the value of a key.
type phrase struct {
	id    int32
	words int
}

// newPhrases converts the entries to terms. It returns an error that names the first entry without a word.
func newPhrases(t Tokenizer, entries []string) (*phrases, error) {
	p := &phrases{tree: radix.New()}
	f := newForms(t)
	for i, entry := range entries {
		key, words := phraseKey(f, entry)
		if words == 0 {
			return nil, fmt.Errorf(
				"dict: entry %d, %.40q, has no word; write words, the last of which may be a prefix*",
				i+1, entry)
		}
		if _, twice := p.tree.Get(key); twice {
			continue
		}
		p.tree.Insert(key, phrase{int32(len(p.keys)), words})
		p.keys = append(p.keys, key)
		p.longest = max(p.longest, words)
	}
	return p, nil
}

// phraseKey returns the key of an entry and the number of its words. A prefix is folded but not stemmed.
func phraseKey(f *forms, entry string) (key string, count int) {
	text, isPrefix := strings.CutSuffix(entry, "*")
	type span struct{ lo, hi int }
	var spans []span
	f.words.eachWord([]byte(text), func(lo, hi int) { spans = append(spans, span{lo, hi}) })
	var b strings.Builder
	for i, s := range spans {
		word := []byte(text[s.lo:s.hi])
		if isPrefix && i == len(spans)-1 {
			b.Write(f.fold(nil, word))
			return b.String(), count + 1
		}
		if term, kept := f.term(word); kept {
			b.Write(term)
			b.WriteByte(' ')
			count++
		}
	}
	return b.String(), count
}

// numbered returns the dictionary with the ids of its keys in a table. An entry that is not in the table still consumes
// its words, as an unknown word.
func (p *phrases) numbered(table *intern.Terms) *phrases {
	n := &phrases{tree: radix.New(), keys: p.keys, longest: p.longest}
	for _, key := range p.keys {
		old, _ := p.tree.Get(key)
		n.tree.Insert(key, phrase{table.Find([]byte(key)), old.(phrase).words})
	}
	return n
}

// longestAt returns the longest entry at the beginning of a text of terms, each followed by a space.
func (p *phrases) longestAt(text []byte) (phrase, bool) {
	if len(text) == 0 {
		return phrase{}, false
	}
	// the tree keeps no part of the key it looks up
	_, value, found := p.tree.LongestPrefix(unsafe.String(&text[0], len(text)))
	if !found {
		return phrase{}, false
	}
	return value.(phrase), true
}
