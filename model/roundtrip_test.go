package model

import (
	"bytes"
	"io"
	"math"
	"reflect"
	"runtime"
	"slices"
	"strings"
	"testing"

	"github.com/seqsvm/seqsvm/classify/conformal"
	"github.com/seqsvm/seqsvm/classify/dataset"
	"github.com/seqsvm/seqsvm/classify/decide"
	"github.com/seqsvm/seqsvm/internal/must"
	"github.com/seqsvm/seqsvm/model/drift"
	"github.com/seqsvm/seqsvm/stringkernel"
	"github.com/seqsvm/seqsvm/stringkernel/kerneltest"
)

// A model that is read has the scores of the trained one, whatever becomes of the bytes that it was read from, and the
// number of processors changes no byte of the file.
func TestRoundTripKeepsEveryBit(t *testing.T) {
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(0))
	everyFlavour(t, func(t *testing.T, f flavour) {
		runtime.GOMAXPROCS(1)
		d := f.data(t, 1, 16, 50)
		queries := kerneltest.Concat(d.Corpus, f.data(t, 2, 8, 70).Corpus)
		trained, m := f.train(t, d)
		if m.Compiled() != f.compiled || (m.Reference != nil) != f.reference {
			t.Fatalf("compiled %v with reference %v, want %v and %v", m.Compiled(), m.Reference != nil, f.compiled,
				f.reference)
		}
		data := write(t, m)
		runtime.GOMAXPROCS(5)
		if _, other := f.train(t, d); !bytes.Equal(write(t, other), data) {
			t.Fatal("the file depends on the number of processors, or on the run")
		}
		file := bytes.Clone(data)
		loaded := read(t, file)
		clear(file)
		if !reflect.DeepEqual(loaded.Decision, m.Decision) || loaded.Input != m.Input || loaded.Training != m.Training {
			t.Fatalf("read %+v, written %+v", loaded, m)
		}
		if loaded.Kernel.String() != m.Kernel.String() || loaded.Kernel.Normalize != m.Kernel.Normalize {
			t.Fatalf("kernel %v, written %v", loaded.Kernel, m.Kernel)
		}
		if again := write(t, loaded); !bytes.Equal(again, data) {
			t.Fatal("a model read and written again has other bytes")
		}
		sameScores(t, trained, loaded, queries)
		scoresByDefinition(t, trained, loaded, queries)
		ballByDefinition(t, f, trained, queries)
	})
}

// ballByDefinition compares the decisions of a model, taken for those of a ball, with Σ_i coef_i·k(x_i, x) + ½k(x, x).
func ballByDefinition(t *testing.T, f flavour, trained *decide.Model, queries *stringkernel.Corpus) {
	t.Helper()
	if len(trained.Machines) > 1 {
		return
	}
	plain := must.Get(trained.Classifier(t.Context()))(t)
	ball := *trained
	ball.Rule = decide.Rule{
		Classes: []string{dataset.KnownName, dataset.NovelName}, Scheme: decide.NoveltyScheme, Positive: 1, Ball: true,
		Machines: []decide.Binary{{Positive: 1, Negative: 0, Rho: 0.25}},
	}
	m := must.Get(New(t.Context(), &ball, Options{KeepSequences: f.keep}))(t)
	loaded := must.Get(read(t, write(t, m)).Classifier(t.Context()))(t)
	score := make([]float64, 1)
	for q := range queries.Len() {
		x := queries.Seq(q)
		plain.Scorer.ScoreTo(score, x)
		want := score[0] + trained.Kernel.SelfEval(x)/2 - 0.25
		if got := loaded.Decide(x).Scores[0]; math.Abs(got-want) > 1e-9*(1+math.Abs(want)) {
			t.Fatalf("decision of %q is %v, by definition %v", x, got, want)
		}
	}
	if m.Compiled() {
		return
	}
	if m, err := New(t.Context(), trained, Options{}); err == nil && m.Compiled() && !f.keep {
		m.Decision = ball.Rule
		if m.Write(io.Discard) == nil {
			t.Error("a ball is written without the corpus that its kernel was fitted to")
		}
	}
}

// sameScores compares scores and probabilities of a loaded model with those from before it was saved.
func sameScores(t *testing.T, trained *decide.Model, loaded *Model, queries *stringkernel.Corpus) {
	t.Helper()
	before := must.Get(trained.Classifier(t.Context()))(t)
	after := must.Get(loaded.Classifier(t.Context()))(t)
	for i := range queries.Len() {
		want, got := before.Decide(queries.Seq(i)), after.Decide(queries.Seq(i))
		if got.Class != want.Class || !sameBits(got.Scores, want.Scores) ||
			!sameBits(got.Probabilities, want.Probabilities) {
			t.Fatalf("%q: %+v, before saving %+v", queries.Seq(i), got, want)
		}
	}
}

// scoresByDefinition compares the scores of a loaded model with Σ_i coef_i·k(x_i, x).
func scoresByDefinition(t *testing.T, trained *decide.Model, loaded *Model, queries *stringkernel.Corpus) {
	t.Helper()
	c := must.Get(loaded.Classifier(t.Context()))(t)
	coefs := trained.Coef.Dense()
	got, want := make([]float64, len(coefs)), make([]float64, len(coefs))
	for q := 0; q < queries.Len(); q += 7 {
		c.Scorer.ScoreTo(got, queries.Seq(q))
		clear(want)
		size := 0.0
		for i := range trained.Support.Len() {
			k := trained.Kernel.Eval(trained.Support.Seq(i), queries.Seq(q))
			for m, coef := range coefs {
				want[m] += coef[i] * k
				size += math.Abs(coef[i] * k)
			}
		}
		for m := range want {
			if math.Abs(got[m]-want[m]) > 1e-9*(1+size) {
				t.Fatalf("score %d of %q is %v, by definition %v", m, queries.Seq(q), got[m], want[m])
			}
		}
	}
}

// A model without support vectors and one with empty arrays are models too.
func TestEmptyContent(t *testing.T) {
	for _, kernel := range []string{"spectrum:k=2,alphabet=dna", "substring:alphabet=dna", "substring:unit=rune"} {
		m := tiny(t, false, kernel)
		empty := new(stringkernel.Corpus)
		if m.Compiled() {
			compiled := must.Get(m.Kernel.Compile(""))(t)
			scorer := must.Get(stringkernel.Merge(t.Context(), compiled, empty, []float64{}))(t)
			m.Arrays = stringkernel.RestorerOf(compiled).Arrays(scorer)
		} else {
			m.Support, m.Coef = empty, [][]float64{{}}
		}
		data := write(t, m)
		loaded := read(t, data)
		c := must.Get(loaded.Classifier(t.Context()))(t)
		if p := c.Decide([]byte("GATTACA")); p.Scores[0] != -0.25 {
			t.Errorf("%s: decision %v, want the bias alone", kernel, p.Scores)
		}
		if !bytes.Equal(write(t, loaded), data) {
			t.Errorf("%s: other bytes when written again", kernel)
		}
	}
}

func TestTinyScores(t *testing.T) {
	c := must.Get(read(t, write(t, tinySpectrum(t))).Classifier(t.Context()))(t)
	// GATTACA has GA AT TT TA AC CA, CAT has CA AT: with coefficients 1 and −1, CA and AT cancel.
	for x, want := range map[string]float64{"GA": 0.75, "GATT": 1.75, "CAT": -0.25, "": -0.25, "GNA": -0.25,
		"GAGA": 1.75} {
		if got := c.Decide([]byte(x)).Scores[0]; got != want {
			t.Errorf("decision of %q = %v, want %v", x, got, want)
		}
	}
}

// A threshold of two classes survives a file.
func TestThresholdIsStored(t *testing.T) {
	m := tinySpectrum(t)
	m.Decision.Criterion, m.Decision.Machines[0].Threshold = "fdr=0.05", 0.75
	loaded := read(t, write(t, m))
	if loaded.Decision.Criterion != "fdr=0.05" || loaded.Decision.Machines[0].Threshold != 0.75 {
		t.Fatalf("rule %+v", loaded.Decision)
	}
	c := must.Get(loaded.Classifier(t.Context()))(t)
	for x, want := range map[string]int{"GATT": 1, "GA": 0} { // decision values 1.75 and 0.75, see docs/model-format.md
		if got := c.Decide([]byte(x)); got.Class != want {
			t.Errorf("%s: class %d, decision value %v", x, got.Class, got.Scores)
		}
	}
	for _, wrong := range []decide.Rule{
		{Criterion: "best"}, {Machines: []decide.Binary{{Threshold: 1}}}, {Criterion: "fdr=0.05", Scheme: decide.OneVsRest},
	} {
		r := loaded.Decision
		r.Criterion = wrong.Criterion
		if wrong.Scheme != "" {
			r.Scheme, r.Classes = wrong.Scheme, []string{"a", "b", "c"}
		}
		if r.Check() == nil {
			t.Errorf("accepted: %+v", r)
		}
	}
}

// Pairs of many classes: the file has the support vectors, whose k-mers are listed again.
func TestOneVsOneOfManyClasses(t *testing.T) {
	for _, kernel := range []string{"spectrum:k=8,alphabet=dna", "spectrum:k=8,rc,alphabet=dna"} {
		f := flavour{kernels: []string{kernel}, classes: 36, multiclass: decide.OneVsOne}
		d := f.data(t, 3, 72, 60)
		trained, m := f.train(t, d)
		data := write(t, m)
		if m.Compiled() {
			t.Fatalf("%s: compiled", kernel)
		}
		if most := 800_000; len(data) > most { // of a table, 17 MB
			t.Errorf("%s: %d bytes, want at most %d", kernel, len(data), most)
		}
		loaded := read(t, data)
		if !bytes.Equal(write(t, loaded), data) {
			t.Errorf("%s: a model read and written again has other bytes", kernel)
		}
		queries := f.data(t, 4, 3, 80).Corpus
		sameScores(t, trained, loaded, queries)
		scoresByDefinition(t, trained, loaded, queries)
	}
}

// Scores of records left out survive a file.
func TestConformalScoresAreStored(t *testing.T) {
	m := tinySpectrum(t)
	m.Decision.Conformal = conformal.New([][]float64{{0.5, -1, 2}, {0.25}}, 2)
	loaded := read(t, write(t, m))
	if !reflect.DeepEqual(loaded.Decision.Conformal, m.Decision.Conformal) {
		t.Fatalf("scores %v", loaded.Decision.Conformal)
	}
	for _, wrong := range [][]stringkernel.Array{
		conformalArrays(conformal.New([][]float64{{1}}, 2)),
		conformalArrays(conformal.New([][]float64{{1}, {1}, {1}}, 2)),
		conformalArrays(&conformal.Scores{Kept: [][]float64{{1, 0}, {1}}, Count: []int{2, 1}}),
		conformalArrays(&conformal.Scores{Kept: [][]float64{{1, 2}, {1}}, Count: []int{1, 1}}),
		conformalArrays(conformal.New([][]float64{{1}, {1}}, 2))[:2],
		{{Name: "conformal/scores", Data: []float64{1, 2}}, {Name: "conformal/ends", Data: []uint64{9, 2}},
			{Name: "conformal/counts", Data: []uint64{1, 1}}},
		{{Name: "conformal/scores", Data: []float64{1, 2}}, {Name: "conformal/ends", Data: []uint64{1, 1}},
			{Name: "conformal/counts", Data: []uint64{1, 1}}},
	} {
		arrays := slices.DeleteFunc(m.fileArrays(), func(a stringkernel.Array) bool {
			return strings.HasPrefix(a.Name, conformalPrefix)
		})
		if _, err := Read(writeUnchecked(t, m, append(arrays, wrong...))); err == nil {
			t.Errorf("read with %v", wrong)
		}
	}
}

// A profile of the training data survives a file.
func TestProfileIsStored(t *testing.T) {
	m := tinySpectrum(t)
	c := must.Get(stringkernel.NewCorpus([][]byte{[]byte("GATTACA"), []byte("CAT")}, nil))(t)
	for _, a := range []stringkernel.Alphabet{stringkernel.DNA, stringkernel.Protein, stringkernel.Bytes} {
		without := len(write(t, tinySpectrum(t)))
		m.Drift = drift.New(c, a)
		data := write(t, m)
		loaded := read(t, data)
		if !reflect.DeepEqual(loaded.Drift, m.Drift) {
			t.Fatalf("%s: profile %v", a, loaded.Drift)
		}
		if size := len(data) - without; size > 2048 {
			t.Errorf("%s: a profile takes %d bytes", a, size)
		}
	}
	m.Drift.Records = 0
	if _, err := Read(writeUnchecked(t, m, m.fileArrays())); err == nil {
		t.Error("read with a profile of no records")
	}
	m.Drift = drift.New(c, stringkernel.DNA)
	if _, err := Read(writeUnchecked(t, m, m.fileArrays()[:len(m.fileArrays())-1])); err == nil {
		t.Error("read without the common k-mers")
	}
}
