package classify

import (
	"cmp"

	"github.com/seqsvm/seqsvm/classify/svm"
	"github.com/seqsvm/seqsvm/stringkernel"
)

// calibrationTol is the relative gap of logistic machines that calibrate another, and the greatest of other ones: log
// loss is the same as with 1e-6.
const calibrationTol = 1e-2

// calibrationTols is the relative gap of the folds of a calibration over that of the machine, which is usualTol unless
// the trainer has another.
const (
	calibrationTols = 10
	usualTol        = 1e-3
)

// calibrationTol returns the relative gap of the folds of the calibration of machines.
func (t Trainer) calibrationTol(logistic bool) float64 {
	if logistic {
		return calibrationTol
	}
	return min(calibrationTol, calibrationTols*cmp.Or(t.Tol, usualTol))
}

// solved is the solution of a machine that is calibrated.
type solved struct {
	coef  []float64
	index []int // its records, ascending; nil is all
}

// part returns the coefficients of some of its records, ascending: those of the problem without the others differ
// little.
func (s *solved) part(index []int) []float64 {
	part, next := make([]float64, len(index)), 0
	for i, a := range s.coef {
		record := i
		if s.index != nil {
			record = s.index[i]
		}
		if next < len(index) && index[next] == record {
			part[next] = a
			next++
		}
	}
	return part
}

// stages divides jobs into those that are solved first and those that start from the solution of one of these: the
// folds of a calibration, if their solver can start anywhere.
func (t Trainer) stages(g stringkernel.Gram, jobs [][]job) (stages [2][]int) {
	for i, j := range jobs[0] {
		stage := 0
		if j.whole != nil && svm.UsesOf(t.solver(), partOf(g, j.index), t.settings())&svm.Rows == 0 {
			stage = 1
		}
		stages[stage] = append(stages[stage], i)
		for s := range jobs {
			if stage == 0 {
				jobs[s][i].whole = nil
			}
		}
	}
	return stages
}
