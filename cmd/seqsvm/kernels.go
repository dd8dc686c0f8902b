package main

import (
	"slices"

	"github.com/seqsvm/seqsvm/catalog"
	"github.com/seqsvm/seqsvm/cmd/seqsvm/internal/cli"
)

func kernelsCommand() *cli.Command {
	o := new(reportOptions)
	return &cli.Command{
		Name:     "kernels",
		Usage:    "list the kernels and their parameters",
		Example:  "seqsvm kernels gapped",
		Operands: "[NAME…]",
		Flags:    o.flags,
		Run: func(c *cli.Call) error {
			listed, err := newCatalogue(c.Args)
			if err != nil {
				return err
			}
			return o.output.WriteAs(o.format, listed, listed.write)
		},
	}
}

// catalogue is what kernels --format json prints.
type catalogue struct {
	Kernels []catalogueEntry `json:"kernels"`
}

type catalogueEntry struct {
	Kernel     string               `json:"kernel"`
	Summary    string               `json:"summary"`
	Example    string               `json:"example"`
	Parameters []catalogueParameter `json:"parameters"`
	Grid       []string             `json:"grid,omitempty"`
}

type catalogueParameter struct {
	Parameter string `json:"parameter"`
	Type      string `json:"type"`
	Default   string `json:"default"`
	Meaning   string `json:"meaning"`
}

// newCatalogue lists the kernels with these names, all if there are none.
func newCatalogue(names []string) (*catalogue, error) {
	for _, name := range names {
		if err := catalog.Default().CheckName(name); err != nil {
			return nil, &cli.UsageError{Err: err}
		}
	}
	list := &catalogue{Kernels: []catalogueEntry{}}
	for _, e := range catalog.Default() {
		if len(names) > 0 && !slices.Contains(names, e.Name) {
			continue
		}
		entry := catalogueEntry{Kernel: e.Name, Summary: e.Summary, Example: e.Example, Grid: e.Grid}
		for _, p := range e.Parameters() {
			entry.Parameters = append(entry.Parameters, catalogueParameter{p.Name, p.Type, p.Default, p.Doc})
		}
		list.Kernels = append(list.Kernels, entry)
	}
	return list, nil
}

func (l *catalogue) write(t *cli.Table) {
	t.Header("kernel", "parameter", "type", "default", "meaning")
	for _, e := range l.Kernels {
		t.Row(e.Kernel, "", "", "", e.Summary+"; for example "+e.Example)
		for _, p := range e.Parameters {
			t.Row(e.Kernel, p.Parameter, p.Type, p.Default, p.Meaning)
		}
	}
}

// kernelWords lists the kernels and, as NAME:KEY= or NAME:FLAG, their parameters.
func kernelWords() (words []string) {
	for _, e := range catalog.Default() {
		words = append(words, e.Name)
		for _, p := range e.Parameters() {
			word := e.Name + ":" + p.Name
			if p.Type != "flag" {
				word += "="
			}
			words = append(words, word)
		}
	}
	return words
}
