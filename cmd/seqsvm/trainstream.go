package main

import (
	"cmp"
	"slices"
	"strings"
	"time"

	"github.com/seqsvm/seqsvm"
	"github.com/seqsvm/seqsvm/catalog"
	"github.com/seqsvm/seqsvm/classify"
	"github.com/seqsvm/seqsvm/classify/dataset"
	"github.com/seqsvm/seqsvm/classify/decide"
	"github.com/seqsvm/seqsvm/classify/svm"
	"github.com/seqsvm/seqsvm/cmd/seqsvm/internal/cli"
	"github.com/seqsvm/seqsvm/cmd/seqsvm/internal/input"
	"github.com/seqsvm/seqsvm/internal/memory"
	"github.com/seqsvm/seqsvm/internal/parallel"
	"github.com/seqsvm/seqsvm/model"
	"github.com/seqsvm/seqsvm/model/drift"
	"github.com/seqsvm/seqsvm/seqio"
	"github.com/seqsvm/seqsvm/stringkernel"
	"github.com/seqsvm/seqsvm/stringkernel/compose"
	"github.com/seqsvm/seqsvm/stringkernel/shard/packed"
)

// streamOptions are those of training on records that are not held in memory.
type streamOptions struct {
	stream     bool
	scratch    string
	checkpoint string
}

func (o *streamOptions) flags(f *cli.Flags) {
	f.Section(input.OfInput)
	f.Bool(&o.stream, "stream", "keep the records in a scratch file, 2 bits per letter of DNA, and the features in "+
		"tables: for data beyond memory, and kernels that fold into a table (spectrum up to 12 letters of DNA, gapped "+
		"and mismatch up to 13); chosen where the data would not fit into --max-memory; millions of letters of two "+
		"classes are learned from in the same way, packed in memory, where that is faster")
	f.String(&o.scratch, "scratch", "", "`FOLDER` for the scratch file of --stream").Default("that of temporary files")
	f.String(&o.checkpoint, "checkpoint", "", "`FILE` where the state of --stream is kept every minute and when "+
		"an interrupt ends it, after the pass that it is at, and from which the same command goes on to the same result; "+
		"removed at the end; FILE.2, … of several classes and folds").
		Default("none")
}

// unstreamed are the options of learning that cannot be used with --stream.
var unstreamed = strings.Fields("weights labels multilabel thresholds hierarchy sparse nu prior probability " +
	"conformal known order query landmarks relevance mkl")

// streamBatch is the size of a batch of records, as seqio.BatchSize counts it.
var streamBatch = 8 << 20 // a variable for tests

// streamed is learning from packed records.
type streamed struct {
	o       *experimentOptions
	keeping keeping
	stream  *streamOptions
	call    *cli.Call
	spec    catalog.Spec
	read    seqio.Options // settled by the first records
	trainer classify.Trainer

	sketched bool
	writer   *packed.Writer // nil before the first records
	labels   dataset.Labels
	tally    model.Tally
	sketch   *model.SketchBuilder             // nil if it is not wanted
	each     func(batch *input.Records) error // what else is kept of a batch
	looks    drift.Collector
	profile  *drift.Profile // of looks, once trained
	anchor   *model.AnchorFinder
	doubts   input.Suspects
	begun    begunStates
}

// runStream trains on packed records.
func (o *trainOptions) runStream(c *cli.Call, k keeping) error {
	s, r, err := openStream(c, &o.experimentOptions, &o.stream, k, o.unstreamed())
	if err != nil {
		return err
	}
	s.sketched = !o.noSketch
	defer s.close()
	c.Stage("reading")
	if err := r.LabelledBatches(&o.labels, streamBatch, s.add); err != nil {
		return err
	}
	start := time.Now()
	trained, err := s.train()
	if err != nil {
		return err
	}
	took, all := cli.Seconds(time.Since(start).Seconds()), s.tally.Training()
	if err := s.save(trained, &o.model); err != nil {
		return err
	}
	c.Afterwards(func() error { return s.removeCheckpoints(len(trained.Machines)) })
	s.doubts.Warn(c)
	remarkGaps(c, trained, s.trainer)
	c.Report(o.format, summaryOf(trained, all.Sequences, all.Letters, took), nil)
	return nil
}

// unstreamed are the options of train that cannot be used with --stream.
func (o *trainOptions) unstreamed() []string {
	return slices.Concat(unstreamed, []string{"predictions", "keep-sequences"})
}

// openStream checks the options, some of which are refused, before anything is read.
func openStream(c *cli.Call, o *experimentOptions, stream *streamOptions, k keeping, refused []string) (
	*streamed, input.Reader, error) {
	s := &streamed{o: o, keeping: k, stream: stream, call: c}
	if err := c.Refuse("--stream", refused...); err != nil {
		return nil, input.Reader{}, err
	}
	if o.learning.task != string(dataset.Classes) {
		return nil, input.Reader{}, cli.Usagef("--task %s cannot be used with --stream, which learns classes",
			o.learning.task)
	}
	var r input.Reader
	var err error
	if s.trainer, err = o.learning.trainer(c); err != nil {
		return nil, r, err
	}
	if s.spec, r, err = kernelAndReader(c, &o.kernel, &o.reading); err != nil {
		return nil, r, err
	}
	if err := optionError(s.trainer.CheckShards()); err != nil {
		return nil, r, err
	}
	r.Options.FirstDecides, r.Options.RepeatedIDs = true, true
	r.Options.Fields = o.fields()
	s.read = r.Options
	return s, r, stream.checkCheckpoint()
}

// add packs a batch.
func (s *streamed) add(batch *input.Records) error {
	if s.writer == nil {
		if err := s.begin(batch); err != nil {
			return err
		}
	}
	if err := cmp.Or(batch.WantLabels(false), batch.Placed(s.spec.CheckCorpus(batch.Corpus, 0))); err != nil {
		return err
	}
	s.doubts.Add(batch)
	err := parallel.Do(s.call.Context, 3, func(what int) error { // little of each is for many threads
		switch what {
		case 0:
			if s.sketch == nil {
				return nil
			}
			return s.sketch.Add(s.call.Context, batch.Corpus)
		case 1:
			return s.writer.Add(s.call.Context, batch.Corpus)
		}
		return s.describe(batch)
	})
	s.call.Show(0, "%d records", s.labels.Len())
	return err
}

// describe takes note of what is kept of a batch besides its letters.
func (s *streamed) describe(batch *input.Records) error {
	for i, label := range batch.Labels {
		x := batch.Corpus.Seq(i)
		s.labels.Add(label)
		s.tally.Add(x, label)
		s.looks.Add(x)
		s.anchor.Add(x)
	}
	if s.each == nil {
		return nil
	}
	return s.each(batch)
}

// begin makes the kernel and what the first records and all others are packed into.
func (s *streamed) begin(first *input.Records) (err error) {
	if s.keeping == packedRecords && !s.o.packs(s.call, first) {
		return input.ErrOtherwise
	}
	if err := first.CheckTraining(); err != nil {
		return err
	}
	if s.spec, s.read, err = settle(s.call, s.spec, s.read, first); err != nil {
		return err
	}
	s.doubts.Spec = s.spec
	alphabet := s.spec.Alphabet()
	if s.trainer.Kernel, err = s.spec.Compile(alphabet); err != nil {
		return err
	}
	if compose.SpaceOf(s.trainer.Kernel) == nil {
		return cli.Usagef("--stream with kernel %s, whose features do not fold into a table: want one of spectrum up "+
			"to 12 letters of dna with count=raw, presence, sqrt, log or sublinear, gapped or mismatch "+
			"up to 13", s.spec)
	}
	if s.sketched {
		s.sketch = model.NewSketchBuilder(alphabet)
	}
	s.anchor = model.NewAnchorFinder(alphabet)
	if s.keeping == packedRecords {
		s.writer, err = packed.New(s.trainer.Kernel, alphabet)
	} else {
		s.writer, err = packed.Create(s.stream.scratch, s.trainer.Kernel, alphabet)
	}
	return err
}

// close removes the scratch file.
func (s *streamed) close() {
	if s.writer != nil {
		s.writer.Close()
	}
}

// packed returns the packed records and their labels.
func (s *streamed) packed() (*packed.Records, *dataset.Dataset, error) {
	data, err := s.labels.Dataset()
	if err != nil {
		return nil, nil, err
	}
	if err := s.o.learning.setPositive(s.call, data); err != nil {
		return nil, nil, err
	}
	if s.doubts.Featureless == s.labels.Len() {
		return nil, nil, stringkernel.ErrNoFeatures
	}
	records, err := s.writer.Records()
	if err != nil {
		return nil, nil, err
	}
	where := "in a scratch file of"
	if s.keeping == packedRecords {
		where = "packed in"
	}
	s.call.Say("seqsvm: %d records of %d letters are %s %.1f MB", records.Len(), records.Letters, where,
		float64(records.Bytes)/1e6)
	input.WarnKernels(s.call, s.spec)
	s.trainer.Progress = showSolver(s.call, s.trainer.Tol, 1)
	cli.CollectWithin(memory.Limit()) // beside vectors of all records, half as much in garbage would be too much
	return records, data, nil
}

// train trains on the packed records. What the model is to have of them besides is made on another processor.
func (s *streamed) train() (trained *decide.Model, err error) {
	records, data, err := s.packed()
	if err != nil {
		return nil, err
	}
	s.call.Stage("training")
	var checkpoint func(machine int) *svm.Checkpoint
	if s.stream.checkpoint != "" {
		checkpoint = func(machine int) *svm.Checkpoint { return s.checkpoint(machine, "") }
	}
	err = parallel.Do(s.call.Context, 2, func(what int) (err error) {
		if what == 0 {
			s.profile = s.looks.Profile(s.spec.Alphabet())
			return nil
		}
		trained, err = s.trainer.TrainShards(s.call.Context, records, data, checkpoint)
		return err
	})
	return trained, s.checkpointError(optionError(err))
}

// save writes the model.
func (s *streamed) save(trained *decide.Model, to *cli.Output) error {
	s.call.Stage("writing the model")
	m, err := model.New(s.call.Context, trained, model.Options{})
	if err != nil {
		return err
	}
	m.Input, m.Training = model.InputOf(s.read), s.tally.Training()
	m.Training.Anchor = s.anchor.Anchor()
	if s.sketch != nil {
		m.Sketch = s.sketch.Sketch()
	}
	m.Drift = s.profile
	m.Generator = model.Generator{Version: seqsvm.Version, Options: s.o.kernel.describe(s.call)}
	return to.Write(m.Write)
}
