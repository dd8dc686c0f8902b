package gapped

import (
	"context"
	"fmt"
	"math"
	"math/bits"
	"slices"

	"github.com/seqsvm/seqsvm/internal/cancel"
	"github.com/seqsvm/seqsvm/internal/elementary"
	"github.com/seqsvm/seqsvm/internal/hash"
	"github.com/seqsvm/seqsvm/internal/parallel"
)

// kmerScores is the scores of k-mers that have no table.
type kmerScores interface {
	// addTo adds the scores of each k-mer of a block to its row of dst, one per output.
	addTo(dst []float64, w *block, outputs int)
	// spreadTo adds the share of each letter of a k-mer in its score for output m of that many.
	spreadTo(dst []float64, e *engine, code uint64, m, outputs int)
}

// block is the k-mers of some places, and their scores.
type block struct {
	front, back     []float64
	codes, opposite []uint64
	rows            []int // offsets of the k-mers' rows
}

// maskWork is the work of a look-up in the table of a mask, in comparisons of k-mers as blockCount has it.
const maskWork = 60

// kmerScores takes the faster of masks and neighbours, which depends only on what is stored.
func (e *engine) kmerScores(ctx context.Context, codes []uint64, coef [][]float64) (kmerScores, error) {
	codes, coef = e.withOpposites(codes, coef)
	masks := e.masks()
	if maskTableBytes(len(masks), len(codes), len(coef)) <= maxMaskBytes {
		if _, work := e.blockCount(len(codes)); float64(maskWork*len(masks)) < work {
			return newMaskTables(ctx, masks, codes, coef), nil
		}
	}
	return newNeighbours(ctx, e, codes, coef)
}

// withOpposites returns k-mers and their coefficients, followed by those of the other strand if both count.
func (e *engine) withOpposites(codes []uint64, coef [][]float64) ([]uint64, [][]float64) {
	if !e.rc {
		return codes, coef
	}
	both, sums := slices.Clone(codes), make([][]float64, len(coef))
	for m := range sums {
		sums[m] = slices.Clone(coef[m])
	}
	for i, code := range codes {
		if other := e.coder.reverseComplement(code); other != code {
			both = append(both, other)
			for m := range sums {
				sums[m] = append(sums[m], coef[m][i])
			}
		}
	}
	return both, sums
}

// maskTables holds, for each mask, the sums of the coefficients of the k-mers that are the same on its positions: the
// score of a k-mer is one look-up per mask, two with both strands, for all outputs. Those of a k-mer and its reverse
// complement are added mask by mask.
type maskTables []maskTable

// maskTable has a row of values, one per output, for each masked k-mer. Row 0 is zeros, that of k-mers that are not
// there.
type maskTable struct {
	letters uint64
	numbers hash.Table
	values  []float64
}

// newMaskTables builds the tables from k-mers and their coefficients.
func newMaskTables(ctx context.Context, masks []mask, codes []uint64, coef [][]float64) maskTables {
	tables := make(maskTables, len(masks))
	parallel.EachContext(ctx, len(masks), func(i int) { tables[i].fill(ctx, masks[i], codes, coef) })
	return tables
}

// maskTableBytes bounds the size of the tables.
func maskTableBytes(masks, kmers, outputs int) float64 {
	return float64(masks) * float64(hash.Bytes(kmers+kmers/2)+8*outputs*(kmers+1))
}

// fill sums the coefficients by masked k-mer.
func (t *maskTable) fill(ctx context.Context, m mask, codes []uint64, coef [][]float64) {
	outputs := len(coef)
	t.letters = m.letters
	t.numbers.Reset(len(codes) + len(codes)/2)
	t.values = make([]float64, outputs, outputs*(len(codes)+1))
	for i, code := range cancel.All(ctx, codes) {
		row := outputs * int(t.numbers.Number(code&m.letters)+1)
		t.values = t.values[:max(len(t.values), row+outputs)] // the rest is zeros
		for j := range coef {
			t.values[row+j] += float64(m.weight * coef[j][i])
		}
	}
}

// row returns the values of a k-mer.
func (t *maskTable) row(code uint64, outputs int) []float64 {
	return t.values[int(t.numbers.Find(code&t.letters))*outputs:][:outputs]
}

// addTo adds mask by mask.
func (tables maskTables) addTo(dst []float64, w *block, outputs int) {
	for i := range tables {
		t := &tables[i]
		for j, code := range w.codes {
			row, others := dst[w.rows[j]:][:outputs], t.values[:outputs]
			if len(w.opposite) > 0 {
				others = t.row(w.opposite[j], outputs)
			}
			for m, v := range t.row(code, outputs) {
				row[m] += v + others[m]
			}
		}
	}
}

// spreadTo adds the value of each mask to the letters it chooses; on the other strand they are the mirrored ones.
func (tables maskTables) spreadTo(dst []float64, e *engine, code uint64, m, outputs int) {
	for i := range tables {
		t := &tables[i]
		e.coder.spreadOver(dst, t.letters, t.row(code, outputs)[m])
		if e.rc {
			e.coder.spreadOver(dst, e.coder.mirrored(t.letters), t.row(e.coder.reverseComplement(code), outputs)[m])
		}
	}
}

// neighbours finds the k-mers within the reach d of h. K-mers are divided into B > d blocks of letters: two k-mers at
// distance d or less agree on B − d blocks at least. So for each choice of B − d blocks the k-mers are sorted into
// buckets by those, and the neighbours of a k-mer are in the buckets it belongs to. A pair counts in the first choice
// that finds it. More blocks are more choices and smaller buckets; as many as letters are masks.
type neighbours struct {
	*engine
	blocks  []uint64 // letters of each block
	choices []blockChoice
	values  []float64 // rows of coefficients, one per output, by k-mer
}

// blockChoice is the buckets of a choice of blocks.
type blockChoice struct {
	letters uint64 // on which k-mers agree
	// blocks not chosen before the last one chosen: a pair that agrees on one of them is found by an earlier choice
	earlier []uint64
	shift   uint
	starts  []uint32 // by bucket
	codes   []uint64
	numbers []uint32
}

// neighbourBytes is the size per k-mer and choice, and of its share of bucket bounds.
const neighbourBytes = 20

// blockCount returns the number of blocks that makes for the least work per k-mer, and that work: buckets looked up and
// k-mers compared, in k-mer comparisons.
func (e *engine) blockCount(kmers int) (blocks int, work float64) {
	const lookup = 80
	l, d := e.coder.length, e.reach
	for b := d; b <= l; b++ {
		n := elementary.Choices(b, d)
		agree := 0.0
		if b > 0 {
			agree = float64(l*(b-d)) / float64(b)
		}
		if b > d && n*neighbourBytes*float64(kmers) > maxMaskBytes {
			break
		}
		if w := n * (lookup + float64(float64(kmers)*math.Pow(float64(e.coder.sigma), -agree))); b == d || w < work {
			blocks, work = b, w
		}
	}
	return blocks, work
}

// newNeighbours sorts k-mers into buckets.
func newNeighbours(ctx context.Context, e *engine, codes []uint64, coef [][]float64) (*neighbours, error) {
	if size := neighbourBytes * float64(len(codes)); size > maxMaskBytes || len(codes) > math.MaxUint32 {
		return nil, fmt.Errorf("%s: %d k-mers of support vectors would take %.1f GB, want at most %.1f:"+
			" take fewer support vectors", e.name, len(codes), size/1e9, maxMaskBytes/1e9)
	}
	n := &neighbours{engine: e, values: make([]float64, 0, len(codes)*len(coef))}
	for i := range codes {
		for _, c := range coef {
			n.values = append(n.values, c[i])
		}
	}
	count, _ := e.blockCount(len(codes))
	for b := range count {
		lo, hi := b*e.coder.length/count, (b+1)*e.coder.length/count
		n.blocks = append(n.blocks, e.coder.spread(1<<hi-1<<lo))
	}
	eachChoice(count, count-e.reach, func(chosen uint64) { n.choices = append(n.choices, n.choose(chosen)) })
	parallel.EachContext(ctx, len(n.choices), func(i int) { n.choices[i].fill(ctx, codes) })
	return n, nil
}

// choose returns the empty buckets of a choice.
func (n *neighbours) choose(chosen uint64) blockChoice {
	var c blockChoice
	last := bits.Len64(chosen)
	for b, letters := range n.blocks {
		switch {
		case chosen>>b&1 == 1:
			c.letters |= letters
		case b < last:
			c.earlier = append(c.earlier, letters)
		}
	}
	return c
}

// fill sorts k-mers into buckets, about one per k-mer.
func (c *blockChoice) fill(ctx context.Context, codes []uint64) {
	width := max(1, bits.Len(uint(len(codes)))) // a shift by 64 would be none
	c.shift = uint(64 - width)
	c.starts = make([]uint32, 1<<width+1)
	for _, code := range codes {
		c.starts[c.bucket(code)+1]++
	}
	for i := 1; i < len(c.starts); i++ {
		c.starts[i] += c.starts[i-1]
	}
	next := slices.Clone(c.starts)
	c.codes, c.numbers = make([]uint64, len(codes)), make([]uint32, len(codes))
	for i, code := range cancel.All(ctx, codes) {
		at := &next[c.bucket(code)]
		c.codes[*at], c.numbers[*at] = code, uint32(i)
		*at++
	}
}

// bucket is that of the letters chosen.
func (c *blockChoice) bucket(code uint64) uint64 { return hash.Mix(code&c.letters) >> (c.shift & 63) }

// first reports whether no earlier choice finds a pair that differs by difference.
func (c *blockChoice) first(difference uint64) bool {
	for _, letters := range c.earlier {
		if difference&letters == 0 {
			return false
		}
	}
	return true
}

// addTo adds the coefficients of neighbours, times h. With both strands the k-mers and coefficients are the same for
// both, and so are the scores of a k-mer and its reverse complement: that of the smaller is taken for either, twice.
func (n *neighbours) addTo(dst []float64, w *block, outputs int) {
	for j, code := range w.codes {
		twice := 1.0
		if len(w.opposite) > 0 {
			code, twice = min(code, w.opposite[j]), 2
		}
		row := dst[w.rows[j]:][:outputs]
		for i := range n.choices {
			n.eachNeighbour(code, &n.choices[i], func(number uint32, _ uint64, distance int) {
				factor := twice * n.h[distance]
				for o, v := range n.values[int(number)*outputs:][:outputs] {
					row[o] += float64(factor * v)
				}
			})
		}
	}
}

// spreadTo adds to each letter what the neighbours that agree on it give. With both strands the reverse complements of
// the neighbours give the reverse complement of the k-mer the same.
func (n *neighbours) spreadTo(dst []float64, e *engine, code uint64, m, outputs int) {
	l, strands := e.coder.length, 1.0
	if e.rc {
		strands = 2
	}
	for i := range n.choices {
		n.eachNeighbour(code, &n.choices[i], func(number uint32, difference uint64, distance int) {
			v := strands * n.values[int(number)*outputs+m]
			e.coder.spreadOver(dst, e.coder.all, v*e.h[l])
			if distance < l {
				e.coder.spreadOver(dst, e.coder.agreeing(difference), v*(e.h[distance]-e.h[l]))
			}
		})
	}
}

// eachNeighbour calls visit for the neighbours of a k-mer that one choice finds first.
func (n *neighbours) eachNeighbour(
	code uint64, c *blockChoice, visit func(number uint32, difference uint64, distance int),
) {
	b := c.bucket(code)
	lo, hi := c.starts[b], c.starts[b+1]
	for i, other := range c.codes[lo:hi] {
		difference := code ^ other
		if difference&c.letters != 0 {
			continue // in the bucket by accident
		}
		if m := n.coder.distance(code, other); m <= n.reach && c.first(difference) {
			visit(c.numbers[int(lo)+i], difference, m)
		}
	}
}
