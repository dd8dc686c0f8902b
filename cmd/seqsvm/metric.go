package main

import (
	"strings"

	"github.com/urfave/cli/v2"

	"github.com/seqsvm/seqsvm/classify/metrics"
	"github.com/seqsvm/seqsvm/classify/search"
)

// metricHelp lists what --metric may say.
var metricHelp = list(metrics.ClassMetrics()) + "; with --hierarchy accuracy_level_1, … too; with --multilabel " + list(metrics.LabelMetrics())

// checkMetric finds a wrong --metric before any file is read.
func checkMetric(c *cli.Context) error {
	metric := c.String("metric")
	if metric == "" || c.IsSet("hierarchy") && isLevel(metric) {
		return nil
	}
	names := metrics.ClassMetrics()
	if c.IsSet("multilabel") {
		names = metrics.LabelMetrics()
	}
	_, err := choose(c, "metric", names...)
	return err
}

// isLevel reports whether a metric is the accuracy of a level, of some hierarchy.
func isLevel(metric string) bool {
	return strings.HasPrefix(metric, strings.TrimRight(metrics.LevelName(0), "1"))
}

// checkLevel finds a --metric of a level that the hierarchy does not have.
func (e *experiment) checkLevel(c *cli.Context) error {
	if c.String("metric") == "" {
		return nil
	}
	_, err := choose(c, "metric", search.MetricNames(e.data)...)
	return err
}
