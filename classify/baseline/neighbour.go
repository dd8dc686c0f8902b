package baseline

import (
	"context"
	"math"

	"github.com/seqsvm/seqsvm/classify"
	"github.com/seqsvm/seqsvm/classify/dataset"
	"github.com/seqsvm/seqsvm/classify/decide"
	"github.com/seqsvm/seqsvm/internal/cancel"
	"github.com/seqsvm/seqsvm/stringkernel"
)

// Neighbour predicts what the nearest record of training has, by the distance k(x, x) + k(y, y) − 2k(x, y) in feature
// space; of several the first (Cover & Hart 1967, doi:10.1109/TIT.1967.1053964). The score of a class is how much
// nearer its nearest record is than that of any other class. Of novelty the decision is the squared distance from the
// nearest known record, less the one that the share Nu of known records exceed, by what 200 of them are from the
// nearest other one.
//
// Time: a row of the matrix per record of test, so that a cross-validation is quadratic.
type Neighbour struct {
	Gram classify.GramFunc
	Nu   float64 // zero: 0.5
}

// Predict implements [Method].
func (m Neighbour) Predict(ctx context.Context, d *dataset.Dataset, train, test []int) ([]decide.Prediction, error) {
	g, err := m.Gram(ctx, train)
	if err != nil {
		return nil, err
	}
	if d.Labelling() == dataset.KnownOrNovel {
		return m.novelty(ctx, d, g, train, test)
	}
	r := newDistances(g)
	predictions, scores := make([]decide.Prediction, len(test)), make([]float64, len(d.Classes))
	for j, i := range test {
		if err := r.load(ctx, i); err != nil {
			return nil, err
		}
		if d.Targets != nil {
			nearest, _ := r.nearest(train)
			predictions[j] = number(d.Targets[nearest])
			continue
		}
		for c := range scores {
			scores[c] = math.Inf(-1)
		}
		for _, k := range train {
			scores[d.Y[k]] = max(scores[d.Y[k]], -r.distance(k))
		}
		predictions[j] = strongestOf(d, scores)
	}
	return predictions, nil
}

// novelty predicts by the distances from known records.
func (m Neighbour) novelty(ctx context.Context, d *dataset.Dataset, g stringkernel.Gram, train, test []int) (
	[]decide.Prediction, error) {
	const asked = 200
	train = known(d, train)
	r := newDistances(g)
	distances := func(records []int) (out []float64, err error) {
		for _, i := range records {
			if err := r.load(ctx, i); err != nil {
				return nil, err
			}
			_, distance := r.nearest(train)
			out = append(out, distance)
		}
		return out, nil
	}
	var some []int
	for k := range min(asked, len(train)) {
		some = append(some, train[k*len(train)/min(asked, len(train))])
	}
	usual, err := distances(some)
	if err != nil {
		return nil, err
	}
	tested, err := distances(test)
	return novelties(d, m.Nu, tested, usual), err
}

// distances gives those of one record at a time.
type distances struct {
	gram      stringkernel.Gram
	diag, row []float64
	record    int
}

func newDistances(g stringkernel.Gram) *distances {
	r := &distances{gram: g, diag: make([]float64, g.Len()), row: make([]float64, g.Len())}
	g.Diag(r.diag)
	return r
}

// load takes the distances from record i.
func (r *distances) load(ctx context.Context, i int) error {
	r.record = i
	return cancel.Run(ctx, func() { r.gram.Row(r.row, i) })
}

func (r *distances) distance(k int) float64 {
	return r.diag[r.record] + r.diag[k] - float64(2*r.row[k])
}

// nearest returns the first record, other than the one that is loaded, at the least distance.
func (r *distances) nearest(among []int) (nearest int, distance float64) {
	nearest, distance = r.record, math.Inf(1)
	for _, k := range among {
		if s := r.distance(k); s < distance && k != r.record {
			nearest, distance = k, s
		}
	}
	return nearest, distance
}
