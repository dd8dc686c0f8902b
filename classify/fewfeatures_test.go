package classify_test

import (
	"errors"
	"math"
	"math/rand/v2"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/seqsvm/seqsvm/bow"
	"github.com/seqsvm/seqsvm/classify"
	"github.com/seqsvm/seqsvm/classify/dataset"
	"github.com/seqsvm/seqsvm/classify/decide"
	"github.com/seqsvm/seqsvm/classify/internal/solve"
	"github.com/seqsvm/seqsvm/classify/svm"
	"github.com/seqsvm/seqsvm/classify/svm/smo"
	"github.com/seqsvm/seqsvm/internal/must"
	"github.com/seqsvm/seqsvm/spectrum"
	"github.com/seqsvm/seqsvm/stringkernel"
	"github.com/seqsvm/seqsvm/stringkernel/compose"
)

// plantedTexts makes texts of words by chance, with a mark per class in two of three.
func plantedTexts(t *testing.T, n, classes int) *dataset.Dataset {
	t.Helper()
	rng := rand.New(rand.NewPCG(7, 8))
	var seqs [][]byte
	var labels []string
	for i := range n {
		var words []string
		for range 8 + rng.IntN(5) {
			words = append(words, "acgt"[rng.IntN(4):][:1]+"tca"[rng.IntN(3):][:1]+"gca"[rng.IntN(3):][:1])
		}
		if rng.IntN(3) > 0 {
			words = append(words, []string{"ggggg", "ccccc", "ttttt"}[i%classes])
		}
		seqs = append(seqs, []byte(strings.ToUpper(strings.Join(words, " "))))
		labels = append(labels, string(rune('a'+i%classes)))
	}
	c := must.Get(stringkernel.NewCorpus(seqs, nil))(t)
	return must.Get(dataset.New(c, labels, nil))(t)
}

// Models score by the weights, whatever shorter features a feature has in it, and so does cross-validation.
func TestFewFeatures(t *testing.T) {
	phrases := compose.Normalized(bow.Kernel{NGram: "1-3", TFIDF: true})
	words := compose.Normalized(spectrum.Kernel{K: 3, Alphabet: stringkernel.DNA})
	for name, c := range map[string]struct {
		kernel  stringkernel.Kernel
		loss    svm.Loss
		classes int
	}{
		"phrases, two classes":           {phrases, svm.SquaredHinge, 2},
		"phrases, three classes":         {phrases, classify.LossLogistic, 3},
		"k-mers, two classes":            {words, classify.LossLogistic, 2},
		"k-mers, three classes, squares": {words, svm.SquaredHinge, 3},
	} {
		t.Run(name, func(t *testing.T) {
			tr := classify.Trainer{Kernel: c.kernel, Loss: c.loss, Penalty: classify.PenaltySum, C: 5, Tol: 1e-4}
			testFewFeatures(t, tr, c.classes)
		})
	}
}

func testFewFeatures(t *testing.T, tr classify.Trainer, classes int) {
	d := plantedTexts(t, 90, classes)
	m := must.Get(tr.Train(t.Context(), d))(t)
	c := must.Get(m.Classifier(t.Context()))(t)
	predictions := must.Get(c.Predict(t.Context(), d.Corpus))(t)
	features := stringkernel.EnumeratorOf(m.Kernel)
	for number, machine := range m.Machines {
		w, bias := classify.WeightsBy(t, tr, d, machine.Positive)
		some := 0
		for _, value := range w {
			if value != 0 {
				some++
			}
		}
		if machine.SupportVectors != some || some == 0 || machine.Gap > tr.Tol {
			t.Errorf("machine %d has %d features at a gap of %g, want %d", number, machine.SupportVectors, machine.Gap, some)
		}
		for i, p := range predictions {
			want := bias
			features.EachFeature(d.Corpus.Seq(i), func(name string, value float64) { want += w[name] * value })
			score := p.Scores[0]
			if classes > 2 {
				score = p.Scores[machine.Positive]
			}
			if math.Abs(score-want) > 1e-9*max(1, math.Abs(want)) {
				t.Fatalf("machine %d, record %d: %v, by the weights %v", number, i, score, want)
			}
		}
	}
	fold := must.Get(d.Folds(3, 1))(t)
	whole := must.Get(classify.CrossValidate(t.Context(), tr, d, fold))(t)
	path := must.Get(classify.CrossValidateCosts(t.Context(), tr, d, fold, []float64{tr.C, 1}, nil))(t)
	if !reflect.DeepEqual(path[0].Predictions, whole.Predictions) && !stringkernel.DependsOnCorpus(tr.Kernel) {
		t.Error("other predictions with several costs")
	}
	train, test := whole.Split(1)
	part := must.Get(tr.Train(t.Context(), d.Subset(train)))(t)
	c = must.Get(part.Classifier(t.Context()))(t)
	for _, i := range test {
		want := c.Decide(d.Corpus.Seq(i))
		for s, score := range whole.Predictions[i].Scores {
			if math.Abs(score-want.Scores[s]) > 1e-9 {
				t.Errorf("record %d has %v left out, by a model of the others %v", i, score, want.Scores[s])
			}
		}
	}
}

// The marks that were planted are among the features, and the rest are few.
func TestPlantedFeaturesAreFew(t *testing.T) {
	d := plantedTexts(t, 200, 2)
	tr := classify.Trainer{Kernel: compose.Normalized(bow.Kernel{}), Loss: svm.SquaredHinge, Penalty: classify.PenaltySum, C: 0.1}
	m := must.Get(tr.Train(t.Context(), d))(t)
	var names []string
	for i := range m.Support.Len() {
		names = append(names, string(m.Support.Seq(i)))
	}
	if slices.Sort(names); !slices.Equal(names, []string{"ccccc", "ggggg"}) {
		t.Errorf("features %q", names)
	}
}

func TestPenaltyThatDoesNotFit(t *testing.T) {
	d := plantedTexts(t, 30, 3)
	good := classify.Trainer{Kernel: bow.Kernel{}, Loss: svm.SquaredHinge, Penalty: classify.PenaltySum}
	for want, change := range map[string]func(t *classify.Trainer){
		"Penalty = l3":       func(t *classify.Trainer) { t.Penalty = "l3" },
		"Loss = hinge":       func(t *classify.Trainer) { t.Loss = "" },
		"Solver = smo":       func(t *classify.Trainer) { t.Solver = smo.Solver{} },
		"Nu = 0.5":           func(t *classify.Trainer) { t.Nu = 0.5 },
		"for the scheme cra": func(t *classify.Trainer) { t.Multiclass = decide.CrammerSinger },
		"for the scheme mul": func(t *classify.Trainer) { t.Multiclass, t.Loss = decide.Multinomial, classify.LossLogistic },
	} {
		tr := good
		change(&tr)
		if _, err := tr.Train(t.Context(), d); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%v, want %s", err, want)
		}
	}
	good.Kernel = compose.RBF(bow.Kernel{}, 1)
	if _, err := good.Train(t.Context(), d); !errors.Is(err, solve.ErrNotListed) {
		t.Errorf("%v for a Gaussian", err)
	}
}
