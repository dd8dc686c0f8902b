package distributed

import (
	"cmp"
	"context"
	"crypto/rand"
	"fmt"
	"io"
	"strings"

	"github.com/seqsvm/seqsvm"
	"github.com/seqsvm/seqsvm/catalog"
	"github.com/seqsvm/seqsvm/classify"
	"github.com/seqsvm/seqsvm/classify/dataset"
	"github.com/seqsvm/seqsvm/classify/decide"
	"github.com/seqsvm/seqsvm/classify/search"
	"github.com/seqsvm/seqsvm/internal/answer"
	"github.com/seqsvm/seqsvm/internal/table"
	"github.com/seqsvm/seqsvm/model"
	"github.com/seqsvm/seqsvm/model/drift"
	"github.com/seqsvm/seqsvm/seqio"
	"github.com/seqsvm/seqsvm/stringkernel/compose"
)

// Train says what to learn.
type Train struct {
	Kernel      []string // specifications of kernels that fold into a table, such as gapped:l=10,k=6
	NoNormalize bool
	Files       []string // patterns, on any file system that Beam knows; records say their labels
	C           float64  // penalty of a margin error; 0: 1
	Tol         float64  // relative duality gap to stop at; 0: 1e-3
}

// Train trains on records that workers read, and writes a model to Output. Every pass over the records is a pipeline
// over their shards, of PartSize bytes each; workers keep the records of the shards they have read. The driver reads
// the records once, for their labels, and holds 40 bytes of each and the tables of cutting planes.
func (j *Job) Train(ctx context.Context, o Train) error {
	t := &training{o: o, job: j}
	data, err := t.gather(ctx)
	if err != nil {
		return err
	}
	defer t.records.corpus.release()
	trained, err := t.trainer.TrainShards(ctx, &t.records, data, nil)
	if err != nil {
		return err
	}
	for _, m := range trained.Machines {
		j.say("gap %.3g after %d passes", m.Gap, t.records.passes)
	}
	return t.save(ctx, trained)
}

// training is a run of Train.
type training struct {
	o       Train
	job     *Job
	spec    catalog.Spec
	trainer classify.Trainer
	records records

	named  bool
	names  []string // of the records, if named
	labels dataset.Labels
	tally  model.Tally
	sketch *model.SketchBuilder
	looks  drift.Collector
}

// gather reads the records and says what there are.
func (t *training) gather(ctx context.Context) (*dataset.Dataset, error) {
	files, err := expand(ctx, t.o.Files)
	if err != nil {
		return nil, err
	}
	if err := clean(ctx, t.job.Output); err != nil {
		return nil, err
	}
	if err := t.read(ctx, files); err != nil {
		return nil, err
	}
	t.job.say("%d records in %d shards", t.labels.Len(), len(t.records.ends))
	return t.labels.Dataset()
}

// read cuts the files into shards, makes the kernel for the first records, and takes the labels of all.
func (t *training) read(ctx context.Context, files []string) error {
	c := &t.records.corpus
	*c = corpus{
		Run: rand.Text(), Kernel: t.o.Kernel, Plain: t.o.NoNormalize, Scratch: temporary(t.job.Output),
		Read: seqio.Options{RepeatedIDs: true, FirstDecides: true},
	}
	var err error
	if t.spec, err = c.spec(); err != nil {
		return err
	}
	c.Read.Alphabet = t.spec.Alphabet()
	spans, err := cutRecords(ctx, files, t.job.partSize())
	if err != nil {
		return err
	}
	t.records.job, c.Spans = t.job, spans
	for i := range spans {
		err := spans[i].each(ctx, func(r io.Reader) error {
			inputs := []seqio.Input{{Path: spans[i].File, Reader: r}}
			return seqio.AllBatches(ctx, inputs, c.Read, batchSize, func(batch *seqio.Collection) error {
				return t.add(ctx, batch)
			})
		})
		if err != nil {
			return err
		}
		t.records.ends = append(t.records.ends, t.labels.Len())
	}
	if t.sketch == nil {
		return fmt.Errorf("%s: no records", files[0])
	}
	return nil
}

// add takes note of records.
func (t *training) add(ctx context.Context, batch *seqio.Collection) error {
	if t.sketch == nil {
		if err := t.begin(batch); err != nil {
			return err
		}
	}
	if err := cmp.Or(batch.CheckTraining(), batch.Placed(t.spec.CheckCorpus(batch.Corpus, 0))); err != nil {
		return err
	}
	for i, label := range batch.Labels() {
		if label == "" {
			return batch.Errorf(i, "no label")
		}
		t.labels.Add(label)
		if t.named {
			t.names = append(t.names, strings.Clone(batch.Corpus.Name(i)))
		}
		t.tally.Add(batch.Corpus.Seq(i), label)
		t.looks.Add(batch.Corpus.Seq(i))
	}
	return t.sketch.Add(ctx, batch.Corpus)
}

// begin makes the kernel.
func (t *training) begin(first *seqio.Collection) (err error) {
	c := &t.records.corpus
	alphabet := cmp.Or(t.spec.Alphabet(), first.DetectAlphabet())
	t.spec = t.spec.WithAlphabet(alphabet)
	t.trainer = classify.Trainer{C: t.o.C, Tol: t.o.Tol}
	if t.trainer.Kernel, err = t.spec.Compile(alphabet); err != nil {
		return fmt.Errorf("on %s sequences: %w", alphabet, err)
	}
	space := compose.SpaceOf(t.trainer.Kernel)
	if space == nil {
		return fmt.Errorf("--kernel %s: its features do not fold into a table: want one of spectrum up to 12 letters of "+
			"dna with count=raw, presence, sqrt, log or sublinear, gapped or mismatch up to 13", t.spec)
	}
	c.Size = space.Size()
	c.Read = first.Settled(c.Read)
	c.Read.Alphabet = alphabet
	t.sketch = model.NewSketchBuilder(alphabet)
	return nil
}

// save writes the model, which appears when it is complete.
func (t *training) save(ctx context.Context, trained *decide.Model) error {
	m, err := model.New(ctx, trained, model.Options{})
	if err != nil {
		return err
	}
	read := &t.records.corpus
	m.Input, m.Training = model.InputOf(read.Read), t.tally.Training()
	m.Sketch, m.Drift = t.sketch.Sketch(), t.looks.Profile(t.spec.Alphabet())
	m.Generator = model.Generator{Version: seqsvm.Version}
	return writeWhole(ctx, t.job.Output, m.Write)
}

// CrossValidate says what to validate.
type CrossValidate struct {
	Train
	Folds       int    // 0: 10
	Seed        uint64 // by which records are divided into folds
	Predictions string // file for id, score, label and fold of every record; empty: none
}

// CrossValidate estimates how well a model of Train predicts records that it has not seen: it trains on all folds but
// one and predicts that one, for each of them in turn. Metrics of the folds go to Output, as the command cv of the tool
// prints them. Folds are stratified by class, and those of the tool by the same seed. Machines of all folds and classes
// share passes over the records.
func (j *Job) CrossValidate(ctx context.Context, o CrossValidate) error {
	t := &training{o: o.Train, job: j, named: o.Predictions != ""}
	data, err := t.gather(ctx)
	if err != nil {
		return err
	}
	defer t.records.corpus.release()
	fold, err := data.Folds(cmp.Or(o.Folds, 10), o.Seed)
	if err != nil {
		return err
	}
	outcome, err := classify.CrossValidateShards(ctx, t.trainer, &t.records, data, fold, nil)
	if err != nil {
		return err
	}
	j.say("%d folds after %d passes", outcome.Folds, t.records.passes)
	measured, err := search.MeasureFolds(data, outcome)
	if err != nil {
		return err
	}
	if o.Predictions != "" {
		label := func(i int) string { return data.Classes[data.Y[i]] }
		err := writeTable(ctx, o.Predictions, func(to *table.Table) {
			answer.Outcome(to, outcome, func(i int) string { return t.names[i] }, label)
		})
		if err != nil {
			return err
		}
	}
	return writeTable(ctx, j.Output, func(to *table.Table) {
		answer.Folds(to, measured.Folds, measured.Mean, measured.SD)
	})
}

// writeTable writes a table that appears when it is complete.
func writeTable(ctx context.Context, path string, fill func(*table.Table)) error {
	return writeWhole(ctx, path, func(w io.Writer) error {
		t := table.New(w, false, 0)
		fill(t)
		return t.Err
	})
}
