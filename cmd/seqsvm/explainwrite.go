package main

import (
	"encoding/json"
	"fmt"
	"io"
	"strconv"

	"github.com/seqsvm/seqsvm/cmd/seqsvm/internal/cli"
	"github.com/seqsvm/seqsvm/cmd/seqsvm/internal/input"
	"github.com/seqsvm/seqsvm/stringkernel"
)

// writeRecords explains the operands, batch by batch.
func (e *explanation) writeRecords(w io.Writer, format string) error {
	write, end := e.recordWriter(w, format)
	err := e.Reader.Batches(predictBatch, func(data *input.Records) error {
		if err := e.Check(data); err != nil {
			return err
		}
		return e.eachRecord(e.Reader.Call.Context, data.Corpus, write)
	})
	if err != nil {
		return err
	}
	return end()
}

// recordWriter returns what writes a record, and what writes the end.
func (e *explanation) recordWriter(w io.Writer, format string) (write func(id string, r explained) error,
	end func() error) {
	if format == cli.JSON {
		return e.jsonWriter(w)
	}
	started := false
	return func(id string, r explained) error {
		if !started {
			started = true
			if err := cli.Row(w, e.recordHeader()...); err != nil {
				return err
			}
		}
		return e.writeRows(w, id, r)
	}, func() error { return nil }
}

func (e *explanation) recordHeader() []string {
	switch {
	case e.top > 0:
		return []string{"id", "class", "kernel", "feature", "weight", "support", "count", "contribution"}
	case e.spans != nil:
		return []string{"id", "position", "word", "contribution"}
	default:
		return []string{"id", "position", "letter", "contribution"}
	}
}

func (e *explanation) writeRows(w io.Writer, id string, r explained) error {
	for _, f := range r.features {
		cells := append([]string{id, e.Classifier.Classes[r.class]}, e.featureCells(f)...)
		if err := cli.Row(w, append(cells, strconv.Itoa(f.Count), cli.Number(f.Contribution))...); err != nil {
			return err
		}
	}
	for i, value := range r.contributions {
		if err := cli.Row(w, id, strconv.Itoa(r.starts[i]+1), stringkernel.Readable(r.units[i]), cli.Number(value)); err != nil {
			return err
		}
	}
	return nil
}

// featureCells are kernel, feature, weight and support.
func (e *explanation) featureCells(f stringkernel.Feature) []string {
	support := "NA"
	if f.Support > 0 {
		support = strconv.Itoa(f.Support)
	}
	return []string{e.kernelName(f.Term), stringkernel.Readable(f.Text), cli.Number(f.Weight), support}
}

// kernelName names a term of the model's kernel, with its number if there are several.
func (e *explanation) kernelName(term int) string {
	terms := e.Suspects.Spec.Terms
	if len(terms) == 1 {
		return terms[0].Name
	}
	return fmt.Sprintf("%d:%s", term+1, terms[term].Name)
}

// recordExplanation is a record of explain --format json.
type recordExplanation struct {
	ID            string          `json:"id"`
	Class         string          `json:"class"`
	Decision      float64         `json:"decision"`
	Bias          float64         `json:"bias"`
	Contributions *[]float64      `json:"contributions,omitempty"` // of letters, or of words
	Positions     []int           `json:"positions,omitempty"`     // of the words, from 1
	Words         []string        `json:"words,omitempty"`
	Features      *[]featureEntry `json:"features,omitempty"`
}

// featureEntry is a feature in json.
type featureEntry struct {
	Kernel       string   `json:"kernel"`
	Feature      string   `json:"feature"`
	Weight       float64  `json:"weight"`
	Support      *int     `json:"support"` // null: not known
	Count        *int     `json:"count,omitempty"`
	Contribution *float64 `json:"contribution,omitempty"`
}

func (e *explanation) featureEntries(features []stringkernel.Feature, ofRecord bool) *[]featureEntry {
	list := make([]featureEntry, len(features))
	for i, f := range features {
		list[i] = featureEntry{Kernel: e.kernelName(f.Term), Feature: stringkernel.Readable(f.Text), Weight: f.Weight}
		if f.Support > 0 {
			list[i].Support = &f.Support
		}
		if ofRecord {
			list[i].Count, list[i].Contribution = &f.Count, &f.Contribution
		}
	}
	return &list
}

// jsonWriter writes the records as a list in an object, one at a time.
func (e *explanation) jsonWriter(w io.Writer) (write func(id string, r explained) error, end func() error) {
	separator := "{\"records\": [\n"
	return func(id string, r explained) error {
			if _, err := io.WriteString(w, separator); err != nil {
				return err
			}
			separator = ",\n"
			text, err := json.Marshal(e.recordEntry(id, r))
			if err != nil {
				return err
			}
			_, err = w.Write(text)
			return err
		}, func() error {
			if separator != ",\n" {
				if _, err := io.WriteString(w, separator); err != nil {
					return err
				}
			}
			_, err := io.WriteString(w, "\n]}\n")
			return err
		}
}

func (e *explanation) recordEntry(id string, r explained) recordExplanation {
	entry := recordExplanation{ID: id, Class: e.Classifier.Classes[r.class], Decision: r.decision, Bias: r.bias}
	if e.top > 0 {
		entry.Features = e.featureEntries(r.features, true)
		return entry
	}
	if r.contributions == nil {
		r.contributions = []float64{}
	}
	entry.Contributions = &r.contributions
	if e.spans != nil {
		for i, unit := range r.units {
			entry.Positions = append(entry.Positions, r.starts[i]+1)
			entry.Words = append(entry.Words, stringkernel.Readable(unit))
		}
	}
	return entry
}

// classExplanation is a class of explain --top --format json without files.
type classExplanation struct {
	Class    string          `json:"class"`
	Bias     float64         `json:"bias"`
	Features *[]featureEntry `json:"features"`
}

// writeModel lists the strongest features of the class asked about, or of all.
func (e *explanation) writeModel(w io.Writer, format string) error {
	var all []classExplanation
	if format == cli.TSV {
		if err := cli.Row(w, "class", "kernel", "feature", "weight", "support"); err != nil {
			return err
		}
	}
	for class, name := range e.Classifier.Classes {
		if e.class >= 0 && class != e.class {
			continue
		}
		if err := e.Reader.Call.Context.Err(); err != nil {
			return err
		}
		terms, bias := e.Classifier.Terms(class)
		features := e.topFeatures(mixOf(terms, len(e.Classifier.Machines)))
		if format == cli.JSON {
			all = append(all, classExplanation{name, bias, e.featureEntries(features, false)})
			continue
		}
		for _, f := range features {
			if err := cli.Row(w, append([]string{name}, e.featureCells(f)...)...); err != nil {
				return err
			}
		}
	}
	if format == cli.JSON {
		return cli.WriteJSON(w, map[string]any{"classes": all})
	}
	return nil
}
