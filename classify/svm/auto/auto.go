// Package auto chooses a solver by what a Gram matrix is good at.
package auto

import (
	"cmp"
	"context"
	"errors"
	"fmt"

	"github.com/seqsvm/seqsvm/classify/internal/dual"
	"github.com/seqsvm/seqsvm/classify/internal/state"
	"github.com/seqsvm/seqsvm/classify/svm"
	"github.com/seqsvm/seqsvm/classify/svm/bundle"
	"github.com/seqsvm/seqsvm/classify/svm/descent"
	"github.com/seqsvm/seqsvm/classify/svm/newton"
	"github.com/seqsvm/seqsvm/classify/svm/smo"
	"github.com/seqsvm/seqsvm/stringkernel"
	"github.com/seqsvm/seqsvm/stringkernel/shard"
)

// Solver solves with [smo.Solver], [descent.Solver] or [bundle.Solver], whichever needs less of what the Gram matrix is
// good at:
//
//   - SMO, if a product costs as much as the rows of the non-zero coefficients ([stringkernel.DirectGram],
//     [svm.Precomputed], whatever says so by [stringkernel.Traits], and what a [classify.Trainer] holds in memory for all
//     of its problems): it asks for every row at most once while they fit in the cache, where the cutting planes would
//     ask for most of them in each of 10 to 300 products;
//   - SMO, if there are at most 50 records: it then asks for no more rows than the cutting planes ask for products;
//   - the descent, if the matrix has explicit feature rows ([stringkernel.FeatureRowsOf]), and does not favour
//     products, or the loss is the squared hinge;
//   - SMO, if the loss is the squared hinge, which the cutting planes do not solve;
//   - cutting planes for a Risk, whatever the matrix;
//   - cutting planes otherwise, and SMO after all if that meets a matrix that is not positive semidefinite.
//
// Cutting planes take over, where it can solve the problem, from
//
//   - SMO that has not reached Tol after a million steps and a hundred for each record, which happens where C times
//     K_ii is large and K has a low rank. This needs fast products or at most 4,000 records, whose rows are then held
//     in memory;
//   - a descent that has not reached Tol after 300 passes, which happens where C times K_ii is 10 or more and
//     there are more records than features. The planes start from its coefficients.
//
// Measured on planted motifs (200 letters, normalised spectrum kernel, 10 % wrong labels,
// relative gap 1e-3; milliseconds of the descent / cutting planes on two processors, of which the former uses one):
//
//	         k = 6                               k = 8
//	n        C = 1     C = 10      C = 100       C = 1      C = 10      C = 100
//	1,000    4 / 7     9 / 43      12 / 79       2 / 8      3 / 20      5 / 37
//	3,000    9 / 20    35 / 141    54 / 523      7 / 23     9 / 122     12 / 303
//	10,000   16 / 54   104 / 259   799 / 1803    28 / 96    49 / 726    64 / 4123
//
// Where 300 passes do not suffice, the cutting planes need a hundredth to a half of the products they need from zeros:
// at n = 10,000, k = 6, C = 100 the two together take 1.0 to 1.1 s on two such sets, the descent alone 0.8 and 1.7 s,
// the planes alone 1.6 and 1.8 s.
//
// SMO takes 18 to 100 ms at n = 500 and 240 to 690 ms at n = 2,000 with products of linear time. With the same matrix
// precomputed it is within a factor of about two of the cutting planes, ahead as a rule and with fewer support vectors.
type Solver struct {
	Seed   uint64 // of the descent
	Sparse bool   // of the cutting planes
}

// autoPasses is how many passes Solver gives dual coordinate descent before it takes cutting planes. From a quarter to
// four times as many, and as many of the steps below, results stay within Tol.
const autoPasses = 300

// autoSteps, and autoStepsPerRecord for each record, is how many steps Solver gives SMO before it takes cutting planes.
const autoSteps, autoStepsPerRecord = 1_000_000, 100

// mostHeld is the greatest number of records whose matrix of rows is held in memory for the cutting planes: 128 MB.
// It must not depend on CacheBytes, which changes no result. From a quarter to four times as many, results stay within
// Tol.
const mostHeld = 4000

// smallCorpus is the greatest number of records for which it takes SMO whatever the Gram matrix. From half to
// four times as many, results stay within Tol; with fewer, the descent may leave a squared hinge open.
const smallCorpus = 50

// String returns "auto".
func (Solver) String() string { return "auto" }

// Uses implements [svm.Planner].
func (a Solver) Uses(g stringkernel.Gram, p svm.Problem) svm.Access {
	if g == nil {
		return svm.Rows | svm.Products | svm.Features
	}
	if p.Risk != nil {
		return svm.Products
	}
	first, _ := a.choose(g, p)
	return first.Uses(g, p)
}

// Check implements [svm.Planner].
func (a Solver) Check(p svm.Problem) error { return p.CheckOptions() }

// planned is a solver that says what it will do.
type planned interface {
	svm.Solver
	svm.Planner
}

// choose returns the solver to begin with, and the reason in words.
func (a Solver) choose(g stringkernel.Gram, p svm.Problem) (first planned, reason string) {
	switch n := g.Len(); {
	case stringkernel.TraitsOf(g).InMemory:
		return smo.Solver{}, fmt.Sprintf("%d records and their Gram matrix in memory", n)
	case stringkernel.IsRowBased(g):
		return smo.Solver{}, "the Gram matrix is computed by rows"
	case n <= smallCorpus:
		return smo.Solver{}, fmt.Sprintf("%d records are at most %d", n, smallCorpus)
	case stringkernel.FeatureRowsOf(g) != nil && (p.Squared() || !stringkernel.TraitsOf(g).FavorsProducts):
		return descent.Solver{Seed: a.Seed}, fmt.Sprintf("%d records with explicit feature rows", n)
	case p.Squared():
		return smo.Solver{}, "cutting planes do not support the squared hinge"
	default:
		return a.planes(), fmt.Sprintf("%d records and linear-time products", n)
	}
}

func (a Solver) planes() bundle.Solver { return bundle.Solver{Sparse: a.Sparse} }

// Solve implements [svm.Solver].
func (a Solver) Solve(ctx context.Context, g stringkernel.Gram, p svm.Problem) (svm.Solution, error) {
	if g == nil {
		return svm.Solution{}, dual.ErrNoGram
	}
	if err := p.CheckOptions(); err != nil {
		return svm.Solution{}, err
	}
	if p.Risk != nil {
		return a.minimise(ctx, g, p)
	}
	first, reason := a.choose(g, p)
	s, limited := a.limited(first, g, p)
	tol, q := cmp.Or(p.Tol, svm.DefaultTol), p
	if limited {
		q.Progress = unfinished(p.Progress, tol)
	}
	sol, err := s.Solve(ctx, g, q)
	if errors.Is(err, svm.ErrIndefinite) {
		reason = "the Gram matrix is not positive semidefinite"
		sol, err = smo.Solver{}.Solve(ctx, g, p)
	}
	sol.Reason = reason
	if err != nil || !limited || sol.Gap <= tol {
		return sol, err
	}
	return a.continued(ctx, g, p, sol)
}

// unfinished returns what reports of a solver are sent to if another takes over from it: none is the last one before
// the gap is closed.
func unfinished(progress func(svm.Progress), tol float64) func(svm.Progress) {
	if progress == nil {
		return nil
	}
	return func(r svm.Progress) {
		r.Done = r.Done && r.Gap <= tol
		progress(r)
	}
}

// minimise solves a problem with a Risk, by cutting planes.
func (a Solver) minimise(ctx context.Context, g stringkernel.Gram, p svm.Problem) (svm.Solution, error) {
	if g.Len() <= mostHeld {
		var err error
		if g, err = svm.Hold(ctx, g); err != nil {
			return svm.Solution{}, err
		}
	}
	return a.planes().Solve(ctx, g, p)
}

// limited returns a first solver that stops early, if cutting planes can take over from it, else first.
func (a Solver) limited(first svm.Solver, g stringkernel.Gram, p svm.Problem) (s svm.Solver, limited bool) {
	if a.planes().Check(p) != nil || stringkernel.IsRowBased(g) && !stringkernel.TraitsOf(g).InMemory && g.Len() > mostHeld {
		return first, false
	}
	switch s := first.(type) {
	case smo.Solver:
		s.MaxIterations = autoSteps + autoStepsPerRecord*g.Len()
		return s, true
	case descent.Solver:
		s.MaxIterations = autoPasses
		return s, true
	}
	return first, false
}

// continued solves with cutting planes what another solver has left open. They start from the point that coordinate
// descent reached, but not from SMO's: one far from the optimum is no better a start than zeros. Measured on random
// records of rank 3 at C = 10⁶ (n = 200), SMO is at a gap of 0.98 after two million steps and 6 s, the planes take 14
// products and 1 ms. More steps of SMO are no help after that: on 80 such problems (40 and 100 records of rank 1 to 6,
// C from 10⁴ to 10¹²) the planes left 3 open, at gaps of 0.002 to 0.006, and SMO all of these at 1 after ten million
// steps.
func (a Solver) continued(
	ctx context.Context, g stringkernel.Gram, p svm.Problem, sol svm.Solution) (best svm.Solution, err error) {
	reason := fmt.Sprintf("smo left a gap of %.2g after %d steps", sol.Gap, sol.Iterations)
	if sol.Solver == dual.DualCoordinate {
		p.Start = sol.Coef
		reason = fmt.Sprintf("dual coordinate descent left a gap of %.2g after %d passes", sol.Gap, sol.Iterations)
	}
	if g, err = svm.Hold(ctx, g); err != nil {
		return sol, err
	}
	second, err := a.planes().Solve(ctx, g, p)
	if errors.Is(err, svm.ErrIndefinite) || err == nil && sol.Gap < second.Gap {
		return sol, nil
	}
	second.Reason = reason
	second.Products, second.Rows = second.Products+sol.Products, second.Rows+sol.Rows
	return second, err
}

// Tables solves an [svm.Problem] of hinges on records that need not be in memory, nor in one place: a file of packed
// letters, or the machines of a cluster. All that it asks of them are two walks ([shard.Shard]): add the features of
// weighted records into a table, and score the records with a table. Every kernel that folds into a table has both.
//
// Where records can also be visited one by one ([shard.Visited]), that is, where tables have no filter but that of both
// strands, they are solved by package descent, whose rows are then read block by block. It takes 64 bytes per record
// and six tables, a pass of visits is one pass over the file, and Newton's method takes over from it after 300 passes.
//
// Others are solved by package newton. A step is two passes over the records, and one over those with a coefficient
// between its bounds for each of its products ([shard.AddSquares]); 20 to 50 steps are a gap of 1e-3 at C = 1, 70 one
// of 1e-5. With tables of D entries it takes 12·8 D + 40 n bytes, and the labels.
//
// Losses are sums over parts of a fixed number of records, added in order, and the bias is an exact weighted quantile
// ([risk.Hinges]): neither depends on how records are divided among shards. The tables themselves depend on that in the
// last bits if their sums do, as those of package shard.
type Tables struct {
	MaxIterations int             // steps, or passes of a descent; zero: 10,000 and 300
	Checkpoint    *svm.Checkpoint // where the state is kept now and then, and taken up again; nil: nowhere
}

// mostSteps bounds a run of package newton that nothing else ends: from a quarter to four times as many, results stay
// within Tol.
const mostSteps = 10_000

// Solve minimises the problem of p, which has no Risk, to its Tol. Records of weight 0 are left out. Start and
// CacheBytes of p are ignored. The solution has a Table. If the gap cannot be closed within MaxIterations or within
// float64 it returns the point reached and no error. The error is that of ctx, of reading records, of p, of a
// checkpoint that belongs to another run, or wraps [svm.ErrIndefinite].
func (s Tables) Solve(ctx context.Context, space svm.Space, records shard.Shard, p svm.Problem) (svm.Solution, error) {
	p.Start = nil
	of, err := dual.Of(records.Len(), p, func(p svm.Problem) error {
		return cmp.Or(svm.CheckOption(p.Risk == nil, "Risk", p.Risk, "none"), p.CheckOptions(),
			svm.CheckIterations(s.MaxIterations))
	})
	if err != nil {
		return svm.Solution{}, err
	}
	kept := state.NewSaver(s.Checkpoint, p, s.MaxIterations, space.Size())
	var from []float64
	if visited, ok := records.(shard.Visited); ok && visited.Blocks() != nil {
		if !kept.Next().Written() {
			sol, err := s.descend(ctx, space, visited, of, kept)
			if err != nil || sol.Gap <= of.Tol {
				return sol, err
			}
			from = sol.Coef
		}
		kept = kept.Next()
	}
	return newton.Solve(ctx, space, records, of, cmp.Or(s.MaxIterations, mostSteps), from, kept)
}

// descend solves by dual coordinate descent, from which Newton's method takes over if it leaves a gap.
func (s Tables) descend(
	ctx context.Context, space svm.Space, records shard.Visited, of *dual.Program, kept *state.Saver,
) (svm.Solution, error) {
	first := *of
	first.Progress = unfinished(of.Progress, of.Tol)
	most := min(cmp.Or(s.MaxIterations, autoPasses), autoPasses)
	return descent.Solver{MaxIterations: most}.SolveShards(ctx, space, records, &first, kept)
}
