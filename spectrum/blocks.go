package spectrum

import "github.com/seqsvm/seqsvm/internal/hash"

// blockWords is the number of words scored together where some are found by lookup. Each step below is a loop over the
// block whose iterations do not wait for one another, so that the misses of many words overlap; a search a word at a
// time would wait for every miss behind a branch that is hard to predict.
const blockWords = 256

// block is a batch of words of K letters with what is known of their values.
type block struct {
	n      int
	codes  [blockWords]uint64
	sums   [blockWords]uint8 // which partial sum each belongs to
	values [blockWords]float64
	likely [blockWords]uint16 // the words that pass a filter
}

// scoreBlocks scores with one output where some words are found by lookup.
func (s *Scorer) scoreBlocks(x []byte) float64 {
	var (
		sums [4]float64
		ends float64
		b    block
	)
	c := &s.coder
	code, run := uint64(0), 0
	for p, letter := range x {
		d := c.letter[letter]
		if d < 0 {
			ends = s.addLongEnds(ends, code, run)
			run = 0
			continue
		}
		code = code<<(c.bits&63) | uint64(d)
		if run++; run < c.k {
			continue
		}
		b.codes[b.n&(blockWords-1)], b.sums[b.n&(blockWords-1)] = code&c.mask, uint8(p&3)
		if b.n++; b.n == blockWords {
			s.addBlock(&sums, &b)
		}
	}
	s.addBlock(&sums, &b)
	ends = s.addLongEnds(ends, code, run)
	return ((sums[0] + sums[1]) + (sums[2] + sums[3])) + ends
}

// addBlock adds the values of a block to the partial sums, in order, and empties it.
func (s *Scorer) addBlock(sums *[4]float64, b *block) {
	s.evaluate(b)
	for i, v := range b.values[:b.n] {
		sums[b.sums[i]&3] += v
	}
	b.n = 0
}

// evaluate sets the values of a block.
func (s *Scorer) evaluate(b *block) {
	s.valuesInArrays(b.values[:b.n], b.codes[:b.n])
	if s.kernel.Bounded {
		s.searchLengths(b)
	} else {
		s.searchWords(b)
	}
}

// valuesInArrays sets values to those of the longest prefixes that stand in arrays, 0 if none do.
func (s *Scorer) valuesInArrays(values []float64, codes []uint64) {
	if s.dense == 0 {
		clear(values)
		return
	}
	table, shift := s.tables[s.dense], s.coder.bits*uint(s.coder.k-s.dense)
	for i, code := range codes {
		values[i] = table[code>>(shift&63)]
	}
}

// searchWords sets the values of the words of K letters that are found.
func (s *Scorer) searchWords(b *block) {
	words := s.deep[s.coder.k]
	for _, i := range b.likely[:words.passing(&b.likely, b.codes[:b.n], 0)] {
		if row := words.find(b.codes[i&(blockWords-1)]); row >= 0 {
			b.values[i&(blockWords-1)] = words.values[row]
		}
	}
}

// searchLengths sets the values of the longest prefixes that are found.
func (s *Scorer) searchLengths(b *block) {
	shift := s.coder.bits * uint(s.coder.k-s.dense-1)
	for _, i := range b.likely[:s.deep[s.dense+1].passing(&b.likely, b.codes[:b.n], shift)] {
		i &= blockWords - 1
		b.values[i] = s.extend(b.values[i], b.codes[i], s.coder.k)
	}
}

// passing lists the words whose prefixes (codes shifted right by shift) pass the filter of a lookup and returns how
// many do.
func (l *lookup) passing(likely *[blockWords]uint16, codes []uint64, shift uint) int {
	n := 0
	for i, code := range codes {
		bit := hash.Mix(code>>(shift&63)) >> (l.filterShift & 63)
		likely[n&(blockWords-1)] = uint16(i)
		n += int(l.filter[bit>>6] >> (bit & 63) & 1)
	}
	return n
}

// extend returns the value of the longest prefix, of more than s.dense letters, that is found of a word of the given
// length, or else v, that of its prefix in arrays. Bounded kernels only.
func (s *Scorer) extend(v float64, code uint64, length int) float64 {
	direct := min(s.dense, length)
	shift := s.coder.bits * uint(length-direct)
	for _, words := range s.deep[direct+1 : length+1] {
		shift -= s.coder.bits
		row := words.find(code >> (shift & 63))
		if row < 0 {
			break
		}
		v = words.values[row]
	}
	return v
}

// addLongEnds adds to sum, longest first, the values of the words that end with a run and are shorter than K.
func (s *Scorer) addLongEnds(sum float64, code uint64, run int) float64 {
	if !s.kernel.Bounded {
		return sum
	}
	for length := min(run, s.coder.k-1); length >= 1; length-- {
		word, v := code&lowBits(s.coder.bits*uint(length)), 0.0
		if direct := min(s.dense, length); direct > 0 {
			v = s.tables[direct][word>>(s.coder.bits*uint(length-direct))]
		}
		sum += s.extend(v, word, length)
	}
	return sum
}
