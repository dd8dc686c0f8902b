package components_test

import (
	"context"
	"math"
	"math/rand/v2"
	"reflect"
	"runtime"
	"slices"
	"testing"

	"gonum.org/v1/gonum/floats"

	"github.com/seqsvm/seqsvm/classify/components"
	"github.com/seqsvm/seqsvm/internal/must"
)

// TestKMeansOfNearlyEqualPoints: what rounding makes of equal records is one point.
func TestKMeansOfNearlyEqualPoints(t *testing.T) {
	rng := rand.New(rand.NewPCG(7, 7))
	points := make([][]float64, 90)
	for i := range points {
		points[i] = []float64{float64(i%3) + 1e-10*rng.Float64(), 1e-10 * rng.Float64()}
	}
	got := must.Get(components.KMeans{Clusters: 8}.Cluster(context.Background(), points))(t)
	for i, c := range got.Of {
		if c != i%3 {
			t.Fatalf("point %d is in cluster %d of %d, want %d of 3", i, c, len(got.Means), i%3)
		}
	}
}

// blobs draws points around centres that are far apart, in turn.
func blobs(n, centres int) (points [][]float64, of []int) {
	rng := rand.New(rand.NewPCG(5, 6))
	for i := range n {
		c := i % centres
		points = append(points, []float64{10*float64(c) + rng.NormFloat64(), 5*float64(c%2) + rng.NormFloat64()})
		of = append(of, c)
	}
	return points, of
}

// apart is the squared distance of two points.
func apart(a, b []float64) float64 {
	d := floats.Distance(a, b, 2)
	return d * d
}

// TestKMeansSeparate: clusters that are far apart are found, numbered by their first points, on any number of
// processors.
func TestKMeansSeparate(t *testing.T) {
	points, of := blobs(200, 7)
	got := must.Get(components.KMeans{Clusters: 7, Seed: 1}.Cluster(context.Background(), points))(t)
	if !slices.Equal(got.Of, of) {
		t.Errorf("clusters %v", got.Of)
	}
	cost := 0.0
	for i, x := range points {
		cost += apart(x, got.Means[of[i]])
	}
	if math.Abs(cost-got.Cost) > 1e-9*cost {
		t.Errorf("cost %v, want %v", got.Cost, cost)
	}
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(1))
	again, err := components.KMeans{Clusters: 7, Seed: 1}.Cluster(context.Background(), points)
	if err != nil || !reflect.DeepEqual(got, again) {
		t.Errorf("other clusters, %v", err)
	}
}

// TestKMeansOptimum: on few points the best of many starts is the best of all divisions.
func TestKMeansOptimum(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 1))
	for range 3 {
		points := make([][]float64, 7)
		for i := range points {
			points[i] = []float64{rng.NormFloat64(), rng.NormFloat64()}
		}
		best := math.Inf(1)
		for code := range 1 << 14 { // 2 bits per point: 3 clusters, and divisions into fewer
			of := make([]int, 7)
			for i := range of {
				of[i] = min(2, code>>(2*i)&3)
			}
			means, sizes, cost := make([][]float64, 3), make([]float64, 3), 0.0
			for i, x := range points {
				if means[of[i]] == nil {
					means[of[i]] = make([]float64, 2)
				}
				floats.Add(means[of[i]], x)
				sizes[of[i]]++
			}
			for k, mean := range means {
				floats.Scale(1/max(1, sizes[k]), mean)
			}
			for i, x := range points {
				cost += apart(x, means[of[i]])
			}
			best = min(best, cost)
		}
		got, err := components.KMeans{Clusters: 3, Starts: 50}.Cluster(context.Background(), points)
		if err != nil || math.Abs(got.Cost-best) > 1e-9 {
			t.Errorf("cost %v, want %v, %v", got.Cost, best, err)
		}
	}
}

// TestKMeansExtremes: equal points, a cluster per point, and numbers out of range.
func TestKMeansExtremes(t *testing.T) {
	equal := [][]float64{{1, 2}, {1, 2}, {1, 2}}
	if got, err := (components.KMeans{Clusters: 2}).Cluster(context.Background(), equal); err != nil || len(got.Means) != 1 {
		t.Errorf("equal points: %v, %v", got, err)
	}
	points, _ := blobs(9, 3)
	if got, err := (components.KMeans{Clusters: 9}).Cluster(context.Background(), points); err != nil || got.Cost != 0 {
		t.Errorf("a cluster per point: %v, %v", got, err)
	}
	for _, k := range []int{0, 10} {
		if _, err := (components.KMeans{Clusters: k}).Cluster(context.Background(), points); err == nil {
			t.Errorf("%d clusters of 9 points: no error", k)
		}
	}
	ended, cancel := context.WithCancel(context.Background())
	cancel()
	if _, err := (components.KMeans{Clusters: 2}).Cluster(ended, points); err == nil {
		t.Error("cancelled: no error")
	}
}
