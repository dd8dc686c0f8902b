package main

import (
	"fmt"
	"io"
	"slices"
	"strconv"

	"github.com/seqsvm/seqsvm/classify/metrics"
	"github.com/seqsvm/seqsvm/classify/search"
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
	Mean     search.Scalars    `json:"mean"`
	SD       search.Scalars    `json:"sd"`
	Folds    []search.Scalars  `json:"per_fold"`
	Gap      float64           `json:"gap"`
	Best     bool              `json:"best"`
	Simplest bool              `json:"simplest_within_1se"`
	Picked   bool              `json:"picked"`

	setting setting
	number  int // in the table
}

// tuneNested is the estimate of the search itself.
type tuneNested struct {
	Folds []any          `json:"folds"` // what outerFold makes
	Mean  search.Scalars `json:"mean"`
	SD    search.Scalars `json:"sd"`

	reports  []search.Report // per outer fold
	settings []setting       // of the candidate picked on the other folds
}

// outerFold is a report in JSON with the options of train before it.
func outerFold(options string, r search.Report) any {
	switch r := r.(type) {
	case metrics.LabelReport:
		return struct {
			Options string `json:"options"`
			metrics.LabelReport
		}{options, r}
	case metrics.LevelReport:
		return struct {
			Options string `json:"options"`
			metrics.LevelReport
		}{options, r}
	case metrics.Report:
		return struct {
			Options string `json:"options"`
			metrics.Report
		}{options, r}
	default:
		panic(fmt.Sprintf("a report of type %T", r)) // search has no others
	}
}

func newTuneReport(t *tuning, nested *search.Nested) *tuneReport {
	r := &tuneReport{Metric: t.table.Metric, FoldCount: len(t.table.Results[0].Folds)}
	for _, name := range listOptions() {
		if _, given := t.settings[0].values[name]; given {
			r.varied = append(r.varied, name)
		}
	}
	for i, s := range t.settings {
		result := t.table.Results[i]
		r.Candidates = append(r.Candidates, tuneCandidate{
			Kernel: s.context.StringSlice("kernel"), Settings: s.values, Options: s.options, Mean: result.Mean, SD: result.SD, Folds: result.Folds, Gap: result.Gap,
			Best: i == t.table.Best, Simplest: i == t.table.Simplest, Picked: i == t.table.Picked(t.search.Pick), setting: s, number: i,
		})
	}
	r.sort(t.table)
	if nested != nil {
		r.Nested = &tuneNested{Mean: nested.Mean, SD: nested.SD, reports: nested.Folds}
		for f, report := range nested.Folds {
			s := t.settings[nested.Picked[f]]
			r.Nested.Folds, r.Nested.settings = append(r.Nested.Folds, outerFold(s.options, report)), append(r.Nested.settings, s)
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
func (r *tuneReport) figure(s search.Scalars) string {
	return rounded(s.Values()[slices.Index(s.Names(), r.Metric)])
}

// write prints a row per candidate, then one per outer fold and the nested estimate.
func (r *tuneReport) write(w io.Writer) error {
	header := append([]string{"rank", "kernel"}, r.varied...)
	if err := row(w, append(header, r.Metric, "sd", "mark")...); err != nil {
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
	for f, report := range r.Nested.reports {
		if err := r.writeRow(w, "outer"+strconv.Itoa(f+1), &r.Nested.settings[f], r.figure(report), "", ""); err != nil {
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
	return row(w, append(cells, figures...)...)
}
