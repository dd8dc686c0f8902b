package metrics

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

// meanOverOrders is the mean of a metric of a list over all its orders in which scores do not rise.
func meanOverOrders(list []graded, metric func([]graded) float64) float64 {
	var sum, orders float64
	var visit func(at int)
	visit = func(at int) {
		if at == len(list) {
			for i := 1; i < len(list); i++ {
				if list[i].score > list[i-1].score {
					return
				}
			}
			sum, orders = sum+metric(list), orders+1
			return
		}
		for i := at; i < len(list); i++ {
			list[at], list[i] = list[i], list[at]
			visit(at + 1)
			list[at], list[i] = list[i], list[at]
		}
	}
	visit(0)
	return sum / orders
}

// pairAccuracy is the definition: every pair of a query.
func pairAccuracy(grades, scores []float64, queries []string) float64 {
	var right, all float64
	for i := range grades {
		for j := range grades {
			if queries[i] != queries[j] || grades[i] <= grades[j] {
				continue
			}
			all++
			if scores[i] > scores[j] {
				right++
			} else if scores[i] == scores[j] {
				right += 0.5
			}
		}
	}
	return right / all
}

// TestRankingByDefinition compares all metrics of short lists with their definitions, ties by all orders.
func TestRankingByDefinition(t *testing.T) {
	random := rand.New(rand.NewPCG(7, 1))
	for range 300 {
		n, k := 1+random.IntN(6), 1+random.IntN(4)
		lists := map[string][]graded{}
		var grades, scores []float64
		var queries []string
		for range n {
			r := graded{float64(random.IntN(3)), float64(random.IntN(3))}
			name := string(rune('a' + random.IntN(2)))
			grades, scores, queries = append(grades, r.grade), append(scores, r.score), append(queries, name)
			lists[name] = append(lists[name], r)
		}
		gains := func(list []graded) (sum float64) {
			for i, r := range list {
				sum += (math.Pow(2, r.grade) - 1) / math.Log2(float64(i+2))
			}
			return sum
		}
		var ndcgs, precisions []float64
		for _, name := range slices.Sorted(slices.Values(slices.Compact(slices.Sorted(slices.Values(queries))))) {
			list := lists[name]
			precisions = append(precisions, meanOverOrders(list, func(list []graded) float64 {
				first := list[:min(k, len(list))]
				var relevant float64
				for _, r := range first {
					if r.grade > 0 {
						relevant++
					}
				}
				return relevant / float64(len(first))
			}))
			got := meanOverOrders(list, gains)
			slices.SortFunc(list, func(a, b graded) int { return int(b.grade - a.grade) })
			ndcgs = append(ndcgs, got/gains(list))
		}
		r, err := EvaluateRanking(grades, scores, queries, k)
		if err != nil {
			t.Fatal(err)
		}
		want := []float64{meanDefined(ndcgs), meanDefined(precisions), pairAccuracy(grades, scores, queries)}
		for m, name := range r.Names {
			if !same(float64(r.Values[m]), want[m]) {
				t.Fatalf("%v by %v of %v, k = %d: %s %v, want %v", grades, scores, queries, k, name, r.Values[m], want[m])
			}
		}
	}
}

// TestPairAccuracy: pairs are those of the definition, and with one query and two grades AUROC.
func TestPairAccuracy(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		scores, positive := drawRanking(t)
		n := len(scores)
		grades := rapid.SliceOfN(rapid.SampledFrom([]float64{-1, 0.5, 2, 3}), n, n).Draw(t, "grades")
		queries := rapid.SliceOfN(rapid.SampledFrom([]string{"", "a", "b"}), n, n).Draw(t, "queries")
		r, err := EvaluateRanking(grades, scores, queries, 3)
		if err != nil {
			t.Fatal(err)
		}
		if got, want := r.Value("pair_accuracy"), pairAccuracy(grades, scores, queries); !same(got, want) {
			t.Fatalf("pair accuracy %v, want %v", got, want)
		}
		for i, p := range positive {
			if grades[i] = -1; p {
				grades[i] = 1
			}
		}
		if r, err = EvaluateRanking(grades, scores, nil, 3); err != nil {
			t.Fatal(err)
		}
		if got, want := r.Value("pair_accuracy"), mustAUROC(t, scores, positive); !same(got, want) {
			t.Fatalf("pair accuracy %v of two classes, AUROC %v", got, want)
		}
	})
}

// TestGain: 2^grade − 1 of small integers, else a grade's distance from the lowest or from 0.
func TestGain(t *testing.T) {
	for _, c := range []struct {
		grades      []float64
		grade, want float64
	}{
		{[]float64{0, 4, 31}, 4, 15},
		{[]float64{0, 4, 32}, 4, 4},
		{[]float64{0.5, 4}, 4, 4},
		{[]float64{-1, 4}, 4, 5},
	} {
		if gain, _ := gainOf(c.grades); gain(c.grade) != c.want {
			t.Errorf("grades %v: gain %v of %v, want %v", c.grades, gain(c.grade), c.grade, c.want)
		}
	}
}

// TestPrecisionOfNumbers: of numbers the highest k are relevant, with those equal to the last of them.
func TestPrecisionOfNumbers(t *testing.T) {
	grades := []float64{0.5, 2.5, 1.5, 1.5, -1}
	for _, c := range []struct {
		scores []float64
		k      int
		want   float64
	}{
		{[]float64{1, 5, 4, 3, 2}, 2, 1}, // 2.5 and one of 1.5
		{[]float64{5, 4, 3, 2, 1}, 2, 0.5},
		{[]float64{5, 1, 2, 3, 4}, 2, 0},
		{[]float64{5, 1, 2, 3, 4}, 9, 1},       // all records
		{[]float64{0, 1, 1, 0, 0}, 1, 0.5},     // 2.5 or 1.5
		{[]float64{0, 0, 0, 0, 0}, 3, 3 / 5.0}, // any
	} {
		r, err := EvaluateRanking(grades, c.scores, nil, c.k)
		if got := r.Value(fmt.Sprintf("precision_at_%d", c.k)); err != nil || !same(got, c.want) {
			t.Errorf("scores %v, k = %d: %v (%v), want %v", c.scores, c.k, got, err, c.want)
		}
	}
}

func TestRankingEdges(t *testing.T) {
	r, err := EvaluateRanking(nil, nil, nil, 1)
	for _, v := range r.Values {
		if err != nil || v.Defined() {
			t.Errorf("no records: %v (%v)", r.Values, err)
		}
	}
	// No record has a gain: no NDCG; none is relevant; no pair.
	r, err = EvaluateRanking([]float64{0, 0}, []float64{1, 2}, nil, 1)
	if err != nil || r.Values[0].Defined() || r.Values[1] != 0 || r.Values[2].Defined() {
		t.Errorf("grades of 0: %v (%v), want null, 0, null", r.Values, err)
	}
	one := []float64{1}
	for want, call := range map[string]func() (Report, error){
		"0 scores for 1":     func() (Report, error) { return EvaluateRanking(one, nil, nil, 1) },
		"2 queries for 1":    func() (Report, error) { return EvaluateRanking(one, one, []string{"", ""}, 1) },
		"precision at 0":     func() (Report, error) { return EvaluateRanking(one, one, nil, 0) },
		"grade 0 is NaN":     func() (Report, error) { return EvaluateRanking([]float64{math.NaN()}, one, nil, 1) },
		"score 0 is NaN":     func() (Report, error) { return EvaluateRanking(one, []float64{math.NaN()}, nil, 1) },
		"ranking: 1 scores ": func() (Report, error) { return EvaluateRanking(nil, one, nil, 1) },
	} {
		if _, err := call(); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("error %v, want one with %q", err, want)
		}
	}
}
