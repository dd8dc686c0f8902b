package components_test

import (
	"context"
	"math/rand/v2"
	"testing"

	"github.com/seqsvm/seqsvm/classify/components"
)

// TestKMeansOfNearlyEqualPoints: what rounding makes of equal records is one point.
func TestKMeansOfNearlyEqualPoints(t *testing.T) {
	rng := rand.New(rand.NewPCG(7, 7))
	points := make([][]float64, 90)
	for i := range points {
		points[i] = []float64{float64(i%3) + 1e-10*rng.Float64(), 1e-10 * rng.Float64()}
	}
	got, err := components.KMeans{Clusters: 8}.Cluster(context.Background(), points)
	if err != nil {
		t.Fatal(err)
	}
	for i, c := range got.Of {
		if c != i%3 {
			t.Fatalf("point %d is in cluster %d of %d, want %d of 3", i, c, len(got.Means), i%3)
		}
	}
}
