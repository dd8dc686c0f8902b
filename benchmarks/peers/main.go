// Command peers times seqsvm beside other programs: the same data, in one run.
//
//	go run ./benchmarks/peers [-repeats 5] [-n 2000]
//
// Per task and program it prints the median of user and system CPU seconds, the greatest memory, the accuracy on test sequences where the
// program predicts, and the ratio of its time to that of the task's first program, which is seqsvm. What is not on the PATH is
// skipped with a word. Everything runs on one thread, but for the tasks on documents: these take all processors and the clock's time, reading of files
// included. Reuters R8 is read from $SEQSVM_DATA/text-reuters-r8 and skipped without. LIBLINEAR's programs are looked for under Debian's names, liblinear-train and liblinear-predict. Debian has liblinear-tools, libsvm-tools, r-cran-kernlab and python3-sklearn; LS-GKM is built
// from source.
package main

import (
	"errors"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
)

func main() {
	repeats := flag.Int("repeats", 3, "runs of each program, of which the median counts")
	n := flag.Int("n", 2000, "training sequences of 300 letters")
	small := flag.Int("small", 600, "training sequences for LS-GKM and kernlab, whose time grows with the square")
	data := flag.String("data", "", "only write the data into this folder (what a run does first, in a process of its own)")
	flag.Parse()
	err := error(nil)
	if *data != "" {
		err = errors.Join(writeData(*data, *n, *small), writeDocuments(*data))
	} else {
		err = compare(*repeats, *n, *small)
	}
	if err != nil {
		fmt.Fprintf(os.Stderr, "peers: %v\n", err)
		os.Exit(1)
	}
}

// compare makes the data, runs all tasks in a folder of its own and prints the table.
func compare(repeats, n, small int) error {
	if repeats < 1 || n < 100 || small < 100 {
		return fmt.Errorf("repeats %d, n %d, small %d, want at least 1, 100 and 100", repeats, n, small)
	}
	dir, err := os.MkdirTemp("", "peers")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	scripts, err := filepath.Abs("benchmarks/peers")
	if err != nil {
		return err
	}
	if _, err := os.Stat(filepath.Join(scripts, "ngrams.py")); err != nil {
		return fmt.Errorf("run it from the top of the repository: %w", err)
	}
	if out, err := exec.Command("go", "build", "-o", filepath.Join(dir, "seqsvm"), "./cmd/seqsvm").CombinedOutput(); err != nil {
		return fmt.Errorf("building seqsvm: %w: %s", err, out)
	}
	// Linux counts the memory of the process that starts a program as the program's: this one stays small.
	write := exec.Command(os.Args[0], "-data", dir, "-n", strconv.Itoa(n), "-small", strconv.Itoa(small))
	if out, err := write.CombinedOutput(); err != nil {
		return fmt.Errorf("writing the data: %w: %s", err, out)
	}
	fmt.Printf("%-58s %9s %9s %9s %7s\n", "task and program", "s", "MB", "accuracy", "ratio")
	for _, t := range append(tasks(dir, scripts), documentTasks(dir, scripts)...) {
		if err := t.run(repeats); err != nil {
			return err
		}
	}
	return nil
}
