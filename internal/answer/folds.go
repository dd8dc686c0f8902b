package answer

import (
	"github.com/seqsvm/seqsvm/classify"
	"github.com/seqsvm/seqsvm/classify/metrics"
	"github.com/seqsvm/seqsvm/internal/table"
)

// Folds writes the metrics of each fold of a cross-validation, then their mean and standard deviation.
func Folds(t *table.Table, folds []metrics.Report, mean, sd metrics.Scalars) {
	t.Header("fold", "n", mean.Names)
	n := 0
	for f, r := range folds {
		n += r.N
		t.Row(f+1, r.N, table.Metrics(r.Values...))
	}
	t.Row("mean", n, table.Metrics(mean.Values...))
	t.Row("sd", "", table.Metrics(sd.Values...))
}

// Outcome writes id, score (one per class if there are more than two), label and fold, counted from 1, of each record.
func Outcome(t *table.Table, o *classify.CVResult, name, label func(i int) string) {
	var score any = "score"
	if len(o.Predictions[0].Scores) > 1 {
		score = table.Columns{Name: "score", Of: o.Classes}
	}
	t.Header("id", score, "label", "fold")
	for i, p := range o.Predictions {
		t.Row(name(i), p.Scores, label(i), o.Fold[i]+1)
	}
}
