package report

import (
	"encoding/json"
	"fmt"
	"io"
	"path/filepath"
	"strings"

	"github.com/seqsvm/seqsvm/classify/metrics"
)

// MultiQC is a section of a MultiQC report, with a table of metrics: custom content in JSON.
type MultiQC struct {
	ID          string // of the section: files with the same one share a table
	Title       string
	Description string
	Samples     []Sample // a row each
}

// Sample is a row of the table.
type Sample struct {
	Name     string
	N        int // records
	Metrics  metrics.Scalars
	Interval *metrics.Interval // of the metrics, nil if it is not known
}

// multiqcSuffix is what the name of a file has to end in for MultiQC to find it.
const multiqcSuffix = "_mqc.json"

// SampleOf returns the name of the sample of a file: what is before _mqc.json in its base name. A name that does not
// end so, or has nothing before it, is an error, since MultiQC would not find the file.
func SampleOf(path string) (string, error) {
	name, found := strings.CutSuffix(filepath.Base(path), multiqcSuffix)
	if !found || name == "" {
		return "", fmt.Errorf("%.80s, want a name that ends in %s: others are not found by MultiQC", path,
			multiqcSuffix)
	}
	return name, nil
}

// section is the JSON of MultiQC.
type section struct {
	ID          string                    `json:"id"`
	Title       string                    `json:"section_name"`
	Description string                    `json:"description"`
	Plot        string                    `json:"plot_type"`
	Config      tableConfig               `json:"pconfig"`
	Headers     map[string]header         `json:"headers"`
	Data        map[string]map[string]any `json:"data"`
}

type tableConfig struct {
	ID        string `json:"id"`
	Title     string `json:"title"`
	Namespace string `json:"namespace"`
}

// header describes a column.
type header struct {
	Title       string   `json:"title"`
	Description string   `json:"description"`
	Min         *float64 `json:"min,omitempty"` // of the colours
	Max         *float64 `json:"max,omitempty"`
	Scale       string   `json:"scale,omitempty"` // of colours
	Format      string   `json:"format"`
	Hidden      bool     `json:"hidden,omitempty"` // until the reader asks for it
}

// Write writes the section. Undefined metrics are left out of their rows.
func (m MultiQC) Write(w io.Writer) error {
	s := section{
		ID: m.ID, Title: m.Title, Description: m.Description, Plot: "table",
		Config:  tableConfig{ID: m.ID + "_table", Title: m.Title, Namespace: "seqsvm"},
		Headers: map[string]header{"n": {Title: "n", Description: "records", Format: "{:,.0f}"}},
		Data:    map[string]map[string]any{},
	}
	for _, sample := range m.Samples {
		row := map[string]any{"n": sample.N}
		s.add(row, sample.Metrics, "")
		if sample.Interval != nil {
			s.add(row, sample.Interval.Lower, " lower")
			s.add(row, sample.Interval.Upper, " upper")
		}
		s.Data[sample.Name] = row
	}
	e := json.NewEncoder(w)
	e.SetEscapeHTML(false)
	e.SetIndent("", "  ")
	return e.Encode(s)
}

// add adds metrics to a row, and their columns; end is the end of their names if they are ends of intervals.
func (s section) add(row map[string]any, of metrics.Scalars, end string) {
	for i, name := range of.Names {
		column := name + strings.ReplaceAll(end, " ", "_")
		s.Headers[column] = headerOf(name, end)
		if of.Values[i].Defined() {
			row[column] = of.Values[i]
		}
	}
}

// headerOf describes the column of a metric.
func headerOf(name, end string) header {
	title := strings.ReplaceAll(name, "_", " ") + end
	h := header{Title: title, Description: name, Format: "{:,.4f}", Hidden: end != ""}
	if end != "" {
		h.Description = name + "," + end + " end of the 95 % interval"
		return h
	}
	low, high := 0.0, 1.0
	switch metrics.ScaleOf(name) {
	case metrics.Unit:
		h.Min, h.Max = &low, &high
	case metrics.Signed:
		low = -1
		h.Min, h.Max = &low, &high
	case metrics.AtMost1:
		h.Max = &high
	default:
		h.Min = &low
	}
	if h.Scale = "Blues"; metrics.IsLoss(name) {
		h.Scale = "Blues-rev"
	}
	return h
}
