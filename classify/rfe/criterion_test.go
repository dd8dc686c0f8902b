package rfe

import (
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"gonum.org/v1/gonum/stat"

	"github.com/seqsvm/seqsvm/classify/dataset"
	"github.com/seqsvm/seqsvm/internal/must"
	"github.com/seqsvm/seqsvm/internal/rows"
)

// randomColumns draws a matrix of few different values, many 0, and its rows.
func randomColumns(rng *rand.Rand, n, width int, negative bool) ([][]float64, *rows.Rows) {
	dense, drawn := make([][]float64, n), rows.New(n, 0, width)
	for i := range dense {
		dense[i] = make([]float64, width)
		for j := range dense[i] {
			if dense[i][j] = float64(max(0, rng.IntN(7)-3)) / 2; negative {
				dense[i][j] -= float64(rng.IntN(2))
			}
			if dense[i][j] != 0 || rng.IntN(9) == 0 {
				drawn.Add(int32(j), dense[i][j])
			}
		}
		drawn.End()
	}
	return dense, drawn
}

// naive are the criteria by their definitions, of the values of a feature in a class and in all others.
var naive = map[Criterion]func(p, q []float64) float64{
	ByFisher: func(p, q []float64) float64 {
		all := stat.Mean(slices.Concat(p, q), nil)
		between, within := 0.0, 0.0
		for _, group := range [][]float64{p, q} {
			mean, variance := stat.PopMeanVariance(group, nil)
			between += float64(len(group)) * (mean - all) * (mean - all)
			within += float64(len(group)) * variance
		}
		return ratio(between, within)
	},
	ByGolub: func(p, q []float64) float64 {
		mean, variance := stat.PopMeanVariance(p, nil)
		other, spread := stat.PopMeanVariance(q, nil)
		return ratio(math.Abs(mean-other), math.Sqrt(variance)+math.Sqrt(spread))
	},
	ByMean: func(p, q []float64) float64 { return math.Abs(stat.Mean(p, nil) - stat.Mean(q, nil)) },
	ByChi2: func(p, q []float64) (chi2 float64) {
		n, sum := float64(len(p)+len(q)), 0.0
		for _, v := range slices.Concat(p, q) {
			sum += v
		}
		for _, group := range [][]float64{p, q} {
			observed, expected := 0.0, sum*float64(len(group))/n
			for _, v := range group {
				observed += v
			}
			chi2 += ratio((observed-expected)*(observed-expected), expected)
		}
		return chi2
	},
	ByInformation: func(p, q []float64) (nats float64) {
		count := map[[2]bool]float64{}
		for _, v := range p {
			count[[2]bool{true, v != 0}]++
		}
		for _, v := range q {
			count[[2]bool{false, v != 0}]++
		}
		n := float64(len(p) + len(q))
		for cell, c := range count {
			group, value := 0.0, 0.0
			for other, d := range count {
				if other[0] == cell[0] {
					group += d
				}
				if other[1] == cell[1] {
					value += d
				}
			}
			nats += c / n * math.Log(c*n/(group*value))
		}
		return nats
	},
	ByAUROC: func(p, q []float64) float64 {
		above := 0.0
		for _, a := range p {
			for _, b := range q {
				if a > b {
					above++
				} else if a == b {
					above += 0.5
				}
			}
		}
		return math.Abs(above/float64(len(p)*len(q)) - 0.5)
	},
}

// Filters are what their definitions say, with records of whole weights repeated and each class against the rest.
func TestFiltersAreTheirDefinitions(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	for round := range 60 {
		n, classes := 6+rng.IntN(20), 2+rng.IntN(2)
		d := &dataset.Dataset{Classes: []string{"a", "b", "c"}[:classes], Y: make([]int, n), Positive: 1}
		for i := range d.Y {
			d.Y[i] = i % classes
		}
		if round%2 == 1 {
			for range n {
				d.Weights = append(d.Weights, float64(1+rng.IntN(3)))
			}
		}
		if round%3 == 2 {
			for i := range n {
				d.LabelSets = append(d.LabelSets, [][]int{{0}, {0, 1}, {1}, {}}[(i+rng.IntN(2))%4])
			}
		}
		for by, definition := range naive {
			dense, rows := randomColumns(rng, n, 5, by != ByChi2)
			got := must.Get(filter(t.Context(), by, rows, d))(t)
			for j, score := range got {
				want := 0.0
				for c := range d.Classes {
					if classes == 2 && d.LabelSets == nil && c == 0 {
						continue
					}
					var groups [2][]float64
					for i, side := range sidesOf(d, c) {
						for range weightOf(d, i) {
							groups[side] = append(groups[side], dense[i][j])
						}
					}
					if len(groups[0]) > 0 && len(groups[1]) > 0 {
						want = max(want, definition(groups[0], groups[1]))
					}
				}
				if score != want && !(math.Abs(score-want) <= 1e-12*max(1, want)) {
					t.Errorf("round %d: %s of feature %d is %v, by definition %v", round, by, j, score, want)
				}
			}
		}
	}
}

func weightOf(d *dataset.Dataset, i int) int {
	if d.Weights == nil {
		return 1
	}
	return int(d.Weights[i])
}

func TestFiltersThatDoNotFit(t *testing.T) {
	_, rows := randomColumns(rand.New(rand.NewPCG(5, 6)), 9, 4, true)
	d := &dataset.Dataset{Classes: []string{"a", "b"}, Y: []int{0, 1, 0, 1, 0, 1, 0, 1, 0}, Positive: 1}
	if _, err := filter(t.Context(), ByChi2, rows, d); err == nil || !strings.Contains(err.Error(), "at least 0") {
		t.Errorf("%v for chi2 of negative values", err)
	}
	if err := Criterion("gini").check(d); err == nil || !strings.Contains(err.Error(), `"gini", want one of`) {
		t.Errorf("%v for an unknown criterion", err)
	}
	d.Task = dataset.Regression
	if err := ByAUROC.check(d); err == nil || !strings.Contains(err.Error(), "want weights") {
		t.Errorf("%v for numbers", err)
	}
}
