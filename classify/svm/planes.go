package svm

import (
	"context"
	"math"

	"github.com/seqsvm/seqsvm/internal/hash"
)

// plane is one lower bound offset − Σ_i a_i f_i of the risk minimised over its free scalars.
type plane struct {
	code   []uint8       // a_i = table[code[i]]
	table  *[256]float64 // the values of a, in the first entries
	values int           // how many they are
	coef   []float64     // a itself, in place of code: where it has more values
	f      []float64     // K a
	offset float64
}

// addPlane adds the plane that touches the risk at the scores at, or one nearer to the goal.
func (s *coefficients) addPlane(ctx context.Context, at []float64, reach float64) (
	offset float64, products []float64, err error) {
	a, pl := s.scratch, plane{f: s.newVector()}
	near := false
	if !math.IsInf(reach, 1) {
		pl.offset, near = s.proximal.Near(a, at, s.goal.coef, reach*s.unit)
	}
	if !near {
		_, pl.offset = s.Risk.Plane(a, at)
	}
	if near || !pl.encode(a) {
		pl.code, pl.coef = nil, s.newVector()
		copy(pl.coef, a)
	}
	if err := s.multiply(ctx, pl.f, a); err != nil {
		return 0, nil, err
	}
	products, err = s.append(pl, a)
	return pl.offset, products, err
}

// encode writes the codes of a, and reports whether its values are few enough. Most risks have a few, whatever n: of
// two classes C for either class, the shares of ties, and 0.
func (pl *plane) encode(a []float64) bool {
	const slots = 1024 // by the hash of a value, at most a quarter of them taken
	var place [slots]uint16
	pl.values, pl.table, pl.code = 0, new([256]float64), make([]uint8, len(a))
	for i, v := range a {
		key := math.Float64bits(v)
		at := key * hash.Golden >> (64 - 10)
		for {
			c := place[at]
			if c == 0 {
				if pl.values == len(pl.table) {
					return false
				}
				pl.table[pl.values], pl.code[i] = v, uint8(pl.values)
				pl.values++
				place[at] = uint16(pl.values)
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

// append adds a plane whose coefficients are a, and returns its inner products with all planes.
func (s *coefficients) append(pl plane, a []float64) ([]float64, error) {
	norm := dot(a, pl.f)
	if err := s.checkCurvature(norm, a); err != nil {
		return nil, err
	}
	if s.unit == 0 && norm > 0 {
		s.unit = dot(a, a) / norm
	}
	products := make([]float64, len(s.planes)+1)
	products[len(s.planes)] = norm
	eachRange(len(s.planes), len(s.planes)*len(a), func(lo, hi int) {
		for t := lo; t < hi; t++ {
			products[t] = s.planes[t].dot(pl.f)
		}
	})
	s.planes = append(s.planes, pl)
	return products, nil
}

// newVector returns a number for each record, in the space of a dropped plane if there is any.
func (s *coefficients) newVector() []float64 {
	if last := len(s.free) - 1; last >= 0 {
		v := s.free[last]
		s.free = s.free[:last]
		return v
	}
	return make([]float64, s.Risk.Len())
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

// addTo adds λ a to coef and λ K a to f, those of the records from lo on.
func (pl *plane) addTo(coef, f []float64, lo int, lambda float64) {
	addScaled(f, lambda, pl.f[lo:])
	if pl.coef != nil {
		addScaled(coef, lambda, pl.coef[lo:])
		return
	}
	var table [256]float64
	for c, a := range pl.table[:pl.values] {
		table[c] = lambda * a
	}
	for i, c := range pl.code[lo : lo+len(coef)] {
		coef[i] += table[c]
	}
}

// Drop implements [bundle.Space].
func (s *coefficients) Drop(kept []bool) {
	next := 0
	for t, pl := range s.planes {
		if kept[t] {
			s.planes[next] = pl
			next++
			continue
		}
		s.free = append(s.free, pl.f)
		if pl.coef != nil {
			s.free = append(s.free, pl.coef)
		}
	}
	clear(s.planes[next:])
	s.planes = s.planes[:next]
}
