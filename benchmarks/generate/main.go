// Command generate writes a FASTA set of DNA in which half of the sequences carry
// a planted motif, for benchmarks and first experiments:
//
//	go run ./benchmarks/generate -n 2000 -len 300 -motif TGACTCAW -mutations 1 -seed 1 -o out.fa
//
// Headers read ">seq1 label=+1" or ">seq1 label=-1". Package planted, which does
// the work, defines the model and its options. The same options give the same bytes
// on every platform.
//
// The set goes to standard output or, with -o, to a file; the motif used is printed to
// standard error. Exit status 0, 1 (the file cannot be written), 2 (wrong usage).
package main

import (
	"errors"
	"flag"
	"fmt"
	"io"
	"os"

	"github.com/seqsvm/seqsvm/benchmarks/planted"
	"github.com/seqsvm/seqsvm/seqio/atomicfile"
)

func main() { os.Exit(run(os.Args[1:], os.Stdout, os.Stderr)) }

// settings are what the flags say.
type settings struct {
	options planted.Options
	output  string
}

// run is main without the process. It returns the exit status.
func run(arguments []string, stdout, stderr io.Writer) int {
	set, s, err := parse(arguments, stderr)
	if errors.Is(err, flag.ErrHelp) {
		return 0
	}
	if err != nil {
		fmt.Fprintf(stderr, "generate: %v\n", err)
		return 2
	}
	write := func(w io.Writer) error { return set.WriteFASTA(w) }
	if s.output == "-" {
		err = write(stdout)
	} else {
		err = atomicfile.WriteTo(s.output, write)
	}
	if err != nil {
		fmt.Fprintf(stderr, "generate: %v\n", err)
		return 1
	}
	fmt.Fprintf(stderr, "generate: %d sequences of %d bases, motif %s\n", len(set.Seqs), s.options.Length, set.Motif)
	return 0
}

// parse reads the flags and generates the set they describe, so that every
// complaint about them comes before any output. Help goes to stderr.
func parse(arguments []string, stderr io.Writer) (*planted.Set, settings, error) {
	var s settings
	flags := flag.NewFlagSet("generate", flag.ContinueOnError)
	flags.SetOutput(io.Discard) // errors are printed once, by run
	flags.IntVar(&s.options.N, "n", 2000, "number of sequences, half of them positive")
	flags.IntVar(&s.options.Length, "len", 300, "bases per sequence")
	flags.StringVar(&s.options.Motif, "motif", "", "motif in IUPAC letters (default: random, 12 bases)")
	flags.IntVar(&s.options.Mutations, "mutations", 0, "bases substituted in every planted copy")
	flags.BoolVar(&s.options.BothStrands, "both-strands", false, "plant each copy on a random strand")
	flags.Float64Var(&s.options.Flip, "flip", 0, "share of labels inverted in each class, 0 to 1")
	flags.Uint64Var(&s.options.Seed, "seed", 1, "seed of the random numbers")
	flags.StringVar(&s.output, "o", "-", "output file, - for standard output")
	if err := flags.Parse(arguments); err != nil {
		if errors.Is(err, flag.ErrHelp) {
			fmt.Fprintln(stderr, "usage: generate [options]")
			flags.SetOutput(stderr)
			flags.PrintDefaults()
		}
		return nil, s, err
	}
	if flags.NArg() > 0 {
		return nil, s, fmt.Errorf("operand %q, want options only", flags.Arg(0))
	}
	set, err := planted.Generate(s.options)
	return set, s, err
}
