// Command work measures what catalog.Portfolio says of its kernels: the CPU time of a training, beside what is counted.
//
//	go run ./benchmarks/work [-records 1000,4000,16000] [-only REGEXP] [-text COLUMN -label COLUMN] [-numbers] FILE
//
// So many records, spread over the file, are cross-validated in three folds with C = 1, as seqsvm tune does it, and a
// training is a third of the time of that. It prints a table: kernel, records, letters, seconds used and counted, their
// ratio.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"regexp"
	"runtime"
	"slices"
	"strconv"
	"strings"

	"github.com/seqsvm/seqsvm/catalog"
	"github.com/seqsvm/seqsvm/classify"
	"github.com/seqsvm/seqsvm/classify/search"
	"github.com/seqsvm/seqsvm/internal/usage"
	"github.com/seqsvm/seqsvm/seqio"
	"github.com/seqsvm/seqsvm/stringkernel"
)

// folds of a cross-validation, as of a rung on a sample.
const folds = 3

// options are what the command line says.
type options struct {
	records, only string
	numbers       bool
	columns       seqio.Columns
}

func main() {
	o := options{}
	flag.StringVar(&o.records, "records", "1000,4000,16000", "numbers of records, comma-separated")
	flag.StringVar(&o.only, "only", "", "a regular expression of kernels; empty: all")
	flag.BoolVar(&o.numbers, "numbers", false, "labels are numbers: regression")
	flag.StringVar(&o.columns.Text, "text", "", "the column of the text, of a table")
	flag.StringVar(&o.columns.Label, "label", "", "the column of the label, of a table")
	flag.Parse()
	runtime.GOMAXPROCS(1)
	if err := run(o, flag.Args(), os.Stdout); err != nil {
		fmt.Fprintf(os.Stderr, "work: %v\n", err)
		os.Exit(1)
	}
}

// run measures every recipe for the records of a file.
func run(o options, files []string, w io.Writer) error {
	if len(files) != 1 {
		return errors.New("want one file")
	}
	set, err := seqio.ReadFile(files[0], seqio.Options{Columns: o.columns, RepeatedIDs: true})
	if err != nil {
		return err
	}
	only, err := regexp.Compile(o.only)
	if err != nil {
		return err
	}
	all, err := dataset(set, o.numbers)
	if err != nil {
		return err
	}
	alphabet := set.DetectAlphabet()
	fmt.Fprintln(w, "kernel\trecords\tletters\tused\tcounted\tratio")
	kernels, err := kernelsOf(catalog.KindOf(set.Corpus, alphabet))
	if err != nil {
		return err
	}
	for _, terms := range kernels {
		if !only.MatchString(strings.Join(terms, "+")) {
			continue
		}
		for text := range strings.SplitSeq(o.records, ",") {
			n, err := strconv.Atoi(text)
			if err != nil || n < folds {
				return fmt.Errorf("-records %q, want numbers from %d", o.records, folds)
			}
			if n > all.Len() {
				break
			}
			if err := measure(terms, alphabet, all.Subset(spread(n, all.Len())), w); err != nil {
				return fmt.Errorf("%s: %w", strings.Join(terms, "+"), err)
			}
		}
	}
	return nil
}

// kernelsOf lists the recipes for a kind of records, each as its terms, and the terms of those that have several.
func kernelsOf(kind catalog.Kind) (kernels [][]string, err error) {
	for _, recipe := range catalog.Portfolio(kind) {
		grid, err := catalog.Default().ParseGrid(recipe.Kernel)
		if err != nil {
			return nil, err
		}
		lists := [][]string{grid[0]}
		for _, term := range grid[0] {
			lists = append(lists, []string{term})
		}
		for _, terms := range lists {
			if !slices.ContainsFunc(kernels, func(k []string) bool { return slices.Equal(k, terms) }) {
				kernels = append(kernels, terms)
			}
		}
	}
	return kernels, nil
}

func dataset(s *seqio.Set, numbers bool) (*classify.Dataset, error) {
	labels := make([]string, s.Len())
	for i := range labels {
		labels[i] = s.Label(i)
	}
	if numbers {
		return classify.NewTargets(s.Corpus, labels, nil)
	}
	return classify.NewDataset(s.Corpus, labels, nil)
}

// spread lists n of the numbers below all, evenly.
func spread(n, all int) []int {
	list := make([]int, n)
	for i := range list {
		list[i] = i * all / n
	}
	return list
}

// measure prints the line of a kernel.
func measure(terms []string, alphabet stringkernel.Alphabet, d *classify.Dataset, w io.Writer) error {
	spec, err := catalog.Parse(terms...)
	if err != nil {
		return err
	}
	kernel, err := spec.WithAlphabet(alphabet).Compile(alphabet)
	if err != nil {
		return err
	}
	fold, err := d.Folds(folds, 1)
	if err != nil {
		return err
	}
	runtime.GC()
	before := usage.CPU()
	s := search.Search{Candidates: []classify.Trainer{{Kernel: kernel}}}
	if _, err := s.Run(context.Background(), d, fold); err != nil {
		return err
	}
	used := (usage.CPU() - before).Seconds() / folds
	counted := search.Cost(catalog.WorkOf(terms)).Of(d.Len(), d.Corpus.Letters())
	counted *= search.Machines(len(d.Classes)) / 1e9
	_, err = fmt.Fprintf(w, "%s\t%d\t%d\t%.3f\t%.3f\t%.2f\n", strings.Join(terms, "+"), d.Len(), d.Corpus.Letters(), used,
		counted, used/counted)
	return err
}
