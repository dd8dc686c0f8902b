package svm

import (
	"context"
	"math"
)

// plane is one lower bound offset − Σ_i a_i f_i of the risk minimised over its free scalars.
type plane struct {
	coef   compact   // a
	f      []float64 // K a
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
	pl.coef = compactOf(a)
	if err := s.multiply(ctx, pl.f, a); err != nil {
		return 0, nil, err
	}
	products, err = s.append(pl, a)
	return pl.offset, products, err
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
			products[t] = s.planes[t].coef.dot(pl.f)
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

// addTo adds λ a to coef and λ K a to f, those of the records from lo on.
func (pl *plane) addTo(coef, f []float64, lo int, lambda float64) {
	addScaled(f, lambda, pl.f[lo:])
	pl.coef.addTo(coef, lo, lambda)
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
	}
	clear(s.planes[next:])
	s.planes = s.planes[:next]
}
