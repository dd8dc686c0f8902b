package bundle

import (
	"context"
	"math"
	"slices"

	"github.com/seqsvm/seqsvm/classify/risk"
	"github.com/seqsvm/seqsvm/internal/parallel"
	"github.com/seqsvm/seqsvm/internal/vectors"
)

// plane is one lower bound offset − Σ_i a_i f_i of the risk minimised over its free scalars.
type plane struct {
	coef   *coefficients // a
	f      []float64     // K a
	offset float64
	age    int // iterations since it was last in the support of the reduced problem
}

// touch adds the plane that supports R at the scores best + step·(goal − best) or, if reach is finite, one nearer to
// the goal, see [risk.Hinges.Near], the further away the greater reach. It returns the offset and the inner products
// with all planes, the last of which is that with itself. It takes one product.
func (s *points) touch(ctx context.Context, step, reach float64) (offset float64, products []float64, err error) {
	s.toward(step)
	at, a, near := s.scratch, s.plane, false
	if !math.IsInf(reach, 1) {
		offset, near = s.proximal.Near(a, at, s.goal.coef, reach*s.unit)
	}
	if !near {
		_, offset = s.Risk.Plane(a, at)
	}
	if err := s.Multiply(ctx, at, a); err != nil {
		return 0, nil, err
	}
	products, err = s.append(offset, a, at)
	return offset, products, err
}

// append adds a plane with coefficients a and product f, and returns its inner products with all planes.
func (s *points) append(offset float64, a, f []float64) ([]float64, error) {
	s.planes = append(s.planes, plane{newCoefficients(a), slices.Clone(f), offset, 0})
	products := make([]float64, len(s.planes))
	eachRange(len(products), len(products)*len(a), func(lo, hi int) {
		for t := lo; t < hi; t++ {
			products[t] = s.planes[t].coef.dot(f)
		}
	})
	norm := products[len(products)-1]
	if err := s.checkCurvature(norm, a); err != nil {
		return nil, err
	}
	if s.unit == 0 && norm > 0 {
		s.unit = vectors.Dot(a, a) / norm
	}
	return products, nil
}

// worthTasks is the number of additions from which a loop between two products is divided among processors. Fewer take
// about as long as another processor needs to wake up. Results do not depend on it.
const worthTasks = 1 << 17

// eachRange calls task on ranges that cover the records 0 … n−1, given the number of additions. What it computes of a
// record must depend on no other, so that ranges change no bit.
func eachRange(n, additions int, task func(lo, hi int)) {
	if additions < worthTasks {
		task(0, n)
		return
	}
	parallel.For(n, task)
}

// sumRanges returns the sums of what term returns for the parts of n records, in their order, whatever processors do.
// Its additions per record are given.
func sumRanges(n, additions int, term func(lo, hi int) [3]float64) (sums [3]float64) {
	terms := make([][3]float64, risk.Parts(n))
	eachRange(len(terms), additions*n, func(from, to int) {
		for k := from; k < to; k++ {
			terms[k] = term(k*risk.PartLen, min(n, (k+1)*risk.PartLen))
		}
	})
	for _, t := range terms {
		for m, x := range t {
			sums[m] += x
		}
	}
	return sums
}

// pieceLen is the number of records that are subtracted before they are multiplied, on the stack. Any
// multiple of four gives the same bits, see [vectors.DotSums].
const pieceLen = 256
