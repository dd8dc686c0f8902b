// Command texts measures how well documents are classified, beside scikit-learn's LinearSVC on tf-idf in the same run,
// on the same division of the same documents:
//
//	SEQSVM_DATA=FOLDER go run ./benchmarks/texts [-set r8,sms]
//
// Each set is classified by the kernel words as it is and by a kernel and a C that were chosen by cross-validation, of
// the training set where the set has a test set. Where it has none, the figure is the mean over the folds of seqsvm cv,
// and LinearSVC gets the same folds. LinearSVC's features have the weights of words as it is, sublinear tf-idf, where
// that is tried, else plain tf-idf. What is not there is skipped with a word. The sets and what was chosen are listed
// in sets.go.
package main

import (
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"github.com/seqsvm/seqsvm/benchmarks/internal/beside"
)

func main() {
	only := flag.String("set", "", "names of sets with commas between; all by default")
	flag.Parse()
	if err := run(*only); err != nil {
		fmt.Fprintf(os.Stderr, "texts: %v\n", err)
		os.Exit(1)
	}
}

// run builds the tool and prints a line per set and classifier.
func run(only string) error {
	var names []string
	if only != "" {
		names = strings.Split(only, ",")
	}
	chosen, err := choose(names)
	if err != nil {
		return err
	}
	data := os.Getenv("SEQSVM_DATA")
	if data == "" {
		return fmt.Errorf("$SEQSVM_DATA is not set, want the folder of data sets")
	}
	return beside.WithTool("benchmarks/texts/linearsvc.py", func(dir, script string) error {
		b := bench{dir: dir, tool: filepath.Join(dir, "seqsvm"), script: script}
		fmt.Println("| set | figure | classifier | value | seconds |")
		fmt.Println("| --- | --- | --- | --- | --- |")
		for _, s := range chosen {
			if err := b.measure(data, s); os.IsNotExist(err) {
				fmt.Printf("%s: skipped: %v\n", s.name, err)
			} else if err != nil {
				return fmt.Errorf("%s: %w", s.name, err)
			}
		}
		return nil
	})
}

func choose(names []string) ([]set, error) {
	return beside.Choose(sets, func(s set) string { return s.name }, names)
}
