package main

import (
	"bufio"
	"errors"
	"io"

	"github.com/urfave/cli/v2"

	"github.com/seqsvm/seqsvm/classify"
	"github.com/seqsvm/seqsvm/model"
	"github.com/seqsvm/seqsvm/stringkernel"
)

// modelAndData reads the model of --model and the records it is to be applied to: what predict and evaluate start from. read is one of
// reader's methods.
func modelAndData(c *cli.Context, read func(reader) (*records, error)) (*classify.Classifier, *records, error) {
	path := c.String("model")
	if path == "" {
		return nil, nil, usagef("no --model, want a file that train wrote")
	}
	m, classifier, err := loadModel(c, path)
	if err != nil {
		return nil, nil, err
	}
	alphabet := inputAlphabet(m.Kernel)
	r, err := newReader(c, m.Input.SoftMask, alphabet)
	if err != nil {
		return nil, nil, err
	}
	data, err := read(r)
	if err != nil {
		return nil, nil, err
	}
	if err := data.wantLength(stringkernel.WindowLength(classifier.Scorer)); err != nil {
		return nil, nil, err
	}
	data.warnOutside(c, alphabet)
	data.warnFeatureless(c, m.Kernel)
	return classifier, data, nil
}

// loadModel reads a model file, or standard input for "-", and makes it ready for use, which completes its checks.
func loadModel(c *cli.Context, path string) (*model.Model, *classify.Classifier, error) {
	m, err := readModel(c, path)
	if err != nil {
		return nil, nil, err
	}
	classifier, err := m.Classifier()
	if err != nil {
		return nil, nil, inFile(inputName(path), err)
	}
	return m, classifier, nil
}

func readModel(c *cli.Context, path string) (*model.Model, error) {
	if path == "-" {
		in, stop := standardInput(c)
		defer stop()
		m, err := readModelFrom(in)
		if err != nil {
			return nil, inFile(standardName, err)
		}
		return m, nil
	}
	m, err := model.ReadFile(path)
	return m, plain(err)
}

// readModelFrom reads a model from a stream. Of one that does not begin like a model it reads no more than the beginning.
func readModelFrom(in io.Reader) (*model.Model, error) {
	buffered := bufio.NewReader(in)
	start, err := buffered.Peek(64) // a model is longer
	if err != nil && err != io.EOF {
		return nil, err
	}
	if _, err := model.Read(start); errors.Is(err, model.ErrNotAModel) {
		return nil, err
	}
	data, err := io.ReadAll(buffered)
	if err != nil {
		return nil, err
	}
	return model.Read(data)
}
