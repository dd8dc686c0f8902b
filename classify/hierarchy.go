package classify

import (
	"cmp"
	"errors"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/seqsvm/seqsvm/classify/metrics"
	"github.com/seqsvm/seqsvm/classify/svm"
	"github.com/seqsvm/seqsvm/internal/strongest"
)

// mostLevels is how deep a hierarchy may be.
const mostLevels = 64

// inner is a node of a hierarchy with two children or more. Classes are in the order of their labels, in which those
// below a node follow one another: the children are the ranges from one start to the next. A child of
// one class is a leaf; any other is an inner node, down to which nodes of one child are skipped.
type inner struct {
	starts []int // of the children, and the end of the last
	first  int   // index of the first of its machines
}

func (n *inner) children() int { return len(n.starts) - 1 }

// machines returns how many machines decide between the children: one between two, else one per child.
func (n *inner) machines() int {
	if n.children() == 2 {
		return 1
	}
	return n.children()
}

// of returns the child that a class is below, −1 if it is not below the node.
func (n *inner) of(class int) int {
	k, first := slices.BinarySearch(n.starts, class)
	if !first {
		k--
	}
	if k == n.children() {
		return -1
	}
	return k
}

// labelError is about the label of a class.
type labelError struct {
	class int
	err   error
}

func (e *labelError) Error() string { return "classify: " + e.err.Error() }

// innerNodes returns the inner nodes of the hierarchy that labels span, each before those below it, so that the first
// is the root. Every label has to be a leaf, and to consist of one or more names with separators between them.
func innerNodes(classes []string, separator string) ([]inner, error) {
	if separator == "" {
		return nil, fmt.Errorf("classify: no separator of a hierarchy")
	}
	paths := make([][]string, len(classes))
	for c, class := range classes {
		if strings.Count(class, separator) >= mostLevels {
			return nil, &labelError{c, fmt.Errorf("label %.80q has more than %d levels", class, mostLevels)}
		}
		paths[c] = strings.Split(class, separator)
		for _, name := range paths[c] {
			if name == "" {
				return nil, &labelError{c, fmt.Errorf("label %.80q has an empty level, want names separated by %q",
					class, separator)}
			}
		}
	}
	var nodes []inner
	machines := 0
	// add adds the nodes of the classes lo … hi − 1, which have their first names up to level in common.
	var add func(lo, hi, level int) error
	add = func(lo, hi, level int) error {
		if hi-lo == 1 {
			return nil
		}
		var starts []int
		children := map[string]bool{}
		for c := lo; c < hi; c++ {
			if len(paths[c]) == level {
				other := lo
				if other == c {
					other++
				}
				return &labelError{c, fmt.Errorf("label %.80q is an inner node of the hierarchy, above %.80q; labels "+
					"must be leaves", classes[c], classes[other])}
			}
			if name := paths[c][level]; c == lo || name != paths[c-1][level] {
				if children[name] {
					return fmt.Errorf("classify: the classes below %.80q are not consecutive", name)
				}
				children[name] = true
				starts = append(starts, c)
			}
		}
		starts = append(starts, hi)
		if node := (inner{starts, machines}); node.children() > 1 {
			machines += node.machines()
			nodes = append(nodes, node)
		}
		for k, from := range starts[:len(starts)-1] {
			if err := add(from, starts[k+1], level+1); err != nil {
				return err
			}
		}
		return nil
	}
	err := add(0, len(classes), 0)
	return nodes, err
}

// SetHierarchy makes a hierarchy of the classes: labels are paths with separators between their names, sport/hockey. A
// [Trainer] then trains a classifier for the children of each node, on the records below it. A label that cannot be in
// one is a [stringkernel.RecordError] about the first record that has it.
func (d *Dataset) SetHierarchy(separator string) error {
	if d.LabelSets != nil {
		return fmt.Errorf("classify: a hierarchy of records with several labels")
	}
	_, err := innerNodes(d.Classes, separator)
	if of := new(labelError); errors.As(err, &of) && d.Corpus != nil {
		return recordError(d.Corpus, slices.Index(d.Y, of.class), "%w", of.err)
	}
	if err != nil {
		return err
	}
	d.Hierarchy = separator
	return nil
}

// Hierarchy is the scheme of [Dataset.SetHierarchy]: machines between the children of each node, on the records below
// it.
const Hierarchy = "hierarchy"

type hierarchy struct{ perClass }

func (hierarchy) labelling() Labelling { return LabelPaths }

func (hierarchy) count(r *Rule) (machines int, err error) {
	nodes, err := innerNodes(r.Classes, r.Separator)
	for _, n := range nodes {
		machines += n.machines()
	}
	return machines, err
}

// binaries lists the machines node by node. A machine speaks for the classes of a child, of which Positive is the
// first; with two children one machine speaks for the second against the first.
func (hierarchy) binaries(r *Rule) (machines []Binary) {
	for _, n := range r.inner() {
		if n.children() == 2 {
			machines = append(machines, Binary{Positive: n.starts[1], Negative: n.starts[0]})
			continue
		}
		for _, start := range n.starts[:n.children()] {
			machines = append(machines, Binary{Positive: start, Negative: Rest})
		}
	}
	return machines
}

func (hierarchy) check(t Trainer) error {
	_, perNode := t.multiclass().scheme.(nodeScheme)
	names := schemeNames(func(s scheme) bool { _, ok := s.(nodeScheme); return ok })
	allowed := strings.Join(names[:len(names)-1], ", ") + " or " + names[len(names)-1]
	return cmp.Or(
		svm.CheckOption(perNode, "Multiclass", t.Multiclass, "%s in a hierarchy", allowed),
		svm.CheckOption(!t.Probability, "Probability", true, "false in a hierarchy"))
}

// plan lists the jobs of each node on the records below it.
func (hierarchy) plan(t Trainer, p *plan, d *Dataset, rows []int) {
	for _, n := range p.rule.inner() {
		var index, y []int
		counts := make([]int, n.children())
		each(d.Len(), rows, func(i int) {
			if k := n.of(d.Y[i]); k >= 0 {
				index, y = append(index, i), append(y, k)
				counts[k]++
			}
		})
		if n.children() == 2 {
			p.jobs = append(p.jobs, t.job(Binary{Positive: 1, Negative: 0}, index, y, counts))
		} else {
			p.jobs = append(p.jobs, t.multiclass().scheme.(nodeScheme).jobs(t, index, y, counts)...)
		}
	}
}

func (hierarchy) predict(r *Rule, decisions []float64, to *Prediction) {
	to.Class, to.Scores = descend(r.inner(), len(r.Classes), decisions)
}

// inner returns the inner nodes of a rule whose classes were checked, none without a hierarchy.
func (d *Rule) inner() []inner {
	if d.nodes != nil || d.Separator == "" {
		return d.nodes
	}
	nodes, _ := innerNodes(d.Classes, d.Separator)
	return nodes
}

// prepared returns a rule that passes Check, for many predictions: the nodes of a hierarchy are found once.
func (d Rule) prepared() Rule {
	d.nodes = d.inner()
	return d
}

// descend walks down from the root, at each node to the child with the greatest decision value, and returns the class
// where it ends. The score of every class is the least decision value on its way.
func descend(nodes []inner, classes int, decisions []float64) (class int, scores []float64) {
	scores = make([]float64, classes)
	for c := range scores {
		scores[c] = math.Inf(1)
	}
	lo, hi := 0, classes
	for _, n := range nodes {
		of := n.decisions(decisions)
		for k, v := range of {
			for c := n.starts[k]; c < n.starts[k+1]; c++ {
				scores[c] = min(scores[c], v)
			}
		}
		if n.starts[0] == lo && n.starts[n.children()] == hi {
			k := strongest.Index(of)
			lo, hi = n.starts[k], n.starts[k+1]
		}
	}
	return lo, scores
}

// decisions returns the decision values of a node's children.
func (n *inner) decisions(all []float64) []float64 {
	if n.children() == 2 {
		return []float64{-all[n.first], all[n.first]}
	}
	return all[n.first : n.first+n.children()]
}

// terms says which machines decide on the way to a class, and in which sense.
func (hierarchy) terms(r *Rule, class int) (terms []Term) {
	for _, n := range r.inner() {
		switch k := n.of(class); {
		case k < 0:
		case n.children() == 2:
			terms = append(terms, Term{n.first, float64(2*k - 1)})
		default:
			terms = append(terms, Term{n.first + k, 1})
		}
	}
	return terms
}

// score returns the least decision value on the way to the class.
func (hierarchy) score(terms []Term, decisions []float64) float64 {
	least := math.Inf(1)
	for i, t := range terms {
		least = min(least, float64(t.Sign*decisions[i]))
	}
	return 0 + least // 0, not −0
}

// machineName has the number of the machine, since those of several nodes may be for the same class.
func (s hierarchy) machineName(r *Rule, m int) string {
	return s.perClass.machineName(r, m) + " " + strconv.Itoa(m+1)
}

func (s hierarchy) metricNames(d *Dataset) []string {
	names := s.perClass.metricNames(d)
	for level := range metrics.Levels(d.Classes, d.Hierarchy) {
		names = append(names, metrics.LevelName(level))
	}
	return names
}

func (s hierarchy) measure(d *Dataset, records []int, tested []Prediction) (metrics.Report, error) {
	r, err := s.perClass.measure(d, records, tested)
	if err != nil {
		return r, err
	}
	predicted := make([]int, len(tested))
	for i, p := range tested {
		predicted[i] = p.Class
	}
	return r, r.AddLevels(d.Hierarchy, at(d.Y, records), predicted)
}
