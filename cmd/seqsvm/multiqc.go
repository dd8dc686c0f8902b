package main

import (
	"github.com/seqsvm/seqsvm/classify/metrics"
	"github.com/seqsvm/seqsvm/cmd/seqsvm/internal/cli"
	"github.com/seqsvm/seqsvm/report"
)

// multiqcOptions ask for a file that MultiQC reads.
type multiqcOptions struct{ multiqc cli.Output }

func (o *multiqcOptions) flags(f *cli.Flags) {
	f.File(&o.multiqc, "multiqc", "`FILE` for MultiQC, NAME_mqc.json: the metrics as a row called NAME").Holds(cli.JSON)
}

// check finds a name that MultiQC would not find before any file is read.
func (o *multiqcOptions) check() error {
	if !o.multiqc.Given() {
		return nil
	}
	if _, err := report.SampleOf(o.multiqc.Path()); err != nil {
		return cli.Usagef("--multiqc %w", err)
	}
	return nil
}

// write writes the metrics of n records by a command.
func (o *multiqcOptions) write(command, title, what string, n int, s metrics.Scalars, i *metrics.Interval) error {
	if !o.multiqc.Given() {
		return nil
	}
	name, err := report.SampleOf(o.multiqc.Path())
	if err != nil {
		return err
	}
	section := report.MultiQC{ID: "seqsvm_" + command, Title: title, Description: what,
		Samples: []report.Sample{{Name: name, N: n, Metrics: s, Interval: i}}}
	return o.multiqc.Write(section.Write)
}
