package input

import (
	"errors"
	"io"
	"slices"

	"github.com/seqsvm/seqsvm/classify"
	"github.com/seqsvm/seqsvm/cmd/seqsvm/internal/cli"
	"github.com/seqsvm/seqsvm/model"
	"github.com/seqsvm/seqsvm/stringkernel"
)

// Application is a model and the reader of the records to apply it to.
type Application struct {
	Classifier *classify.Classifier
	Reader     Reader
	Suspects   Suspects
	Separator  string // between the labels of a record, if it has several
}

// NewApplication reads the model of --model and makes a reader of records.
func NewApplication(c *cli.Call, o *Model, reading *Reading) (*Application, error) {
	m, classifier, err := LoadModel(c, o)
	if err != nil {
		return nil, err
	}
	r, err := NewReader(c, reading, m.Input, AlphabetOf(m.Kernel))
	if usage := new(cli.UsageError); err != nil && !errors.As(err, &usage) {
		err = cli.InFile(cli.InputName(o.Path), err)
	}
	r.Options.LabelLists = m.Input.Separator != ""
	return &Application{classifier, r, Suspects{Spec: m.Kernel}, m.Input.Separator}, err
}

// Check returns an error if the model cannot be applied to the records, and notes what looks wrong with them.
func (a *Application) Check(data *Records) error {
	err := a.Suspects.Spec.CheckCorpus(data.Corpus, stringkernel.WindowLength(a.Classifier.Scorer))
	if err != nil {
		return data.Placed(err)
	}
	a.Suspects.Add(data)
	return nil
}

// EachBatch reads and checks the operands in batches, as [Reader.Batches] does, and warns of what looks wrong with
// them.
func (a *Application) EachBatch(size int, visit func(*Records) error) error {
	err := a.Reader.Batches(size, func(data *Records) error {
		if err := a.Check(data); err != nil {
			return err
		}
		return visit(data)
	})
	a.Suspects.Warn(a.Reader.Call)
	return err
}

// LoadModel reads a model and makes it ready for use, which completes its checks.
func LoadModel(c *cli.Call, o *Model) (*model.Model, *classify.Classifier, error) {
	m, err := o.Read(c)
	if err != nil {
		return nil, nil, err
	}
	classifier, err := m.Classifier(c.Context)
	return m, classifier, cli.InFile(cli.InputName(o.Path), err)
}

// ChosenClass returns the class of --class, by default the positive one of two.
func ChosenClass(name string, d *classify.Rule) (int, error) {
	if name == "" && d.Labelling() == classify.TwoClasses {
		return d.Positive, nil
	}
	class := slices.Index(d.Classes, name)
	switch {
	case name == "":
		return 0, cli.Usagef("no --class, and the model has %d classes: want one of: %s", len(d.Classes),
			cli.ListNames(d.Classes))
	case class < 0:
		return 0, cli.Usagef("--class %.60q, want one of: %s", name, cli.ListNames(d.Classes))
	}
	return class, nil
}

// RawHelp is the help of --raw.
const RawHelp = "write raw scores, without the norm of the sequence, which takes most of the time, and without the bias"

// Read reads the model file, or standard input for "-".
func (o *Model) Read(c *cli.Call) (*model.Model, error) {
	if o.Path == "" {
		return nil, cli.Usagef("no --model, want a file that train wrote")
	}
	return cli.Read(c, o.Path, func(r io.Reader, name string) (*model.Model, error) {
		m, err := model.ReadFrom(r)
		return m, cli.InFile(name, err)
	}, func(path string) (*model.Model, error) {
		m, err := model.ReadFile(path)
		return m, plain(err)
	})
}
