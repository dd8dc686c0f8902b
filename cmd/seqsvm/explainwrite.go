package main

import (
	"cmp"
	"fmt"

	"github.com/seqsvm/seqsvm/cmd/seqsvm/internal/cli"
	"github.com/seqsvm/seqsvm/cmd/seqsvm/internal/input"
	"github.com/seqsvm/seqsvm/internal/answer"
	"github.com/seqsvm/seqsvm/stringkernel"
)

// writeRecords explains the operands, batch by batch.
func (e *explanation) writeRecords(t *cli.Table) error {
	write := e.recordWriter(t)
	e.Suspects.Training = input.NewTrainingData(e.Model)
	err := e.eachBatch(func(data *input.Records) error {
		return e.eachRecord(e.Reader.Call.Context, data.Corpus, write)
	})
	if err == nil {
		e.Suspects.WarnKnown(e.Reader.Call, "decisions on new data are less certain")
	}
	return err
}

// recordWriter returns a function that writes the rows of a record, or its object.
func (e *explanation) recordWriter(t *cli.Table) func(r explained) error {
	switch {
	case e.top > 0:
		t.Header(append(e.Names.Columns(), "class", "kernel", "feature", "per_occurrence", "support",
			"count", "contribution")...)
	case e.explainer.Spans != nil:
		t.Header(append(e.Names.Columns(), "position", "word", "contribution")...)
	default:
		t.Header(append(e.Names.Columns(), "position", "letter", "contribution")...)
	}
	return func(r explained) error {
		name := e.Names.Next()
		e.draw(name.ID, r)
		if t.JSON() {
			t.Object(e.recordEntry(name, r))
			return t.Err
		}
		for _, f := range e.featureEntries(r.features, true) {
			t.Row(e.Names.Cells(name, e.Classifier.Classes[r.Class], f.cells(), *f.Count, *f.Contribution)...)
		}
		for i, value := range r.Contributions {
			t.Row(e.Names.Cells(name, r.Positions[i], r.Units[i], value)...)
		}
		return t.Err
	}
}

// kernelName names a term of the model's kernel, with its number if there are several.
func (e *explanation) kernelName(term int) string {
	terms := e.Suspects.Spec.Terms
	if len(terms) == 1 {
		return terms[0].Name
	}
	return fmt.Sprintf("%d:%s", term+1, terms[term].Name)
}

// recordFeatures is a line of explain --top --format json.
type recordFeatures struct {
	answer.Explained
	Features []featureEntry `json:"features"`
}

// featureEntry is a feature in json. A feature of the model has a weight, one of a record what an occurrence adds: of
// substrings that always occur together, the weight of one and the sum of theirs.
type featureEntry struct {
	Kernel        string   `json:"kernel"`
	Feature       string   `json:"feature"`
	Weight        *float64 `json:"weight,omitempty"`
	PerOccurrence *float64 `json:"per_occurrence,omitempty"`
	Support       *int     `json:"support"` // null: not known
	Count         *int     `json:"count,omitempty"`
	Contribution  *float64 `json:"contribution,omitempty"`
}

func (e *explanation) featureEntries(features []stringkernel.Feature, ofRecord bool) []featureEntry {
	list := make([]featureEntry, len(features))
	for i, f := range features {
		list[i] = featureEntry{Kernel: e.kernelName(f.Term), Feature: stringkernel.Readable(f.Text)}
		if f.Support > 0 {
			list[i].Support = &f.Support
		}
		if ofRecord {
			list[i].PerOccurrence, list[i].Count, list[i].Contribution = &f.Weight, &f.Count, &f.Contribution
		} else {
			list[i].Weight = &f.Weight
		}
	}
	return list
}

// cells are kernel, feature, weight or what an occurrence adds, and support.
func (f *featureEntry) cells() []any {
	weight := cmp.Or(f.Weight, f.PerOccurrence)
	if f.Support == nil {
		return []any{f.Kernel, f.Feature, *weight, nil}
	}
	return []any{f.Kernel, f.Feature, *weight, *f.Support}
}

// recordEntry is the object of a record.
func (e *explanation) recordEntry(name answer.Name, r explained) any {
	if e.top == 0 {
		return e.explainer.ExplainedUnits(name, &r.Explanation)
	}
	return recordFeatures{e.explainer.Explained(name, &r.Explanation), e.featureEntries(r.features, true)}
}

// classExplanation is a line of explain --top --format json without files.
type classExplanation struct {
	Class    string         `json:"class"`
	Bias     float64        `json:"bias"`
	Features []featureEntry `json:"features"`
}

// writeModel lists the strongest features of the class asked about, or of all.
func (e *explanation) writeModel(t *cli.Table) error {
	t.Header("class", "kernel", "feature", "weight", "support")
	found := 0
	for class, name := range e.Classifier.Classes {
		if e.explainer.Class >= 0 && class != e.explainer.Class {
			continue
		}
		if err := e.Reader.Call.Context.Err(); err != nil {
			return err
		}
		terms, bias := e.Classifier.Terms(class)
		features := e.featureEntries(e.topFeatures(answer.MixOf(terms, len(e.Classifier.Machines))), false)
		found += len(features)
		if t.JSON() {
			t.Object(classExplanation{name, bias, features})
			continue
		}
		for _, f := range features {
			t.Row(name, f.cells())
		}
	}
	if found == 0 {
		e.Reader.Call.Warn("the model has no feature to list: of substrings, those that occur twice in the support vectors "+
			"are listed, of other features those with a weight, and all have at least --min-length %d characters; with "+
			"files, --top lists the features of records", e.least)
	}
	return t.Err
}
