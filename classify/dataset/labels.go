package dataset

import (
	"fmt"
	"slices"
	"strings"
)

// Labels collects the labels of records that are in no corpus, one of each record. The zero value has none.
type Labels struct {
	names  []string // in the order in which they were met
	number map[string]int
	y      []int // of each record, an index into names
}

// Add adds the label of the next record, which must not be empty.
func (l *Labels) Add(label string) {
	number, known := l.number[label]
	if !known {
		if l.number == nil {
			l.number = map[string]int{}
		}
		number, label = len(l.names), strings.Clone(label)
		l.names, l.number[label] = append(l.names, label), number
	}
	l.y = append(l.y, number)
}

// Len returns the number of records.
func (l *Labels) Len() int { return len(l.y) }

// Dataset returns the records as those of a data set without a corpus, for [classify.Trainer.TrainShards]. Labels must
// not be used afterwards. It takes 8 bytes per record.
func (l *Labels) Dataset() (*Dataset, error) {
	classes, number := indexClasses(l.names)
	if err := checkClasses(classes, len(l.y)); err != nil {
		return nil, err
	}
	for i, k := range l.y {
		l.y[i] = number[l.names[k]]
	}
	return &Dataset{Classes: classes, Y: slices.Clip(l.y), Positive: PositiveOf(classes)}, nil
}

// checkClasses returns an error unless the labels of n records can be classes: two or more, and, if they are many, at
// most half as many as records.
func checkClasses(classes []string, n int) error {
	switch {
	case n == 0:
		return fmt.Errorf("classify: no records")
	case n == 1:
		return fmt.Errorf("classify: one record, with label %.80q, want at least two classes", classes[0])
	case len(classes) < 2:
		return fmt.Errorf("classify: all %d records have label %.80q, want at least two classes", n, classes[0])
	case len(classes) > mostClasses && len(classes) > n/2:
		return fmt.Errorf("classify: %d classes for %d records, want at most half as many: "+
			"the labels look like identifiers or values", len(classes), n)
	}
	return nil
}
