package metrics

import (
	"cmp"
	"fmt"
	"math"
	"slices"

	"github.com/seqsvm/seqsvm/internal/subset"
	"github.com/seqsvm/seqsvm/internal/vectors"
)

// NumberMetrics returns the names of the metrics of predicted numbers, in order. With t the truths and p the
// predictions:
//
//	spearman  Pearson's correlation of the ranks of t and p, equal values sharing the mean of their ranks
//	pearson   Σ(t − t̄)(p − p̄) / √(Σ(t − t̄)² Σ(p − p̄)²)
//	rmse      √(mean of (t − p)²)
//	mae       mean of |t − p|
//	r2        1 − Σ(t − p)² / Σ(t − t̄)²
//
// A correlation is undefined where all truths or all predictions are equal, r2 where all truths are. Defined values are
// those of SciPy's spearmanr and pearsonr and scikit-learn's mean_squared_error, mean_absolute_error and r2_score.
func NumberMetrics() []string { return []string{"spearman", "pearson", "rmse", "mae", "r2"} }

// EvaluateNumbers compares predicted numbers with the true ones, one each per record. Unequal lengths and values that
// are not finite are errors. O(n log n).
func EvaluateNumbers(truth, predicted []float64) (Report, error) {
	if err := checkPredicted(truth, predicted); err != nil {
		return Report{}, fmt.Errorf("metrics: %w", err)
	}
	errors := differences(truth, predicted)
	var sum float64
	for _, e := range errors {
		sum += math.Abs(e)
	}
	return Report{N: len(truth), Scalars: Scalars{Names: NumberMetrics(), Values: []Float{
		Float(correlation(ranks(truth), ranks(predicted))), Float(correlation(truth, predicted)),
		Float(rms(errors)), Float(sum / float64(len(errors))), Float(determination(truth, errors)),
	}}}, nil
}

// determination is r2, NaN where all truths are equal.
func determination(truth, errors []float64) float64 {
	if constant(truth) {
		return math.NaN()
	}
	unexplained, e := meanSquare(errors)
	variance, t := meanSquare(centred(truth))
	return 1 - math.Ldexp(unexplained/variance, 2*(e-t))
}

// checkPredicted wants a finite prediction for every finite truth.
func checkPredicted(truth, predicted []float64) error {
	if err := checkLengths("predictions", len(predicted), len(truth)); err != nil {
		return err
	}
	if err := checkFinite("truth", truth); err != nil {
		return err
	}
	return checkFinite("prediction", predicted)
}

// checkFinite wants numbers whose differences and sums are finite.
func checkFinite(kind string, values []float64) error {
	const most = 1e290
	for i, v := range values {
		if !(math.Abs(v) <= most) { // also refuses NaN
			return fmt.Errorf("%s %d is %v, want a number between -%v and %[4]v", kind, i, v, most)
		}
	}
	return nil
}

// differences are a − b.
func differences(a, b []float64) []float64 {
	out := make([]float64, len(a))
	for i := range out {
		out[i] = a[i] - b[i]
	}
	return out
}

// rms is the root of the mean square; NaN of no values.
func rms(values []float64) float64 {
	mean, exponent := meanSquare(values)
	return math.Ldexp(math.Sqrt(mean), exponent)
}

// meanSquare returns the mean square of values divided by 2^exponent, which keeps squares from over- and underflow and
// changes no bit of them.
func meanSquare(values []float64) (mean float64, exponent int) {
	sum := 0.0
	_, exponent = math.Frexp(vectors.Greatest(values))
	for _, v := range values {
		v = math.Ldexp(v, -exponent)
		sum += float64(v * v)
	}
	return sum / float64(len(values)), exponent
}

// constant reports whether all values are equal.
func constant(values []float64) bool {
	return !slices.ContainsFunc(values, func(v float64) bool { return v != values[0] })
}

// centred are the values less their mean.
func centred(values []float64) []float64 {
	mean, out := vectors.Sum(values)/float64(len(values)), make([]float64, len(values))
	for i, v := range values {
		out[i] = v - mean
	}
	return out
}

// correlation is Pearson's coefficient, NaN where all x or all y are equal.
func correlation(x, y []float64) float64 {
	if constant(x) || constant(y) {
		return math.NaN()
	}
	x, y = centred(x), centred(y)
	sx, sy := rms(x), rms(y)
	var sum float64
	for i := range x {
		sum += float64(x[i] / sx * (y[i] / sy))
	}
	return max(-1, min(1, sum/float64(len(x))))
}

// ranks are the positions, from 1, of the values in ascending order; equal values share the mean of theirs.
func ranks(values []float64) []float64 {
	order := subset.Whole(len(values))
	slices.SortFunc(order, func(i, j int) int { return cmp.Compare(values[i], values[j]) })
	out := make([]float64, len(values))
	for first := 0; first < len(order); {
		last := first
		for last+1 < len(order) && values[order[last+1]] == values[order[first]] {
			last++
		}
		for _, i := range order[first : last+1] {
			out[i] = float64(first+last+2) / 2
		}
		first = last + 1
	}
	return out
}
