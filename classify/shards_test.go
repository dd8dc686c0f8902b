package classify_test

import (
	"bytes"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/seqsvm/seqsvm/catalog"
	"github.com/seqsvm/seqsvm/classify"
	"github.com/seqsvm/seqsvm/classify/dataset"
	"github.com/seqsvm/seqsvm/classify/decide"
	"github.com/seqsvm/seqsvm/classify/svm"
	"github.com/seqsvm/seqsvm/classify/svm/smo"
	"github.com/seqsvm/seqsvm/classify/threshold"
	"github.com/seqsvm/seqsvm/internal/memory"
	"github.com/seqsvm/seqsvm/internal/must"
	"github.com/seqsvm/seqsvm/spectrum"
	"github.com/seqsvm/seqsvm/spectrum/gapped"
	"github.com/seqsvm/seqsvm/stringkernel"
	"github.com/seqsvm/seqsvm/stringkernel/compose"
	"github.com/seqsvm/seqsvm/stringkernel/shard"
	"github.com/seqsvm/seqsvm/stringkernel/shard/packed"
)

// classesOfLetters draws records of some classes, each with a letter that it has more of.
func classesOfLetters(t *testing.T, n, classes int) (*stringkernel.Corpus, []string) {
	t.Helper()
	rng := rand.New(rand.NewPCG(uint64(n), uint64(classes)))
	seqs, labels := make([][]byte, n), make([]string, n)
	for i := range seqs {
		class := rng.IntN(classes)
		labels[i] = fmt.Sprint("class", class)
		seqs[i] = make([]byte, 20+rng.IntN(20))
		for p := range seqs[i] {
			if seqs[i][p] = "ACGT"[rng.IntN(4)]; rng.IntN(5) == 0 {
				seqs[i][p] = "ACGT"[class]
			}
		}
	}
	c := must.Get(stringkernel.NewCorpus(seqs, nil))(t)
	return c, labels
}

// TestTrainShards compares machines of records in three shards with those of the corpus in memory, by sequential
// minimal optimisation: objectives and scores.
func TestTrainShards(t *testing.T) {
	three := spectrum.Kernel{K: 3, Alphabet: stringkernel.DNA}
	for name, of := range map[string]struct {
		kernel  stringkernel.Kernel
		classes int
		options classify.Trainer
	}{
		"two classes":  {compose.Normalized(three), 2, classify.Trainer{}},
		"raw":          {compose.BothStrands(three, stringkernel.DNA), 2, classify.Trainer{C: 0.1}},
		"one-vs-rest":  {compose.Normalized(three), 3, classify.Trainer{Multiclass: decide.OneVsRest, C: 2}},
		"balanced":     {compose.Normalized(three), 3, classify.Trainer{ClassWeight: classify.WeightBalanced}},
		"squared loss": {compose.Normalized(three), 2, classify.Trainer{Loss: svm.SquaredHinge}},
		"threshold":    {compose.Normalized(three), 2, classify.Trainer{Threshold: "0.25"}},
		"gapped": {compose.Normalized(gapped.Kernel{
			L: 4, K: 2, D: 2, Filter: gapped.Plain, Alphabet: stringkernel.DNA}.BothStrands()),
			2, classify.Trainer{}},
	} {
		t.Run(name, func(t *testing.T) {
			c, names := classesOfLetters(t, 120, of.classes)
			trainer := of.options
			trainer.Tol = 1e-7
			var err error
			if trainer.Kernel, err = stringkernel.Compile(of.kernel); err != nil {
				t.Fatal(err)
			}
			var list shard.List
			for i := range 3 {
				part := c.Slice(i*c.Len()/3, (i+1)*c.Len()/3)
				list = append(list, must.Get(packed.Pack(t.Context(), trainer.Kernel, stringkernel.DNA, part))(t))
			}
			var labels dataset.Labels
			for _, name := range names {
				labels.Add(name)
			}
			data := must.Get(labels.Dataset())(t)
			got := must.Get(trainer.TrainShards(t.Context(), list, data, nil))(t)
			trainer.Solver = smo.Solver{}
			whole := must.Get(dataset.New(c, names, nil))(t)
			want := must.Get(trainer.Train(t.Context(), whole))(t)
			sameMachines(t, c, got, want)
		})
	}
}

// TestCrossValidateShards compares the machines and the decisions of every fold with those of training on the other
// records, in shards of their own.
func TestCrossValidateShards(t *testing.T) {
	for classes := 2; classes <= 3; classes++ {
		const folds = 3
		c, names := classesOfLetters(t, 90, classes)
		trainer := classify.Trainer{Tol: 1e-9, ClassWeight: classify.WeightBalanced}
		var err error
		kernel := compose.Normalized(spectrum.Kernel{K: 3, Alphabet: stringkernel.DNA})
		if trainer.Kernel, err = stringkernel.Compile(kernel); err != nil {
			t.Fatal(err)
		}
		records, data := shardOf(t, trainer.Kernel, c, names)
		fold := must.Get(data.Folds(folds, 7))(t)
		got := must.Get(classify.CrossValidateShards(t.Context(), trainer, records, data, fold, nil))(t)
		for f := range folds {
			train, test := got.Split(f)
			var others []string
			for _, i := range train {
				others = append(others, names[i])
			}
			records, data := shardOf(t, trainer.Kernel, c.Subset(train), others)
			alone := must.Get(trainer.TrainShards(t.Context(), records, data, nil))(t)
			want := must.Get(alone.Classifier(t.Context()))(t)
			for m, machine := range got.Rules[f].Machines {
				if math.Abs(machine.Primal-alone.Machines[m].Primal) > 1e-8*machine.Primal {
					t.Errorf("fold %d, machine %d: primal %v, want %v", f, m, machine.Primal, alone.Machines[m].Primal)
				}
			}
			for _, i := range test {
				expected := want.Decide(c.Seq(i))
				for k, score := range got.Predictions[i].Scores {
					if math.Abs(score-expected.Scores[k]) > 1e-4 {
						t.Errorf("record %d: scores %v, want %v", i, got.Predictions[i].Scores, expected.Scores)
						break
					}
				}
			}
		}
	}
}

// shardOf returns a corpus as a shard, and its labels.
func shardOf(t *testing.T, k stringkernel.Kernel, c *stringkernel.Corpus, names []string) (
	shard.Shard, *dataset.Dataset) {
	t.Helper()
	records := must.Get(packed.Pack(t.Context(), k, stringkernel.DNA, c))(t)
	var labels dataset.Labels
	for _, name := range names {
		labels.Add(name)
	}
	data := must.Get(labels.Dataset())(t)
	return records, data
}

// sameMachines compares objectives to 1e-6, certificates with the tolerance, and decision values.
func sameMachines(t *testing.T, c *stringkernel.Corpus, got, want *decide.Model) {
	t.Helper()
	if len(got.Machines) != len(want.Machines) {
		t.Fatalf("%d machines, want %d", len(got.Machines), len(want.Machines))
	}
	for m, machine := range got.Machines {
		expected := want.Machines[m]
		if math.Abs(machine.Primal-expected.Primal) > 1e-6*expected.Primal || machine.Gap > 1e-7 {
			t.Errorf("machine %d: primal %v, gap %v, want %v", m, machine.Primal, machine.Gap, expected.Primal)
		}
		if machine.Positive != expected.Positive || machine.Threshold != expected.Threshold {
			t.Errorf("machine %d is %+v, want %+v", m, machine, expected)
		}
	}
	a := must.Get(got.Classifier(t.Context()))(t)
	b := must.Get(want.Classifier(t.Context()))(t)
	scores, expected := make([]float64, len(got.Machines)), make([]float64, len(got.Machines))
	for i := range c.Len() {
		a.Scorer.ScoreTo(scores, c.Seq(i))
		b.Scorer.ScoreTo(expected, c.Seq(i))
		for m := range scores {
			if x, y := scores[m]-got.Machines[m].Rho, expected[m]-want.Machines[m].Rho; math.Abs(x-y) > 2e-3 {
				t.Fatalf("record %d, machine %d: decision %v, want %v", i, m, x, y)
			}
		}
	}
}

// TestTrainShardsRefuses checks what records in shards cannot be trained with.
func TestTrainShardsRefuses(t *testing.T) {
	kernel := spectrum.Kernel{K: 3, Alphabet: stringkernel.DNA}
	for want, trainer := range map[string]classify.Trainer{
		"Multiclass":         {Kernel: kernel, Multiclass: decide.OneVsOne},
		"Solver":             {Kernel: kernel, Solver: smo.Solver{}},
		"Probability":        {Kernel: kernel, Probability: true},
		"Conformal":          {Kernel: kernel, Conformal: true},
		"Threshold":          {Kernel: kernel, Threshold: threshold.F1},
		"Loss":               {Kernel: kernel, Loss: classify.LossLogistic},
		"fold into a table":  {Kernel: spectrum.Kernel{K: 30, Alphabet: stringkernel.DNA}},
		"labels for 2 recor": {Kernel: kernel},
	} {
		c, _ := classesOfLetters(t, 2, 2)
		records := must.Get(packed.Pack(t.Context(), kernel, stringkernel.DNA, c))(t)
		data := &dataset.Dataset{Classes: []string{"a", "b"}, Y: []int{0, 1}, Positive: 1}
		if want == "labels for 2 recor" {
			data.Y = append(data.Y, 1)
		}
		if _, err := trainer.TrainShards(t.Context(), records, data, nil); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("error %v, want one with %q", err, want)
		}
	}
	var labels dataset.Labels
	if _, err := labels.Dataset(); err == nil {
		t.Error("no records make a data set")
	}
	labels.Add("one")
	if _, err := labels.Dataset(); err == nil || !strings.Contains(err.Error(), `one record, with label "one"`) {
		t.Errorf("one class: error %v", err)
	}
}

// Many letters of two classes are packed, unless support vectors are wanted: the machines are those of an index, and to
// the bit those of the records in shards.
func TestManyLettersArePacked(t *testing.T) {
	short, labels := classesOfLetters(t, 500, 2)
	c, d := longer(t, short, labels)
	indexed := classify.Trainer{Kernel: compose.Normalized(spectrum.Kernel{K: 2, Alphabet: stringkernel.DNA}), Tol: 1e-7}
	packs := indexed
	packs.Pack = stringkernel.DNA
	got, want := must.Get(packs.Train(t.Context(), d))(t), must.Get(indexed.Train(t.Context(), d))(t)
	if got.Support != nil || want.Support == nil {
		t.Fatal("not packed, or packed unasked")
	}
	sameMachines(t, short, got, want)
	records := must.Get(packed.Pack(t.Context(), packs.Kernel, stringkernel.DNA, c))(t)
	if want := must.Get(packs.TrainShards(t.Context(), records, d, nil))(t); got.Problems[0] != want.Problems[0] {
		t.Errorf("%+v, of shards %+v", got.Problems[0], want.Problems[0])
	}
	packs.Tol = 1e-3
	fold := must.Get(d.Folds(2, 1))(t)
	folds := must.Get(classify.CrossValidate(t.Context(), packs, d, fold))(t)
	ofShards := must.Get(classify.CrossValidateShards(t.Context(), packs, records, d, fold, nil))(t)
	if fmt.Sprint(folds.Predictions) != fmt.Sprint(ofShards.Predictions) {
		t.Error("other predictions of folds than of shards")
	}
}

// Kernels and options that packed records do not have, or not as fast, keep the index, which takes more memory than is
// granted here.
func TestWhatIsPacked(t *testing.T) {
	classify.Granted(t, 8<<20)
	short, labels := classesOfLetters(t, 200, 2)
	_, two := longer(t, short, labels)
	weighted := *two
	weighted.Weights = slices.Repeat([]float64{1}, two.Len())
	_, three := longer(t, short, append(slices.Clone(labels[1:]), "another"))
	for _, of := range []struct {
		kernel string
		data   *dataset.Dataset
		change func(tr *classify.Trainer)
		want   bool
	}{
		{"spectrum:k=2,rc", two, nil, true},
		{"gapped:l=2,k=1,clip", two, nil, true},
		{"gapped:l=2,k=1", two, nil, false},      // indefinite
		{"gapped:l=5,k=4,clip", two, nil, false}, // fewer than two records for each feature
		{"spectrum:k=9", two, nil, false},        // fewer than 128 letters for each feature
		{"words", two, nil, false},               // no tables
		{"spectrum:k=2", &weighted, nil, false},  // weights of records
		{"spectrum:k=2", three, nil, false},      // three classes
		{"spectrum:k=2", two, func(tr *classify.Trainer) { tr.Nu = 0.5 }, false},
		{"spectrum:k=2", two, func(tr *classify.Trainer) { tr.Solver = smo.Solver{} }, false}, // as shards have none
		{"spectrum:k=2", two, func(tr *classify.Trainer) { tr.Pack = "" }, false},
	} {
		kernel := must.Get(must.Get(catalog.Parse(of.kernel))(t).Compile(stringkernel.DNA))(t)
		tr := classify.Trainer{Kernel: kernel, Tol: 0.5, Pack: stringkernel.DNA}
		if of.change != nil {
			of.change(&tr)
		}
		m, err := tr.Train(t.Context(), of.data)
		if of.want && (err != nil || !strings.Contains(m.Problems[0].Reason, "packed")) ||
			!of.want && !errors.As(err, new(*memory.Error)) {
			t.Errorf("%s: packed should be %t: %v", of.kernel, of.want, err)
		}
	}
}

// longer repeats the letters of each record of a corpus, so that all records together have millions.
func longer(t *testing.T, short *stringkernel.Corpus, labels []string) (*stringkernel.Corpus, *dataset.Dataset) {
	t.Helper()
	var b stringkernel.CorpusBuilder
	for i := range short.Len() {
		b.Add(fmt.Sprint(i), bytes.Repeat(short.Seq(i), 280_000/short.Len()))
	}
	c := b.Corpus()
	return c, must.Get(dataset.New(c, labels, nil))(t)
}
