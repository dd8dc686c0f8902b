package svm

import (
	"context"
	"math"
	"slices"
)

// plane is one lower bound offset − Σ_i a_i f_i of the risk minimised over its free scalars.
type plane struct {
	coef, f []float64 // a, K a
	offset  float64
}

// addPlane adds the plane that touches the risk at the scores at, or one nearer to the goal. It leaves the product of
// the plane in at.
func (s *coefficients) addPlane(ctx context.Context, at []float64, reach float64) (
	offset float64, products []float64, err error) {
	a, near := s.plane, false
	if !math.IsInf(reach, 1) {
		offset, near = s.proximal.Near(a, at, s.goal.coef, reach*s.unit)
	}
	if !near {
		_, offset = s.Risk.Plane(a, at)
	}
	if err := s.multiply(ctx, at, a); err != nil {
		return 0, nil, err
	}
	products, err = s.append(offset, a, at)
	return offset, products, err
}

// append adds a plane with coefficients a and product f, and returns its inner products with all planes.
func (s *coefficients) append(offset float64, a, f []float64) ([]float64, error) {
	products := make([]float64, len(s.planes)+1)
	eachRange(len(products), len(products)*len(a), func(lo, hi int) {
		for t := lo; t < hi; t++ {
			if t < len(s.planes) {
				products[t] = dot(s.planes[t].coef, f)
			} else {
				products[t] = dot(a, f)
			}
		}
	})
	norm := products[len(s.planes)]
	if err := s.checkCurvature(norm, a); err != nil {
		return nil, err
	}
	if s.unit == 0 && norm > 0 {
		s.unit = dot(a, a) / norm
	}
	s.planes = append(s.planes, plane{slices.Clone(a), slices.Clone(f), offset})
	return products, nil
}

// Drop implements [bundle.Space].
func (s *coefficients) Drop(kept []bool) {
	next := 0
	for t, pl := range s.planes {
		if kept[t] {
			s.planes[next] = pl
			next++
		}
	}
	clear(s.planes[next:])
	s.planes = s.planes[:next]
}
