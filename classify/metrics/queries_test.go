package metrics_test

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/seqsvm/seqsvm/classify/metrics"
	"github.com/seqsvm/seqsvm/internal/must"
)

// ordered is a record with its score.
type ordered struct{ grade, score float64 }

// meanOverOrders is the mean of a metric of a list over all its orders in which scores do not rise.
func meanOverOrders(list []ordered, metric func([]ordered) float64) float64 {
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
		lists := map[string][]ordered{}
		var grades, scores []float64
		var queries []string
		for range n {
			r := ordered{float64(random.IntN(3)), float64(random.IntN(3))}
			name := string(rune('a' + random.IntN(2)))
			grades, scores, queries = append(grades, r.grade), append(scores, r.score), append(queries, name)
			lists[name] = append(lists[name], r)
		}
		gains := func(list []ordered) (sum float64) {
			for i, r := range list {
				sum += (math.Pow(2, r.grade) - 1) / math.Log2(float64(i+2))
			}
			return sum
		}
		var ndcgs, precisions []float64
		for _, name := range slices.Sorted(slices.Values(slices.Compact(slices.Sorted(slices.Values(queries))))) {
			list := lists[name]
			precisions = append(precisions, meanOverOrders(list, func(list []ordered) float64 {
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
			slices.SortFunc(list, func(a, b ordered) int { return int(b.grade - a.grade) })
			ndcgs = append(ndcgs, got/gains(list))
		}
		r := must.Get(metrics.EvaluateRanking(grades, scores, queries, k))(t)
		want := []float64{mean(ndcgs), mean(precisions), pairAccuracy(grades, scores, queries)}
		for m, name := range r.Names {
			if !same(float64(r.Values[m]), want[m]) {
				t.Fatalf("%v by %v of %v, k = %d: %s %v, want %v", grades, scores, queries, k, name, r.Values[m], want[m])
			}
		}
	}
}

// mean is that of the values that are there.
func mean(values []float64) float64 {
	sum, n := 0.0, 0.0
	for _, v := range values {
		if !math.IsNaN(v) {
			sum, n = sum+v, n+1
		}
	}
	return sum / n
}

// TestGain: 2^grade − 1 of small integers, else a grade's distance from the lowest or from 0.
func TestGain(t *testing.T) {
	for _, c := range []struct{ low, high, lowGain, highGain float64 }{
		{4, 31, 15, 1<<31 - 1}, {4, 32, 4, 32}, {0.5, 4, 0.5, 4}, {-1, 4, 0, 5},
	} {
		r, err := metrics.EvaluateRanking([]float64{c.low, c.high}, []float64{2, 1}, nil, 1)
		next := 1 / math.Log2(3)
		want := (c.lowGain + c.highGain*next) / (c.highGain + c.lowGain*next)
		if got := r.Value("ndcg"); err != nil || !same(got, want) {
			t.Errorf("grades %v and %v: %v (%v), want %v", c.low, c.high, got, err, want)
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
		r, err := metrics.EvaluateRanking(grades, c.scores, nil, c.k)
		if got := r.Value(fmt.Sprintf("precision_at_%d", c.k)); err != nil || !same(got, c.want) {
			t.Errorf("scores %v, k = %d: %v (%v), want %v", c.scores, c.k, got, err, c.want)
		}
	}
}

func TestRankingEdges(t *testing.T) {
	r, err := metrics.EvaluateRanking(nil, nil, nil, 1)
	for _, v := range r.Values {
		if err != nil || v.Defined() {
			t.Errorf("no records: %v (%v)", r.Values, err)
		}
	}
	// No record has a gain: no NDCG; none is relevant; no pair.
	r, err = metrics.EvaluateRanking([]float64{0, 0}, []float64{1, 2}, nil, 1)
	if err != nil || r.Values[0].Defined() || r.Values[1] != 0 || r.Values[2].Defined() {
		t.Errorf("grades of 0: %v (%v), want null, 0, null", r.Values, err)
	}
	one := []float64{1}
	for want, call := range map[string]func() (metrics.Report, error){
		"0 scores for 1":     func() (metrics.Report, error) { return metrics.EvaluateRanking(one, nil, nil, 1) },
		"2 queries for 1":    func() (metrics.Report, error) { return metrics.EvaluateRanking(one, one, []string{"", ""}, 1) },
		"precision at 0":     func() (metrics.Report, error) { return metrics.EvaluateRanking(one, one, nil, 0) },
		"grade 0 is NaN":     func() (metrics.Report, error) { return metrics.EvaluateRanking([]float64{math.NaN()}, one, nil, 1) },
		"score 0 is NaN":     func() (metrics.Report, error) { return metrics.EvaluateRanking(one, []float64{math.NaN()}, nil, 1) },
		"ranking: 1 scores ": func() (metrics.Report, error) { return metrics.EvaluateRanking(nil, one, nil, 1) },
	} {
		if _, err := call(); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("error %v, want one with %q", err, want)
		}
	}
}
