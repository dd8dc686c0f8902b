package input

import (
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync/atomic"

	"github.com/seqsvm/seqsvm/classify/dataset"
	"github.com/seqsvm/seqsvm/classify/decide"
	"github.com/seqsvm/seqsvm/cmd/seqsvm/internal/cli"
	"github.com/seqsvm/seqsvm/internal/answer"
	"github.com/seqsvm/seqsvm/internal/suggest"
	"github.com/seqsvm/seqsvm/model"
	"github.com/seqsvm/seqsvm/model/drift"
	"github.com/seqsvm/seqsvm/seqio"
	"github.com/seqsvm/seqsvm/stringkernel"
	"github.com/seqsvm/seqsvm/tagging"
)

// Application is a model and the reader of the records to apply it to.
type Application struct {
	Model      *model.Model
	Classifier *decide.Classifier
	Reader     Reader
	Suspects   Suspects
	Separator  string // between the labels of a record, if it has several
	Names      *Namer // of the records that were checked, in order

	drift  *drift.Sample // of the records that were checked; nil if the model does not say what training data look like
	done   done
	strict bool
	batch  *Records              // that is being applied
	looks  stringkernel.Alphabet // what the first records look like, if the model is of proteins

	improbable atomic.Int64 // records whose class is not their most probable one
	checked    int          // records of it that were scored
}

// done is how much of the operands has been dealt with.
type done struct {
	read          atomic.Int64 // bytes
	size          int64        // of the operands, 0 if it is not known
	before, after int64        // of read, when the batch before this one was complete, and when this one was
	records       int          // before this batch
	batch         int          // records of it
}

// NewApplication reads the model of --model and makes a reader of records.
func NewApplication(c *cli.Call, o *Model, reading *Reading) (*Application, error) {
	m, classifier, err := LoadModel(c, o)
	if err != nil {
		return nil, err
	}
	r, err := ForModel(c, reading, m)
	if usage := new(cli.UsageError); err != nil && !errors.As(err, &usage) {
		err = cli.InFile(cli.InputName(o.Path), err)
	}
	a := &Application{
		Model: m, Classifier: classifier, Reader: r, Suspects: Suspects{Spec: m.Kernel}, Separator: m.Input.Separator,
		strict: o.strict,
	}
	a.Reader.Options.Read, a.done.size = &a.done.read, cli.SizeOf(c.Args)
	if m != nil && m.Drift != nil {
		a.drift = m.Drift.NewSample()
	}
	if err == nil {
		a.Names, err = r.namer()
	}
	return a, err
}

// CheckPredicts returns an error if the model predicts nothing: if it has components.
func (a *Application) CheckPredicts() error {
	if a.Classifier.Labelling() == dataset.NoLabels {
		return errors.New("the model has components, which predict nothing: matrix embed -m projects records onto them")
	}
	return nil
}

// Done says that some of the records of the batch, or of all that were read, have been dealt with.
func (a *Application) Done(some, of int) {
	d := &a.done
	share := float64(some) / float64(of)
	if d.after > 0 && d.size > 0 {
		share = (float64(d.before) + share*float64(d.after-d.before)) / float64(d.size)
	} else if d.after > 0 {
		share = 0
	}
	a.Reader.Call.Show(share, "%d records", d.records+some)
}

// checkColumns returns an error if the columns of records are rather in the other order. Where labels are numbers, few
// texts may have many.
func (a *Application) checkColumns(data *Records) error {
	if l := a.Classifier.Labelling(); l == dataset.Numbers || l == dataset.Grades {
		return nil
	}
	return data.withWays(data.CheckColumns())
}

// Check returns an error if the model cannot be applied to the records, and notes what looks wrong with them.
func (a *Application) Check(data *Records) error {
	if err := a.fits(data); err != nil {
		return err
	}
	return a.begin(data)
}

// fits returns an error if the model cannot be applied to the records.
func (a *Application) fits(data *Records) error {
	return data.Placed(a.Suspects.Spec.CheckCorpus(data.Corpus, stringkernel.WindowLength(a.Classifier.Scorer)))
}

// begin notes what looks wrong with records that the model can be applied to: those that Names and Scored go on with.
func (a *Application) begin(data *Records) error {
	d := &a.done
	d.before, d.after = d.after, data.read
	d.records, d.batch = d.records+d.batch, data.Corpus.Len()
	if a.Suspects.all == 0 && a.Suspects.Spec.Alphabet() == stringkernel.Protein {
		a.looks = data.DetectAlphabet()
	}
	a.Suspects.Add(data)
	a.batch, a.checked = data, 0
	a.Names.Begin(data)
	if a.drift != nil {
		for i := range data.Corpus.Len() {
			a.drift.Add(data.Corpus.Seq(i))
		}
	}
	return a.refuse()
}

// Scored takes note of whether the next record of those that were checked last has any feature of the model, in the
// order of the records. With --strict one without any is an error.
func (a *Application) Scored(unknown bool) error {
	if i := a.checked; unknown && a.Suspects.hasFeature(a.batch.Corpus.Seq(i)) {
		a.Suspects.addFeatureless(a.batch, i, "with a weight in the model")
	}
	a.checked++
	return a.refuse()
}

// Decided takes note of whether the class of a record is its most probable one. It may be called concurrently.
func (a *Application) Decided(p *decide.Prediction) {
	if p.Improbable() {
		a.improbable.Add(1)
	}
}

// Skip passes over the next records of those that were checked last, which are not scored.
func (a *Application) Skip(records int) {
	a.checked += records
	a.Names.Skip(records)
}

// refuse returns an error about the first record without a feature, with --strict.
func (a *Application) refuse() error {
	if a.strict && a.Suspects.Featureless > 0 {
		return a.Suspects.first
	}
	return nil
}

// Warn warns of what looks wrong with the records that were scored.
func (a *Application) Warn() {
	c, s := a.Reader.Call, &a.Suspects
	s.WarnOutside(c)
	if a.looks.Complementary() {
		c.Warn("the letters of %s look like %s, but the model is of proteins", strings.Join(s.sources, ", "),
			strings.ToUpper(string(a.looks)))
	}
	if s.Featureless > 0 {
		c.Warn("%d of %d records are too short or have no feature with a weight in the model, so that their decision "+
			"is the bias alone; the first is: %v; --strict makes this an error", s.Featureless, s.all, s.first)
	}
	if n := a.improbable.Load(); n > 0 {
		at := "classes go by decisions"
		if d := &a.Classifier.Rule; d.Single() && d.Machines[0].Sigmoid.A < 0 {
			half := d.Machines[0].Sigmoid.Half()
			at = fmt.Sprintf("classes change at the decision %.6g, the probability is 1/2 at %.6g; train --threshold %.6g "+
				"makes both agree", d.Machines[0].Threshold, half, half)
		}
		c.Say("seqsvm: records that are not of their most probable class: %d of %d: %s (docs/confidence.md)", n, s.all, at)
	}
	if a.drift != nil {
		if shifts := a.drift.Shifts(); len(shifts) > 0 {
			c.Warn("the records are not as those of training, so that thresholds, probabilities and error rates may not "+
				"hold: %s", describeShifts(shifts))
		}
	}
}

// mostShifts is how many shifts are named.
const mostShifts = 3

// describeShifts lists the greatest shifts.
func describeShifts(shifts []drift.Shift) string {
	var words []string
	for _, s := range shifts[:min(len(shifts), mostShifts)] {
		words = append(words, s.String())
	}
	if more := len(shifts) - mostShifts; more > 0 {
		words = append(words, fmt.Sprintf("and %d more", more))
	}
	return strings.Join(words, "; ")
}

// EachBatch reads and checks the operands in batches, as [Reader.Batches] does, without descriptions and labels, and
// warns of what looks wrong with them.
func (a *Application) EachBatch(size int, visit func(*Records) error) error {
	a.Reader.Options.IDsOnly = true
	first := true
	err := a.Reader.Batches(size, func(data *Records) error {
		err := a.fits(data)
		if err == nil && first {
			err = a.checkColumns(data)
		}
		first = false
		if err == nil {
			err = a.begin(data)
		}
		if err == nil {
			err = visit(data)
		}
		return err
	})
	a.Warn()
	return err
}

// loaded is a model that is ready for use.
type loaded struct {
	model      *model.Model
	classifier *decide.Classifier
}

// LoadModel reads a model and makes it ready for use, which completes its checks.
func LoadModel(c *cli.Call, o *Model) (*model.Model, *decide.Classifier, error) {
	l, err := cli.ReadOnce(c, o.Path, func() (*loaded, error) {
		m, err := o.Read(c)
		if err != nil {
			return nil, err
		}
		classifier, err := m.Classifier(c.Context)
		return &loaded{m, classifier}, cli.InFile(cli.InputName(o.Path), err)
	})
	if err != nil {
		return nil, nil, err
	}
	return l.model, l.classifier, nil
}

// NotePositive says which of two classes the scores of a model above 0 speak for.
func NotePositive(c *cli.Call, d *decide.Rule) {
	if name := d.PositiveName(); name != "" {
		c.Note("scores above 0 speak for the positive class, %.80s", name)
	}
}

// ChosenClass returns the class of --class, by default the positive one of two, which it says.
func ChosenClass(c *cli.Call, name string, d *decide.Rule) (int, error) {
	if name == "" && d.Single() {
		NotePositive(c, d)
		return d.Positive, nil
	}
	class := slices.Index(d.Classes, name)
	switch {
	case name == "":
		return 0, cli.Usagef("--class is required for a model of %d classes, one of: %s", len(d.Classes),
			cli.ListNames(d.Classes))
	case class < 0:
		return 0, cli.Usagef("--class %.60q, want one of: %s%s", name, cli.ListNames(d.Classes),
			suggest.Hint(name, d.Classes))
	}
	return class, nil
}

// RawHelp is the help of --raw.
const RawHelp = "write raw scores, without the norm of the sequence, which takes most of the time, and without the bias"

// Read reads the model file, or standard input for "-".
func (o *Model) Read(c *cli.Call) (*model.Model, error) {
	if o.Path == "" {
		return nil, cli.Usagef("--model is required: a file written by train")
	}
	if o.Tags(c) {
		return nil, &seqio.Error{File: o.Path,
			Err: errors.New("a model of train --task tag, which predict, evaluate, explain and model info take")}
	}
	c.Stage("loading the model")
	m, err := cli.Read(c, o.Path, readModel)
	if errors.Is(err, model.ErrNotAModel) {
		err = fmt.Errorf("%w%s", err, o.insteadOf(c))
	}
	return m, err
}

// insteadOf says what the file is in place of a model, as far as names and operands tell.
func (o *Model) insteadOf(c *cli.Call) (text string) {
	if format := seqio.FormatByName(o.Path); format != seqio.Auto {
		text = "; by its name it is " + format.Name()
	}
	if at := slices.IndexFunc(c.Args, model.IsModel); at >= 0 {
		text += fmt.Sprintf("; %s is a model: are both swapped?", c.Args[at])
	}
	return text
}

// Tags reports whether the file is a model that tags tokens, of package tagging. Standard input is not looked at.
func (o *Model) Tags(c *cli.Call) bool {
	if o.Path == "" || o.Path == "-" {
		return false
	}
	if content, found := c.Files.Content(o.Path); found {
		return tagging.IsModel(content)
	}
	f, err := os.Open(o.Path)
	if err != nil {
		return false
	}
	defer f.Close()
	first := make([]byte, tagging.MagicLen)
	_, err = io.ReadFull(f, first)
	return err == nil && tagging.IsModel(first)
}

// NameOf splits NAME=FILE. The name of a file alone is that of the file, without folders, .gz, .zst and .seqsvm.
func NameOf(argument string) (name, path string, named bool) {
	name, path, named = strings.Cut(argument, "=")
	if _, err := os.Stat(argument); named && err != nil {
		return name, path, true
	}
	name = filepath.Base(argument)
	if seqio.Compressed(name) {
		name = strings.TrimSuffix(name, filepath.Ext(name))
	}
	return strings.TrimSuffix(name, ".seqsvm"), argument, false
}

// ReadModelFile reads a model file, which may be compressed.
func ReadModelFile(path string) (*model.Model, error) { return readModel(nil, path) }

// readModel reads a model that may be compressed from r or, if that is nil, a file.
func readModel(r io.Reader, name string) (*model.Model, error) {
	if r == nil && !seqio.Compressed(name) {
		m, err := model.ReadFile(name) // a memory map
		return m, plain(err)
	}
	in, err := seqio.Decompress(r, name)
	if err != nil {
		return nil, err
	}
	defer in.Close()
	m, err := model.ReadFrom(in)
	return m, cli.InFile(name, err)
}

// Namer names records one after another.
type Namer struct {
	several bool // files
	records *Records
	next    int   // record of these
	starts  []int // if several, of each set its first record
	earlier int   // if several, records before these of the file that they begin in
	number  int   // if several, records up to the last of these of the file that they end in
}

// NewNamer returns a Namer of the records of one file or several.
func NewNamer(severalFiles bool) *Namer { return &Namer{several: severalFiles} }

// IDs returns a Namer that names the records, from the first, by their ids alone.
func (r *Records) IDs() *Namer {
	n := NewNamer(false)
	n.Begin(r)
	return n
}

// Begin goes on with the first of other records. A set may continue the file that the last one ended in.
func (n *Namer) Begin(records *Records) {
	before := n.records
	n.records, n.next = records, 0
	if !n.several {
		return
	}
	n.earlier = 0
	if before != nil {
		last, first := before.Sets[len(before.Sets)-1], records.Sets[0]
		if last.Source == first.Source && last.Operand() == first.Operand() {
			n.earlier = n.number
		}
	}
	n.starts, n.number = n.starts[:0], n.earlier
	start := 0
	for i, set := range records.Sets {
		if i > 0 {
			n.number = 0
		}
		n.starts = append(n.starts, start)
		start += set.Len()
		n.number += set.Len()
	}
}

// Columns are the names of the cells.
func (n *Namer) Columns() []any {
	if n.several {
		return []any{"id", "file", "record"}
	}
	return []any{"id"}
}

// Next names the next record.
func (n *Namer) Next() answer.Name { return n.Name(n.Skip(1)) }

// Skip goes on after the next count records, and returns the first of them, which Name takes.
func (n *Namer) Skip(count int) (first int) {
	n.next += count
	return n.next - count
}

// Name names one of the records that Begin was given, from 0. Several calls may run at once.
func (n *Namer) Name(i int) answer.Name {
	name := answer.Name{ID: n.records.Corpus.Name(i)}
	if !n.several {
		return name
	}
	after, _ := slices.BinarySearch(n.starts, i+1)
	set := after - 1
	name.File, name.Record = n.records.Sets[set].Source, i-n.starts[set]+1
	if set == 0 {
		name.Record += n.earlier
	}
	return name
}

// Add adds the cells of a name to a row of a table.
func (n *Namer) Add(t *cli.Table, name answer.Name) {
	t.Text(name.ID)
	if n.several {
		t.Text(name.File)
		t.Integer(name.Record)
	}
}

// Cells are the name and others as the cells of a row.
func (n *Namer) Cells(name answer.Name, others ...any) []any {
	cells := append(make([]any, 0, 3+len(others)), name.ID)
	if n.several {
		cells = append(cells, name.File, name.Record)
	}
	return append(cells, others...)
}
