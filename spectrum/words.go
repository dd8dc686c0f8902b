package spectrum

import "github.com/seqsvm/seqsvm/stringkernel"

// word is one occurrence of a word in a document: what the sorted regime sorts. 16 bytes.
type word struct {
	key    uint64 // the code, moved up to the width of k letters if the word is shorter
	doc    uint32
	length uint32
}

// corpusWords returns the longest word (of at most k letters) at every position of the corpus, in order of documents.
// Words of fewer than shortest letters are left out; shortest = k leaves the words of exactly k.
func corpusWords(c coder, corpus *stringkernel.Corpus, shortest int) []word {
	words := make([]word, 0, corpus.Letters())
	var (
		codes []uint64
		tails []tail
	)
	for j := range corpus.Len() {
		x := corpus.Seq(j)
		codes = c.codes(codes[:0], x)
		for _, code := range codes {
			words = append(words, word{code, uint32(j), uint32(c.k)})
		}
		if shortest >= c.k {
			continue
		}
		tails = c.tails(tails[:0], x)
		for _, t := range tails {
			if t.length >= shortest {
				words = append(words, word{t.code << (c.bits * uint(c.k-t.length)), uint32(j), uint32(t.length)})
			}
		}
	}
	return words
}

// sortWords sorts by the low keyBits bits of the key, stably: documents stay in order among equal keys. It is a radix
// sort from the lowest digit up that skips digits all keys share; O(n · keyBits / 11) time, 16 bytes per word of
// scratch. It returns the sorted words, which may be in the scratch array.
func sortWords(words []word, keyBits uint) []word {
	const (
		digit = 11
		small = 64 // below this, counting 2¹¹ digits costs more than insertion
	)
	if len(words) < small {
		insertWords(words)
		return words
	}
	scratch := make([]word, len(words))
	for shift := uint(0); shift < keyBits; shift += digit {
		var next [1 << digit]int
		for i := range words {
			next[words[i].key>>shift&(1<<digit-1)]++
		}
		if next[words[0].key>>shift&(1<<digit-1)] == len(words) {
			continue
		}
		sum := 0
		for d, n := range next {
			next[d] = sum
			sum += n
		}
		for i := range words {
			d := words[i].key >> shift & (1<<digit - 1)
			scratch[next[d]] = words[i]
			next[d]++
		}
		words, scratch = scratch, words
	}
	return words
}

// insertWords is a stable insertion sort by key.
func insertWords(words []word) {
	for i := 1; i < len(words); i++ {
		w := words[i]
		j := i
		for ; j > 0 && words[j-1].key > w.key; j-- {
			words[j] = words[j-1]
		}
		words[j] = w
	}
}
