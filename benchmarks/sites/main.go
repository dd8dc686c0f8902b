// Command sites scores every place that has the consensus of a splice site or a start codon, in parts of public sets
// that nothing was trained on, with an SVM and with position weight matrices trained on the same windows.
//
//	go run ./benchmarks/sites [-data FOLDER] [-set NAME]… [-kernel SPEC]… [-C 0.1,1,10,100] [-decoys 20]
//
// The sets are looked for under $SEQSVM_DATA. Windows are cut as seqsvm windows does: blocks of the genome, or whole
// genes, are for testing. Kernel and C are those with the greatest area under the precision-recall curve in a 3-fold
// cross-validation of the training windows, in which neighbours on the genome stay together. Then all places with the
// consensus of the test part are scored, once on transcribed regions in their direction, once anywhere on both strands,
// and the true ones among them are to be found. It prints a table in Markdown.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io/fs"
	"os"
	"os/signal"
	"strconv"
	"strings"
)

func main() {
	o := options{}
	flag.StringVar(&o.data, "data", os.Getenv("SEQSVM_DATA"), "folder of the public sets")
	flag.Func("set", "name of a set, such as drosophila-donor; may be repeated; by default all", appendTo(&o.sets))
	flag.Func("kernel", "kernel to choose from; may be repeated", appendTo(&o.kernels))
	costs := flag.String("C", "0.1,1,10,100", "values of C to choose from")
	flag.Float64Var(&o.decoys, "decoys", 20, "decoys per true window to train on")
	flag.Uint64Var(&o.seed, "seed", 1, "seed of the draws")
	flag.Parse()
	if err := run(o, *costs); err != nil {
		fmt.Fprintf(os.Stderr, "sites: %v\n", err)
		os.Exit(1)
	}
}

// options are what the command line says.
type options struct {
	data    string
	sets    []string
	kernels []string
	costs   []float64
	decoys  float64
	seed    uint64
}

// appendTo collects the values of a flag.
func appendTo(list *[]string) func(string) error {
	return func(value string) error {
		*list = append(*list, value)
		return nil
	}
}

// run measures the sets that are there and prints a row for each.
func run(o options, costs string) error {
	for text := range strings.SplitSeq(costs, ",") {
		c, err := strconv.ParseFloat(text, 64)
		if err != nil || !(c > 0) {
			return fmt.Errorf("-C %q, want numbers > 0 with commas between", costs)
		}
		o.costs = append(o.costs, c)
	}
	if o.data == "" {
		return errors.New("no folder of data, want -data or $SEQSVM_DATA")
	}
	if len(o.kernels) == 0 {
		o.kernels = []string{"wd:d=6", "wd:d=10", "wd:d=20"}
	}
	chosen, err := choose(o.sets)
	if err != nil {
		return err
	}
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	fmt.Println(heading)
	for _, t := range chosen {
		row, err := t.measure(ctx, o)
		if errors.Is(err, fs.ErrNotExist) {
			fmt.Fprintf(os.Stderr, "sites: %s is skipped: %v\n", t.name, err)
			continue
		}
		if err != nil {
			return fmt.Errorf("%s: %w", t.name, err)
		}
		fmt.Print(row)
	}
	return nil
}
