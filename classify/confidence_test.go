package classify_test

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"github.com/seqsvm/seqsvm/bow"
	"github.com/seqsvm/seqsvm/classify"
	"github.com/seqsvm/seqsvm/classify/dataset"
	"github.com/seqsvm/seqsvm/classify/decide"
	"github.com/seqsvm/seqsvm/classify/measure"
	"github.com/seqsvm/seqsvm/classify/metrics"
	"github.com/seqsvm/seqsvm/internal/long"
	"github.com/seqsvm/seqsvm/internal/must"
	"github.com/seqsvm/seqsvm/internal/subset"
	"github.com/seqsvm/seqsvm/spectrum"
	"github.com/seqsvm/seqsvm/stringkernel"
	"github.com/seqsvm/seqsvm/stringkernel/compose"
)

// composed draws sequences whose letters have the shares of their class, the classes of the given sizes, and as many
// numbers: the count of a letter and noise.
func composed(rng *rand.Rand, sizes []int) (corpus *stringkernel.Corpus, labels, numbers []string) {
	var b stringkernel.CorpusBuilder
	for class, size := range sizes {
		for range size {
			x := make([]byte, 20+rng.IntN(20))
			count := 0
			for i := range x {
				if x[i] = "ACGT"[rng.IntN(4)]; rng.IntN(4) == 0 {
					x[i] = "ACGT"[class]
				}
				if x[i] == 'A' {
					count++
				}
			}
			b.Add("", x)
			labels = append(labels, fmt.Sprint(class))
			numbers = append(numbers, fmt.Sprint(float64(count)/float64(len(x))+0.1*rng.NormFloat64()))
		}
	}
	return b.Corpus(), labels, numbers
}

// TestConfidence: the sets and intervals of models hold the labels of new records drawn as those of training were, in
// each class, as often as the confidence says, or a little more often: the records left out are scored by models of
// four fifths of the records. The build tag long makes twenty times as many experiments.
func TestConfidence(t *testing.T) {
	const confidence = 0.9
	draws := long.Or(300, 15)
	texts := compose.Normalized(bow.Kernel{NGram: "2", Letters: true})
	for name, c := range map[string]struct {
		sizes   []int
		trainer classify.Trainer
		task    dataset.Task
	}{
		"two classes": {[]int{150, 40}, classify.Trainer{}, dataset.Classes},
		"one-vs-rest": {[]int{80, 40, 60}, classify.Trainer{}, dataset.Classes},
		"probability of words": {[]int{80, 40, 60},
			classify.Trainer{C: 0.1, Kernel: texts, Probability: true}, dataset.Classes},
		"probability of pairs of classes": {[]int{80, 40, 60},
			classify.Trainer{Multiclass: decide.OneVsOne, Probability: true}, dataset.Classes},
		"ridge": {[]int{120}, classify.Trainer{TaskOptions: classify.TaskOptions{Lambda: 0.1}}, dataset.Regression},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			rng := rand.New(rand.NewPCG(5, 6))
			if c.trainer.Kernel == nil {
				c.trainer.Kernel = compose.Normalized(spectrum.Kernel{K: 2, Alphabet: stringkernel.DNA})
			}
			c.trainer.Conformal = true
			held, squares := make([]float64, len(c.sizes)), make([]float64, len(c.sizes))
			for draw := range draws {
				c.trainer.Seed = uint64(draw)
				train, test := drawn(t, rng, c.task, c.sizes), drawn(t, rng, c.task, c.sizes)
				var records []int
				for i := range test.Len() {
					records = append(records, i)
				}
				m := must.Get(c.trainer.Train(t.Context(), train))(t)
				classifier := must.Get(m.Classifier(t.Context()))(t)
				classifier = must.Get(classifier.WithConfidence(confidence))(t)
				predictions := must.Get(classifier.Predict(t.Context(), test.Corpus))(t)
				regions := measure.Regions(test, records, predictions)
				for class, r := range regions.Classes {
					share := float64(r.Coverage)
					held[class], squares[class] = held[class]+share/float64(draws), squares[class]+share*share/float64(draws)
				}
			}
			for class, mean := range held {
				deviation := math.Sqrt((squares[class] - mean*mean) / float64(draws-1))
				t.Logf("class %d: %.4f ± %.4f", class, mean, deviation)
				if mean < confidence-3*deviation || mean > confidence+0.02+3*deviation {
					t.Errorf("class %d: coverage %.4f ± %.4f, want %v", class, mean, deviation, confidence)
				}
			}
		})
	}
}

func drawn(t *testing.T, rng *rand.Rand, task dataset.Task, sizes []int) *dataset.Dataset {
	corpus, labels, numbers := composed(rng, sizes)
	if task == dataset.Regression {
		labels = numbers
	}
	return must.Get(dataset.NewFor(task, corpus, labels, dataset.LabelNames{}, nil))(t)
}

// TestCoverage: whatever the scheme and the options, sets and intervals hold the labels of new records about as often
// as they say, and the scaling of probabilities lowers their log loss.
func TestCoverage(t *testing.T) {
	const confidence, least, trainings = 0.9, 0.88, 21
	kernel, draws, tried := compose.Normalized(spectrum.Kernel{K: 2, Alphabet: stringkernel.DNA}), long.Or(20, 2), 0
	options := map[string]classify.Trainer{
		"none": {}, "probability": {Probability: true}, "logistic": {Loss: classify.LossLogistic, C: 10},
		"balanced": {ClassWeight: classify.WeightBalanced},
	}
	for name, c := range map[string]struct {
		sizes   []int
		task    dataset.Task
		classes []string // of a hierarchy
		schemes []string
	}{
		"two classes": {[]int{350, 150}, dataset.Classes, nil, []string{""}},
		"classes": {[]int{200, 100, 100, 100}, dataset.Classes, nil,
			[]string{decide.OneVsRest, decide.OneVsOne, decide.CrammerSinger, decide.Multinomial}},
		"hierarchy": {[]int{200, 150, 150}, dataset.Classes, []string{"a", "b/a", "b/b"},
			[]string{decide.OneVsRest, decide.CrammerSinger}},
		"numbers": {[]int{500}, dataset.Regression, nil, []string{""}},
	} {
		rng, held, scaled := rand.New(rand.NewPCG(9, uint64(len(name)))), map[string]float64{}, map[string][2]float64{}
		for range draws {
			train, test := drawn(t, rng, c.task, c.sizes), drawn(t, rng, c.task, c.sizes)
			for _, d := range []*dataset.Dataset{train, test} {
				if c.classes != nil {
					d.Classes = c.classes
					must.Succeed(t, d.SetHierarchy("/"))
				}
			}
			for _, scheme := range c.schemes {
				for option, tr := range options {
					tr.Kernel, tr.Conformal, tr.Multiclass = kernel, true, scheme
					if tr.Check(train) != nil {
						continue // the scheme has no such option
					}
					m := must.Get(tr.Train(t.Context(), train))(t)
					report := measured(t, m, confidence, test)
					held[scheme+" "+option] += float64(report.Regions.Coverage) / float64(draws)
					if m.Scaling == nil {
						continue
					}
					m.Scaling = nil
					before, sums := measured(t, m, confidence, test), scaled[scheme+" "+option]
					sums[0] += (report.Value("log_loss") - before.Value("log_loss")) / float64(draws)
					sums[1] += report.Value("reliability") / float64(draws)
					scaled[scheme+" "+option] = sums
				}
			}
		}
		for how, coverage := range held {
			if coverage < least {
				t.Errorf("%s, %s: coverage %.4f, want %v", name, how, coverage, confidence)
			}
		}
		for how, sums := range scaled {
			if sums[0] > 0 || sums[1] > 0.01 {
				t.Errorf("%s, %s: scaling adds %.4f to the log loss; reliability %.4f", name, how, sums[0], sums[1])
			}
		}
		tried += len(held)
	}
	if tried != trainings {
		t.Errorf("%d trainings, want %d", tried, trainings)
	}
}

func measured(t *testing.T, m *decide.Model, confidence float64, test *dataset.Dataset) metrics.Report {
	classifier := must.Get(m.Classifier(t.Context()))(t)
	classifier = must.Get(classifier.WithConfidence(confidence))(t)
	predictions, records := must.Get(classifier.Predict(t.Context(), test.Corpus))(t), subset.Whole(test.Len())
	report := must.Get(measure.Predictions(test, records, predictions))(t)
	report.Regions = measure.Regions(test, records, predictions)
	return report
}
