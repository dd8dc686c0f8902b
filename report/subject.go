package report

import (
	"cmp"
	"context"
	"fmt"

	"github.com/seqsvm/seqsvm/classify"
	"github.com/seqsvm/seqsvm/classify/dataset"
	"github.com/seqsvm/seqsvm/classify/decide"
	"github.com/seqsvm/seqsvm/classify/metrics"
	"github.com/seqsvm/seqsvm/model"
	"github.com/seqsvm/seqsvm/report/page"
	"github.com/seqsvm/seqsvm/stringkernel"
	"github.com/seqsvm/seqsvm/stringkernel/duplicates"
)

// Subject is what a page is about: a model, records that it is applied to, and what was predicted and measured. Of a
// cross-validation, the predictions for each record are those of a model of the other folds, and the model is one of
// all records.
type Subject struct {
	Title, Lead string
	Foot        string      // what wrote the page
	Facts       []page.Fact // of the model, besides those that Model tells
	Warnings    []string    // on the data

	Model       *model.Model
	Corpus      *stringkernel.Corpus
	Labels      []string // as they are written
	Data        *dataset.Dataset
	Predictions []decide.Prediction
	Measured    metrics.Report     // of all records, with the intervals of the metrics if they are known
	Validation  *Validation        // nil: the model is measured on records that it is meant to be new to
	Duplicates  *duplicates.Groups // of the records, nil if they were not looked for
	Known       string             // which part of the records was in the model's training data, "" if none is known to be

	// Classifier is that of the model, with the confidence that predictions were made at; it lists features and
	// explains decisions as far as the kernel can. Nil: neither.
	Classifier *decide.Classifier

	Records, Tracks int    // most of them on the page; zero: DefaultRecords, DefaultTracks; Tracks below zero: none
	Replicates      int    // samples for the bands of curves; zero: no bands
	Seed            uint64 // of what is drawn at random
}

// Validation is what a Subject has of a cross-validation.
type Validation struct {
	*classify.CVResult
	Folds    []metrics.Report
	Mean, SD metrics.Scalars // over the folds

	Baselines []Baseline // measured on the same folds
}

// Baseline is a simple method, which a model should be better than.
type Baseline struct {
	Name, Meaning string
	Mean, SD      metrics.Scalars // over the folds; it may lack metrics that the model has
}

// The default limits of a page.
const (
	DefaultRecords = 10_000
	DefaultTracks  = 200
)

// Page makes the page. Time and memory are linear in the records, besides those of explaining the
// decisions on some of them.
func (s *Subject) Page(ctx context.Context) (*page.Page, error) {
	if n := s.Corpus.Len(); n != len(s.Predictions) || n != len(s.Labels) {
		return nil, fmt.Errorf("report: %d records, %d predictions, %d labels", n, len(s.Predictions), len(s.Labels))
	}
	b := &builder{Subject: s, labelling: s.Data.Labelling()}
	b.assess()
	b.choose()
	p := &page.Page{Title: s.Title, Lead: s.Lead, Foot: s.Foot, Tiles: b.tiles(), Notes: b.notes()}
	pictures, err := b.pictures(ctx)
	if err != nil {
		return nil, err
	}
	motifs, err := b.motifs(ctx)
	if err != nil {
		return nil, err
	}
	for _, section := range []*page.Section{
		b.metrics(), b.classes(), b.regions(), b.shifts(), pictures, motifs, b.features(), b.errors(), b.duplicates(),
		b.about(),
	} {
		if section != nil {
			p.Sections = append(p.Sections, *section)
		}
	}
	p.Records = b.records()
	p.Tracks = b.tracks()
	return p, ctx.Err()
}

// builder makes the parts of a page.
type builder struct {
	*Subject
	labelling dataset.Labelling
	assessed  []assessment // of each record
	listed    []int        // the records of the table, in order
	row       map[int]int  // the row of a record in the table
}

func (b *builder) mostRecords() int { return cmp.Or(b.Subject.Records, DefaultRecords) }

func (b *builder) mostTracks() int { return cmp.Or(b.Subject.Tracks, DefaultTracks) }

// labelText is the label of a record for people.
func (b *builder) labelText(i int) string { return cmp.Or(b.Labels[i], "(none)") }

// predictedText is what was predicted for a record.
func (b *builder) predictedText(i int) string {
	p := b.Predictions[i]
	switch b.labelling {
	case dataset.Numbers, dataset.Grades:
		return number(p.Scores[0])
	case dataset.LabelSets:
		return b.joined(p.Labels)
	}
	return b.Data.Classes[p.Class]
}

// scalars are the metrics of all records or, of a cross-validation, their means over the folds.
func (b *builder) scalars() metrics.Scalars {
	if b.Validation != nil {
		return b.Validation.Mean
	}
	return b.Measured.Scalars
}
