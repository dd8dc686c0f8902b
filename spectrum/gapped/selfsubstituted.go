package gapped

import (
	"context"
	"math/bits"
)

// The numbers k(y, y) of all sequences y that differ from x in a letter need one pass over the pairs of k-mers of x:
// one with mismatches enough has the value 0 whatever letter is replaced, and each of the few others changes by one
// mismatch where one of its k-mers has the letter, by two where both have it.

// selfSubstituted are the changes of k(x, x): of letter q of x by any other letter, and by each of the four.
type selfSubstituted struct {
	*engine
	codes, opposite []uint64 // by place
	letters         []int8   // of x
	any, by         []float64
}

// selfSubstituteTo is SelfSubstituteTo of Traits, of four letters that are equal or not and of raw counts.
func (e *engine) selfSubstituteTo(dst []float64, x, letters []byte) (rest []int) {
	if e.coder.bits != 2 || e.coder.sigma != 4 || e.alike != nil || e.counted() || e.wide() {
		for i := range x {
			rest = append(rest, i)
		}
		return rest
	}
	s := selfSubstituted{engine: e, letters: make([]int8, len(x)), any: make([]float64, len(x)),
		by: make([]float64, 4*len(x))}
	for i, b := range x {
		s.letters[i] = int8(e.coder.kmers.Letter[b])
	}
	s.visitPairs(x)
	whole := e.selfEval(context.Background(), x)
	for i, own := range s.letters {
		for b := range 4 {
			if s.by[4*i+b] += whole + s.any[i]; b == int(own) {
				s.by[4*i+b] = whole
			}
		}
	}
	rest = e.pick(dst, s.by, x, letters)
	const small = 0x1p-10 // of k(x, x): less has lost digits in the difference
	var y []byte
	for at, square := range dst {
		if i := at / len(letters); square < small*whole {
			y = append(y[:0], x...)
			y[i] = letters[at%len(letters)]
			dst[at] = e.selfEval(context.Background(), y)
		}
	}
	return rest
}

// visitPairs visits the pairs of k-mers near enough, once for both orders.
func (s *selfSubstituted) visitPairs(x []byte) {
	places := len(x) - s.coder.length + 1
	if places <= 0 {
		return
	}
	s.codes, s.opposite = make([]uint64, places), make([]uint64, places)
	for i, code := range s.coder.kmers.All(x) {
		s.codes[i], s.opposite[i] = code, s.coder.reverseComplement(code)
		if s.rc {
			s.add(i, i, true)
		}
	}
	d := borrowDiagonals(s.coder.length, min(s.reach+2, s.coder.length))
	defer diagonalPool.Put(d)
	d.x.lay(&s.coder, x, false, 0)
	d.eachNear(&d.x, func(i, j int) { s.add(i, j, false) })
	if s.rc {
		d.opposite.lay(&s.coder, x, true, d.span-1)
		d.eachNearOpposite(&d.x, &d.opposite, func(i, j int) { s.add(i, j, true) })
	}
}

// add adds the changes of the pairs of the k-mers at i ≤ j, or of that at i and the reverse complement of that at j.
func (s *selfSubstituted) add(i, j int, opposite bool) {
	l, u, v := s.coder.length, s.codes[i], s.codes[j]
	if opposite {
		v = s.opposite[j]
	}
	differ := ^s.coder.agreeing(u^v) & s.coder.lowest
	m, places := bits.OnesCount64(differ), len(s.codes)
	if m > s.reach+2 || m > s.reach+1 && j >= i+l {
		return
	}
	times := float64(s.strandCount() * float64(s.centre.weight(i, places)*s.centre.weight(j, places)))
	if i < j {
		times *= 2
	}
	if i+l <= j {
		s.addApart(i, j, u, v, differ, times, opposite)
		return
	}
	for q := i; q < j+l; q++ {
		own, first, second := s.letters[q], int8(none), int8(none) // what q is compared with by either k-mer
		if q < i+l {
			first = s.compared(q, q+j-i, i+j+l-1-q, opposite)
		}
		if q >= j {
			second = s.compared(q, q+i-j, i+j+l-1-q, opposite)
		}
		other := m // mismatches with a letter that neither is
		if first == own {
			other++
		}
		if second == own {
			other++
		}
		if other != m {
			s.any[q] += float64(times * (s.h[other] - s.h[m]))
		}
		if first != none && first != own {
			fewer := 1
			if second == first {
				fewer = 2
			}
			s.by[4*q+int(first)] += float64(times * (s.h[other-fewer] - s.h[other]))
		}
		if second != none && second != own && second != first {
			s.by[4*q+int(second)] += float64(times * (s.h[other-1] - s.h[other]))
		}
	}
}

// addApart is add of k-mers u and v, that differ in some letters, without letters in common.
func (s *selfSubstituted) addApart(i, j int, u, v, differ uint64, times float64, opposite bool) {
	m, l := bits.OnesCount64(differ), s.coder.length
	at := func(lowest uint64) (shift uint, mine, its int) {
		shift = uint(bits.TrailingZeros64(lowest))
		mine = l - 1 - int(shift/2)
		if its = j + mine; opposite {
			its = j + l - 1 - mine
		}
		return shift, i + mine, its
	}
	if m < l && s.h[m+1] != s.h[m] {
		more := float64(times * (s.h[m+1] - s.h[m]))
		for same := s.coder.lowest &^ differ; same != 0; same &= same - 1 {
			_, mine, its := at(same)
			s.any[mine] += more
			s.any[its] += more
		}
	}
	for ; differ != 0; differ &= differ - 1 {
		shift, mine, its := at(differ)
		less, letter := float64(times*(s.h[m-1]-s.h[m])), u>>shift&3
		if opposite {
			letter = 3 - letter
		}
		s.by[4*mine+int(v>>shift&3)] += less
		s.by[4*its+int(letter)] += less
	}
}

const none = -1

// compared returns the letter that position q is compared with: that of the same strand, or the complement of that of
// the opposite one, unless that is q itself, which is never its own complement.
func (s *selfSubstituted) compared(q, same, across int, opposite bool) int8 {
	switch {
	case !opposite:
		return s.letters[same]
	case across == q:
		return none
	}
	return 3 - s.letters[across]
}
