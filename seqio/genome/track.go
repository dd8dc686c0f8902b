package genome

import (
	"cmp"
	"maps"
	"slices"
)

// Track collects values at positions of a genome, such as the contributions of records that were cut from it. Where
// records overlap, a position has the mean of its values. It takes 16 bytes per value. The zero value is empty.
type Track struct {
	points map[string][]point
}

// point is a value at a position.
type point struct {
	at    int
	value float64
}

// Add adds the values of letters start, start + 1, … (0-based) of a sequence; of the minus strand, where they are in
// the order of the strand that is read, the first value is that of the last letter.
func (t *Track) Add(seq string, start int, strand Strand, values []float64) {
	if t.points == nil {
		t.points = map[string][]point{}
	}
	points := t.points[seq]
	for i := range values {
		value := values[i]
		if strand == Minus {
			value = values[len(values)-1-i]
		}
		points = append(points, point{start + i, value})
	}
	t.points[seq] = points
}

// Sequences returns the names of the sequences that have a value, sorted.
func (t *Track) Sequences() []string { return slices.Sorted(maps.Keys(t.points)) }

// Each calls visit with the value of each position of a sequence that has one, in order, and returns its first error.
func (t *Track) Each(seq string, visit func(at int, value float64) error) error {
	points := t.points[seq]
	slices.SortStableFunc(points, func(a, b point) int { return cmp.Compare(a.at, b.at) }) // sums keep their order
	for len(points) > 0 {
		n, sum := 0, 0.0
		for n < len(points) && points[n].at == points[0].at {
			sum += points[n].value
			n++
		}
		if err := visit(points[0].at, sum/float64(n)); err != nil {
			return err
		}
		points = points[n:]
	}
	return nil
}
