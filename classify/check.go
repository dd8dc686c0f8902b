package classify

import (
	"cmp"
	"fmt"
	"slices"

	"github.com/seqsvm/seqsvm/classify/dataset"
	"github.com/seqsvm/seqsvm/classify/decide"
	"github.com/seqsvm/seqsvm/classify/internal/solve"
	"github.com/seqsvm/seqsvm/classify/svm"
	"github.com/seqsvm/seqsvm/classify/svm/auto"
	"github.com/seqsvm/seqsvm/classify/threshold"
	"github.com/seqsvm/seqsvm/internal/memory"
	"github.com/seqsvm/seqsvm/stringkernel"
)

// CheckC returns an [svm.OptionError] for a cost out of range, which leaves room for class weights.
func CheckC(c float64) error {
	const least, most = 1e-100, 1e100
	return svm.CheckOption(c >= least && c <= most, "C", c, "> 0, from %g to %g", least, most)
}

// CheckOptions returns an [svm.OptionError] for the first parameter that is out of range or does not go with another.
func (t Trainer) CheckOptions() error {
	schemes := decide.SchemesFor(dataset.ManyClasses)
	_, err := t.namedWeights()
	if err == nil {
		_, _, err = threshold.Parse(t.Threshold)
	}
	unweighted := t.ClassWeight == "" || t.ClassWeight == WeightNone
	err = cmp.Or(err,
		svm.CheckOption(unweighted || t.Nu == 0 && t.Prior == 0, "ClassWeight", t.ClassWeight,
			"%s with a bound of errors (Nu) or with unlabelled records (Prior)", WeightNone),
		svm.CheckOption(t.Multiclass == "" || slices.Contains(schemes, t.Multiclass), "Multiclass", t.Multiclass,
			"one of %q", schemes),
		CheckC(cmp.Or(t.C, 1)), t.TaskOptions.check(), t.checkPenalty(), t.checkLogistic(),
		t.checkMixture())
	if err != nil {
		return err
	}
	if err := learners[t.multiclass()].check(t); err != nil {
		return err
	}
	settings := t.settings()
	if planner, ok := t.solver().(svm.Planner); ok {
		return planner.Check(settings)
	}
	return settings.CheckOptions()
}

// Check names the first thing that is wrong with the parameters or the data.
func (t Trainer) Check(d *dataset.Dataset) error {
	if t.Kernel == nil {
		return fmt.Errorf("classify: no kernel")
	}
	if err := t.Kernel.Check(); err != nil {
		return fmt.Errorf("classify: %w", err)
	}
	if err := t.CheckOptions(); err != nil {
		return err
	}
	if err := d.Check(); err != nil {
		return err
	}
	if err := t.CheckLabels(d.Labelling()); err != nil {
		return err
	}
	if _, err := t.classWeights(d); err != nil {
		return err
	}
	if err := svm.CheckOption(t.Prior == 0 || len(d.Classes) <= 2, "Prior", t.Prior,
		"two classes, one of them unlabelled, not %d", len(d.Classes)); err != nil {
		return err
	}
	if t.fewFeatures() && stringkernel.EnumeratorOf(t.Kernel) == nil {
		return solve.ErrNotListed
	}
	if err := t.checkSum(d); err != nil {
		return err
	}
	for c, count := range d.Counts() {
		if count == 0 && !d.MayLack(c) {
			return fmt.Errorf("classify: class %.80q has no records", d.Classes[c])
		}
	}
	return t.checkSize(d)
}

// checkLogistic returns an error for what does not go with LossLogistic.
func (t Trainer) checkLogistic() error {
	if t.Loss != LossLogistic {
		return svm.CheckOption(t.Landmarks == 0, "Landmarks", t.Landmarks, "none without the loss %s", LossLogistic)
	}
	_, auto := t.Solver.(auto.Solver)
	return cmp.Or(
		svm.CheckOption(t.Solver == nil || auto, "Solver", t.Solver, "auto with the loss %s", LossLogistic),
		svm.CheckOption(!t.Probability, "Probability", true, "false with the loss %s, which has probabilities",
			LossLogistic),
		svm.CheckOption(t.Nu == 0, "Nu", t.Nu, "none with the loss %s", LossLogistic),
		svm.CheckOption(t.Relevance == 0 || cmp.Or(t.C, 1) == 1, "C", t.C, "none with Relevance"),
		svm.CheckOption(t.Prior == 0, "Prior", t.Prior, "none with the loss %s", LossLogistic))
}

// checkThreshold returns an error about a threshold that the trainer cannot give records with such labels.
func (t Trainer) checkThreshold(l dataset.Labelling) error {
	_, _, err := threshold.Parse(t.Threshold)
	return cmp.Or(err, svm.CheckOption(t.Threshold == "" || l == dataset.TwoClasses, "Threshold", t.Threshold,
		"none: it is for two classes"))
}

// machineBytes estimates the memory of the machines of a data set. It is the product of two figures of the data, which
// a wrong column of labels makes larger than any computer.
func (t Trainer) machineBytes(d *dataset.Dataset) float64 {
	return t.learner(d).bytes(t, float64(d.Len()), float64(len(d.Classes)))
}

// checkSize refuses data whose machines would not fit into memory.
func (t Trainer) checkSize(d *dataset.Dataset) error {
	if err := memory.Check(t.machineBytes(d)); err != nil {
		return fmt.Errorf("classify: %d classes of %d records (%s) need %w", len(d.Classes), d.Len(),
			t.schemeFor(d.Labelling()), err)
	}
	return nil
}

// CheckMerge returns a [stringkernel.MergeError] if the kernel says that merging a model trained on the data set would
// take more memory than is allowed, were all records support vectors, or what Check returns. Train does not ask, since
// a model may keep its sequences.
func (t Trainer) CheckMerge(d *dataset.Dataset) error {
	if err := t.Check(d); err != nil {
		return err
	}
	r, err := t.rule(d, nil)
	if err != nil {
		return err
	}
	if err := stringkernel.CheckMerge(t.Kernel, d.Corpus, len(r.Machines)); err != nil {
		return fmt.Errorf("classify: %w", err)
	}
	return nil
}
