package compose

import (
	"context"
	"errors"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/seqsvm/seqsvm/internal/scratch"
	"github.com/seqsvm/seqsvm/internal/vectors"
	"github.com/seqsvm/seqsvm/stringkernel"
	"gonum.org/v1/gonum/floats"
)

// Mean is the weighted mean of several kernels, Σ_t w_t·k_t(x, y)/Σ_t w_t: a concatenation of their feature spaces, so
// everything stays linear-time. The mean rather than the sum keeps k(x, x) = 1 when every term is normalised, so that C
// means the same.
type Mean struct {
	Terms   []stringkernel.Kernel
	Weights []float64 // w_t > 0 of each term; nil if all are equal
}

// Check checks each term.
func (k Mean) Check() error {
	_, err := k.Compile()
	return err
}

// Compile compiles each term.
func (k Mean) Compile() (stringkernel.Kernel, error) {
	if len(k.Terms) == 0 {
		return nil, errors.New("sum: no kernels, want at least 1")
	}
	if err := k.checkWeights(); err != nil {
		return nil, err
	}
	terms, err := ofTerms(k, func(_ int, term stringkernel.Kernel) (stringkernel.Kernel, error) {
		if term == nil {
			return nil, errors.New("no kernel")
		}
		return stringkernel.Compile(term)
	})
	return k.of(terms), err
}

// checkWeights returns an error unless each term has a weight, or none.
func (k Mean) checkWeights() error {
	if k.Weights == nil {
		return nil
	}
	if len(k.Weights) != len(k.Terms) {
		return fmt.Errorf("sum: %d weights for %d terms", len(k.Weights), len(k.Terms))
	}
	for t, w := range k.Weights {
		if !(w > 0) || math.IsInf(w, 0) {
			return fmt.Errorf("sum: term %d has the weight %v, want a finite number > 0", t+1, w)
		}
	}
	if total := shares(k.Weights).total(len(k.Weights)); math.IsInf(total, 0) {
		return fmt.Errorf("sum: weights that sum to %v, want a finite number", total)
	}
	return nil
}

// of returns the mean of other terms by the same weights.
func (k Mean) of(terms []stringkernel.Kernel) Mean { return Mean{terms, k.Weights} }

// shares are the weights of the terms of a mean, nil for equal ones.
type shares []float64

// weight returns that of term t.
func (s shares) weight(t int) float64 {
	if s == nil {
		return 1
	}
	return s[t]
}

// total returns the sum of the weights of all n terms.
func (s shares) total(n int) float64 {
	if s == nil {
		return float64(n)
	}
	return floats.Sum(s)
}

// ofTerms collects something of each term, numbered from 0.
func ofTerms[T any](k Mean, of func(t int, term stringkernel.Kernel) (T, error)) ([]T, error) {
	return ofParts("sum: term", k.Terms, of)
}

// ofParts collects something of each part of a composed kernel, numbered from 0; errors say which.
func ofParts[T any](
	part string, kernels []stringkernel.Kernel, of func(i int, k stringkernel.Kernel) (T, error),
) ([]T, error) {
	list := make([]T, len(kernels))
	for i, k := range kernels {
		var err error
		if list[i], err = of(i, k); err != nil {
			return nil, fmt.Errorf("%s %d: %w", part, i+1, err)
		}
	}
	return list, nil
}

// over returns the mean of a value of the terms.
func (k Mean) over(value func(term stringkernel.Kernel) float64) float64 {
	sum, weights := 0.0, shares(k.Weights)
	for t, term := range k.Terms {
		sum += float64(weights.weight(t) * value(term))
	}
	return sum / weights.total(len(k.Terms))
}

// Eval returns the mean of the terms.
func (k Mean) Eval(x, y []byte) float64 {
	return k.over(func(term stringkernel.Kernel) float64 { return term.Eval(x, y) })
}

// SelfEval returns the mean of the terms' k(x, x).
func (k Mean) SelfEval(x []byte) float64 {
	return k.over(func(term stringkernel.Kernel) float64 { return SelfEval(term, x) })
}

// JointSelfEval returns the mean of the terms' |φ(x) + φ(y)|².
func (k Mean) JointSelfEval(x, y []byte) float64 {
	return k.over(func(term stringkernel.Kernel) float64 { return JointSelfEval(term, x, y) })
}

// Gram indexes the corpus once per term.
func (k Mean) Gram(ctx context.Context, c *stringkernel.Corpus) (stringkernel.Gram, error) {
	terms, err := ofTerms(k, func(_ int, term stringkernel.Kernel) (stringkernel.Gram, error) {
		return term.Gram(ctx, c)
	})
	if err != nil {
		return nil, err
	}
	return &meanGram{k, terms}, nil
}

// Merge merges each term.
func (k Mean) Merge(
	ctx context.Context, sv *stringkernel.Corpus, c *stringkernel.Coefficients,
) (stringkernel.Scorer, error) {
	return k.newScorer(func(_ int, term stringkernel.Kernel) (stringkernel.Scorer, error) {
		return term.Merge(ctx, sv, c)
	})
}

// Traits are the checks of all terms, and the sum of what they take.
func (k Mean) Traits() stringkernel.Traits {
	return stringkernel.Traits{CheckOutputs: func(outputs int) error {
		_, err := ofTerms(k, func(_ int, term stringkernel.Kernel) (none struct{}, err error) {
			if check := stringkernel.TraitsOf(term).CheckOutputs; check != nil {
				err = check(outputs)
			}
			return none, err
		})
		return err
	}, MergeBytes: func(sequences, letters, outputs int) (all float64) {
		for _, term := range k.Terms {
			if bytes := stringkernel.TraitsOf(term).MergeBytes; bytes != nil {
				all += bytes(sequences, letters, outputs)
			}
		}
		return all
	}, Prepare: func(ctx context.Context) error { return prepareAll(ctx, k.Terms) }}
}

// Fitter fits the terms that depend on a corpus, if any does.
func (k Mean) Fitter() stringkernel.Fitter {
	if slices.ContainsFunc(k.Terms, stringkernel.DependsOnCorpus) {
		return meanOptions(k)
	}
	return nil
}

// meanOptions are the options that the kernel has if the terms do.
type meanOptions Mean

func (f meanOptions) Fit(ctx context.Context, c *stringkernel.Corpus) (stringkernel.Kernel, error) {
	terms, err := ofTerms(Mean(f), func(_ int, term stringkernel.Kernel) (stringkernel.Kernel, error) {
		return stringkernel.Fit(ctx, term, c)
	})
	return Mean(f).of(terms), err
}

// Reference returns the corpus the terms were fitted to, nil if none was.
func (f meanOptions) Reference() *stringkernel.Corpus {
	for _, term := range f.Terms {
		if c := stringkernel.Reference(term); c != nil {
			return c
		}
	}
	return nil
}

// SelfContained reports whether every term is that depends on a corpus.
func (f meanOptions) SelfContained() bool {
	return !slices.ContainsFunc(f.Terms, func(t stringkernel.Kernel) bool {
		inner := stringkernel.FitterOf(t)
		return inner != nil && !inner.SelfContained()
	})
}

// Restorer stores and restores the scorers of the terms, if all of them can be.
func (k Mean) Restorer() stringkernel.Restorer {
	return givenAll(k.Terms, stringkernel.RestorerOf, stringkernel.Restorer(meanOptions(k)))
}

// Arrays names the arrays of term t, 0-based, "t/…".
func (k meanOptions) Arrays(s stringkernel.Scorer) (arrays []stringkernel.Array) {
	for t, term := range s.(*meanScorer).inside {
		own := stringkernel.RestorerOf(k.Terms[t]).Arrays(term)
		if own == nil {
			return nil
		}
		for _, a := range own {
			arrays = append(arrays, stringkernel.Array{Name: strconv.Itoa(t) + "/" + a.Name, Data: a.Data})
		}
	}
	return arrays
}

func (k meanOptions) Restore(arrays []stringkernel.Array) (stringkernel.Scorer, error) {
	parts := make([][]stringkernel.Array, len(k.Terms))
	for _, a := range arrays {
		number, name, found := strings.Cut(a.Name, "/")
		t, err := strconv.Atoi(number)
		if !found || err != nil || t < 0 || t >= len(parts) {
			return nil, fmt.Errorf("sum: array %q belongs to none of the %d terms", a.Name, len(parts))
		}
		parts[t] = append(parts[t], stringkernel.Array{Name: name, Data: a.Data})
	}
	return Mean(k).newScorer(func(t int, term stringkernel.Kernel) (stringkernel.Scorer, error) {
		return stringkernel.RestorerOf(term).Restore(parts[t])
	})
}

// Family is that of the terms, in order, whatever their weights.
func (k Mean) Family() string { return "sum(" + familiesOf(k.Terms) + ")" }

func familiesOf(kernels []stringkernel.Kernel) string {
	families := make([]string, len(kernels))
	for i, k := range kernels {
		families[i] = stringkernel.FamilyOf(k)
	}
	return strings.Join(families, "; ")
}

// Share indexes the corpus once per term.
func (k Mean) Share(
	ctx context.Context, x *stringkernel.Indexes, members []stringkernel.Kernel,
) (stringkernel.Shared, error) {
	terms, err := ofTerms(k, func(t int, term stringkernel.Kernel) (stringkernel.Shared, error) {
		inner := make([]stringkernel.Kernel, len(members))
		for i, m := range members {
			inner[i] = m.(Mean).Terms[t]
		}
		return x.ShareBy(ctx, term, inner)
	})
	return func(ctx context.Context, k stringkernel.Kernel, train []int) (stringkernel.Gram, error) {
		grams, err := ofTerms(k.(Mean), func(t int, term stringkernel.Kernel) (stringkernel.Gram, error) {
			return terms[t](ctx, term, train)
		})
		if err != nil {
			return nil, err
		}
		return &meanGram{k.(Mean), grams}, nil
	}, err
}

// Comparer takes the mean of what the terms' find, if all terms have one.
func (k Mean) Comparer() Comparer {
	return givenAll(k.Terms, ComparerOf, Comparer(meanOptions(k)))
}

func (k meanOptions) Compare(ctx context.Context, c *stringkernel.Corpus) (stringkernel.Comparison, error) {
	terms, err := ofTerms(Mean(k), func(_ int, term stringkernel.Kernel) (stringkernel.Comparison, error) {
		return ComparerOf(term).Compare(ctx, c)
	})
	return func(dst []float64, x []byte) {
		mean(dst, k.Weights, terms, func(out []float64, compare stringkernel.Comparison) { compare(out, x) })
	}, err
}

// WindowNorms are the mean of the terms', if all terms have them.
func (k Mean) WindowNorms() WindowNorms {
	return givenAll(k.Terms, WindowNormsOf, WindowNorms(meanOptions(k)))
}

func (k meanOptions) TrackSelfTo(dst []float64, x []byte, window int) {
	mean(dst[:len(x)-window+1], k.Weights, k.Terms, func(out []float64, t stringkernel.Kernel) {
		TrackSelf(out, t, x, window)
	})
}

func (k meanOptions) TrackJointSelfTo(dst []float64, x, y []byte, window int) {
	mean(dst[:len(x)-window+1], k.Weights, k.Terms, func(out []float64, t stringkernel.Kernel) {
		WindowNormsOf(t).TrackJointSelfTo(out, x, y, window)
	})
}

func (k meanOptions) StrandSymmetric() bool {
	return !slices.ContainsFunc(k.Terms,
		func(t stringkernel.Kernel) bool { return !WindowNormsOf(t).StrandSymmetric() })
}

// mean writes into dst the weighted mean over the terms of what write gives, summed in order.
func mean[T any](dst []float64, weights shares, terms []T, write func(out []float64, t T)) {
	one := scratch.Borrow(&scratch.Pool, len(dst))
	defer scratch.Pool.Put(one)
	meanBy(*one, dst, weights, terms, write)
}

// meanBy is mean with space for what one term gives.
func meanBy[T any](one, dst []float64, weights shares, terms []T, write func(out []float64, t T)) {
	clear(dst)
	for t, term := range terms {
		write(one, term)
		weights.add(dst, one, t)
	}
	divide(dst, weights.total(len(terms)))
}

// add adds to dst what term t gives, by its weight.
func (s shares) add(dst, one []float64, t int) {
	if s == nil {
		floats.Add(dst, one)
		return
	}
	vectors.AddScaled(dst, s[t], one)
}

// prepareAll prepares the terms.
func prepareAll[T any](ctx context.Context, terms []T) error {
	for _, t := range terms {
		if err := stringkernel.Prepare(ctx, t); err != nil {
			return err
		}
	}
	return nil
}

func divide(dst []float64, by float64) {
	for i := range dst {
		dst[i] /= by
	}
}
