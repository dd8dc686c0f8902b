package classify

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"

	"github.com/seqsvm/seqsvm/classify/decide"
	"github.com/seqsvm/seqsvm/classify/internal/lasso"
	"github.com/seqsvm/seqsvm/classify/svm"
	"github.com/seqsvm/seqsvm/classify/svm/auto"
	"github.com/seqsvm/seqsvm/internal/cancel"
	"github.com/seqsvm/seqsvm/internal/memory"
	"github.com/seqsvm/seqsvm/internal/rows"
	"github.com/seqsvm/seqsvm/internal/subset"
	"github.com/seqsvm/seqsvm/stringkernel"
)

// The penalties of weights: values of [Trainer].Penalty.
const (
	// PenaltySquares is ½‖w‖².
	PenaltySquares = "l2"
	// PenaltySum is Σ_j |w_j| over the features j, with which most weights are 0: see [lasso.Problem]. The losses are
	// svm.SquaredHinge and LossLogistic, the kernel a [stringkernel.Enumerator] whose features are records of their
	// own: k-mers, words and phrases. The model's support vectors are then the features with a weight, each as a
	// record, and what the shorter features in them need to have theirs.
	PenaltySum = "l1"
)

// ErrNotListed is wrapped by the error for a kernel whose features the penalty of a sum cannot be of.
var ErrNotListed = errors.New("classify: the penalty l1 is one of features that are records of their own, such as " +
	"those of words or spectrum, alone and without rbf")

// fewFeatures reports whether weights have the penalty of a sum.
func (t Trainer) fewFeatures() bool { return t.Penalty == PenaltySum }

// checkPenalty returns an [svm.OptionError] if the penalty does not go with other options.
func (t Trainer) checkPenalty() error {
	penalties := []string{PenaltySquares, PenaltySum}
	if !t.fewFeatures() {
		return svm.CheckOption(t.Penalty == "" || t.Penalty == PenaltySquares, "Penalty", t.Penalty, "one of %q", penalties)
	}
	_, auto := t.Solver.(auto.Solver)
	return cmp.Or(
		svm.CheckOption(t.Loss == svm.SquaredHinge || t.Loss == LossLogistic, "Loss", cmp.Or(t.Loss, svm.Hinge),
			"%s with the penalty %s, or the task logistic", svm.SquaredHinge, PenaltySum),
		svm.CheckOption(t.Solver == nil || auto, "Solver", t.Solver, "auto with the penalty %s", PenaltySum),
		svm.CheckOption(t.Nu == 0, "Nu", t.Nu, "none with the penalty %s", PenaltySum),
		svm.CheckOption(t.Prior == 0, "Prior", t.Prior, "none with the penalty %s", PenaltySum),
		svm.CheckOption(t.Landmarks == 0, "Landmarks", t.Landmarks, "none with the penalty %s", PenaltySum),
		svm.CheckOption(t.Relevance == 0, "Relevance", t.Relevance, "none with the penalty %s", PenaltySum))
}

// checkSquares returns an [svm.OptionError] unless the penalty is the one of a kernel; what needs that is a text.
func (t Trainer) checkSquares(what string) error {
	return svm.CheckOption(!t.fewFeatures(), "Penalty", t.Penalty, "%s %s", PenaltySquares, what)
}

// listed is a matrix with all features of its records, in the order of their names: of features that occur together
// the same ones have a weight wherever else there are records.
type listed struct {
	stringkernel.Gram
	rows  *rows.Rows
	names []string
}

// listing lists the features of a corpus.
func listing(ctx context.Context, k stringkernel.Kernel, c *stringkernel.Corpus) (g *listed, err error) {
	defer cancel.Catch(&err)
	features := stringkernel.EnumeratorOf(k)
	if features == nil {
		return nil, ErrNotListed
	}
	v := new(rows.Vocabulary)
	all := v.RowsOf(ctx, features, c, true)
	order, number := subset.Whole(len(v.Names)), make([]int32, len(v.Names))
	slices.SortFunc(order, func(a, b int) int { return cmp.Compare(v.Names[a], v.Names[b]) })
	names := make([]string, len(order))
	for at, id := range order {
		number[id], names[at] = int32(at), v.Names[id]
	}
	all = all.Renumbered(subset.Whole(all.Len()), number, len(names))
	return &listed{rows.NewGram(ctx, all), all, names}, nil
}

// part returns the features of some records (nil: all), in the same order, as rows of these alone.
func (g *listed) part(index []int) (records *rows.Rows, features []int) {
	if index == nil {
		index = subset.Whole(g.rows.Len())
	}
	number := make([]int32, len(g.names))
	for _, record := range index {
		ids, _ := g.rows.Row(record)
		for _, id := range ids {
			number[id] = 1
		}
	}
	for id, has := range number {
		if has == 1 {
			number[id] = int32(len(features))
			features = append(features, id)
		}
	}
	return g.rows.Renumbered(index, number, len(features)), features
}

// listings is matrices for the penalty of a sum.
func (t Trainer) listings(corpus *stringkernel.Corpus) GramFunc {
	return func(ctx context.Context, train []int) (stringkernel.Gram, error) {
		known := corpus
		if train != nil {
			known = corpus.Subset(train)
		}
		kernel, err := stringkernel.Fit(ctx, t.Kernel, known)
		if err != nil {
			return nil, fmt.Errorf("classify: fitting the kernel: %w", err)
		}
		return listing(ctx, kernel, corpus)
	}
}

// solveFew solves a job by the features of its records.
func (t Trainer) solveFew(ctx context.Context, g stringkernel.Gram, settings svm.Problem, j job) (result, error) {
	all, is := g.(*listed)
	if !is {
		return result{}, t.checkSquares("for a matrix of the caller's")
	}
	rows, features := all.part(j.index)
	p := lasso.Problem{
		Rows: rows, Y: j.y, Costs: make([]float64, len(j.y)), Logistic: t.Loss == LossLogistic, NoBias: t.NoBias,
		Tol: max(settings.Tol, j.tol), Seed: t.Seed, Progress: settings.Progress,
	}
	for i, y := range j.y {
		if p.Costs[i] = j.costs.Negative; y > 0 {
			p.Costs[i] = j.costs.Positive
		}
		if j.weights != nil {
			p.Costs[i] *= j.weights[i]
		}
	}
	sol, err := p.Solve(ctx)
	if err != nil {
		return result{}, err
	}
	r := result{weights: make([]float64, len(all.names)), Solution: svm.Solution{
		Rho: 0 - sol.Bias, Certificate: sol.Certificate, Iterations: sol.Iterations, Solver: lasso.Name,
	}}
	for f, w := range sol.Weights {
		if r.weights[features[f]] = w; w != 0 {
			r.supportVectors++
		}
	}
	if len(j.test) > 0 {
		r.decisions = make([]float64, len(j.test))
		for i, record := range j.test {
			r.decisions[i] = all.rows.Gather(r.weights, record) + sol.Bias
		}
		r.weights = nil
	}
	return r, nil
}

// setFeatures makes the support vectors of weights, one list per machine.
func setFeatures(m *decide.Model, g *listed, results []result) error {
	f := featureRecords{features: stringkernel.EnumeratorOf(m.Kernel), weights: map[string][]float64{},
		byLength: map[int][]string{}, coef: &stringkernel.Coefficients{Outputs: len(results)}}
	for i, r := range results {
		for id, w := range r.weights {
			if w != 0 {
				f.weightsOf(g.names[id])[i] = w
			}
		}
	}
	longest := 0
	for length := range maps.Keys(f.byLength) {
		longest = max(longest, length)
	}
	for length := longest; length >= 0; length-- { // a feature as a record has shorter ones, which are made up for
		slices.Sort(f.byLength[length])
		for _, name := range f.byLength[length] {
			if err := f.add(name); err != nil {
				return err
			}
		}
	}
	if f.records == nil { // kernels may reject an empty merge
		f.records, f.coef.Ends = [][]byte{[]byte(g.names[0])}, []int{0}
	}
	m.Coef = f.coef
	var err error
	m.Support, err = stringkernel.NewCorpus(f.records, nil)
	return err
}

// featureRecords collects records that are features, with coefficients by which each feature has its weights.
type featureRecords struct {
	features stringkernel.Enumerator
	weights  map[string][]float64 // of features, by machine
	byLength map[int][]string     // the features with weights
	records  [][]byte
	coef     *stringkernel.Coefficients
}

// weightsOf returns the weights of a feature, of a new one 0.
func (f *featureRecords) weightsOf(name string) []float64 {
	if f.weights[name] == nil {
		f.weights[name] = make([]float64, f.coef.Outputs)
		f.byLength[len(name)] = append(f.byLength[len(name)], name)
	}
	return f.weights[name]
}

// add appends a feature as a record, and takes what that has of shorter features from their weights.
func (f *featureRecords) add(name string) error {
	own, others, weights := 0.0, map[string]float64{}, f.weights[name]
	f.features.EachFeature([]byte(name), func(other string, value float64) {
		if other == name {
			own = value
		} else {
			others[other] = value
		}
	})
	if own == 0 {
		return fmt.Errorf("feature %.80q: %w", stringkernel.Readable(name), ErrNotListed)
	}
	for i, w := range weights {
		if w != 0 {
			f.coef.Output, f.coef.Values = append(f.coef.Output, int32(i)), append(f.coef.Values, w/own)
		}
	}
	f.coef.Ends, f.records = append(f.coef.Ends, len(f.coef.Values)), append(f.records, []byte(name))
	for other, value := range others {
		if len(other) >= len(name) {
			return fmt.Errorf("feature %.80q has %.80q in it: %w", stringkernel.Readable(name),
				stringkernel.Readable(other), ErrNotListed)
		}
		of := f.weightsOf(other)
		for i, w := range weights {
			of[i] -= float64(w / own * value)
		}
	}
	return nil
}

// check returns an error if some jobs at a time need more memory than there is.
func (g *listed) check(running int) error {
	each := float64(24*float64(g.rows.Entries())) + float64(48*float64(g.rows.Width()+g.rows.Len()))
	if err := memory.Check(each * float64(running)); err != nil {
		return fmt.Errorf("classify: %d problems at a time of %d features need %w; take fewer records or threads", running,
			g.rows.Width(), err)
	}
	return nil
}
