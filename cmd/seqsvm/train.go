package main

import (
	"fmt"
	"io"
	"strconv"
	"time"

	"github.com/urfave/cli/v2"

	"github.com/seqsvm/seqsvm/classify"
	"github.com/seqsvm/seqsvm/model"
	"github.com/seqsvm/seqsvm/stringkernel"
)

func trainCommand() *cli.Command {
	return &cli.Command{
		Name:      "train",
		Usage:     "fit a model and save it",
		ArgsUsage: "FILE…  or  --pos FILE --neg FILE",
		Description: "Labels come from the headers of FASTA and FASTQ (label=X, else the description's first word), from the column or field of tsv, csv and jsonl,\n" +
			"from the sub-folder of documents, from --labels, or from --pos and --neg.\n" +
			"The summary goes to standard output, the model to --output.",
		Flags: join(kernelFlags(), []cli.Flag{
			outputFlag("model `FILE` to write (required)"),
			&cli.BoolFlag{Name: "keep-sequences", Usage: "store support vectors even if the kernel folds into a table"},
			predictionsFlag("`FILE` for the new model's predictions on its own training data"),
			formatFlag("summary as tsv or json", "tsv"),
		}, labelFlags(), learningFlags(), calibrationFlags(), labelingFlags(), readingFlags(), documentFlags(), treeFlags(), alphabetFlags(), sharedFlags()),
		Action: train,
	}
}

func train(c *cli.Context) error {
	if c.String("output") == "" {
		return usagef("no --output, want the model file to write")
	}
	format, err := choose(c, "format", "tsv", "json")
	if err != nil {
		return err
	}
	out, err := openOutputs(c, "predictions", "output")
	if err != nil {
		return err
	}
	defer out.abort() // after commit it does nothing
	e, err := newExperiment(c, false)
	if err != nil {
		return err
	}
	start := time.Now()
	report, clear := progress(c)
	e.trainer.Progress = report
	trained, err := e.trainer.Train(c.Context, e.data)
	clear()
	if err != nil {
		return e.records.placed(err)
	}
	seconds := time.Since(start).Seconds()
	if out.wants("predictions") {
		if err := e.writeTrainingPredictions(c, trained, out); err != nil {
			return e.records.placed(err)
		}
	}
	if err := e.save(c, trained, out); err != nil {
		return e.records.placed(err)
	}
	if err := out.commit(); err != nil {
		return err
	}
	e.remark(c, trained)
	return writeSummary(summaryWriter(c), format, e.summary(trained, seconds))
}

// summaryWriter is standard output, or standard error if the model or its predictions go to standard output.
func summaryWriter(c *cli.Context) io.Writer {
	switch {
	case c.String("output") != "-" && c.String("predictions") != "-":
		return c.App.Writer
	case c.Bool("quiet"):
		return io.Discard
	default:
		return c.App.ErrWriter
	}
}

// save writes the model file.
func (e *experiment) save(c *cli.Context, trained *classify.Model, out *outputs) error {
	m, err := model.New(c.Context, trained, model.Options{KeepSequences: c.Bool("keep-sequences")})
	if err != nil {
		return err
	}
	m.Input = e.input
	m.Training = model.Training{
		Sequences: e.data.Len(), Letters: e.data.Corpus.Letters(), Window: commonLength(e.data.Corpus), Checksum: model.Checksum(e.data.Corpus, e.records.labels),
	}
	m.Generator = model.Generator{Version: version, Options: e.options(c)}
	return out.write("output", m.Write)
}

// commonLength returns the length of all sequences, 0 if they differ.
func commonLength(c *stringkernel.Corpus) int {
	for i := range c.Len() {
		if len(c.Seq(i)) != len(c.Seq(0)) {
			return 0
		}
	}
	return len(c.Seq(0))
}

// writeTrainingPredictions scores the training data with the model as it is in memory.
func (e *experiment) writeTrainingPredictions(c *cli.Context, trained *classify.Model, out *outputs) error {
	classifier, err := trained.Classifier(c.Context)
	if err != nil {
		return err
	}
	return out.write("predictions", func(w io.Writer) error {
		if err := writePredictionHeader(w, &classifier.Rule); err != nil {
			return err
		}
		return inParts(e.data.Corpus, classifier.Scorer.Outputs(), func(part *stringkernel.Corpus) error {
			predictions, err := classifier.Predict(c.Context, part)
			if err != nil {
				return err
			}
			return writePredictionRows(w, "tsv", &classifier.Rule, e.input.Separator, part, predictions)
		})
	})
}

// exactC is the cost from which rounding of the margins, 1e-16 of each, may stand in the way of the tolerance; from 1e13 on it does, whatever the data.
const exactC = 1e9

// remark says which solver was chosen and why, and which machines stopped short of the tolerance.
func (e *experiment) remark(c *cli.Context, trained *classify.Model) {
	if first := trained.Machines[0]; first.Reason != "" {
		say(c, "seqsvm: solver %s: %s", first.Solver, first.Reason)
	}
	machines := e.certificates(trained)
	for i, m := range machines {
		if m.Gap > e.trainer.Tol {
			hint := ""
			if e.trainer.C > exactC {
				hint = fmt.Sprintf("; --C %g makes rounding errors of margins costly, a smaller one may get there", e.trainer.C)
			}
			warn(c, "machine %d of %d stopped at a relative gap of %.3g, above --tol %g%s", i+1, len(machines), m.Gap, e.trainer.Tol, hint)
		}
	}
}

// trainSummary is what train prints. Objectives are sums over the problems solved, the gap is the largest, and so it is with the counts: sums.
type trainSummary struct {
	N              int     `json:"n"`
	Letters        int     `json:"letters"`
	SupportVectors int     `json:"support_vectors"`
	Solver         string  `json:"solver"`
	Iterations     int     `json:"iterations"`
	Primal         float64 `json:"primal"`
	Dual           float64 `json:"dual"`
	Gap            float64 `json:"gap"`
	Seconds        float64 `json:"seconds"`
}

func (e *experiment) summary(trained *classify.Model, seconds float64) trainSummary {
	s := trainSummary{
		N: e.data.Len(), Letters: e.data.Corpus.Letters(), SupportVectors: trained.Support.Len(),
		Solver: trained.Machines[0].Solver, Seconds: seconds,
	}
	for _, m := range e.certificates(trained) {
		s.Iterations += m.Iterations
		s.Primal += m.Primal
		s.Dual += m.Dual
		s.Gap = max(s.Gap, m.Gap)
		if m.Solver != s.Solver {
			s.Solver = "mixed"
		}
	}
	return s
}

func writeSummary(w io.Writer, format string, s trainSummary) error {
	if format == "json" {
		return writeJSON(w, s)
	}
	for _, line := range [][2]string{
		{"n", strconv.Itoa(s.N)}, {"letters", strconv.Itoa(s.Letters)}, {"support_vectors", strconv.Itoa(s.SupportVectors)},
		{"solver", s.Solver}, {"iterations", strconv.Itoa(s.Iterations)},
		{"primal", number(s.Primal)}, {"dual", number(s.Dual)}, {"gap", number(s.Gap)},
		{"seconds", strconv.FormatFloat(s.Seconds, 'f', 3, 64)},
	} {
		if err := row(w, line[0], line[1]); err != nil {
			return err
		}
	}
	return nil
}
