package svm

import (
	"context"
	"fmt"
	"math"
	"slices"

	"github.com/seqsvm/seqsvm/internal/hash"
)

// plane is one lower bound offset − Σ_i a_i f_i of the risk minimised over its free scalars.
type plane struct {
	code   []uint8       // a_i = table[code[i]]
	table  *[256]float64 // the values of a
	coef   []float64     // a itself, in place of code: where it has more values
	f      []float64     // K a
	offset float64
	age    int // iterations since it was last in the support of the reduced problem
}

// addPlane adds the plane that touches the risk at the scores at: one product.
func (r *planeRun) addPlane(ctx context.Context, at []float64) error {
	a := r.scratch
	_, offset := r.Risk.Plane(a, at)
	pl := r.newPlane()
	pl.offset = offset
	if !pl.encode(a) {
		pl.code, pl.coef = nil, slices.Clone(a)
	}
	if err := r.multiply(ctx, pl.f, a); err != nil {
		return err
	}
	return r.append(pl, a)
}

// encode writes the codes of a, and reports whether its values are few enough. Most risks have a few, whatever n: of
// two classes C for either class, the shares of ties, and 0.
func (pl *plane) encode(a []float64) bool {
	const slots = 1024 // by the hash of a value, at most a quarter of them taken
	var place [slots]uint16
	values := 0
	pl.table = new([256]float64)
	for i, v := range a {
		key := math.Float64bits(v)
		at := key * hash.Golden >> (64 - 10)
		for {
			c := place[at]
			if c == 0 {
				if values == len(pl.table) {
					return false
				}
				pl.table[values] = v
				values++
				place[at], pl.code[i] = uint16(values), uint8(values-1)
				break
			}
			if math.Float64bits(pl.table[c-1]) == key {
				pl.code[i] = uint8(c - 1)
				break
			}
			at = (at + 1) % slots
		}
	}
	return true
}

// append adds a plane whose coefficients are a to the reduced problem.
func (r *planeRun) append(pl plane, a []float64) error {
	norm := dot(a, pl.f)
	if err := r.checkCurvature(norm, a); err != nil {
		return err
	}
	column := make([]float64, r.zero, len(r.planes)+1) // the zero plane first, if it is one
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
	return plane{code: make([]uint8, r.Risk.Len()), f: make([]float64, r.Risk.Len())}
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
		s0 += float64(pl.table[code[i]] * f[i])
		s1 += float64(pl.table[code[i+1]] * f[i+1])
		s2 += float64(pl.table[code[i+2]] * f[i+2])
		s3 += float64(pl.table[code[i+3]] * f[i+3])
	}
	for ; i < len(code); i++ {
		s0 += float64(pl.table[code[i]] * f[i])
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
	var table [256]float64
	for c, a := range pl.table {
		table[c] = lambda * a
	}
	for i, c := range pl.code {
		coef[i] += table[c]
	}
}

// prune drops the planes that have been out of the support for more than maxPlaneAge iterations.
func (r *planeRun) prune() {
	kept := make([]bool, len(r.planes)+r.zero)
	kept[0] = kept[0] || r.zero == 1
	next := 0
	for t := range r.planes {
		pl := &r.planes[t]
		pl.age++
		if r.reduced.lambda[t+r.zero] > 0 || r.reduced.supports(t+r.zero) {
			pl.age = 0
		}
		if pl.age > maxPlaneAge {
			if pl.coef == nil {
				r.free = append(r.free, *pl)
			}
			continue
		}
		kept[t+r.zero] = true
		r.planes[next] = *pl
		next++
	}
	if next < len(r.planes) {
		clear(r.planes[next:])
		r.planes = r.planes[:next]
		r.reduced.keep(kept)
	}
}
