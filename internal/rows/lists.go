package rows

import (
	"encoding/binary"
	"fmt"
	"math"
	"sync"

	"github.com/seqsvm/seqsvm/internal/ends"
	"github.com/seqsvm/seqsvm/internal/scratch"
	"github.com/seqsvm/seqsvm/internal/stored"
	"github.com/seqsvm/seqsvm/stringkernel"
)

// listWeights are weights in less memory than a table: only common features have a number for each output. A rare
// feature, which few support vectors have, has a list of these, with its values there: most words and nearly all pairs
// are in one text or two. Its weights are summed up when they are asked for, to the bits they would have in a table.
type listWeights struct {
	coef    *stringkernel.Coefficients
	ends    []uint32  // ends[node] is one past the places of a feature
	places  []uint32  // a support vector with the feature, or common and the row of its weights, the only place then
	values  []float64 // of the feature in that support vector; 0 for a row
	rows    []float64 // weights of common features
	sums    sync.Pool // *[]float64, weights of a rare feature
	outputs int
}

// common marks the place of a row.
const common = 1 << 31

// Names of the arrays of listWeights.
const (
	rowsName   = "rows"
	placesName = "lists"
	valuesName = "values"
)

// leastListed is the least number of weights in a table that lists may replace.
const leastListed = 1 << 21

// newListWeights returns the weights of support vectors, given the rows of features; nil where a table is not much
// larger.
func newListWeights(features int, row func(i int) ([]uint32, []float64), c *stringkernel.Coefficients) *listWeights {
	if features*c.Outputs < leastListed || c.Len() >= common {
		return nil
	}
	counts := make([]uint32, features)
	for i := range c.Len() {
		ids, _ := row(i)
		for _, id := range ids {
			counts[id]++
		}
	}
	w := &listWeights{coef: c, outputs: c.Outputs}
	if !w.place(counts, mostListed(c)) {
		return nil
	}
	next := counts // as place has left them
	for i := range c.Len() {
		ids, values := row(i)
		outputs, coef := c.Row(i)
		for e, id := range ids {
			at, value := next[id], values[e]
			if at&common == 0 {
				w.places[at], w.values[at] = uint32(i), value
				next[id]++
				continue
			}
			sums := w.rowAt(at)
			for u, m := range outputs {
				sums[m] += float64(coef[u] * value)
			}
		}
	}
	return w
}

// mostListed returns how many support vectors a rare feature may have: so many that they take less than half the memory
// of its weights, and that summing these up takes at most twice the steps of reading them.
func mostListed(c *stringkernel.Coefficients) uint32 {
	const entryBytes = 12
	bytes := 8 * c.Outputs / (2 * entryBytes)
	steps := 2 * c.Outputs * c.Len() / max(1, len(c.Values))
	return uint32(min(bytes, steps))
}

// place makes room for the places of rare features and the rows of common ones, which more than most support vectors
// have; counts tells how many have each feature. It reports whether that takes less than half the memory of a table. If
// so, counts has for each common feature the bit common and its row, and for each rare one where its next support
// vector goes.
func (w *listWeights) place(counts []uint32, most uint32) bool {
	rows, places := 0, 0
	for _, count := range counts {
		if count > most {
			rows++
			places++
		} else {
			places += int(count)
		}
	}
	if 2*(8*rows*w.outputs+12*places) > 8*len(counts)*w.outputs || places >= common {
		return false
	}
	w.ends, w.places = make([]uint32, len(counts)), make([]uint32, places)
	w.values, w.rows = make([]float64, places), make([]float64, rows*w.outputs)
	at, row := uint32(0), uint32(0)
	for id, count := range counts {
		counts[id] = at
		if count > most {
			counts[id] = common | row
			w.places[at] = common | row
			row++
			count = 1
		}
		at += count
		w.ends[id] = at
	}
	return true
}

// row returns the weights of a common feature, nil for a rare one.
func (w *listWeights) row(id int32) []float64 {
	lo, hi := ends.Bounds(w.ends, int(id))
	if lo == hi || w.places[lo]&common == 0 {
		return nil
	}
	return w.rowAt(w.places[lo])
}

// rowAt returns the weights at the place of a common feature.
func (w *listWeights) rowAt(place uint32) []float64 {
	at := int(place&^common) * w.outputs
	return w.rows[at : at+w.outputs]
}

func (w *listWeights) addTo(dst []float64, id int32, value float64) {
	weights := w.row(id)
	if weights == nil {
		sums := scratch.Borrow(&w.sums, w.outputs)
		defer w.sums.Put(sums)
		clear(*sums)
		lo, hi := ends.Bounds(w.ends, int(id))
		for at := lo; at < hi; at++ {
			w.coef.AddTo(*sums, int(w.places[at]), w.values[at])
		}
		weights = *sums
	}
	for m, weight := range weights {
		dst[m] += float64(value * weight)
	}
}

// arrays returns the weights as flat arrays, besides those of the coefficients: "rows" ([]float64, the weights of
// common features, in order), "lists" ([]uint8: of each feature 0 if it is common, else 1 more than its number of
// support vectors, and then for each its number less that of the one before, the first less 0, and 1 if the value there
// is not that of one occurrence, as unsigned varints) and "values" ([]float64, those that are not).
func (w *listWeights) arrays(f Features) []stringkernel.Array {
	lists, values := make([]uint8, 0, len(w.ends)+3*len(w.places)), []float64{}
	for id := range w.ends {
		lo, hi := ends.Bounds(w.ends, id)
		if w.row(int32(id)) != nil {
			lists = append(lists, 0)
			continue
		}
		lists = binary.AppendUvarint(lists, uint64(hi-lo)+1)
		before := uint32(0)
		for at := lo; at < hi; at++ {
			lists = binary.AppendUvarint(lists, uint64(w.places[at]-before))
			before = w.places[at]
			if w.values[at] == f.Worth(int32(id)) {
				lists = append(lists, 0)
			} else {
				lists, values = append(lists, 1), append(values, w.values[at])
			}
		}
	}
	return append(stored.Sparse(w.coef), stringkernel.Array{Name: rowsName, Data: w.rows},
		stringkernel.Array{Name: placesName, Data: lists}, stringkernel.Array{Name: valuesName, Data: values})
}

// restoreLists rebuilds weights of features from their arrays.
func restoreLists(a *stored.Arrays, f Features) (*listWeights, error) {
	w := &listWeights{coef: a.Sparse()}
	w.outputs = w.coef.Outputs
	lists := stored.Varints(stored.Get[uint8](a, placesName, math.MaxUint32))
	w.values = make([]float64, 0, len(lists)/2)
	w.places = make([]uint32, 0, len(lists)/2)
	values := a.Table(valuesName, -1, 1)
	rows, err := w.restorePlaces(f, lists, values)
	w.rows = a.Table(rowsName, rows, w.outputs)
	if err := a.Close(); err != nil {
		return nil, err
	}
	return w, err
}

// restorePlaces reads the places of all features and their values, and returns the number of rows.
func (w *listWeights) restorePlaces(f Features, lists stored.Varints, values []float64) (rows int, err error) {
	w.ends = make([]uint32, f.Len())
	for id := range w.ends {
		count := lists.Next()
		if count == 0 {
			w.places, w.values = append(w.places, common|uint32(rows)), append(w.values, 0)
			rows++
		}
		doc := uint64(0)
		for ; count > 1; count-- {
			value := f.Worth(int32(id))
			doc += min(lists.Next(), common)
			if other := lists.Next(); other > 0 && len(values) > 0 {
				value, values = values[0], values[1:]
			} else if other > 0 {
				return rows, fmt.Errorf("array %q: the value of feature %d is not there", valuesName, id)
			}
			if doc >= uint64(min(w.coef.Len(), common)) {
				return rows, fmt.Errorf("array %q: feature %d is in support vector %d of %d",
					placesName, id, doc, w.coef.Len())
			}
			w.places, w.values = append(w.places, uint32(doc)), append(w.values, value)
		}
		w.ends[id] = uint32(len(w.places))
	}
	if len(lists) > 0 || len(values) > 0 {
		return rows, fmt.Errorf("array %q: %d bytes and %d values are left", placesName, len(lists), len(values))
	}
	return rows, nil
}
