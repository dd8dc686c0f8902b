package classify

import (
	"cmp"

	"github.com/seqsvm/seqsvm/classify/internal/solve"
	"github.com/seqsvm/seqsvm/classify/process"
	"github.com/seqsvm/seqsvm/classify/svm"
	"github.com/seqsvm/seqsvm/classify/svm/auto"
	"github.com/seqsvm/seqsvm/stringkernel"
)

// Trainer trains classifiers: a kernel and how to learn with it. Only Kernel has no default. A Trainer is not
// changed by its methods.
//
// An empty Multiclass is CrammerSinger for counts of words ([stringkernel.Traits]), unless another option excludes it,
// and OneVsRest for other kernels.
//
// Balanced class weights: with two classes and one-vs-one, n, k and n_c are those of the whole data set; a one-vs-rest
// machine is a separate problem of two classes, so that k = 2. (scikit-learn's SVC and its OneVsRestClassifier do the
// same.) Weights by class: a one-vs-rest machine has that of its class for the class and 1 for the rest, as LIBLINEAR's
// -wi; they are for two or many classes, not for several labels or a hierarchy.
//
// Probability: the folds start from the solution for all records, where the solver can start anywhere, and are solved
// to ten times the gap, at most 0.01, which leaves the log loss as it is: all take about as long as the training
// itself, or less (benchmarks/README.md).
type Trainer struct {
	Kernel      stringkernel.Kernel
	Solver      svm.Solver // of the two-class problems; nil: auto.Solver with the Seed
	C           float64    // penalty of a margin error, 1e-100 to 1e100; zero: 1
	Loss        svm.Loss   // svm.Hinge (also if empty), svm.SquaredHinge, not for bundle.Solver, or LossLogistic
	ClassWeight string     // WeightNone (also if empty), WeightBalanced or weights of classes
	Tol         float64    // relative gap; zero: 1e-3
	CacheBytes  int64      // rows of smo.Solver, over all problems solved at the same time; zero: 256 MiB
	Multiclass  string     // OneVsRest, OneVsOne or CrammerSinger; irrelevant for two classes; empty: see below
	NoBias      bool       // of classes and regression: f(x) = ⟨w, φ(x)⟩, as LIBLINEAR's -B -1; not in Multinomial
	Penalty     string     // of the weights: PenaltySquares (also if empty) or PenaltySum
	Probability bool       // calibrate by Platt's method on 5-fold cross-validation: see below
	Conformal   bool       // cross-validate in 5 folds, to know how sure the rule is: see [decide.Classifier]
	// of two classes: what the decision value above which a record is of the positive one is chosen by,
	// ThresholdYouden, ThresholdF1, ThresholdFDR with a rate, or that value itself; empty: it is 0
	Threshold  string
	Thresholds string // of records with several labels: ThresholdsFBR (also if empty), SCut or Zero
	TaskOptions
	// of a kernel that is a sum: p of the norm of the weights of its terms, which are learned: see [decide.Mixture]. 1
	// leaves few terms, +Inf weighs all alike; zero: the weights are those of the kernel
	MKL float64
	// the alphabet of the records, where support vectors are not wanted: many letters of two classes are then packed, and
	// learned from as by TrainShards, where that is faster; empty: they are not
	Pack     stringkernel.Alphabet
	Seed     uint64             // of the folds of calibration, and of the solvers that Trainer makes itself
	Progress func(svm.Progress) // may be nil; never called by two goroutines at once

	weights []float64 // of ClassWeight, per class of the data set, once that is known
	refits  *refits   // nil unless the kernel depends on a corpus
}

// solver returns the solver of the two-class problems.
func (t Trainer) solver() svm.Solver {
	switch {
	case t.Loss == LossLogistic:
		if t.Relevance > 0 {
			return process.Relevance{Columns: t.Relevance}
		}
		return process.Logistic{Landmarks: t.Landmarks}
	case t.Solver == nil:
		return auto.Solver{Seed: t.Seed}
	}
	return t.Solver
}

// runner returns what solves the jobs of the trainer.
func (t Trainer) runner() solve.Runner {
	return solve.Runner{
		Solver: t.solver(), Problem: t.settings(), Progress: t.Progress, Seed: t.Seed, Cost: cmp.Or(t.C, 1),
		Logistic: t.Loss == LossLogistic, Features: t.fewFeatures(), FewRows: t.Relevance > 0,
	}
}

// beside returns the trainer for one of n parts of a task that run at the same time.
func (t Trainer) beside(n int) Trainer {
	r := t.runner().Beside(n)
	t.CacheBytes, t.Progress = r.Problem.CacheBytes, r.Progress
	return t
}

// LossLogistic is the loss log(1 + exp(−y(f + b))) of classes, with which decision values are log odds. What orders
// records best is seldom of the right size: the probabilities are calibrated, as with Probability, by decision values
// of folds solved to a gap of 0.01. They are those of the log odds as they stand in the scheme Multinomial, with
// Relevance, and where records or groups are too few for folds.
const LossLogistic svm.Loss = "logistic"

// settings returns a problem without data.
func (t Trainer) settings() svm.Problem {
	p := svm.Problem{Loss: t.Loss, NoBias: t.NoBias, Tol: t.Tol, CacheBytes: t.CacheBytes}
	if t.Loss == LossLogistic {
		p.Loss = "" // that of its solver
	}
	return p
}

// defaultTol is the relative gap of trainings that name none.
const defaultTol = 1e-3
