package decide

import (
	"math"
	"slices"

	"github.com/seqsvm/seqsvm/internal/scratch"
	"github.com/seqsvm/seqsvm/internal/strongest"
)

// pairs is the decision of OneVsOne.
type pairs struct{ perClass }

func (pairs) count(r *Rule) (int, error) {
	k := len(r.Classes)
	return k * (k - 1) / 2, nil
}

func (pairs) binaries(r *Rule) (machines []Binary) {
	for a := range r.Classes {
		for b := a + 1; b < len(r.Classes); b++ {
			machines = append(machines, Binary{Positive: a, Negative: b})
		}
	}
	return machines
}

// predict counts votes: the score of a class is the number of pairs that it wins, and a fraction that breaks ties.
func (pairs) predict(r *Rule, decisions []float64, to *Prediction) {
	votes, sums := make([]float64, len(r.Classes)), make([]float64, len(r.Classes))
	for m, machine := range r.Machines {
		winner := machine.Negative
		if decisions[m] > 0 {
			winner = machine.Positive
		}
		votes[winner]++
		sums[machine.Positive] += decisions[m]
		sums[machine.Negative] -= decisions[m]
	}
	for c, s := range sums {
		votes[c] += tieBreak(s)
	}
	to.Scores, to.Class = votes, strongest.Index(votes)
}

func (pairs) probabilities(r *Rule, decisions []float64) []float64 {
	of := scratch.Vectors(len(r.Classes), len(r.Classes))
	for m, machine := range r.Machines {
		p := machine.Sigmoid.Probability(decisions[m])
		of[machine.Positive][machine.Negative], of[machine.Negative][machine.Positive] = p, 1-p
	}
	return couplePairs(of)
}

func (s pairs) score(terms []Term, decisions []float64) float64 {
	votes, sum := 0.0, s.perClass.score(terms, decisions)
	for i, t := range terms {
		if (t.Sign > 0) == (decisions[i] > 0) {
			votes++
		}
	}
	return votes + tieBreak(sum)
}

// tieBreak is the fraction of a vote for the sum of a class's decision values over its pairs.
func tieBreak(sum float64) float64 { return sum / (3 * (math.Abs(sum) + 1)) }

func (pairs) machineName(r *Rule, m int) string {
	return r.Classes[r.Machines[m].Positive] + "/" + r.Classes[r.Machines[m].Negative]
}

// couplePairs combines pairwise probabilities into one distribution (Wu, Lin & Weng 2004, J. Mach. Learn. Res.
// 5:975–1005, their second method): r[s][t] estimates the probability of class s among s and t, r[t][s] = 1 − r[s][t],
// and the result minimises
//
//	Σ_s Σ_{t≠s} (r[t][s] p_s − r[s][t] p_t)²   subject to  Σ p = 1
//
// whose solution is non-negative. With Q_ss = Σ_{t≠s} r[t][s]², Q_st = −r[t][s] r[s][t], it is the p with Qp =
// (pᵀQp)·1, found by the paper's fixed-point iteration over the coordinates. O(k²) per round.
func couplePairs(r [][]float64) []float64 {
	k := len(r)
	q := pairwiseForm(r)
	p := slices.Repeat([]float64{1 / float64(k)}, k)
	qp := make([]float64, k)
	for range max(100, k) * 10 {
		form := applyForm(qp, q, p)
		worst := 0.0
		for t := range p {
			worst = max(worst, math.Abs(qp[t]-form))
		}
		if worst < 1e-10/float64(k) {
			break
		}
		for t := range p {
			change := (form - qp[t]) / q[t][t]
			p[t] += change
			form = (form + float64(change*(float64(change*q[t][t])+2*qp[t]))) / ((1 + change) * (1 + change))
			for s := range p {
				qp[s] = (qp[s] + float64(change*q[t][s])) / (1 + change)
				p[s] /= 1 + change
			}
		}
	}
	return p
}

// pairwiseForm returns Q, with probabilities kept away from 0 and 1 so that its diagonal is positive.
func pairwiseForm(r [][]float64) [][]float64 {
	const least = 1e-7
	k := len(r)
	clamp := func(s, t int) float64 { return min(max(r[s][t], least), 1-least) }
	q := scratch.Vectors(k, k)
	for s := range q {
		for t := range q {
			if t != s {
				q[s][s] += float64(clamp(t, s) * clamp(t, s))
				q[s][t] = -float64(clamp(t, s) * clamp(s, t))
			}
		}
	}
	return q
}

// applyForm writes Qp into qp and returns pᵀQp.
func applyForm(qp []float64, q [][]float64, p []float64) (form float64) {
	for s := range q {
		qp[s] = 0
		for t := range p {
			qp[s] += float64(q[s][t] * p[t])
		}
		form += float64(p[s] * qp[s])
	}
	return form
}
