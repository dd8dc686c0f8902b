package main

import (
	"context"
	"fmt"

	"github.com/seqsvm/seqsvm/catalog"
	"github.com/seqsvm/seqsvm/classify"
	"github.com/seqsvm/seqsvm/classify/metrics"
	"github.com/seqsvm/seqsvm/seqio/windows"
	"github.com/seqsvm/seqsvm/stringkernel"
)

// models are what was trained on one sample.
type models struct {
	kernel string
	cost   float64
	svm    *classify.Classifier
	whole  *matrix // of all letters of a window
	short  *matrix // of those around the site
}

// around is how many letters before the anchor, and from it on, a short matrix has: 3 of the exon and 6 of the intron
// of a donor, 20 of the intron and 3 of the exon of an acceptor, the letters of the usual scores of splice sites; and
// ten on either side of a start codon.
var around = map[windows.Kind][2]int{windows.Donor: {3, 6}, windows.Acceptor: {18, 5}, windows.Start: {10, 13}}

// mostToChoose is how many windows the choice of kernel and C looks at.
const mostToChoose = 20_000

// learn chooses kernel and C, and trains.
func learn(ctx context.Context, o options, kind windows.Kind, s *sample, anchor int) (*models, error) {
	m := &models{}
	best := -1.0
	for _, spec := range o.kernels {
		for _, cost := range o.costs {
			quality := 0.0
			if len(o.kernels)*len(o.costs) > 1 {
				var err error
				if quality, err = crossValidate(ctx, o, spec, cost, s.firstOf(mostToChoose)); err != nil {
					return nil, fmt.Errorf("kernel %s: %w", spec, err)
				}
			}
			if quality > best {
				best, m.kernel, m.cost = quality, spec, cost
			}
		}
	}
	t, err := trainer(o, m.kernel, m.cost)
	if err != nil {
		return nil, err
	}
	data, err := dataset(s)
	if err != nil {
		return nil, err
	}
	model, err := t.Train(ctx, data)
	if err != nil {
		return nil, err
	}
	if m.svm, err = model.Classifier(ctx); err != nil {
		return nil, err
	}
	m.whole = newMatrix(s, 0, len(s.corpus.Seq(0)))
	m.short = newMatrix(s, anchor-around[kind][0], anchor+around[kind][1])
	return m, nil
}

// trainer makes a trainer of a kernel's specification.
func trainer(o options, spec string, cost float64) (classify.Trainer, error) {
	parsed, err := catalog.Parse(spec)
	if err != nil {
		return classify.Trainer{}, err
	}
	kernel, err := parsed.Compile(stringkernel.DNA)
	return classify.Trainer{Kernel: kernel, C: cost, Seed: o.seed}, err
}

func dataset(s *sample) (*classify.Dataset, error) {
	data, err := classify.NewDataset(s.corpus, s.labels(), s.groups)
	if err != nil {
		return nil, err
	}
	return data, data.SetPositive(windows.TrueLabel)
}

// crossValidate returns the area under the precision-recall curve of all folds together.
func crossValidate(ctx context.Context, o options, spec string, cost float64, s *sample) (float64, error) {
	const folds = 3
	t, err := trainer(o, spec, cost)
	if err != nil {
		return 0, err
	}
	data, err := dataset(s)
	if err != nil {
		return 0, err
	}
	fold, err := data.GroupedFolds(folds, o.seed)
	if err != nil {
		return 0, err
	}
	outcome, err := classify.CrossValidate(ctx, t, data, fold)
	if err != nil {
		return 0, err
	}
	return metrics.AUPRC(decisions(outcome.Predictions), s.isTrue)
}

// decisions returns the decision values of two classes.
func decisions(predictions []classify.Prediction) []float64 {
	values := make([]float64, len(predictions))
	for i, p := range predictions {
		values[i] = p.Scores[0]
	}
	return values
}

// evaluate scores a sample and returns the areas of all three models as cells of a table.
func (m *models) evaluate(ctx context.Context, s *sample) (string, error) {
	predictions, err := m.svm.Predict(ctx, s.corpus)
	if err != nil {
		return "", err
	}
	columns := [][]float64{decisions(predictions), make([]float64, s.corpus.Len()), make([]float64, s.corpus.Len())}
	for i := range s.corpus.Len() {
		columns[1][i] = m.whole.score(s.corpus.Seq(i))
		columns[2][i] = m.short.score(s.corpus.Seq(i))
	}
	text := ""
	for _, area := range []func([]float64, []bool) (float64, error){metrics.AUPRC, metrics.AUROC} {
		for _, scores := range columns {
			value, err := area(scores, s.isTrue)
			if err != nil {
				return "", err
			}
			text += fmt.Sprintf(" %.4f |", value)
		}
	}
	return text, nil
}
