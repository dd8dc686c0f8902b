package solve

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"

	"github.com/seqsvm/seqsvm/classify/internal/lasso"
	"github.com/seqsvm/seqsvm/classify/svm"
	"github.com/seqsvm/seqsvm/internal/cancel"
	"github.com/seqsvm/seqsvm/internal/memory"
	"github.com/seqsvm/seqsvm/internal/rows"
	"github.com/seqsvm/seqsvm/internal/subset"
	"github.com/seqsvm/seqsvm/stringkernel"
)

// ErrNotListed is wrapped by the error for a kernel whose features the penalty of a sum cannot be of.
var ErrNotListed = errors.New("classify: the penalty l1 is one of features that are records of their own, such as " +
	"those of words, spectrum or table, alone and without rbf")

// Listed is a matrix with all features of its records, in the order of their names: of features that occur together
// the same ones have a weight wherever else there are records.
type Listed struct {
	stringkernel.Gram
	Rows  *rows.Rows
	Names []string
}

// Listing lists the features of a corpus.
func Listing(ctx context.Context, k stringkernel.Kernel, c *stringkernel.Corpus) (g *Listed, err error) {
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
	return &Listed{rows.NewGram(ctx, all), all, names}, nil
}

// part returns the features of some records (nil: all), in the same order, as rows of these alone.
func (g *Listed) part(index []int) (records *rows.Rows, features []int) {
	if index == nil {
		index = subset.Whole(g.Rows.Len())
	}
	number := make([]int32, len(g.Names))
	for _, record := range index {
		ids, _ := g.Rows.Row(record)
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
	return g.Rows.Renumbered(index, number, len(features)), features
}

// solveFew solves a job by the features of its records.
func (r Runner) solveFew(ctx context.Context, g stringkernel.Gram, settings svm.Problem, j Job) (Result, error) {
	all, is := g.(*Listed)
	if !is {
		return Result{}, svm.CheckOption(false, "Penalty", "l1", "l2 for a matrix of the caller's")
	}
	rows, features := all.part(j.Index)
	p := lasso.Problem{
		Rows: rows, Y: j.Y, Costs: make([]float64, len(j.Y)), Logistic: r.Logistic, NoBias: r.Problem.NoBias,
		Tol: max(settings.Tol, j.Tol), Seed: r.Seed, Progress: settings.Progress,
	}
	for i, y := range j.Y {
		if p.Costs[i] = j.Costs.Negative; y > 0 {
			p.Costs[i] = j.Costs.Positive
		}
		if j.Weights != nil {
			p.Costs[i] *= j.Weights[i]
		}
	}
	sol, err := p.Solve(ctx)
	if err != nil {
		return Result{}, err
	}
	out := Result{weights: make([]float64, len(all.Names)), Solution: svm.Solution{
		Rho: 0 - sol.Bias, Certificate: sol.Certificate, Iterations: sol.Iterations, Solver: lasso.Name,
	}}
	for f, w := range sol.Weights {
		if out.weights[features[f]] = w; w != 0 {
			out.SupportVectors++
		}
	}
	if len(j.Test) > 0 {
		out.Decisions = make([]float64, len(j.Test))
		for i, record := range j.Test {
			out.Decisions[i] = all.Rows.Gather(out.weights, record) + sol.Bias
		}
		out.weights = nil
	}
	return out, nil
}

// Support makes support vectors of the weights of features of a kernel, one result per machine.
func (g *Listed) Support(
	k stringkernel.Kernel, results []Result,
) (*stringkernel.Corpus, *stringkernel.Coefficients, error) {
	f := featureRecords{features: stringkernel.EnumeratorOf(k), weights: map[string][]float64{},
		byLength: map[int][]string{}, coef: &stringkernel.Coefficients{Outputs: len(results)}}
	for i, r := range results {
		for id, w := range r.weights {
			if w != 0 {
				f.weightsOf(g.Names[id])[i] = w
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
				return nil, nil, err
			}
		}
	}
	if f.records == nil { // kernels may reject an empty merge
		f.records, f.coef.Ends = [][]byte{[]byte(g.Names[0])}, []int{0}
	}
	corpus, err := stringkernel.NewCorpus(f.records, nil)
	return corpus, f.coef, err
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
func (g *Listed) check(running int) error {
	each := float64(24*float64(g.Rows.Entries())) + float64(48*float64(g.Rows.Width()+g.Rows.Len()))
	if err := memory.Check(each * float64(running)); err != nil {
		return fmt.Errorf("classify: %d problems at a time of %d features need %w; take fewer records or threads", running,
			g.Rows.Width(), err)
	}
	return nil
}
