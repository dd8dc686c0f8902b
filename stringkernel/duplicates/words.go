package duplicates

import (
	"slices"

	"github.com/seqsvm/seqsvm/internal/hash"
	"github.com/seqsvm/seqsvm/internal/kmer"
	"github.com/seqsvm/seqsvm/internal/scratch"
	"github.com/seqsvm/seqsvm/stringkernel"
)

// WordLength returns the number of letters of the words that records are compared by: 16 for dna and rna, 5 for
// protein, 8 for bytes.
func WordLength(a stringkernel.Alphabet) int {
	switch {
	case a.Complementary():
		return 16
	case a.OfAminoAcids():
		return 5
	default:
		return 8
	}
}

// coder packs words into codes: of at most 32 bits but for bytes, where they are 64.
type coder struct {
	kmer.Coder
	strands bool // a word and its reverse complement have one code, the lower
}

func newCoder(a stringkernel.Alphabet) coder {
	return coder{kmer.New(a, WordLength(a)), a.Complementary()}
}

// append appends the code of every word of x, repeated ones too.
func (c *coder) append(dst []uint64, x []byte) []uint64 {
	if c.strands {
		return c.AppendCanonical(dst, x)
	}
	return c.Append(dst, x)
}

// Numbers of words of a record.
const (
	fewWords   = 1 << 12 // up to this many are quickly read again
	mostHashed = 1 << 16 // more are sorted, not hashed: a set takes up to 64 bytes a word
)

// sort sorts codes, which it writes over, and returns each of them once.
func (c *coder) sort(codes []uint64) []uint64 {
	var space []uint64
	kmer.Sort(codes, 0, c.Bits*uint(c.K), &space)
	return slices.Compact(codes)
}

// sortedWords keeps the words of the records that were asked for last, each once and in order.
type sortedWords struct {
	lists map[int32][]uint64
	words int // in all lists
}

// of returns the words of a number, which list lists unless they are kept.
func (s *sortedWords) of(x int32, list func() []uint64) []uint64 {
	if words, kept := s.lists[x]; kept {
		return words
	}
	words := list()
	if s.words += len(words); s.lists == nil || s.words > mostIndexed {
		s.lists, s.words = map[int32][]uint64{}, len(words)
	}
	s.lists[x] = words
	return words
}

// sharedWords returns how many words two ascending lists share: O(len(a)·log(len(b)/len(a))) for a list a no longer
// than b.
func sharedWords(a, b []uint64) (n int) {
	for _, code := range a {
		end := 1
		for end < len(b) && b[end-1] < code {
			end *= 2
		}
		at, found := slices.BinarySearch(b[end/2:min(end, len(b))], code)
		if found {
			n++
		}
		b = b[end/2+at:]
	}
	return n
}

// wordSet is a set of codes. The zero value is an empty set.
type wordSet struct {
	numbers hash.Table
	met     []uint32 // by number, the last look that met the code
	look    uint32
}

// fill makes the set that of the codes, and returns the distinct ones of them, in place.
func (s *wordSet) fill(codes []uint64) []uint64 {
	s.numbers.Reset(2 * len(codes))
	distinct := codes[:0]
	for _, code := range codes {
		if int(s.numbers.Number(code)) == len(distinct) {
			distinct = append(distinct, code)
		}
	}
	s.met, s.look = scratch.Resize(s.met, len(distinct)), 0
	clear(s.met)
	return distinct
}

// common returns the number of distinct codes that are in the set.
func (s *wordSet) common(codes []uint64) int {
	s.look++
	n := 0
	for _, code := range codes {
		if number := s.numbers.Find(code); number > 0 && s.met[number-1] != s.look {
			s.met[number-1] = s.look
			n++
		}
	}
	return n
}
