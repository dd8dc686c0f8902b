// Command scaling simulates a training over shards on up to a thousand workers, from walks that were
// measured on one machine and assumptions on the rest, and prints the table of docs/scale.md.
//
//	go run ./benchmarks/scaling
//	go run ./benchmarks/scaling -letters 1e12 -network 2.5e8
//
// An iteration adds features to a table and scores records by one, in a pass each. On W workers with a core each, with
// N letters, tables of D entries and a network of B bytes a second per machine, it takes
//
//	N·c/W                      c: seconds of a core per letter, both walks
//	2 s                        s: to start and end a pipeline
//	W·8D/B + W·D·a             the driver takes in W tables and adds them, in a seconds per entry;
//	                           ⌈log₂ W⌉ in place of W if they are added in a tree
//	⌈log₂(W + 1)⌉·8D/B         the table to score by goes to all workers
//	f                          the driver filters the table
//
// No worker is slow, and none fails.
package main

import (
	"flag"
	"fmt"
	"io"
	"math"
	"os"
)

// kernel is a kernel by the size of its table, and seconds.
type kernel struct {
	name    string
	entries float64
	walk    float64 // per letter, of a core, to add it and to look it up: of spectrum k-mers in a table of that size
	filter  float64 // per iteration
}

// kernels have measured walks, as docs/scale.md says; the time of a filter is assumed.
var kernels = []kernel{
	{"spectrum:k=8", 1 << 16, 2.70e-9, 0},
	{"gapped:l=10,k=6", 1 << 20, 4.43e-9, 0.02},
	{"gapped:l=11,k=7", 1 << 22, 16.7e-9, 0.08},
}

// cluster is what trainings run on.
type cluster struct {
	letters    float64
	iterations float64
	pipeline   float64 // seconds to start and end one
	network    float64 // bytes a second, of a machine
	addition   float64 // seconds to add an entry of a table to another
	tree       bool    // tables are added in a tree
}

// seconds returns the time of a training on workers with a core each.
func (c *cluster) seconds(k kernel, workers float64) float64 {
	tables := workers
	if c.tree {
		tables = math.Ceil(math.Log2(workers))
	}
	transfer := 8 * k.entries / c.network
	reduction := tables * (transfer + c.addition*k.entries)
	broadcast := math.Ceil(math.Log2(workers+1)) * transfer
	return c.iterations * (c.letters*k.walk/workers + 2*c.pipeline + reduction + broadcast + k.filter)
}

func main() {
	c := cluster{}
	flag.Float64Var(&c.letters, "letters", 1e11, "letters of the corpus")
	flag.Float64Var(&c.iterations, "iterations", 60, "planes until the gap is 1e-3")
	flag.Float64Var(&c.pipeline, "pipeline", 0.04, "seconds to start and end a pipeline")
	flag.Float64Var(&c.network, "network", 1e9, "bytes a second of a machine")
	flag.Float64Var(&c.addition, "addition", 1e-9, "seconds to add an entry of a table")
	flag.Parse()
	c.print(os.Stdout)
}

// print writes a row per number of workers: minutes and core-hours of each kernel, tables added by the driver, in a
// tree.
func (c *cluster) print(w io.Writer) {
	fmt.Fprint(w, "| workers |")
	for _, k := range kernels {
		fmt.Fprintf(w, " `%s` | in a tree |", k.name)
	}
	fmt.Fprint(w, "\n| ---: |")
	for range kernels {
		fmt.Fprint(w, " ---: | ---: |")
	}
	fmt.Fprintln(w)
	for _, workers := range []float64{1, 2, 4, 10, 30, 100, 300, 1000} {
		fmt.Fprintf(w, "| %.0f |", workers)
		for _, k := range kernels {
			for _, c.tree = range []bool{false, true} {
				t := c.seconds(k, workers)
				fmt.Fprintf(w, " %s min, %s h |", digits(t/60), digits(t*workers/3600))
			}
		}
		fmt.Fprintln(w)
	}
}

// digits writes three digits of a number, or all before the point.
func digits(v float64) string {
	if v >= 1000 {
		return fmt.Sprintf("%.0f", v)
	}
	return fmt.Sprintf("%.3g", v)
}
