package newton

import (
	"context"
	"math"

	"github.com/seqsvm/seqsvm/classify/internal/state"
	"github.com/seqsvm/seqsvm/internal/vectors"
)

// Code moves the state between two steps: what the coefficients and the rest follow from.
func (s *newton) Code(c *state.Coder) {
	for _, v := range [][]float64{s.w.table, s.w.filtered, s.f, s.centre} {
		c.Floats(v)
	}
	for _, v := range []*float64{&s.step, &s.dual, &s.balanced, &s.rounding} {
		c.Float(v)
	}
	c.Int(&s.steps, math.MaxInt32)
	if c.Reading() && c.Err() == nil {
		s.hinges.Remember(s.balanced)
	}
}

// Fits scores the records with the point. Scores were added up along the steps, so that they are the same but for
// rounding.
func (s *newton) Fits(ctx context.Context) (bool, error) {
	if err := scoreRecords(ctx, s.records, s.slopes, s.w.filtered); err != nil {
		return false, err
	}
	greatest := max(1, vectors.Greatest(s.f))
	for i, f := range s.f {
		if !(math.Abs(f-s.slopes[i]) <= 1e-6*greatest) {
			return false, nil
		}
	}
	return true, nil
}
