package seqsvm

import (
	"bytes"
	"context"
	"errors"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"github.com/seqsvm/seqsvm/catalog"
	"github.com/seqsvm/seqsvm/classify"
	"github.com/seqsvm/seqsvm/classify/dataset"
	"github.com/seqsvm/seqsvm/internal/must"
	"github.com/seqsvm/seqsvm/model"
	"github.com/seqsvm/seqsvm/model/drift"
	"github.com/seqsvm/seqsvm/seqio"
	"github.com/seqsvm/seqsvm/seqio/reading"
	"github.com/seqsvm/seqsvm/seqio/trees"
	"github.com/seqsvm/seqsvm/spectrum"
	"github.com/seqsvm/seqsvm/stringkernel"
	"github.com/seqsvm/seqsvm/stringkernel/compose"
)

// input is a named text.
func input(name, text string) seqio.Input {
	return seqio.Input{Path: name, Reader: strings.NewReader(text)}
}

// TestFitIsWhatItsPartsAre: a model of Fit has the bytes of one made step by step, and FitDataset those of Fit.
func TestFitIsWhatItsPartsAre(t *testing.T) {
	ctx := context.Background()
	const file = "testdata/fasta/promoters.fa"
	fit := must.Get(Fit(ctx, "spectrum:k=4,rc + substring:weight=bounded,k=3", Files(file),
		Options{C: 2, ClassWeight: classify.WeightBalanced}))(t)
	set := must.Get(seqio.ReadFile(file, seqio.Options{}))(t)
	data := must.Get(dataset.New(set.Corpus, set.Labels, nil))(t)
	spec := must.Get(catalog.Parse("spectrum:k=4,rc", "substring:weight=bounded,k=3"))(t)
	kernel := must.Get(spec.Compile(stringkernel.DNA))(t)
	trained := must.Get(classify.Trainer{Kernel: kernel, C: 2, ClassWeight: classify.WeightBalanced, Seed: 1}.Train(ctx,
		data))(t)
	parts := must.Get(model.New(ctx, trained, model.Options{}))(t)
	parts.Training = model.TrainingOn(set.Corpus, set.Labels)
	parts.Sketch = must.Get(model.NewSketch(ctx, set.Corpus, stringkernel.DNA))(t)
	parts.Drift = drift.New(set.Corpus, stringkernel.DNA)
	parts.Generator.Version = Version
	parts.Input.Reading.SoftMask = reading.MaskUpper
	inMemory := must.Get(FitDataset(ctx, fit.File.Kernel.String(), data,
		Options{C: 2, ClassWeight: classify.WeightBalanced}))(t)
	want := write(t, parts)
	for _, m := range []*Model{fit, inMemory} {
		if got := write(t, m.File); !bytes.Equal(got, want) {
			t.Errorf("a model of %d bytes, want the %d of its parts", len(got), len(want))
		}
	}
}

// TestFitWithoutKernel takes the usual one, for the records or a data set.
func TestFitWithoutKernel(t *testing.T) {
	ctx := context.Background()
	const file = "testdata/fasta/promoters.fa"
	want := must.Get(Fit(ctx, "wd:d=6 + gapped:l=8,k=5,d=3", Files(file), Options{}))(t)
	set := must.Get(seqio.ReadFile(file, seqio.Options{}))(t)
	data := must.Get(dataset.New(set.Corpus, set.Labels, nil))(t)
	for _, m := range []*Model{must.Get(Fit(ctx, "", Files(file), Options{}))(t),
		must.Get(FitDataset(ctx, "", data, Options{}))(t)} {
		if !bytes.Equal(write(t, m.File), write(t, want.File)) {
			t.Errorf("a model of %s, want %s", m.File.Kernel, want.File.Kernel)
		}
	}
}

func write(t *testing.T, m *model.Model) []byte {
	t.Helper()
	var b bytes.Buffer
	must.Succeed(t, m.Write(&b))
	return b.Bytes()
}

// A kernel written in Go, with no specification, is saved and loaded.
func TestKernelWithoutSpecification(t *testing.T) {
	c := must.Get(seqio.ReadAll(t.Context(), Files("testdata/fasta/promoters.fa"), seqio.Options{}))(t)
	data := must.Get(dataset.New(c.Corpus, c.Labels(), nil))(t)
	kernel := compose.Normalized(spectrum.Kernel{K: 4, Alphabet: stringkernel.DNA})
	trained := must.Get(classify.Trainer{Kernel: kernel, Seed: 1}.Train(t.Context(), data))(t)
	file := must.Get(model.New(t.Context(), trained, model.Options{}))(t)
	if got := file.Kernel.String(); got != "spectrum:k=4,alphabet=dna" || !file.Kernel.Normalize {
		t.Errorf("the kernel is %s, normalised: %v", got, file.Kernel.Normalize)
	}
	want := must.Get(Fit(t.Context(), "spectrum:k=4", Files("testdata/fasta/promoters.fa"), Options{}))(t)
	m := must.Get(Load(t.Context(), file))(t)
	x := c.Corpus.Seq(3)
	if got, want := m.Decide(x), want.Decide(x); !reflect.DeepEqual(got, want) {
		t.Errorf("%+v, want %+v", got, want)
	}
}

// TestSaveAndOpen: a file that cannot be written leaves the one before, and models remember how records are read.
func TestSaveAndOpen(t *testing.T) {
	options := Options{NoNormalize: true, Read: seqio.Options{Tree: trees.Options{Syntax: trees.Penn, Labels: "names"}}}
	m := must.Get(Fit(t.Context(), "ptk:size=3", []seqio.Input{input("trees.tsv",
		"a\t(S (A x) (B y))\nb\t(S (B y) (C z))\n")}, options))(t)
	path := filepath.Join(t.TempDir(), "m.seqsvm")
	must.Succeed(t, m.Save(path))
	before := must.Get(os.ReadFile(path))(t)
	m.File.Decision.Classes = nil
	if err := m.Save(path); err == nil {
		t.Error("a model without classes is saved")
	}
	if after, err := os.ReadFile(path); err != nil || !bytes.Equal(before, after) {
		t.Errorf("the file changed: %v", err)
	}
	m = must.Get(Open(path))(t)
	if got := m.File.Input.Reading.Options(); got.Tree != options.Read.Tree {
		t.Errorf("trees are read as %+v, want %+v", got.Tree, options.Read.Tree)
	}
	p, err := m.Predict(t.Context(), input("new.txt", "(S (A x) (D z))\n"))
	if err != nil || len(p) != 1 || p[0].Label != "a" || p[0].ID != "1" {
		t.Errorf("%+v, %v", p, err)
	}
}

func TestErrors(t *testing.T) {
	good := func() seqio.Input { return input("good.fa", ">1 label=a\nACGTAC\n>2 label=b\nTTTTTT\n") }
	windows := must.Get(Fit(t.Context(), "wd:d=3", []seqio.Input{good()}, Options{}))(t)
	for want, call := range map[string]func() error{
		`unknown kernel "spectral"`: func() error {
			_, err := Fit(t.Context(), "spectral", []seqio.Input{good()}, Options{})
			return err
		},
		`kernel "spectrum:k=0": spectrum: k = 0`: func() error {
			_, err := Fit(t.Context(), "spectrum:k=0", Files("missing"), Options{})
			return err
		},
		"no inputs": func() error {
			_, err := Fit(t.Context(), "spectrum", nil, Options{})
			return err
		},
		"missing": func() error {
			_, err := Fit(t.Context(), "spectrum", Files("missing"), Options{})
			return err
		},
		`x.fa:3: record "2": no label`: func() error {
			_, err := Fit(t.Context(), "spectrum", []seqio.Input{input("x.fa", ">1 label=a\nACGT\n>2\nTT\n")},
				Options{})
			return err
		},
		"want at least two classes": func() error {
			_, err := Fit(t.Context(), "spectrum", []seqio.Input{input("x.fa", ">1 a\nACGT\n")}, Options{})
			return err
		},
		"on protein sequences: rc": func() error {
			_, err := Fit(t.Context(), "spectrum:k=2,rc",
				[]seqio.Input{input("x.fa", ">1 label=a\nMKWVTF\n>2 label=b\nLLFS\n")},
				Options{})
			return err
		},
		"good.fa:1: record \"1\"": func() error {
			_, err := Fit(t.Context(), "subtree", []seqio.Input{good()}, Options{})
			return err
		},
		`"c"`: func() error {
			_, err := Fit(t.Context(), "spectrum:k=2", []seqio.Input{good()}, Options{Positive: "c"})
			return err
		},
		"new.fa:3: record \"4\": 2 letters, want 6": func() error {
			_, err := windows.Predict(t.Context(), input("new.fa", ">3\nACGTAC\n>4\nAC\n"))
			return err
		},
		"Task = regres, want one of [classify regress": func() error {
			_, err := Fit(t.Context(), "spectrum:k=2", []seqio.Input{good()}, Options{Task: "regres"})
			return err
		},
		"Task = logistic": func() error {
			_, err := CrossValidate(t.Context(), "spectrum:k=2", []seqio.Input{good()}, 2, Options{Task: "logistic"})
			return err
		},
		`classes ["a" "b"]: the order of names`: func() error {
			_, err := Fit(t.Context(), "spectrum:k=2", []seqio.Input{good()}, Options{Task: dataset.Ordinal})
			return err
		},
		`good.fa:3: record "2": label "b" is not in the order`: func() error {
			_, err := Fit(t.Context(), "spectrum:k=2", []seqio.Input{good()},
				Options{Task: dataset.Ordinal, Order: []string{"a", "c"}})
			return err
		},
		"not a seqsvm model": func() error {
			_, err := Open("README.md")
			return err
		},
		"no such file": func() error {
			_, err := Open("missing")
			return err
		},
	} {
		if err := call(); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%v, want %s", err, want)
		}
	}
}

// Fit refuses what cannot be labels, and ids may recur, in training and in prediction.
func TestFitOfDoubtfulRecords(t *testing.T) {
	var prose *seqio.ProseError
	_, err := Fit(t.Context(), "spectrum:k=2", []seqio.Input{input("x.fa", ">1 putative\nACGT\n>2 protein\nTT\n")},
		Options{})
	if !errors.As(err, &prose) || prose.Classes != 2 || prose.Singles != 2 || prose.Records != 2 {
		t.Errorf("%v", err)
	}
	_, err = Fit(t.Context(), "spectrum:k=2", []seqio.Input{input("x.fa", ">1 label=a\n>2 label=b\n")}, Options{})
	if !errors.Is(err, seqio.ErrNoSequences) {
		t.Errorf("%v", err)
	}
	m := must.Get(Fit(t.Context(), "spectrum:k=2", []seqio.Input{input("x.fa", ">1 label=a\nACAC\n>1 label=b\nGTGT\n")},
		Options{}))(t)
	p, err := m.Predict(t.Context(), input("x.tsv", "id\ttext\n7\tacac\n7\tgugu\n"))
	if err != nil || len(p) != 2 || p[0].Label != "a" || p[1].Label != "b" ||
		p[1].Scores[0] != m.Decide([]byte("GTGT")).Scores[0] {
		t.Errorf("%+v, %v", p, err)
	}
}

// TestFitTasks: numbers, novelty, orders and log odds by the same three calls.
func TestFitTasks(t *testing.T) {
	const records = "id\ttext\tlabel\na\tAAAAAAAAAA\t0\nb\tAAACAAACAA\t1.5\nc\tACACACACAC\t4\nd\tCCCCCACCCC\t7\ne\tCCCCCCCCCC\t9\n"
	for task, want := range map[dataset.Task]string{
		dataset.Regression: "value", dataset.Ranking: "score", dataset.Novelty: "known", dataset.Ordinal: "9",
	} {
		m, err := Fit(context.Background(), "spectrum:k=2", []seqio.Input{input("a.tsv", records)},
			Options{Task: task, C: 1e5})
		if err != nil {
			t.Fatalf("%s: %v", task, err)
		}
		p, err := m.Predict(context.Background(), input("a.tsv", records))
		if err != nil {
			t.Fatalf("%s: %v", task, err)
		}
		last := p[len(p)-1]
		if task == dataset.Regression && !(last.Scores[0] > 8 && p[0].Scores[0] < 1) {
			t.Errorf("predicted %v and %v, want 0 and 9", p[0].Scores[0], last.Scores[0])
		}
		if last.Label != want && task != dataset.Novelty {
			t.Errorf("%s: label %q, want %q", task, last.Label, want)
		}
	}
	_, err := Fit(context.Background(), "spectrum:k=2",
		[]seqio.Input{input("a.tsv", "id\ttext\tlabel\na\tAAAAAAAAAA\t0\nb\tAAACAAACAA\thigh\n")},
		Options{Task: dataset.Regression})
	if err == nil || !strings.Contains(err.Error(), `a.tsv:3: record "b": label "high", want a decimal number`) {
		t.Errorf("error %v", err)
	}
	m := must.Get(Fit(context.Background(), "spectrum:k=3", Files("testdata/fasta/promoters.fa"),
		Options{Loss: classify.LossLogistic}))(t)
	if p := m.Decide([]byte("ACGTACGTTTTAAACC")); len(p.Probabilities) != 2 {
		t.Errorf("probabilities %v, want two", p.Probabilities)
	}
}
