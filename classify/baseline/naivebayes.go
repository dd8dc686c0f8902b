package baseline

import (
	"context"
	"fmt"
	"math"

	"github.com/seqsvm/seqsvm/classify"
	"github.com/seqsvm/seqsvm/internal/elementary"
	"github.com/seqsvm/seqsvm/internal/memory"
	"github.com/seqsvm/seqsvm/internal/parallel"
	"github.com/seqsvm/seqsvm/internal/sparse"
	"github.com/seqsvm/seqsvm/internal/strongest"
	"github.com/seqsvm/seqsvm/stringkernel"
)

// NaiveBayes classifies by counts x_w of features as if each were drawn independently: the cheap baseline to compare
// a machine with.
// With N_cw the count of feature w in class c, N_w that in all classes, n_c of n records and V features, a record goes
// to the class of the greatest
//
//	multinomial  ln (n_c/n) + Σ_w x_w ln ((N_cw + α)/(Σ_v N_cv + αV))
//	complement   −Σ_w x_w ln ((N_w − N_cw + α)/(Σ_v (N_v − N_cv) + αV))
//
// The latter takes the counts of all other classes, which suits classes of different sizes better (Rennie, Shih, Teevan
// & Karger 2003, Tackling the poor assumptions of naive Bayes text classifiers, Proc. ICML, 616–623), without that
// paper's transforms of counts and weights.
//
// Time: a pass over the counts. Memory: 8 bytes per feature and class.
type NaiveBayes struct {
	Complement bool
	Alpha      float64 // α, what is added to every count; zero: 1
}

// Bayes is a trained [NaiveBayes].
type Bayes struct {
	classes int
	prior   []float64 // per class
	weights []float64 // of each feature, its classes side by side
}

// Fit counts the features of records of classes y, indices from 0 to below classes, all of which occur.
func (b NaiveBayes) Fit(rows stringkernel.FeatureRows, y []int, classes int) (*Bayes, error) {
	alpha := b.Alpha
	if alpha == 0 {
		alpha = 1
	}
	if !(alpha > 0) || math.IsInf(alpha, 0) {
		return nil, fmt.Errorf("classify: Alpha = %v, want > 0 and finite", b.Alpha)
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
	if b.Complement {
		m.complement(totals, alpha, rows.Width())
		return m, nil
	}
	for c, total := range totals {
		m.prior[c] = elementary.Log(float64(members[c]) / float64(len(y)))
		totals[c] = elementary.Log(total + float64(alpha*float64(rows.Width())))
	}
	for e, count := range m.weights {
		m.weights[e] = elementary.Log(count+alpha) - totals[e%classes]
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
func (m *Bayes) complement(totals []float64, alpha float64, features int) {
	all := 0.0
	for _, total := range totals {
		all += total
	}
	for at := 0; at < len(m.weights); at += m.classes {
		counts := m.weights[at : at+m.classes]
		sum := 0.0
		for _, count := range counts {
			sum += count
		}
		for c, count := range counts {
			counts[c] = elementary.Log(all-totals[c]+float64(alpha*float64(features))) - elementary.Log(sum-count+alpha)
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

// CrossValidate is the function of that name for naive Bayes: kernel, whose features have names and are counts
// ([stringkernel.Enumerator]), is fitted to the training part of each fold. The score of a class is its lead over the
// best of the others; with two classes there is that of the positive one alone. The result has no Rules.
func (b NaiveBayes) CrossValidate(
	ctx context.Context, kernel stringkernel.Kernel, d *classify.Dataset, fold []int,
) (*classify.CVResult, error) {
	out, err := baselineOutcome(d, fold)
	if err != nil {
		return nil, err
	}
	err = parallel.Do(ctx, out.Folds, func(f int) error {
		train, test := out.Split(f)
		part := d.Subset(train)
		fitted, err := stringkernel.Fit(ctx, kernel, part.Corpus)
		if err != nil {
			return fmt.Errorf("fold %d: fitting the kernel: %w", f, err)
		}
		counts := stringkernel.EnumeratorOf(fitted)
		if counts == nil {
			return fmt.Errorf("classify: naive Bayes needs a kernel of counts")
		}
		var vocabulary sparse.Vocabulary
		m, err := b.Fit(vocabulary.RowsOf(ctx, counts, part.Corpus, true), part.Y, len(d.Classes))
		if err != nil {
			return fmt.Errorf("fold %d: %w", f, err)
		}
		rows := vocabulary.RowsOf(ctx, counts, d.Corpus.Subset(test), false)
		for j, i := range test {
			ids, values := rows.Row(j)
			scores := make([]float64, len(d.Classes))
			m.ScoreTo(scores, ids, values)
			out.Predictions[i] = baselinePrediction(d, scores)
		}
		return nil
	})
	return out, err
}

// CrossValidateMajority predicts the class with the most records in the training part of each fold: the baseline that
// looks at nothing.
func CrossValidateMajority(d *classify.Dataset, fold []int) (*classify.CVResult, error) {
	out, err := baselineOutcome(d, fold)
	if err != nil {
		return nil, err
	}
	for f := range out.Folds {
		train, test := out.Split(f)
		most := strongest.Index(d.Subset(train).Counts())
		for _, i := range test {
			out.Predictions[i] = baselinePrediction(d, make([]float64, len(d.Classes)))
			out.Predictions[i].Class = most
		}
	}
	return out, nil
}

func baselineOutcome(d *classify.Dataset, fold []int) (*classify.CVResult, error) {
	if err := d.Check(); err != nil {
		return nil, err
	}
	if d.Labelling() == classify.LabelSets {
		return nil, fmt.Errorf("classify: a baseline for records of several labels, want one label each")
	}
	return classify.NewCVResult(d, fold)
}

// baselinePrediction predicts the class with the greatest score. Scores of one record are compared, those of two
// records are not: both grow with its length. So the score of a class is its lead over the best of the others.
func baselinePrediction(d *classify.Dataset, scores []float64) classify.Prediction {
	p := classify.Prediction{Class: strongest.Index(scores), Scores: make([]float64, len(scores))}
	for c, score := range scores {
		rival := math.Inf(-1)
		for other, s := range scores {
			if other != c {
				rival = max(rival, s)
			}
		}
		p.Scores[c] = score - rival
	}
	if d.Labelling() == classify.TwoClasses {
		p.Scores = p.Scores[d.Positive : d.Positive+1]
		if p.Class = d.Positive; !(p.Scores[0] > 0) { // a tie is not the positive class's, as in [classify.Prediction]
			p.Class = 1 - d.Positive
		}
	}
	return p
}
