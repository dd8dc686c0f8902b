package main

import (
	"fmt"
	"io"
	"strconv"

	"github.com/urfave/cli/v2"

	"github.com/seqsvm/seqsvm/catalog"
	"github.com/seqsvm/seqsvm/classify"
	"github.com/seqsvm/seqsvm/model"
)

func infoCommand() *cli.Command {
	return &cli.Command{
		Name:      "info",
		Usage:     "describe a model file",
		ArgsUsage: "MODEL",
		Flags:     join([]cli.Flag{formatFlag("tsv or json", "tsv"), outputFlag("`FILE` to write, standard output by default")}, sharedFlags()),
		Action:    info,
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

func info(c *cli.Context) error {
	if c.NArg() != 1 {
		return usagef("%d model files, want one", c.NArg())
	}
	format, err := choose(c, "format", "tsv", "json")
	if err != nil {
		return err
	}
	m, _, err := loadModel(c, c.Args().First())
	if err != nil {
		return err
	}
	return writeOutput(c, func(w io.Writer) error {
		if format == "json" {
			return writeJSON(w, modelInfo{m.Kernel, m.Decision, m.Input, m.Training, m.Generator, m.Compiled()})
		}
		return writeInfo(w, m)
	})
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
	if m.Decision.Scheme == classify.TwoClass {
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
			number(machine.Primal), number(machine.Dual), number(machine.Gap), number(machine.Rho), strconv.FormatBool(machine.Sigmoid != nil),
		})
	}
	for _, line := range lines {
		if err := row(w, line...); err != nil {
			return err
		}
	}
	return nil
}

// trainedOn describes the training data, which the model file of another program does not tell.
func trainedOn(t model.Training) string {
	if t.Checksum == "" {
		return "not known"
	}
	return fmt.Sprintf("%d sequences, %d letters, checksum %s", t.Sequences, t.Letters, t.Checksum)
}

// inFile puts a file's name before an error that does not know it.
func inFile(path string, err error) error { return fmt.Errorf("%s: %w", path, err) }
