package poim

import (
	"cmp"
	"math"
	"slices"
)

// Importance is an entry of a matrix.
type Importance struct {
	Position int // 0-based, of the k-mer's first letter
	Number   int // of the k-mer, see [Matrices.Word]
	Value    float64
}

// compare orders importances by absolute value, the largest first, then by position and k-mer.
func (a Importance) compare(b Importance) int {
	return cmp.Or(
		cmp.Compare(math.Abs(b.Value), math.Abs(a.Value)),
		cmp.Compare(a.Position, b.Position), cmp.Compare(a.Number, b.Number))
}

// Strongest returns the n importances of k-mers, or all if there are fewer, with the largest absolute values, the
// largest first; equal ones by position and k-mer. O(values·log n).
func (m *Matrices) Strongest(k, n int) []Importance {
	var kept []Importance // up to 2n, of which the first n in order are returned
	for position := range m.window - k + 1 {
		for number, value := range m.Row(k, position) {
			kept = append(kept, Importance{position, number, value})
			if len(kept) == 2*n {
				slices.SortFunc(kept, Importance.compare)
				kept = kept[:n]
			}
		}
	}
	slices.SortFunc(kept, Importance.compare)
	return kept[:min(n, len(kept))]
}

// Maxima returns the importance of the largest absolute value among the k-mers, at each position 0 … L − k.
func (m *Matrices) Maxima(k int) []Importance {
	all := make([]Importance, m.window-k+1)
	for position := range all {
		best := Importance{Position: position}
		for number, value := range m.Row(k, position) {
			if math.Abs(value) > math.Abs(best.Value) {
				best.Number, best.Value = number, value
			}
		}
		all[position] = best
	}
	return all
}

// Differential returns, by position 0 … L − k, by how much the maximum of k-mers exceeds those of the two (k−1)-mers
// within: the differential importance of Sonnenburg et al. It shows where a motif is and how long, whereas the maxima
// alone grow with the length. For k = 1 it is the maximum itself.
func (m *Matrices) Differential(k int) []float64 {
	var shorter []Importance
	if k > 1 {
		shorter = m.Maxima(k - 1)
	}
	differences := make([]float64, m.window-k+1)
	for i, best := range m.Maxima(k) {
		differences[i] = math.Abs(best.Value)
		if k > 1 {
			differences[i] -= max(math.Abs(shorter[i].Value), math.Abs(shorter[i+1].Value))
		}
	}
	return differences
}
