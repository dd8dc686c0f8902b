package treekernel

import (
	"bytes"
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/seqsvm/seqsvm/treekernel/bracket"
)

// Labels selects what a kernel sees of a tree's labels, order and depth: the coarsening that every kernel of this
// package offers. The zero value leaves trees as they are. The steps are, in this order: nodes that are too deep are
// cut off; labels are shortened; labels that do not count become the empty label, so that they are all equal; children
// are sorted.
type Labels struct {
	Unordered bool     `json:"unordered,omitempty" doc:"the order of children means nothing"`
	Cut       int      `json:"cut,omitempty" doc:"cut off nodes below this many levels from the root; 0 keeps all"`
	Levels    int      `json:"levels,omitempty" doc:"blank labels below this many levels from the root; 0: none"`
	After     string   `json:"after,omitempty" doc:"of a label only what follows the first of these characters counts: LEX##how with after=## is how"`
	Before    string   `json:"before,omitempty" doc:"of a label only what precedes the last of these characters counts: how::w with before=:: is how"`
	Keep      []string `json:"keep,omitempty" doc:"labels and prefixes* that count, in full: nodes with others have no label; with colons between, or @FILE with one per line"`
}

// check returns an error that names the first field out of range.
func (l *Labels) check() error {
	switch {
	case l.Cut < 0 || l.Cut > math.MaxInt32:
		return fmt.Errorf("cut = %d, want a number of levels, or 0 for all", l.Cut)
	case l.Levels < 0 || l.Levels > math.MaxInt32:
		return fmt.Errorf("levels = %d, want a number of levels, or 0 for all", l.Levels)
	case slices.Contains(l.Keep, ""):
		return fmt.Errorf("keep has an empty label, want labels or prefixes*")
	}
	return nil
}

// form maps a label to its part that counts. It is immutable.
type form struct {
	after, before []byte
	all           bool // all labels count
	kept          map[string]bool
	prefixes      [][]byte
}

// form returns the form of l for escaped labels, as they are in records.
func (l *Labels) form() *form {
	f := &form{after: bracket.Escape(nil, l.After), before: bracket.Escape(nil, l.Before), all: len(l.Keep) == 0}
	for _, label := range l.Keep {
		if prefix, open := strings.CutSuffix(label, "*"); open {
			f.prefixes = append(f.prefixes, bracket.Escape(nil, prefix))
			continue
		}
		if f.kept == nil {
			f.kept = make(map[string]bool)
		}
		f.kept[string(bracket.Escape(nil, label))] = true
	}
	return f
}

// of returns the part of a label that counts, a subslice; empty if the label does not count.
func (f *form) of(label []byte) []byte {
	if !f.all && !f.counts(label) {
		return nil
	}
	lo, hi := bracket.Between(label, f.after, f.before)
	return label[lo:hi]
}

func (f *form) counts(label []byte) bool {
	if f.kept[string(label)] {
		return true
	}
	return slices.ContainsFunc(f.prefixes, func(p []byte) bool { return bytes.HasPrefix(label, p) })
}
