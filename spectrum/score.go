package spectrum

import (
	"encoding/binary"

	"context"

	"github.com/seqsvm/seqsvm/internal/kmer"
	"github.com/seqsvm/seqsvm/internal/scratch"
	"github.com/seqsvm/seqsvm/stringkernel/compose"
)

// Outputs returns the number of scores per sequence.
func (s *scorer) Outputs() int { return s.outputs }

// ScoreTo writes the scores of x into dst. O(|x|) for one output, whatever the number of support vectors.
//
// The order of summation is part of the definition: the k-mers of K letters go to four partial sums by the position p
// mod 4 (0-based) of their last letter, in order of p; the shorter k-mers at the ends of runs, longest first, to a
// fifth; and the score is ((s₀ + s₁) + (s₂ + s₃)) + s₄.
func (s *scorer) ScoreTo(dst []float64, x []byte) {
	s.prepare()
	switch {
	case s.outputs == 1 && s.dense == s.kernel.K:
		dst[0] = s.scoreTable(x)
	case s.outputs == 1:
		dst[0] = s.scoreBlocks(x)
	default:
		s.scoreRows(dst[:s.outputs], x)
	}
}

// scoreTable scores with one output and all k-mers in arrays: after the first K letters of a run, four or
// eight positions at a time.
func (s *scorer) scoreTable(x []byte) float64 {
	top := s.tables[s.dense]
	var (
		a0, a1, a2, a3, ends float64

		code   uint64
		run    int
		letter = s.coder.Letter
		k      = s.coder.K
		mask   = s.coder.Mask
		bits   = s.coder.Bits
	)
	for p := 0; p < len(x); {
		if run >= k-1 && p&3 == 0 {
			if s.fourth != 0 {
				p, code, a0, a1, a2, a3 = scanNucleotides(top, mask, s.fourth, x, p, code, a0, a1, a2, a3)
			}
			p, code, a0, a1, a2, a3 = scanLetters(top, &s.coder.Coder, x, p, code, a0, a1, a2, a3)
			run = k // k − 1 letters or more precede p; more make no difference
			if p == len(x) {
				break
			}
		}
		d := letter[x[p]]
		if d < 0 {
			ends = s.addEnds(ends, code, run)
			run = 0
			p++
			continue
		}
		code = code<<(bits&63) | uint64(d)
		if run++; run >= k {
			switch p & 3 {
			case 0:
				a0 += top[code&mask]
			case 1:
				a1 += top[code&mask]
			case 2:
				a2 += top[code&mask]
			default:
				a3 += top[code&mask]
			}
		}
		p++
	}
	ends = s.addEnds(ends, code, run)
	return ((a0 + a1) + (a2 + a3)) + ends
}

// scanLetters does as [scanNucleotides] for letters of any alphabet, as long as four follow.
func scanLetters(top []float64, coder *kmer.Coder, x []byte, p int, code uint64, a0, a1, a2, a3 float64) (
	int, uint64, float64, float64, float64, float64) {
	letter, mask, b1 := coder.Letter, coder.Mask, coder.Bits
	b2, b3, b4 := 2*b1, 3*b1, 4*b1
	for p+4 <= len(x) {
		q := x[p : p+4 : p+4]
		c0, c1, c2, c3 := letter[q[0]], letter[q[1]], letter[q[2]], letter[q[3]]
		if c0|c1|c2|c3 < 0 {
			break
		}
		code = code<<(b4&63) | uint64(c0)<<(b3&63) | uint64(c1)<<(b2&63) | uint64(c2)<<(b1&63) | uint64(c3)
		a0 += top[code>>(b3&63)&mask]
		a1 += top[code>>(b2&63)&mask]
		a2 += top[code>>(b1&63)&mask]
		a3 += top[code&mask]
		p += 4
	}
	return p, code, a0, a1, a2, a3
}

// addEnds adds to sum, longest first, the values of the k-mers that end with a run and are shorter than K.
func (s *scorer) addEnds(sum float64, code uint64, run int) float64 {
	if !s.kernel.Bounded {
		return sum
	}
	for length := min(run, s.coder.K-1); length >= 1; length-- {
		sum += s.value(code&kmer.LowBits(s.coder.Bits*uint(length)), length, 0)
	}
	return sum
}

// scoreRows scores any number of outputs, k-mers in arrays or not.
func (s *scorer) scoreRows(dst []float64, x []byte) {
	pooled := scratch.Borrow(&s.sums, 5*s.outputs)
	defer s.sums.Put(pooled)
	sums, m := *pooled, s.outputs
	clear(sums)
	ends := sums[4*m:]
	for at, code := range s.coder.All(x) {
		p := (at + s.coder.K - 1) & 3
		addTo(sums[p*m:p*m+m], s.row(code, s.coder.K))
	}
	if s.kernel.Bounded {
		for _, t := range s.coder.tails(context.Background(), x) {
			addTo(ends, s.row(t.code, t.length))
		}
	}
	for o := range dst {
		dst[o] = ((sums[o] + sums[m+o]) + (sums[2*m+o] + sums[3*m+o])) + ends[o]
	}
}

// row returns the values of a k-mer of the given length (K, or 1…K with Bounded): its weight, or with Bounded the sum
// of the weights of its prefixes and its own. It is nil if there is none.
func (s *scorer) row(code uint64, length int) []float64 {
	m := s.outputs
	if !s.kernel.Bounded && s.dense == 0 {
		return s.deep[length].row(code)
	}
	var row []float64
	direct := min(s.dense, length)
	shift := s.coder.Bits * uint(length-direct)
	if direct > 0 {
		at := int(code>>(shift&63)) * m
		row = s.tables[direct][at : at+m]
	}
	for _, kmers := range s.deep[direct+1 : length+1] {
		shift -= s.coder.Bits
		longer := kmers.row(code >> (shift & 63))
		if longer == nil {
			break
		}
		row = longer
	}
	return row
}

// ExplainTo writes the contribution of every position of x to score m: the weight of each occurrence of a k-mer,
// divided by its length, at each of its positions. Contributions sum to the score up to rounding. O(K·|x|).
func (s *scorer) ExplainTo(dst []float64, m int, x []byte) {
	s.prepare()
	dst = dst[:len(x)]
	clear(dst)
	shares := make([]float64, s.coder.K)
	for lo := 0; lo < len(x); lo++ {
		hi := lo
		for hi < len(x) && s.coder.Letter[x[hi]] >= 0 {
			hi++
		}
		for p := lo; p < hi; p++ {
			s.explainKmer(dst[p:min(p+s.coder.K, hi)], shares, m, x[p:])
		}
		lo = hi
	}
}

// explainKmer adds the contributions of the k-mers that start with x and have at most len(dst) letters.
func (s *scorer) explainKmer(dst, shares []float64, m int, x []byte) {
	shortest := s.kernel.shortest()
	code, before, longest := uint64(0), 0.0, 0
	for l := 1; l <= len(dst); l++ {
		code = code<<(s.coder.Bits&63) | uint64(s.coder.Letter[x[l-1]])
		if l < shortest {
			continue
		}
		row := s.row(code, l)
		if row == nil {
			break
		}
		shares[l-1] = (row[m] - before) / float64(l)
		before, longest = row[m], l
	}
	share := 0.0
	for l := longest; l >= 1; l-- {
		if l >= shortest {
			share += shares[l-1]
		}
		dst[l-1] += share
	}
}

// SubstituteTo scores the 2K − 1 letters around each position: O(σ K) for each, of explanations O(σ K²).
func (s *scorer) SubstituteTo(scores, contributions []float64, m int, x, letters []byte) {
	compose.SubstituteWithin(scores, contributions, s, m, x, letters, s.coder.K)
}

// Eight nucleotides at a time. In ASCII the bits 2 and 1 of A, C, G and T or U are 00, 01, 11 and 10, which a Gray
// decoding turns into the codes 0…3; all other bits follow from these two, so that comparing with the letters rebuilt
// from the codes finds any other byte.
const (
	everyByte = 0x0101010101010101
	allA      = 'A' * everyByte
	// Multiplication by it moves the codes in 4 bytes, the first lowest, to bits 24…31, the first highest: code i goes
	// from bit 8i to bit 30 − 2i, and no other product comes there.
	gatherCodes = 1<<30 | 1<<20 | 1<<10 | 1
)

// scanNucleotides adds to a0…a3 the values of the k-mers of k letters that end at positions p, p+1, …, to the sum of
// the position mod 4, as long as eight letters of the alphabet follow. p is a multiple of 4 and code holds the k−1
// letters before it. fourth is T or U. It returns where it stopped.
func scanNucleotides(top []float64, mask uint64, fourth byte, x []byte, p int, code uint64, a0, a1, a2, a3 float64) (
	int, uint64, float64, float64, float64, float64) {
	flip := uint64(fourth ^ ('A' | 4)) // what makes the fourth letter of A with bit 2
	for ; p+8 <= len(x); p += 8 {
		w := binary.LittleEndian.Uint64(x[p:])
		b1, b2 := w>>1&everyByte, w>>2&everyByte
		if letters := (allA | b1<<1 | b2<<2) ^ (b2&^b1)*flip; letters != w {
			break
		}
		codes := b2<<1 | (b1 ^ b2)
		first, second := (codes&0xffffffff)*gatherCodes>>24&0xff, (codes>>32)*gatherCodes>>24&0xff
		code = code<<16 | first<<8 | second
		a0 += top[code>>14&mask]
		a1 += top[code>>12&mask]
		a2 += top[code>>10&mask]
		a3 += top[code>>8&mask]
		a0 += top[code>>6&mask]
		a1 += top[code>>4&mask]
		a2 += top[code>>2&mask]
		a3 += top[code&mask]
	}
	return p, code, a0, a1, a2, a3
}
