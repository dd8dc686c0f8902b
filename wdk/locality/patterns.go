package locality

import "github.com/seqsvm/seqsvm/wdk/internal/windowed"

// patternCounter computes the locality-improved kernel from masks of matches, with consecutive positions in consecutive
// bits. An encoded window is the planes of 64 letters at a time.
type patternCounter struct {
	kernel  Locality
	blocks  windowed.Planes // of 64 letters: one word per plane
	length  int
	words   int // of a mask
	single  *patternTable
	several *patternTable
	mask    []uint64 // one word of zeros before and after
	shifted []uint64 // the mask with l zeros before the first position, and a word of zeros at the end
	matches []uint8  // for running sums
}

// patternTable has Σ win_p^{d₁} over the centres p of all windows that lie within a pattern of width bits.
type patternTable struct {
	width, centres int
	sums           []float64
}

const (
	patternWidth     = 12 // of a table: 32 kB, which a first-level cache holds
	mostTabledWindow = 8  // l, for patterns of 17 bits in 1 MB
)

// comparers returns a constructor of comparers for windows of a given length; the tables are built once.
func (k Locality) comparers() func(length int) comparer {
	var single, several *patternTable
	if k.Window <= mostTabledWindow {
		single = k.singles()
		several = single.wider(max(patternWidth, single.width))
	}
	return func(length int) comparer {
		words := (length + 63) / 64
		c := &patternCounter{kernel: k, length: length, words: words, single: single, several: several}
		c.blocks = windowed.Layout(k.Alphabet, 64)
		c.mask, c.shifted = make([]uint64, words+2), make([]uint64, words+2)
		if single == nil {
			c.matches = k.newMatches(length)
		}
		return c
	}
}

// singles returns the table of one window's patterns.
func (k Locality) singles() *patternTable {
	width := 2*k.Window + 1
	t := &patternTable{width: width, centres: 1, sums: make([]float64, 1<<width)}
	for pattern := range t.sums {
		window := 0
		for j := range width {
			weight := 1
			if k.Weights == Triangle {
				weight = k.Window + 1 - max(j-k.Window, k.Window-j)
			}
			window += weight * (pattern >> j & 1)
		}
		if window > 0 {
			t.sums[pattern] = power(float64(window), k.Inner)
		}
	}
	return t
}

// wider returns the table of patterns of width bits, from that of one window.
func (t *patternTable) wider(width int) *patternTable {
	w := &patternTable{width: width, centres: width - t.width + 1, sums: make([]float64, 1<<width)}
	for pattern := range w.sums {
		for p := range w.centres {
			w.sums[pattern] += t.sums[pattern>>p&(1<<t.width-1)]
		}
	}
	return w
}

func (c *patternCounter) size() int { return c.words * c.blocks.Size() }

func (c *patternCounter) encode(dst []uint64, x []byte) {
	block := c.blocks.Size()
	for w := range c.words {
		c.blocks.Encode(dst[w*block:(w+1)*block], x[min(64*w, len(x)):])
	}
}

func (c *patternCounter) value(x, y []uint64) float64 {
	block := c.blocks.Size()
	for w := range c.words {
		c.blocks.Match(c.mask[w+1:w+2], x[w*block:(w+1)*block], y[w*block:(w+1)*block])
	}
	if c.single == nil {
		return power(c.runningSum(), c.kernel.Outer)
	}
	for w := range c.words + 1 {
		c.shifted[w] = c.mask[w+1]<<c.kernel.Window | c.mask[w]>>(64-c.kernel.Window)
	}
	sum, p := c.several.sum(c.shifted, 0, c.length)
	rest, _ := c.single.sum(c.shifted, p, c.length)
	return power(sum+rest, c.kernel.Outer)
}

// sum adds up the patterns at positions p, p + centres, … whose centres are all before n, and returns the position
// after them. Position p of the window is bit p + l of the mask, so a pattern begins at its first centre. The mask has
// a word after that of bit n.
func (t *patternTable) sum(mask []uint64, p, n int) (sum float64, end int) {
	table, step := t.sums, t.centres
	for ; p+step <= n; p += step {
		at, low := p>>6, uint(p&63)
		pattern := mask[at]>>low | mask[at+1]<<1<<((63-low)&63)
		sum += table[pattern&uint64(len(table)-1)]
	}
	return sum, p
}

// runningSum is the sum over windows too wide for a table.
func (c *patternCounter) runningSum() float64 {
	for p := range c.length {
		c.matches[c.kernel.margin()+p] = uint8(c.mask[1+(p>>6)] >> (p & 63) & 1)
	}
	return c.kernel.localSum(c.matches)
}
