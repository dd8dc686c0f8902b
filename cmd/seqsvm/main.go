// Command seqsvm trains and runs support vector machines on sequences. See README.md, or seqsvm --help.
package main

import (
	"context"
	"os"
	"os/signal"
	"syscall"

	"github.com/seqsvm/seqsvm"
	"github.com/seqsvm/seqsvm/cmd/seqsvm/internal/cli"
	"github.com/seqsvm/seqsvm/cmd/seqsvm/internal/genomic"
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), interrupts()...)
	signal.Ignore(syscall.SIGPIPE) // a write to a closed pipe is an error, so that open files are cleaned up
	context.AfterFunc(ctx, stop)   // a second signal ends the process at once
	code := newApp().Run(ctx, os.Args[1:], cli.Streams{In: os.Stdin, Out: os.Stdout, Err: os.Stderr})
	stop()
	os.Exit(code)
}

// interrupts lists the signals that end a run cleanly. A terminal that closes sends SIGHUP, unless nohup has it
// ignored.
func interrupts() []os.Signal {
	signals := []os.Signal{os.Interrupt, syscall.SIGTERM}
	if !signal.Ignored(syscall.SIGHUP) {
		signals = append(signals, syscall.SIGHUP)
	}
	return signals
}

func newApp() *cli.App {
	return &cli.App{
		Name:    "seqsvm",
		Usage:   "support vector machines on sequences, with string kernels in linear time",
		Version: seqsvm.Version,
		Commands: []*cli.Command{
			trainCommand(), learnCommand(), predictCommand(), evaluateCommand(), compareCommand(), reportCommand(),
			cvCommand(), tuneCommand(),
			kernelCommand(), featuresCommand(), searchCommand(), mergeCommand(), embedCommand(), denoiseCommand(),
			genomic.Kmers(), motifsCommand(), genomic.Variants(),
			genomic.Scan(), explainCommand(), rfeCommand(), unmaskCommand(), poimCommand(), genomic.Windows(),
			genomic.Negatives(), convertCommand(),
			serveCommand(), workerCommand(), kernelsCommand(), infoCommand(), benchCommand(), completionCommand(), manCommand(),
			versionCommand(),
		},
	}
}
