package baseline_test

import (
	"context"
	"math"
	"strings"
	"testing"

	"github.com/seqsvm/seqsvm/bow"
	"github.com/seqsvm/seqsvm/classify/baseline"
	"github.com/seqsvm/seqsvm/classify/dataset"
	"github.com/seqsvm/seqsvm/classify/internal/svmtest"
	"github.com/seqsvm/seqsvm/internal/must"
	"github.com/seqsvm/seqsvm/internal/rows"
	"github.com/seqsvm/seqsvm/stringkernel"
	"github.com/seqsvm/seqsvm/stringkernel/substring"
)

// bayesTexts are six texts of three classes.
func bayesTexts(t *testing.T) (*stringkernel.Corpus, []int) {
	return baseline.CorpusOf(t, "the team won the match", "the goal came late in the match", "a team without a goal",
		"the minister left the house",
		"a vote in the house the vote", "bread and butter and bread"), []int{0, 0, 0, 1, 1, 2}
}

// TestNaiveBayesGolden: _joint_log_likelihood of scikit-learn 1.2.1's MultinomialNB and ComplementNB on
// CountVectorizer(token_pattern=r"(?u)\b\w+\b") of the same texts.
func TestNaiveBayesGolden(t *testing.T) {
	train, y := bayesTexts(t)
	test := baseline.CorpusOf(t, "the team lost the vote", "bread for the team", "unknown things")
	fitted := must.Get(bow.Kernel{TFIDF: true}.Counts().Fit(t.Context(), train))(t)
	var vocabulary rows.Vocabulary
	rows := vocabulary.RowsOf(context.Background(), stringkernel.EnumeratorOf(fitted), train, true)
	for _, c := range []struct {
		bayes baseline.NaiveBayes
		want  [3][3]float64
	}{
		{baseline.NaiveBayes{}, [3][3]float64{
			{-10.48110116548828, -10.250307495077694, -14.155929282661317},
			{-8.564178553306219, -9.59106186619343, -9.966274540634892},
			{-0.6931471805599454, -1.0986122886681096, -1.791759469228055}}},
		{baseline.NaiveBayes{Complement: true}, [3][3]float64{
			{9.787953984928334, 10.336758470982275, 8.722891853947722},
			{7.871031372746273, 7.18402244861862, 8.190087323462956}, {}}},
	} {
		m := must.Get(c.bayes.Fit(rows, y, 3))(t)
		tested := vocabulary.RowsOf(context.Background(), stringkernel.EnumeratorOf(fitted), test, false)
		for i, want := range c.want {
			got := make([]float64, 3)
			ids, values := tested.AppendRow(nil, nil, i)
			m.ScoreTo(got, ids, values)
			for class := range want {
				if math.Abs(got[class]-want[class]) > 1e-12 {
					t.Errorf("%+v, text %d: scores %v, scikit-learn %v", c.bayes, i, got, want)
				}
			}
		}
	}
}

// TestPoissonCounts compares differences of scores with those of log probabilities of independent Poisson counts.
func TestPoissonCounts(t *testing.T) {
	train, y := bayesTexts(t)
	fitted := must.Get(bow.Kernel{}.Counts().Fit(t.Context(), train))(t)
	var vocabulary rows.Vocabulary
	rows := vocabulary.RowsOf(context.Background(), stringkernel.EnumeratorOf(fitted), train, true)
	m := must.Get(baseline.NaiveBayes{Poisson: true}.Fit(rows, y, 3))(t)
	counts, members := make([][3]float64, rows.Width()), [3]float64{3, 2, 1}
	for i, c := range y {
		ids, values := rows.AppendRow(nil, nil, i)
		for e, id := range ids {
			counts[id][c] += values[e]
		}
	}
	for i := range y {
		ids, values := rows.AppendRow(nil, nil, i)
		record := make([]float64, rows.Width())
		for e, id := range ids {
			record[id] = values[e]
		}
		var want [3]float64
		for c := range want {
			want[c] = math.Log(members[c] / 6)
			for w, x := range record {
				mean := (counts[w][0] + counts[w][1] + counts[w][2]) / 6
				rate := (counts[w][c] + mean) / (members[c] + 1)
				gamma, _ := math.Lgamma(x + 1)
				want[c] += x*math.Log(rate) - rate - gamma
			}
		}
		got := make([]float64, 3)
		m.ScoreTo(got, ids, values)
		for c := range want {
			if math.Abs(got[c]-got[0]-(want[c]-want[0])) > 1e-12 {
				t.Errorf("text %d: scores %v, log probabilities %v", i, got, want)
			}
		}
	}
}

// onWords gives naive Bayes the counts of words.
func onWords(b baseline.NaiveBayes) baseline.Method {
	b.Kernel = bow.Kernel{}.Counts()
	return b
}

// TestNaiveBayesLeavesRecordsOut: predictions of a fold are those of training on the others, whatever the fold's own
// words.
func TestNaiveBayesLeavesRecordsOut(t *testing.T) {
	corpus := baseline.CorpusOf(t, "red apple", "red cherry", "green leaf", "green grass", "red rose", "green frog")
	d := must.Get(dataset.New(corpus, []string{"r", "r", "g", "g", "r", "g"}, nil))(t)
	for _, bayes := range []baseline.NaiveBayes{{}, {Complement: true}, {Poisson: true}} {
		out := must.Get(baseline.CrossValidate(context.Background(), onWords(bayes), d, []int{0, 1, 0, 1, 1, 0}))(t)
		for i, p := range out.Predictions {
			if p.Class != d.Y[i] || len(p.Scores) != 1 || (p.Scores[0] > 0) != (d.Y[i] == d.Positive) {
				t.Errorf("%+v, record %d: %+v, want class %d", bayes, i, p, d.Y[i])
			}
		}
	}
	majority, err := baseline.CrossValidate(context.Background(), baseline.Majority{}, d, []int{0, 0, 0, 1, 1, 1})
	if err != nil || majority.Predictions[0].Class != 0 || majority.Predictions[5].Class != 1 {
		t.Errorf("%+v (%v), want the majority of the other fold", majority, err)
	}
}

// TestNaiveBayesScoresAreLeads: with several classes the class predicted, and no other, has a score above 0, for short
// records as for long ones.
func TestNaiveBayesScoresAreLeads(t *testing.T) {
	long := strings.Repeat(" blue blue sky", 50)
	corpus := baseline.CorpusOf(t, "red apple", "red", "green leaf", "green", "blue sky"+long, "blue", "red red",
		"green green", "blue"+long)
	d := must.Get(dataset.New(corpus, []string{"r", "r", "g", "g", "b", "b", "r", "g", "b"}, nil))(t)
	for _, bayes := range []baseline.NaiveBayes{{}, {Complement: true}} {
		out := must.Get(baseline.CrossValidate(context.Background(), onWords(bayes), d,
			[]int{0, 1, 0, 1, 0, 1, 2, 2, 2}))(t)
		for i, p := range out.Predictions {
			for class, score := range p.Scores {
				if len(p.Scores) != 3 || p.Class != d.Y[i] || (score > 0) != (class == p.Class) {
					t.Errorf("%+v, record %d: %+v, want class %d alone above 0", bayes, i, p, d.Y[i])
				}
			}
		}
	}
}

// TestNaiveBayesTies: of two classes with the same score the one predicted is not the positive one, whichever that is.
func TestNaiveBayesTies(t *testing.T) {
	d := must.Get(dataset.New(baseline.CorpusOf(t, "red", "green", "red", "green", "unknown", "words"),
		[]string{"r", "g", "r", "g", "r", "g"}, nil))(t)
	for d.Positive = range 2 {
		out := must.Get(baseline.CrossValidate(context.Background(), onWords(baseline.NaiveBayes{}), d, []int{0, 0, 0, 0, 1, 1}))(t)
		for _, p := range out.Predictions[4:] {
			if p.Class != 1-d.Positive || p.Scores[0] != 0 {
				t.Errorf("positive class %d: %+v, want the other class at a score of 0", d.Positive, p)
			}
		}
	}
}

func TestNaiveBayesErrors(t *testing.T) {
	train, y := bayesTexts(t)
	fitted := must.Get(bow.Kernel{}.Fit(t.Context(), train))(t)
	var vocabulary rows.Vocabulary
	rows := vocabulary.RowsOf(context.Background(), stringkernel.EnumeratorOf(fitted), train, true)
	negative := &svmtest.Gram{Features: 30, IDs: [][]int32{{0}, {1}, {2}, {3}, {4}, {5}},
		Values: [][]float64{{1}, {1}, {-1}, {1}, {1}, {1}}}
	for want, fit := range map[string]func() error{
		"want one of the two": func() error {
			_, err := baseline.NaiveBayes{Complement: true, Poisson: true}.Fit(rows, y, 3)
			return err
		},
		"y[5] = 2, want 0 to 1":  func() error { _, err := baseline.NaiveBayes{}.Fit(rows, y, 2); return err },
		"class 3 has no records": func() error { _, err := baseline.NaiveBayes{}.Fit(rows, y, 4); return err },
		"want a count":           func() error { _, err := baseline.NaiveBayes{}.Fit(negative.FeatureRows(), y, 3); return err },
		"needs a kernel of counts": func() error {
			_, err := baseline.CrossValidate(context.Background(),
				baseline.NaiveBayes{Kernel: substring.Kernel{Weight: substring.Constant}}, letters(t, nil),
				[]int{0, 0, 0, 0, 0, 0, 1, 1, 1, 1, 1, 1})
			return err
		},
		"records of several labels": func() error {
			_, err := baseline.CrossValidate(context.Background(), baseline.Majority{},
				letters(t, [][]string{{"a", "b"}, {"a"}, {"b"}}), make([]int, 12))
			return err
		},
	} {
		if err := fit(); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("error %v, want one with %q", err, want)
		}
	}
}

// letters returns 12 records of one letter each: with one of two classes, or with lists of labels in turn.
func letters(t *testing.T, lists [][]string) *dataset.Dataset {
	t.Helper()
	var seqs [][]byte
	var one []string
	var several [][]string
	for i := range 12 {
		seqs, one = append(seqs, []byte{byte('a' + i)}), append(one, string(rune('a'+i%2)))
		if lists != nil {
			several = append(several, lists[i%len(lists)])
		}
	}
	corpus := must.Get(stringkernel.NewCorpus(seqs, nil))(t)
	d, err := dataset.New(corpus, one, nil)
	if lists != nil {
		d, err = dataset.NewMultilabel(corpus, several, nil)
	}
	if err != nil {
		t.Fatal(err)
	}
	return d
}
