package metrics

// Agreement says how well clusters agree with classes.
type Agreement struct {
	// AdjustedRand is the Rand index, the share of pairs of records that both put together or both put apart, moved and
	// scaled so that random clusters of these sizes have 0 on average and equal divisions 1 (L. Hubert, P. Arabie,
	// Journal of Classification 2, 1985, doi:10.1007/BF01908075). 1 if both are trivial alike: one group, or one per
	// record.
	AdjustedRand float64
	// Purity is the share of records whose class is the most frequent one of their cluster. It grows with the number of
	// clusters.
	Purity float64
}

// Agree compares clusters with classes: those of record i are clusters[i] and classes[i], by any names. There is at
// least one record.
func Agree[A, B comparable](clusters []A, classes []B) Agreement {
	type cell struct {
		cluster A
		class   B
	}
	both, rows, columns := map[cell]int{}, map[A]int{}, map[B]int{}
	for i, c := range clusters {
		both[cell{c, classes[i]}]++
		rows[c]++
		columns[classes[i]]++
	}
	most := map[A]int{}
	together, inRows, inColumns := 0.0, 0.0, 0.0 // pairs: whole numbers, whose sums do not depend on their order
	for at, count := range both {
		most[at.cluster] = max(most[at.cluster], count)
		together += pairs(count)
	}
	for _, count := range rows {
		inRows += pairs(count)
	}
	for _, count := range columns {
		inColumns += pairs(count)
	}
	pure := 0
	for _, count := range most {
		pure += count
	}
	a := Agreement{AdjustedRand: 1, Purity: float64(pure) / float64(len(clusters))}
	if all := pairs(len(clusters)); inRows != inColumns || inRows != 0 && inRows != all {
		expected := float64(inRows*inColumns) / all
		a.AdjustedRand = (together - expected) / (float64((inRows+inColumns)/2) - expected)
	}
	return a
}

// pairs returns the number of pairs of n records.
func pairs(n int) float64 { return float64(n) * float64(n-1) / 2 }
