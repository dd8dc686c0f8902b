package motif

import (
	"math"
	"slices"

	"github.com/seqsvm/seqsvm/stringkernel"
)

// words are the letters of records as codes of the words that begin at each position, of one length.
type words struct {
	length int
	number int // of words, which is the code of what cannot be in a site
	codes  [][]uint16
}

// The lengths of words: those of motifs with as many columns, and of all motifs.
const (
	longWord  = 6
	shortWord = leastColumns
	mostWords = 1 << 12 // so that the tables of a matrix stay in the processor's first cache
)

// wordsOf codes words of at most a length. Those with a letter outside the alphabet cannot be in a site.
func wordsOf(records []Record, a stringkernel.Alphabet, longest int) *words {
	sigma, table := a.Size(), a.Codes()
	w := &words{length: 1, number: sigma, codes: make([][]uint16, len(records))}
	for w.length < longest && w.number*sigma <= mostWords {
		w.length, w.number = w.length+1, w.number*sigma
	}
	for i, r := range records {
		w.codes[i] = make([]uint16, max(0, len(r.Letters)-w.length+1))
		for at := range w.codes[i] {
			code := 0
			for _, b := range r.Letters[at : at+w.length] {
				c := table[b]
				if c == stringkernel.Outside {
					code = w.number
					break
				}
				code = code*sigma + int(c)
			}
			w.codes[i][at] = uint16(code)
		}
	}
	return w
}

// take has no later site contain a position of a record.
func (w *words) take(record, position int) {
	codes := w.codes[record]
	for at := max(0, position-w.length+1); at <= min(position, len(codes)-1); at++ {
		codes[at] = uint16(w.number)
	}
}

// lookahead scores windows by words of a matrix, those with the most information first, until the best that the others
// could add is not enough (Wu, Nevill-Manning & Brutlag 2000, doi:10.1093/bioinformatics/16.3.233).
type lookahead struct {
	chunks []chunk
	maybe  [2 * mostWords]bool // for each code of the first word, whether the others may add enough
}

// chunk is a word of a matrix.
type chunk struct {
	at    int     // its first column
	sums  []int32 // log-odds of each word, of columns that no chunk before has
	least int32   // of the sums up to here, for a window that may have enough
}

// never is a sum that no site has, whatever else it has.
const never = math.MinInt32 / 2

// newLookahead makes the tables of log-odds for windows that have at least a sum.
func (w *words) newLookahead(odds [][]int, least int) *lookahead {
	l := new(lookahead)
	counted := make([]bool, len(odds))
	for slices.Contains(counted, false) {
		l.chunks = append(l.chunks, w.next(odds, counted))
	}
	for i := range slices.Backward(l.chunks) {
		c := &l.chunks[i]
		c.least = int32(least)
		least -= int(slices.Max(c.sums))
	}
	for code, sum := range l.chunks[0].sums {
		l.maybe[code] = sum >= l.chunks[0].least
	}
	return l
}

// next returns the word of columns, not counted yet, in which random letters lose most.
func (w *words) next(odds [][]int, counted []bool) chunk {
	loss := func(at int) (sum int) {
		for j := at; j < at+w.length; j++ {
			if counted[j] {
				continue
			}
			sum++
			for _, x := range odds[j] {
				sum += slices.Max(odds[j]) - x
			}
		}
		return sum
	}
	var c chunk
	for at := range len(odds) - w.length + 1 {
		if loss(at) > loss(c.at) {
			c.at = at
		}
	}
	c.sums = []int32{0}
	for j := c.at; j < c.at+w.length; j++ {
		longer := make([]int32, 0, len(c.sums)*len(odds[j])+1)
		for _, sum := range c.sums {
			for _, x := range odds[j] {
				if counted[j] {
					x = 0
				}
				longer = append(longer, sum+int32(x))
			}
		}
		c.sums, counted[j] = longer, true
	}
	c.sums = append(c.sums, never)
	return c
}

// score returns the log-odds of the window whose words begin at codes, or never if they are not enough.
func (l *lookahead) score(codes []uint16) int {
	sum := int32(0)
	for i := range l.chunks {
		c := &l.chunks[i]
		if sum += c.sums[codes[c.at]]; sum < c.least {
			return never
		}
	}
	return int(sum)
}
