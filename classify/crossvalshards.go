package classify

import (
	"context"
	"fmt"
	"slices"

	"github.com/seqsvm/seqsvm/classify/dataset"
	"github.com/seqsvm/seqsvm/classify/decide"
	"github.com/seqsvm/seqsvm/classify/svm"
	"github.com/seqsvm/seqsvm/classify/svm/auto"
	"github.com/seqsvm/seqsvm/stringkernel/compose"
	"github.com/seqsvm/seqsvm/stringkernel/shard"
)

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
	run.decisions = make([][]float64, run.machines)
	for m := range run.decisions {
		run.decisions[m] = make([]float64, len(fold))
	}
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
