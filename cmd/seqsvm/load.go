package main

import (
	"errors"
	"io"
	"slices"

	"github.com/seqsvm/seqsvm/cmd/seqsvm/internal/cli"

	"github.com/seqsvm/seqsvm/classify"
	"github.com/seqsvm/seqsvm/model"
	"github.com/seqsvm/seqsvm/stringkernel"
)

// application is a model and what reads the records that it is applied to: what predict and evaluate start from.
type application struct {
	classifier *classify.Classifier
	reader     reader
	suspects   suspects
	separator  string // between the labels of a record, if it has several
}

// newApplication reads the model of --model and makes a reader of records.
func newApplication(c *cli.Call, o *modelOption, reading *readingOptions) (*application, error) {
	m, classifier, err := loadModel(c, o)
	if err != nil {
		return nil, err
	}
	r, err := newReader(c, reading, m.Input, inputAlphabet(m.Kernel))
	if usage := new(cli.UsageError); err != nil && !errors.As(err, &usage) {
		err = cli.InFile(cli.InputName(o.path), err)
	}
	r.options.LabelLists = m.Input.Separator != ""
	return &application{classifier, r, suspects{spec: m.Kernel}, m.Input.Separator}, err
}

// check returns an error if the model does not fit the records, and notes what looks wrong with them.
func (a *application) check(data *records) error {
	if err := data.wantLength(stringkernel.WindowLength(a.classifier.Scorer)); err != nil {
		return err
	}
	if err := data.wantKernelsRecords(a.suspects.spec); err != nil {
		return err
	}
	a.suspects.add(data)
	return nil
}

// loadModel reads a model and makes it ready for use, which completes its checks.
func loadModel(c *cli.Call, o *modelOption) (*model.Model, *classify.Classifier, error) {
	m, err := o.read(c)
	if err != nil {
		return nil, nil, err
	}
	classifier, err := m.Classifier(c.Context)
	if err != nil {
		return nil, nil, cli.InFile(cli.InputName(o.path), err)
	}
	return m, classifier, nil
}

// chosenClass returns the class of --class, by default the positive one of two.
func chosenClass(name string, d *classify.Rule) (int, error) {
	if name == "" && d.Scheme == classify.TwoClass {
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

// read reads the model file, or standard input for "-".
func (o *modelOption) read(c *cli.Call) (*model.Model, error) {
	if o.path == "" {
		return nil, cli.Usagef("no --model, want a file that train wrote")
	}
	return cli.Read(c, o.path, func(r io.Reader, name string) (*model.Model, error) {
		m, err := model.ReadFrom(r)
		if err != nil {
			return nil, cli.InFile(name, err)
		}
		return m, nil
	}, func(path string) (*model.Model, error) {
		m, err := model.ReadFile(path)
		return m, plain(err)
	})
}
