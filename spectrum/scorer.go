package spectrum

import (
	"fmt"
	"sync"

	"github.com/seqsvm/seqsvm/internal/memory"
	"github.com/seqsvm/seqsvm/stringkernel"
)

// maxOutputs bounds the number of outputs of a scorer: one-vs-one among 1,448 classes.
const maxOutputs = 1 << 20

// Scorer is the weights of all words of some support vectors: see [Kernel.Merge]. It is safe for concurrent use.
//
// Up to a length the words stand in arrays indexed by their codes, beyond it in a lookup per length. With Bounded a
// row is the sum over all prefixes of its word, so that the longest word that has one is all a position needs.
// Which lengths stand where does not change a bit of any score.
type Scorer struct {
	kernel  Kernel
	coder   coder
	fourth  byte // the fourth nucleotide, T or U; 0 for other alphabets
	outputs int
	weights []level // as merged, for Arrays

	dense  int         // words of up to dense letters stand in arrays; for the plain kernel K or 0
	tables [][]float64 // tables[l]: rows of outputs values, indexed by the code; nil where there is none
	deep   []*lookup   // deep[l]: words of l letters

	sums sync.Pool // *[]float64, 5 rows
	cuts sync.Map  // from int to []float64, by output: see cutTable
}

// Limits of the array regime of a scorer, in values. An array of 2²⁰ (8 MB) shares a third-level cache and beats any
// search. A larger one costs a miss per position, and pays if many of its words have a weight: a search that often
// finds something is mispredicted, and waits for several misses. The bounded kernel would search length after length,
// so it pays sooner.
const (
	scorerAlways        = 1 << 20
	scorerMost          = 1 << 24 // 128 MB
	scorerPerWord       = 16      // rows per word with a weight, above scorerAlways
	scorerPerWordNested = 64      // the same with Bounded
)

// scorerDepth returns the longest length whose words should stand in arrays: for the plain kernel K or 0.
func scorerDepth(k Kernel, outputs int, weights []level) int {
	depth, perWord := 0, scorerPerWord
	if k.Bounded {
		perWord = scorerPerWordNested
	}
	for _, l := range weights {
		width := k.Alphabet.Bits() * l.length
		if width > 24 {
			break
		}
		rows := 1 << width
		values := rows * outputs
		if values > scorerMost || values > scorerAlways && rows > perWord*len(l.codes) {
			break
		}
		depth = l.length
	}
	return depth
}

// newScorer arranges weights for scoring, with words of up to dense letters in arrays. It returns an error if that
// takes much more memory than the weights.
func newScorer(k Kernel, outputs int, weights []level, dense int) (*Scorer, error) {
	s := &Scorer{kernel: k, coder: newCoder(k.Alphabet, k.K), outputs: outputs, weights: weights, dense: dense}
	s.tables, s.deep = make([][]float64, k.K+1), make([]*lookup, k.K+1)
	switch k.Alphabet {
	case stringkernel.DNA:
		s.fourth = 'T'
	case stringkernel.RNA:
		s.fourth = 'U'
	}
	s.sums.New = func() any { t := make([]float64, 5*outputs); return &t }
	if k.Bounded {
		return s, s.arrangeBounded()
	}
	s.arrangePlain()
	return s, nil
}

func (s *Scorer) arrangePlain() {
	only := s.weights[0]
	if s.dense == 0 {
		s.deep[s.kernel.K] = newLookup(only.codes, only.values, s.outputs)
		return
	}
	s.tables[s.dense] = make([]float64, s.outputs<<(s.coder.bits*uint(s.dense)))
	s.fill(s.tables[s.dense], only)
}

// fill copies the rows of a level into an array indexed by the code.
func (s *Scorer) fill(table []float64, l level) {
	for i, code := range l.codes {
		copy(table[int(code)*s.outputs:], l.values[i*s.outputs:(i+1)*s.outputs])
	}
}

func (s *Scorer) arrangeBounded() error {
	steps := newLadder(s.coder.bits, s.dense)
	all := make([]float64, steps.size()*s.outputs)
	for length := 1; length <= s.dense; length++ {
		s.tables[length] = all[steps.base(length)*s.outputs : steps.base(length+1)*s.outputs]
		s.fill(s.tables[length], s.weights[length-1])
	}
	steps.foldValues(all, s.outputs)
	closed, err := closePrefixes(s.weights[s.dense:], s.coder.bits, s.outputs)
	if err != nil {
		return err
	}
	var previous level
	for _, l := range closed {
		l.values = append([]float64(nil), l.values...)
		s.addPrefixValues(l, previous)
		s.deep[l.length] = newLookup(l.codes, l.values, s.outputs)
		previous = l
	}
	return nil
}

// addPrefixValues adds to each row of a level the row of its word's prefix, which is in an array or in the previous
// level.
func (s *Scorer) addPrefixValues(l, previous level) {
	if l.length == 1 {
		return
	}
	at := 0
	for i, code := range l.codes {
		prefix := code >> s.coder.bits
		from := previous.values
		if l.length-1 == s.dense {
			from, at = s.tables[s.dense], int(prefix)
		} else {
			for previous.codes[at] < prefix {
				at++
			}
		}
		row := l.values[i*s.outputs : (i+1)*s.outputs]
		for m := range row {
			row[m] = from[at*s.outputs+m] + row[m]
		}
	}
}

// closePrefixes returns levels with rows of zeros added wherever a word has a weight and its prefix has none (its
// occurrences cancelled), so that a search may stop at the first length that is not found. The levels given stay as
// they are. It returns an error if the rows added take too much memory: few words cancel out, but a stored scorer may
// hold long words alone.
func closePrefixes(levels []level, bits uint, m int) ([]level, error) {
	closed, added := append([]level(nil), levels...), 0
	for i := len(closed) - 1; i > 0; i-- {
		missing := missingPrefixes(closed[i-1].codes, closed[i].codes, bits)
		if missing == 0 {
			continue
		}
		added += missing
		// a code, its place in a lookup and three rows
		if err := memory.Check(float64(added) * float64(24+24*m)); err != nil {
			return nil, fmt.Errorf("spectrum: %d words have no weights and longer words that begin with them have, which needs %w", added, err)
		}
		closed[i-1] = addPrefixes(closed[i-1], closed[i].codes, missing, bits, m)
	}
	return closed, nil
}

// missingPrefixes counts the prefixes of longer words that are not among codes. Both ascend.
func missingPrefixes(codes, longer []uint64, bits uint) int {
	missing, i := 0, 0
	for n, code := range longer {
		prefix := code >> bits
		if n > 0 && longer[n-1]>>bits == prefix {
			continue
		}
		for i < len(codes) && codes[i] < prefix {
			i++
		}
		if i == len(codes) || codes[i] != prefix {
			missing++
		}
	}
	return missing
}

// addPrefixes merges the prefixes of codes of the next length into a level, which lacks so many of them.
func addPrefixes(l level, longer []uint64, missing int, bits uint, m int) level {
	sum := newLevel(l.length, len(l.codes)+missing, m)
	zeros := make([]float64, m)
	i := 0
	take := func() {
		sum.codes = append(sum.codes, l.codes[i])
		sum.values = append(sum.values, l.values[i*m:(i+1)*m]...)
		i++
	}
	for _, code := range longer {
		prefix := code >> bits
		for i < len(l.codes) && l.codes[i] <= prefix {
			take()
		}
		if last := len(sum.codes) - 1; last < 0 || sum.codes[last] != prefix {
			sum.codes = append(sum.codes, prefix)
			sum.values = append(sum.values, zeros...)
		}
	}
	for i < len(l.codes) {
		take()
	}
	return sum
}
