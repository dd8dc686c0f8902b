// Package decide turns the decision values of binary machines into predictions: a [Rule] is all of a classifier but the
// scores, as plain data for a model file, a [Classifier] a rule with the scorer of its machines, a [Model] a rule with
// the support vectors. Each label scheme has a way to predict, the terms of an explanation, and probabilities if it
// can. How machines are trained is not known here.
//
// # References
//
//   - Lin, Lin & Weng 2007, A note on Platt's probabilistic outputs, doi:10.1007/s10994-007-5018-6
//   - Wu, Lin & Weng 2004, Probability estimates for multi-class classification by pairwise coupling, J. Mach. Learn.
//     Res. 5:975–1005
package decide

import (
	"cmp"
	"fmt"
	"slices"

	"github.com/seqsvm/seqsvm/classify/conformal"
	"github.com/seqsvm/seqsvm/classify/dataset"
	"github.com/seqsvm/seqsvm/classify/threshold"
	"github.com/seqsvm/seqsvm/internal/plural"
	"github.com/seqsvm/seqsvm/stringkernel"
)

// Rest means all other classes in [Binary].Negative.
const Rest = -1

// Binary is one trained two-class machine without its coefficients: d(x) = f(x) − Rho speaks for the class Positive if
// it is greater than 0, for Negative if not.
type Binary struct {
	Positive int     `json:"positive"` // index into Classes
	Negative int     `json:"negative"` // index into Classes, or Rest
	Rho      float64 `json:"rho"`      // minus the bias
	// decision value to probability of Positive; nil without calibration
	Sigmoid *threshold.Sigmoid `json:"sigmoid,omitempty"`
	// multi-label and two classes: the class is given where the decision value is greater
	Threshold float64 `json:"threshold,omitempty"`
	// non-zero coefficients; online, records that changed the weights; 0 where that is not known, of planes in shards
	SupportVectors int `json:"support_vectors"`
	// "smo", "cutting-plane", "dual-coordinate", or "none" where all records have the label or none has;
	// online, the algorithm
	Solver     string  `json:"solver"`
	Reason     string  `json:"reason,omitempty"` // why Auto chose the solver, in words
	Primal     float64 `json:"primal"`           // see Solution
	Dual       float64 `json:"dual"`             // see Solution
	Gap        float64 `json:"gap"`              // see Solution
	Iterations int     `json:"iterations"`       // see Solution
}

// Rule is all of a classifier but the scores: how machines decide on a class. It is what a model file keeps in its
// header.
type Rule struct {
	Classes []string `json:"classes"`
	// TwoClass, OneVsRest, OneVsOne, CrammerSinger, MultiLabel or Hierarchy
	Scheme    string `json:"scheme"`
	Positive  int    `json:"positive"`            // the class two-class scores speak for
	Separator string `json:"separator,omitempty"` // hierarchy: what stands between the names of a label
	// ordinal: the decision values between neighbouring classes, ascending
	Thresholds []float64 `json:"thresholds,omitempty"`
	Known      []string  `json:"known,omitempty"`    // novelty: the labels of training, if it had any
	Ball       bool      `json:"ball,omitempty"`     // novelty: decisions are f(x) + ½k(x, x) − rho
	Quantile   float64   `json:"quantile,omitempty"` // regression: what is predicted, zero if it is no quantile
	// two classes: what the machine's threshold was chosen by, as in [classify.Trainer].Threshold; empty: it is 0
	Criterion string   `json:"criterion,omitempty"`
	Process   *Process `json:"process,omitempty"` // Gaussian process
	// how well the matrix of training stands for that of the kernel it approximates; none if it is exact
	Approximations []stringkernel.Approximation `json:"approximations,omitempty"`
	Mixture        *Mixture                     `json:"mixture,omitempty"` // nil unless weights of kernels were learned
	Scaling        *Scaling                     `json:"scaling,omitempty"` // of probabilities of many classes, or nil
	// by class (one-vs-rest, Crammer-Singer, multinomial) or by pair (0,1), (0,2) … (1,2) … (one-vs-one), or by node
	// (hierarchy)
	Machines []Binary `json:"machines"`

	// nonconformity scores of records left out, by class, or of numbers their absolute errors; nil without
	Conformal *conformal.Scores `json:"-"`

	nodes []dataset.Node // of a hierarchy, once they are known
}

// Prediction is the answer for one sequence.
type Prediction struct {
	// Class is an index into Classes. Two classes: the positive one if its decision value is greater than its machine's
	// threshold, else the other. More: the class with the greatest score, the first of several.
	Class int
	// Labels has the classes of a record under MultiLabel, ascending, possibly none: those with a score above their
	// threshold. Class is then the one furthest above.
	Labels []int
	// Scores holds the decision value f(x) − Rho of the positive class alone if there are two classes. Else it has one
	// score per class, the greater the likelier, so that each may be ranked against all other classes (AUROC):
	// one-vs-rest and others with a machine per class, its decision value; hierarchy, the least decision value on the
	// way to the class, though Class comes of descending; one-vs-one, the number of pairs won plus s/(3(|s|+1)) where s
	// sums the class's decision values over its pairs: s breaks ties of votes and orders the sequences of equal votes.
	Scores []float64
	// Probabilities has one entry per class and sums to 1; nil without calibration. Two classes: the sigmoid.
	// One-vs-rest: the sigmoids divided by their sum, and scaled. One-vs-one: pairwise coupling. The likeliest class
	// may differ from Class, which goes by Scores.
	Probabilities []float64
	// Deviation is the standard deviation of the number of a Gaussian process, noise included; 0 of other schemes.
	Deviation float64
	// Region is what is not excluded, if [Classifier.WithConfidence] asks for it; else nil.
	Region *Region
	// Unknown: the sequence has no feature of the model, so that the scores are the biases. Set by [Classifier].
	Unknown bool
}

// Region is what a prediction does not exclude at a confidence: it lacks the class or the number of a record like those
// of training with a probability of at most 1 − confidence, of classes within each of them.
type Region struct {
	Classes      []int   // ascending, of a rule with classes; none: the record is like none of them
	Lower, Upper float64 // of a regression, the ends of the interval
}

// Abstains reports whether a region of classes does not tell which one it is: it has none or several.
func (r *Region) Abstains() bool { return len(r.Classes) != 1 }

// Improbable reports whether another class has a higher probability than Class, which goes by Scores.
func (p *Prediction) Improbable() bool {
	return p.Probabilities != nil && slices.Max(p.Probabilities) > p.Probabilities[p.Class]
}

// Check returns an error unless the decision is complete and consistent: at least two distinct classes, a known scheme
// with exactly its machines in order, indices in range, finite numbers, and sigmoids in all machines or in none: in
// none of a scheme without probabilities.
func (d *Rule) Check() error {
	s := schemeNamed(d.Scheme)
	if s == nil {
		names := make([]string, len(schemes))
		for i := range schemes {
			names[i] = schemes[i].name
		}
		return fmt.Errorf("classify: scheme %.80q is unknown, want one of %q", d.Scheme, names)
	}
	l := s.labelling()
	if err := d.checkClasses(l); err != nil {
		return err
	}
	if d.Separator != "" && l != dataset.LabelPaths {
		return fmt.Errorf("classify: separator %.80q of a hierarchy for %s", d.Separator, d.Scheme)
	}
	if err := d.checkThresholds(l); err != nil {
		return err
	}
	if d.Process != nil {
		if d.Scheme != GaussianScheme {
			return fmt.Errorf("classify: a process for %s", d.Scheme)
		}
		if err := d.Process.check(); err != nil {
			return err
		}
	}
	if err := d.checkLearned(); err != nil {
		return err
	}
	if err := d.checkMachines(s); err != nil {
		return err
	}
	return cmp.Or(d.checkCriterion(l), d.checkConformal(l), d.Scaling.check(d))
}

// checkClasses returns an error unless there are as many classes as labels of the kind have, all different.
func (d *Rule) checkClasses(l dataset.Labelling) error {
	k := len(d.Classes)
	switch valued := l == dataset.Numbers || l == dataset.Grades; {
	case valued && k != 1:
		return fmt.Errorf("classify: %d classes for %s, want one", k, d.Scheme)
	case l == dataset.NoLabels && k < 1:
		return fmt.Errorf("classify: no components")
	case !valued && l != dataset.NoLabels && k < 2:
		return fmt.Errorf("classify: %d classes, want at least two", k)
	}
	if sorted := slices.Sorted(slices.Values(d.Classes)); len(slices.Compact(sorted)) != k {
		return fmt.Errorf("classify: duplicate class in %s", plural.Quoted(d.Classes))
	}
	if d.Positive < 0 || d.Positive >= k {
		return fmt.Errorf("classify: positive class %d, want 0 to %d", d.Positive, k-1)
	}
	if l <= dataset.ManyClasses && (l == dataset.TwoClasses) != (k == 2) {
		return fmt.Errorf("classify: scheme %s for %d classes, want %s for two classes and another for more",
			d.Scheme, k, TwoClass)
	}
	return nil
}

// checkLearned returns an error about weights of kernels or approximations that cannot have been learned.
func (d *Rule) checkLearned() error {
	if x := d.Mixture; x != nil && !(x.Norm >= 1 && x.Gap >= 0 && x.Iterations > 0) {
		return fmt.Errorf("classify: weights of kernels with the norm %v, the gap %v and %d trainings, want numbers from 1, "+
			"0 and 1", x.Norm, x.Gap, x.Iterations)
	}
	for _, a := range d.Approximations {
		if !(a.TraceError >= 0 && a.TraceError <= 1 && a.Deviation >= 0 && a.Deviation <= 1) || a.Rank < 0 ||
			a.Records < 0 {
			return fmt.Errorf("classify: approximation of %d records by %d numbers with the trace error %v and the "+
				"deviation %v, want numbers from 0, and errors to 1", a.Records, a.Rank, a.TraceError, a.Deviation)
		}
	}
	return nil
}

// checkMachines returns an error unless there are the machines that the scheme makes of the classes.
func (d *Rule) checkMachines(s *namedScheme) error {
	count, err := s.count(d)
	if err != nil {
		return err
	}
	if len(d.Machines) != count { // before a list of that length is made
		return fmt.Errorf("classify: %d machines for %s with %d classes, want %d", len(d.Machines), d.Scheme,
			len(d.Classes), count)
	}
	if d.Machines[0].Sigmoid != nil && !d.Probable() {
		return fmt.Errorf("classify: a sigmoid under the scheme %s, which has no probabilities", d.Scheme)
	}
	for m, want := range s.binaries(d) {
		if err := d.Machines[m].check(want, d.Machines[0].Sigmoid != nil); err != nil {
			return fmt.Errorf("classify: machine %d: %w", m, err)
		}
	}
	return nil
}

// checkThresholds returns an error unless ordered classes, and they alone, have ascending thresholds between them.
func (d *Rule) checkThresholds(l dataset.Labelling) error {
	want := 0
	if l == dataset.OrderedClasses {
		want = len(d.Classes) - 1
	}
	if len(d.Thresholds) != want {
		return fmt.Errorf("classify: %d thresholds for %s with %d classes, want %d", len(d.Thresholds), d.Scheme,
			len(d.Classes), want)
	}
	for i, t := range d.Thresholds {
		if t-t != 0 || i > 0 && t < d.Thresholds[i-1] {
			return fmt.Errorf("classify: threshold %d is %v, want finite numbers in ascending order", i, t)
		}
	}
	if d.Quantile != 0 && !(l == dataset.Numbers && d.Quantile > 0 && d.Quantile < 1) {
		return fmt.Errorf("classify: quantile %v for %s, want none or one between 0 and 1", d.Quantile, d.Scheme)
	}
	if d.Known != nil && l != dataset.KnownOrNovel {
		return fmt.Errorf("classify: known labels for %s", d.Scheme)
	}
	if d.Ball && l != dataset.KnownOrNovel {
		return fmt.Errorf("classify: a ball for %s", d.Scheme)
	}
	return nil
}

func (m *Binary) check(want Binary, calibrated bool) error {
	switch {
	case m.Positive != want.Positive || m.Negative != want.Negative:
		return fmt.Errorf("decides between classes %d and %d, want %d and %d", m.Positive, m.Negative,
			want.Positive, want.Negative)
	case m.Rho-m.Rho != 0:
		return fmt.Errorf("rho = %v, want a finite number", m.Rho)
	case m.Threshold-m.Threshold != 0:
		return fmt.Errorf("threshold = %v, want a finite number", m.Threshold)
	case (m.Sigmoid != nil) != calibrated:
		return fmt.Errorf("a sigmoid in some machines only")
	case calibrated && (m.Sigmoid.A-m.Sigmoid.A != 0 || m.Sigmoid.B-m.Sigmoid.B != 0):
		return fmt.Errorf("sigmoid %v, want finite numbers", *m.Sigmoid)
	}
	return nil
}

// Combine turns the machines' scores f_m(x), before Rho is taken off, into a prediction. f has one entry per machine.
// The decision must pass Check. O(machines + classes²).
func (d *Rule) Combine(f []float64) (p Prediction) {
	d.combine(slices.Clone(f), &p)
	return p
}

// combine is Combine in place of the scores, which the prediction may keep. It fills in a prediction where it is
// wanted: copies of many would take longer than making them.
func (d *Rule) combine(f []float64, to *Prediction) {
	for m := range d.Machines {
		f[m] -= d.Machines[m].Rho
	}
	d.predict(f, to)
}

// predict turns the machines' decision values into a prediction, which may keep the slice.
func (d *Rule) predict(decisions []float64, to *Prediction) {
	s := schemeNamed(d.Scheme)
	*to = Prediction{}
	s.predict(d, decisions, to)
	if d.Machines[0].Sigmoid != nil {
		to.Probabilities = s.scheme.(probable).probabilities(d, decisions)
		if d.Scaling != nil {
			d.Scaling.apply(to.Probabilities)
		}
	}
}

// Term is the part of a machine in a class's decision.
type Term struct {
	Machine int     // index into Machines
	Sign    float64 // +1 or −1
}

// Terms says how the machines make up a class: its decision is Σ Sign·f_Machine(x) + bias. This is what an explanation
// of the class sums up. Two classes: the one machine, with a minus sign for the class that is not the positive one.
// One-vs-rest and Crammer-Singer: the class's own machine. One-vs-one: the sum s of its pairs' decision values (see
// [Prediction].Scores); votes have no linear explanation. Hierarchy: the sum of the decision values on the way from the
// root to the class.
func (d *Rule) Terms(class int) (terms []Term, bias float64) {
	terms = schemeNamed(d.Scheme).terms(d, class)
	for _, term := range terms {
		bias -= float64(term.Sign * d.Machines[term.Machine].Rho)
	}
	return terms, bias
}

// Combiner returns a function that makes the score of a class from the decision values f(x) − Rho of the machines of
// its Terms, as [Prediction].Scores has it; of two classes, each has one.
func (d *Rule) Combiner(class int) func(decisions []float64) float64 {
	s := schemeNamed(d.Scheme)
	terms := s.terms(d, class)
	return func(decisions []float64) float64 { return s.score(terms, decisions) }
}

// MachineName names a machine by its positive class, where that is ambiguous with its negative class or its number.
func (d *Rule) MachineName(m int) string { return schemeNamed(d.Scheme).machineName(d, m) }

// checkCriterion returns an error unless a threshold has the criterion that it was chosen by.
func (d *Rule) checkCriterion(l dataset.Labelling) error {
	if l != dataset.TwoClasses {
		if d.Criterion != "" {
			return fmt.Errorf("classify: criterion %.80q of a threshold for %s", d.Criterion, d.Scheme)
		}
		return nil
	}
	if _, _, err := threshold.Parse(d.Criterion); err != nil {
		return fmt.Errorf("classify: criterion of the threshold: %w", err)
	}
	if d.Criterion == "" && d.Machines[0].Threshold != 0 {
		return fmt.Errorf("classify: threshold %v without a criterion", d.Machines[0].Threshold)
	}
	return nil
}

// Unreachable reports whether no record can be of the positive class of two, because no threshold met its criterion.
func (d *Rule) Unreachable() bool {
	return d.Criterion != "" && d.Machines[0].Threshold == threshold.Never
}

// Mixture says how well the weights of the kernels of a sum solve the problem that they are learned by: ℓp-norm
// multiple kernel learning, of all machines together, which share the weights.
type Mixture struct {
	Norm float64 `json:"norm"` // p
	// of the problem above, between which the optimum is
	Primal     float64 `json:"primal"`
	Dual       float64 `json:"dual"`
	Gap        float64 `json:"gap"`
	Iterations int     `json:"iterations"` // trainings with other weights
}
