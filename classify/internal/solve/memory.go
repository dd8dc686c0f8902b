package solve

import (
	"context"
	"fmt"
	"runtime"
	"slices"

	"github.com/seqsvm/seqsvm/classify/risk"
	"github.com/seqsvm/seqsvm/classify/svm"
	"github.com/seqsvm/seqsvm/internal/memory"
	"github.com/seqsvm/seqsvm/internal/vectors"
	"github.com/seqsvm/seqsvm/stringkernel"
)

// CheckSolvers refuses jobs whose solvers would not fit into memory beside a matrix.
func (r Runner) CheckSolvers(g stringkernel.Gram, jobs []Job) error {
	running := InFlight(len(jobs))
	if all, is := g.(*Listed); is {
		return all.check(running)
	}
	if err := memory.Check(r.SolverBytes(g, jobs, running)); err != nil {
		return fmt.Errorf("classify: solvers of %d problems at a time, on up to %d records each, need %w; take fewer "+
			"records or threads", running, g.Len(), err)
	}
	return nil
}

// InFlight returns how many of n problems run at the same time.
func InFlight(n int) int { return min(n, runtime.GOMAXPROCS(0)) }

// SolverBytes estimates the memory of the solvers of the largest jobs, as many as are running.
func (r Runner) SolverBytes(g stringkernel.Gram, jobs []Job, running int) float64 {
	mean, each := meanDiagonal(g), make([]float64, 0, len(jobs))
	for i, j := range jobs {
		switch {
		case j.OneSided || j.Joint != nil && i > 0 && jobs[i-1].Joint == j.Joint:
			continue
		case j.Joint != nil:
			each = append(each, j.Joint.Bytes(PartOf(g, j.Index).Len()))
			continue
		}
		p := r.Problem
		if p.Costs = j.Costs; j.Risk != nil {
			p.Risk = unstated{}
			p.Costs = svm.Costs{Positive: max(r.Cost, j.Costs.Positive), Negative: max(r.Cost, j.Costs.Negative)}
		}
		each = append(each, svm.BytesOf(r.Solver, PartOf(g, j.Index), p, mean))
	}
	slices.Sort(each)
	return vectors.Sum(each[max(0, len(each)-running):])
}

// unstated stands for a risk whose data are not made yet.
type unstated struct{ risk.Risk }

// meanDiagonal returns the mean of k(x, x).
func meanDiagonal(g stringkernel.Gram) (mean float64) {
	diag := make([]float64, g.Len())
	g.Diag(diag)
	for _, v := range diag {
		mean += v / float64(len(diag))
	}
	return mean
}

// MostShared is the greatest number of records whose matrix a Trainer holds in memory for all of its problems: 512 MiB.
const MostShared = 8192

// The cost of a problem in either way. On four sets of 1,700 to 6,000 proteins (normalised gapped kernel, l = 5, k = 3,
// relative gap 1e-3) the cutting planes took 3 to 5 products at C = 0.01, 12 or 13 at 0.1, 60 to 73 at 1, 155 to 231 at
// 5 and 311 to 592 at 100; SMO 0.6 to 1.3 steps per record of m reads each. Where classes overlap (l = 3, k = 2), it
// took 1.5 steps per record at C = 10 and 13 at C = 100.
const (
	usualProducts = 40 // at C K_ii = 1; in proportion below, and up to three times as many beyond
	stepsTime     = 6  // nanoseconds per matrix entry up to C K_ii = 10; in proportion beyond, up to ten times as much
	heldTime      = 1  // nanoseconds per entry in a product with a matrix in memory
)

// Hold returns the matrix in memory if that solves the jobs faster than products do, else g itself. The matrix is
// computed once, and all machines, folds and costs take its rows.
//
// It is held if, by estimates that depend on the corpus, the kernel and the jobs alone,
//
//	time of the matrix  <  Σ usualProducts·min(3, C·K̄)·time of a product − stepsTime·min(10, max(1, C·K̄/10))·m²
//
// with a sum over the jobs, each of m records and the greater C of its classes, the times of [stringkernel.Dense] and
// the mean K̄ of the diagonal. Where SMO is asked for, its steps do not count. Where products are made of rows
// anyway, so that SMO is the solver, a job would ask for as many rows as a product; other machines hold such a matrix.
// At most MostShared records are held, and no more than package memory grants; relevance vector machines take few rows.
// Of a sum some terms of which have no such times, the others are held by the same rule, with heldTime for the steps,
// in as much memory together, and the sum is solved as before.
func (r Runner) Hold(ctx context.Context, g stringkernel.Gram, jobs []Job) (stringkernel.Gram, error) {
	n := float64(g.Len())
	if r.Features || r.FewRows || n > MostShared || memory.Check(8*n*n) != nil {
		return g, nil
	}
	if stringkernel.IsRowBased(g) && (r.Logistic || slices.ContainsFunc(jobs, byProducts)) {
		return svm.Hold(ctx, g)
	}
	products, steps := r.either(g, jobs)
	if stringkernel.DenseOf(g) != nil {
		if !r.takesRows(g, jobs) {
			return g, nil
		}
		return hold(ctx, g, products, steps)
	}
	sum, is := g.(interface {
		Replace(of func(term stringkernel.Gram) (stringkernel.Gram, error)) (stringkernel.Gram, error)
	})
	if !is || stringkernel.FeatureRowsOf(g) != nil {
		return g, nil
	}
	bytes := 0.0
	return sum.Replace(func(term stringkernel.Gram) (stringkernel.Gram, error) {
		entries := float64(term.Len()) * float64(term.Len())
		if memory.Check(bytes+float64(8*entries)) != nil || bytes+float64(8*entries) > 8*MostShared*MostShared {
			return term, nil
		}
		held, err := hold(ctx, term, products, float64(heldTime*products*entries))
		if p, is := held.(*svm.Precomputed); is && held != term {
			bytes += float64(8 * entries)
			return heldTerm{p}, err
		}
		return held, err
	})
}

// heldTerm is the matrix of a term of a sum, which is solved by products as before.
type heldTerm struct{ *svm.Precomputed }

// Traits says nothing.
func (heldTerm) Traits() stringkernel.Traits { return stringkernel.Traits{} }

// hold returns the matrix in memory if computing it takes less time than products do, less that of steps, else g.
func hold(ctx context.Context, g stringkernel.Gram, products, steps float64) (stringkernel.Gram, error) {
	n, dense := g.Len(), stringkernel.DenseOf(g)
	if dense == nil {
		return g, nil
	}
	matrix, product, err := dense.DenseCost(ctx, products)
	if err != nil || !(matrix < float64(products*product)-steps) {
		return g, err
	}
	p := &svm.Precomputed{N: n, K: make([]float64, n*n)}
	return p, dense.DenseTo(ctx, p.K, 0, n)
}

// byProducts reports whether a job is solved by products alone.
func byProducts(j Job) bool {
	return j.Risk != nil || j.Joint != nil && !j.ByFeatures
}

// takesRows reports whether the solver may take rows of a matrix in memory: it prefers features to them.
func (r Runner) takesRows(g stringkernel.Gram, jobs []Job) bool {
	if slices.ContainsFunc(jobs, func(j Job) bool { return j.Joint != nil }) {
		return false
	}
	uses := svm.UsesOf(r.Solver, nil, r.Problem)
	return uses&svm.Rows != 0 && (uses&svm.Features == 0 || stringkernel.FeatureRowsOf(g) == nil)
}

// either estimates the cost of the jobs in either way: the number of products without a matrix in memory, and the
// nanoseconds of steps with one.
func (r Runner) either(g stringkernel.Gram, jobs []Job) (products, steps float64) {
	uses := svm.UsesOf(r.Solver, nil, r.Problem)
	mean := meanDiagonal(g)
	for _, j := range jobs {
		m, size := float64(len(j.Y)), float64(mean*max(j.Costs.Positive, j.Costs.Negative))
		switch {
		case j.OneSided || j.Reference != nil:
		case stringkernel.IsRowBased(g):
			products++
		default:
			products += float64(usualProducts * min(3, size))
			if uses&svm.Products != 0 {
				steps += float64(stepsTime * min(10, max(1, size/10)) * m * m)
			}
		}
	}
	return products, steps
}
