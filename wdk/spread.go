package wdk

import (
	"github.com/seqsvm/seqsvm/internal/parallel"
	"github.com/seqsvm/seqsvm/internal/vectors"
)

// tile is the number of entries of tables that are added at a time: those of all c_p fit into the first cache.
const tile = 128

// spreading is the tables of one product.
type spreading struct {
	counts [][]float64 // c_p, in turn
	values [][]float64 // C_q of positions that are dealt with together
}

// countsAt returns the table of counts of a position.
func (s *spreading) countsAt(p int) []float64 { return s.counts[p%len(s.counts)] }

// workSize is the number of entries of a spreading.
func (t *tables) workSize() int {
	return (together+2*t.most)*t.countStride() + together*t.ladder.size(t.kernel.D)
}

// countStride is the distance of tables of counts. The same entries of tables a power of two apart would share a set of
// the caches.
func (t *tables) countStride() int { return t.counting + tile }

// cut makes a spreading of a vector.
func (t *tables) cut(v []float64) *spreading {
	s := new(spreading)
	for range together + 2*t.most {
		s.counts = append(s.counts, v[:t.counting])
		v = v[t.countStride():]
	}
	for size := t.ladder.size(t.kernel.D); len(v) > 0; v = v[size:] {
		s.values = append(s.values, v[:size])
	}
	return s
}

// counted returns the entries that words at a position may have: all, or where none is short those of one length.
func (t *tables) counted(counts []float64, p int) []float64 {
	if len(t.short[p]) > 0 {
		return counts[:t.ladder.start[t.depth(p)+1]]
	}
	return counts[:1<<(t.ladder.bits*t.depth(p))]
}

// countsOf returns the entries of words of k letters at a position, nil where there are none.
func (t *tables) countsOf(counts []float64, p, k int) []float64 {
	switch {
	case len(t.short[p]) > 0 && k <= t.depth(p):
		return t.ladder.level(counts, k)
	case k == t.depth(p):
		return t.counted(counts, p)
	}
	return nil
}

// spread adds up the C_q of positions first … end−1, of words that have k letters.
func (t *tables) spread(s *spreading, first, end int) {
	for k := t.kernel.D; k > 0; k-- {
		near := make([]neighbours, end-first)
		for i := range near {
			near[i] = t.neighbours(s, first+i, k)
		}
		size := 1 << (t.ladder.bits * k)
		step := min(tile, size)
		parallel.Each(size/step, func(part int) {
			for i, from := range near {
				sums := t.ladder.level(s.values[i], k)[part*step:][:step]
				clear(sums)
				for s, counts := range from.counts {
					vectors.AddScaled(sums, from.weights[s], counts[part*step:][:step])
				}
			}
		})
	}
}

// neighbours are the tables of words of some length at the positions around one, and their weights there.
type neighbours struct {
	counts  [][]float64
	weights []float64
}

// neighbours returns those of position q that are not 0.
func (t *tables) neighbours(s *spreading, q, k int) (n neighbours) {
	for p := max(0, q-t.most); p < min(q+t.most+1, t.length); p++ {
		counts, weight := t.countsOf(s.countsAt(p), p, k), t.kernel.pair(min(p, q), max(p-q, q-p))
		if counts != nil && weight != 0 {
			n.counts, n.weights = append(n.counts, counts), append(n.weights, weight)
		}
	}
	return n
}

// fold makes the values of the words at position q of sums over the positions around it: sums over the words that begin
// with a word, and then, times the weights of lengths, over the prefixes of a word.
func (t *tables) fold(table []float64, q int) {
	l := &t.ladder
	for k := t.depth(max(0, q-t.most)); k > 1; k-- {
		shorter, fan := l.level(table, k-1), 1<<l.bits
		for u, longer := 0, l.level(table, k); len(longer) > 0; u, longer = u+1, longer[fan:] {
			sum := shorter[u]
			for _, c := range longer[:fan] {
				sum += c
			}
			shorter[u] = sum
		}
	}
	for u := range l.level(table, 1) {
		table[u] *= float64(t.kernel.D)
	}
	for k := 2; k <= t.depth(q); k++ {
		longer, weight, fan := l.level(table, k), float64(t.kernel.D-k+1), 1<<l.bits
		for _, value := range l.level(table, k-1) {
			for i, sum := range longer[:fan] {
				longer[i] = float64(sum*weight) + value
			}
			longer = longer[fan:]
		}
	}
}
