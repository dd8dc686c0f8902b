package classify

import (
	"context"
	"fmt"
	"runtime"
	"sync"

	"github.com/seqsvm/seqsvm/classify/dataset"
	"github.com/seqsvm/seqsvm/classify/decide"
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
	Conformal   bool       // cross-validate in 5 folds, to know how sure the rule is: see [decide.Classifier.WithConfidence]
	// of two classes: what the decision value above which a record is of the positive one is chosen by,
	// ThresholdYouden, ThresholdF1, ThresholdFDR with a rate, or that value itself; empty: it is 0
	Threshold  string
	Thresholds string // of records with several labels: ThresholdsFBR (also if empty), SCut or Zero
	TaskOptions
	// of a kernel that is a sum: p of the norm of the weights of its terms, which are learned: see [decide.Mixture]. 1 leaves
	// few terms, +Inf weighs all alike; zero: the weights are those of the kernel
	MKL      float64
	Seed     uint64             // of the folds of calibration, and of the solvers that Trainer makes itself
	Progress func(svm.Progress) // may be nil; never called by two goroutines at once

	weights []float64 // of ClassWeight, per class of the data set, once that is known
	refits  *refits   // nil unless the kernel depends on a corpus
}

// Train fits the kernel to the corpus (if it is a stringkernel.Fitter that depends on one), indexes the corpus once,
// trains all machines on that index in parallel and calibrates them if asked to, with the same index; a kernel that
// depends on the corpus is fitted to the training part of each fold of the calibration. The model is the same to the
// bit whatever the number of processors. A machine that did not reach Tol is not an error: see its Gap.
//
// When ctx is done Train stops its work and returns: kernels of this module look at it every fraction of a millisecond
// while they index, solvers between rows and products. A row or product that has begun is left to end by itself, within
// a second or so; nothing else is left running.
//
// Time: that of the index and of the machines' solvers. Memory: the index, the data set, per processor a solver's
// ([svm.BytesOf]; training is refused where these do not fit), up to 512 MiB where the Gram matrix is held in memory
// (twice that while the matrix of a sum is made), and what grows with the number of machines: 40 to 60 bytes for each
// record of each, 140 more with Probability or several labels. A training that would need more for those than the limit
// of package memory, by default half of the machine's memory, is refused before it begins, and so is one whose model
// the kernel would refuse to merge ([stringkernel.Traits]): it has too many classes, most often because the labels are
// not classes.
func (t Trainer) Train(ctx context.Context, d *dataset.Dataset) (*decide.Model, error) {
	if err := t.Check(d); err != nil {
		return nil, err
	}
	t, mixture, err := t.withMixture(ctx, d)
	if err != nil {
		return nil, err
	}
	kernel, g, err := t.index(ctx, d)
	if err != nil {
		return nil, err
	}
	if stringkernel.DependsOnCorpus(t.Kernel) {
		t.refits = t.newRefits(d, nil, t.matrices(ctx, kernel, d.Corpus))
	}
	plan, err := t.plan(d, nil)
	if err != nil {
		return nil, err
	}
	if check := stringkernel.TraitsOf(kernel).CheckOutputs; check != nil {
		if err := check(len(plan.rule.Machines)); err != nil {
			return nil, fmt.Errorf("classify: %d classes of %d records: %w", len(d.Classes), d.Len(), err)
		}
	}
	results, rule, err := t.solvePlan(ctx, g, plan)
	if err != nil {
		return nil, err
	}
	runtime.GC() // what solvers took, before support vectors are copied
	rule.Mixture = mixture
	m := &decide.Model{Rule: rule, Kernel: kernel, Problems: plan.problems(rule)}
	if all, is := g.(*listed); is {
		err = setFeatures(m, all, results[:len(plan.rule.Machines)])
	} else {
		setSupport(m, d.Corpus, plan, results)
	}
	if err != nil {
		return nil, err
	}
	if t.Conformal {
		if m.Rule.Conformal, err = t.conformal(ctx, d, kernel, g); err != nil {
			return nil, err
		}
	}
	return m, nil
}

// solvePlan solves the jobs of a plan.
func (t Trainer) solvePlan(ctx context.Context, g stringkernel.Gram, p *plan) ([]result, decide.Rule, error) {
	p.rule.Approximations = stringkernel.TraitsOf(g).Approximations
	results, err := t.run(ctx, g, p.jobs)
	if err != nil {
		return nil, decide.Rule{}, err
	}
	rule, err := p.decide(results[0])
	return results[0], rule, err
}

// index fits the kernel to the corpus and builds its Gram matrix.
func (t Trainer) index(ctx context.Context, d *dataset.Dataset) (stringkernel.Kernel, stringkernel.Gram, error) {
	compiled, err := stringkernel.Compile(t.Kernel)
	if err != nil {
		return nil, nil, fmt.Errorf("classify: %w", err)
	}
	kernel, err := stringkernel.Fit(ctx, compiled, d.Corpus)
	if err != nil {
		return nil, nil, fmt.Errorf("classify: fitting the kernel: %w", err)
	}
	if t.fewFeatures() {
		g, err := listing(ctx, kernel, d.Corpus)
		return kernel, g, err
	}
	g, err := kernel.Gram(ctx, d.Corpus)
	if err != nil {
		return nil, nil, fmt.Errorf("classify: indexing %d records: %w", d.Len(), err)
	}
	return kernel, g, nil
}

// matrices returns a function that fits the kernel to some records of a corpus. That is read once, when it is first
// asked for, or not at all where what the fitted kernel has learned of it serves.
func (t Trainer) matrices(ctx context.Context, fitted stringkernel.Kernel, corpus *stringkernel.Corpus) GramFunc {
	if t.fewFeatures() {
		return t.listings(corpus)
	}
	shared := sync.OnceValues(func() (stringkernel.Shared, error) {
		x := &stringkernel.Indexes{Corpus: corpus}
		return x.ShareBy(ctx, fitted, []stringkernel.Kernel{t.Kernel})
	})
	return func(ctx context.Context, train []int) (stringkernel.Gram, error) {
		index, err := shared()
		if err != nil {
			return nil, fmt.Errorf("classify: indexing %d records: %w", corpus.Len(), err)
		}
		return index(ctx, t.Kernel, train)
	}
}

// TrainOn trains the machines of a data set on a Gram matrix of its records that the caller made, such as that of
// explicit features, and returns their decision rule and the coefficients of each, one per record. Of Kernel it uses no
// more than what Multiclass needs if empty.
func (t Trainer) TrainOn(ctx context.Context, g stringkernel.Gram, d *dataset.Dataset) (decide.Rule, [][]float64, error) {
	plan, err := t.plan(d, nil)
	if err != nil {
		return decide.Rule{}, nil, err
	}
	results, rule, err := t.solvePlan(ctx, g, plan)
	if err != nil {
		return decide.Rule{}, nil, err
	}
	coef := make([][]float64, len(plan.rule.Machines))
	for m := range coef {
		coef[m] = make([]float64, d.Len())
		expand(coef[m], results[m].Coef, plan.jobs[m].index)
	}
	return rule, coef, nil
}

// setSupport collects the union of the support vectors. A model without any keeps the first record without
// coefficients, since kernels may reject an empty merge.
func setSupport(m *decide.Model, corpus *stringkernel.Corpus, plan *plan, results []result) {
	each := func(visit func(record, machine int, a float64)) {
		for i := range plan.rule.Machines {
			for j, a := range results[i].Coef {
				if a != 0 {
					visit(plan.jobs[i].record(j), i, a)
				}
			}
		}
	}
	ends, entries := make([]int, corpus.Len()), 0 // of each record, its number of coefficients first
	each(func(record, _ int, _ float64) { ends[record]++ })
	m.Coef = &stringkernel.Coefficients{Outputs: len(plan.rule.Machines)}
	for record, count := range ends {
		ends[record] = entries // where the next coefficient goes
		if entries += count; count > 0 {
			m.Index, m.Coef.Ends = append(m.Index, record), append(m.Coef.Ends, entries)
		}
	}
	if len(m.Index) == 0 {
		m.Index, m.Coef.Ends = []int{0}, []int{0}
	}
	m.Coef.Output, m.Coef.Values = make([]int32, entries), make([]float64, entries)
	each(func(record, machine int, a float64) {
		m.Coef.Output[ends[record]], m.Coef.Values[ends[record]] = int32(machine), a
		ends[record]++
	})
	m.Support = corpus.Subset(m.Index)
}

func sum(counts []int) (n int) {
	for _, k := range counts {
		n += k
	}
	return n
}

// solver returns the solver of the two-class problems.
func (t Trainer) solver() svm.Solver {
	switch {
	case t.Loss == LossLogistic && !t.byPlanes():
		if t.Relevance > 0 {
			return process.Relevance{Columns: t.Relevance}
		}
		return process.Logistic{Landmarks: t.Landmarks}
	case t.Solver == nil:
		return auto.Solver{Seed: t.Seed}
	}
	return t.Solver
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

// signs returns +1 for the members of class positive and −1 for the rest.
func signs(y []int, positive int) []float64 {
	out := make([]float64, len(y))
	for i, c := range y {
		if out[i] = -1; c == positive {
			out[i] = 1
		}
	}
	return out
}
