package seqsvm

import (
	"context"

	"github.com/seqsvm/seqsvm/classify/decide"
	"github.com/seqsvm/seqsvm/model"
	"github.com/seqsvm/seqsvm/seqio"
	"github.com/seqsvm/seqsvm/seqio/atomicfile"
	"github.com/seqsvm/seqsvm/stringkernel"
)

// Model is a trained model, ready to predict. It is immutable and safe for concurrent use.
type Model struct {
	File       *model.Model       // what is saved: kernel, classes, certificate, how records are read
	Classifier *decide.Classifier // what decides
}

// Prediction is the answer for one record.
type Prediction struct {
	ID                string // of the record; empty from Decide
	Label             string // the class
	decide.Prediction        // scores, probabilities
}

// Open loads a model that Save or the tool wrote. A model whose kernel is not in catalog.Default is read by package
// model and made ready by [Load].
func Open(path string) (*Model, error) {
	file, err := model.ReadFile(path)
	if err != nil {
		return nil, err
	}
	return Load(context.Background(), file)
}

// Load makes a model file ready to predict.
func Load(ctx context.Context, file *model.Model) (*Model, error) {
	classifier, err := file.Classifier(ctx)
	if err != nil {
		return nil, err
	}
	return &Model{File: file, Classifier: classifier}, nil
}

// Save writes the model to a file, which appears when it is complete: on an error what was there before stays.
func (m *Model) Save(path string) error {
	f, err := atomicfile.Create(path)
	if err != nil {
		return err
	}
	defer f.Abort() // after Commit it does nothing
	if err := m.File.Write(f); err != nil {
		return err
	}
	return f.Commit()
}

// Predict reads records as those for training were read, and classifies each, in order. Labels are ignored.
func (m *Model) Predict(ctx context.Context, inputs ...seqio.Input) ([]Prediction, error) {
	records, err := read(ctx, inputs, m.File.ReadOptions())
	if err != nil {
		return nil, err
	}
	var list []decide.Prediction
	err = m.File.Kernel.CheckCorpus(records.Corpus, stringkernel.WindowLength(m.Classifier.Scorer))
	if err == nil {
		list, err = m.Classifier.Predict(ctx, records.Corpus)
	}
	if err != nil {
		return nil, records.Placed(err)
	}
	out := make([]Prediction, len(list))
	for i, p := range list {
		out[i] = Prediction{ID: records.Corpus.Name(i), Label: m.Classifier.Classes[p.Class], Prediction: p}
	}
	return out, nil
}

// Decide classifies one sequence. Its letters are read as those of the training data were: case, and U or T, do not
// matter unless they did there. The numbers of a model with columns stand at the end of x: see
// [stringkernel.AppendNumber].
func (m *Model) Decide(x []byte) Prediction {
	p := m.Classifier.Decide(x)
	return Prediction{Label: m.Classifier.Classes[p.Class], Prediction: p}
}
