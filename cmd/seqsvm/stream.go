package main

import (
	"cmp"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"slices"
	"strings"
	"sync"
	"time"
	"unique"

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
	"github.com/seqsvm/seqsvm/seqio/atomicfile"
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
		"and mismatch up to 13); chosen where the data would not fit into --max-memory")
	f.String(&o.scratch, "scratch", "", "`FOLDER` for the scratch file of --stream").
		Default("that of temporary files").Needs("stream")
	f.String(&o.checkpoint, "checkpoint", "", "`FILE` where the state of --stream is kept every minute and when "+
		"an interrupt ends it, after the pass that it is at, and from which the same command goes on to the same result; "+
		"removed at the end; FILE.2, … of several classes and folds").
		Default("none").Needs("stream")
}

// unstreamed are the options of learning that cannot be used with --stream.
var unstreamed = strings.Fields("weights labels multilabel thresholds hierarchy sparse nu prior probability " +
	"conformal known order query landmarks relevance mkl")

// streamBatch is the size of a batch of records, as seqio.BatchSize counts it.
var streamBatch = 8 << 20 // a variable for tests

// streamed is learning from packed records.
type streamed struct {
	o       *experimentOptions
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
	anchor   *model.AnchorFinder
	doubts   input.Suspects
	begun    begunStates
}

// runStream trains on packed records.
func (o *trainOptions) runStream(c *cli.Call) error {
	s, r, err := openStream(c, &o.experimentOptions, &o.stream, o.unstreamed())
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
func openStream(c *cli.Call, o *experimentOptions, stream *streamOptions, refused []string) (
	*streamed, input.Reader, error) {
	s := &streamed{o: o, stream: stream, call: c}
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
	s.writer, err = packed.Create(s.stream.scratch, s.trainer.Kernel, alphabet)
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
	s.call.Say("seqsvm: %d records of %d letters are in a scratch file of %s", records.Len(), records.Letters,
		input.SizeOf(int(records.Bytes), ""))
	input.WarnKernels(s.call, s.spec)
	s.trainer.Progress = showSolver(s.call, s.trainer.Tol, 1)
	cli.CollectWithin(memory.Limit()) // beside vectors of all records, half as much in garbage would be too much
	return records, data, nil
}

// train trains on the packed records.
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
	trained, err = s.trainer.TrainShards(s.call.Context, records, data, checkpoint)
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
	m.Drift = s.looks.Profile(s.spec.Alphabet())
	options := s.o.kernel.portable(s.o.kernel.describe(s.call), &s.o.reading)
	m.Generator = model.Generator{Version: seqsvm.Version, Options: options}
	return to.Write(m.Write)
}

// trainedBytes is the memory of a letter while a model is trained in memory: its index, and itself.
const trainedBytes = 11

// streams decides by --stream, or because the files look too large for memory, where the kernel and the other options
// allow a scratch file.
func (o *experimentOptions) streams(c *cli.Call, stream *streamOptions, refused []string) bool {
	letters := o.expectedLetters(c)
	if stream.stream || memory.Check(trainedBytes*letters) == nil {
		return stream.stream
	}
	trainer, err := o.learning.trainer(c)
	if err != nil || trainer.CheckShards() != nil || c.Refuse("", refused...) != nil ||
		o.learning.task != string(dataset.Classes) {
		return false
	}
	spec, _, err := kernelAndReader(c, &o.kernel, &o.reading)
	if err != nil {
		return false
	}
	kernel, err := spec.Compile(cmp.Or(spec.Alphabet(), stringkernel.DNA))
	if err != nil || compose.SpaceOf(kernel) == nil {
		return false
	}
	c.Say("seqsvm: training on about %.0f million letters in memory would exceed --max-memory: they are kept in a "+
		"scratch file (--stream)", letters/1e6)
	return true
}

// inflated is how many letters a byte of a compressed file is taken to hold.
const inflated = 4

// expectedLetters estimates the letters of the input files by their sizes.
func (o *experimentOptions) expectedLetters(c *cli.Call) (letters float64) {
	for _, path := range append(o.labels.Paths(), c.Args...) {
		info, err := os.Stat(path)
		if err != nil || !info.Mode().IsRegular() {
			continue
		}
		size := float64(info.Size())
		if strings.HasSuffix(path, ".gz") || strings.HasSuffix(path, ".zst") {
			size *= inflated
		}
		letters += size
	}
	return letters
}

// unstreamed are the options of cv that cannot be used with --stream.
func (o *cvOptions) unstreamed() []string {
	return slices.Concat(unstreamed, []string{"baseline", "learning-curve", "near-duplicates"})
}

// streamedFolds is a cross-validation of packed records.
type streamedFolds struct {
	*streamed
	groups []string // of each record, if there are groups
	names  []string // of each record, if predictions are to be written
}

// runStream validates on packed records.
func (o *cvOptions) runStream(c *cli.Call) error {
	if o.folds.group == groupDuplicates || o.folds.ofSides() || o.folds.groupFile() != "" {
		return cli.Usagef("--group %s cannot be used with --stream: want chrom, regex:PATTERN or column:NAME", o.folds.group)
	}
	training, r, err := openStream(c, &o.experimentOptions, &o.stream, o.unstreamed())
	if err != nil {
		return err
	}
	s := &streamedFolds{streamed: training}
	s.each = func(batch *input.Records) error { return s.keep(batch, o.predictions.Given()) }
	if o.folds.similarity > 0 {
		c.Say("seqsvm: near-duplicates are not looked for in a stream; folds may divide them")
	}
	defer s.close()
	c.Stage("reading")
	if err := r.LabelledBatches(&o.labels, streamBatch, s.add); err != nil {
		return err
	}
	data, outcome, err := s.validate()
	if err != nil {
		return err
	}
	table, err := newCVTable(data, outcome)
	if err != nil {
		return err
	}
	s.doubts.Warn(c)
	c.Afterwards(func() error { return s.removeCheckpoints(outcome.Folds * len(outcome.Rules[0].Machines)) })
	return o.write(c, data, func(i int) string { return s.names[i] }, outcome, table, nil)
}

// keep remembers the groups of a batch, each name once, and the names of records if they are wanted.
func (s *streamedFolds) keep(batch *input.Records, named bool) error {
	groups, err := (&experiment{options: s.o, records: batch}).groups(s.call)
	if err != nil {
		return err
	}
	for _, group := range groups {
		s.groups = append(s.groups, unique.Make(group).Value())
	}
	if named {
		for i := range batch.Corpus.Len() {
			s.names = append(s.names, strings.Clone(batch.Corpus.Name(i)))
		}
	}
	return nil
}

// validate divides the records and trains on all folds but one, for every fold.
func (s *streamedFolds) validate() (*dataset.Dataset, *classify.CVResult, error) {
	records, data, err := s.packed()
	if err != nil {
		return nil, nil, err
	}
	data.Groups = s.groups
	s.o.folds.lower(s.call, data)
	fold, err := divide(data, "folds", s.o.folds.folds, s.call.Seed)
	if err != nil {
		return nil, nil, err
	}
	(&experiment{options: s.o, data: data}).warnLargeGroup(s.call, fold)
	var checkpoint func(fold, machine int) *svm.Checkpoint
	if s.stream.checkpoint != "" {
		machines := len(data.Classes)
		if machines == 2 {
			machines = 1
		}
		checkpoint = func(fold, machine int) *svm.Checkpoint {
			return s.checkpoint(fold*machines+machine, fmt.Sprint(" ", s.call.Text("folds", "group"), " fold ", fold+1))
		}
	}
	s.call.Stage("cross-validating")
	outcome, err := classify.CrossValidateShards(s.call.Context, s.trainer, records, data, fold, checkpoint)
	return data, outcome, s.checkpointError(optionError(err))
}

// checkpointEvery is the least time between two states that are kept.
var checkpointEvery = time.Minute // a variable for tests

// checkCheckpoint returns an error if the file of --checkpoint cannot be written, which is not to be known only after a
// minute of training.
func (o *streamOptions) checkCheckpoint() error {
	if o.checkpoint == "" {
		return nil
	}
	file, err := atomicfile.Create(o.checkpoint)
	if err != nil {
		return err
	}
	file.Abort()
	return nil
}

// checkpoint returns where the state of a machine is kept; part names the records that it is trained on, "" for all.
func (s *streamed) checkpoint(machine int, part string) *svm.Checkpoint {
	file := s.checkpointFile(machine)
	s.begun.add(file)
	return &svm.Checkpoint{Store: file, Name: s.o.kernel.describe(s.call) + part, Every: checkpointEvery}
}

// begunStates are files of machines that had no state when a run came to them. Machines are trained beside one another:
// where the state of one is another run's, those of others that had none would be in its way.
type begunStates struct {
	lock  sync.Mutex
	files []checkpointFile
}

// add adds a file if it does not exist.
func (b *begunStates) add(file checkpointFile) {
	if _, err := os.Stat(string(file)); !errors.Is(err, fs.ErrNotExist) {
		return
	}
	b.lock.Lock()
	defer b.lock.Unlock()
	b.files = append(b.files, file)
}

// remove removes the files.
func (b *begunStates) remove() (failed error) {
	for _, file := range b.files {
		if err := os.Remove(string(file)); err != nil && !errors.Is(err, fs.ErrNotExist) {
			failed = errors.Join(failed, err)
		}
	}
	return failed
}

// checkpointError adds to the error of a state that does not fit the name of its file, and what to do. It removes the
// states that the run has begun. Of an interrupt it says where the state is.
func (s *streamed) checkpointError(err error) error {
	if _, missing := os.Stat(s.stream.checkpoint); err != nil && missing == nil && s.call.Context.Err() != nil {
		s.call.Say("seqsvm: the state is in %s: the same command goes on from there", s.stream.checkpoint)
	}
	var refused *svm.CheckpointError
	if !errors.As(err, &refused) {
		return err
	}
	if err := s.begun.remove(); err != nil {
		return err
	}
	return cli.InFile(fmt.Sprint(refused.Store), fmt.Errorf("the checkpoint does not fit: %w: repeat the command that "+
		"wrote it, or remove it or name another --checkpoint to begin anew", refused.Err))
}

// checkpointFile names the file of a machine.
func (s *streamed) checkpointFile(machine int) checkpointFile {
	name := s.stream.checkpoint
	if machine > 0 {
		name = fmt.Sprintf("%s.%d", name, machine+1)
	}
	return checkpointFile(name)
}

// removeCheckpoints removes the states of the machines of a model that has been written.
func (s *streamed) removeCheckpoints(machines int) error {
	if s.stream.checkpoint == "" {
		return nil
	}
	for m := range machines {
		if err := os.Remove(string(s.checkpointFile(m))); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return err
		}
	}
	return nil
}

// checkpointFile is a file with a state.
type checkpointFile string

// Open opens the file.
func (f checkpointFile) Open() (io.ReadCloser, error) { return os.Open(string(f)) }

// Write replaces the file.
func (f checkpointFile) Write(write func(w io.Writer) error) error {
	return atomicfile.WriteTo(string(f), write)
}
