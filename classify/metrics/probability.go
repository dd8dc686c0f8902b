package metrics

import (
	"fmt"
	"math"

	"github.com/seqsvm/seqsvm/internal/elementary"
)

// leastProbability is the one that LogLoss counts for anything smaller, as scikit-learn does: the machine's epsilon.
const leastProbability = 0x1p-52

// LogLoss is the mean over the records of −ln p, with p the probability given to what the record is:
// probability[truth[i]][i], but at least 2⁻⁵², so that one record cannot make it infinite. The layout is
// [class][record], and every record's probabilities sum to 1 within 1e-6. In nats, ≥ 0, NaN without records. Other
// shapes, values outside [0, 1] and classes out of range are errors. O(n·classes).
func LogLoss(probability [][]float64, truth []int) (float64, error) {
	if err := checkDistributions(probability, truth); err != nil {
		return math.NaN(), fmt.Errorf("metrics: log loss: %w", err)
	}
	var sum float64
	for i, t := range truth {
		sum -= elementary.Log(max(probability[t][i], leastProbability))
	}
	return sum / float64(len(truth)), nil
}

// Brier is the mean over the records of the squared distance between a record's probabilities and the indicator of its
// class, in [0, 2] (Brier 1950). With two classes it is half of that: the mean squared difference between the positive
// class's probability and the outcome, in [0, 1], 0.25 for a constant ½. NaN without records. Layout and errors are
// those of LogLoss. O(n·classes).
func Brier(probability [][]float64, truth []int) (float64, error) {
	if err := checkDistributions(probability, truth); err != nil {
		return math.NaN(), fmt.Errorf("metrics: Brier score: %w", err)
	}
	var sum float64
	for i, t := range truth {
		for c, row := range probability {
			d := row[i]
			if c == t {
				d = 1 - d
			}
			sum += float64(d * d)
		}
	}
	if len(probability) == 2 {
		sum /= 2
	}
	return sum / float64(len(truth)), nil
}

// reliabilityBins is the number of bins of [Reliability].
const reliabilityBins = 10

// Reliability is how far probabilities are from the frequencies that they announce (Murphy 1973,
// doi:10.1175/1520-0450(1973)012<0595:ANVPOT>2.0.CO;2): the mean over the records of the squared difference between the
// mean probability and the share of the class among the records of the same bin, one of ten bins of equal width, less
// what chance adds where probabilities are right, Σ p(1 − p) of a bin over its records, but at least 0. It is the part
// of the Brier score that calibration can remove; with two classes that of the second class, with more the sum over the
// classes. NaN without records. Layout and errors are those of LogLoss. O(n·classes).
func Reliability(probability [][]float64, truth []int) (float64, error) {
	if err := checkDistributions(probability, truth); err != nil {
		return math.NaN(), fmt.Errorf("metrics: reliability: %w", err)
	}
	rows, first := probability, 0
	if len(rows) == 2 {
		rows, first = rows[1:], 1
	}
	var sum float64
	for c, row := range rows {
		var members, announced, happened, chance [reliabilityBins]float64
		for i, p := range row {
			bin := min(int(p*reliabilityBins), reliabilityBins-1)
			members[bin]++
			announced[bin] += p
			chance[bin] += float64(p * (1 - p))
			if truth[i] == first+c {
				happened[bin]++
			}
		}
		for bin, n := range members {
			if d := announced[bin] - happened[bin]; n > 0 {
				sum += (float64(d*d) - chance[bin]) / n
			}
		}
	}
	return max(0, sum) / float64(len(truth)), nil
}

// checkProbabilities wants one value in [0, 1] per label.
func checkProbabilities(probability []float64, labels int) error {
	if err := checkLengths("probabilities", len(probability), labels); err != nil {
		return err
	}
	for i, p := range probability {
		if !(p >= 0 && p <= 1) { // also refuses NaN
			return fmt.Errorf("probability %d is %v, want 0 … 1", i, p)
		}
	}
	return nil
}

// checkDistributions wants, for every record, a class in range and probabilities
// that sum to 1.
func checkDistributions(probability [][]float64, truth []int) error {
	for c, row := range probability {
		if err := checkProbabilities(row, len(truth)); err != nil {
			return fmt.Errorf("class %d: %w", c, err)
		}
	}
	for i, t := range truth {
		if t < 0 || t >= len(probability) {
			return fmt.Errorf("true class %d of record %d, want 0 … %d", t, i, len(probability)-1)
		}
		var sum float64
		for _, row := range probability {
			sum += row[i]
		}
		if math.Abs(sum-1) > 1e-6 {
			return fmt.Errorf("probabilities of record %d sum to %v, want 1", i, sum)
		}
	}
	return nil
}
