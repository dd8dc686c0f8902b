package main

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"

	"github.com/seqsvm/seqsvm/seqio"
	"github.com/seqsvm/seqsvm/stringkernel/duplicates"
)

// result is a row.
type result struct {
	task    task
	setting string
	kernel  string
	seconds float64 // user and system, of search and training
	memory  int64   // bytes at the peak
	size    int64   // bytes of the model
	metrics
	n, near int     // records of test, and near-duplicates of train among them
	distant metrics // on those that are none
}

// metrics are those of seqsvm evaluate.
type metrics struct {
	Accuracy float64 `json:"accuracy"`
	AUROC    float64 `json:"auroc"`
	MCC      float64 `json:"mcc"`
	PerClass []struct {
		Class string  `json:"class"`
		F1    float64 `json:"f1"`
	} `json:"per_class"`
}

// f1 is that of the second class, the positive one.
func (m metrics) f1() float64 {
	if len(m.PerClass) != 2 {
		return 0
	}
	return m.PerClass[1].F1
}

// measure trains on train and dev, and tests once.
func measure(ctx context.Context, o options, t task, work string) (result, error) {
	r := result{task: t, setting: o.setting}
	var known []*seqio.Set
	for _, path := range []string{t.train, t.dev} {
		if path == "" {
			continue
		}
		set, err := read(path)
		if err != nil {
			return r, err
		}
		known = append(known, set)
	}
	test, err := read(t.test)
	if err != nil {
		return r, err
	}
	data, held, rest := filepath.Join(work, "train.fa"), filepath.Join(work, "test.fa"), filepath.Join(work, "rest.fa")
	model := filepath.Join(work, "m.seqsvm")
	near, err := nearDuplicates(ctx, known, test)
	if err != nil {
		return r, err
	}
	if err := writePart(data, nil, known...); err != nil {
		return r, err
	}
	if err := writePart(held, nil, test); err != nil {
		return r, err
	}
	if err := writePart(rest, func(i int) bool { return !near[i] }, test); err != nil {
		return r, err
	}
	if err := r.train(ctx, o, known[0], data, model); err != nil {
		return r, err
	}
	info, err := os.Stat(model)
	if err != nil {
		return r, err
	}
	r.size, r.n = info.Size(), test.Len()
	for _, is := range near {
		if is {
			r.near++
		}
	}
	if r.metrics, err = r.evaluate(ctx, o, model, held); err != nil {
		return r, err
	}
	r.distant = r.metrics
	if r.near > 0 {
		r.distant, err = r.evaluate(ctx, o, model, rest)
	}
	return r, err
}

// train makes the model, and notes what it took.
func (r *result) train(ctx context.Context, o options, first *seqio.Set, data, model string) error {
	args := []string{"tune", "--budget", o.budget, "--similarity", "0", "-q", "-o", model, data}
	if o.setting == "fixed" {
		of, err := recipeFor(first)
		if err != nil {
			return err
		}
		r.kernel = strings.Join(of.kernels, " + ") + ", C = " + of.c
		args = []string{"train", "--no-sketch", "-q", "-C", of.c, "-o", model, data}
		for _, k := range of.kernels {
			args = append(args, "-k", k)
		}
	}
	state, _, err := command(ctx, o, args...)
	if err != nil {
		return err
	}
	r.seconds = state.UserTime().Seconds() + state.SystemTime().Seconds()
	r.memory = peakOf(state)
	if o.setting == "fixed" {
		return nil
	}
	_, text, err := command(ctx, o, "info", model, "--format", "json")
	if err != nil {
		return err
	}
	var about struct {
		Generator struct {
			Options string `json:"options"`
		} `json:"generator"`
	}
	err = json.Unmarshal(text, &about)
	r.kernel = about.Generator.Options
	return err
}

// evaluate measures a model on a file.
func (r *result) evaluate(ctx context.Context, o options, model, data string) (m metrics, err error) {
	_, text, err := command(ctx, o, "evaluate", "-q", "-m", model, data, "--format", "json")
	if err == nil {
		err = json.Unmarshal(text, &m)
	}
	return m, err
}

// command runs the tool.
func command(ctx context.Context, o options, args ...string) (*os.ProcessState, []byte, error) {
	c := exec.CommandContext(ctx, o.program, args...)
	var messages bytes.Buffer
	c.Stderr = &messages
	out, err := c.Output()
	if err != nil {
		return nil, nil, fmt.Errorf("%s %s: %w: %s", o.program, strings.Join(args, " "), err,
			strings.TrimSpace(messages.String()))
	}
	return c.ProcessState, out, nil
}

// nearDuplicates says which records of test resemble records of the other parts.
func nearDuplicates(ctx context.Context, known []*seqio.Set, test *seqio.Set) ([]bool, error) {
	all, err := corpusOf(append(known, test)...)
	if err != nil {
		return nil, err
	}
	groups, err := duplicates.Finder{Alphabet: "dna", Similarity: duplicates.DefaultSimilarity}.Find(ctx, all)
	if err != nil {
		return nil, err
	}
	first := all.Len() - test.Len()
	trained := map[int]bool{}
	for i := range first {
		trained[groups.Of[i]] = true
	}
	near := make([]bool, test.Len())
	for i := range near {
		near[i] = trained[groups.Of[first+i]]
	}
	return near, nil
}
