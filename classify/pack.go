package classify

import (
	"cmp"
	"context"

	"github.com/seqsvm/seqsvm/classify/dataset"
	"github.com/seqsvm/seqsvm/stringkernel"
	"github.com/seqsvm/seqsvm/stringkernel/compose"
	"github.com/seqsvm/seqsvm/stringkernel/shard/packed"
)

// Packed records and tables of their features are faster than an index where there are many letters for each feature:
// docs/decisions/streamed-records.md. Both solve the same problems to the same gap, so that results stay within Tol
// whatever these are.
const (
	leastPacked    = 8_000_000 // letters
	featureLetters = 128       // letters for each feature
	featureRecords = 2         // and records, where tables have a filter
)

// pack returns the records of a data set packed in memory, and the trainer that learns from them by
// [Trainer.TrainShards], where that is faster; else nil.
func (t Trainer) pack(ctx context.Context, d *dataset.Dataset) (Trainer, *packed.Records, error) {
	o := t.TaskOptions
	if t.Pack == "" || d.Corpus.Letters() < leastPacked || cmp.Or(d.Task, dataset.Classes) != dataset.Classes ||
		len(d.Classes) != 2 || d.Weights != nil || d.LabelSets != nil || d.Hierarchy != "" ||
		o.Nu != 0 || o.Prior != 0 || o.Landmarks != 0 || o.Relevance != 0 || t.MKL != 0 || t.fewFeatures() ||
		t.CheckShards() != nil {
		return t, nil, nil
	}
	kernel, err := stringkernel.Compile(t.Kernel)
	if err != nil {
		return t, nil, err
	}
	t.Kernel = kernel
	space := compose.SpaceOf(kernel)
	if space == nil || d.Corpus.Letters() < featureLetters*space.Size() ||
		space.Strands() == 0 && d.Len() < featureRecords*space.Size() {
		return t, nil, nil
	}
	if eigenvalues := stringkernel.TraitsOf(kernel).Eigenvalues; eigenvalues != nil {
		if least, _ := eigenvalues(); least < 0 {
			return t, nil, nil
		}
	}
	records, err := packed.Pack(ctx, kernel, t.Pack, d.Corpus)
	return t, records, err
}
