package spectrum

import (
	"sync"

	"github.com/seqsvm/seqsvm/internal/parallel"
	"github.com/seqsvm/seqsvm/internal/scratch"
)

// A scatter is divided into parts, each of which adds its documents' coefficients to a table of its own; then each word
// is summed over the tables, in order of the parts. Their number depends on the data alone, and so do the bits.
const (
	mostParts     = 16
	entriesPerSum = 40 // a part has so many entries for each word at least: adding its table takes a fiftieth of its time
)

// scatterParts returns the number of parts for a scatter to so many features.
func scatterParts(entries, features int) int {
	return max(1, min(mostParts, entries/(entriesPerSum*max(features, 1))))
}

// scatterAll adds v to the features of all documents in t, of which the first so many are in use.
func (c *incidence) scatterAll(t, v []float64, features int, pool *sync.Pool) {
	parts := scatterParts(c.len(), features)
	if parts == 1 {
		c.scatterRange(t, v, 0, len(v))
		return
	}
	tables := make([]*[]float64, parts)
	cuts := c.cut(parts)
	parallel.Each(parts, func(p int) {
		table := scratch.Borrow(pool, len(t))
		clear((*table)[:features])
		c.scatterRange(*table, v, cuts[p], cuts[p+1])
		tables[p] = table
	})
	parallel.For(features, func(lo, hi int) {
		for _, table := range tables {
			from := (*table)[lo:hi]
			for i := range t[lo:hi] {
				t[lo+i] += from[i]
			}
		}
	})
	for _, table := range tables {
		pool.Put(table)
	}
}

// scatterRange adds v to the features of the documents lo…hi−1.
func (c *incidence) scatterRange(t, v []float64, lo, hi int) {
	for j := lo; j < hi; j++ {
		if v[j] != 0 {
			c.scatter(t, j, v[j])
		}
	}
}

// cut divides the documents into parts with about as many entries each: part p is cuts[p]…cuts[p+1]−1.
func (c *incidence) cut(parts int) (cuts []int) {
	cuts = append(cuts, 0)
	for j, end := range c.ends {
		for len(cuts) < parts && end*parts >= len(cuts)*c.len() {
			cuts = append(cuts, j+1)
		}
	}
	return append(cuts, len(c.ends))
}
