package decide

import (
	"errors"
	"fmt"
	"math"

	"github.com/seqsvm/seqsvm/classify/conformal"
	"github.com/seqsvm/seqsvm/classify/dataset"
	"github.com/seqsvm/seqsvm/classify/svm"
	"github.com/seqsvm/seqsvm/internal/strongest"
)

// Strangeness returns how badly each class suits a record: the score of the best other class less its own.
func (d *Rule) Strangeness(p Prediction) []float64 {
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
	if c.Labelling() == dataset.Numbers {
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
	case c.Labelling() == dataset.Numbers:
		p.Region = &Region{Lower: p.Scores[0] - c.margin, Upper: p.Scores[0] + c.margin}
	default:
		p.Region = new(Region)
		for class, score := range c.Strangeness(*p) {
			if c.Conformal.Contains(class, score, c.confidence) {
				p.Region.Classes = append(p.Region.Classes, class)
			}
		}
	}
}

// checkConformal returns an error unless the scores are those of a rule that may have some.
func (d *Rule) checkConformal(l dataset.Labelling) error {
	if d.Conformal == nil {
		return nil
	}
	if !(l.OneClass() || l == dataset.Numbers) || d.Quantile != 0 || d.Process != nil {
		return fmt.Errorf("classify: conformal scores for %s", d.Scheme)
	}
	return d.Conformal.Check(len(d.Classes))
}
