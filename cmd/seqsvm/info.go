package main

import (
	"fmt"

	"github.com/seqsvm/seqsvm/catalog"
	"github.com/seqsvm/seqsvm/classify"
	"github.com/seqsvm/seqsvm/cmd/seqsvm/internal/cli"
	"github.com/seqsvm/seqsvm/cmd/seqsvm/internal/input"
	"github.com/seqsvm/seqsvm/model"
)

func infoCommand() *cli.Command {
	o := new(reportOptions)
	return &cli.Command{
		Name:     "info",
		Usage:    "describe a model file",
		Operands: "MODEL",
		Flags:    o.flags,
		Run: func(c *cli.Call) error {
			if len(c.Args) != 1 {
				return cli.Usagef("%d model files, want one", len(c.Args))
			}
			m, _, err := input.LoadModel(c, &input.Model{Path: c.Args[0]})
			if err != nil {
				return err
			}
			return c.WithOutputs(func() error {
				return o.output.WriteAs(o.format, modelInfo{m.Kernel, m.Decision, m.Input, m.Training, m.Generator,
					m.Compiled()},
					func(t *cli.Table) { writeInfo(t, m) })
			}, &o.output)
		},
	}
}

// modelInfo is what info --format json prints.
type modelInfo struct {
	Kernel    catalog.Spec    `json:"kernel"`
	Decision  classify.Rule   `json:"decision"`
	Input     model.Input     `json:"input"`
	Training  model.Training  `json:"training"`
	Generator model.Generator `json:"generator"`
	Compiled  bool            `json:"compiled"`
}

func writeInfo(t *cli.Table, m *model.Model) {
	content := "support vectors"
	if m.Compiled() {
		content = "compiled: no training sequence is in it"
	}
	d := &m.Decision
	t.Row("kernel", m.Kernel.String())
	t.Row("normalized", m.Kernel.Normalize)
	t.Row("classes", d.Classes)
	t.Row("scheme", d.Scheme)
	if d.Labelling() == classify.TwoClasses {
		t.Row("positive", d.Classes[d.Positive])
	}
	t.Row("content", content)
	t.Row("trained on", trainedOn(m.Training))
	t.Row("made by", "seqsvm "+m.Generator.Version)
	t.Row("options", m.Generator.Options)
	t.Row("machine", "solver", "support_vectors", "iterations", "primal", "dual", "gap", "rho", "probability")
	for i, b := range d.Machines {
		t.Row(i+1, b.Solver, b.SupportVectors, b.Iterations, b.Primal, b.Dual, b.Gap, b.Rho, b.Sigmoid != nil)
	}
}

// trainedOn describes the training data, which the model file of another program does not describe.
func trainedOn(t model.Training) string {
	if t.Checksum == "" {
		return "not known"
	}
	return fmt.Sprintf("%d sequences, %d letters, checksum %s", t.Sequences, t.Letters, t.Checksum)
}

func kernelsCommand() *cli.Command {
	o := new(reportOptions)
	return &cli.Command{
		Name:  "kernels",
		Usage: "list the kernels and their parameters",
		Flags: o.flags,
		Run: func(c *cli.Call) error {
			if err := c.NoOperands(); err != nil {
				return err
			}
			var all []catalogueEntry
			for _, e := range catalog.Default() {
				all = append(all, catalogueEntry{e.Name, e.Summary, e.Example, e.Parameters(), e.Grid})
			}
			return c.WithOutputs(func() error {
				return o.output.WriteAs(o.format, all, func(t *cli.Table) { writeCatalogue(t, all) })
			}, &o.output)
		},
	}
}

type catalogueEntry struct {
	Name       string              `json:"name"`
	Summary    string              `json:"summary"`
	Example    string              `json:"example"`
	Parameters []catalog.Parameter `json:"parameters"`
	Grid       []string            `json:"grid,omitempty"`
}

func writeCatalogue(t *cli.Table, all []catalogueEntry) {
	t.Row("kernel", "parameter", "type", "default", "meaning")
	for _, e := range all {
		t.Row(e.Name, "", "", "", e.Summary+"; for example "+e.Example)
		for _, p := range e.Parameters {
			t.Row(e.Name, p.Name, p.Type, p.Default, p.Doc)
		}
	}
}
