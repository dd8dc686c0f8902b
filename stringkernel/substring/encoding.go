package substring

import (
	"context"
	"math"
	"slices"

	"github.com/seqsvm/seqsvm/internal/cancel"
	"github.com/seqsvm/seqsvm/stringkernel"
	"github.com/seqsvm/seqsvm/stringkernel/engine/tree"
	"github.com/seqsvm/seqsvm/suffix"
)

// encoding maps sequences to symbols of package suffix: 0 is a break, marks come next if the kernel has Ends, then
// letters or units. An alphabet of 256 letters is first cut down to the bytes that occur, so that the symbols fit a
// byte unless all of them do.
type encoding struct {
	marks  int32
	all    bool // every byte is a letter
	symbol [256]int32
	sigma  int        // of letters
	reader UnitReader // of units other than letters, else nil; its vocabulary grows while texts are made
}

func newEncoding(k Kernel, corpora ...*stringkernel.Corpus) *encoding {
	e := &encoding{marks: k.marks()}
	if u := k.symbols(); u != nil {
		e.reader = u.open()
		return e
	}
	used := new([256]bool)
	if k.allBytes() {
		used = stringkernel.BytesUsed(corpora)
	}
	e.useLetters(k, used)
	return e
}

// allBytes reports whether every byte is a letter.
func (k Kernel) allBytes() bool { return k.symbols() == nil && tree.AllBytes(k.Alphabet) }

// useLetters numbers the letters: those used, if every byte is one.
func (e *encoding) useLetters(k Kernel, used *[256]bool) {
	e.all = k.allBytes()
	e.symbol, e.sigma = tree.Letters(k.Alphabet, used, 1+e.marks)
}

// wide reports whether symbols need more than a byte.
func (e *encoding) wide() bool { return e.reader != nil || e.sigma > 256 }

// size returns the number of symbols, the separator included: of units, once all texts are read.
func (e *encoding) size() int {
	if e.reader == nil {
		return e.sigma
	}
	return e.reader.Len() + 1 + int(e.marks)
}

// hasLetter reports whether x has a letter of the alphabet, so that it gets marks around it.
func (e *encoding) hasLetter(x []byte) bool {
	if e.all {
		return len(x) > 0
	}
	return slices.ContainsFunc(x, func(b byte) bool { return e.symbol[b] != 0 })
}

// unitSymbol returns the symbol of the unit with a number; unknown ones break matches.
func (e *encoding) unitSymbol(number int32) int32 {
	if number <= 0 {
		return 0
	}
	return number + e.marks
}

// marked reports whether units with these numbers get marks around them: whether one is not a break.
func (e *encoding) marked(numbers []int32) bool {
	return e.marks > 0 && slices.ContainsFunc(numbers, func(n int32) bool { return n != 0 })
}

// encodeLetters appends the symbols of x, without marks.
func encodeLetters[S suffix.Symbol](e *encoding, dst []S, x []byte) []S {
	for _, b := range x {
		dst = append(dst, S(e.symbol[b]))
	}
	return dst
}

// encodeUnits appends the symbols of units with their marks.
func encodeUnits[S suffix.Symbol](e *encoding, dst []S, numbers []int32) []S {
	marked := e.marked(numbers)
	if marked {
		dst = append(dst, beginMark)
	}
	for _, n := range numbers {
		dst = append(dst, S(e.unitSymbol(n)))
	}
	if marked {
		dst = append(dst, endMark)
	}
	return dst
}

// encode appends the symbols of a whole sequence with its marks.
func encode[S suffix.Symbol](e *encoding, dst []S, x []byte) []S {
	if e.reader != nil {
		return encodeUnits(e, dst, e.reader.Read(x))
	}
	if e.marks == 0 || !e.hasLetter(x) {
		return encodeLetters(e, dst, x)
	}
	return append(encodeLetters(e, append(dst, beginMark), x), endMark)
}

// newText lays the sequences of the corpora end to end; nil corpora are skipped.
func newText[S suffix.Symbol](
	ctx context.Context, e *encoding, corpora ...*stringkernel.Corpus,
) (*suffix.Text[S], error) {
	for _, c := range corpora {
		if c != nil && e.reader == nil {
			if err := stringkernel.CheckLetters(c); err != nil {
				return nil, err
			}
		}
	}
	b := suffix.NewBuilder[S](math.MaxInt32) // size is known once all units are
	var symbols []S
	for _, c := range corpora {
		if c == nil {
			continue
		}
		if e.reader == nil {
			b.Grow(c.Len(), c.Letters()+int(e.marks)*c.Len())
		}
		for i := range c.Len() {
			cancel.Check(ctx)
			symbols = encode(e, symbols[:0], c.Seq(i))
			if err := b.Append(symbols); err != nil {
				return nil, err
			}
		}
	}
	text, err := b.Text()
	if err == nil {
		text.Sigma = e.size()
	}
	return text, err
}

// checkTree returns an error if the suffix tree of a text, with nodes for substrings of up to bound symbols (0: of any
// length), and what kernels add to it would take too much memory: 26 bytes per symbol and 64 per node at their peak, as
// measured.
func (e *encoding) checkTree(c *stringkernel.Corpus, symbols, bound int) error {
	nodes := float64(symbols)
	if bound > 0 {
		nodes = min(nodes, math.Pow(float64(e.size()), float64(bound)))
	}
	perLetter := (float64(26*float64(symbols)) + float64(64*nodes)) / float64(max(1, c.Letters()))
	return stringkernel.CheckIndex(c, perLetter)
}

// checkCompact returns an error if merging a text, and the terms of its nodes, would take too much memory: 30 bytes per
// symbol at the peak, as measured, and 16 for each output if every rank has a node.
func (e *encoding) checkCompact(c *stringkernel.Corpus, symbols, outputs int) error {
	return stringkernel.CheckIndex(c, float64(symbols)*float64(30+16*outputs)/float64(max(1, c.Letters())))
}

// longest returns the greatest number of symbols that a sequence of some corpora may have.
func (k Kernel) longest(corpora ...*stringkernel.Corpus) int {
	n := 0
	for _, c := range corpora {
		if c == nil {
			continue
		}
		for i := range c.Len() {
			n = max(n, len(c.Seq(i)))
		}
	}
	if u := k.symbols(); u != nil {
		n *= max(u.perByte, 1)
	}
	return n + int(k.marks())
}
