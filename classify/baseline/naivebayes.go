package baseline

import (
	"context"
	"fmt"

	"github.com/seqsvm/seqsvm/classify/dataset"
	"github.com/seqsvm/seqsvm/classify/decide"
	"github.com/seqsvm/seqsvm/internal/elementary"
	"github.com/seqsvm/seqsvm/internal/memory"
	"github.com/seqsvm/seqsvm/internal/rows"
	"github.com/seqsvm/seqsvm/internal/vectors"
	"github.com/seqsvm/seqsvm/stringkernel"
)

// NaiveBayes classifies by counts x_w of features as if each were drawn independently: the cheap baseline to compare
// a machine with.
// With N_cw the count of feature w in class c, N_w that in all classes, n_c of n records and V features, a record goes
// to the class of the greatest
//
//	multinomial  ln (n_c/n) + Σ_w x_w ln ((N_cw + 1)/(Σ_v N_cv + V))
//	complement   −Σ_w x_w ln ((N_w − N_cw + 1)/(Σ_v (N_v − N_cv) + V))
//	Poisson      ln (n_c/n) + Σ_w (x_w ln λ_cw − λ_cw),  λ_cw = (N_cw + N_w/n)/(n_c + 1)
//
// The complement takes the counts of all other classes, which suits classes of different sizes better (Rennie, Shih,
// Teevan & Karger 2003, Tackling the poor assumptions of naive Bayes text classifiers, Proc. ICML, 616–623), without
// that paper's transforms of counts and weights. With Poisson counts the length of a record speaks for a class too;
// λ_cw is the mean count per record of the class and of one record that is like the mean of all.
//
// The score of a class is its lead over the best of the others; with two classes there is that of the positive one
// alone.
//
// Time: a pass over the counts. Memory: 8 bytes per feature and class.
type NaiveBayes struct {
	Complement bool
	Poisson    bool
	// whose features have names and are counts ([stringkernel.Enumerator]); [NaiveBayes.Predict] fits it to the
	// records of training
	Kernel stringkernel.Kernel
}

// Bayes is a trained [NaiveBayes].
type Bayes struct {
	classes int
	prior   []float64 // per class
	weights []float64 // of each feature, its classes side by side
}

// Fit counts the features of records of classes y, indices from 0 to below classes, all of which occur.
func (b NaiveBayes) Fit(rows stringkernel.FeatureRows, y []int, classes int) (*Bayes, error) {
	if b.Complement && b.Poisson {
		return nil, fmt.Errorf("classify: naive Bayes by complement and by Poisson counts, want one of the two")
	}
	if err := memory.Check(8 * float64(rows.Width()) * float64(classes)); err != nil {
		return nil, fmt.Errorf("classify: %d features for %d classes need %w", rows.Width(), classes, err)
	}
	members := make([]int, classes)
	for i, c := range y {
		if c < 0 || c >= classes {
			return nil, fmt.Errorf("classify: y[%d] = %d, want 0 to %d", i, c, classes-1)
		}
		members[c]++
	}
	for c, count := range members {
		if count == 0 {
			return nil, fmt.Errorf("classify: class %d has no records", c)
		}
	}
	m := &Bayes{classes: classes, prior: make([]float64, classes), weights: make([]float64, rows.Width()*classes)}
	totals, err := m.count(rows, y)
	if err != nil {
		return nil, err
	}
	switch {
	case b.Complement:
		m.complement(totals, rows.Width())
		return m, nil
	case b.Poisson:
		m.poisson(members)
		return m, nil
	}
	for c, total := range totals {
		m.prior[c] = elementary.Log(float64(members[c]) / float64(len(y)))
		totals[c] = elementary.Log(total + float64(rows.Width()))
	}
	for e, count := range m.weights {
		m.weights[e] = elementary.Log(count+1) - totals[e%classes]
	}
	return m, nil
}

// count fills the weights with the counts of features by class, and returns their sums.
func (m *Bayes) count(rows stringkernel.FeatureRows, y []int) (totals []float64, err error) {
	totals = make([]float64, m.classes)
	var ids []uint32
	var values []float64
	for i, c := range y {
		ids, values = rows.AppendRow(ids[:0], values[:0], i)
		for e, id := range ids {
			if !(values[e] >= 0) {
				return nil, fmt.Errorf("classify: feature %d of record %d is %v, want a count", id, i, values[e])
			}
			m.weights[int(id)*m.classes+c] += values[e]
			totals[c] += values[e]
		}
	}
	return totals, nil
}

// complement makes weights of counts.
func (m *Bayes) complement(totals []float64, features int) {
	all := vectors.Sum(totals)
	for at := 0; at < len(m.weights); at += m.classes {
		counts := m.weights[at : at+m.classes]
		sum := vectors.Sum(counts)
		for c, count := range counts {
			counts[c] = elementary.Log(all-totals[c]+float64(features)) - elementary.Log(sum-count+1)
		}
	}
}

// poisson returns the weights of features from their counts in each class and the number of its members.
func (m *Bayes) poisson(members []int) {
	n := 0
	for c, count := range members {
		n += count
		m.prior[c] = elementary.Log(float64(count))
	}
	for at := 0; at < len(m.weights); at += m.classes {
		counts := m.weights[at : at+m.classes]
		mean := 0.0 // of the feature, per record
		for _, count := range counts {
			mean += count / float64(n)
		}
		for c, count := range counts {
			rate := (count + mean) / float64(members[c]+1)
			m.prior[c] -= rate
			if mean > 0 {
				counts[c] = elementary.Log(rate)
			}
		}
	}
}

// ScoreTo writes the scores of all classes for the counts of a record.
func (m *Bayes) ScoreTo(dst []float64, ids []uint32, values []float64) {
	copy(dst, m.prior)
	for e, id := range ids {
		for c, weight := range m.weights[int(id)*m.classes:][:m.classes] {
			dst[c] += float64(values[e] * weight)
		}
	}
}

// Predict implements [Method].
func (b NaiveBayes) Predict(ctx context.Context, d *dataset.Dataset, train, test []int) ([]decide.Prediction, error) {
	part := d.Subset(train)
	fitted, err := stringkernel.Fit(ctx, b.Kernel, part.Corpus)
	if err != nil {
		return nil, fmt.Errorf("fitting the kernel: %w", err)
	}
	counts := stringkernel.EnumeratorOf(fitted)
	if counts == nil {
		return nil, fmt.Errorf("classify: naive Bayes needs a kernel of counts")
	}
	var vocabulary rows.Vocabulary
	m, err := b.Fit(vocabulary.RowsOf(ctx, counts, part.Corpus, true), part.Y, len(d.Classes))
	if err != nil {
		return nil, err
	}
	rows := vocabulary.RowsOf(ctx, counts, d.Corpus.Subset(test), false)
	predictions, scores := make([]decide.Prediction, len(test)), make([]float64, len(d.Classes))
	for j := range test {
		ids, values := rows.Row(j)
		m.ScoreTo(scores, ids, values)
		predictions[j] = strongestOf(d, scores)
	}
	return predictions, nil
}
