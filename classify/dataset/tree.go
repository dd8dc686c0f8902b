package dataset

import (
	"errors"
	"fmt"
	"slices"
	"strings"
)

// mostLevels is how deep a hierarchy may be.
const mostLevels = 64

// Node is a node of a hierarchy with two children or more. Classes are in the order of their labels, in which those
// below a node follow one another: the children are the ranges from one start to the next. A child of
// one class is a leaf; any other is an inner node, down to which nodes of one child are skipped.
type Node struct {
	Starts []int // of the children, and the end of the last
	First  int   // index of the first of its machines
}

// Children returns their number.
func (n *Node) Children() int { return len(n.Starts) - 1 }

// Machines returns how many machines decide between the children: one between two, else one per child.
func (n *Node) Machines() int {
	if n.Children() == 2 {
		return 1
	}
	return n.Children()
}

// Of returns the child that a class is below, −1 if it is not below the node.
func (n *Node) Of(class int) int {
	k, first := slices.BinarySearch(n.Starts, class)
	if !first {
		k--
	}
	if k == n.Children() {
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

// Nodes returns the inner nodes of the hierarchy that labels span, each before those below it, so that the first
// is the root. Every label has to be a leaf, and to consist of one or more names with separators between them.
func Nodes(classes []string, separator string) ([]Node, error) {
	if separator == "" {
		return nil, fmt.Errorf("classify: no separator of a hierarchy")
	}
	paths := make([][]string, len(classes))
	for c, class := range classes {
		if strings.Count(class, separator) >= mostLevels {
			return nil, &labelError{c, fmt.Errorf("label %.80q has more than %d levels", class, mostLevels)}
		}
		paths[c] = strings.Split(class, separator)
		if slices.Contains(paths[c], "") {
			return nil, &labelError{c, fmt.Errorf("label %.80q has an empty level, want names separated by %q",
				class, separator)}
		}
	}
	var nodes []Node
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
		if node := (Node{starts, machines}); node.Children() > 1 {
			machines += node.Machines()
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
// [classify.Trainer] then trains a classifier for the children of each node, on the records below it. A label that
// cannot be in one is a [stringkernel.RecordError] about the first record that has it.
func (d *Dataset) SetHierarchy(separator string) error {
	if d.LabelSets != nil {
		return fmt.Errorf("classify: a hierarchy of records with several labels")
	}
	_, err := Nodes(d.Classes, separator)
	if of := new(labelError); errors.As(err, &of) && d.Corpus != nil {
		return recordError(d.Corpus, slices.Index(d.Y, of.class), "%w", of.err)
	}
	if err != nil {
		return err
	}
	d.Hierarchy = separator
	return nil
}
