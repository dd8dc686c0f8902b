// Command articles writes labelled documents, a line of label, tab and text each, for benchmarks of text kernels where
// no corpus of the size may be shipped:
//
//	go run ./benchmarks/articles -n 18846 -classes 20 -seed 1 -o articles.tsv
//
// Their statistics are like those of news groups: few words that occur everywhere, many that occur once, recurring word
// pairs, lengths that differ a hundredfold, and classes that differ by a few hundred words each.
//
// # Model
//
// Words have ranks r = 0, 1, …; that of rank r is a string of syllables, the same for every seed. A word is drawn
//
//   - as one of the four usual followers of the previous word, with probability 1/2; these are drawn freely, once per
//     word;
//   - as one of the 400 topic words of the document's class, with probability 1/10, topic word t in proportion to
//     1/(t + 10); topics of two classes may share words;
//   - else freely: by the Zipf-Mandelbrot law, rank r in proportion to (r + 2.7)^−1.05 among 200,000 ranks.
//
// Sentences have 4 to 24 words and begin with a capital; a document has 20·e^z words, z from 0 to 4.6 as the mean of
// two uniform draws, so that about 200 words are typical. Classes are named class1, class2, … and drawn uniformly.
//
// The same numbers of documents and classes and the same seed give the same bytes. Unlike those of package planted they
// depend on math.Exp and math.Pow, whose last bits may differ between processors, which can, rarely, change a word.
package main

import (
	"bufio"
	"cmp"
	"flag"
	"fmt"
	"io"
	"math"
	"math/rand/v2"
	"os"
	"sort"

	"github.com/seqsvm/seqsvm/seqio/atomicfile"
)

const (
	vocabulary  = 200_000
	followers   = 4      // usual successors of a word
	topicWords  = 400    // of a class
	commonWords = 2000   // the most frequent, which are not topic words
	topicRanks  = 20_000 // the next ranks, from which topic words come
)

func main() {
	n := flag.Int("n", 1000, "number of documents")
	classes := flag.Int("classes", 20, "number of classes")
	seed := flag.Uint64("seed", 1, "seed of the random numbers")
	output := flag.String("o", "articles.tsv", "output file")
	flag.Parse()
	err := atomicfile.WriteTo(*output, func(w io.Writer) error {
		out := bufio.NewWriter(w)
		return cmp.Or(generate(out, *n, *classes, *seed), out.Flush())
	})
	if err != nil {
		fmt.Fprintf(os.Stderr, "articles: %v\n", err)
		os.Exit(1)
	}
}

// generate writes n documents of the given number of classes. Texts are ASCII.
func generate(out io.Writer, n, classes int, seed uint64) error {
	if n < 1 || classes < 1 {
		return fmt.Errorf("%d documents of %d classes, want at least one of each", n, classes)
	}
	w := newWriter(classes, seed)
	for range n {
		class := w.random.IntN(classes)
		if _, err := fmt.Fprintf(out, "class%d\t%s\n", class+1, w.document(class)); err != nil {
			return err
		}
	}
	return nil
}

// writer draws words.
type writer struct {
	random *rand.Rand
	free   distribution
	topic  distribution
	topics [][]int32 // ranks of a class's words
	next   [][followers]int32
}

func newWriter(classes int, seed uint64) *writer {
	w := &writer{
		random: rand.New(rand.NewPCG(seed, 0x61727469636c6573)),
		free:   newDistribution(vocabulary, func(r int) float64 { return math.Pow(float64(r)+2.7, -1.05) }),
		topic:  newDistribution(topicWords, func(t int) float64 { return 1 / float64(t+10) }),
	}
	w.next = make([][followers]int32, vocabulary)
	for word := range w.next {
		for i := range w.next[word] {
			w.next[word][i] = w.free.draw(w.random)
		}
	}
	w.topics = make([][]int32, classes)
	for c := range w.topics {
		for range topicWords {
			w.topics[c] = append(w.topics[c], int32(commonWords+w.random.IntN(topicRanks)))
		}
	}
	return w
}

// document draws the words of one document.
func (w *writer) document(class int) []byte {
	z := 4.6 * (w.random.Float64() + w.random.Float64()) / 2
	var text []byte
	left, before := 0, int32(0)
	for range int(20 * math.Exp(z)) {
		if left == 0 {
			left = 4 + w.random.IntN(21)
			if len(text) > 0 {
				text = append(text, '.')
			}
		}
		if len(text) > 0 {
			text = append(text, ' ')
		}
		at := len(text)
		before = w.word(class, before)
		text = appendWord(text, before)
		if at == 0 || text[max(at-2, 0)] == '.' {
			text[at] -= 'a' - 'A'
		}
		left--
	}
	return append(text, '.')
}

// word draws the rank of the word after another.
func (w *writer) word(class int, before int32) int32 {
	switch draw := w.random.IntN(10); {
	case draw < 5:
		return w.next[before][w.random.IntN(followers)]
	case draw < 6:
		return w.topics[class][w.topic.draw(w.random)]
	default:
		return w.free.draw(w.random)
	}
}

// appendWord spells a rank: syllables of a consonant and a vowel are the digits of the rank, the most frequent words
// the shortest.
func appendWord(dst []byte, rank int32) []byte {
	const consonants, vowels = "tnsrhldcmfpgwbvk", "eaiou"
	for n := rank; ; n = n/int32(len(consonants)*len(vowels)) - 1 {
		dst = append(dst, consonants[n%int32(len(consonants))], vowels[n/int32(len(consonants))%int32(len(vowels))])
		if n < int32(len(consonants)*len(vowels)) {
			return dst
		}
	}
}

// distribution draws 0, 1, … with given weights by searching the sums of them, in units of 2⁻⁵³ of their total.
type distribution []uint64

func newDistribution(n int, weight func(i int) float64) distribution {
	total := 0.0
	for i := range n {
		total += weight(i)
	}
	d, sum := make(distribution, n), 0.0
	for i := range d {
		sum += weight(i)
		d[i] = uint64(math.Round(sum / total * (1 << 53)))
	}
	return d
}

func (d distribution) draw(r *rand.Rand) int32 {
	u := r.Uint64() >> 11
	return int32(min(sort.Search(len(d), func(i int) bool { return u < d[i] }), len(d)-1))
}
