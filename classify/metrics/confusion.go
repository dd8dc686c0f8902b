package metrics

import (
	"encoding/json"
	"fmt"
	"math"

	"github.com/seqsvm/seqsvm/internal/vectors"
)

// Confusion counts records by true class (row) and predicted class (column). Its
// zero value is a matrix of no classes, whose metrics are all NaN. In JSON it is
// an array of rows. It does not change after it is made, so it may be shared.
type Confusion struct {
	classes int
	counts  []int64 // row-major
}

// NewConfusion counts the pairs (truth[i], predicted[i]), both in 0 … classes−1.
// Slices of unequal length and classes out of range are errors. O(n + classes²).
func NewConfusion(classes int, truth, predicted []int) (Confusion, error) {
	if classes < 0 || classes > maxClasses {
		return Confusion{}, fmt.Errorf("metrics: confusion: %d classes, want 0 … %d", classes, maxClasses)
	}
	if err := checkLengths("predictions", len(predicted), len(truth)); err != nil {
		return Confusion{}, fmt.Errorf("metrics: confusion: %w", err)
	}
	m := Confusion{classes, make([]int64, classes*classes)}
	for i, t := range truth {
		p := predicted[i]
		if t < 0 || t >= classes {
			return Confusion{}, fmt.Errorf("metrics: confusion: true class %d of record %d, want 0 … %d",
				t, i, classes-1)
		}
		if p < 0 || p >= classes {
			return Confusion{}, fmt.Errorf("metrics: confusion: predicted class %d of record %d, want 0 … %d",
				p, i, classes-1)
		}
		m.counts[t*classes+p]++
	}
	return m, nil
}

// maxClasses bounds the memory of a matrix to 2 GB.
const maxClasses = 1 << 14

// Classes is the number of classes, the order of the matrix.
func (m Confusion) Classes() int { return m.classes }

// At is the number of records of true class t predicted p, both from 0. It panics
// out of range, as indexing a slice does.
func (m Confusion) At(t, p int) int64 { return m.row(t)[p] }

// Rows returns a copy of the matrix, one slice per true class. O(classes²).
func (m Confusion) Rows() [][]int64 {
	rows := make([][]int64, m.classes)
	for t := range rows {
		rows[t] = append([]int64(nil), m.row(t)...)
	}
	return rows
}

// Total is the number of records.
func (m Confusion) Total() int64 { return vectors.Sum(m.counts) }

// Correct is the number of records on the diagonal.
func (m Confusion) Correct() int64 {
	var n int64
	for k := range m.classes {
		n += m.row(k)[k]
	}
	return n
}

// Support is the number of records of each true class: the row sums.
func (m Confusion) Support() []int64 {
	sums := make([]int64, m.classes)
	for t := range sums {
		sums[t] = vectors.Sum(m.row(t))
	}
	return sums
}

// Predicted is the number of records predicted as each class: the column sums.
func (m Confusion) Predicted() []int64 {
	sums := make([]int64, m.classes)
	for t := range m.classes {
		vectors.Add(sums, m.row(t))
	}
	return sums
}

// row is row t, not a copy.
func (m Confusion) row(t int) []int64 { return m.counts[t*m.classes : (t+1)*m.classes] }

// Accuracy is the fraction of records predicted rightly; NaN without records.
func (m Confusion) Accuracy() float64 { return ratio(m.Correct(), m.Total()) }

// Recall is, per class, the fraction of its records that are predicted so; NaN
// for a class without records.
func (m Confusion) Recall() []float64 { return m.shares(m.Support()) }

// Precision is, per class, the fraction of the records predicted so that are of
// the class; NaN for a class never predicted (scikit-learn: 0 with a warning).
func (m Confusion) Precision() []float64 { return m.shares(m.Predicted()) }

// shares divides the diagonal by the given sums.
func (m Confusion) shares(sums []int64) []float64 {
	values := make([]float64, m.classes)
	for k := range values {
		values[k] = ratio(m.row(k)[k], sums[k])
	}
	return values
}

// F1 is, per class, the harmonic mean of precision and recall written as
// 2·TP/(2·TP + FP + FN), so that it is 0 when the class is never rightly
// predicted and NaN only when it neither occurs nor is predicted.
func (m Confusion) F1() []float64 {
	support, predicted := m.Support(), m.Predicted()
	values := make([]float64, m.classes)
	for k := range values {
		values[k] = ratio(2*m.row(k)[k], support[k]+predicted[k])
	}
	return values
}

// BalancedAccuracy is the mean recall over the classes that occur; NaN without
// records. Constant and random predictions get 1/(number of classes that occur).
func (m Confusion) BalancedAccuracy() float64 { return meanDefined(m.Recall()) }

// F1Macro is the mean F1 over the classes that occur or are predicted, which are
// the classes scikit-learn's f1_score averages by default; NaN without records.
func (m Confusion) F1Macro() float64 { return meanDefined(m.F1()) }

// F1Micro is the F1 of true and false positives pooled over classes. Since every
// record has exactly one class it equals Accuracy; NaN without records.
func (m Confusion) F1Micro() float64 { return ratio(2*m.Correct(), 2*m.Total()) }

// MCC is the correlation coefficient R_K of Gorodkin (2004), which for two
// classes is Matthews' coefficient. It is 1 for perfect predictions and near 0
// for uninformative ones; NaN when all records are of one true class or all are
// predicted as one (scikit-learn: 0).
func (m Confusion) MCC() float64 {
	support, predicted := m.Support(), m.Predicted()
	n := m.Total()
	covariance, truthVariance, predictedVariance := n*m.Correct(), n*n, n*n
	for k := range support {
		covariance -= support[k] * predicted[k]
		truthVariance -= support[k] * support[k]
		predictedVariance -= predicted[k] * predicted[k]
	}
	if truthVariance == 0 || predictedVariance == 0 {
		return math.NaN()
	}
	return float64(covariance) / math.Sqrt(float64(truthVariance)*float64(predictedVariance))
}

// MarshalJSON writes the matrix as an array of rows.
func (m Confusion) MarshalJSON() ([]byte, error) { return json.Marshal(m.Rows()) }
