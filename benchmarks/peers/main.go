// Command peers times seqsvm beside other programs: the same data, in one run.
//
//	go run ./benchmarks/peers [-repeats 5] [-n 2000]
//
// Per task and program it prints the medians of the clock's time and of user and system CPU seconds, the greatest
// memory, the accuracy on test records where the program predicts, and the ratio of its time to that of the task's
// first program, which is seqsvm. Everything runs on one thread and is compared by CPU seconds, but for the tasks on
// documents: these may take all processors and are compared by the clock, reading of files included.
//
// What is not on the PATH is skipped with a word. LIBLINEAR's programs are looked for under Debian's names,
// liblinear-train and liblinear-predict; Debian has liblinear-tools, libsvm-tools, r-cran-kernlab and python3-sklearn,
// and LS-GKM is built from source. Reuters R8 is read from $SEQSVM_DATA/text-reuters-r8 and skipped without. The memory
// of this process, some 10 MB, is the least that Linux reports of a program it starts.
package main

import (
	"errors"
	"flag"
	"fmt"
	"os"

	"github.com/seqsvm/seqsvm/benchmarks/internal/beside"
)

func main() {
	repeats := flag.Int("repeats", 3, "runs of each program, of which the median counts")
	n := flag.Int("n", 2000, "training sequences of 300 letters")
	small := flag.Int("small", 600, "training sequences for LS-GKM and kernlab, whose time grows with the square")
	data := flag.String("data", "", "write the data into this folder and exit, as a run does first in a separate process")
	flag.Parse()
	err := error(nil)
	if *data != "" {
		err = errors.Join(writeSequences(*data, *n, *small), writeDocuments(*data))
	} else {
		err = measureAll(*repeats, *n, *small)
	}
	if err != nil {
		fmt.Fprintf(os.Stderr, "peers: %v\n", err)
		os.Exit(1)
	}
}

// measureAll makes the data, runs all tasks in their folder and prints the table.
func measureAll(repeats, n, small int) error {
	if repeats < 1 || n < 100 || small < 100 {
		return fmt.Errorf("repeats %d, n %d, small %d, want at least 1, 100 and 100", repeats, n, small)
	}
	return beside.WithTool("benchmarks/peers", func(dir, scripts string) error {
		// Linux counts the memory of the process that starts a program as the program's: this one stays small.
		_, err := beside.Output(os.Args[0], "-data", dir, "-n", fmt.Sprint(n), "-small", fmt.Sprint(small))
		if err = errors.Join(err, os.Chdir(dir), os.Symlink(scripts, "scripts")); err != nil {
			return err
		}
		fmt.Printf("%-58s %9s %9s %9s %9s %7s\n", "task and program", "clock s", "CPU s", "MB", "accuracy", "ratio")
		for _, t := range append(sequenceTasks(), documentTasks()...) {
			if err := t.run(repeats); err != nil {
				return err
			}
		}
		return nil
	})
}
