package classify

import (
	"fmt"
	"math"
	"slices"

	"github.com/seqsvm/seqsvm/internal/strongest"
)

// The schemes that make classes of two-class machines.
const (
	TwoClass  = "two-class"   // one machine, for the positive class
	OneVsRest = "one-vs-rest" // a machine per class against all others: k machines on all records
	OneVsOne  = "one-vs-one"  // a machine per pair of classes: k(k−1)/2 machines on the records of two classes each

	MultiLabel    = "multi-label"    // a machine per class against all records without it; a record has any number of classes
	Hierarchy     = "hierarchy"      // labels are paths; machines between the children of each node, on the records below it
	CrammerSinger = "crammer-singer" // a machine per class, all trained as one problem without biases: see SequentialDual
)

// Rest stands for all other classes in [Binary].Negative.
const Rest = -1

// Binary is one trained two-class machine without its coefficients: d(x) = f(x) − Rho speaks for the class Positive if it
// is greater than 0, for Negative if not.
type Binary struct {
	Positive       int      `json:"positive"`            // index into Classes
	Negative       int      `json:"negative"`            // index into Classes, or Rest
	Rho            float64  `json:"rho"`                 // minus the bias
	Sigmoid        *Sigmoid `json:"sigmoid,omitempty"`   // decision value to probability of Positive; nil without calibration
	Threshold      float64  `json:"threshold,omitempty"` // multi-label: the class is given where the decision value is greater
	SupportVectors int      `json:"support_vectors"`     // non-zero coefficients
	Solver         string   `json:"solver"`              // "smo", "cutting-plane", "dual-coordinate", or "none" where all records have the label or none has
	Reason         string   `json:"reason,omitempty"`    // why Auto chose the solver, in words
	Primal         float64  `json:"primal"`              // see Solution
	Dual           float64  `json:"dual"`                // see Solution
	Gap            float64  `json:"gap"`                 // see Solution
	Iterations     int      `json:"iterations"`          // see Solution
}

// Rule is all of a classifier but the scores: how machines decide on a class. It is what a model file keeps in its
// header.
type Rule struct {
	Classes   []string `json:"classes"`
	Scheme    string   `json:"scheme"`              // TwoClass, OneVsRest, OneVsOne, CrammerSinger, MultiLabel or Hierarchy
	Positive  int      `json:"positive"`            // the class two-class scores speak for
	Separator string   `json:"separator,omitempty"` // hierarchy: what stands between the names of a label
	Machines  []Binary `json:"machines"`            // by class (one-vs-rest, Crammer-Singer) or by pair (0,1), (0,2) … (1,2) … (one-vs-one), or by node (hierarchy)

	nodes []inner // of a hierarchy, once they are known
}

// Prediction is the answer for one sequence.
type Prediction struct {
	// Class is an index into Classes. Two classes: the positive one if its decision value is greater than 0, else the
	// other. More: the class with the greatest score, the first of several.
	Class int
	// Labels has the classes of a record under MultiLabel, ascending, possibly none: those with a score above their threshold. Class is then the one furthest above.
	Labels []int
	// Scores holds the decision value f(x) − Rho of the positive class alone if there are two classes. Else it has one
	// score per class, the greater the likelier, so that each may be ranked against all other classes (AUROC): one-vs-rest
	// and others with a machine per class, its decision value; hierarchy, the least decision value on the way to the class, though Class comes of descending; one-vs-one, the number of pairs won plus s/(3(|s|+1)) where s sums the class's
	// decision values over its pairs: s breaks ties of votes and orders the sequences of equal votes.
	Scores []float64
	// Probabilities has one entry per class and sums to 1; nil without calibration. Two classes: the sigmoid. One-vs-rest:
	// the sigmoids divided by their sum. One-vs-one: pairwise coupling. The likeliest class may differ from Class, which
	// goes by Scores.
	Probabilities []float64
}

// schemeMachines lists the machines of a scheme, untrained, in the order of Decision.Machines.
func schemeMachines(scheme string, classes, positive int) []Binary {
	var machines []Binary
	switch scheme {
	case TwoClass:
		machines = []Binary{{Positive: positive, Negative: 1 - positive}}
	case OneVsRest, CrammerSinger, MultiLabel:
		for c := range classes {
			machines = append(machines, Binary{Positive: c, Negative: Rest})
		}
	case OneVsOne:
		for a := range classes {
			for b := a + 1; b < classes; b++ {
				machines = append(machines, Binary{Positive: a, Negative: b})
			}
		}
	}
	return machines
}

// Check returns an error unless the decision is complete and consistent: at least two distinct classes, a known scheme with
// exactly its machines in order, indices in range, finite numbers, and sigmoids in all machines or in none: in none of a scheme without
// probabilities.
func (d *Rule) Check() error {
	k := len(d.Classes)
	if k < 2 {
		return fmt.Errorf("classify: %d classes, want at least two", k)
	}
	if sorted := slices.Sorted(slices.Values(d.Classes)); len(slices.Compact(sorted)) != k {
		return fmt.Errorf("classify: a class occurs twice in %q", d.Classes)
	}
	if d.Positive < 0 || d.Positive >= k {
		return fmt.Errorf("classify: positive class %d, want 0 to %d", d.Positive, k-1)
	}
	switch {
	case !slices.Contains([]string{TwoClass, OneVsRest, OneVsOne, CrammerSinger, MultiLabel, Hierarchy}, d.Scheme):
		return fmt.Errorf("classify: scheme %q is unknown, want %s, %s, %s, %s, %s or %s", d.Scheme, TwoClass, OneVsRest, OneVsOne, CrammerSinger, MultiLabel, Hierarchy)
	case d.Scheme != MultiLabel && d.Scheme != Hierarchy && (d.Scheme == TwoClass) != (k == 2):
		return fmt.Errorf("classify: scheme %s for %d classes, want %s for two classes and another for more", d.Scheme, k, TwoClass)
	}
	wanted, err := d.wantedMachines()
	if err != nil {
		return err
	}
	if d.Machines[0].Sigmoid != nil && !slices.Contains([]string{TwoClass, OneVsRest, OneVsOne}, d.Scheme) {
		return fmt.Errorf("classify: a sigmoid under the scheme %s, which has no probabilities", d.Scheme)
	}
	for m, want := range wanted {
		if err := d.Machines[m].check(want, d.Machines[0].Sigmoid != nil); err != nil {
			return fmt.Errorf("classify: machine %d: %w", m, err)
		}
	}
	return nil
}

// wantedMachines lists the machines of the scheme, untrained, after comparing their number with what is there before any list of that length is made.
func (d *Rule) wantedMachines() ([]Binary, error) {
	k := len(d.Classes)
	want := map[string]int{TwoClass: 1, OneVsRest: k, CrammerSinger: k, MultiLabel: k, OneVsOne: k * (k - 1) / 2}[d.Scheme]
	var machines []Binary
	if d.Scheme == Hierarchy {
		nodes, err := innerNodes(d.Classes, d.Separator)
		if err != nil {
			return nil, err
		}
		machines = hierarchyMachines(nodes)
		want = len(machines)
	} else if d.Separator != "" {
		return nil, fmt.Errorf("classify: separator %q of a hierarchy for %s", d.Separator, d.Scheme)
	}
	if len(d.Machines) != want {
		return nil, fmt.Errorf("classify: %d machines for %s with %d classes, want %d", len(d.Machines), d.Scheme, k, want)
	}
	if d.Scheme != Hierarchy {
		machines = schemeMachines(d.Scheme, k, d.Positive)
	}
	return machines, nil
}

// hierarchy returns the inner nodes of a decision that passes Check.
func (d *Rule) hierarchy() []inner {
	if d.nodes != nil {
		return d.nodes
	}
	nodes, _ := innerNodes(d.Classes, d.Separator) // the check found them
	return nodes
}

// prepared returns a decision that passes Check, for many predictions: the nodes of a hierarchy are found once.
func (d Rule) prepared() Rule {
	if d.Scheme == Hierarchy {
		d.nodes = d.hierarchy()
	}
	return d
}

func (m *Binary) check(want Binary, calibrated bool) error {
	switch {
	case m.Positive != want.Positive || m.Negative != want.Negative:
		return fmt.Errorf("decides between classes %d and %d, want %d and %d", m.Positive, m.Negative, want.Positive, want.Negative)
	case m.Rho-m.Rho != 0:
		return fmt.Errorf("rho = %v, want a finite number", m.Rho)
	case m.Threshold-m.Threshold != 0:
		return fmt.Errorf("threshold = %v, want a finite number", m.Threshold)
	case (m.Sigmoid != nil) != calibrated:
		return fmt.Errorf("a sigmoid in some machines only, want all or none")
	case calibrated && (m.Sigmoid.A-m.Sigmoid.A != 0 || m.Sigmoid.B-m.Sigmoid.B != 0):
		return fmt.Errorf("sigmoid %v, want finite numbers", *m.Sigmoid)
	}
	return nil
}

// Combine turns the machines' scores f_m(x), before Rho is taken off, into a prediction. f has one entry per machine. The
// decision must pass Check. O(machines + classes²).
func (d *Rule) Combine(f []float64) Prediction {
	decisions := make([]float64, len(d.Machines))
	for m := range d.Machines {
		decisions[m] = f[m] - d.Machines[m].Rho
	}
	return d.predict(decisions)
}

// predict turns the machines' decision values into a prediction, which may keep the slice.
func (d *Rule) predict(decisions []float64) (p Prediction) {
	switch d.Scheme {
	case TwoClass:
		p.Scores, p.Class = decisions, d.Positive
		if !(decisions[0] > 0) {
			p.Class = 1 - d.Positive
		}
	case OneVsRest, CrammerSinger:
		p.Scores, p.Class = decisions, strongest.Index(decisions)
	case Hierarchy:
		p.Class, p.Scores = descend(d.hierarchy(), len(d.Classes), decisions)
	case MultiLabel:
		p.Scores = decisions
		p.Labels, p.Class = d.labels(decisions)
	case OneVsOne:
		p.Scores = d.votes(decisions)
		p.Class = strongest.Index(p.Scores)
	}
	if d.Machines[0].Sigmoid != nil {
		p.Probabilities = d.probabilities(decisions)
	}
	return p
}

// labels returns the classes above their thresholds, and the one that is furthest above or least below.
func (d *Rule) labels(decisions []float64) (given []int, first int) {
	excess := make([]float64, len(decisions))
	for c, v := range decisions {
		if excess[c] = v - d.Machines[c].Threshold; v > d.Machines[c].Threshold {
			given = append(given, c)
		}
	}
	return given, strongest.Index(excess)
}

// votes returns the class scores of one-vs-one.
func (d *Rule) votes(decisions []float64) []float64 {
	votes, sums := make([]float64, len(d.Classes)), make([]float64, len(d.Classes))
	for m, machine := range d.Machines {
		winner := machine.Negative
		if decisions[m] > 0 {
			winner = machine.Positive
		}
		votes[winner]++
		sums[machine.Positive] += decisions[m]
		sums[machine.Negative] -= decisions[m]
	}
	for c, s := range sums {
		votes[c] += s / (3 * (math.Abs(s) + 1))
	}
	return votes
}

// probabilities returns the distribution over the classes.
func (d *Rule) probabilities(decisions []float64) []float64 {
	k := len(d.Classes)
	switch d.Scheme {
	case TwoClass:
		p := d.Machines[0].Sigmoid.Probability(decisions[0])
		out := []float64{1 - p, 1 - p}
		out[d.Positive] = p
		return out
	case OneVsRest:
		out, sum := make([]float64, k), 0.0
		for c := range out {
			out[c] = d.Machines[c].Sigmoid.Probability(decisions[c])
			sum += out[c]
		}
		for c := range out {
			if sum > 0 {
				out[c] /= sum
			} else {
				out[c] = 1 / float64(k)
			}
		}
		return out
	}
	r := make([][]float64, k)
	for c := range r {
		r[c] = make([]float64, k)
	}
	for m, machine := range d.Machines {
		p := machine.Sigmoid.Probability(decisions[m])
		r[machine.Positive][machine.Negative], r[machine.Negative][machine.Positive] = p, 1-p
	}
	return couplePairs(r)
}

// Term is the part of a machine in a class's decision.
type Term struct {
	Machine int     // index into Machines
	Sign    float64 // +1 or −1
}

// Terms says how the machines make up a class: its decision is Σ Sign·f_Machine(x) + bias. This is what an explanation of
// the class sums up. Two classes: the one machine, with a minus sign for the class that is not the positive one.
// One-vs-rest and Crammer-Singer: the class's own machine. One-vs-one: the sum s of its pairs' decision values (see [Prediction].Scores);
// votes have no linear explanation. Hierarchy: the sum of the decision values on the way from the root to the class.
func (d *Rule) Terms(class int) (terms []Term, bias float64) {
	if d.Scheme == Hierarchy {
		terms = pathTerms(d.hierarchy(), class)
		for _, term := range terms {
			bias -= float64(term.Sign * d.Machines[term.Machine].Rho)
		}
		return terms, bias
	}
	for m, machine := range d.Machines {
		sign := 0.0
		switch class {
		case machine.Positive:
			sign = 1
		case machine.Negative:
			sign = -1
		default:
			continue
		}
		terms = append(terms, Term{m, sign})
		bias -= float64(sign * machine.Rho)
	}
	return terms, bias
}
