package classify

import (
	"math"

	"github.com/seqsvm/seqsvm/internal/strongest"
)

// OneVsOne is the scheme with a machine per pair of classes: k(k−1)/2 machines on the records of two classes each.
const OneVsOne = "one-vs-one"

type oneVsOne struct{ perClass }

func (oneVsOne) count(r *Rule) (int, error) {
	k := len(r.Classes)
	return k * (k - 1) / 2, nil
}

func (oneVsOne) binaries(r *Rule) (machines []Binary) {
	for a := range r.Classes {
		for b := a + 1; b < len(r.Classes); b++ {
			machines = append(machines, Binary{Positive: a, Negative: b})
		}
	}
	return machines
}

// bytes counts besides the coefficients of a model and of its merged scorer: a machine has one for every record, also
// 0.
func (oneVsOne) bytes(t Trainer, n, k float64) float64 {
	const coefficientBytes = 20
	return float64(t.recordBytes()*((k-1)*n)) + float64(coefficientBytes*(k*(k-1)/2)*n)
}

func (oneVsOne) plan(t Trainer, p *plan, d *Dataset, rows []int) {
	_, counts := d.classesOf(rows)
	for _, m := range p.machines {
		var index, y []int
		each(d.Len(), rows, func(i int) {
			if c := d.Y[i]; c == m.Positive || c == m.Negative {
				index, y = append(index, i), append(y, c)
			}
		})
		p.jobs = append(p.jobs, t.job(m, index, y, counts))
	}
}

// predict counts votes: the score of a class is the number of pairs that it wins, and a fraction that breaks ties.
func (oneVsOne) predict(r *Rule, decisions []float64, to *Prediction) {
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

func (oneVsOne) probabilities(r *Rule, decisions []float64) []float64 {
	pairs := make([][]float64, len(r.Classes))
	for c := range pairs {
		pairs[c] = make([]float64, len(r.Classes))
	}
	for m, machine := range r.Machines {
		p := machine.Sigmoid.Probability(decisions[m])
		pairs[machine.Positive][machine.Negative], pairs[machine.Negative][machine.Positive] = p, 1-p
	}
	return couplePairs(pairs)
}

func (s oneVsOne) score(terms []Term, decisions []float64) float64 {
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

func (oneVsOne) machineName(r *Rule, m int) string {
	return r.Classes[r.Machines[m].Positive] + "/" + r.Classes[r.Machines[m].Negative]
}
