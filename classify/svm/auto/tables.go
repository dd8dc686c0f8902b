package auto

import (
	"cmp"
	"context"

	"github.com/seqsvm/seqsvm/classify/internal/dual"
	"github.com/seqsvm/seqsvm/classify/internal/state"
	"github.com/seqsvm/seqsvm/classify/svm"
	"github.com/seqsvm/seqsvm/classify/svm/descent"
	"github.com/seqsvm/seqsvm/classify/svm/newton"
	"github.com/seqsvm/seqsvm/stringkernel/shard"
)

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

const mostSteps = 10_000

// Solve minimises the problem of p, which has no Risk, to its Tol. Records of weight 0 are left out. Start and
// CacheBytes of p are ignored. The solution has a Table. If the gap cannot be closed within MaxIterations or within
// float64 it returns the point reached and no error. The error is that of ctx, of reading records, of p, of a
// checkpoint that belongs to another run, or wraps [svm.ErrIndefinite].
func (s Tables) Solve(
	ctx context.Context, space svm.Space, records shard.Shard, p svm.Problem,
) (svm.Solution, error) {
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
