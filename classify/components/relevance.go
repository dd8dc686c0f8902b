package components

import (
	"fmt"
	"maps"
	"math"
	"slices"
	"strconv"

	"github.com/seqsvm/seqsvm/internal/vectors"
)

// Relevance is what components have to do with labels: see [Components.Relevance].
type Relevance struct {
	Dimension int       // the components that carry information on the labels
	Noise     float64   // the share of the variance of the labels that is noise
	Shares    []float64 // of the variance of the labels along each component
	Costs     []float64 // −log likelihood of the first 1, 2, … components being those, for each degree of freedom
}

// Relevance estimates the relevant dimension: how many of the first components carry the information that a kernel has
// on labels, a vector of a number per record for each; the others then hold noise of one variance (Braun, Buhmann,
// Müller 2008, JMLR 9, 1875–1908, two-component model). Of n records, at most half as many components count. Several
// labels, as those of classes, have one dimension and each its variances. O(records · components · labels).
func (c *Components) Relevance(labels [][]float64) (*Relevance, error) {
	n, most := len(c.Vectors[0]), len(c.Vectors)
	free := float64(n - 1) // means are taken off
	most = min(most, (n-1)/2)
	if most < 1 {
		return nil, fmt.Errorf("components: %d records, want at least 3 for a relevant dimension", n)
	}
	r := &Relevance{Shares: make([]float64, len(c.Vectors)), Costs: make([]float64, most)}
	squares, whole := make([][]float64, len(labels)), 0.0 // of the labels along each component; of all
	sums := make([]float64, len(labels))
	for l, y := range labels {
		if len(y) != n {
			return nil, fmt.Errorf("components: %d labels of %d records", len(y), n)
		}
		mean := vectors.Sum(y) / float64(n)
		for _, v := range y {
			sums[l] += float64((v - mean) * (v - mean))
		}
		whole += sums[l]
		for j, alpha := range c.Vectors { // whose sum is 0
			s := vectors.Dot(alpha, y)
			squares[l] = append(squares[l], float64(s*s))
			r.Shares[j] += float64(s * s)
		}
	}
	if whole == 0 {
		return nil, fmt.Errorf("components: all labels are alike")
	}
	for j := range r.Shares {
		r.Shares[j] /= whole
	}
	noise := make([]float64, most)
	for l := range labels {
		signal := 0.0
		for d := 1; d <= most; d++ {
			signal += squares[l][d-1]
			rest := max(sums[l]-signal, 1e-12*sums[l]) / (free - float64(d))
			share := float64(d) / free
			if sums[l] > 0 {
				r.Costs[d-1] += float64(share*math.Log(max(signal, 1e-12*sums[l])/float64(d))) +
					float64((1-share)*math.Log(rest))
			}
			noise[d-1] += rest * free / whole
		}
	}
	for d, cost := range r.Costs {
		if cost < r.Costs[r.Dimension] {
			r.Dimension = d
		}
	}
	r.Noise = min(1, noise[r.Dimension])
	r.Dimension++
	return r, nil
}

// TargetsOf makes labels for [Components.Relevance] of names: their numbers if all are, else a vector of 1 and 0 for
// each class; none if all are of one class.
func TargetsOf(names []string) (labels [][]float64, numbers bool) {
	values := make([]float64, len(names))
	classes := map[string]bool{}
	numbers = true
	for i, name := range names {
		var err error
		values[i], err = strconv.ParseFloat(name, 64)
		numbers = numbers && err == nil && !math.IsNaN(values[i]) && !math.IsInf(values[i], 0)
		classes[name] = true
	}
	if len(classes) < 2 {
		return nil, false
	}
	if numbers {
		return [][]float64{values}, true
	}
	sorted := slices.Sorted(maps.Keys(classes))
	if len(sorted) == 2 {
		sorted = sorted[:1] // the other says the same
	}
	for _, class := range sorted {
		y := make([]float64, len(names))
		for i, name := range names {
			if name == class {
				y[i] = 1
			}
		}
		labels = append(labels, y)
	}
	return labels, false
}
