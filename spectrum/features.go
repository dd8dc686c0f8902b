package spectrum

import "github.com/seqsvm/seqsvm/stringkernel"

// FeatureRows returns the explicit rows of the plain kernel: its k-mers, or those that several sequences share where
// k-mers are sorted. The bounded kernel has none (nil): a position would have K features, and one look-up per position
// in a folded array is what makes that kernel fast. O(1).
func (g *gram) FeatureRows() stringkernel.FeatureRows {
	if len(g.parts) != 1 {
		return nil
	}
	f, ok := g.parts[0].(*flatPart)
	if !ok || f.weight != nil {
		return nil
	}
	return flatRows{f, len(g.diag)}
}

// flatRows are the rows of a flat part without weights, for n documents: counts of its features.
type flatRows struct {
	part *flatPart
	n    int
}

// Width returns the length of a scatter array.
func (r flatRows) Width() int { return r.part.inc.tableSize(r.part.features) }

// Scatter adds a times the counts of document i.
func (r flatRows) Scatter(t []float64, i int, a float64) { r.part.inc.scatter(t, i, a) }

// Gather sums the table over the occurrences in document i.
func (r flatRows) Gather(t []float64, i int) float64 { return r.part.inc.gather(t, i) }

// Own writes what k-mers of one sequence alone add to the diagonal.
func (r flatRows) Own(dst []float64) {
	clear(dst[:r.n])
	copy(dst, r.part.own)
}

// AppendRow lists the entries of document i: one per occurrence, or per distinct k-mer.
func (r flatRows) AppendRow(ids []uint32, values []float64, i int) ([]uint32, []float64) {
	lo, hi := r.part.inc.bounds(i)
	for e := lo; e < hi; e++ {
		feature, count := r.part.inc.entry(e)
		ids, values = append(ids, feature), append(values, float64(count))
	}
	return ids, values
}
