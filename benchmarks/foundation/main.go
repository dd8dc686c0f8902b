// Command foundation trains and tests seqsvm on the tasks that foundation models of DNA are measured by, and prints its
// figures beside those that were published for them.
//
//	go run ./benchmarks/foundation [-setting fixed|searched] [-o PREFIX] [-seqsvm PROGRAM] FOLDER…
//
// A folder has files NAME.train, NAME.dev (or valid; there may be none) and NAME.test, or folders NAME with train, dev
// and test: FASTA (.fa, .fasta), or .csv with the columns sequence and label, compressed or not. Nothing is downloaded;
// files of known tasks are checked against their checksums, as far as this program has them.
//
// With -setting fixed a task has the recipe of its kind, written down below before any test set was looked at; with
// searched, seqsvm tune chooses kernels and C by cross-validation on the records of train and dev, with a budget of 60
// seconds. Either way the machine is then trained on train and dev, and tested once. Per task: MCC, AUROC, accuracy and
// F1 of the positive class on test; the kernel; CPU seconds of the search and training; the peak memory; the size of
// the model; how many records of test are near-duplicates of some of train or dev (package duplicates), and MCC on the
// others.
//
// It writes PREFIX.tsv and PREFIX.md and, for tasks with published figures, PREFIX.svg: MCC against the number of
// parameters.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"os"
	"os/signal"
)

func main() {
	o := options{}
	flag.StringVar(&o.setting, "setting", "fixed", "fixed or searched")
	flag.StringVar(&o.output, "o", "foundation", "prefix of the files to write")
	flag.StringVar(&o.program, "seqsvm", "seqsvm", "the tool")
	flag.StringVar(&o.budget, "budget", "60s", "searched: seqsvm tune --budget of a task")
	flag.Parse()
	if err := run(o, flag.Args()); err != nil {
		fmt.Fprintf(os.Stderr, "foundation: %v\n", err)
		os.Exit(1)
	}
}

// options are what the command line says.
type options struct {
	setting, output, program, budget string
}

// run measures all tasks of the folders.
func run(o options, folders []string) error {
	if o.setting != "fixed" && o.setting != "searched" {
		return fmt.Errorf("-setting %q, want fixed or searched", o.setting)
	}
	if len(folders) == 0 {
		return errors.New("no folders given")
	}
	var tasks []task
	for _, folder := range folders {
		found, err := tasksIn(folder)
		if err != nil {
			return err
		}
		tasks = append(tasks, found...)
	}
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	work, err := os.MkdirTemp("", "foundation-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(work)
	var results []result
	for _, t := range tasks {
		r, err := measure(ctx, o, t, work)
		if err != nil {
			return fmt.Errorf("%s: %w", t.name, err)
		}
		fmt.Fprintf(os.Stderr, "%s: MCC %.3f, %.1f s\n", t.name, r.MCC, r.seconds)
		results = append(results, r)
	}
	return write(o.output, results)
}
