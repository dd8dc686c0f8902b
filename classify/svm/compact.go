package svm

import (
	"math"
	"slices"

	"github.com/seqsvm/seqsvm/classify/risk"
	"github.com/seqsvm/seqsvm/internal/hash"
	"github.com/seqsvm/seqsvm/internal/vectors"
)

// compact is a vector of which most entries have one of a few values: a byte for each of these, and ten for others.
// Coefficients of planes are 0 or C of either class but for records on the margin.
type compact struct {
	table *[256]float64 // the values that many entries have
	parts []encoded     // of risk.PartLen entries each
}

// encoded is a part of a vector.
type encoded struct {
	code  []uint8   // of each entry: a number in the table, or alone
	own   []float64 // the others, in order
	place []uint8   // of each of these in its piece of pieceLen entries
	first []int32   // how many of these come before each piece, and in all
}

const (
	alone    = math.MaxUint8
	pieceLen = 256
	sampled  = 1 << 12 // entries that frequent values are looked for among
)

// compactOf returns a vector in this form.
func compactOf(v []float64) compact {
	known := frequent(v)
	c := compact{table: &known.values, parts: make([]encoded, risk.Parts(len(v)))}
	eachPart(len(v), 4, func(k, lo, hi int) { c.parts[k] = known.encode(v[lo:hi]) })
	return c
}

// encode returns a part with the numbers of known values.
func (t *numbers) encode(v []float64) encoded {
	e := encoded{code: make([]uint8, len(v))}
	for i, x := range v {
		if i%pieceLen == 0 {
			e.first = append(e.first, int32(len(e.own)))
		}
		if e.code[i] = t.number(x); e.code[i] == alone {
			e.own, e.place = append(e.own, x), append(e.place, uint8(i%pieceLen))
		}
	}
	e.first = append(e.first, int32(len(e.own)))
	e.own, e.place = slices.Clone(e.own), slices.Clone(e.place) // without room for more
	return e
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

// piece writes the entries of a piece of a part, given by its number, into space.
func (e *encoded) piece(space *[pieceLen]float64, number int, table *[256]float64) []float64 {
	codes := e.code[number*pieceLen : min((number+1)*pieceLen, len(e.code))]
	for i, code := range codes {
		space[i] = table[code]
	}
	from, to := e.first[number], e.first[number+1]
	place := e.place[from:to]
	for i, x := range e.own[from:to] {
		space[place[i]] = x
	}
	return space[:len(codes)]
}

// greatest returns max |v_i|.
func (c *compact) greatest() (most float64) {
	for _, x := range c.table {
		most = max(most, math.Abs(x))
	}
	for _, p := range c.parts {
		for _, x := range p.own {
			most = max(most, math.Abs(x))
		}
	}
	return most
}

// dot returns the inner product with f, to the bits of [vectors.Dot].
func (c *compact) dot(f []float64) float64 {
	var sums vectors.DotSums
	var space [pieceLen]float64
	for k := range c.parts {
		p := &c.parts[k]
		for number := range len(p.first) - 1 {
			sums.Add(p.piece(&space, number, c.table), f[k*risk.PartLen+number*pieceLen:])
		}
	}
	return sums.Sum()
}

// addTo adds λ times the entries from lo on to dst.
func (c *compact) addTo(dst []float64, lo int, lambda float64) {
	var space [pieceLen]float64
	for len(dst) > 0 {
		p, at := &c.parts[lo/risk.PartLen], lo%risk.PartLen
		values := p.piece(&space, at/pieceLen, c.table)[at%pieceLen:]
		values = values[:min(len(values), len(dst))]
		addScaled(dst[:len(values)], lambda, values)
		dst, lo = dst[len(values):], lo+len(values)
	}
}
