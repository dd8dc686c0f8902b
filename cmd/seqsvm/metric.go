package main

import (
	"strings"

	"github.com/seqsvm/seqsvm/cmd/seqsvm/internal/cli"

	"github.com/seqsvm/seqsvm/classify/metrics"
)

// metricHelp lists the values of --metric.
var metricHelp = strings.Join(metrics.ClassMetrics(), ", ") +
	"; with --hierarchy accuracy_level_1, … too; with --multilabel " + strings.Join(metrics.LabelMetrics(), ", ")

// checkMetric checks --metric before any file is read.
func checkMetric(c *cli.Call, metric string) error {
	level := strings.HasPrefix(metric, strings.TrimRight(metrics.LevelName(0), "1")) // of some hierarchy
	if metric == "" || c.Given("hierarchy") && level {
		return nil
	}
	names := metrics.ClassMetrics()
	if c.Given("multilabel") {
		names = metrics.LabelMetrics()
	}
	return cli.OneOf(c.Flags, "metric", metric, names)
}

// checkLevel returns an error for a --metric of a level that the hierarchy does not have.
func (e *experiment) checkLevel(c *cli.Call, metric string) error {
	if metric == "" {
		return nil
	}
	return cli.OneOf(c.Flags, "metric", metric, e.data.MetricNames())
}
