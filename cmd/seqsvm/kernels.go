package main

import (
	"io"

	"github.com/seqsvm/seqsvm/cmd/seqsvm/internal/cli"

	"github.com/seqsvm/seqsvm/catalog"
)

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
