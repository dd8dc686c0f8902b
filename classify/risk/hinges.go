package risk

import (
	"math"

	"github.com/seqsvm/seqsvm/internal/scratch"
)

// Costs are factors of positive and of negative weights, in classification the costs C of the two classes.
type Costs struct {
	Positive, Negative float64
}

// Hinges is a sum of hinges
//
//	R(f) = min over b of  Σ_h |c_h| max(0, ±(p_h − f_i − b_g)) + Σ_g s_g b_g − Σ_i q_i f_i
//
// where hinge h belongs to record i = Record[h] and to the free scalar g = Scalar[h], and the sign is that of its
// weight. c_h is the weight times the cost of its sign. With Squared, of one scalar, the maxima are squared. With
// NoBias there is no minimum: b is 0, and Σ_h a_h has no condition.
//
// A weight of 2 counts like two hinges of weight 1. The coefficients of a plane are a_i = q_i + Σ_h a_h over the hinges
// of record i, with a_h between 0 and c_h, and Σ_h a_h = s_g over those of a scalar.
type Hinges struct {
	Points  []float64 // p_h
	Weights []float64 // 0: as if the hinge were not there
	Costs   Costs
	Squared bool
	NoBias  bool      // of one scalar and no Sums: b = 0
	Sums    []float64 // s_g, one per scalar; nil: one scalar, s = 0

	Record  []int32 // nil: hinge h is that of record h; else ascending, a record's hinges by descending points
	Records int     // n, where Record is given
	Scalar  []int32 // nil: all belong to scalar 0
	// Ordered asks for scalars b_0 ≥ b_1 ≥ …
	Ordered bool
	Linear  []float64 // q_i, nil: none

	positives []float64 // per scalar, Σ of the positive weights
	members   [][]int32 // per scalar, its hinges; nil for all of one
	biases    []bias
	points    []breakpoint
	before    []float64 // per hinge, see prepareOrder
	want      []float64 // scratch of Near
	balanced  float64   // the free scalar of the last Near, where the next one begins
}

// Len returns the number of records.
func (h *Hinges) Len() int {
	if h.Record == nil {
		return len(h.Points)
	}
	return h.Records
}

// Nonnegative reports whether R ≥ 0: hinges alone are.
func (h *Hinges) Nonnegative() bool {
	for _, s := range h.Sums {
		if s != 0 {
			return false
		}
	}
	return h.Linear == nil
}

// Cost returns |c_h|.
func (h *Hinges) Cost(i int) float64 {
	if w := h.Weights[i]; w > 0 {
		return w * h.Costs.Positive
	}
	return -h.Weights[i] * h.Costs.Negative
}

// record returns that of a hinge.
func (h *Hinges) record(i int) int {
	if h.Record == nil {
		return i
	}
	return int(h.Record[i])
}

// scalar returns that of a hinge.
func (h *Hinges) scalar(i int) int {
	if h.Scalar == nil {
		return 0
	}
	return int(h.Scalar[i])
}

// sum returns s_g.
func (h *Hinges) sum(g int) float64 {
	if h.Sums == nil {
		return 0
	}
	return h.Sums[g]
}

// prepare sums the weights of each scalar and lists its hinges, once.
func (h *Hinges) prepare() {
	if h.positives != nil {
		return
	}
	scalars := max(1, len(h.Sums))
	h.positives, h.biases = make([]float64, scalars), make([]bias, scalars)
	for i, w := range h.Weights {
		h.positives[h.scalar(i)] += max(0, w)
	}
	if h.Scalar == nil {
		return
	}
	h.members = make([][]int32, scalars)
	for i, g := range h.Scalar {
		h.members[g] = append(h.members[g], int32(i))
	}
}

// Scalars returns the minimising b_g.
func (h *Hinges) Scalars(f []float64) []float64 {
	h.minimise(f)
	out := make([]float64, len(h.biases))
	for g, b := range h.biases {
		out[g] = b.value
	}
	return out
}

// minimise finds the scalars at scores f, and the shares of hinges at their corners.
func (h *Hinges) minimise(f []float64) {
	h.prepare()
	if h.NoBias {
		return // biases are zeros
	}
	if h.Squared {
		h.biases[0] = bias{value: h.minimiseSquared(f)}
		return
	}
	for g := range h.biases {
		h.biases[g] = h.pool(g, g+1, f)
	}
	if h.Ordered {
		h.order(f)
	}
}

// pool returns the best common value of the scalars lo … hi−1.
func (h *Hinges) pool(lo, hi int, f []float64) bias {
	q := quantile{costs: h.Costs}
	for g := lo; g < hi; g++ {
		q.positives += h.positives[g]
		q.sum += h.sum(g)
	}
	points := h.breakpoints(lo, hi, f)
	if len(points) == 0 { // a threshold between two classes without records: any value is as good
		return bias{}
	}
	return q.find(points)
}

// order makes the scalars descend by pooling neighbours that do not: pool adjacent violators (Ayer et al. 1955,
// doi:10.1214/aoms/1177728423), which is exact for a sum of convex functions of one scalar each.
func (h *Hinges) order(f []float64) {
	type part struct {
		lo, hi int
		bias   bias
	}
	var parts []part
	for g, b := range h.biases {
		p := part{g, g + 1, b}
		for len(parts) > 0 && parts[len(parts)-1].bias.value < p.bias.value {
			p.lo, parts = parts[len(parts)-1].lo, parts[:len(parts)-1]
			p.bias = h.pool(p.lo, p.hi, f)
		}
		parts = append(parts, p)
	}
	for _, p := range parts {
		for g := p.lo; g < p.hi; g++ {
			h.biases[g] = p.bias
		}
	}
}

// breakpoints returns p_h − f_i for the hinges of the scalars lo … hi−1.
func (h *Hinges) breakpoints(lo, hi int, f []float64) []breakpoint {
	if h.members == nil {
		h.points = scratch.Resize(h.points, len(h.Points))
		points, weights := h.points, h.Weights[:len(h.Points)]
		kept := 0
		for i, p := range h.Points {
			points[kept] = breakpoint{p - f[h.record(i)], weights[i]}
			kept += oneIf(weights[i] != 0)
		}
		return points[:kept]
	}
	h.points = h.points[:0]
	for _, hinges := range h.members[lo:hi] {
		for _, i := range hinges {
			h.points = append(h.points, breakpoint{h.Points[i] - f[h.record(int(i))], h.Weights[i]})
		}
	}
	return h.points
}

// Plane implements [Risk].
func (h *Hinges) Plane(a, f []float64) (value, offset float64) {
	h.minimise(f)
	if h.Squared {
		clear(a)
		return h.planeSquared(a, f)
	}
	values, offsets := make([]float64, Parts(h.Len())), make([]float64, Parts(h.Len()))
	h.inParts(func(p part) {
		a, f, k := a[p.lo:p.hi], f[p.lo:p.hi], p.lo/PartLen
		clear(a)
		loss, offset := h.hingesOf(p, a, f)
		values[k], offsets[k] = h.linearOf(p.lo, a, f, loss), offset
	})
	for k, v := range values {
		value += v
		offset += offsets[k]
	}
	for g, sum := range h.Sums {
		value += float64(sum * h.biases[g].value)
	}
	return value, offset
}

// hingesOf adds the coefficients of the hinges of a part to a, and returns their loss and their part of the offset. a
// and f are those of its records.
func (h *Hinges) hingesOf(p part, a, f []float64) (value, offset float64) {
	shares := h.sharesOf(0)
	points, weights := h.Points[p.first:p.end], h.Weights[p.first:p.end]
	for k, point := range points {
		i := p.first + k
		if h.Scalar != nil {
			shares = h.sharesOf(h.scalar(i))
		}
		r, w := h.record(i)-p.lo, weights[k]
		e := point - f[r]
		share := float64(shares.of(w, e) * math.Abs(w))
		value += float64(share * (e - shares.at))
		offset += float64(point * share)
		a[r] += share
	}
	return value, offset
}

// linearOf adds the linear terms of the records from lo on to a, and returns value with their loss.
func (h *Hinges) linearOf(lo int, a, f []float64, value float64) float64 {
	if h.Linear == nil {
		return value
	}
	for i, q := range h.Linear[lo : lo+len(f)] {
		value -= float64(q * f[i])
		a[i] += q
	}
	return value
}

// shares are the signed coefficients of hinges of unit weight at the bias at: by the sign of the weight, and by whether
// the breakpoint is below, at or above it.
type shares struct {
	at     float64
	signed [6]float64
}

// sharesOf returns those at the minimising value of a scalar, which make the sum of its coefficients s_g.
func (h *Hinges) sharesOf(g int) shares {
	b := h.biases[g]
	return shares{at: b.value, signed: [6]float64{
		-h.Costs.Negative, -h.Costs.Negative * b.negativesTied, 0,
		0, h.Costs.Positive * b.positivesTied, h.Costs.Positive,
	}}
}

// of returns the share of a hinge with a weight and a breakpoint e.
func (s *shares) of(weight, e float64) float64 {
	return s.signed[3*oneIf(weight > 0)+oneIf(e >= s.at)+oneIf(e > s.at)]
}

// Bias returns the minimising value of the only scalar.
func (h *Hinges) Bias(f []float64) float64 {
	h.minimise(f)
	return h.biases[0].value
}
