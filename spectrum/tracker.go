package spectrum

import (
	"sync"

	"github.com/seqsvm/seqsvm/stringkernel"
)

// values holds the values of the words of one sequence.
var values sync.Pool // of *[]float64

// TrackTo writes score m of all windows of x: see [stringkernel.Tracker]. Each word is looked up once, and a window is
// a sliding sum of the words that lie within it: O(1) per window. With Bounded the words that a window's end cuts short
// are looked up besides: one look-up too for words in arrays, else O(K).
func (s *Scorer) TrackTo(dst []float64, m int, x []byte, window int) {
	if window < s.kernel.K {
		stringkernel.TrackEach(dst, s, m, x, window)
		return
	}
	pooled, _ := values.Get().(*[]float64)
	if pooled == nil {
		pooled = new([]float64)
	}
	defer values.Put(pooled)
	if cap(*pooled) < len(x) {
		*pooled = make([]float64, len(x))
	}
	v := (*pooled)[:len(x)]
	s.valuesTo(v, m, x)
	stringkernel.SlidingSumsTo(dst, v[:len(x)-s.kernel.K+1], window-s.kernel.K+1)
	if s.kernel.Bounded {
		s.addCutWords(dst, m, x, v, window)
	}
}

// valuesTo writes for each position of x the value for output m of the word that begins there, of K letters or, with
// Bounded, of as many as its run has left; 0 where there is none.
func (s *Scorer) valuesTo(v []float64, m int, x []byte) {
	clear(v)
	switch {
	case s.dense == s.kernel.K:
		s.valuesByTable(v, m, x)
	case s.outputs == 1:
		s.valuesByBlocks(v, x)
	default:
		s.valuesByRows(v, m, x)
	}
	if s.kernel.Bounded {
		s.valuesAtEnds(v, m, x)
	}
}

func (s *Scorer) valuesByTable(v []float64, m int, x []byte) {
	top, outputs := s.tables[s.dense][m:], uint64(s.outputs)
	letter, mask, width, k := s.coder.letter, s.coder.mask, s.coder.bits, s.coder.k
	code, run := uint64(0), 0
	for p, b := range x {
		d := letter[b]
		if d < 0 {
			run = 0
			continue
		}
		code = code<<(width&63) | uint64(d)
		if run++; run >= k {
			v[p-k+1] = top[code&mask*outputs]
		}
	}
}

// valuesByBlocks is for one output where some words are found by lookup.
func (s *Scorer) valuesByBlocks(v []float64, x []byte) {
	var (
		b  block
		at [blockWords]int // the position of each word
	)
	flush := func() {
		s.evaluate(&b)
		for i, value := range b.values[:b.n] {
			v[at[i]] = value
		}
		b.n = 0
	}
	s.eachWord(x, func(p int, code uint64) {
		b.codes[b.n], at[b.n] = code, p
		if b.n++; b.n == blockWords {
			flush()
		}
	})
	flush()
}

func (s *Scorer) valuesByRows(v []float64, m int, x []byte) {
	s.eachWord(x, func(p int, code uint64) { v[p] = s.value(code, s.kernel.K, m) })
}

// value returns the value of a word for an output.
func (s *Scorer) value(code uint64, length, m int) float64 {
	if table := s.tables[length]; table != nil {
		return table[int(code)*s.outputs+m]
	}
	if row := s.row(code, length); row != nil {
		return row[m]
	}
	return 0
}

// eachWord calls visit with the position and the code of each word of K letters.
func (s *Scorer) eachWord(x []byte, visit func(p int, code uint64)) {
	c := &s.coder
	code, run := uint64(0), 0
	for p, b := range x {
		d := c.letter[b]
		if d < 0 {
			run = 0
			continue
		}
		code = code<<(c.bits&63) | uint64(d)
		if run++; run >= c.k {
			visit(p-c.k+1, code&c.mask)
		}
	}
}

// valuesAtEnds writes the values of the words that end with a run and are shorter than K. The last run counts as ended.
func (s *Scorer) valuesAtEnds(v []float64, m int, x []byte) {
	s.eachEnd(x, func(end, run int, code uint64) {
		if end < len(x) && s.coder.letter[x[end]] >= 0 {
			return
		}
		for length := min(run, s.coder.k-1); length >= 1; length-- {
			v[end-length] = s.value(code&lowBits(s.coder.bits*uint(length)), length, m)
		}
	})
}

// eachEnd calls visit for each end 1 … len(x) with the length of the run of letters before it, and a code whose low
// letters are theirs.
func (s *Scorer) eachEnd(x []byte, visit func(end, run int, code uint64)) {
	code, run := uint64(0), 0
	for p, b := range x {
		if d := s.coder.letter[b]; d < 0 {
			run = 0
		} else {
			code = code<<(s.coder.bits&63) | uint64(d)
			run++
		}
		visit(p+1, run, code)
	}
}

// addCutWords adds to the score of each window its last K − 1 words: those that its end cuts short, and those of runs
// that end before.
func (s *Scorer) addCutWords(dst []float64, m int, x []byte, v []float64, window int) {
	most := s.coder.k - 1
	table := s.cutTable(m)
	s.eachEnd(x, func(end, run int, code uint64) {
		switch {
		case end < window:
			return
		case table != nil && run >= most:
			dst[end-window] += table[code&lowBits(s.coder.bits*uint(most))]
			return
		}
		sum := 0.0
		run = min(run, most)
		for length := 1; length <= run; length++ {
			sum += s.value(code&lowBits(s.coder.bits*uint(length)), length, m)
		}
		for _, value := range v[end-most : end-run] {
			sum += value
		}
		dst[end-window] += sum
	})
}

// cutBits bounds the width of the words of a cutTable, which takes 8 MB then.
const cutBits = 20

// cutTable returns for each word of K − 1 letters the sum of its own value and those of its shorter ends, for an
// output: what the end of a window that it stands before adds. It is made when first asked for, and nil if the words do
// not all stand in arrays.
func (s *Scorer) cutTable(m int) []float64 {
	longest := s.coder.k - 1
	if s.dense < longest || longest < 1 || s.coder.bits*uint(longest) > cutBits {
		return nil
	}
	if made, ok := s.cuts.Load(m); ok {
		return made.([]float64)
	}
	var ends []float64
	for length := 1; length <= longest; length++ {
		longer := make([]float64, 1<<(s.coder.bits*uint(length)))
		for code := range longer {
			longer[code] = s.tables[length][code*s.outputs+m]
			if length > 1 {
				longer[code] += ends[code&(len(ends)-1)]
			}
		}
		ends = longer
	}
	made, _ := s.cuts.LoadOrStore(m, ends)
	return made.([]float64)
}
