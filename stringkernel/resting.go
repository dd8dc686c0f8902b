package stringkernel

import (
	"slices"
	"sync/atomic"

	"github.com/seqsvm/seqsvm/internal/parallel"
)

// arena is the letters of a corpus, which all corpora that share it see in the same form: a byte for each letter or, at
// rest, two bits.
type arena struct {
	whole   atomic.Pointer[[]byte] // nil at rest
	resting atomic.Pointer[packed]
}

func newArena(text []byte) *arena {
	a := new(arena)
	a.whole.Store(&text)
	return a
}

// slice returns the letters from … to − 1: at rest a copy of them, else a view.
func (a *arena) slice(from, to int) []byte {
	if text := a.whole.Load(); text != nil {
		return (*text)[from:to:to]
	}
	return a.resting.Load().appendTo(make([]byte, 0, to-from), from, to)
}

// appendTo appends the letters from … to − 1 to dst.
func (a *arena) appendTo(dst []byte, from, to int) []byte {
	if text := a.whole.Load(); text != nil {
		return append(dst, (*text)[from:to]...)
	}
	return a.resting.Load().appendTo(dst, from, to)
}

// Rest has the letters take a quarter of a byte each, where nearly all are four, as in DNA: for a time in which they
// are hardly read, such as training on an index of them. Corpora that share them share that, and all methods go on as
// before, but that Seq and Whole make a copy at each call (1 ns per letter; AppendPart needs no memory). What they
// returned before keeps its memory. Texts of less than a megabyte, and those with more letters, stay as they are. It is
// safe for concurrent use. O(letters), 2 ns each.
func (c *Corpus) Rest() {
	if c.arena == nil {
		return
	}
	text := c.arena.whole.Load()
	if text == nil || len(*text) < leastResting {
		return
	}
	if p := pack(*text); p != nil {
		c.arena.resting.Store(p)
		c.arena.whole.Store(nil)
	}
}

const leastResting = 1 << 20

// packed is a text of four letters, and few others.
type packed struct {
	four   [256][4]byte // the letters of a byte of codes
	codes  []byte       // two bits for each letter, the first in the highest ones
	others []other      // by place
}

// other is a letter that is none of the four.
type other struct {
	place  int
	letter byte
}

// othersPart is 1 over the part of the letters that may be others.
const othersPart = 256

// pack returns a text in this form, nil if it has too many other letters.
func pack(text []byte) *packed {
	four := commonest(text[:min(len(text), leastResting)])
	p := &packed{codes: make([]byte, (len(text)+3)/4)}
	for codes := range p.four {
		for k := range 4 {
			p.four[codes][k] = four[codes>>(6-2*k)&3]
		}
	}
	var code [256]byte // 4: none of the four
	for b := range code {
		code[b] = 4
	}
	for n, letter := range four {
		code[letter] = byte(n)
	}
	others := make([][]other, (len(p.codes)+packedPart-1)/packedPart)
	parallel.Each(len(others), func(k int) {
		lo, hi := k*packedPart, min(len(p.codes), (k+1)*packedPart)
		others[k] = p.fill(&code, text, lo, hi)
	})
	p.others = slices.Concat(others...)
	if len(p.others) > len(text)/othersPart {
		return nil
	}
	return p
}

// packedPart is how many bytes of codes are filled in by one task.
const packedPart = 1 << 16

// fill fills in the codes lo … hi−1, and returns the other letters among theirs, no more than some above the most that
// there may be.
func (p *packed) fill(code *[256]byte, text []byte, lo, hi int) (others []other) {
	for at := lo; at < hi && len(others) <= len(text)/othersPart; at++ {
		quarter := text[4*at : min(4*at+4, len(text))]
		all, codes := byte(0), byte(0)
		for k, letter := range quarter {
			all |= code[letter]
			codes |= code[letter] & 3 << (6 - 2*k)
		}
		if p.codes[at] = codes; all < 4 {
			continue
		}
		for k, letter := range quarter {
			if code[letter] == 4 {
				others = append(others, other{4*at + k, letter})
			}
		}
	}
	return others
}

// commonest returns the four letters that occur most often; of equally frequent ones, the least.
func commonest(text []byte) (four [4]byte) {
	var count [256]int
	for _, b := range text {
		count[b]++
	}
	for n := range four {
		most := 0
		for b := range count {
			if count[b] > count[most] {
				most = b
			}
		}
		four[n], count[most] = byte(most), -1
	}
	return four
}

// appendTo appends the letters from … to − 1 to dst.
func (p *packed) appendTo(dst []byte, from, to int) []byte {
	begin := len(dst)
	dst = slices.Grow(dst, to-from)[:begin+to-from]
	text, at := dst[begin:], 0
	for ; at < len(text) && (from+at)&3 != 0; at++ {
		text[at] = p.four[p.codes[(from+at)>>2]][(from+at)&3]
	}
	for ; at+4 <= len(text); at += 4 {
		copy(text[at:at+4], p.four[p.codes[(from+at)>>2]][:])
	}
	for ; at < len(text); at++ {
		text[at] = p.four[p.codes[(from+at)>>2]][(from+at)&3]
	}
	if len(p.others) == 0 {
		return dst
	}
	k, _ := slices.BinarySearchFunc(p.others, from, func(o other, place int) int { return o.place - place })
	for ; k < len(p.others) && p.others[k].place < to; k++ {
		text[p.others[k].place-from] = p.others[k].letter
	}
	return dst
}
