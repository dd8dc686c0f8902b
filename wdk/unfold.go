package wdk

import (
	"iter"
	"math"
	"math/bits"

	"github.com/seqsvm/seqsvm/stringkernel"
	"github.com/seqsvm/seqsvm/wdk/poim"
)

// Weights yields the terms of score m: the weights of k-mers of 1 … d letters at positions, by position. A k-mer at a
// position may be yielded several times; its weight is the sum. Weights are differences of sums over prefixes, exact up
// to their rounding. The next weight overwrites the k-mer of the one before. Time is linear in the entries of the
// tables and the letters of the tries.
func (s *scorer) Weights(m int) iter.Seq[poim.Weight] {
	return func(yield func(poim.Weight) bool) {
		s.prepare()
		u := unfolding{scorer: s, output: m, codes: s.codes(), yield: yield}
		for q := range s.length {
			u.position = q
			if !u.table(0, 0, 0) {
				return
			}
		}
	}
}

// codes returns the alphabet's code of each letter by its packed digit.
func (s *scorer) codes() []byte {
	var codes []byte
	for b, digit := range s.packing.digit {
		if digit == stringkernel.Outside {
			continue
		}
		for len(codes) <= int(digit) {
			codes = append(codes, 0)
		}
		codes[digit] = byte(s.kernel.Alphabet.Codes()[b])
	}
	return codes
}

// unfolding walks the table and the trie of a position.
type unfolding struct {
	scorer   *scorer
	output   int
	codes    []byte // of letters by digit
	position int
	word     []byte
	yield    func(poim.Weight) bool
}

// table yields the weights of the k-mers that begin with the k-mer of n letters that has a code; above is the sum over
// that k-mer's prefixes. Like the methods it calls, it returns false if iteration should stop.
func (u *unfolding) table(n, code int, above float64) bool {
	s := u.scorer
	if n == s.depthAt(u.position) {
		return !s.branched || u.tails(code)
	}
	for digit, letter := range u.codes {
		longer := code<<s.packing.bits | digit
		value := s.values[(s.base[u.position]+s.root.start[n+1]+longer)*s.outputs+u.output]
		u.word = append(u.word, letter)
		if !u.weight(value-above) || !u.table(n+1, longer, value) {
			return false
		}
		u.word = u.word[:len(u.word)-1]
	}
	return true
}

// weight yields the weight of the k-mer, unless it is 0.
func (u *unfolding) weight(value float64) bool {
	return value == 0 || u.yield(poim.Weight{Position: u.position, Word: u.word, Value: value})
}

// tails yields the weights of the k-mers that begin with the k-mer of the table that has a code.
func (u *unfolding) tails(code int) bool {
	s := u.scorer
	t, width := &s.tries[u.position], s.packing.branchBits()
	for bit := uint64(code) << width; bit < uint64(code+1)<<width && !t.isEmpty(); bit++ {
		if t.begun.has(bit) && !u.node(int(t.begun.before(bit))) {
			return false
		}
	}
	return true
}

// node yields the weights of the k-mers that end in a node's label, and of those below.
func (u *unfolding) node(node int) bool {
	s, depth := u.scorer, len(u.word)
	t, width := &s.tries[u.position], s.outputs+1
	sum := math.Float64frombits(t.nodes[node*width+1+u.output])
	digits, below := s.digits(t, label(t.nodes[node*width]))
	for _, digit := range digits {
		u.word = append(u.word, u.codes[digit])
		n := len(u.word)
		if !u.weight(float64(sum * (s.upTo[n] - s.upTo[n-1]))) {
			return false
		}
	}
	f := t.forks[below]
	for i := range bits.OnesCount16(f.next) {
		if !u.node(int(f.first) + i) {
			return false
		}
	}
	u.word = u.word[:depth]
	return true
}

// digits returns the letters of a label, and the fork at its end, 0 for none.
func (s *scorer) digits(t *trie, l label) (digits []int16, fork uint32) {
	for i := range int(s.packing.whole[l.bits()]) {
		digits = append(digits, int16(s.packing.letter(l.letters(), i)))
	}
	if l&longer == 0 {
		return digits, l.number()
	}
	long := t.longs[l.number()]
	for i, at := 0, s.sv.at(long.place); i < int(long.length); i++ {
		digits = append(digits, int16(s.packing.letter(s.sv.word(at+i), 0)))
	}
	return digits, long.fork
}
