package decide

import (
	"math"
	"slices"
	"strconv"

	"github.com/seqsvm/seqsvm/classify/dataset"
	"github.com/seqsvm/seqsvm/internal/strongest"
)

// paths is the decision of Hierarchy.
type paths struct{ perClass }

func (paths) labelling() dataset.Labelling { return dataset.LabelPaths }

func (paths) count(r *Rule) (machines int, err error) {
	nodes, err := dataset.Nodes(r.Classes, r.Separator)
	for _, n := range nodes {
		machines += n.Machines()
	}
	return machines, err
}

// binaries lists the machines node by node. A machine speaks for the classes of a child, of which Positive is the
// first; with two children one machine speaks for the second against the first.
func (paths) binaries(r *Rule) (machines []Binary) {
	for _, n := range r.Nodes() {
		if n.Children() == 2 {
			machines = append(machines, Binary{Positive: n.Starts[1], Negative: n.Starts[0]})
			continue
		}
		for _, start := range n.Starts[:n.Children()] {
			machines = append(machines, Binary{Positive: start, Negative: Rest})
		}
	}
	return machines
}

func (paths) predict(r *Rule, decisions []float64, to *Prediction) {
	to.Class, to.Scores = descend(r.Nodes(), len(r.Classes), decisions)
}

// Nodes returns the inner nodes of a rule whose classes were checked, none without a hierarchy.
func (d *Rule) Nodes() []dataset.Node {
	if d.nodes != nil || d.Separator == "" {
		return d.nodes
	}
	nodes, _ := dataset.Nodes(d.Classes, d.Separator)
	return nodes
}

// prepared returns a rule that passes Check, for many predictions: the nodes of a hierarchy are found once.
func (d Rule) prepared() Rule {
	d.nodes = d.Nodes()
	return d
}

// Decider returns a function that turns decision values of the machines, f(x) − Rho, into a prediction, which may keep
// the slice. It serves many predictions, from several goroutines too.
func (d Rule) Decider() func(decisions []float64, to *Prediction) {
	d = d.prepared()
	return d.predict
}

// descend walks down from the root, at each node to the child with the greatest decision value, and returns the class
// where it ends. The score of every class is the least decision value on its way.
func descend(nodes []dataset.Node, classes int, decisions []float64) (class int, scores []float64) {
	scores = slices.Repeat([]float64{math.Inf(1)}, classes)
	lo, hi := 0, classes
	for _, n := range nodes {
		of := childDecisions(&n, decisions)
		for k, v := range of {
			for c := n.Starts[k]; c < n.Starts[k+1]; c++ {
				scores[c] = min(scores[c], v)
			}
		}
		if n.Starts[0] == lo && n.Starts[n.Children()] == hi {
			k := strongest.Index(of)
			lo, hi = n.Starts[k], n.Starts[k+1]
		}
	}
	return lo, scores
}

// childDecisions returns the decision values of a node's children.
func childDecisions(n *dataset.Node, all []float64) []float64 {
	if n.Children() == 2 {
		return []float64{-all[n.First], all[n.First]}
	}
	return all[n.First : n.First+n.Children()]
}

// terms says which machines decide on the way to a class, and in which sense.
func (paths) terms(r *Rule, class int) (terms []Term) {
	for _, n := range r.Nodes() {
		switch k := n.Of(class); {
		case k < 0:
		case n.Children() == 2:
			terms = append(terms, Term{n.First, float64(2*k - 1)})
		default:
			terms = append(terms, Term{n.First + k, 1})
		}
	}
	return terms
}

// score returns the least decision value on the way to the class.
func (paths) score(terms []Term, decisions []float64) float64 {
	least := math.Inf(1)
	for i, t := range terms {
		least = min(least, float64(t.Sign*decisions[i]))
	}
	return 0 + least // 0, not −0
}

// machineName has the number of the machine, since those of several nodes may be for the same class.
func (s paths) machineName(r *Rule, m int) string {
	return s.perClass.machineName(r, m) + " " + strconv.Itoa(m+1)
}
