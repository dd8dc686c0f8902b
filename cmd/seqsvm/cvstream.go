package main

import (
	"fmt"
	"slices"
	"strings"

	"github.com/seqsvm/seqsvm/classify"
	"github.com/seqsvm/seqsvm/classify/dataset"
	"github.com/seqsvm/seqsvm/classify/svm"
	"github.com/seqsvm/seqsvm/cmd/seqsvm/internal/cli"
	"github.com/seqsvm/seqsvm/cmd/seqsvm/internal/input"
)

// unstreamed are the options of cv that cannot be used with --stream.
func (o *cvOptions) unstreamed() []string {
	return slices.Concat(unstreamed, []string{"baseline", "learning-curve", "near-duplicates"})
}

// streamedFolds is a cross-validation of packed records.
type streamedFolds struct {
	*streamed
	groups []string // of each record, if there are groups
	known  map[string]string
	names  []string // of each record, if predictions are to be written
}

// runStream validates on packed records.
func (o *cvOptions) runStream(c *cli.Call, k keeping) error {
	if o.folds.group == groupDuplicates || o.folds.groupFile() != "" {
		return cli.Usagef("--group %s cannot be used with --stream: want chrom, regex:PATTERN or column:NAME", o.folds.group)
	}
	training, r, err := openStream(c, &o.experimentOptions, &o.stream, k, o.unstreamed())
	if err != nil {
		return err
	}
	s := &streamedFolds{streamed: training, known: map[string]string{}}
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
		kept, known := s.known[group]
		if !known {
			kept = strings.Clone(group)
			s.known[kept] = kept
		}
		s.groups = append(s.groups, kept)
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
