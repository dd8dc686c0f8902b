package rows

import (
	"context"
	"fmt"
	"math"
	"sort"

	"github.com/seqsvm/seqsvm/internal/cancel"
	"github.com/seqsvm/seqsvm/internal/countof"
	"github.com/seqsvm/seqsvm/internal/memory"
	"github.com/seqsvm/seqsvm/stringkernel"
)

// Occurrences numbers the occurrences of features, where rows have counts and a function that is not separable is to be
// the inner product: see [countof.Occurrences]. The first occurrence of a feature has the number of the feature, and
// the others come after all features.
type Occurrences struct {
	of   countof.Occurrences
	ends []uint32 // ends[id] is the number after the last of feature id
}

// mostOccurrences bounds their numbers.
const mostOccurrences = math.MaxInt32 - 1

// NewOccurrences numbers those of n rows of counts of features.
func NewOccurrences(
	f stringkernel.Count, features, n int, row func(i int) (ids []uint32, counts []float64),
) (*Occurrences, error) {
	most := make([]int32, features)
	for i := range n {
		ids, counts := row(i)
		for e, id := range ids {
			most[id] = max(most[id], int32(counts[e]))
		}
	}
	o := &Occurrences{of: countof.OccurrencesOf(f)}
	for id, count := range most {
		most[id] = int32(o.of.Number(int(count)))
	}
	return o, o.number(most)
}

// RestoreOccurrences numbers as many occurrences of each feature as [Occurrences.Counts] has.
func RestoreOccurrences(f stringkernel.Count, counts []int32) (*Occurrences, error) {
	for id, count := range counts {
		if count < 0 {
			return nil, fmt.Errorf("%d occurrences of feature %d, want 0 or more", count, id)
		}
	}
	o := &Occurrences{of: countof.OccurrencesOf(f)}
	return o, o.number(counts)
}

func (o *Occurrences) number(counts []int32) error {
	o.ends = make([]uint32, len(counts))
	end := len(counts)
	for id, count := range counts {
		if end += int(max(0, count-1)); end > mostOccurrences {
			return fmt.Errorf("more than %d occurrences of features", mostOccurrences)
		}
		o.ends[id] = uint32(end)
	}
	return nil
}

// Counts returns how many occurrences of each feature have a number: 1 of one that occurs nowhere.
func (o *Occurrences) Counts() []int32 {
	counts, before := make([]int32, len(o.ends)), uint32(len(o.ends))
	for id, end := range o.ends {
		counts[id], before = int32(end-before)+1, end
	}
	return counts
}

// Width returns how many numbers there are.
func (o *Occurrences) Width() int {
	if len(o.ends) == 0 {
		return 0
	}
	return int(o.ends[len(o.ends)-1])
}

// Each calls visit with the number and the value of each occurrence of a feature with a count, as far as they have
// numbers.
func (o *Occurrences) Each(id uint32, count float64, visit func(number uint32, value float64)) {
	if count == 0 {
		return
	}
	next := uint32(len(o.ends))
	if id > 0 {
		next = o.ends[id-1]
	}
	values := o.of.Values(int(count), 1+int(o.ends[id]-next))
	visit(id, values[0])
	for _, value := range values[1:] {
		visit(next, value)
		next++
	}
}

// Row returns a function that gives the occurrences of a row of counts, until it is called again.
func (o *Occurrences) Row(counts func(i int) ([]uint32, []float64)) func(i int) (numbers []uint32, values []float64) {
	var numbers []uint32
	var values []float64
	return func(i int) ([]uint32, []float64) {
		numbers, values = numbers[:0], values[:0]
		ids, counts := counts(i)
		for e, id := range ids {
			o.Each(id, counts[e], func(number uint32, value float64) {
				numbers, values = append(numbers, number), append(values, value)
			})
		}
		return numbers, values
	}
}

// Rows returns the occurrences of rows of counts. O(occurrences).
func (o *Occurrences) Rows(ctx context.Context, counts *Rows) (*Rows, error) {
	bounds, entries := make([]int, counts.Len()), 0
	for i := range bounds {
		_, of := counts.Row(i)
		for _, count := range of {
			entries += o.of.Number(int(count))
		}
		bounds[i] = entries
	}
	if err := memory.Check(12 * float64(entries)); err != nil {
		return nil, fmt.Errorf("%d occurrences of features in records need %w", entries, err)
	}
	return CollectWithin(ctx, bounds, o.Width(), func(all *Rows, lo, hi int) {
		row := o.Row(counts.Row)
		for i := lo; i < hi; i++ {
			cancel.Check(ctx)
			all.AddRow(row(i))
			all.End()
		}
	}), nil
}

// Feature returns the feature of which a number is an occurrence.
func (o *Occurrences) Feature(number int32) (id int32) {
	if int(number) < len(o.ends) {
		return number
	}
	return int32(sort.Search(len(o.ends), func(id int) bool { return o.ends[id] > uint32(number) }))
}
