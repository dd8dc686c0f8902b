package markov

import (
	"context"
	"fmt"
	"math"
	"slices"
	"sync"

	"github.com/seqsvm/seqsvm/internal/cancel"
	"github.com/seqsvm/seqsvm/internal/elementary"
	"github.com/seqsvm/seqsvm/internal/memory"
	"github.com/seqsvm/seqsvm/internal/scratch"
	"github.com/seqsvm/seqsvm/stringkernel"
)

// layout numbers the cells of a chain: a letter after its context, at a place of its own or at any. A cell is the
// number of its letters to the base σ, above those of all shorter contexts and of the places before. Cells of one
// context are side by side, from a multiple of σ on.
type layout struct {
	alphabet   stringkernel.Alphabet
	codes      *[256]int16
	sigma      int
	order      int
	positional bool
	rc         bool  // both strands count
	starts     []int // starts[j]: where the words of j + 1 letters begin, j = 0 … order + 1
	length     int   // of the longest record of training, or no limit
}

// unlimited is a length that no record has.
const unlimited = math.MaxInt

func newLayout(k Kernel, length int) *layout {
	l := &layout{alphabet: k.Alphabet, codes: k.Alphabet.Codes(), sigma: k.Alphabet.Size(), order: k.Order,
		positional: k.Positional, rc: k.rc, starts: []int{0}, length: unlimited}
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
	return float64(l.starts[min(length, l.order)]) + float64(float64(max(0, length-l.order))*float64(l.words()))
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

// each calls visit for each letter of x that counts, with its cell and the places of the first and the last letter of
// the cell, 0-based: from left to right, then on the other strand, if that counts too.
func (l *layout) each(x []byte, visit func(cell, first, last int)) {
	l.eachOfStrand(x, visit)
	if !l.rc {
		return
	}
	reverse, end := scratch.BorrowOf[byte](&reverses, len(x)), len(x)-1
	defer reverses.Put(reverse)
	l.eachOfStrand(l.alphabet.ReverseComplementTo(*reverse, x), func(cell, first, last int) {
		visit(cell, end-last, end-first)
	})
}

var reverses sync.Pool // *[]byte

func (l *layout) eachOfStrand(x []byte, visit func(cell, first, last int)) {
	code, run, words := 0, 0, l.words()
	for p, b := range x[:min(len(x), l.length)] {
		letter := int(l.codes[b])
		if letter < 0 {
			code, run = 0, 0
			continue
		}
		code, run = (code*l.sigma+letter)%words, run+1
		if letters := min(p, l.order) + 1; run >= letters {
			visit(l.start(p)+code, p-letters+1, p)
		}
	}
}

// strands returns how many strands of a record count.
func (l *layout) strands() int {
	if l.rc {
		return 2
	}
	return 1
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
		l.each(c.Seq(i), func(cell, _, _ int) { chain.counts[cell]++ })
		chain.records += float64(l.strands())
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
	for first := 0; first < len(c.counts); {
		last := first + c.words()
		if p := slices.Index(c.starts, first); p < c.order && p >= 0 {
			last = c.starts[p+1]
		}
		smooth(c.theta[first:last], c.scale[first:last], c.counts[first:last], c.sigma, pseudo)
		first = last
	}
	for cell, theta := range c.theta {
		c.logs[cell] = elementary.Log(theta)
		c.scale[cell] = math.Sqrt(c.records / c.scale[cell])
	}
}

// smooth writes the θ of words of one length, of all at one place or at any, and the counts N_a + ασ times these.
func smooth(theta, seen, counts []float64, sigma int, pseudo float64) {
	shorter := len(counts) / sigma // words
	prior := make([]float64, shorter)
	if shorter == 1 {
		prior[0] = 1 / float64(sigma)
	} else {
		sums := make([]float64, shorter)
		for word, count := range counts {
			sums[word%shorter] += count
		}
		smooth(prior, make([]float64, shorter), sums, sigma, pseudo)
	}
	weight := pseudo * float64(sigma)
	for first := 0; first < len(counts); first += sigma {
		total := weight
		for _, count := range counts[first : first+sigma] {
			total += count
		}
		for word := first; word < first+sigma; word++ {
			seen[word] = counts[word] + float64(weight*prior[word%shorter])
			theta[word] = seen[word] / total
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
	places.eachOfStrand(x, func(cell, _, _ int) {
		if cell < len(c.logs) {
			sum += c.logs[cell]
		} else {
			sum -= elementary.Log(float64(c.sigma))
		}
	})
	return sum
}
