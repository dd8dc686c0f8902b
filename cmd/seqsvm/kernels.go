package main

import (
	"io"

	"github.com/urfave/cli/v2"

	"github.com/seqsvm/seqsvm/catalog"
)

func kernelsCommand() *cli.Command {
	return &cli.Command{
		Name:  "kernels",
		Usage: "list the kernels and their parameters",
		Flags: join([]cli.Flag{formatFlag("tsv or json", "tsv"), outputFlag("`FILE` to write, standard output by default")}, sharedFlags()),
		Action: func(c *cli.Context) error {
			if c.NArg() > 0 {
				return usagef("operand %q, want none", c.Args().First())
			}
			format, err := choose(c, "format", "tsv", "json")
			if err != nil {
				return err
			}
			return writeOutput(c, func(w io.Writer) error {
				if format == "json" {
					return writeJSON(w, catalogueEntries())
				}
				return writeCatalogue(w)
			})
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
	if err := row(w, "kernel", "parameter", "type", "default", "meaning"); err != nil {
		return err
	}
	for _, e := range catalog.Default() {
		if err := row(w, e.Name, "", "", "", e.Summary+"; for example "+e.Example); err != nil {
			return err
		}
		for _, p := range e.Parameters() {
			if err := row(w, e.Name, p.Name, p.Type, p.Default, p.Doc); err != nil {
				return err
			}
		}
	}
	return nil
}
