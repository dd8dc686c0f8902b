package main

import (
	"fmt"
	"os"
	"time"

	"github.com/urfave/cli/v2"

	"github.com/seqsvm/seqsvm/classify/svm"
)

// progress returns a reporter for a solver, nil with --quiet or if standard error is no terminal. clear wipes its line.
func progress(c *cli.Context) (report func(svm.Progress), clear func()) {
	file, ok := c.App.ErrWriter.(*os.File)
	if !ok || c.Bool("quiet") || !isTerminal(file) {
		return nil, func() {}
	}
	last := time.Time{}
	report = func(p svm.Progress) {
		if now := time.Now(); p.Done || now.Sub(last) > 100*time.Millisecond {
			last = now
			fmt.Fprintf(file, "\r\x1b[Kmachine %d of %d, %s: iteration %d, relative gap %.2g", p.Machine+1, p.Machines, p.Solver, p.Iterations, p.Gap)
		}
	}
	return report, func() { fmt.Fprint(file, "\r\x1b[K") }
}

func isTerminal(f *os.File) bool {
	info, err := f.Stat()
	return err == nil && info.Mode()&os.ModeCharDevice != 0
}

// say writes a message for the user to standard error, in one line, unless --quiet is set.
func say(c *cli.Context, format string, args ...any) {
	if !c.Bool("quiet") {
		fmt.Fprintln(c.App.ErrWriter, oneLine(fmt.Sprintf(format, args...)))
	}
}

const warningsKey = "warnings"

// warn keeps a line to be printed when the command has succeeded: a command that fails says one thing, why.
func warn(c *cli.Context, format string, args ...any) {
	if c.App.Metadata == nil {
		c.App.Metadata = map[string]any{}
	}
	c.App.Metadata[warningsKey] = append(warnings(c), fmt.Sprintf(format, args...))
}

func warnings(c *cli.Context) []string {
	lines, _ := c.App.Metadata[warningsKey].([]string)
	return lines
}
