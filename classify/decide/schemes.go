package decide

import (
	"fmt"
	"math"
	"slices"

	"github.com/seqsvm/seqsvm/classify/dataset"
	"github.com/seqsvm/seqsvm/classify/process"
	"github.com/seqsvm/seqsvm/internal/elementary"
	"github.com/seqsvm/seqsvm/internal/strongest"
)

type twoClass struct{ perClass }

func (twoClass) labelling() dataset.Labelling { return dataset.TwoClasses }

func (twoClass) count(*Rule) (int, error) { return 1, nil }

func (twoClass) binaries(r *Rule) []Binary {
	return []Binary{{Positive: r.Positive, Negative: 1 - r.Positive}}
}

func (twoClass) predict(r *Rule, decisions []float64, to *Prediction) {
	to.Scores, to.Class = decisions, r.Positive
	if !(decisions[0] > r.Machines[0].Threshold) {
		to.Class = 1 - r.Positive
	}
}

func (twoClass) probabilities(r *Rule, decisions []float64) []float64 {
	p := r.Machines[0].Sigmoid.Probability(decisions[0])
	out := []float64{1 - p, 1 - p}
	out[r.Positive] = p
	return out
}

// novelty decides as two classes do.
type novelty struct{ twoClass }

func (novelty) labelling() dataset.Labelling { return dataset.KnownOrNovel }

type oneVsRest struct{ perClass }

func (oneVsRest) probabilities(r *Rule, decisions []float64) []float64 {
	out, sum := make([]float64, len(r.Classes)), 0.0
	for c := range out {
		out[c] = r.Machines[c].Sigmoid.Probability(decisions[c])
		sum += out[c]
	}
	for c := range out {
		if sum > 0 {
			out[c] /= sum
		} else {
			out[c] = 1 / float64(len(out))
		}
	}
	return out
}

// softmax is the decision of Multinomial.
type softmax struct{ perClass }

func (softmax) probabilities(_ *Rule, decisions []float64) []float64 {
	out := slices.Clone(decisions)
	exponentiate(out)
	return out
}

// exponentiate replaces log odds by the probabilities that are proportional to their exponentials.
func exponentiate(p []float64) {
	greatest, sum := slices.Max(p), 0.0
	for c, v := range p {
		p[c] = elementary.Exp(v - greatest)
		sum += p[c]
	}
	for c := range p {
		p[c] /= sum
	}
}

// labelSets is the decision of MultiLabel.
type labelSets struct{ perClass }

func (labelSets) labelling() dataset.Labelling { return dataset.LabelSets }

// predict returns the classes above their thresholds, and the one that is furthest above or least below.
func (labelSets) predict(r *Rule, decisions []float64, to *Prediction) {
	excess := make([]float64, len(decisions))
	for c, v := range decisions {
		if excess[c] = v - r.Machines[c].Threshold; v > r.Machines[c].Threshold {
			to.Labels = append(to.Labels, c)
		}
	}
	to.Scores, to.Class = decisions, strongest.Index(excess)
}

// number is the decision of one machine whose value is the answer.
type number struct {
	perClass
	kind dataset.Labelling
}

func (s number) labelling() dataset.Labelling { return s.kind }

// levels is the decision of OrdinalScheme.
type levels struct{ perClass }

func (levels) labelling() dataset.Labelling { return dataset.OrderedClasses }

func (levels) count(*Rule) (int, error) { return 1, nil }

func (levels) binaries(r *Rule) []Binary {
	return []Binary{{Positive: len(r.Classes) - 1, Negative: 0}}
}

func (levels) predict(r *Rule, decisions []float64, to *Prediction) {
	to.Scores = decisions
	for to.Class < len(r.Thresholds) && decisions[0] > r.Thresholds[to.Class] {
		to.Class++
	}
}

func (levels) terms(*Rule, int) []Term { return []Term{{Machine: 0, Sign: 1}} }

// Process is what a [Rule] of GaussianScheme knows besides its machines: see [process.Process].
type Process struct {
	Rank   int     `json:"rank"`   // machines after the first
	Self   float64 `json:"self"`   // k(x, x), the same for every x
	Scale  float64 `json:"scale"`  // variance of the process is scale·k(x, x)
	Lambda float64 `json:"lambda"` // variance of the noise is scale·lambda
	// greatest excess of a variance over the true one, as a part of it, among some records of training
	Slack float64 `json:"slack"`
}

// mostRank bounds the machines of a variance.
const MostRank = 1 << 16

func (p *Process) check() error {
	for name, v := range map[string]float64{"self": p.Self, "scale": p.Scale, "lambda": p.Lambda} {
		if !(v >= 0 && v <= math.MaxFloat64) {
			return fmt.Errorf("classify: %s of the process is %v, want a number ≥ 0", name, v)
		}
	}
	if p.Rank < 1 || p.Rank > MostRank {
		return fmt.Errorf("classify: rank of the process is %d, want 1 to %d", p.Rank, MostRank)
	}
	return nil
}

// gaussianProcess is the decision of GaussianScheme.
type gaussianProcess struct{ number }

func (gaussianProcess) count(r *Rule) (int, error) {
	if r.Process == nil {
		return 0, fmt.Errorf("classify: no process for %s", GaussianScheme)
	}
	return 1 + r.Process.Rank, nil
}

func (gaussianProcess) binaries(r *Rule) []Binary {
	return slices.Repeat([]Binary{{Positive: 0, Negative: Rest}}, 1+r.Process.Rank)
}

func (gaussianProcess) terms(*Rule, int) []Term { return []Term{{Machine: 0, Sign: 1}} }

func (gaussianProcess) machineName(r *Rule, m int) string {
	if m == 0 {
		return "mean"
	}
	return fmt.Sprintf("variance %d", m)
}

func (gaussianProcess) predict(r *Rule, decisions []float64, to *Prediction) {
	p := process.Process{Scale: r.Process.Scale, Lambda: r.Process.Lambda}
	mean, deviation := p.Predict(r.Process.Self, decisions)
	to.Scores, to.Deviation = []float64{mean}, deviation
}

// coordinates is the decision of ComponentsScheme.
type coordinates struct{ perClass }

func (coordinates) labelling() dataset.Labelling { return dataset.NoLabels }

func (coordinates) predict(_ *Rule, decisions []float64, to *Prediction) { to.Scores = decisions }
