package markov

import (
	"context"
	"fmt"
	"math"

	"github.com/seqsvm/seqsvm/internal/cancel"
	"github.com/seqsvm/seqsvm/internal/elementary"
	"github.com/seqsvm/seqsvm/internal/memory"
	"github.com/seqsvm/seqsvm/stringkernel"
)

// layout numbers the cells of a chain: a letter after its context, at a place of its own or at any. A cell is the
// number of its letters to the base σ, above those of all shorter contexts and of the places before. Cells of one
// context are side by side, from a multiple of σ on.
type layout struct {
	codes      *[256]int16
	sigma      int
	order      int
	positional bool
	starts     []int // starts[j]: where the words of j + 1 letters begin, j = 0 … order + 1
	length     int   // of the longest record of training, or no limit
}

// unlimited is a length that no record has.
const unlimited = math.MaxInt

func newLayout(k Kernel, length int) *layout {
	l := &layout{codes: k.Alphabet.Codes(), sigma: k.Alphabet.Size(), order: k.Order, positional: k.Positional,
		starts: []int{0}, length: unlimited}
	if k.Positional {
		l.length = length
	}
	for size := 1; len(l.starts) < k.Order+2; {
		size *= l.sigma
		l.starts = append(l.starts, l.starts[len(l.starts)-1]+size)
	}
	return l
}

// words returns σ^(order + 1).
func (l *layout) words() int { return l.starts[l.order+1] - l.starts[l.order] }

// cells returns the number of cells for records of up to a length: a float64, as it may be large.
func (l *layout) cells(length int) float64 {
	if !l.positional {
		return float64(l.starts[l.order+1])
	}
	full := float64(max(0, length-l.order)) * float64(l.words())
	return float64(l.starts[min(length, l.order)]) + full
}

// lengthOf is the inverse of cells, of a positional chain.
func (l *layout) lengthOf(cells int) (length int, ok bool) {
	if cells >= l.starts[l.order] {
		length = l.order + (cells-l.starts[l.order])/l.words()
	}
	for length < l.order && l.starts[length] < cells {
		length++
	}
	return length, l.cells(length) == float64(cells)
}

// each calls visit for each letter of x that counts, with its place, 0-based, the cell, and the letters of the cell.
func (l *layout) each(x []byte, visit func(p, cell, letters int)) {
	code, run, words := 0, 0, l.words()
	for p, b := range x[:min(len(x), l.length)] {
		letter := int(l.codes[b])
		if letter < 0 {
			code, run = 0, 0
			continue
		}
		code, run = (code*l.sigma+letter)%words, run+1
		if letters := min(p, l.order) + 1; run >= letters {
			visit(p, l.start(p)+code, letters)
		}
	}
}

// start returns the first cell of a place.
func (l *layout) start(p int) int {
	switch {
	case p <= l.order:
		return l.starts[p]
	case l.positional:
		return l.starts[l.order] + (p-l.order)*l.words()
	default:
		return l.starts[l.order]
	}
}

// Chain is a Markov chain that was learned from a corpus: see the package comment. It is safe for concurrent use.
type Chain struct {
	*layout
	records float64
	counts  []float64 // of each cell; nil: none is known, θ is 1/σ everywhere
	theta   []float64
	logs    []float64 // ln θ
	scale   []float64 // 1/√(ν_a·θ)
}

// Learn returns the chain of a corpus, of one alphabet, order and pseudocount: Top is of no account. It takes a pass
// over the letters; time and memory are those of the cells besides, σ^(order+1), for each place of positional chains.
func (k Kernel) Learn(ctx context.Context, c *stringkernel.Corpus) (chain *Chain, err error) {
	defer cancel.Catch(&err)
	if err := k.Check(); err != nil {
		return nil, err
	}
	l := newLayout(k, longest(c))
	if err := l.check(c, 1); err != nil {
		return nil, err
	}
	return k.learn(ctx, l, c, nil), nil
}

// longest returns the greatest length of a sequence.
func longest(c *stringkernel.Corpus) (length int) {
	for i := range c.Len() {
		length = max(length, len(c.Seq(i)))
	}
	return length
}

// cellBytes is the memory of a cell of a chain.
const cellBytes = 32

// mostCells is the greatest number of cells of all chains: features are numbered by 32 bits.
const mostCells = 1<<31 - 2

// check returns an error if chains of a corpus would be too large.
func (l *layout) check(c *stringkernel.Corpus, chains int) error {
	cells := l.cells(l.length) * float64(chains)
	if cells > mostCells {
		return fmt.Errorf("markov: %.3g probabilities, want at most %d: take a lower order", cells, mostCells)
	}
	if err := memory.Check(cellBytes * cells); err != nil {
		return fmt.Errorf("markov: %.3g probabilities: %w", cells, &stringkernel.IndexError{Letters: c.Letters(), Err: err})
	}
	return nil
}

// learn counts the records of c that are listed, nil: all.
func (k Kernel) learn(ctx context.Context, l *layout, c *stringkernel.Corpus, records []int) *Chain {
	chain := &Chain{layout: l, counts: make([]float64, int(l.cells(l.length)))}
	count := func(i int) {
		cancel.Check(ctx)
		l.each(c.Seq(i), func(_, cell, _ int) { chain.counts[cell]++ })
		chain.records++
	}
	if records == nil {
		for i := range c.Len() {
			count(i)
		}
	}
	for _, i := range records {
		count(i)
	}
	chain.estimate(k.Pseudo)
	return chain
}

// estimate fills in what follows from the counts.
func (c *Chain) estimate(pseudo float64) {
	c.theta, c.logs = make([]float64, len(c.counts)), make([]float64, len(c.counts))
	c.scale = make([]float64, len(c.counts))
	for first := 0; first < len(c.counts); first += c.sigma {
		total := 0.0
		for _, count := range c.counts[first : first+c.sigma] {
			total += count + pseudo
		}
		for cell := first; cell < first+c.sigma; cell++ {
			c.theta[cell] = (c.counts[cell] + pseudo) / total
			c.logs[cell] = elementary.Log(c.theta[cell])
			c.scale[cell] = math.Sqrt(c.records / (c.counts[cell] + pseudo))
		}
	}
}

// uniform returns the chain of no records, whose ν_a are taken for 1.
func uniform(l *layout) *Chain { return &Chain{layout: l} }

// at returns θ and 1/√(ν_a·θ) of a cell.
func (c *Chain) at(cell int) (theta, scale float64) {
	if c.counts == nil {
		return 1 / float64(c.sigma), math.Sqrt(float64(c.sigma))
	}
	return c.theta[cell], c.scale[cell]
}

// LogLikelihood returns ln p(x), the sum of ln θ over the letters of x that count: O(|x|). Places after the longest
// record of training count too, as letters of equal probability, so that chains of several corpora can be compared.
func (c *Chain) LogLikelihood(x []byte) (sum float64) {
	places := *c.layout
	places.length = unlimited
	places.each(x, func(_, cell, _ int) {
		if cell < len(c.logs) {
			sum += c.logs[cell]
		} else {
			sum -= elementary.Log(float64(c.sigma))
		}
	})
	return sum
}
