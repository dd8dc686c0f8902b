package spectrum

import (
	"context"
	"fmt"

	"github.com/seqsvm/seqsvm/internal/cancel"
	"github.com/seqsvm/seqsvm/internal/elementary"
	"github.com/seqsvm/seqsvm/internal/sparse"
	"github.com/seqsvm/seqsvm/internal/stored"
	"github.com/seqsvm/seqsvm/stringkernel"
)

// K-mers weighted by the records that have them (tfidf): of n records of training, df of which have a k-mer, it has the
// factor 1 + ln((1 + n)/(1 + df)) times what the function makes of its count, and one that none has is no feature. That
// is words:tfidf, and scikit-learn's TfidfVectorizer. With both strands the counts, and the records that have a k-mer,
// are those of both.

// byFrequency is the kernel of weights by document frequency: every method of Kernel for one with TFIDF.
type byFrequency Kernel

// frequencies is what a kernel knows of its reference corpus. It is safe for concurrent use.
type frequencies struct {
	corpus *stringkernel.Corpus
	kmers  *countedScorer // one output: the factor of a k-mer
	starts []int32        // of each length, the number of its first k-mer among all; and at last that of all
}

// weighs reports whether k-mers have other values than their counts.
func (k Kernel) weighs() bool { return k.TFIDF || !k.Count.Linear() }

// withoutFrequencies is the kernel in which every k-mer has the factor 1.
func (k byFrequency) withoutFrequencies() Kernel {
	k.TFIDF, k.fitted = false, nil
	return Kernel(k)
}

// Fitter returns the kernel by document frequency, nil without: it does not depend on a corpus then.
func (k Kernel) Fitter() stringkernel.Fitter {
	if !k.TFIDF {
		return nil
	}
	return byFrequency(k)
}

// SelfContained reports true: a stored scorer holds the factors.
func (k byFrequency) SelfContained() bool { return true }

// Reference returns the corpus of a fitted kernel, else nil.
func (k byFrequency) Reference() *stringkernel.Corpus {
	if k.fitted == nil {
		return nil
	}
	return k.fitted.corpus
}

// Fit returns the kernel with the document frequencies of c. O(N) for N letters, for each length.
func (k byFrequency) Fit(ctx context.Context, c *stringkernel.Corpus) (kernel stringkernel.Kernel, err error) {
	defer cancel.Catch(&err)
	if err := Kernel(k).Check(); err != nil {
		return nil, err
	}
	if err := throughCount(k).checkIndex(c, false, Kernel(k).lengths()); err != nil {
		return nil, err
	}
	through, factor := throughCount(k), []float64{0}
	levels, err := through.levels(ctx, through.records(c), Kernel(k).shortest(), 1, 0,
		func(rows *countedRows, code uint64, h *holding) {
			factor[0] = 1 + elementary.Log(float64(1+c.Len())/float64(1+len(h.docs)))
			rows.put(code, factor)
		})
	if err != nil {
		return nil, err
	}
	starts := []int32{0}
	for _, l := range levels {
		starts = append(starts, starts[len(starts)-1]+int32(len(l.codes)))
	}
	k.fitted = &frequencies{c, newCountedScorer(throughCount(k.withoutFrequencies()), 1, levels), starts}
	k.fitted.kmers.arranged.Get(ctx)
	return Kernel(k), nil
}

// width returns the number of features.
func (f *frequencies) width() int { return int(f.starts[len(f.starts)-1]) }

// eachFeature calls visit with the features of x, each once, and their values.
func (f *frequencies) eachFeature(x []byte, visit func(id int32, value float64)) {
	f.kmers.eachCount(f.kmers.kernel.record(x), func(l *countedLevel, number int32, n int) {
		visit(f.starts[l.coder.K-f.kmers.levels[0].coder.K]+number, f.kmers.valueOf(l, number, n, 0))
	})
}

// rows returns the records of a corpus as rows of features.
func (f *frequencies) rows(ctx context.Context, c *stringkernel.Corpus) *sparse.Rows {
	return sparse.Collect(ctx, c.Len(), f.width(), func(r *sparse.Rows, lo, hi int) {
		for j := lo; j < hi; j++ {
			cancel.Check(ctx)
			f.eachFeature(c.Seq(j), r.Add)
			r.End()
		}
	})
}

func (k byFrequency) eval(x, y []byte) float64 {
	if k.fitted == nil {
		return k.withoutFrequencies().Eval(x, y)
	}
	values, sum := make(map[int32]float64), 0.0
	k.fitted.eachFeature(x, func(id int32, value float64) { values[id] = value })
	k.fitted.eachFeature(y, func(id int32, value float64) { sum += float64(values[id] * value) })
	return sum
}

func (k byFrequency) self(ctx context.Context, x []byte) (sum float64) {
	if k.fitted == nil {
		return k.withoutFrequencies().selfEval(ctx, x)
	}
	k.fitted.eachFeature(x, func(_ int32, value float64) { sum += float64(value * value) })
	return sum
}

// eachFeature lists the k-mers of x with their values, by length and in alphabetical order.
func (k byFrequency) eachFeature(x []byte, visit func(name string, value float64)) {
	if k.fitted == nil {
		k.withoutFrequencies().EachFeature(x, visit)
		return
	}
	kmers := k.fitted.kmers
	x = kmers.kernel.record(x)
	for i := range kmers.levels {
		l := &kmers.levels[i]
		l.coder.eachCount(x, func(code uint64, count int) {
			if number := l.number(code); number >= 0 {
				visit(l.coder.String(code), kmers.valueOf(l, number, count, 0))
			}
		})
	}
}

// gram indexes a corpus: 12 bytes per k-mer of a record.
func (k byFrequency) gram(ctx context.Context, c *stringkernel.Corpus) (stringkernel.Gram, error) {
	if k.fitted == nil {
		fitted, err := k.Fit(ctx, c)
		if err != nil {
			return nil, err
		}
		k = byFrequency(fitted.(Kernel))
	}
	if err := throughCount(k).checkIndex(c, true, Kernel(k).lengths()); err != nil {
		return nil, err
	}
	return sparse.NewGram(ctx, k.fitted.rows(ctx, c)), nil
}

// compare lists a corpus by feature.
func (k byFrequency) compare(ctx context.Context, c *stringkernel.Corpus) (_ stringkernel.Comparison, err error) {
	defer cancel.Catch(&err)
	if err := throughCount(k).checkIndex(c, true, Kernel(k).lengths()); err != nil {
		return nil, err
	}
	columns := k.fitted.rows(ctx, c).Columns()
	return func(dst []float64, x []byte) {
		clear(dst)
		k.fitted.eachFeature(x, func(id int32, value float64) { columns.AddTo(dst, uint32(id), value) })
	}, nil
}

// merge folds the support vectors into a row of weights per k-mer, each times its factor.
func (k byFrequency) merge(
	ctx context.Context, sv *stringkernel.Corpus, c *stringkernel.Coefficients,
) (stringkernel.Scorer, error) {
	if k.fitted == nil {
		return k.withoutFrequencies().Merge(ctx, sv, c)
	}
	f, columns := k.fitted, c.Outputs+1
	if err := sparse.CheckTable(f.width(), c.Outputs, columns); err != nil {
		return nil, fmt.Errorf("spectrum: %w", err)
	}
	if err := throughCount(k).checkIndex(sv, true, Kernel(k).lengths()); err != nil {
		return nil, err
	}
	table := make([]float64, f.width()*columns)
	sparse.Merge(c, f.rows(ctx, sv).Row, func(id uint32) []float64 {
		return table[int(id)*columns:][1:columns]
	})
	var levels []countedLevel
	for i, l := range f.kmers.levels {
		values := table[int(f.starts[i])*columns : int(f.starts[i+1])*columns]
		for number, factor := range l.values {
			row := values[number*columns:][:columns]
			row[0] = factor
			for m := range row[1:] {
				row[1+m] *= factor
			}
		}
		levels = append(levels, countedLevel{coder: l.coder, codes: l.codes, values: values})
	}
	return newFrequencyScorer(k, c.Outputs, levels), nil
}

// frequencyScorer is the factors and weights of all k-mers of the records of training. It tracks no windows: norms of
// windows would be those of the kernel, which is not fitted where a model was read.
type frequencyScorer struct {
	outputs int
	kmers   *countedScorer // a row per k-mer: its factor, and of each output the weight times it
}

func newFrequencyScorer(k byFrequency, outputs int, levels []countedLevel) *frequencyScorer {
	return &frequencyScorer{outputs, newCountedScorer(throughCount(k.withoutFrequencies()), outputs+1, levels)}
}

// Traits says that weights are to be arranged for scores.
func (s *frequencyScorer) Traits() stringkernel.Traits { return s.kmers.Traits() }

// Outputs returns the number of scores per sequence.
func (s *frequencyScorer) Outputs() int { return s.outputs }

// ScoreTo looks up the k-mers of x: O(|x|) for each length.
func (s *frequencyScorer) ScoreTo(dst []float64, x []byte) { s.SelfScoreTo(dst, x) }

// SelfScoreTo is ScoreTo and also returns k(x, x).
func (s *frequencyScorer) SelfScoreTo(dst []float64, x []byte) (self float64) {
	dst = dst[:s.outputs]
	clear(dst)
	columns := s.outputs + 1
	s.kmers.eachCount(s.kmers.kernel.record(x), func(l *countedLevel, number int32, n int) {
		row, value := l.values[int(number)*columns:][:columns], s.kmers.values.At(uint32(n))
		weighted := float64(value * row[0])
		self += float64(weighted * weighted)
		for m, weight := range row[1:] {
			dst[m] += float64(value * weight)
		}
	})
	return self
}

// ExplainTo divides what a k-mer adds to score m evenly among its occurrences, and of each among its letters.
func (s *frequencyScorer) ExplainTo(dst []float64, m int, x []byte) { s.kmers.ExplainTo(dst, m+1, x) }

// TopFeatures lists k-mers with what one occurrence of each adds: see stringkernel.FeatureLister.
func (s *frequencyScorer) TopFeatures(mix []float64, n int) []stringkernel.Feature {
	return s.kmers.TopFeatures(append([]float64{0}, mix...), n)
}

// FeaturesOf lists the k-mers of x with what they add: see stringkernel.FeatureLister.
func (s *frequencyScorer) FeaturesOf(mix []float64, x []byte, n int) []stringkernel.Feature {
	return s.kmers.FeaturesOf(append([]float64{0}, mix...), x, n)
}

// arrays returns the scorer as flat arrays: those of one of raw counts, of all k-mers of the records of training, with
// the factor before the weights in each row.
func (s *frequencyScorer) arrays() []stringkernel.Array {
	arrays := s.kmers.arrays()
	arrays[0] = stored.Outputs(s.outputs)
	return arrays
}

// restore rebuilds a scorer from its arrays.
func (k byFrequency) restore(a *stored.Arrays) (*frequencyScorer, error) {
	outputs := a.Outputs()
	levels, err := throughCount(k).restoreLevels(a, outputs+1)
	if err != nil {
		return nil, err
	}
	return newFrequencyScorer(k, outputs, levels), nil
}
