package main

import (
	"cmp"
	"io"
	"math"
	"slices"
	"strconv"

	"github.com/seqsvm/seqsvm/classify/search"
	"github.com/seqsvm/seqsvm/metrics"
)

// tuneReport is what tune prints.
type tuneReport struct {
	Metric     string          `json:"metric"`
	FoldCount  int             `json:"folds"`
	Candidates []tuneCandidate `json:"candidates"` // the best first
	Nested     *tuneNested     `json:"nested,omitempty"`

	varied []string // options that candidates differ in
	at     int      // of the metric among the scalars
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
}

// tuneNested is the estimate of the search itself.
type tuneNested struct {
	Folds []tuneOuterFold `json:"folds"`
	Mean  metrics.Scalars `json:"mean"`
	SD    metrics.Scalars `json:"sd"`
}

type tuneOuterFold struct {
	Options string `json:"options"` // of train, of the candidate picked on the other folds
	metrics.Report

	setting setting
}

func newTuneReport(t *tuning, nested *search.Nested) *tuneReport {
	r := &tuneReport{Metric: t.table.Metric, FoldCount: len(t.table.Results[0].Folds), at: slices.Index(metrics.ScalarNames(), t.table.Metric)}
	for _, name := range listOptions() {
		if _, given := t.settings[0].values[name]; given {
			r.varied = append(r.varied, name)
		}
	}
	for i, s := range t.settings {
		result := t.table.Results[i]
		r.Candidates = append(r.Candidates, tuneCandidate{
			Kernel: s.context.StringSlice("kernel"), Settings: s.values, Options: s.options, Mean: result.Mean, SD: result.SD, Folds: result.Folds, Gap: result.Gap,
			Best: i == t.table.Best, Simplest: i == t.table.Simplest, Picked: i == t.table.Picked(t.search.Pick), setting: s,
		})
	}
	r.sort()
	if nested != nil {
		r.Nested = &tuneNested{Mean: nested.Mean, SD: nested.SD}
		for f, report := range nested.Folds {
			s := t.settings[nested.Picked[f]]
			r.Nested.Folds = append(r.Nested.Folds, tuneOuterFold{Options: s.options, Report: report, setting: s})
		}
	}
	return r
}

// sort puts the best first, those without a value last; equal ones stay in the order of the grid, but for the best.
func (r *tuneReport) sort() {
	key := func(c tuneCandidate) float64 {
		if v := c.Mean.Values()[r.at]; !math.IsNaN(v) {
			return search.Comparable(v)
		}
		return math.Inf(-1)
	}
	slices.SortStableFunc(r.Candidates, func(a, b tuneCandidate) int {
		switch {
		case a.Best != b.Best && key(a) == key(b):
			if a.Best {
				return -1
			}
			return 1
		default:
			return cmp.Compare(key(b), key(a))
		}
	})
	for i := range r.Candidates {
		r.Candidates[i].Rank = i + 1
	}
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
		if err := r.writeRow(w, strconv.Itoa(c.Rank), &c.setting, rounded(c.Mean.Values()[r.at]), rounded(c.SD.Values()[r.at]), mark); err != nil {
			return err
		}
	}
	if r.Nested == nil {
		return nil
	}
	for f, fold := range r.Nested.Folds {
		if err := r.writeRow(w, "outer"+strconv.Itoa(f+1), &fold.setting, rounded(fold.Values()[r.at]), "", ""); err != nil {
			return err
		}
	}
	return r.writeRow(w, "nested", nil, rounded(r.Nested.Mean.Values()[r.at]), rounded(r.Nested.SD.Values()[r.at]), "")
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
