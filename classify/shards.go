package classify

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"runtime"
	"slices"
	"sync/atomic"

	"github.com/seqsvm/seqsvm/classify/dataset"
	"github.com/seqsvm/seqsvm/classify/decide"
	"github.com/seqsvm/seqsvm/classify/internal/solve"
	"github.com/seqsvm/seqsvm/classify/svm"
	"github.com/seqsvm/seqsvm/classify/svm/auto"
	"github.com/seqsvm/seqsvm/classify/threshold"
	"github.com/seqsvm/seqsvm/internal/memory"
	"github.com/seqsvm/seqsvm/internal/parallel"
	"github.com/seqsvm/seqsvm/internal/scratch"
	"github.com/seqsvm/seqsvm/stringkernel/compose"
	"github.com/seqsvm/seqsvm/stringkernel/shard"
)

// TrainShards trains on records in shards, of a data set without a corpus ([dataset.Labels]), one machine for two
// classes or one for each class against the rest, by dual coordinate descent or Newton's method ([auto.Tables]): the
// same problems as those of Train, with the same certificates. Kernel is compiled and has a [compose.Space]. The model
// has a scorer in place of support vectors; their number is that of the coefficients.
//
// checkpoint returns where the state of each machine, numbered from 0, is kept and taken up again; nil: nowhere.
//
// Memory: 20 bytes per record, and for each machine that is being trained 48 more by descent or 56 by Newton's method.
// Machines are trained side by side where there is memory for that.
func (t Trainer) TrainShards(
	ctx context.Context, records shard.Shard, d *dataset.Dataset, checkpoint func(machine int) *svm.Checkpoint,
) (*decide.Model, error) {
	space, err := t.shardSpace(records, d)
	if err != nil {
		return nil, err
	}
	rule, err := t.shardRule(d)
	if err != nil {
		return nil, err
	}
	width, err := t.shardWidth(space, len(d.Y), len(rule.Machines), len(rule.Machines))
	if err != nil {
		return nil, err
	}
	t = t.beside(width) // which has one machine at a time report its progress
	tables, used := make([][]float64, len(rule.Machines)), make([]atomic.Bool, len(d.Y))
	err = eachMachine(ctx, width, len(tables), func(ctx context.Context, m int) (err error) {
		var solver auto.Tables
		if checkpoint != nil {
			solver.Checkpoint = checkpoint(m)
		}
		solution, err := t.trainMachine(ctx, solver, space, records, d, nil, &rule, m)
		tables[m] = solution.Table
		for i, c := range solution.Coef {
			if c != 0 {
				used[i].Store(true)
			}
		}
		return err
	})
	if err != nil {
		return nil, err
	}
	model := &decide.Model{Rule: rule, Kernel: t.Kernel, Problems: rule.Machines}
	for i := range used {
		if used[i].Load() {
			model.SupportVectors++
		}
	}
	if model.Scorer, err = space.Scorer(ctx, tables); err != nil {
		return nil, fmt.Errorf("classify: %w", err)
	}
	return model, model.Rule.Check()
}

// eachMachine trains the machines 0 … n−1, width of them at a time. One that fails ends the others.
func eachMachine(ctx context.Context, width, n int, train func(ctx context.Context, m int) error) error {
	ctx, stop := context.WithCancelCause(ctx)
	defer stop(nil)
	err := parallel.DoOn(ctx, width, n, func(m int) error {
		err := train(ctx, m)
		if err != nil {
			stop(err)
		}
		return err
	})
	if errors.Is(err, context.Canceled) {
		return context.Cause(ctx) // what ended the others
	}
	return err
}

// shardSpace returns the space of the kernel, an error if it has none or the labels are not those of the records.
func (t Trainer) shardSpace(records shard.Shard, d *dataset.Dataset) (compose.Space, error) {
	space := compose.SpaceOf(t.Kernel)
	if space == nil {
		return nil, fmt.Errorf("classify: the features of %T do not fold into a table", t.Kernel)
	}
	if n := records.Len(); n != len(d.Y) {
		return nil, fmt.Errorf("classify: %d labels for %d records, want one per record", len(d.Y), n)
	}
	return space, nil
}

// CheckShards returns an [svm.OptionError] for the first option that TrainShards does not have.
func (t Trainer) CheckShards() error {
	_, criterion, err := threshold.Parse(t.Threshold)
	_, auto := t.Solver.(auto.Solver)
	return cmp.Or(err,
		t.checkSquares("of a stream"),
		svm.CheckOption(t.Multiclass == "" || t.Multiclass == decide.OneVsRest, "Multiclass", t.Multiclass, "%s of a stream",
			decide.OneVsRest),
		svm.CheckOption(t.Solver == nil || auto, "Solver", t.Solver, "auto of a stream"),
		svm.CheckOption(t.Loss != LossLogistic, "Loss", t.Loss, "%s or %s of a stream", svm.Hinge, svm.SquaredHinge),
		svm.CheckOption(!t.Probability, "Probability", t.Probability, "none of a stream"),
		svm.CheckOption(!t.Ball, "Ball", t.Ball, "none of a stream"),
		svm.CheckOption(!t.Conformal, "Conformal", t.Conformal, "none of a stream"),
		svm.CheckOption(criterion == nil, "Threshold", t.Threshold, "a number of a stream"))
}

// shardRule returns the rule with untrained machines.
func (t *Trainer) shardRule(d *dataset.Dataset) (r decide.Rule, err error) {
	t.Multiclass = cmp.Or(t.Multiclass, decide.OneVsRest)
	if err := cmp.Or(t.CheckShards(), t.CheckOptions(), t.CheckLabels(d.Labelling())); err != nil {
		return r, err
	}
	if t.weights, err = t.classWeights(d); err != nil {
		return r, err
	}
	if r, err = t.rule(d, nil); err != nil {
		return r, err
	}
	if s, ok := t.learner(d).(thresholded); ok {
		s.decide(&r, nil)
	}
	return r, nil
}

// How many tables a machine is expected to keep, by its solver.
const (
	descentTables = 6
	newtonTables  = 13
)

// shardWidth returns how many machines are trained at a time: one for each processor if there is memory for them
// besides the tables that are kept.
func (t Trainer) shardWidth(space compose.Space, n, kept, machines int) (width int, err error) {
	table := 8 * float64(space.Size())
	shared := float64(16*float64(n)) + float64(table*float64(kept))
	own := float64(48*float64(n)) + float64(descentTables*table)
	if space.Strands() == 0 {
		own = float64(56*float64(n)) + float64(newtonTables*table)
	}
	for width = min(machines, runtime.GOMAXPROCS(0)); width > 1 && memory.Check(shared+float64(own*float64(width))) != nil; {
		width--
	}
	scorer := 2 * float64(table*float64(kept)) // of the tables that are kept, and their copies
	if err := memory.Check(max(shared+own, scorer)); err != nil {
		return 0, fmt.Errorf("classify: %d records and tables of %d features need %w", n, space.Size(), err)
	}
	return width, nil
}

// trainMachine trains machine m of the rule on the records index, nil for all, whose labels d has, and returns its
// solution.
func (t Trainer) trainMachine(
	ctx context.Context, solver auto.Tables, space compose.Space, records shard.Shard, d *dataset.Dataset, index []int,
	rule *decide.Rule, m int,
) (solution svm.Solution, err error) {
	machine := &rule.Machines[m]
	j := t.job(*machine, nil, d.Y, d.Counts())
	p := t.settings()
	if err := j.State(&p); err != nil {
		return solution, err
	}
	if index != nil {
		signs, n := p.Weights, records.Len()
		p.Linear, p.Weights = make([]float64, n), make([]float64, n)
		solve.Expand(p.Linear, signs, index)
		solve.Expand(p.Weights, signs, index)
	}
	if t.Progress != nil {
		p.Progress = func(report svm.Progress) {
			report.Machine, report.Machines = m, len(rule.Machines)
			t.Progress(report)
		}
	}
	if solution, err = solver.Solve(ctx, space, records, p); err != nil {
		return solution, fmt.Errorf("classify: %w", err)
	}
	machine.Rho, machine.Solver, machine.Iterations = solution.Rho, solution.Solver, solution.Iterations
	machine.Reason = fmt.Sprintf("%d records are packed, with tables of %d features", records.Len(), space.Size())
	machine.SupportVectors = solution.SupportVectors()
	machine.Primal, machine.Dual, machine.Gap = solution.Primal, solution.Dual, solution.Gap
	return solution, nil
}

// CrossValidateShards is [CrossValidate] of records in shards, as [Trainer.TrainShards] trains on them: the same
// problems, in which the records of a fold are left out. The scores of the records left out come from one more pass
// over the records. fold is that of each record, as [dataset.Dataset.Folds] makes it.
//
// checkpoint returns where the state of a machine of a fold is kept and taken up again, both numbered from 0; nil:
// nowhere.
//
// Memory: 16 bytes per record and 8 for each machine of a model, and for each machine that is being trained 64 more.
func CrossValidateShards(
	ctx context.Context, t Trainer, records shard.Shard, d *dataset.Dataset, fold []int,
	checkpoint func(fold, machine int) *svm.Checkpoint,
) (*CVResult, error) {
	space, err := t.shardSpace(records, d)
	if err != nil {
		return nil, err
	}
	out, err := NewCVResult(d, fold)
	if err != nil {
		return nil, err
	}
	run := shardFolds{out: out, data: d, records: records, space: space, checkpoint: checkpoint}
	if err := run.plan(t); err != nil {
		return nil, err
	}
	width, err := t.shardWidth(space, len(fold), 0, out.Folds*run.machines)
	if err != nil {
		return nil, err
	}
	run.share(t.beside(width).Progress)
	run.decisions = scratch.Vectors(run.machines, len(fold))
	if err := eachMachine(ctx, width, out.Folds*run.machines, run.train); err != nil {
		return nil, err
	}
	run.predict()
	return out, nil
}

// shardFolds is a cross-validation of records in shards.
type shardFolds struct {
	out        *CVResult
	data       *dataset.Dataset
	records    shard.Shard
	space      compose.Space
	checkpoint func(fold, machine int) *svm.Checkpoint
	machines   int         // of a fold
	trainers   []Trainer   // of each fold, with its weights of classes
	decisions  [][]float64 // per machine, of each record by that of its fold
}

// plan makes the rules of the folds, with untrained machines.
func (r *shardFolds) plan(t Trainer) (err error) {
	r.trainers = slices.Repeat([]Trainer{t}, r.out.Folds)
	for f := range r.trainers {
		if r.out.Rules[f], err = r.trainers[f].shardRule(r.training(f)); err != nil {
			return fmt.Errorf("fold %d: %w", f+1, err)
		}
		r.machines = len(r.out.Rules[f].Machines)
	}
	return nil
}

// training returns the records to train on for fold f, without letters.
func (r *shardFolds) training(f int) *dataset.Dataset {
	train, _ := r.out.Split(f)
	return r.data.Subset(train)
}

// share has all folds report to one place, which counts the machines of all.
func (r *shardFolds) share(progress func(svm.Progress)) {
	for f := range r.trainers {
		if progress == nil {
			continue
		}
		r.trainers[f].Progress = func(p svm.Progress) {
			p.Machine += f * r.machines
			p.Machines = r.out.Folds * r.machines
			progress(p)
		}
	}
}

// train trains the machine of a number, fold by fold, and scores the records of its fold.
func (r *shardFolds) train(ctx context.Context, number int) error {
	f, m := number/r.machines, number%r.machines
	var solver auto.Tables
	if r.checkpoint != nil {
		solver.Checkpoint = r.checkpoint(f, m)
	}
	rule := &r.out.Rules[f]
	train, _ := r.out.Split(f)
	solution, err := r.trainers[f].trainMachine(ctx, solver, r.space, r.records, r.data.Subset(train), train, rule, m)
	if err == nil {
		err = r.space.Filter(ctx, solution.Table)
	}
	scores := make([]float64, len(r.out.Fold))
	if err == nil {
		err = r.records.Score(ctx, [][]float64{scores}, [][]float64{solution.Table})
	}
	if err != nil {
		return fmt.Errorf("fold %d: %w", f+1, err)
	}
	for i, g := range r.out.Fold {
		if g == f {
			r.decisions[m][i] = scores[i] - rule.Machines[m].Rho
		}
	}
	return nil
}

// predict makes predictions of the decision values.
func (r *shardFolds) predict() {
	decider := make([]func([]float64, *decide.Prediction), r.out.Folds)
	for f := range decider {
		decider[f] = r.out.Rules[f].Decider()
	}
	for i, f := range r.out.Fold {
		decisions := make([]float64, r.machines)
		for m := range decisions {
			decisions[m] = r.decisions[m][i]
		}
		decider[f](decisions, &r.out.Predictions[i])
	}
}
