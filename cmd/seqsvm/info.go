package main

import (
	"fmt"
	"io"
	"strconv"

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
				return o.output.WriteAs(o.format, modelInfo{m.Kernel, m.Decision, m.Input, m.Training, m.Generator, m.Compiled()},
					func(w io.Writer) error { return writeInfo(w, m) })
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

func writeInfo(w io.Writer, m *model.Model) error {
	flavour := "support vectors"
	if m.Compiled() {
		flavour = "compiled: no training sequence is in it"
	}
	lines := [][]string{
		{"kernel", kernelText(m.Kernel.Terms)},
		{"normalized", strconv.FormatBool(m.Kernel.Normalize)},
		append([]string{"classes"}, m.Decision.Classes...),
		{"scheme", m.Decision.Scheme},
	}
	if m.Decision.Labelling() == classify.TwoClasses {
		lines = append(lines, []string{"positive", m.Decision.Classes[m.Decision.Positive]})
	}
	lines = append(lines, [][]string{
		{"content", flavour},
		{"trained on", trainedOn(m.Training)},
		{"made by", "seqsvm " + m.Generator.Version},
		{"options", m.Generator.Options},
		{"machine", "solver", "support_vectors", "iterations", "primal", "dual", "gap", "rho", "probability"},
	}...)
	for i, machine := range m.Decision.Machines {
		lines = append(lines, []string{
			strconv.Itoa(i + 1), machine.Solver, strconv.Itoa(machine.SupportVectors), strconv.Itoa(machine.Iterations),
			cli.Number(machine.Primal), cli.Number(machine.Dual), cli.Number(machine.Gap), cli.Number(machine.Rho),
			strconv.FormatBool(machine.Sigmoid != nil),
		})
	}
	for _, line := range lines {
		if err := cli.Row(w, line...); err != nil {
			return err
		}
	}
	return nil
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
			return c.WithOutputs(func() error {
				return o.output.WriteAs(o.format, catalogueEntries(), writeCatalogue)
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

func catalogueEntries() []catalogueEntry {
	var all []catalogueEntry
	for _, e := range catalog.Default() {
		all = append(all, catalogueEntry{e.Name, e.Summary, e.Example, e.Parameters(), e.Grid})
	}
	return all
}

func writeCatalogue(w io.Writer) error {
	if err := cli.Row(w, "kernel", "parameter", "type", "default", "meaning"); err != nil {
		return err
	}
	for _, e := range catalog.Default() {
		if err := cli.Row(w, e.Name, "", "", "", e.Summary+"; for example "+e.Example); err != nil {
			return err
		}
		for _, p := range e.Parameters() {
			if err := cli.Row(w, e.Name, p.Name, p.Type, p.Default, p.Doc); err != nil {
				return err
			}
		}
	}
	return nil
}
