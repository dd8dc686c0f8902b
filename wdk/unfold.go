package wdk

import (
	"iter"
	"math"

	"github.com/seqsvm/seqsvm/stringkernel"
	"github.com/seqsvm/seqsvm/wdk/poim"
)

// Weights yields what score m is a sum of: the weights of words at positions, of 1 … d letters, by position. A word at a position may come several times, and
// its weights are then added. Weights are differences of sums over prefixes, exact up to the rounding of these. The word of a weight is
// overwritten by the next one. It takes time linear in the entries of the tables and in the letters of lists.
func (s *Scorer) Weights(m int) iter.Seq[poim.Weight] {
	return func(yield func(poim.Weight) bool) {
		s.prepare()
		u := unfolding{scorer: s, output: m, codes: s.codes(), yield: yield}
		for q := range s.length {
			u.position = q
			if !u.table(&s.root, s.base[q], s.depthAt(q), 0, 0, 0) {
				return
			}
		}
	}
}

// codes returns the alphabet's code of each letter by its packed digit.
func (s *Scorer) codes() []byte {
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

// unfolding walks the tables and lists of a position.
type unfolding struct {
	scorer   *Scorer
	output   int
	codes    []byte // of letters by digit
	position int
	word     []byte
	yield    func(poim.Weight) bool
}

// table yields the weights of the words of a table, which begins at an entry and has words of up to deepest letters, that begin with the word of n
// letters that has a code; and those of their branches. above is the sum over that word's prefixes. Like what it calls, it returns false if no
// more are wanted.
func (u *unfolding) table(steps *ladder, begin, deepest, n, code int, above float64) bool {
	if n == deepest {
		return true
	}
	s := u.scorer
	for digit, letter := range u.codes {
		longer := code<<steps.bits | digit
		entry := begin + steps.start[n+1] + longer
		value := s.entries.values[entry*s.outputs+u.output]
		u.word = append(u.word, letter)
		if !u.weight(value-above) || !u.table(steps, begin, deepest, n+1, longer, value) {
			return false
		}
		if s.branched && s.entries.next[entry] != 0 && !u.branch(s.entries.branches[entry]) {
			return false
		}
		u.word = u.word[:len(u.word)-1]
	}
	return true
}

// weight yields the weight of the word, unless it is 0.
func (u *unfolding) weight(value float64) bool {
	return value == 0 || u.yield(poim.Weight{Position: u.position, Word: u.word, Value: value})
}

// branch yields the weights of the words that go on from the word.
func (u *unfolding) branch(b branch) bool {
	if b.count() == 0 {
		return u.table(&u.scorer.below, b.at(), u.scorer.below.deepest(), 0, 0, 0)
	}
	return u.list(b)
}

// list yields the weights of the words of a list.
func (u *unfolding) list(b branch) bool {
	s, depth := u.scorer, len(u.word)
	for i := b.at(); i < b.at()+b.count(); i++ {
		coef := math.Float64frombits(s.members[i*(s.outputs+1)+1+u.output])
		for _, letter := range s.rest(u.position, depth, i) {
			d := s.packing.digit[letter]
			if d == stringkernel.Outside {
				break
			}
			u.word = append(u.word, u.codes[d])
			n := len(u.word)
			if !u.weight(float64(coef * (s.upTo[n] - s.upTo[n-1]))) {
				return false
			}
		}
		u.word = u.word[:depth]
	}
	return true
}

// rest returns the letters of member i of a list from depth letters behind position q on, as far as the degree and both windows reach.
func (s *Scorer) rest(q, depth, i int) []byte {
	from := s.places[i]
	start := int(from.start)
	end := start + min(s.kernel.D, s.length-q, s.length-start)
	return s.sv.Seq(int(from.sequence))[min(start+depth, end):end]
}
