package compose

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/seqsvm/seqsvm/internal/scratch"
	"github.com/seqsvm/seqsvm/stringkernel"
	"gonum.org/v1/gonum/floats"
)

// Mean is the mean of several kernels, (1/m)·Σ_t k_t(x, y): a concatenation of their feature spaces, so everything
// stays linear-time. The mean rather than the sum keeps k(x, x) = 1 when every term is normalised, so that C means the
// same.
type Mean struct {
	Terms []stringkernel.Kernel
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
	terms, err := ofTerms(k, func(_ int, term stringkernel.Kernel) (stringkernel.Kernel, error) {
		if term == nil {
			return nil, errors.New("no kernel")
		}
		return stringkernel.Compile(term)
	})
	return Mean{terms}, err
}

// ofTerms collects something of each term, numbered from 0.
func ofTerms[T any](k Mean, of func(t int, term stringkernel.Kernel) (T, error)) ([]T, error) {
	list := make([]T, len(k.Terms))
	for t, term := range k.Terms {
		var err error
		if list[t], err = of(t, term); err != nil {
			return nil, fmt.Errorf("sum: term %d: %w", t+1, err)
		}
	}
	return list, nil
}

// over returns the mean of a value of the terms.
func (k Mean) over(value func(term stringkernel.Kernel) float64) float64 {
	sum := 0.0
	for _, term := range k.Terms {
		sum += value(term)
	}
	return sum / float64(len(k.Terms))
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
	return Mean{terms}, err
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

// Family is that of the terms, in order.
func (k Mean) Family() string {
	terms := make([]string, len(k.Terms))
	for t, term := range k.Terms {
		terms[t] = stringkernel.FamilyOf(term)
	}
	return "sum(" + strings.Join(terms, "; ") + ")"
}

// Share indexes the corpus once per term.
func (k Mean) Share(
	ctx context.Context, c *stringkernel.Corpus, members []stringkernel.Kernel,
) (stringkernel.Shared, error) {
	terms, err := ofTerms(k, func(t int, _ stringkernel.Kernel) (stringkernel.Shared, error) {
		inner := make([]stringkernel.Kernel, len(members))
		for i, m := range members {
			inner[i] = m.(Mean).Terms[t]
		}
		return stringkernel.Share(ctx, c, inner)
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
		mean(dst, terms, func(out []float64, compare stringkernel.Comparison) { compare(out, x) })
	}, err
}

// WindowNorms are the mean of the terms', if all terms have them.
func (k Mean) WindowNorms() WindowNorms {
	return givenAll(k.Terms, WindowNormsOf, WindowNorms(meanOptions(k)))
}

func (k meanOptions) TrackSelfTo(dst []float64, x []byte, window int) {
	mean(dst[:len(x)-window+1], k.Terms, func(out []float64, t stringkernel.Kernel) { TrackSelf(out, t, x, window) })
}

func (k meanOptions) TrackJointSelfTo(dst []float64, x, y []byte, window int) {
	mean(dst[:len(x)-window+1], k.Terms, func(out []float64, t stringkernel.Kernel) {
		WindowNormsOf(t).TrackJointSelfTo(out, x, y, window)
	})
}

func (k meanOptions) StrandSymmetric() bool {
	return !slices.ContainsFunc(k.Terms,
		func(t stringkernel.Kernel) bool { return !WindowNormsOf(t).StrandSymmetric() })
}

// mean writes into dst the mean over the terms of what write gives, summed in order.
func mean[T any](dst []float64, terms []T, write func(out []float64, t T)) {
	one := scratch.Borrow(&scratch.Pool, len(dst))
	defer scratch.Pool.Put(one)
	meanBy(*one, dst, terms, write)
}

// meanBy is mean with space for what one term gives.
func meanBy[T any](one, dst []float64, terms []T, write func(out []float64, t T)) {
	clear(dst)
	for _, t := range terms {
		write(one, t)
		floats.Add(dst, one)
	}
	divide(dst, len(terms))
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

func divide(dst []float64, by int) {
	for i := range dst {
		dst[i] /= float64(by)
	}
}
