package decide

import (
	"fmt"
	"math"
	"slices"

	"github.com/seqsvm/seqsvm/internal/elementary"
)

// Scaling makes the probabilities of many classes agree with frequencies: that of a class becomes proportional to
// p^Power·(1 − p)^−Rest·exp(Offset) of its class. The power is the reciprocal of a temperature.
type Scaling struct {
	Power   float64   `json:"power"`
	Rest    float64   `json:"rest"`
	Offsets []float64 `json:"offsets"` // by class
}

// mostScale bounds the numbers of a scaling.
const mostScale = 1e6

// surest bounds the probabilities that a scaling takes for certain.
const surest = 1e-12

// logs returns ln p and −ln(1 − p).
func logs(p float64) (own, rest float64) {
	return elementary.Log(max(p, surest)), -elementary.Log(max(1-p, surest))
}

// apply scales probabilities in place.
func (s *Scaling) apply(p []float64) {
	for c, v := range p {
		own, rest := logs(v)
		p[c] = s.odds(c, own, rest)
	}
	exponentiate(p)
}

func (s *Scaling) odds(class int, own, rest float64) float64 {
	return float64(s.Power*own) + float64(s.Rest*rest) + s.Offsets[class]
}

// FitScaling fits a scaling to the probabilities, [record][class], of records left out in training, which are of the
// classes truth: it lowers the log loss from that without a scaling on, by Newton's steps of Power and Rest
// (temperature scaling, Guo, Pleiss, Sun & Weinberger 2017, arXiv:1706.04599; with Rest that of Kull, Silva Filho &
// Flach 2017, doi:10.1214/17-EJS1338SI) and iterative scaling of the offsets. Normal deviations of 1
// from no scaling are the prior of Power and Rest, and one record more of each class that of the offsets. O(records ·
// classes) per step, of at most 50.
func FitScaling(probabilities [][]float64, truth []int) *Scaling {
	const steps, coarse = 50, 1e-5
	k := len(probabilities[0])
	own, rest, happened := make([][]float64, len(truth)), make([][]float64, len(truth)), make([]float64, k)
	for i, p := range probabilities {
		own[i], rest[i] = make([]float64, k), make([]float64, k)
		for c, v := range p {
			own[i][c], rest[i][c] = logs(v)
		}
		happened[truth[i]]++
	}
	s := &Scaling{Power: 1, Offsets: make([]float64, k)}
	best, least, p := *s, math.Inf(1), make([]float64, k)
	for range steps {
		announced := make([]float64, k)
		a, b, aa, ab, bb := 1-s.Power, -s.Rest, 1.0, 0.0, 1.0 // derivatives by Power and Rest
		loss := (float64(a*a) + float64(b*b)) / 2
		for i, t := range truth {
			for c := range p {
				p[c] = s.odds(c, own[i][c], rest[i][c])
			}
			exponentiate(p)
			loss -= elementary.Log(max(p[t], surest))
			var meanA, meanB, squareA, squareB, product float64
			for c, v := range p {
				x, y := own[i][c], rest[i][c]
				announced[c] += v
				meanA, meanB = meanA+float64(v*x), meanB+float64(v*y)
				squareA, squareB = squareA+float64(float64(v*x)*x), squareB+float64(float64(v*y)*y)
				product += float64(float64(v*x) * y)
			}
			a, b = a+own[i][t]-meanA, b+rest[i][t]-meanB
			aa, bb = aa+squareA-float64(meanA*meanA), bb+squareB-float64(meanB*meanB)
			ab += product - float64(meanA*meanB)
		}
		if !(loss < least-float64(coarse*loss)) {
			break
		}
		best, least = Scaling{s.Power, s.Rest, slices.Clone(s.Offsets)}, loss
		det := float64(aa*bb) - float64(ab*ab)
		s.Power += (float64(bb*a) - float64(ab*b)) / det
		s.Rest += (float64(aa*b) - float64(ab*a)) / det
		for c := range s.Offsets {
			s.Offsets[c] += elementary.Log((happened[c] + 1) / (announced[c] + 1))
		}
	}
	return &best
}

// check returns an error unless the scaling is one of the probabilities of many classes.
func (s *Scaling) check(r *Rule) error {
	if s == nil {
		return nil
	}
	if r.Scheme != OneVsRest || r.Machines[0].Sigmoid == nil || len(s.Offsets) != len(r.Classes) {
		return fmt.Errorf("classify: scaling of %d probabilities for %s of %d classes, want one of %s with sigmoids",
			len(s.Offsets), r.Scheme, len(r.Classes), OneVsRest)
	}
	all := append(slices.Clone(s.Offsets), s.Power, s.Rest)
	if slices.ContainsFunc(all, func(v float64) bool { return math.Abs(v) > mostScale }) {
		return fmt.Errorf("classify: scaling %v of probabilities, want numbers up to %v", *s, mostScale)
	}
	return nil
}
