package classify

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"math"
	"slices"

	"github.com/seqsvm/seqsvm/classify/conformal"
	"github.com/seqsvm/seqsvm/classify/metrics"
	"github.com/seqsvm/seqsvm/classify/svm"
	"github.com/seqsvm/seqsvm/internal/strongest"
	"github.com/seqsvm/seqsvm/stringkernel"
)

// mostClassScores and mostScores bound the nonconformity scores that a rule keeps: of a class, and of all together
// unless that leaves each fewer than leastScores.
const (
	mostClassScores = 1000
	mostScores      = 16_384
	leastScores     = 100
)

// keptScores returns how many scores of a class are kept.
func keptScores(classes int) int { return max(leastScores, min(mostClassScores, mostScores/classes)) }

// checkConformal returns an error unless labels are single classes or numbers, of which each has a score.
func (t Trainer) checkConformal(l Labelling) error {
	fits := l == TwoClasses || l == ManyClasses || l == LabelPaths || l == Numbers && t.Quantile == 0 && t.Rank == 0
	return svm.CheckOption(fits || !t.Conformal, "Conformal", t.Conformal,
		"false: it is for one class per record, and for numbers that are neither quantiles nor of a Gaussian process")
}

// conformal cross-validates a trainer and returns the scores of the records left out. The kernel is that fitted to all
// records, and g their matrix.
func (t Trainer) conformal(
	ctx context.Context, d *Dataset, kernel stringkernel.Kernel, g stringkernel.Gram,
) (*conformal.Scores, error) {
	t.Probability, t.Threshold, t.Conformal = false, "", false
	fold, err := d.Folds(t.conformalFolds(d), t.Seed)
	if err != nil {
		return nil, fmt.Errorf("classify: confidence needs records left out: %w", err)
	}
	p, err := newPath(t, d, fold, []float64{cmp.Or(t.C, 1)})
	if err != nil {
		return nil, err
	}
	if stringkernel.DependsOnCorpus(t.Kernel) {
		err = p.refitted(ctx, t.matrices(ctx, kernel, d.Corpus))
	} else {
		err = p.shared(ctx, func(context.Context, []int) (stringkernel.Gram, error) { return g, nil })
	}
	if err != nil {
		return nil, err
	}
	scores := make([][]float64, len(d.Classes))
	for i, prediction := range p.outcomes[0].Predictions {
		class, score := d.Y[i], 0.0
		if d.Targets != nil {
			score = math.Abs(d.Targets[i] - prediction.Scores[0])
		} else {
			score = p.outcomes[0].Rules[fold[i]].strangeness(prediction)[class]
		}
		scores[class] = append(scores[class], score)
	}
	return conformal.New(scores, keptScores(len(d.Classes))), nil
}

// conformalFolds is the number of folds: as many as of a calibration, or groups, or records of the smallest class.
func (t Trainer) conformalFolds(d *Dataset) int {
	k := min(calibrationFolds, d.Len())
	for _, count := range d.Counts() {
		k = min(k, max(2, count))
	}
	if d.Groups != nil {
		names := slices.Clone(d.Groups)
		slices.Sort(names)
		k = min(k, max(2, len(slices.Compact(names))))
	}
	return k
}

// strangeness returns how badly each class suits a record: the score of the best other class less its own.
func (d *Rule) strangeness(p Prediction) []float64 {
	if len(p.Scores) == 1 {
		out := []float64{p.Scores[0], p.Scores[0]}
		out[d.Positive] = -p.Scores[0]
		return out
	}
	first := strongest.Index(p.Scores)
	second := math.Inf(-1)
	for c, score := range p.Scores {
		if c != first {
			second = max(second, score)
		}
	}
	out := make([]float64, len(p.Scores))
	for c, score := range p.Scores {
		out[c] = p.Scores[first] - score
	}
	out[first] = second - p.Scores[first]
	return out
}

// Region is what a prediction does not exclude at a confidence: it lacks the class or the number of a record like those
// of training with a probability of at most 1 − confidence, of classes within each of them.
type Region struct {
	Classes      []int   // ascending, of a rule with classes; none: the record is like none of them
	Lower, Upper float64 // of a regression, the ends of the interval
}

// Abstains reports whether a region of classes does not tell which one it is: it has none or several.
func (r *Region) Abstains() bool { return len(r.Classes) != 1 }

// WithConfidence returns a classifier whose predictions have a [Region] at a confidence between 0 and 1. It returns an
// error unless the rule has Conformal scores and, of a regression, enough of them. A region takes O(classes · log n).
func (c *Classifier) WithConfidence(confidence float64) (*Classifier, error) {
	if err := svm.CheckOption(confidence > 0 && confidence < 1, "Confidence", confidence, "between 0 and 1"); err != nil {
		return nil, err
	}
	if c.Conformal == nil {
		return nil, errors.New("the model has no scores of records left out in training, as train --conformal stores them")
	}
	with := *c
	with.confidence = confidence
	if c.Labelling() == Numbers {
		if with.margin = c.Conformal.Radius(0, confidence); math.IsInf(with.margin, 1) {
			return nil, fmt.Errorf("a confidence of %v takes %d records left out in training, and the model had %d", confidence,
				conformal.Least(confidence), c.Conformal.Count[0])
		}
	}
	return &with, nil
}

// Confidence returns the confidence of the regions of predictions, 0 if they have none.
func (c *Classifier) Confidence() float64 { return c.confidence }

// HasRegions reports whether predictions have regions.
func (c *Classifier) HasRegions() bool { return c.confidence > 0 }

// decide is combine, with the region if a confidence is wanted.
func (c *Classifier) decide(scores []float64, p *Prediction) {
	c.combine(scores, p)
	switch {
	case c.confidence == 0:
	case c.Labelling() == Numbers:
		p.Region = &Region{Lower: p.Scores[0] - c.margin, Upper: p.Scores[0] + c.margin}
	default:
		p.Region = new(Region)
		for class, score := range c.strangeness(*p) {
			if c.Conformal.Contains(class, score, c.confidence) {
				p.Region.Classes = append(p.Region.Classes, class)
			}
		}
	}
}

// MeasureRegions compares the regions of predictions with the labels of records (0-based).
func (d *Dataset) MeasureRegions(records []int, tested []Prediction) *metrics.Regions {
	r := metrics.NewRegions(d.Classes)
	for j, i := range records {
		region := tested[j].Region
		if d.Targets != nil {
			r.Add(0, region.Lower <= d.Targets[i] && d.Targets[i] <= region.Upper, region.Upper-region.Lower, false)
			continue
		}
		_, held := slices.BinarySearch(region.Classes, d.Y[i])
		r.Add(d.Y[i], held, float64(len(region.Classes)), region.Abstains())
	}
	return r.Mean()
}

// checkConformal returns an error unless the scores are those of a rule that may have some.
func (d *Rule) checkConformal(l Labelling) error {
	if d.Conformal == nil {
		return nil
	}
	if l != TwoClasses && l != ManyClasses && l != LabelPaths && l != Numbers || d.Quantile != 0 || d.Process != nil {
		return fmt.Errorf("classify: conformal scores for %s", d.Scheme)
	}
	return d.Conformal.Check(len(d.Classes))
}
