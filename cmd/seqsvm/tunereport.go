package main

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"slices"
	"strconv"

	"github.com/seqsvm/seqsvm/classify/metrics"
	"github.com/seqsvm/seqsvm/classify/search"
	"github.com/seqsvm/seqsvm/cmd/seqsvm/internal/cli"
)

// tuneReport is what tune prints.
type tuneReport struct {
	Metric     string          `json:"metric"`
	FoldCount  int             `json:"folds"`
	Candidates []tuneCandidate `json:"candidates"` // the best first
	Nested     *tuneNested     `json:"nested,omitempty"`

	varied []string // options that candidates differ in
}

// tuneCandidate is a row of the table.
type tuneCandidate struct {
	Rank     int               `json:"rank"`
	Kernel   []string          `json:"kernel"`
	Settings map[string]string `json:"settings"`
	Options  string            `json:"options"` // of train
	Mean     metrics.Scalars   `json:"mean"`
	SD       metrics.Scalars   `json:"sd"`
	Folds    []metrics.Scalars `json:"per_fold"`
	Gap      float64           `json:"gap"`
	Best     bool              `json:"best"`
	Simplest bool              `json:"simplest_within_1se"`
	Picked   bool              `json:"picked"`

	setting setting
	number  int // in the table
}

// tuneNested is the estimate of the search itself.
type tuneNested struct {
	Folds []outerFold     `json:"folds"`
	Mean  metrics.Scalars `json:"mean"`
	SD    metrics.Scalars `json:"sd"`
}

// outerFold is what the candidate picked on the other folds makes of a fold.
type outerFold struct {
	setting
	report metrics.Report
}

// MarshalJSON writes the report with the options of train before it.
func (f outerFold) MarshalJSON() ([]byte, error) {
	var options bytes.Buffer
	err := cli.WriteJSON(&options, f.described)
	report, err2 := f.report.MarshalJSON()
	return fmt.Appendf(nil, `{"options":%s,%s`, options.Bytes(), report[1:]), errors.Join(err, err2)
}

func newTuneReport(t *tuning, nested *search.Nested) *tuneReport {
	r := &tuneReport{Metric: t.table.Metric, FoldCount: len(t.table.Results[0].Folds)}
	for _, name := range listedOptions {
		if _, given := t.settings[0].values[name]; given {
			r.varied = append(r.varied, name)
		}
	}
	for i, s := range t.settings {
		result := t.table.Results[i]
		r.Candidates = append(r.Candidates, tuneCandidate{
			Kernel: s.options.kernel.specs, Settings: s.values, Options: s.described, Mean: result.Mean,
			SD: result.SD, Gap: result.Gap,
			Best: i == t.table.Best, Simplest: i == t.table.Simplest, Picked: i == t.table.Picked(t.search.Pick),
			setting: s, number: i,
		})
		for _, fold := range result.Folds {
			r.Candidates[i].Folds = append(r.Candidates[i].Folds, fold.Scalars)
		}
	}
	r.sort(t.table)
	if nested != nil {
		r.Nested = &tuneNested{Mean: nested.Mean, SD: nested.SD}
		for f, report := range nested.Folds {
			r.Nested.Folds = append(r.Nested.Folds, outerFold{t.settings[nested.Picked[f]], report})
		}
	}
	return r
}

// sort puts the better ones first; equal ones stay in the order of the grid, but for the best.
func (r *tuneReport) sort(t *search.Table) {
	slices.SortStableFunc(r.Candidates, func(a, b tuneCandidate) int {
		if order := t.Compare(a.number, b.number); order != 0 || a.Best == b.Best {
			return order
		}
		if a.Best {
			return -1
		}
		return 1
	})
	for i := range r.Candidates {
		r.Candidates[i].Rank = i + 1
	}
}

// figure prints the metric of the search.
func (r *tuneReport) figure(s metrics.Scalars) string {
	return cli.Rounded(s.Value(r.Metric))
}

// write prints a row per candidate, then one per outer fold and the nested estimate.
func (r *tuneReport) write(w io.Writer) error {
	header := append([]string{"rank", "kernel"}, r.varied...)
	if err := cli.Row(w, append(header, r.Metric, "sd", "mark")...); err != nil {
		return err
	}
	for _, c := range r.Candidates {
		mark := ""
		switch {
		case c.Best && c.Simplest:
			mark = "best,1se"
		case c.Best:
			mark = "best"
		case c.Simplest:
			mark = "1se"
		}
		if err := r.writeRow(w, strconv.Itoa(c.Rank), &c.setting, r.figure(c.Mean), r.figure(c.SD), mark); err != nil {
			return err
		}
	}
	if r.Nested == nil {
		return nil
	}
	for f, fold := range r.Nested.Folds {
		if err := r.writeRow(w, "outer"+strconv.Itoa(f+1), &fold.setting, r.figure(fold.report.Scalars), "", ""); err != nil {
			return err
		}
	}
	return r.writeRow(w, "nested", nil, r.figure(r.Nested.Mean), r.figure(r.Nested.SD), "")
}

// writeRow prints a candidate, none for nil, with what there is to say of it.
func (r *tuneReport) writeRow(w io.Writer, name string, s *setting, figures ...string) error {
	cells := make([]string, 2+len(r.varied), 2+len(r.varied)+len(figures))
	cells[0] = name
	if s != nil {
		cells[1] = s.kernelText()
		for i, option := range r.varied {
			cells[2+i] = s.values[option]
		}
	}
	return cli.Row(w, append(cells, figures...)...)
}
