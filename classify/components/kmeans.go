package components

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"

	"github.com/seqsvm/seqsvm/internal/parallel"
	"github.com/seqsvm/seqsvm/internal/scratch"
	"github.com/seqsvm/seqsvm/internal/vectors"
)

// KMeans divides points into clusters so that the sum of their squared distances to the means of their clusters is
// small: Lloyd's algorithm from several starts by k-means++ (D. Arthur, S. Vassilvitskii, SODA 2007), of which the best
// counts. The sum is that of a local minimum. All fields but Clusters may be zero.
type KMeans struct {
	Clusters int    // at least 1, at most the number of points
	Starts   int    // zero: 10
	Seed     uint64 // of the starts: the same seed gives the same clusters
}

// Clustering is a division of points into clusters.
type Clustering struct {
	Of    []int       // the cluster of each point, numbered from 0 in the order of their first points
	Means [][]float64 // of each cluster
	Cost  float64     // Σ ‖x − mean of its cluster‖²
}

// Cluster divides points, rows of equally many numbers, in O(points · clusters · numbers) a step. Points that are equal
// share a cluster, so that there may be fewer than asked for. The error is that of ctx, or about Clusters.
func (k KMeans) Cluster(ctx context.Context, points [][]float64) (*Clustering, error) {
	if k.Clusters < 1 || k.Clusters > len(points) {
		return nil, fmt.Errorf("components: %d clusters of %d points, want 1 to %d", k.Clusters, len(points),
			len(points))
	}
	starts := make([]*Clustering, cmp.Or(k.Starts, 10))
	err := parallel.Do(ctx, len(starts), func(s int) (err error) {
		starts[s], err = k.descend(ctx, points, rand.New(rand.NewPCG(k.Seed, uint64(s))))
		return err
	})
	if err != nil {
		return nil, err
	}
	best := starts[0]
	for _, c := range starts[1:] {
		if c.Cost < best.Cost {
			best = c
		}
	}
	best.number()
	return best, nil
}

// mostSteps is the greatest number of steps from a start.
const mostSteps = 300

// descend goes from one start to a local minimum.
func (k KMeans) descend(ctx context.Context, points [][]float64, rng *rand.Rand) (*Clustering, error) {
	c := &Clustering{Of: make([]int, len(points)), Means: k.spread(points, rng)}
	for step := range mostSteps {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		if changed := c.assign(points); changed == 0 && step > 0 {
			break
		}
		c.average(points)
	}
	return c, nil
}

// spread draws the first means: points, each with a probability proportional to its squared distance to the nearest of
// those before it. Where no distance is left there are fewer.
func (k KMeans) spread(points [][]float64, rng *rand.Rand) [][]float64 {
	at := rng.IntN(len(points))
	means := [][]float64{slices.Clone(points[at])}
	nearest := slices.Repeat([]float64{math.Inf(1)}, len(points))
	for same := -1.0; ; {
		total := 0.0
		for i, x := range points {
			if nearest[i] = min(nearest[i], distance(x, points[at])); nearest[i] <= same {
				nearest[i] = 0
			}
			total += nearest[i]
		}
		if len(means) == k.Clusters || !(total > 0) {
			return means
		}
		if same < 0 {
			same = equal * slices.Max(nearest)
		}
		left := float64(rng.Float64() * total)
		for i, d := range nearest {
			if d > 0 && left >= 0 {
				at = i
			}
			left -= d
		}
		means = append(means, slices.Clone(points[at]))
	}
}

// equal is the part of the greatest squared distance up to which points count as equal: projections of equal records
// differ by what the residuals of the components leave.
const equal = 1e-16

// assign puts every point into the cluster of the nearest mean, the first of several. It sets the cost, and returns how
// many points have changed.
func (c *Clustering) assign(points [][]float64) (changed int) {
	c.Cost = 0
	for i, x := range points {
		best, least := 0, math.Inf(1)
		for j, mean := range c.Means {
			if d := distance(x, mean); d < least {
				best, least = j, d
			}
		}
		c.Cost += least
		if c.Of[i] != best {
			c.Of[i] = best
			changed++
		}
	}
	return changed
}

// average moves every mean to the average of its points; one without points stays.
func (c *Clustering) average(points [][]float64) {
	sums, counts := scratch.Vectors(len(c.Means), len(c.Means[0])), make([]float64, len(c.Means))
	for i, x := range points {
		counts[c.Of[i]]++
		vectors.AddScaled(sums[c.Of[i]], 1, x)
	}
	for j, count := range counts {
		if count > 0 {
			vectors.Scale(sums[j], 1/count)
			c.Means[j] = sums[j]
		}
	}
}

// number numbers the clusters in the order of their first points, and drops those without any.
func (c *Clustering) number() {
	number := make(map[int]int)
	var means [][]float64
	for i, j := range c.Of {
		if _, known := number[j]; !known {
			number[j] = len(means)
			means = append(means, c.Means[j])
		}
		c.Of[i] = number[j]
	}
	c.Means = means
}

// distance returns ‖a − b‖².
func distance(a, b []float64) (sum float64) {
	for i, x := range a {
		d := x - b[i]
		sum += float64(d * d)
	}
	return sum
}
