// Package report writes what people and other programs look at: so far the tables of metrics that MultiQC
// (https://multiqc.info) collects from the runs of a pipeline.
//
// [MultiQC] is a section of such a report, a file whose name ends in _mqc.json. Files of one section are shown as one
// table, with a row per sample.
//
// Writing takes time and memory linear in what is written.
package report
