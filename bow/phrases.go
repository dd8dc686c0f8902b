package bow

import (
	"fmt"
	"strings"
	"unicode/utf8"
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

// newPhrases converts the entries to terms. It returns an error that names the first entry without a word, or the first
// that only signs which are no part of words tell from another.
func newPhrases(t Tokenizer, entries []string) (*phrases, error) {
	p := &phrases{tree: radix.New()}
	f := newForms(t)
	var first []int // entry of each key
	for i, entry := range entries {
		key, words := phraseKey(f, entry)
		if words == 0 {
			return nil, fmt.Errorf(
				"dict: entry %d, %.40q, has no word; write words, the last of which may be a prefix*",
				i+1, entry)
		}
		if old, twice := p.tree.Get(key); twice {
			if err := f.checkSame(entries, first[old.(phrase).id], i); err != nil {
				return nil, err
			}
			continue
		}
		first = append(first, i)
		p.tree.Insert(key, phrase{int32(len(p.keys)), words})
		p.keys = append(p.keys, key)
		p.longest = max(p.longest, words)
	}
	return p, nil
}

// checkSame returns an error about two entries of one key if they differ in more than case and stems.
func (f *forms) checkSame(entries []string, i, j int) error {
	words, _ := f.wordsOf(entries[i])
	others, _ := f.wordsOf(entries[j])
	written := func(entry string) string {
		return string(f.fold(nil, []byte(strings.Join(strings.Fields(entry), " "))))
	}
	if words != others || written(entries[i]) == written(entries[j]) {
		return nil
	}
	return fmt.Errorf("dict: entries %d, %.40q, and %d, %.40q, have the same words, %q; leave one out, or keep signs "+
		"with delimiters=%s", i+1, entries[i], j+1, entries[j], words, White)
}

// wordsOf returns the folded words of an entry, and whether a shorter text has the same: if signs that are no part of
// words are at an end of the entry, or several beside each other or beside blanks.
func (f *forms) wordsOf(entry string) (words string, shorter bool) {
	text := strings.TrimSuffix(entry, "*")
	hasSign := func(gap string) bool {
		return strings.ContainsFunc(gap, func(r rune) bool { return !separates(r) && r != utf8.RuneError })
	}
	var b strings.Builder
	end := 0
	f.words.eachWord([]byte(text), func(lo, hi int) {
		if end > 0 {
			b.WriteByte(' ')
		}
		gap := text[min(end, lo):lo]
		shorter = shorter || hasSign(gap) && (end == 0 || utf8.RuneCountInString(gap) > 1)
		b.Write(f.fold(nil, []byte(text[lo:hi])))
		end = hi
	})
	return b.String(), shorter || hasSign(text[end:])
}

// mostNamed is how many entries of a list a warning names.
const mostNamed = 3

// dictWarnings says which entries of a dictionary match without signs that they have.
func (t Tokenizer) dictWarnings(entries []string) []string {
	if t.Leaves {
		return nil
	}
	f, count := newForms(t), 0
	var some []string
	for _, entry := range entries {
		if words, shorter := f.wordsOf(entry); shorter {
			if count++; count <= mostNamed {
				some = append(some, fmt.Sprintf("%.40q as %.40q", entry, words))
			}
		}
	}
	if count == 0 {
		return nil
	}
	return []string{fmt.Sprintf("dict: %d of %d entries match without their signs: %s; delimiters=%s keeps signs", count,
		len(entries), listed(some, count), White)}
}

// stopWarnings says which entries of Stop no word can match.
func (t Tokenizer) stopWarnings() []string {
	if t.Leaves {
		return nil
	}
	words, count := t.cutter(), 0
	var some []string
	for _, entry := range t.Stop {
		if entry == English { // the name of a list
			continue
		}
		whole := false
		words.eachWord([]byte(entry), func(lo, hi int) { whole = lo == 0 && hi == len(entry) })
		if !whole {
			if count++; count <= mostNamed {
				some = append(some, fmt.Sprintf("%.40q", entry))
			}
		}
	}
	if count == 0 {
		return nil
	}
	return []string{fmt.Sprintf("stop: %d of %d entries are not one word and match none: %s; give the words one by one, "+
		"or change what words are with delimiters", count, len(t.Stop), listed(some, count))}
}

// listed lists some of a number of entries.
func listed(some []string, count int) string {
	list := strings.Join(some, ", ")
	if more := count - len(some); more > 0 {
		list = fmt.Sprintf("%s and %d more", list, more)
	}
	return list
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
