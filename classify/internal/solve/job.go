package solve

import (
	"context"

	"github.com/seqsvm/seqsvm/classify/risk"
	"github.com/seqsvm/seqsvm/classify/svm"
	"github.com/seqsvm/seqsvm/internal/cancel"
	"github.com/seqsvm/seqsvm/stringkernel"
)

// Job is one two-class problem on some records of the indexed corpus, and the records to score with its solution.
type Job struct {
	Index      []int     // records; nil is all
	Y          []float64 // ±1 per record of index, or what the risk is made of
	Costs      svm.Costs
	Test       []int  // records to score, none of index; may be empty
	Joint      *Joint // nil for a separate problem of the trainer's solver
	ByFeatures bool   // the joint problem is solved by features where there are any
	// nil, or what is minimised in place of the losses of two classes
	Risk RiskOf
	// Y is k(x, x) of each record, from the matrix, and decisions are f(x) + ½k(x, x) − Rho
	Ball      bool
	Weights   []float64  // nil, or one per record of index
	Reference *Reference // not nil: what the kernel is fitted to for this job, whose matrix is that then

	Solved *Solved // of a machine that is calibrated: where it leaves its solution
	Whole  *Solved // of a fold of its calibration: what that begins from

	Start    []float64 // nil, or feasible coefficients to begin from
	Tol      float64   // not zero: the relative gap to stop at, unless the trainer's is greater
	OneSided bool      // all of y is the same, which has a meaning for records of several labels only
}

// RiskOf makes what a job minimises of its targets and weights.
type RiskOf func(y, weights []float64) (risk.Risk, error)

// Joint is one problem for several machines, whose jobs follow one another and share it.
type Joint struct {
	// returns a solution for each machine, given the matrix of the records of the first job
	Solve func(ctx context.Context, g stringkernel.Gram, settings svm.Problem, first Job) ([]svm.Solution, error)
	// estimates the memory of Solve for n records, besides the matrix and the coefficients of the machines
	Bytes func(n int) float64
}

// Record returns the record of a label.
func (j *Job) Record(i int) int {
	if j.Index == nil {
		return i
	}
	return j.Index[i]
}

// Result is a job's solution and f(x) − Rho of its test records. Jobs with test records are done with their
// coefficients then, so that cross-validation keeps those of the running jobs only.
type Result struct {
	svm.Solution
	SupportVectors int
	weights        []float64 // of the features, of a listed matrix
	Decisions      []float64
}

// Solved is the solution of a machine that is calibrated.
type Solved struct {
	coef  []float64
	Index []int // its records, ascending; nil is all
}

// part returns the coefficients of some of its records, ascending: those of the problem without the others differ
// little.
func (s *Solved) part(index []int) []float64 {
	part, next := make([]float64, len(index)), 0
	for i, a := range s.coef {
		record := i
		if s.Index != nil {
			record = s.Index[i]
		}
		if next < len(index) && index[next] == record {
			part[next] = a
			next++
		}
	}
	return part
}

// Reference is records that the kernel is fitted to for some jobs, and the matrix of all records that it has then.
type Reference = cancel.Once[FittedMatrix]

// FittedMatrix is the matrix of all records by a kernel fitted to some, or the error of making it.
type FittedMatrix struct {
	Gram stringkernel.Gram
	Err  error
}

// State fills in the data of a job's problem.
func (j *Job) State(p *svm.Problem) (err error) {
	if j.Risk != nil {
		p.Risk, err = j.Risk(j.Y, j.Weights)
		return err
	}
	data, err := svm.Classify(j.Y, j.Costs)
	if err != nil {
		return err
	}
	p.Linear, p.Weights, p.Costs = data.Linear, data.Weights, data.Costs
	if j.Weights != nil {
		p.Weights = make([]float64, len(j.Y))
		for i, y := range j.Y {
			p.Weights[i] = float64(y * j.Weights[i])
		}
	}
	return nil
}
