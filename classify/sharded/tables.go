package sharded

import (
	"context"
	"fmt"
	"math"

	"github.com/seqsvm/seqsvm/classify/internal/bundle"
	"github.com/seqsvm/seqsvm/classify/risk"
	"github.com/seqsvm/seqsvm/classify/svm"
	"github.com/seqsvm/seqsvm/internal/parallel"
	"github.com/seqsvm/seqsvm/internal/vectors"
)

// tables is the space of a run whose points are tables of features. See [bundle.Space].
type tables struct {
	space   Space
	records Records
	source  risk.Risk
	risk    risk.Divided // the same
	planes  []plane
	free    [][]float64 // tables of dropped planes
	points  [2]point    // by bundle.Point
	best    *point
	goal    *point
	passes  int

	coef     []float64 // of a plane that is being made
	filtered []float64 // its table, filtered
}

// plane is offset − ⟨Filter(table), ·⟩.
type plane struct {
	table  []float64
	offset float64
}

// point is a convex combination of planes with the scores of all records.
type point struct {
	plane
	filtered []float64 // the table that records are scored with
	f        []float64
}

func newTables(space Space, records Records, r risk.Risk) *tables {
	s := &tables{space: space, records: records, source: r, risk: dividedOf(r)}
	n, size := records.Len(), space.Size()
	for p := range s.points {
		s.points[p] = point{plane{table: make([]float64, size)}, make([]float64, size), make([]float64, n)}
	}
	s.best, s.goal = s.point(bundle.Best), s.point(bundle.Goal)
	s.coef, s.filtered = make([]float64, n), make([]float64, size)
	return s
}

func (s *tables) point(p bundle.Point) *point { return &s.points[p] }

// scoresOf returns scores that are there.
func scoresOf(f []float64) risk.Scores {
	return func(dst []float64, lo int) { copy(dst, f[lo:]) }
}

// between returns the scores at best + κ (goal − best).
func (s *tables) between(kappa float64) risk.Scores {
	return func(dst []float64, lo int) {
		from, to := s.best.f[lo:lo+len(dst)], s.goal.f[lo:lo+len(dst)]
		for i, f := range from {
			dst[i] = f + float64(kappa*(to[i]-f))
		}
	}
}

// Touch implements [bundle.Space]: one pass. Planes are not near others, which would take their coefficients.
func (s *tables) Touch(ctx context.Context, step, _ float64) (offset float64, products []float64, err error) {
	pl := plane{table: s.emptyTable()}
	_, pl.offset = s.risk.PlaneOf(s.between(step), func(a []float64, lo int) { copy(s.coef[lo:], a) })
	s.passes++
	if err := s.records.Add(ctx, [][]float64{pl.table}, [][]float64{s.coef}); err != nil {
		return 0, nil, addError(err)
	}
	if err := filter(ctx, s.space, s.filtered, pl.table); err != nil {
		return 0, nil, err
	}
	s.planes = append(s.planes, pl)
	products = make([]float64, len(s.planes))
	parallel.Each(len(products), func(t int) { products[t] = vectors.Dot(s.planes[t].table, s.filtered) })
	return pl.offset, products, checkCurvature(products[len(products)-1], pl.table, s.filtered)
}

// emptyTable returns a table of zeros.
func (s *tables) emptyTable() []float64 {
	last := len(s.free) - 1
	if last < 0 {
		return make([]float64, s.space.Size())
	}
	table := s.free[last]
	s.free = s.free[:last]
	clear(table)
	return table
}

// filter writes the filtered table into dst.
func filter(ctx context.Context, space Space, dst, table []float64) error {
	if i := vectors.FirstNonFinite(table); i >= 0 {
		return fmt.Errorf("sharded: entry %d of a table is %v, want finite features", i, table[i])
	}
	copy(dst, table)
	if err := space.Filter(ctx, dst); err != nil {
		return fmt.Errorf("sharded: filtering a table: %w", err)
	}
	return nil
}

// addError says what an error of adding features is, if there is one.
func addError(err error) error {
	if err == nil {
		return nil
	}
	return fmt.Errorf("sharded: adding features: %w", err)
}

// Combine implements [bundle.Space]: one pass.
func (s *tables) Combine(ctx context.Context, planes []int, weights []float64) error {
	s.goal.offset = 0
	for i, t := range planes {
		s.goal.offset += float64(weights[i] * s.planes[t].offset)
	}
	parallel.For(s.space.Size(), func(lo, hi int) {
		clear(s.goal.table[lo:hi])
		for i, t := range planes {
			vectors.AddScaled(s.goal.table[lo:hi], weights[i], s.planes[t].table[lo:hi])
		}
	})
	return s.score(ctx, s.goal)
}

// score filters the table of a point and scores all records.
func (s *tables) score(ctx context.Context, p *point) error {
	if err := filter(ctx, s.space, p.filtered, p.table); err != nil {
		return err
	}
	s.passes++
	return scoreRecords(ctx, s.records, p.f, p.filtered)
}

// scoreRecords scores all records with a filtered table.
func scoreRecords(ctx context.Context, records Records, dst, filtered []float64) error {
	if err := records.Score(ctx, [][]float64{dst}, [][]float64{filtered}); err != nil {
		return fmt.Errorf("sharded: scoring records: %w", err)
	}
	for i, f := range dst {
		if !(math.Abs(f) <= mostScore) {
			return fmt.Errorf("sharded: the score of record %d is %v, want a number of at most %g", i, f, float64(mostScore))
		}
	}
	return nil
}

// mostScore is beyond all that kernel values and costs in their ranges lead to.
const mostScore = 1e300

// Quadratic implements [bundle.Space].
func (s *tables) Quadratic() (q [3]float64, err error) {
	size := s.space.Size()
	sums := make([][3]float64, sumBlocks)
	parallel.Each(sumBlocks, func(b int) {
		lo, hi := b*size/sumBlocks, (b+1)*size/sumBlocks
		bestTable, best := s.best.table[lo:hi], s.best.filtered[lo:hi]
		goalTable, goal := s.goal.table[lo:hi], s.goal.filtered[lo:hi]
		var q0, q1, q2 float64
		for i, t := range bestTable {
			d := goalTable[i] - t
			q0 += float64(t * best[i])
			q1 += float64(d * best[i])
			q2 += float64(d * (goal[i] - best[i]))
		}
		sums[b] = [3]float64{q0 / 2, q1, q2}
	})
	for _, sum := range sums {
		for i := range q {
			q[i] += sum[i]
		}
	}
	return q, checkCurvature(q[2], s.goal.table, s.goal.filtered)
}

// sumBlocks is the number of parts of sums over a table.
const sumBlocks = 64

// checkCurvature returns an error if a square is negative beyond rounding, given a table of its size, filtered too.
func checkCurvature(square float64, table, filtered []float64) error {
	if square >= 0 {
		return nil
	}
	size := 0.0
	for i, t := range table {
		size += math.Abs(t * filtered[i])
	}
	if square < -max(1e-7*size, bundle.TinyPrimal) {
		return fmt.Errorf("%w: ⟨w, w⟩ = %g for some w", svm.ErrIndefinite, square)
	}
	return nil
}

// Loss implements [bundle.Space].
func (s *tables) Loss(kappa float64) (loss, slope float64) {
	slopes := make([]float64, risk.Parts(s.records.Len()))
	loss, _ = s.risk.PlaneOf(s.between(kappa), func(a []float64, lo int) {
		from, to, sum := s.best.f[lo:lo+len(a)], s.goal.f[lo:lo+len(a)], 0.0
		for i, coef := range a {
			sum += float64(coef * (to[i] - from[i]))
		}
		slopes[lo/risk.PartLen] = sum
	})
	for _, sum := range slopes {
		slope -= sum
	}
	return loss, slope
}

// lossOf returns R at the scores f.
func (s *tables) lossOf(f []float64) float64 {
	loss, _ := s.risk.PlaneOf(scoresOf(f), func([]float64, int) {})
	return loss
}

// Move implements [bundle.Space].
func (s *tables) Move(kappa float64) {
	move := func(from, to []float64) {
		parallel.For(len(from), func(lo, hi int) {
			for i := lo; i < hi; i++ {
				from[i] += float64(kappa * (to[i] - from[i]))
			}
		})
	}
	move(s.best.table, s.goal.table)
	move(s.best.filtered, s.goal.filtered)
	move(s.best.f, s.goal.f)
	s.best.offset += float64(kappa * (s.goal.offset - s.best.offset))
}

// Forget implements [bundle.Space]: a table has no coefficients to leave out.
func (s *tables) Forget(primal, _, _ float64) float64 { return primal }

// Certify implements [bundle.Space]: one pass for the best point. The goal has been scored. The best point began as 0,
// which is a plane below risks alone that are never negative.
func (s *tables) Certify(ctx context.Context, which bundle.Point) (bundle.Certificate, error) {
	p := s.point(which)
	if which == bundle.Best {
		if err := s.score(ctx, p); err != nil {
			return bundle.Certificate{}, err
		}
	}
	half := float64(vectors.Dot(p.table, p.filtered) / 2)
	c := bundle.Certificate{Primal: half + s.lossOf(p.f), Dual: p.offset - half}
	if which == bundle.Best && !s.source.Nonnegative() {
		c.Dual = math.Inf(-1)
	}
	c.Gap = bundle.RelativeGap(c.Primal, c.Dual)
	return c, nil
}

// Drop implements [bundle.Space].
func (s *tables) Drop(kept []bool) {
	next := 0
	for t, pl := range s.planes {
		if kept[t] {
			s.planes[next] = pl
			next++
		} else {
			s.free = append(s.free, pl.table)
		}
	}
	s.planes = s.planes[:next]
}
