package main

import (
	"fmt"
	"io"
	"math"
	"slices"
	"unicode"

	"github.com/seqsvm/seqsvm"
	"github.com/seqsvm/seqsvm/catalog"
	"github.com/seqsvm/seqsvm/classify/decide"
	"github.com/seqsvm/seqsvm/classify/metrics"
	"github.com/seqsvm/seqsvm/cmd/seqsvm/internal/cli"
	"github.com/seqsvm/seqsvm/cmd/seqsvm/internal/input"
	"github.com/seqsvm/seqsvm/cmd/seqsvm/internal/tag"
	"github.com/seqsvm/seqsvm/internal/plural"
	"github.com/seqsvm/seqsvm/model"
	"github.com/seqsvm/seqsvm/model/drift"
	"github.com/seqsvm/seqsvm/model/lsgkm"
	"github.com/seqsvm/seqsvm/stringkernel"
)

// infoOptions are the options of model info.
type infoOptions struct {
	input.Model
	reportOptions
}

func (o *infoOptions) Flags(f *cli.Flags) {
	o.Model.Flags(f)
	o.reportOptions.flags(f)
}

func (o *infoOptions) Run(c *cli.Call) error {
	if o.Path == "" && len(c.Args) == 1 { // it is no model, and the error says what it is
		o.Path = c.Args[0]
	} else if len(c.Args) > 0 || o.Path == "" {
		return cli.Usagef("%d model files given, want one", len(c.Args)+min(1, len(o.Path)))
	}
	if o.Tags(c) {
		return tag.Info(c, o.Path, o.format, &o.output)
	}
	m, _, err := input.LoadModel(c, &o.Model)
	if err != nil {
		return err
	}
	input.SayIndefinite(c, m.Kernel)
	return o.output.WriteAs(o.format, newModelInfo(m), func(t *cli.Table) { writeInfo(t, m) })
}

// modelInfo is what model info --format json prints.
type modelInfo struct {
	Task      string          `json:"task"`
	Kernel    catalog.Spec    `json:"kernel"`
	Decision  decisionInfo    `json:"decision"`
	Input     model.Input     `json:"input"`
	Training  model.Training  `json:"training"`
	Generator model.Generator `json:"generator"`
	Compiled  bool            `json:"compiled"`
	Sketch    *sketchInfo     `json:"sketch,omitempty"`
	Drift     *drift.Profile  `json:"drift,omitempty"`
	Conformal int             `json:"conformal,omitempty"` // records left out that have scores
}

func newModelInfo(m *model.Model) modelInfo {
	machines := make([]machineInfo, len(m.Decision.Machines))
	for i := range machines {
		machines[i] = newMachineInfo(m.Decision.Machines[i])
	}
	return modelInfo{taskText(&m.Decision), m.Kernel, decisionInfo{m.Decision, machines}, m.Input, m.Training, m.Generator,
		m.Compiled(), newSketchInfo(m.Sketch), m.Drift, leftOut(&m.Decision)}
}

// decisionInfo is a rule whose machines have null for a certificate that they do not have.
type decisionInfo struct {
	decide.Rule
	Machines []machineInfo `json:"machines"`
}

// machineInfo is a machine whose primal, dual and gap are NaN if it has no certificate: learned online, or converted.
type machineInfo struct {
	decide.Binary
	Primal metrics.Float `json:"primal"`
	Dual   metrics.Float `json:"dual"`
	Gap    metrics.Float `json:"gap"`
}

func newMachineInfo(b decide.Binary) machineInfo {
	if b.Primal == 0 && b.Dual == 0 && b.Gap == 0 {
		none := metrics.Float(math.NaN())
		return machineInfo{b, none, none, none}
	}
	return machineInfo{b, metrics.Float(b.Primal), metrics.Float(b.Dual), metrics.Float(b.Gap)}
}

// sketchInfo describes the sketch of the training data by its numbers of hashes.
type sketchInfo struct {
	Alphabet stringkernel.Alphabet `json:"alphabet"`
	Records  int                   `json:"records"`
	Kmers    int                   `json:"kmers"`
}

func newSketchInfo(s *model.Sketch) *sketchInfo {
	if s == nil {
		return nil
	}
	return &sketchInfo{s.Alphabet, len(s.Records), len(s.Kmers)}
}

func (s *sketchInfo) String() string {
	if s == nil {
		return "none"
	}
	return fmt.Sprintf("%d hashes of records, %d of k-mers", s.Records, s.Kmers)
}

func writeInfo(t *cli.Table, m *model.Model) {
	content := "no, with support vectors"
	switch {
	case m.Rebuildable():
		content = "yes; the letters of the support vectors can be put together again"
	case m.Listed():
		content = "yes; which features each support vector has can be read"
	case m.Compiled():
		content = "yes, without training sequences"
	}
	d := &m.Decision
	t.Row("task", taskText(d))
	t.Row("kernel", m.Kernel.String())
	t.Row("normalize", m.Kernel.Normalize)
	if x := d.Mixture; x != nil {
		t.Row("mixture", fmt.Sprintf("weights of kernels within the norm %g, relative gap %.2g after %d trainings",
			x.Norm, x.Gap, x.Iterations))
	}
	for _, a := range d.Approximations {
		t.Row("approximation", a.String())
	}
	t.Row("classes", d.Classes)
	scheme := d.Scheme
	if d.Ball {
		scheme += " by the smallest ball"
	}
	t.Row("scheme", scheme)
	if d.Single() {
		t.Row("positive", d.Classes[d.Positive])
	}
	if d.Criterion != "" {
		t.Row("threshold", thresholdText(d))
	}
	t.Row("compiled", content)
	t.Row("training", trainedOn(m.Training))
	t.Row("sketch", newSketchInfo(m.Sketch).String())
	if m.Drift != nil {
		t.Row("drift", "profile of "+plural.Of(m.Drift.Records, "training record"))
	}
	if n := leftOut(d); n > 0 {
		t.Row("conformal", "scores of "+plural.Of(n, "record")+" left out in training")
	}
	if a := m.Training.Anchor; a.Motif != "" {
		t.Row("anchor", fmt.Sprintf("%s after %d letters", a.Motif, a.Offset))
	}
	t.Row("version", "seqsvm "+m.Generator.Version)
	t.Row("options", m.Generator.Options)
	machines := d.Machines
	if p := d.Process; p != nil {
		t.Row("process", fmt.Sprintf("scale %.6g, lambda %.6g; deviation from %d directions, variances up to %.2g times the "+
			"true ones on records of training", p.Scale, p.Lambda, p.Rank, 1+p.Slack))
		machines = machines[:1]
	}
	if uncounted(machines) {
		t.Row("support_vectors", "not counted: the machines were trained on tables of features (train --stream), which have "+
			"no coefficients of records")
	}
	t.Row("machine", "solver", "support_vectors", "iterations", "primal", "dual", "gap", "rho", "probability")
	for i, b := range machines {
		shown := newMachineInfo(b)
		t.Row(i+1, b.Solver, b.SupportVectors, b.Iterations, float64(shown.Primal), float64(shown.Dual), float64(shown.Gap),
			b.Rho, b.Sigmoid != nil)
	}
}

// uncounted reports whether machines were solved, but their support vectors are not known.
func uncounted(machines []decide.Binary) bool {
	return !slices.ContainsFunc(machines, func(b decide.Binary) bool { return b.SupportVectors > 0 || b.Primal == 0 })
}

// leftOut returns the number of records with conformal scores, 0 without.
func leftOut(d *decide.Rule) (n int) {
	if d.Conformal != nil {
		for _, count := range d.Conformal.Count {
			n += count
		}
	}
	return n
}

// thresholdText describes the threshold of two classes.
func thresholdText(d *decide.Rule) string {
	if d.Unreachable() {
		return "none met " + d.Criterion + ": no record is predicted to be " + d.Classes[d.Positive]
	}
	text := fmt.Sprintf("%.6g", d.Machines[0].Threshold)
	if unicode.IsLetter(rune(d.Criterion[0])) { // otherwise it is the number that was given
		text += ", by " + d.Criterion
	}
	return text
}

// trainedOn describes the training data, which the model file of another program does not describe.
func trainedOn(t model.Training) string {
	if t.Checksum == "" {
		return "not known"
	}
	return fmt.Sprintf("%d sequences, %d letters, checksum %s", t.Sequences, t.Letters, t.Checksum)
}

// convertOptions are the options of model convert.
type convertOptions struct {
	format        string
	output        cli.Output
	kernel        string
	to            string
	keepSequences bool
}

// The values of --to.
const toSeqsvm, toLSGKM = "seqsvm", "lsgkm"

// convertSummary is what convert prints.
type convertSummary struct {
	Kernel         string `json:"kernel"`
	SupportVectors int    `json:"support_vectors"`
	Replaced       int    `json:"replaced_letters"` // by A
}

func (o *convertOptions) Flags(f *cli.Flags) {
	f.Section(input.OfKernel)
	f.String(&o.kernel, "kernel,k", "", "kernel `SPEC` of the two files of gkm-SVM, which do not name it; its defaults "+
		"are gapped:l=10,k=6,d=3,rc").Completes(kernelWords)
	f.FormatOf(&o.format, "format of the summary: tsv, or json (docs/json.md)", cli.TSV, cli.JSON)
	f.Choice(&o.to, "to", "what to write: seqsvm, or lsgkm, of a model with support vectors", toSeqsvm, toLSGKM)
	f.File(&o.output, "output,o", "model `FILE` to write (required)").Holds(cli.ModelFile)
	f.Bool(&o.keepSequences, "keep-sequences", "store support vectors even if the kernel folds them into a table")
}

func (o *convertOptions) Run(c *cli.Call) error {
	if !o.output.Given() {
		return cli.Usagef("--output is required: the model file to write")
	}
	if n := len(c.Args); n != 1 && n != 2 {
		return cli.Usagef("%d model files given, want one, or the two of gkm-SVM", n)
	}
	c.Stage("converting")
	if o.to == toLSGKM {
		return o.toLSGKM(c)
	}
	file, err := o.read(c)
	if err != nil {
		return err
	}
	m, err := file.Model(c.Context, model.Options{KeepSequences: o.keepSequences})
	if err != nil {
		return err
	}
	for _, note := range file.Notes() {
		c.Say("seqsvm: %s", note)
	}
	summary := convertSummary{Kernel: m.Kernel.String(), SupportVectors: m.Decision.Machines[0].SupportVectors}
	if f, ok := file.(*lsgkm.File); ok {
		summary.Replaced = f.Replaced
	}
	c.Report(o.format, summary, nil)
	m.Generator = model.Generator{Version: seqsvm.Version, Options: "convert: " + file.Origin()}
	return o.output.Write(m.Write)
}

// read reads the model of another program.
func (o *convertOptions) read(c *cli.Call) (lsgkm.Foreign, error) {
	if len(c.Args) == 1 {
		if err := c.Flags.Require("the two files of gkm-SVM", "kernel"); err != nil {
			return nil, err
		}
		return cli.Read(c, c.Args[0], lsgkm.Open)
	}
	if o.kernel == "" {
		return nil, cli.Usagef("--kernel is required: the two files of gkm-SVM do not name it; its defaults are " +
			"gapped:l=10,k=6,d=3,rc")
	}
	spec, err := catalog.Parse(o.kernel)
	if err != nil {
		return nil, cli.Usagef("--kernel: %w", err)
	}
	return cli.Read(c, c.Args[0], func(sequences io.Reader, name string) (lsgkm.Foreign, error) {
		return cli.Read(c, c.Args[1], func(alphas io.Reader, alphasName string) (lsgkm.Foreign, error) {
			return lsgkm.ReadClassic(sequences, alphas, name, alphasName, spec)
		})
	})
}

// toLSGKM writes a model of ours as LS-GKM does.
func (o *convertOptions) toLSGKM(c *cli.Call) error {
	if err := c.Flags.Refuse("--to lsgkm", "kernel", "keep-sequences"); err != nil {
		return err
	}
	if len(c.Args) > 1 {
		return cli.Usagef("%d model files given, want one", len(c.Args))
	}
	m, err := (&input.Model{Path: c.Args[0]}).Read(c)
	if err != nil {
		return err
	}
	file, err := lsgkm.Of(m)
	if err != nil {
		return cli.InFile(cli.InputName(c.Args[0]), err)
	}
	c.Report(o.format, convertSummary{Kernel: m.Kernel.String(), SupportVectors: len(file.Coef)}, nil)
	return o.output.Write(file.Write)
}
