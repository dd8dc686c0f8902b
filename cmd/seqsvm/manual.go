package main

import (
	"io"
	"maps"
	"os"
	"slices"

	"github.com/seqsvm/seqsvm/cmd/seqsvm/internal/cli"
)

func completionCommand() *cli.Command {
	return &cli.Command{
		Name:     "completion",
		Usage:    "print a completion script for a shell",
		Example:  "seqsvm completion bash",
		Operands: "bash|zsh|fish",
		Description: "To be read by the shell, for example in its start-up file:\n\n" +
			"  bash: source <(seqsvm completion bash)\n" +
			"  zsh:  source <(seqsvm completion zsh)\n" +
			"  fish: seqsvm completion fish | source",
		Run: func(c *cli.Call) error {
			if len(c.Args) != 1 {
				return cli.Usagef("%d shells given, want one: bash, zsh or fish", len(c.Args))
			}
			script, err := c.App.Completion(c.Args[0])
			if err != nil {
				return err
			}
			_, err = io.WriteString(c.Out, script)
			return err
		},
	}
}

func manCommand() *cli.Command {
	var folder string
	return &cli.Command{
		Name:        "man",
		Usage:       "print a manual page",
		Example:     "seqsvm man train",
		Operands:    "[COMMAND]",
		Description: "The page of the tool, or of a command, as man(1) reads it: seqsvm man train | man -l -",
		Flags: func(f *cli.Flags) {
			f.Section(cli.OfOutput)
			f.String(&folder, "folder", "", "write all pages to a `FOLDER`, which is made if it is not there")
		},
		Run: func(c *cli.Call) error {
			if folder != "" {
				if err := c.NoOperands(); err != nil {
					return err
				}
				return writePages(c, folder)
			}
			page, err := manPage(c)
			if err != nil {
				return err
			}
			_, err = io.WriteString(c.Out, page)
			return err
		},
	}
}

// manPage returns the page of the operand, or of the tool if there is none.
func manPage(c *cli.Call) (string, error) {
	name := c.App.Name
	switch len(c.Args) {
	case 0:
	case 1:
		name += "-" + c.Args[0]
	default:
		return "", cli.Usagef("%d commands given, want one", len(c.Args))
	}
	page, found := c.App.Pages()[name+".1"]
	if !found {
		return "", cli.Usagef("no page of %.80q, want a command: seqsvm --help lists them", c.Args[0])
	}
	return page, nil
}

func writePages(c *cli.Call, folder string) error {
	if err := os.MkdirAll(folder, 0o777); err != nil {
		return err
	}
	pages := c.App.Pages()
	for _, name := range slices.Sorted(maps.Keys(pages)) {
		output := cli.OutputIn("folder", folder, name)
		if err := c.Create(output); err != nil {
			return err
		}
		err := output.Write(func(w io.Writer) error {
			_, err := io.WriteString(w, pages[name])
			return err
		})
		if err != nil {
			return err
		}
	}
	return nil
}
