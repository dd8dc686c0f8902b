package svm

import (
	"fmt"
	"math"
	"slices"
)

// The part of a record in a subgradient of the loss, 0-based codes of a plane's table: one byte per record.
const (
	codeNone         = iota // no loss
	codePositive            // a positive weight, with a loss
	codeNegative            // a negative weight, with a loss
	codePositiveTied        // a positive weight, at the hinge's corner
	codeNegativeTied        // a negative weight, at the hinge's corner
)

// codeTable maps the codes to the signed coefficients a_i = ±C_i θ_i of weights ±1; its length lets the compiler drop
// bounds checks.
type codeTable [8]float64

// tableOf returns the table of the subgradient at a minimising bias, whose coefficients sum to 0.
func (p *instance) tableOf(b bias) codeTable {
	return codeTable{
		codePositive:     p.Costs.Positive,
		codeNegative:     -p.Costs.Negative,
		codePositiveTied: p.Costs.Positive * b.positivesTied,
		codeNegativeTied: -p.Costs.Negative * b.negativesTied,
	}
}

// codeOf returns the code of a record with a weight and breakpoint e at the bias b.
func codeOf(weight, e, b float64) uint8 {
	switch {
	case weight > 0 && e > b:
		return codePositive
	case weight < 0 && e < b:
		return codeNegative
	case e != b:
		return codeNone
	case weight > 0:
		return codePositiveTied
	default:
		return codeNegativeTied
	}
}

// plane is one lower bound ⟨−Σ a_i φ(x_i), w⟩ + offset of the loss minimised over the bias.
type plane struct {
	code   []uint8 // a_i = table[code[i]]
	table  codeTable
	coef   []float64 // a itself, in place of code: the point a run starts from, or all planes where weights differ
	f      []float64 // K a
	offset float64   // pᵀa
	age    int       // iterations since it was last in the support of the reduced problem
}

// addPlane adds the plane that touches the loss at the scores at: one product.
func (r *planeRun) addPlane(at []float64) error {
	b := r.quantile.minimise(r.instance, at)
	pl := r.newPlane()
	pl.table = r.tableOf(b)
	a := r.scratch
	for i, v := range r.Linear {
		w := r.Weights[i]
		code := codeOf(w, v-at[i], b.value)
		pl.code[i] = code
		a[i] = float64(pl.table[code&7] * math.Abs(w))
		pl.offset += float64(v * a[i])
	}
	if !r.uniform {
		pl.code, pl.coef = nil, slices.Clone(a)
	}
	if err := r.multiply(pl.f, a); err != nil {
		return err
	}
	return r.append(pl, a)
}

// append adds a plane whose coefficients are a to the reduced problem.
func (r *planeRun) append(pl plane, a []float64) error {
	norm := dot(a, pl.f)
	if err := r.checkCurvature(norm, a); err != nil {
		return err
	}
	column := make([]float64, 1, len(r.planes)+1) // the zero plane first
	for t := range r.planes {
		column = append(column, r.planes[t].dot(pl.f))
	}
	r.planes = append(r.planes, pl)
	r.reduced.add(column, max(0, norm), pl.offset)
	return nil
}

// newPlane returns an empty plane, in the space of a dropped one if there is any.
func (r *planeRun) newPlane() plane {
	if last := len(r.free) - 1; last >= 0 {
		pl := r.free[last]
		r.free = r.free[:last]
		pl.offset, pl.age = 0, 0
		return pl
	}
	return plane{code: make([]uint8, len(r.Linear)), f: make([]float64, len(r.Linear))}
}

// checkCurvature returns an error if square = vᵀKv is negative beyond rounding, that of a matrix of single precision
// too: v is the sum or difference of parts.
func (r *planeRun) checkCurvature(square float64, parts ...[]float64) error {
	if square >= 0 {
		return nil
	}
	size := 0.0
	for _, v := range parts {
		for _, x := range v {
			size += math.Abs(x)
		}
	}
	if square < -max(1e-7*size*size*r.greatest, tinyPrimal) {
		return fmt.Errorf("%w: vᵀKv = %g for some v", ErrIndefinite, square)
	}
	return nil
}

// dot returns aᵀf.
func (pl *plane) dot(f []float64) float64 {
	if pl.coef != nil {
		return dot(pl.coef, f)
	}
	var s0, s1, s2, s3 float64
	code := pl.code
	f = f[:len(code)]
	i := 0
	for ; i+4 <= len(code); i += 4 {
		s0 += float64(pl.table[code[i]&7] * f[i])
		s1 += float64(pl.table[code[i+1]&7] * f[i+1])
		s2 += float64(pl.table[code[i+2]&7] * f[i+2])
		s3 += float64(pl.table[code[i+3]&7] * f[i+3])
	}
	for ; i < len(code); i++ {
		s0 += float64(pl.table[code[i]&7] * f[i])
	}
	return (s0 + s1) + (s2 + s3)
}

// addTo adds λ a to coef and λ K a to f.
func (pl *plane) addTo(coef, f []float64, lambda float64) {
	addScaled(f, lambda, pl.f)
	if pl.coef != nil {
		addScaled(coef, lambda, pl.coef)
		return
	}
	var table codeTable
	for c, a := range pl.table {
		table[c] = lambda * a
	}
	for i, c := range pl.code {
		coef[i] += table[c&7]
	}
}

// prune drops the planes that have been out of the support for more than maxPlaneAge iterations.
func (r *planeRun) prune() {
	kept := make([]bool, len(r.planes)+1)
	kept[0] = true
	next := 0
	for t := range r.planes {
		pl := &r.planes[t]
		pl.age++
		if r.reduced.lambda[t+1] > 0 || r.reduced.supports(t+1) {
			pl.age = 0
		}
		if pl.age > maxPlaneAge {
			if pl.coef == nil {
				r.free = append(r.free, *pl)
			}
			continue
		}
		kept[t+1] = true
		r.planes[next] = *pl
		next++
	}
	if next < len(r.planes) {
		clear(r.planes[next:])
		r.planes = r.planes[:next]
		r.reduced.keep(kept)
	}
}
