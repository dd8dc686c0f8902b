package svm

import (
	"math"
	"slices"

	"github.com/seqsvm/seqsvm/internal/hash"
	"github.com/seqsvm/seqsvm/internal/vectors"
)

// compact is a vector of which most entries have one of a few values: a byte for each of these, and ten for others.
// Coefficients of planes are 0 or C of either class but for records on the margin.
type compact struct {
	code  []uint8       // of each entry: a number in table, or alone
	table *[256]float64 // the values that many entries have
	own   []float64     // the others, in order
	place []uint8       // of each of these in its piece of pieceLen entries
	first []int32       // how many of these come before each piece, and in all
}

const (
	alone    = math.MaxUint8
	pieceLen = 256
	sampled  = 1 << 12 // entries that frequent values are looked for among
)

// compactOf returns a vector in this form.
func compactOf(v []float64) compact {
	known := frequent(v)
	c := compact{code: make([]uint8, len(v)), table: &known.values}
	for i, x := range v {
		if i%pieceLen == 0 {
			c.first = append(c.first, int32(len(c.own)))
		}
		if c.code[i] = known.number(x); c.code[i] == alone {
			c.own, c.place = append(c.own, x), append(c.place, uint8(i%pieceLen))
		}
	}
	c.first = append(c.first, int32(len(c.own)))
	c.own, c.place = slices.Clone(c.own), slices.Clone(c.place) // without room for more
	return c
}

// frequent returns the values that occur twice or more among entries at equal distances, up to 255 of them.
func frequent(v []float64) *numbers {
	sample := make([]float64, 0, sampled)
	for i := 0; i < len(v); i += len(v)/sampled + 1 {
		sample = append(sample, v[i])
	}
	slices.Sort(sample)
	known := new(numbers)
	for i := 1; i < len(sample) && known.count < alone; i++ {
		if sample[i] == sample[i-1] && known.number(sample[i]) == alone {
			known.add(sample[i])
		}
	}
	return known
}

// numbers gives up to 255 values numbers, to their bits.
type numbers struct {
	values [256]float64
	count  int
	place  [1024]uint16 // by the hash of a value: 1 + its number
}

// at returns the place of a value, or the one where it would be.
func (t *numbers) at(x float64) int {
	key := math.Float64bits(x)
	at := key * hash.Golden >> (64 - 10)
	for t.place[at] != 0 && math.Float64bits(t.values[t.place[at]-1]) != key {
		at = (at + 1) % uint64(len(t.place))
	}
	return int(at)
}

// number returns the number of a value, alone if it has none.
func (t *numbers) number(x float64) uint8 { return uint8(t.place[t.at(x)] - 1) }

func (t *numbers) add(x float64) {
	t.values[t.count] = x
	t.count++
	t.place[t.at(x)] = uint16(t.count)
}

// piece writes the entries of a piece, given by its number, into space.
func (c *compact) piece(space *[pieceLen]float64, number int) []float64 {
	codes := c.code[number*pieceLen : min((number+1)*pieceLen, len(c.code))]
	for i, code := range codes {
		space[i] = c.table[code]
	}
	from, to := c.first[number], c.first[number+1]
	place := c.place[from:to]
	for i, x := range c.own[from:to] {
		space[place[i]] = x
	}
	return space[:len(codes)]
}

// dot returns the inner product with f, to the bits of [vectors.Dot].
func (c *compact) dot(f []float64) float64 {
	var sums vectors.DotSums
	var space [pieceLen]float64
	for number := range len(c.first) - 1 {
		sums.Add(c.piece(&space, number), f[number*pieceLen:])
	}
	return sums.Sum()
}

// addTo adds λ times the entries from lo on to dst.
func (c *compact) addTo(dst []float64, lo int, lambda float64) {
	var space [pieceLen]float64
	for len(dst) > 0 {
		values := c.piece(&space, lo/pieceLen)[lo%pieceLen:]
		values = values[:min(len(values), len(dst))]
		addScaled(dst[:len(values)], lambda, values)
		dst, lo = dst[len(values):], lo+len(values)
	}
}
