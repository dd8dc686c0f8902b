package metrics

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
)

// Levels returns the number of names of the longest class.
func Levels(classes []string, separator string) (levels int) {
	for _, class := range classes {
		levels = max(levels, strings.Count(class, separator)+1)
	}
	return levels
}

// LevelName returns the name of the metric that is the accuracy of a level, counted from 0: accuracy_level_1 is that of
// the first names.
func LevelName(level int) string { return "accuracy_level_" + strconv.Itoa(level+1) }

// LevelAccuracies returns, for level 1, 2, … of labels that are paths in a hierarchy, the share of records whose path
// is predicted right down to that level, among those whose true path is as long. truth and predicted are indices into
// classes, one per record; the names of a path are joined by the separator. The result has as many levels as the
// longest class, NaN where no true path is that long. With all paths of one length the last one is the accuracy.
func LevelAccuracies(classes []string, separator string, truth, predicted []int) ([]Float, error) {
	if len(truth) == 0 || len(predicted) != len(truth) {
		return nil, fmt.Errorf("metrics: %d predictions for %d records, want one per record and at least one record",
			len(predicted), len(truth))
	}
	if separator == "" {
		return nil, fmt.Errorf("metrics: no separator of a hierarchy")
	}
	paths, levels := make([][]string, len(classes)), Levels(classes, separator)
	for c, class := range classes {
		paths[c] = strings.Split(class, separator)
	}
	right, all := make([]int, levels), make([]int, levels)
	for i, t := range truth {
		if t < 0 || t >= len(classes) || predicted[i] < 0 || predicted[i] >= len(classes) {
			return nil, fmt.Errorf("metrics: record %d: class indices %d and %d, want 0 to %d", i, t,
				predicted[i], len(classes)-1)
		}
		want, got := paths[t], paths[predicted[i]]
		for level := range want {
			all[level]++
			if len(got) > level && slices.Equal(want[:level+1], got[:level+1]) {
				right[level]++
			}
		}
	}
	out := make([]Float, levels)
	for level := range out {
		out[level] = Float(float64(right[level]) / float64(all[level]))
	}
	return out, nil
}
