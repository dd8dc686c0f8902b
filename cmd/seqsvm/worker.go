package main

import (
	"context"
	"runtime"
	"slices"

	"github.com/seqsvm/seqsvm"
	"github.com/seqsvm/seqsvm/cmd/seqsvm/internal/cli"
	"github.com/seqsvm/seqsvm/cmd/seqsvm/internal/worker"
	"github.com/seqsvm/seqsvm/internal/memory"
)

func workerCommand() *cli.Command {
	return &cli.Command{
		Name:  "worker",
		Usage: "run command lines for another program, over its standard streams",
		Description: `For packages that drive this tool from other languages, as packaging/python does. Reads requests from
standard input, each a command line with the contents of its files, and answers each on standard output
with the exit code, what the command printed and the files that it wrote: nothing need be on a disk.
docs/worker.md describes the messages. Ends when standard input does.`,
		Example: "seqsvm worker --threads 4",
		Run: func(c *cli.Call) error {
			if err := c.NoOperands(); err != nil {
				return err
			}
			in, stop := c.StandardInput()
			defer stop()
			return worker.Serve(c.Context, in, c.Out, worker.Greeting{Tool: c.App.Name, Version: seqsvm.Version}, runAlone)
		},
	}
}

// runAlone runs a command line that reads no standard input. Its --threads and --max-memory end with it.
func runAlone(ctx context.Context, args []string, std cli.Streams) int {
	threads, limit := runtime.GOMAXPROCS(0), memory.Limit()
	defer func() {
		runtime.GOMAXPROCS(threads)
		memory.SetLimit(limit)
	}()
	app := newApp()
	app.Commands = slices.DeleteFunc(app.Commands, func(c *cli.Command) bool { // they wait for others
		return c.Name == "serve" || c.Name == "worker"
	})
	return app.Run(ctx, args, std)
}
