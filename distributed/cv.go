package distributed

import (
	"cmp"
	"context"
	"io"

	"github.com/seqsvm/seqsvm/classify"
	"github.com/seqsvm/seqsvm/classify/search"
	"github.com/seqsvm/seqsvm/internal/answer"
	"github.com/seqsvm/seqsvm/internal/table"
)

// CrossValidate says what to validate.
type CrossValidate struct {
	Train
	Folds       int    // 0: 10
	Seed        uint64 // by which records are divided into folds
	Predictions string // file for id, score, label and fold of every record; empty: none
}

// CrossValidate estimates how well a model of Train predicts records that it has not seen: it trains on all folds but
// one and predicts that one, for each of them in turn. Metrics of the folds go to Output, as the command cv of the tool
// prints them. Folds are stratified by class, and those of the tool by the same seed. Machines of all folds and classes
// share passes over the records.
func (j *Job) CrossValidate(ctx context.Context, o CrossValidate) error {
	t := &training{o: o.Train, job: j, named: o.Predictions != ""}
	data, err := t.gather(ctx)
	if err != nil {
		return err
	}
	defer t.records.corpus.release()
	fold, err := data.Folds(cmp.Or(o.Folds, 10), o.Seed)
	if err != nil {
		return err
	}
	outcome, err := classify.CrossValidateShards(ctx, t.trainer, &t.records, data, fold, nil)
	if err != nil {
		return err
	}
	j.say("%d folds after %d passes", outcome.Folds, t.records.passes)
	measured, err := search.MeasureFolds(data, outcome)
	if err != nil {
		return err
	}
	if o.Predictions != "" {
		label := func(i int) string { return data.Classes[data.Y[i]] }
		err := writeTable(ctx, o.Predictions, func(to *table.Table) {
			answer.Outcome(to, outcome, func(i int) string { return t.names[i] }, label)
		})
		if err != nil {
			return err
		}
	}
	return writeTable(ctx, j.Output, func(to *table.Table) {
		answer.Folds(to, measured.Folds, measured.Mean, measured.SD)
	})
}

// writeTable writes a table that appears when it is complete.
func writeTable(ctx context.Context, path string, fill func(*table.Table)) error {
	return writeWhole(ctx, path, func(w io.Writer) error {
		t := table.New(w, false, 0)
		fill(t)
		return t.Err
	})
}
