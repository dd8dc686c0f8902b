package compose

import (
	"context"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"gonum.org/v1/gonum/floats"

	"github.com/seqsvm/seqsvm/internal/scratch"
	"github.com/seqsvm/seqsvm/stringkernel"
)

// compare compares what the terms see of sequences.
func (k Linear) compare(ctx context.Context, c *stringkernel.Corpus) (stringkernel.Comparison, error) {
	seen, n := k.seen(c), c.Len()
	terms, err := ofTerms(k, func(_ int, term stringkernel.Kernel) (stringkernel.Comparison, error) {
		return Compare(ctx, term, seen)
	})
	if err != nil {
		return nil, err
	}
	var scales []float64
	if k.Cosine {
		if scales, err = k.scales(ctx, c); err != nil {
			return nil, err
		}
	}
	return func(dst []float64, x []byte) {
		x = k.part(x)
		if k.Strands == "" {
			mean(dst, k.Weights, terms, func(out []float64, compare stringkernel.Comparison) { compare(out, x) })
		} else {
			k.compareStrands(dst, terms, x)
		}
		if k.Cosine {
			floats.Scale(inverseRoot(k.square(x)), dst[:n])
			floats.Mul(dst[:n], scales)
		}
	}, nil
}

// compareStrands compares both strands of a sequence with both strands of others.
func (k Linear) compareStrands(dst []float64, terms []stringkernel.Comparison, x []byte) {
	n := len(dst)
	rows := scratch.Borrow(&scratch.Pool, 4*n)
	defer scratch.Pool.Put(rows)
	rc := k.opposite(x)
	mean(*rows, k.Weights, terms, func(out []float64, compare stringkernel.Comparison) {
		compare(out[:2*n], x)
		compare(out[2*n:], rc)
	})
	plus, minus := (*rows)[:2*n], (*rows)[2*n:]
	for i := range dst {
		dst[i] = (plus[i] + minus[n+i]) + (minus[i] + plus[n+i])
	}
}

// Traits are those of the terms: of several the checks of all, and the sum of what they take. Scores of both strands
// are the same, so that no caller asks for the norms of both.
func (k Linear) Traits() stringkernel.Traits {
	t := k.traitsOfAll()
	if len(k.Terms) == 1 {
		t = stringkernel.TraitsOf(k.Terms[0])
	}
	if bytes := t.MergeBytes; bytes != nil && k.Strands != "" {
		t.MergeBytes = func(sequences, letters, outputs int) float64 {
			return float64(2*letters) + bytes(2*sequences, 2*letters, outputs)
		}
	}
	t.Compile, t.Compare, t.Fold, t.StrandSymmetric = k.Compile, k.compare, k.fold, k.sees()
	t.JointSelf, t.TrackSelf, t.TrackJointSelf = nil, nil, nil
	tracks := true
	for _, term := range k.Terms {
		own := stringkernel.TraitsOf(term)
		t.StrandSymmetric = t.StrandSymmetric && own.StrandSymmetric
		tracks = tracks && own.TrackSelf != nil && (k.Strands == "" || own.TrackJointSelf != nil)
	}
	if tracks {
		t.TrackSelf = k.trackSelf
	}
	if !k.cuts() {
		return t
	}
	t.KmerLength = 0 // they are not wherever they are
	if check := t.CheckRecord; check != nil {
		t.CheckRecord = func(x []byte) error { return check(k.part(x)) }
	}
	if each := t.EachUnit; each != nil {
		t.EachUnit = func(x []byte, visit func(lo, hi int)) {
			each(k.part(x), func(lo, hi int) { visit(k.From+lo, k.From+hi) })
		}
	}
	return t
}

func (k Linear) traitsOfAll() stringkernel.Traits {
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
func (k Linear) Fitter() stringkernel.Fitter {
	if slices.ContainsFunc(k.Terms, stringkernel.DependsOnCorpus) {
		return k
	}
	return nil
}

// Fit fits the terms to what they see of the corpus: each strand counts as a sequence.
func (k Linear) Fit(ctx context.Context, c *stringkernel.Corpus) (stringkernel.Kernel, error) {
	seen := k.seen(c)
	terms, err := ofTerms(k, func(_ int, term stringkernel.Kernel) (stringkernel.Kernel, error) {
		return stringkernel.Fit(ctx, term, seen)
	})
	k.Terms, k.fitted = terms, &fitting{c, seen}
	return k, err
}

// Reference returns the corpus the terms were fitted to, nil if none was.
func (k Linear) Reference() *stringkernel.Corpus {
	switch {
	case k.fitted != nil:
		return k.fitted.corpus
	case !k.sees():
		return nil
	}
	return referenceOf(k.Terms)
}

// SelfContained reports whether every term is that depends on a corpus. On both strands it must be one that can count
// these itself: |φ(x) + φ(rc(x))|² is the term's, which must be fitted for it.
func (k Linear) SelfContained() bool {
	return !slices.ContainsFunc(k.Terms, func(t stringkernel.Kernel) bool {
		inner := stringkernel.FitterOf(t)
		return inner != nil && (!inner.SelfContained() || k.Strands != "" && StrandedOf(t) == nil)
	})
}

// Restorer stores and restores the scorers of the terms, if all of them can be.
func (k Linear) Restorer() stringkernel.Restorer {
	return givenAll(k.Terms, stringkernel.RestorerOf, stringkernel.Restorer(k))
}

// Arrays names the arrays of term t of several, 0-based, "t/…".
func (k Linear) Arrays(s stringkernel.Scorer) (arrays []stringkernel.Array) {
	for t, term := range s.(*linearScorer).terms {
		own := stringkernel.RestorerOf(k.Terms[t]).Arrays(term)
		if own == nil || len(k.Terms) == 1 {
			return own
		}
		for _, a := range own {
			arrays = append(arrays, stringkernel.Array{Name: strconv.Itoa(t) + "/" + a.Name, Data: a.Data})
		}
	}
	return arrays
}

// Restore restores the scorers of the terms.
func (k Linear) Restore(arrays []stringkernel.Array) (stringkernel.Scorer, error) {
	compiled, err := k.Compile()
	if err != nil {
		return nil, err
	}
	k = compiled.(Linear)
	parts := [][]stringkernel.Array{arrays}
	if len(k.Terms) > 1 {
		parts = make([][]stringkernel.Array, len(k.Terms))
		for _, a := range arrays {
			number, name, found := strings.Cut(a.Name, "/")
			t, err := strconv.Atoi(number)
			if !found || err != nil || t < 0 || t >= len(parts) {
				return nil, fmt.Errorf("sum: array %q belongs to none of the %d terms", a.Name, len(parts))
			}
			parts[t] = append(parts[t], stringkernel.Array{Name: name, Data: a.Data})
		}
	}
	return k.newScorer(func(t int, term stringkernel.Kernel) (stringkernel.Scorer, error) {
		return stringkernel.RestorerOf(term).Restore(parts[t])
	})
}

// IndexSharer shares what the terms see of the corpus. On both strands, a kernel that depends on a corpus shares no
// index: document frequencies count strands.
func (k Linear) IndexSharer() stringkernel.IndexSharer {
	if k.Strands != "" && k.Fitter() != nil {
		return nil
	}
	return k
}

// Family is that of the terms, in order, whatever their weights.
func (k Linear) Family() string {
	return fmt.Sprintf("linear(%d, %d, %d, %t, %s, %t, %s)", k.From, k.To, k.Drop, k.AnyCase, k.Strands, k.Cosine,
		familiesOf(k.Terms))
}

// Share indexes what the terms see of the corpus, once per term.
func (k Linear) Share(
	ctx context.Context, x *stringkernel.Indexes, members []stringkernel.Kernel,
) (stringkernel.Shared, error) {
	corpus := x.Corpus
	if !k.sees() {
		x = &stringkernel.Indexes{Corpus: k.seen(corpus)}
	}
	terms, err := shareInside(ctx, x, k.Terms, members, func(k Linear) []stringkernel.Kernel { return k.Terms })
	return func(ctx context.Context, k stringkernel.Kernel, train []int) (stringkernel.Gram, error) {
		grams, err := ofTerms(k.(Linear), func(t int, term stringkernel.Kernel) (stringkernel.Gram, error) {
			return terms[t](ctx, term, train)
		})
		if err != nil {
			return nil, err
		}
		return k.(Linear).gram(ctx, corpus, grams)
	}, err
}

// Enumerator lists the features of a single term, divided by the norm. On both strands it adds up the values: a feature
// and its reverse complement have the same sum, v, and are one feature of value √2·v under the alphabetically first.
func (k Linear) Enumerator() stringkernel.Enumerator {
	if len(k.Terms) > 1 {
		return nil
	}
	return given(stringkernel.EnumeratorOf(k.Terms[0]), stringkernel.Enumerator(k))
}

// EachFeature visits the features of x.
func (k Linear) EachFeature(x []byte, visit func(name string, value float64)) {
	x = k.part(x)
	inner, scale := stringkernel.EnumeratorOf(k.Terms[0]), 1.0
	if k.Cosine {
		scale = inverseRoot(k.square(x))
	}
	if k.Strands == "" {
		inner.EachFeature(x, func(name string, value float64) { visit(name, float64(value*scale)) })
		return
	}
	var names []string
	values := map[string]float64{}
	add := func(name string, value float64) {
		other := string(k.opposite([]byte(name)))
		if name == other {
			value *= math.Sqrt2 // it occurs once where a feature and its different complement both occur
		}
		name = min(name, other)
		if _, known := values[name]; !known {
			names = append(names, name)
		}
		values[name] += value
	}
	inner.EachFeature(x, add)
	inner.EachFeature(k.opposite(x), add)
	for _, name := range names {
		visit(name, float64(values[name]/math.Sqrt2*scale))
	}
}

// trackSelf writes k(w, w) of the windows w of x.
func (k Linear) trackSelf(dst []float64, x []byte, window int) {
	dst = dst[:len(x)-window+1]
	from, to := k.bounds(window)
	part := k.letters(x[from : len(x)-window+to])
	switch {
	case from == to: // no window has the part
		for p := range dst {
			dst[p] = k.square(nil)
		}
	case k.Strands == "":
		mean(dst, k.Weights, k.Terms, func(out []float64, t stringkernel.Kernel) { TrackSelf(out, t, part, to-from) })
	default:
		rc := k.opposite(part)
		mean(dst, k.Weights, k.Terms, func(out []float64, t stringkernel.Kernel) {
			stringkernel.TraitsOf(t).TrackJointSelf(out, part, rc, to-from)
		})
	}
	if k.Cosine {
		for p, square := range dst {
			dst[p] = unit(inverseRoot(square))
		}
	}
}
