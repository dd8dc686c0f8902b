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
// standard error. Exit status 0, 1 (an option out of range, or the file cannot be written), 2 (wrong usage).
package main

import (
	"flag"
	"fmt"
	"os"

	"github.com/seqsvm/seqsvm/benchmarks/planted"
	"github.com/seqsvm/seqsvm/seqio/atomicfile"
)

func main() {
	var o planted.Options
	flag.IntVar(&o.N, "n", 2000, "number of sequences, half of them positive")
	flag.IntVar(&o.Length, "len", 300, "bases per sequence")
	flag.StringVar(&o.Motif, "motif", "", "motif in IUPAC letters (default: random, 12 bases)")
	flag.IntVar(&o.Mutations, "mutations", 0, "bases substituted in every planted copy")
	flag.BoolVar(&o.BothStrands, "both-strands", false, "plant each copy on a random strand")
	flag.Float64Var(&o.Flip, "flip", 0, "share of labels inverted in each class, 0 to 1")
	flag.Uint64Var(&o.Seed, "seed", 1, "seed of the random numbers")
	output := flag.String("o", "-", "output file, - for standard output")
	flag.Parse()
	if err := generate(o, *output); err != nil {
		fmt.Fprintf(os.Stderr, "generate: %v\n", err)
		os.Exit(1)
	}
}

func generate(o planted.Options, output string) error {
	if flag.NArg() > 0 {
		return fmt.Errorf("operand %q, want options only", flag.Arg(0))
	}
	set, err := planted.Generate(o)
	if err != nil {
		return err
	}
	fmt.Fprintf(os.Stderr, "generate: %d sequences of %d bases, motif %s\n", o.N, o.Length, set.Motif)
	if output == "-" {
		return set.WriteFASTA(os.Stdout)
	}
	return atomicfile.WriteTo(output, set.WriteFASTA)
}
