package oligo

import "github.com/seqsvm/seqsvm/stringkernel"

// cells are the distinct pairs of a k-mer and a position in a corpus, ordered by k-mer and position. K-mers are
// numbered by first occurrence.
type cells struct {
	words  wordNumbers
	starts []uint32 // the cells of k-mer w are starts[w] … starts[w+1]−1
	word   []uint32 // of a cell
	at     []uint32 // of a cell
	places []uint32 // the cell of every occurrence, sequence after sequence
	ends   []int    // ends[i] is one past the occurrences of sequence i in places
	length int      // 1 + the last position of a k-mer, 0 without k-mers
}

// newCells lists the cells of a corpus of fewer than 2³¹ letters, in linear time: occurrences are sorted by position
// and then by k-mer, each in one stable pass of counting.
func newCells(k Kernel, c *stringkernel.Corpus) cells {
	t := cells{words: newWordNumbers(k), ends: make([]int, c.Len())}
	var number, at []uint32 // of every occurrence
	var found []occurrence
	for i := range c.Len() {
		found = k.appendWords(found[:0], c.Seq(i))
		for _, w := range found {
			number, at = append(number, t.words.add(w.code)), append(at, uint32(w.at))
			t.length = max(t.length, int(w.at)+1)
		}
		t.ends[i] = len(number)
	}
	order := make([]uint32, len(number))
	for i := range order {
		order[i] = uint32(i)
	}
	order = sortedByKey(sortedByKey(order, at, t.length), number, t.words.n)
	t.places = make([]uint32, len(number))
	for _, o := range order {
		if last := len(t.at) - 1; last < 0 || t.word[last] != number[o] || t.at[last] != at[o] {
			if last < 0 || t.word[last] != number[o] {
				t.starts = append(t.starts, uint32(len(t.at)))
			}
			t.word, t.at = append(t.word, number[o]), append(t.at, at[o])
		}
		t.places[o] = uint32(len(t.at) - 1)
	}
	t.starts = append(t.starts, uint32(len(t.at)))
	return t
}

// of returns the cells of the occurrences in sequence i.
func (t *cells) of(i int) []uint32 {
	start := 0
	if i > 0 {
		start = t.ends[i-1]
	}
	return t.places[start:t.ends[i]]
}

// spread adds a·exp(−d²/4σ²) to the entry in sums of each cell of the same k-mer at a distance d within reach.
func (t *cells) spread(sums, bells []float64, cell uint32, a float64) {
	first, end := t.starts[t.word[cell]], t.starts[t.word[cell]+1]
	centre := t.at[cell]
	sums[cell] += a
	for c := cell + 1; c < end; c++ {
		d := t.at[c] - centre
		if int(d) >= len(bells) {
			break
		}
		sums[c] += float64(a * bells[d])
	}
	for c := cell; c > first; c-- {
		d := centre - t.at[c-1]
		if int(d) >= len(bells) {
			break
		}
		sums[c-1] += float64(a * bells[d])
	}
}

// sortedByKey returns items in ascending order of key[item] < bound, keeping the order of equal ones.
func sortedByKey(items, key []uint32, bound int) []uint32 {
	next := make([]uint32, bound+1) // next[k+1] counts the items of key k; next[k] is then the place of the next one
	for _, item := range items {
		next[key[item]+1]++
	}
	for k := range bound {
		next[k+1] += next[k]
	}
	sorted := make([]uint32, len(items))
	for _, item := range items {
		k := key[item]
		sorted[next[k]] = item
		next[k]++
	}
	return sorted
}

// wordNumbers numbers k-mers 0, 1, … as they are added: by an array if the alphabet has few k-mers of that length, else
// by hashing.
type wordNumbers struct {
	direct []uint32 // 1 + the number
	sparse map[uint64]uint32
	codes  []uint64 // by number
	n      int
}

// directWordBits is the largest width of a code that indexes an array: 4 MB.
const directWordBits = 20

func newWordNumbers(k Kernel) wordNumbers {
	if width := k.K * k.Alphabet.Bits(); width <= directWordBits {
		return wordNumbers{direct: make([]uint32, 1<<width)}
	}
	return wordNumbers{sparse: map[uint64]uint32{}}
}

// add returns the number of a k-mer, a new one if it has none.
func (w *wordNumbers) add(code uint64) uint32 {
	if number, known := w.find(code); known {
		return number
	}
	if w.direct != nil {
		w.direct[code] = uint32(w.n) + 1
	} else {
		w.sparse[code] = uint32(w.n)
	}
	w.codes = append(w.codes, code)
	w.n++
	return uint32(w.n) - 1
}

// find returns the number of a k-mer, if it has one.
func (w *wordNumbers) find(code uint64) (number uint32, known bool) {
	if w.direct != nil {
		number = w.direct[code]
		return number - 1, number > 0
	}
	number, known = w.sparse[code]
	return number, known
}
