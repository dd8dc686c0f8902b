package distributed

import (
	"context"
	"crypto/rand"
	"fmt"
	"io"
	"sync"

	"github.com/seqsvm/seqsvm/classify/dataset"
	"github.com/seqsvm/seqsvm/classify/decide"
	"github.com/seqsvm/seqsvm/internal/answer"
	"github.com/seqsvm/seqsvm/internal/table"
	"github.com/seqsvm/seqsvm/model"
	"github.com/seqsvm/seqsvm/seqio"
)

// Predict says what to predict.
type Predict struct {
	Model string   // file
	Files []string // patterns, on any file system that Beam knows
}

// prediction is a run of Predict.
type prediction struct {
	Model, Run string
	Output     string
	Several    bool // files, whose names are a column
	Spans      []span
}

// batchSize is the size of a batch of records, as seqio.BatchSize counts it.
const batchSize = 4 << 20

// Predict classifies records, as the command predict of the tool does, to the same bytes: id, class and decision, and
// what else the model says.
func (j *Job) Predict(ctx context.Context, o Predict) error {
	files, err := expand(ctx, o.Files)
	if err != nil {
		return err
	}
	p := &prediction{Model: o.Model, Run: rand.Text(), Output: j.Output, Several: len(files) > 1}
	m, err := loadModel(ctx, p.Model, p.Run)
	if err != nil {
		return err
	}
	if m.classifier.Labelling() == dataset.NoLabels {
		return fmt.Errorf("%s: the model has components, which predict nothing", o.Model)
	}
	if p.Spans, err = cutRecords(ctx, files, j.partSize()); err != nil {
		return err
	}
	return j.runOutput(ctx, len(p.Spans), "predict", p)
}

func (p *prediction) do(ctx context.Context, part int) error {
	m, err := loadModel(ctx, p.Model, p.Run)
	if err != nil {
		return err
	}
	return createWhole(ctx, written(p.Output, part), func(w io.Writer) error {
		t := table.New(w, false, 0)
		columns := []any{"id"}
		if p.Several {
			columns = append(columns, "file", "record")
		}
		if part == 0 {
			t.Header(append(columns, answer.Columns(m.classifier))...)
			t.WriteHeader()
		}
		s := &p.Spans[part]
		return s.each(ctx, func(r io.Reader) error {
			return p.rows(ctx, t, m, s, r)
		})
	})
}

// rows writes a row for each record of a span.
func (p *prediction) rows(ctx context.Context, t *table.Table, m loaded, s *span, r io.Reader) error {
	options := m.file.ReadOptions()
	options.RepeatedIDs, options.OptionalLabels = true, true
	cells := answer.CellsOf(&m.classifier.Rule, m.file.Input.Separator)
	number := s.First
	input := []seqio.Input{{Path: s.File, Reader: r}}
	return seqio.AllBatches(ctx, input, options, batchSize, func(batch *seqio.Collection) error {
		if err := batch.Placed(m.file.Kernel.CheckCorpus(batch.Corpus, 0)); err != nil {
			return err
		}
		predictions, err := m.classifier.Predict(ctx, batch.Corpus)
		if err != nil {
			return batch.Placed(err)
		}
		for _, one := range predictions {
			if one.Unknown {
				withoutAny.Inc(ctx, 1)
			}
		}
		t.WriteHeader()
		for i := range predictions {
			t.Text(batch.Corpus.Name(i))
			if p.Several {
				t.Text(s.File)
				t.Integer(number + i + 1)
			}
			cells(t, &predictions[i])
			t.End()
		}
		number += len(predictions)
		recordsDone.Inc(ctx, int64(len(predictions)))
		lettersDone.Inc(ctx, int64(batch.Corpus.Letters()))
		return t.Err
	})
}

// once keeps what is made once per process, by name, while workers ask for the same.
type once[T any] struct {
	mutex sync.Mutex
	name  string
	value T
	made  bool
}

// get returns the value of a name. That of another name is dropped. An error is not kept.
func (o *once[T]) get(name string, make func() (T, error)) (T, error) {
	o.mutex.Lock()
	defer o.mutex.Unlock()
	if o.made && o.name == name {
		return o.value, nil
	}
	var err error
	o.value, err = make()
	o.name, o.made = name, err == nil
	return o.value, err
}

// loaded is a model that is ready to use.
type loaded struct {
	file       *model.Model
	classifier *decide.Classifier
}

var models once[loaded]

// loadModel reads a model, or returns the one that this process has of that run.
func loadModel(ctx context.Context, path, run string) (loaded, error) {
	return models.get(path+"\x00"+run, func() (m loaded, err error) {
		err = read(ctx, path, 0, 0, func(r io.Reader) error {
			in, err := seqio.Decompress(r, path)
			if err != nil {
				return err
			}
			defer in.Close()
			if m.file, err = model.ReadFrom(in); err != nil {
				return fmt.Errorf("%s: %w", path, err)
			}
			m.classifier, err = m.file.Classifier(ctx)
			return err
		})
		return m, err
	})
}
