// Package gather reads tables of feature weights at lists of features: the inner loop of products K·v and of scores.
package gather

// Sum returns Σ table[i] over the places listed, in four interleaved sums, so that additions need not wait for each
// other. The order of the additions depends on the number of places only. It panics if a place is outside the table,
// which no 2-byte place is of an array.
func Sum[Table []float64 | *[1 << 16]float64, Place uint16 | uint32](table Table, places []Place) float64 {
	var s0, s1, s2, s3 float64
	for ; len(places) >= 4; places = places[4:] {
		s0 += table[places[0]]
		s1 += table[places[1]]
		s2 += table[places[2]]
		s3 += table[places[3]]
	}
	for _, p := range places {
		s0 += table[p]
	}
	return (s0 + s1) + (s2 + s3)
}
