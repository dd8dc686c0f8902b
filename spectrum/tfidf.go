package spectrum

import (
	"context"
	"fmt"

	"github.com/seqsvm/seqsvm/internal/cancel"
	"github.com/seqsvm/seqsvm/internal/countof"
	"github.com/seqsvm/seqsvm/internal/elementary"
	"github.com/seqsvm/seqsvm/internal/kmer"
	"github.com/seqsvm/seqsvm/internal/rows"
	"github.com/seqsvm/seqsvm/stringkernel"
	"github.com/seqsvm/seqsvm/stringkernel/engine/table"
)

// tfidf is a kernel with TFIDF, which has its own way of all that Kernel does.
//
// Its k-mers are weighted by the records that have them: of n records of training, df of which have a k-mer, it has the
// factor 1 + ln((1 + n)/(1 + df)) times what the function makes of its count, and one that none has is no feature. That
// is words:tfidf, and scikit-learn's TfidfVectorizer. With both strands the counts, and the records that have a k-mer,
// are those of both.
type tfidf Kernel

// withoutFrequencies is the kernel in which every k-mer has the factor 1.
func (k tfidf) withoutFrequencies() Kernel {
	k.TFIDF, k.fitted = false, nil
	return Kernel(k)
}

// Fitter returns the kernel with TFIDF, nil without: it does not depend on a corpus then.
func (k Kernel) Fitter() stringkernel.Fitter {
	if !k.TFIDF {
		return nil
	}
	return tfidf(k)
}

// SelfContained reports true: a stored scorer holds the factors.
func (k tfidf) SelfContained() bool { return true }

// Reference returns the corpus of a fitted kernel, else nil.
func (k tfidf) Reference() *stringkernel.Corpus {
	if k.fitted == nil {
		return nil
	}
	return k.fitted.corpus
}

// Fit returns the kernel with the document frequencies of c. O(N) for N letters, for each length.
func (k tfidf) Fit(ctx context.Context, c *stringkernel.Corpus) (kernel stringkernel.Kernel, err error) {
	defer cancel.Catch(&err)
	if err := Kernel(k).Check(); err != nil {
		return nil, err
	}
	if err := Kernel(k).checkIndex(c, k.K-1); err != nil {
		return nil, err
	}
	f := &frequencies{corpus: c, kernel: Kernel(k), values: countof.New(k.Count), starts: []int32{0}}
	records, total := f.kernel.records(c), 0
	for length := Kernel(k).shortest(); length <= k.K; length++ {
		l := frequencyLevel(ctx, kmer.New(k.Alphabet, length), records)
		total += len(l.codes)
		if err := checkWeights(total, 1); err != nil {
			return nil, err
		}
		numbers := level{length: length, codes: l.codes, values: make([]float64, len(l.codes))}
		for i := range numbers.values {
			numbers.values[i] = float64(i + 1)
		}
		places := newScorer(k.Alphabet, 1, []level{numbers})
		places.arranged.Get(ctx)
		f.levels, f.starts, f.places = append(f.levels, l), append(f.starts, int32(total)), append(f.places, places)
	}
	k.fitted = f
	return Kernel(k), nil
}

// frequencyLevel returns the factors of the k-mers of c.K letters.
func frequencyLevel(ctx context.Context, c kmer.Coder, records *stringkernel.Corpus) level {
	l := level{length: c.K}
	for code, list := range table.SortedKmers(ctx, records, c) {
		factor := 1 + elementary.Log(float64(1+records.Len())/float64(1+len(list)))
		l.codes, l.values = append(l.codes, code), append(l.values, factor)
	}
	return l
}

// width returns the number of features.
func (f *frequencies) width() int { return int(f.starts[len(f.starts)-1]) }

// eachFeature calls visit with the features of x, each once, and their values.
func (f *frequencies) eachFeature(x []byte, visit func(id int32, value float64)) {
	record := f.kernel.record(x)
	for i, places := range f.places {
		places.coder.EachCount(record, func(code uint64, count int) {
			if at := int32(places.value(code, places.coder.K, 0)) - 1; at >= 0 {
				visit(f.starts[i]+at, float64(f.values.At(uint32(count))*f.levels[i].values[at]))
			}
		})
	}
}

// rows returns the records of a corpus as rows of features.
func (f *frequencies) rows(ctx context.Context, c *stringkernel.Corpus) *rows.Rows {
	return rows.Collect(ctx, c.Len(), f.width(), func(r *rows.Rows, lo, hi int) {
		for j := lo; j < hi; j++ {
			cancel.Check(ctx)
			f.eachFeature(c.Seq(j), r.Add)
			r.End()
		}
	})
}

func (k tfidf) eval(x, y []byte) float64 {
	if k.fitted == nil {
		return k.withoutFrequencies().Eval(x, y)
	}
	values, sum := make(map[int32]float64), 0.0
	k.fitted.eachFeature(x, func(id int32, value float64) { values[id] = value })
	k.fitted.eachFeature(y, func(id int32, value float64) { sum += float64(values[id] * value) })
	return sum
}

func (k tfidf) selfEval(ctx context.Context, x []byte) (sum float64) {
	if k.fitted == nil {
		return k.withoutFrequencies().selfEval(ctx, x)
	}
	k.fitted.eachFeature(x, func(_ int32, value float64) { sum += float64(value * value) })
	return sum
}

// eachFeature lists the k-mers of x with their values, by length and in alphabetical order.
func (k tfidf) eachFeature(x []byte, visit func(name string, value float64)) {
	if k.fitted == nil {
		k.withoutFrequencies().EachFeature(x, visit)
		return
	}
	record := k.fitted.kernel.record(x)
	for i, places := range k.fitted.places {
		c, factors := &places.coder, k.fitted.levels[i].values
		c.EachCount(record, func(code uint64, count int) {
			if at := int(places.value(code, c.K, 0)) - 1; at >= 0 {
				visit(c.String(code), float64(k.fitted.values.At(uint32(count))*factors[at]))
			}
		})
	}
}

// gram indexes a corpus: 12 bytes per k-mer of a record.
func (k tfidf) gram(ctx context.Context, c *stringkernel.Corpus) (stringkernel.Gram, error) {
	if k.fitted == nil {
		fitted, err := k.Fit(ctx, c)
		if err != nil {
			return nil, err
		}
		k = tfidf(fitted.(Kernel))
	}
	if err := Kernel(k).checkIndex(c, k.K); err != nil {
		return nil, err
	}
	return rows.NewGram(ctx, k.fitted.rows(ctx, c)), nil
}

// compare lists a corpus by feature.
func (k tfidf) compare(ctx context.Context, c *stringkernel.Corpus) (stringkernel.Comparison, error) {
	if err := Kernel(k).checkIndex(c, k.K); err != nil {
		return nil, err
	}
	columns := k.fitted.rows(ctx, c).Columns()
	return func(dst []float64, x []byte) {
		clear(dst)
		k.fitted.eachFeature(x, func(id int32, value float64) { columns.AddTo(dst, uint32(id), value) })
	}, nil
}

// merge folds the support vectors into a row of weights per k-mer, each times its factor, behind the square of that.
func (k tfidf) merge(
	ctx context.Context, sv *stringkernel.Corpus, c *stringkernel.Coefficients,
) (stringkernel.Scorer, error) {
	if k.fitted == nil {
		return k.withoutFrequencies().Merge(ctx, sv, c)
	}
	f, columns := k.fitted, c.Outputs+1
	if err := rows.CheckTable(f.width(), c.Outputs, columns); err != nil {
		return nil, fmt.Errorf("spectrum: %w", err)
	}
	if err := Kernel(k).checkIndex(sv, k.K); err != nil {
		return nil, err
	}
	table := make([]float64, f.width()*columns)
	rows.AddUp(c, f.rows(ctx, sv).Row, func(id uint32) []float64 {
		return table[int(id)*columns:][1:columns]
	})
	var levels []level
	for i, l := range f.levels {
		values := table[int(f.starts[i])*columns : int(f.starts[i+1])*columns]
		for number, factor := range l.values {
			row := values[number*columns:][:columns]
			row[0] = float64(factor * factor)
			for m := range row[1:] {
				row[1+m] *= factor
			}
		}
		levels = append(levels, level{length: l.length, codes: l.codes, values: values})
	}
	return f.kernel.scorer(columns, 1, levels), nil
}
