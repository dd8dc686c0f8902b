package descent

import (
	"context"

	"github.com/seqsvm/seqsvm/classify/svm"
	"github.com/seqsvm/seqsvm/internal/parallel"
	"github.com/seqsvm/seqsvm/internal/vectors"
)

// In a descent of many records the primal value goes up and down, since w follows the records that came last. That of
// the mean of w over the last passes does not: see [Solver].

// From a quarter to four times these, results stay within Tol.
const (
	// the share of a table in the mean falls to 1/e in leastPasses passes, and meanPasses more for each pass made before
	leastPasses = 1
	meanPasses  = 0.1
	meanEntries = 64 // of a table, at most, for each record visited between two tables of the mean
)

// meanTable is the mean of the tables of a descent, and the best table that was certified.
type meanTable struct {
	table  []float64
	taken  int // tables in the mean since it began
	since  int // records visited since the latest of them
	best   []float64
	isBest bool // the point certified last is the mean, not the table itself
}

func newMeanTable(width int) *meanTable {
	return &meanTable{table: make([]float64, width), best: make([]float64, width)}
}

// take moves the mean towards a table, once enough of the n records have been visited since it last did; passes is how
// many were made before.
func (m *meanTable) take(table []float64, visited, n, passes int) {
	if m.since += visited; m.since*meanEntries < len(table) && m.since < n {
		return
	}
	m.taken++
	over := (leastPasses + float64(meanPasses*float64(passes))) * float64(n)
	share := max(1/float64(m.taken), min(1, float64(m.since)/over))
	m.since = 0
	parallel.For(len(table), func(first, end int) {
		mean := m.table[first:end]
		for j, x := range table[first:end] {
			mean[j] += float64(share * (x - mean[j]))
		}
	})
}

// certifyMean replaces the primal value of the latest certificate by that of the mean if that is less; if not, the mean
// starts again.
func (r *coordinateRun) certifyMean(ctx context.Context) error {
	if r.mean.isBest = false; r.mean.taken == 0 {
		return nil
	}
	if err := r.rows.score(ctx, r.scores, r.mean.table); err != nil {
		return err
	}
	primal, rho := r.primalOf(vectors.Dot(r.mean.table, r.mean.table)/r.rows.scale, r.scores)
	if r.mean.isBest = primal < r.now.Primal; !r.mean.isBest {
		r.mean.taken = 0
		return nil
	}
	r.now.Certificate, r.now.Rho = svm.Between(primal, r.now.Dual), rho
	return nil
}

// primalOf returns the primal value of a point with its bias, given its squared norm and scores.
func (r *coordinateRun) primalOf(square float64, f []float64) (primal, rho float64) {
	b := r.Hinges.Bias(f)
	primal = float64(square/2) + float64(r.Sum*b)
	for i, v := range r.Linear {
		loss, _ := r.Hinges.GapOf(i, v-(f[i]+b), 0)
		primal += loss
	}
	return primal, 0 - b
}

// keepTable keeps the table of the latest certificate.
func (r *coordinateRun) keepTable() {
	from := r.table
	if r.mean.isBest {
		from = r.mean.table
	}
	copy(r.mean.best, from)
}
