package spectrum

import (
	"context"

	"github.com/seqsvm/seqsvm/internal/hash"
)

// blockSize is the number of k-mers scored together where some are found by lookup. Each step below is a loop over the
// block whose iterations do not wait for one another, so that the misses of many k-mers overlap; searching one k-mer at
// a time would wait for every miss after a branch that is hard to predict.
const blockSize = 256

// block is a batch of k-mers of K letters with what is known of their values.
type block struct {
	n      int
	codes  [blockSize]uint64
	sums   [blockSize]uint8 // which partial sum each belongs to
	values [blockSize]float64
	likely [blockSize]uint16 // the k-mers that pass a filter
}

// scoreBlocks scores with one output where some k-mers are found by lookup.
func (s *scorer) scoreBlocks(x []byte) float64 {
	var (
		sums [4]float64
		ends float64
		b    block
	)
	for at, code := range s.coder.All(x) {
		i := b.n & (blockSize - 1)
		b.codes[i], b.sums[i] = code, uint8((at+s.coder.K-1)&3)
		if b.n++; b.n == blockSize {
			s.addBlock(&sums, &b)
		}
	}
	s.addBlock(&sums, &b)
	if s.kernel.Bounded {
		for _, t := range s.coder.tails(context.Background(), x) {
			ends += s.value(t.code, t.length, 0)
		}
	}
	return ((sums[0] + sums[1]) + (sums[2] + sums[3])) + ends
}

// addBlock adds the values of a block to the partial sums, in order, and empties it.
func (s *scorer) addBlock(sums *[4]float64, b *block) {
	s.evaluate(b)
	for i, v := range b.values[:b.n] {
		sums[b.sums[i]&3] += v
	}
	b.n = 0
}

// evaluate sets the values of a block.
func (s *scorer) evaluate(b *block) {
	s.valuesInArrays(b.values[:b.n], b.codes[:b.n])
	if s.kernel.Bounded {
		s.searchLengths(b)
	} else {
		s.searchKmers(b)
	}
}

// valuesInArrays sets values to those of the longest prefixes that are in arrays, 0 if none do.
func (s *scorer) valuesInArrays(values []float64, codes []uint64) {
	if s.dense == 0 {
		clear(values)
		return
	}
	table, shift := s.tables[s.dense], s.coder.Bits*uint(s.coder.K-s.dense)
	for i, code := range codes {
		values[i] = table[code>>(shift&63)]
	}
}

// searchKmers sets the values of the k-mers of K letters that are found.
func (s *scorer) searchKmers(b *block) {
	kmers := s.deep[s.coder.K]
	for _, i := range b.likely[:kmers.passing(&b.likely, b.codes[:b.n], 0)] {
		if row := kmers.find(b.codes[i&(blockSize-1)]); row >= 0 {
			b.values[i&(blockSize-1)] = kmers.values[row]
		}
	}
}

// searchLengths sets the values of the longest prefixes that are found.
func (s *scorer) searchLengths(b *block) {
	shift := s.coder.Bits * uint(s.coder.K-s.dense-1)
	for _, i := range b.likely[:s.deep[s.dense+1].passing(&b.likely, b.codes[:b.n], shift)] {
		i &= blockSize - 1
		b.values[i] = s.extend(b.values[i], b.codes[i], s.coder.K)
	}
}

// passing lists the k-mers whose prefixes (codes shifted right by shift) pass the filter of a lookup and returns how
// many do.
func (l *lookup) passing(likely *[blockSize]uint16, codes []uint64, shift uint) int {
	n := 0
	for i, code := range codes {
		bit := hash.Mix(code>>(shift&63)) >> (l.filterShift & 63)
		likely[n&(blockSize-1)] = uint16(i)
		n += int(l.filter[bit>>6] >> (bit & 63) & 1)
	}
	return n
}

// extend returns the value of the longest prefix, of more than s.dense letters, that is found of a k-mer of the given
// length, or else v, that of its prefix in arrays. Bounded kernels only.
func (s *scorer) extend(v float64, code uint64, length int) float64 {
	direct := min(s.dense, length)
	shift := s.coder.Bits * uint(length-direct)
	for _, kmers := range s.deep[direct+1 : length+1] {
		shift -= s.coder.Bits
		row := kmers.find(code >> (shift & 63))
		if row < 0 {
			break
		}
		v = kmers.values[row]
	}
	return v
}
