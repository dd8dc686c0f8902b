package main

import (
	"io"

	"github.com/seqsvm/seqsvm/cmd/seqsvm/internal/cli"
)

func completionCommand() *cli.Command {
	return &cli.Command{
		Name:        "completion",
		Usage:       "print a completion script for a shell",
		Operands:    "bash|zsh|fish",
		Description: "bash: source <(seqsvm completion bash)\nzsh:  source <(seqsvm completion zsh)\nfish: seqsvm completion fish | source",
		Run: func(c *cli.Call) error {
			if len(c.Args) != 1 {
				return cli.Usagef("%d shells, want one of: bash, zsh, fish", len(c.Args))
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
