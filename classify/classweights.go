package classify

import (
	"cmp"
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/seqsvm/seqsvm/classify/dataset"
	"github.com/seqsvm/seqsvm/classify/decide"
	"github.com/seqsvm/seqsvm/classify/svm"
	"github.com/seqsvm/seqsvm/internal/plural"
	"github.com/seqsvm/seqsvm/internal/vectors"
)

// The names of class weightings. Any other value of ClassWeight lists weights by class, LABEL=NUMBER,…, such as
// +1=10,-1=1: C is multiplied by that of its class, 1 for classes that are not listed.
const (
	WeightNone     = "none"     // C for every record
	WeightBalanced = "balanced" // C n/(k n_c) for the n_c records of class c among the n records of k classes
)

// costs returns the penalties of a machine in a data set with the given class counts.
func (t Trainer) costs(m decide.Binary, counts []int) svm.Costs {
	if m.Negative == decide.Rest {
		two := []int{counts[m.Positive], vectors.Sum(counts) - counts[m.Positive]}
		if t.weights != nil {
			t.weights = []float64{t.weights[m.Positive], 1}
		}
		return t.costs(decide.Binary{Negative: 1}, two)
	}
	return svm.Costs{Positive: t.classCost(m.Positive, counts), Negative: t.classCost(m.Negative, counts)}
}

// classCost returns C of the records of class c: C n/(k n_c) if classes are balanced, C times its weight if they are
// weighted.
func (t Trainer) classCost(c int, counts []int) float64 {
	cost := cmp.Or(t.C, 1)
	switch {
	case t.weights != nil:
		return cost * t.weights[c]
	case t.ClassWeight == WeightBalanced:
		return cost * (float64(vectors.Sum(counts)) / (float64(len(counts)) * float64(counts[c])))
	}
	return cost
}

// namedWeights reads the weights of ClassWeight by the label of their class; nil if it has none.
func (t Trainer) namedWeights() (map[string]float64, error) {
	if t.ClassWeight == "" || t.ClassWeight == WeightNone || t.ClassWeight == WeightBalanced {
		return nil, nil
	}
	weights := map[string]float64{}
	for item := range strings.SplitSeq(t.ClassWeight, ",") {
		at := strings.LastIndexByte(item, '=')
		if at < 0 {
			return nil, t.classWeightError("%s, %s or LABEL=NUMBER,…", WeightNone, WeightBalanced)
		}
		label := item[:at]
		weight, err := dataset.ParseNumber(item[at+1:], 1/dataset.MostWeight, dataset.MostWeight)
		if err != nil {
			return nil, t.classWeightError("LABEL=NUMBER,… with numbers from %g to %g", 1/dataset.MostWeight,
				dataset.MostWeight)
		}
		if _, twice := weights[label]; twice {
			return nil, t.classWeightError("one number for class %.80q", label)
		}
		weights[label] = weight
	}
	return weights, nil
}

// classWeights returns the weight of each class of a data set, nil if ClassWeight has none.
func (t Trainer) classWeights(d *dataset.Dataset) ([]float64, error) {
	named, err := t.namedWeights()
	if named == nil {
		return nil, err
	}
	if l := d.Labelling(); l != dataset.TwoClasses && l != dataset.ManyClasses {
		return nil, t.classWeightError("%s or %s: records have not one of several classes each", WeightNone,
			WeightBalanced)
	}
	for _, label := range slices.Sorted(maps.Keys(named)) {
		if !slices.Contains(d.Classes, label) {
			return nil, t.classWeightError("classes of the data, %s: %.80q is not one of them",
				plural.Quoted(d.Classes), label)
		}
	}
	weights := make([]float64, len(d.Classes))
	for c, label := range d.Classes {
		weights[c] = cmp.Or(named[label], 1)
	}
	return weights, nil
}

func (t Trainer) classWeightError(want string, args ...any) error {
	return svm.CheckOption(false, "ClassWeight", strconv.Quote(t.ClassWeight), want, args...)
}
