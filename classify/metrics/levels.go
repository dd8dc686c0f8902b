package metrics

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
)

// LevelScalars are the metrics of labels that are paths in a hierarchy: those of whole paths as classes, and the accuracy of each level as [LevelAccuracies] has it.
type LevelScalars struct {
	Scalars
	Levels []Float `json:"accuracy_by_level"` // from the first name of the labels
}

// Levels returns the number of names of the longest class.
func Levels(classes []string, separator string) (levels int) {
	for _, class := range classes {
		levels = max(levels, strings.Count(class, separator)+1)
	}
	return levels
}

// LevelName is what the accuracy of a level, counted from 0, is called: accuracy_level_1 is that of the first names.
func LevelName(level int) string { return "accuracy_level_" + strconv.Itoa(level+1) }

// Names returns ScalarNames and a LevelName per level.
func (s LevelScalars) Names() []string {
	names := ScalarNames()
	for level := range s.Levels {
		names = append(names, LevelName(level))
	}
	return names
}

// Values returns the metrics in the order of Names.
func (s LevelScalars) Values() []float64 {
	return valuesOf(s.fields())
}

// LevelReport is a Report on labels that are paths in a hierarchy.
type LevelReport struct {
	Report
	Levels []Float `json:"accuracy_by_level"` // from the first name of the labels
}

// LevelScalars returns the metrics that are single numbers.
func (r LevelReport) LevelScalars() LevelScalars { return LevelScalars{r.Scalars, r.Levels} }

// Names returns those of the LevelScalars.
func (r LevelReport) Names() []string { return r.LevelScalars().Names() }

// Values returns those of the LevelScalars.
func (r LevelReport) Values() []float64 { return r.LevelScalars().Values() }

// LevelMeanSD is [MeanSD] of reports on one hierarchy.
func LevelMeanSD(reports []LevelReport) (mean, sd LevelScalars) {
	values := make([][]float64, len(reports))
	for r := range reports {
		values[r] = reports[r].Values()
	}
	if len(reports) > 0 {
		levels := len(reports[0].Levels)
		mean.Levels, sd.Levels = make([]Float, levels), make([]Float, levels)
	}
	summarise(mean.fields(), sd.fields(), values)
	return mean, sd
}

// fields returns the metrics in the order of Names.
func (s *LevelScalars) fields() []*Float {
	scalars := s.Scalars.fields()
	fields := scalars[:]
	for level := range s.Levels {
		fields = append(fields, &s.Levels[level])
	}
	return fields
}

// LevelAccuracies returns, for level 1, 2, … of labels that are paths in a hierarchy, the share of records whose path is predicted right down to that level, among those
// whose true path is as long. truth and predicted are indices into classes, one per record; the separator stands between the names of a path. The result
// has as many levels as the longest class, NaN where no true path is that long. With all paths of one length the last one is the accuracy.
func LevelAccuracies(classes []string, separator string, truth, predicted []int) ([]Float, error) {
	if len(truth) == 0 || len(predicted) != len(truth) {
		return nil, fmt.Errorf("metrics: predictions for %d of %d records, want as many, and one at least", len(predicted), len(truth))
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
			return nil, fmt.Errorf("metrics: record %d: class indices %d and %d, want 0 to %d", i, t, predicted[i], len(classes)-1)
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
