package dataset

import (
	"fmt"
	"slices"

	"github.com/seqsvm/seqsvm/internal/plural"
	"github.com/seqsvm/seqsvm/internal/subset"
	"github.com/seqsvm/seqsvm/stringkernel"
)

// NewMultilabel is [New] for records with several labels each: one list per record, in any order. The
// list of a record that has none of the labels is empty; a label that is in it twice counts once; an empty label is an
// error.
//
// A [classify.Trainer] makes of such a data set a machine per class, for the records with the label against those
// without (binary relevance), and a threshold per machine ([classify.Trainer].Thresholds). Folds are stratified by the
// rarest label of each record; a class may be absent from the training part of a fold, and is then never predicted
// there.
func NewMultilabel(corpus *stringkernel.Corpus, labels [][]string, groups []string) (*Dataset, error) {
	if err := checkLabels(corpus, len(labels), groups); err != nil {
		return nil, err
	}
	n := corpus.Len()
	var all []string
	for i, names := range labels {
		if slices.Contains(names, "") {
			return nil, recordError(corpus, i, "an empty label")
		}
		all = append(all, names...)
	}
	classes, number := indexClasses(all)
	if len(classes) < 2 {
		return nil, fmt.Errorf("classify: the labels of %s are %s, want at least two classes", plural.Of(n, "record"),
			plural.Quoted(classes))
	}
	d := &Dataset{Corpus: corpus.WithClasses(nil), Classes: classes, Y: make([]int, n), LabelSets: make([][]int, n),
		Groups: groups, Positive: 1}
	for i, names := range labels {
		set := make([]int, len(names))
		for k, label := range names {
			set[k] = number[label]
		}
		slices.Sort(set)
		d.LabelSets[i] = slices.Compact(set)
	}
	d.stratifyByRarest()
	return d, nil
}

// stratifyByRarest makes the class of each record, by which folds are stratified, its rarest label.
func (d *Dataset) stratifyByRarest() {
	counts := d.LabelCounts(nil)
	for i, set := range d.LabelSets {
		for j, c := range set {
			if j == 0 || counts[c] < counts[d.Y[i]] {
				d.Y[i] = c
			}
		}
	}
}

// LabelCounts returns the number of records of rows (nil: all) with each label.
func (d *Dataset) LabelCounts(rows []int) []int {
	counts := make([]int, len(d.Classes))
	subset.Each(d.Len(), rows, func(i int) {
		for _, c := range d.LabelSets[i] {
			counts[c]++
		}
	})
	return counts
}
