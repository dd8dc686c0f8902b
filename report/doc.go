// Package report has what people and other programs look at.
//
// [Subject] is what a page is about: a model, labelled records, what was predicted for them and how good that is.
// [Subject.Page] says what is on the page, package page writes it as one HTML file:
//
//	s := report.Subject{Model: m, Corpus: corpus, Labels: labels, Data: data, Predictions: predictions, …}
//	p, err := s.Page(ctx)
//	…
//	err = p.Write(file)
//
// [MultiQC] is a section of a report of MultiQC (https://multiqc.info), which collects tables from the runs of a
// pipeline: a file whose name ends in _mqc.json. Files of one section are shown as one table, with a row per sample.
//
// Writing takes time and memory linear in what is written, besides the explanation of decisions on some records.
package report
