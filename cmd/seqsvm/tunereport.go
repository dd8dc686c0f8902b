package main

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/seqsvm/seqsvm/catalog"
	"github.com/seqsvm/seqsvm/classify/metrics"
	"github.com/seqsvm/seqsvm/classify/search"
	"github.com/seqsvm/seqsvm/cmd/seqsvm/internal/cli"
	"github.com/seqsvm/seqsvm/report/curves"
)

// tuneReport is what tune prints.
type tuneReport struct {
	Metric     string          `json:"metric"`
	FoldCount  int             `json:"folds"`
	Candidates []tuneCandidate `json:"candidates"` // best first
	Nested     *tuneNested     `json:"nested,omitempty"`
	Search     *tuneSearch     `json:"search,omitempty"`

	varied []string // options that candidates differ in
	shown  int      // candidates in the table; 0: all
}

// tuneCandidate is a row of the table.
type tuneCandidate struct {
	cli.Candidate
	setting setting
	number  int // in the table
}

// tuneNested is the estimate of the search itself.
type tuneNested struct {
	Folds []outerFold     `json:"folds"`
	Mean  metrics.Scalars `json:"mean"`
	SD    metrics.Scalars `json:"sd"`
}

// outerFold is the result on a fold of the candidate picked on the others.
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

// tuneSearch is how a search without --kernel went.
type tuneSearch struct {
	Kind   catalog.Kind `json:"kind"`
	Budget float64      `json:"budget"` // seconds, as Work
	Work   float64      `json:"work"`
	Costly []string     `json:"not_tried"`
	Rungs  []tuneRung   `json:"rungs"`
	// of the winner, on folds that divide near-duplicates
	Ungrouped *metrics.Scalars `json:"ungrouped,omitempty"`
}

// tuneRung is a cross-validation of some kernels on some records.
type tuneRung struct {
	Records int          `json:"records"`
	Folds   int          `json:"folds"`
	Work    float64      `json:"work"`
	Mean    bool         `json:"means"`
	Kernels []rungKernel `json:"kernels"` // the best first
}

// rungKernel is a kernel with the best of its options on a rung.
type rungKernel struct {
	Kernel  []string      `json:"kernel"`
	Options string        `json:"options"`
	Mean    metrics.Float `json:"mean"`
	SD      metrics.Float `json:"sd"`
	Kept    bool          `json:"kept"`
}

// newTuneSearch describes the course of a search.
func newTuneSearch(p *portfolio) *tuneSearch {
	s := &tuneSearch{Kind: p.kind, Budget: p.Budget / 1e9, Work: p.course.Work / 1e9, Costly: []string{}}
	for _, n := range p.course.Costly {
		s.Costly = append(s.Costly, strings.Join(p.kernels[n], "+"))
	}
	for _, rung := range p.course.Rungs {
		r := tuneRung{Records: rung.Records, Folds: rung.Folds, Work: rung.Work / 1e9, Mean: rung.Mean}
		for _, i := range rung.Best() {
			e := rung.Entrants[i]
			mean, sd := rung.Table.Value(i)
			of := p.settingOf(e)
			r.Kernels = append(r.Kernels, rungKernel{
				Kernel: of.options.kernel.specs, Options: of.described, Mean: metrics.Float(mean), SD: metrics.Float(sd),
				Kept: slices.Contains(rung.Kept, e.Contender),
			})
		}
		s.Rungs = append(s.Rungs, r)
	}
	return s
}

// newTuneReport takes the settings of what was picked in the outer folds besides.
func newTuneReport(t *tuning, nested *search.Nested, picked []setting) *tuneReport {
	r := &tuneReport{Metric: t.table.Metric, FoldCount: len(t.table.Results[0].Folds)}
	for _, name := range listedOptions {
		if _, given := t.settings[0].values[name]; given {
			r.varied = append(r.varied, name)
		}
	}
	for i, s := range t.settings {
		result := t.table.Results[i]
		r.Candidates = append(r.Candidates, tuneCandidate{setting: s, number: i, Candidate: cli.Candidate{
			Kernel: s.options.kernel.specs, Settings: s.values, Options: s.described, Mean: result.Mean,
			SD: result.SD, Gap: result.Gap,
			Best: i == t.table.Best, Simplest: i == t.table.Simplest && r.FoldCount > 1,
			Picked: i == t.table.Picked(t.search.Pick),
		}})
		for _, fold := range result.Folds {
			r.Candidates[i].Folds = append(r.Candidates[i].Folds, fold.Scalars)
		}
	}
	r.sort(t.table)
	if t.portfolio != nil {
		r.Search = newTuneSearch(t.portfolio)
	}
	if nested != nil {
		r.Nested = &tuneNested{Mean: nested.Mean, SD: nested.SD}
		for f, report := range nested.Folds {
			r.Nested.Folds = append(r.Nested.Folds, outerFold{picked[f], report})
		}
	}
	return r
}

// sort puts better candidates first; equal ones stay in the order of the grid, after the best.
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

// path is the metric of the candidates against C.
func (r *tuneReport) path() *curves.Result {
	tried := make([]curves.Tried, len(r.Candidates))
	for i := range r.Candidates {
		c := &r.Candidates[i]
		name := c.setting.kernelText()
		for _, option := range r.varied {
			if value := c.Settings[option]; option != "C" && value != "" {
				name += " --" + option + " " + value
			}
		}
		tried[i] = curves.Tried{Name: name, C: c.setting.trainer.C, Mean: c.Mean.Value(r.Metric), SD: c.SD.Value(r.Metric)}
	}
	slices.SortStableFunc(tried, func(a, b curves.Tried) int { return cmp.Compare(a.C, b.C) })
	return curves.CPath(r.Metric, tried)
}

// figures formats the metric of the search.
func (r *tuneReport) figures(of ...metrics.Scalars) (cells []cli.Metric) {
	for _, s := range of {
		cells = append(cells, cli.Metrics(s.Value(r.Metric))...)
	}
	return cells
}

// write prints a row per candidate, then one per outer fold and the nested estimate.
func (r *tuneReport) write(t *cli.Table) {
	t.Header("rank", "kernel", r.varied, r.Metric, "sd", "mark")
	for i, c := range r.Candidates {
		if r.shown > 0 && i == r.shown {
			break
		}
		mark := ""
		switch {
		case c.Best && c.Simplest:
			mark = "best,1se"
		case c.Best:
			mark = "best"
		case c.Simplest:
			mark = "1se"
		}
		t.Row(c.Rank, r.cells(&c.setting), r.figures(c.Mean, c.SD), mark)
	}
	if r.Nested == nil {
		return
	}
	for f, fold := range r.Nested.Folds {
		t.Row("outer"+strconv.Itoa(f+1), r.cells(&fold.setting), r.figures(fold.report.Scalars), "", "")
	}
	t.Row("nested", make([]string, 1+len(r.varied)), r.figures(r.Nested.Mean, r.Nested.SD), "")
}

// cells are the cells that describe a candidate.
func (r *tuneReport) cells(s *setting) []string {
	cells := []string{s.kernelText()}
	for _, option := range r.varied {
		cells = append(cells, s.values[option])
	}
	return cells
}
