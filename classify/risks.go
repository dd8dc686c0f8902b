package classify

import (
	"cmp"

	"github.com/seqsvm/seqsvm/classify/dataset"
	"github.com/seqsvm/seqsvm/classify/decide"
	"github.com/seqsvm/seqsvm/classify/internal/solve"
	"github.com/seqsvm/seqsvm/classify/risk"
	"github.com/seqsvm/seqsvm/classify/svm"
)

// TaskOptions are the options of tasks, fields of a [Trainer].
type TaskOptions struct {
	Epsilon  float64 // of regression: errors up to it cost nothing; zero: 0.1
	Quantile float64 // of regression: what is predicted, from 0 to 1; zero: the centre of the errors
	Nu       float64 // bound of the share of outliers or of errors, above 0, at most 1; zero: 0.5 of novelty, else C alone
	Ball     bool    // of novelty: the smallest ball around the records, which is another where k(x, x) is not constant
	// of two classes, of which the negative one is unlabelled: the share of it that is positive; zero: it is labelled
	Prior float64

	Lambda float64 // of regression: ridge regression with this penalty λ of squared errors; zero: absolute errors
	// of regression: a Gaussian process, whose variance is known in that many directions of the features; Lambda is
	// then the variance of the noise over that of the process, zero: the one of most evidence. Zero: no process
	Rank int
	// of classes with LossLogistic: the greatest number of records of training that each machine keeps, an import
	// vector machine; zero: all
	Landmarks int
	// of regression and of classes with LossLogistic: a relevance vector machine that chooses among as many records,
	// and has no C; zero: none
	Relevance int
}

// defaults of TaskOptions, those of LIBSVM and of scikit-learn.
const (
	defaultEpsilon = 0.1
	defaultNu      = 0.5
)

// check returns an [svm.OptionError] for an option of the trainer that is out of range.
func (o TaskOptions) check() error {
	return cmp.Or(
		svm.CheckOption(o.Epsilon >= 0 && o.Epsilon <= dataset.MostTarget, "Epsilon", o.Epsilon, "≥ 0"),
		svm.CheckOption(o.Quantile >= 0 && o.Quantile < 1, "Quantile", o.Quantile, "between 0 and 1"),
		svm.CheckOption(o.Nu >= 0 && o.Nu <= 1, "Nu", o.Nu, "above 0 and at most 1"),
		svm.CheckOption(o.Prior >= 0 && o.Prior < 1, "Prior", o.Prior, "between 0 and 1"),
		svm.CheckOption(o.Lambda == 0 || o.Lambda >= 1/dataset.MostTarget && o.Lambda <= dataset.MostTarget, "Lambda",
			o.Lambda, "from %g to %g", 1/dataset.MostTarget, dataset.MostTarget),
		svm.CheckOption(o.Lambda == 0 && o.Rank == 0 || o.Quantile == 0 && o.Nu == 0, "Lambda", o.Lambda,
			"none with a quantile or with Nu"),
		svm.CheckOption(o.Rank >= 0 && o.Rank <= decide.MostRank, "Rank", o.Rank, "≥ 0, at most %d", decide.MostRank),
		svm.CheckOption(o.Landmarks >= 0, "Landmarks", o.Landmarks, "≥ 0"),
		svm.CheckOption(o.Relevance == 0 || o.Relevance > 0 && o.Landmarks == 0 && o.Lambda == 0 && o.Rank == 0 &&
			o.Quantile == 0 && o.Nu == 0, "Relevance", o.Relevance,
			"none with Landmarks, Lambda, Rank, a quantile or Nu, or more than 0"))
}

// targetRisk is that of numbers.
func (t Trainer) targetRisk(y, weights []float64) (risk.Risk, error) {
	c := cmp.Or(t.C, 1)
	if t.Nu > 0 {
		return risk.NuInsensitive(y, c, t.Nu), unweighted("Nu", t.Nu, weights)
	}
	hinges := risk.Insensitive(y, weights, c, cmp.Or(t.Epsilon, defaultEpsilon))
	if t.Quantile > 0 {
		hinges = risk.Pinball(y, weights, c, t.Quantile)
	}
	hinges.NoBias = t.NoBias
	return hinges, nil
}

// classRisk is that of two classes, nil for the hinge and its square.
func (t Trainer) classRisk() solve.RiskOf {
	switch {
	case t.Prior > 0:
		return func(y, weights []float64) (risk.Risk, error) {
			return risk.Unlabelled(y, cmp.Or(t.C, 1), t.Prior), unweighted("Prior", t.Prior, weights)
		}
	case t.Nu > 0:
		return func(y, weights []float64) (risk.Risk, error) {
			if most := risk.MostNu(y); t.Nu > most {
				return nil, svm.CheckOption(false, "Nu", t.Nu,
					"at most %.6g, twice the share of the smaller class", most)
			}
			return risk.NuClasses(y, t.Nu), unweighted("Nu", t.Nu, weights)
		}
	}
	return nil
}

// unweighted refuses weights with an option.
func unweighted(option string, value any, weights []float64) error {
	return svm.CheckOption(weights == nil, option, value, "none with weights of records")
}
