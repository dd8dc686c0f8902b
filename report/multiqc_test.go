package report

import (
	"encoding/json"
	"math"
	"reflect"
	"strings"
	"testing"

	"github.com/seqsvm/seqsvm/classify/metrics"
	"github.com/seqsvm/seqsvm/internal/must"
)

// TestMultiQC: what MultiQC's page on custom content asks for: an id, the type table, a column description for every
// column, and data by sample and column, in numbers.
func TestMultiQC(t *testing.T) {
	scalars := func(values ...metrics.Float) metrics.Scalars {
		return metrics.NewScalars([]string{"auroc", "mcc", "log_loss"}, values)
	}
	m := MultiQC{ID: "seqsvm_evaluate", Title: "seqsvm <evaluate>", Description: "metrics", Samples: []Sample{
		{Name: "a", N: 10, Metrics: scalars(0.5, metrics.Float(math.NaN()), 0.7)},
		{Name: "b", N: 3, Metrics: scalars(1, -1, 0), Interval: &metrics.Interval{
			Lower: scalars(0.25, -1, 0), Upper: scalars(1, -0.5, 2)}},
	}}
	var text strings.Builder
	must.Succeed(t, m.Write(&text))
	var got struct {
		ID      string                        `json:"id"`
		Name    string                        `json:"section_name"`
		Plot    string                        `json:"plot_type"`
		Headers map[string]map[string]any     `json:"headers"`
		Data    map[string]map[string]float64 `json:"data"`
	}
	must.Succeed(t, json.Unmarshal([]byte(text.String()), &got))
	want := map[string]map[string]float64{
		"a": {"n": 10, "auroc": 0.5, "log_loss": 0.7},
		"b": {"n": 3, "auroc": 1, "mcc": -1, "log_loss": 0, "auroc_lower": 0.25, "mcc_lower": -1, "log_loss_lower": 0,
			"auroc_upper": 1, "mcc_upper": -0.5, "log_loss_upper": 2},
	}
	if !reflect.DeepEqual(got.Data, want) {
		t.Errorf("data %v, want %v", got.Data, want)
	}
	for _, row := range got.Data {
		for column := range row {
			if got.Headers[column]["title"] == nil {
				t.Errorf("column %s has no header", column)
			}
		}
	}
	if got.ID != m.ID || got.Plot != "table" || got.Name != m.Title {
		t.Errorf("section %+v", got)
	}
	if h := got.Headers["log_loss"]; h["min"] != 0.0 || h["max"] != nil || h["scale"] != "Blues-rev" {
		t.Errorf("log loss: %v", h)
	}
	if h := got.Headers["mcc"]; h["min"] != -1.0 || h["max"] != 1.0 || h["scale"] != "Blues" {
		t.Errorf("mcc: %v", h)
	}
	if h := got.Headers["mcc_upper"]; h["hidden"] != true {
		t.Errorf("end of an interval: %v", h)
	}
}

func TestSampleOf(t *testing.T) {
	if name, err := SampleOf("runs/promoters_mqc.json"); name != "promoters" || err != nil {
		t.Errorf("%q, %v", name, err)
	}
	for _, path := range []string{"promoters.json", "_mqc.json", "-", "a_mqc.json.gz"} {
		if _, err := SampleOf(path); err == nil {
			t.Errorf("%s is taken", path)
		}
	}
}
