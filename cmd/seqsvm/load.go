package main

import (
	"slices"

	"github.com/urfave/cli/v2"

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

// newApplication reads the model of --model.
func newApplication(c *cli.Context) (*application, error) {
	path := c.String("model")
	if path == "" {
		return nil, usagef("no --model, want a file that train wrote")
	}
	m, classifier, err := loadModel(c, path)
	if err != nil {
		return nil, err
	}
	r, err := newReader(c, m.Input, inputAlphabet(m.Kernel))
	r.options.LabelLists = m.Input.Separator != ""
	return &application{classifier, r, suspects{spec: m.Kernel}, m.Input.Separator}, err
}

// check returns an error if the model does not go with records, and takes note of what looks wrong with them.
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

// loadModel reads a model file, or standard input for "-", and makes it ready for use, which completes its checks.
func loadModel(c *cli.Context, path string) (*model.Model, *classify.Classifier, error) {
	m, err := readModel(c, path)
	if err != nil {
		return nil, nil, err
	}
	classifier, err := m.Classifier(c.Context)
	if err != nil {
		return nil, nil, inFile(inputName(path), err)
	}
	return m, classifier, nil
}

// chosenClass returns the class of --class, by default the positive one of two.
func chosenClass(c *cli.Context, d *classify.Rule) (int, error) {
	name := c.String("class")
	if name == "" && d.Scheme == classify.TwoClass {
		return d.Positive, nil
	}
	class := slices.Index(d.Classes, name)
	switch {
	case name == "":
		return 0, usagef("no --class, and the model has %d classes: want one of: %s", len(d.Classes), listNames(d.Classes))
	case class < 0:
		return 0, usagef("--class %.60q, want one of: %s", name, listNames(d.Classes))
	}
	return class, nil
}

func readModel(c *cli.Context, path string) (*model.Model, error) {
	if path == "-" {
		in, stop := standardInput(c)
		defer stop()
		m, err := model.ReadFrom(in)
		if err != nil {
			return nil, inFile(standardName, err)
		}
		return m, nil
	}
	m, err := model.ReadFile(path)
	return m, plain(err)
}
