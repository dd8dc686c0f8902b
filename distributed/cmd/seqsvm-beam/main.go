// Command seqsvm-beam runs the work of seqsvm on Apache Beam.
package main

import (
	"context"
	"flag"
	"fmt"
	"os"
	"slices"
	"strings"

	"github.com/apache/beam/sdks/v2/go/pkg/beam"
	_ "github.com/apache/beam/sdks/v2/go/pkg/beam/io/filesystem/gcs"
	_ "github.com/apache/beam/sdks/v2/go/pkg/beam/io/filesystem/local"
	_ "github.com/apache/beam/sdks/v2/go/pkg/beam/io/filesystem/memfs"
	_ "github.com/apache/beam/sdks/v2/go/pkg/beam/io/filesystem/s3"
	"github.com/apache/beam/sdks/v2/go/pkg/beam/log"

	"github.com/seqsvm/seqsvm/distributed"
)

const usage = `seqsvm-beam runs the work of seqsvm on Apache Beam: on Prism, in this process, unless --runner names
another.

    seqsvm-beam predict --model MODEL --output OUT FILE…
    seqsvm-beam scan    --model MODEL --output OUT GENOME…
    seqsvm-beam kernel  --kernel spectrum:k=6 --output OUT FILE…
    seqsvm-beam train   --kernel gapped:l=10,k=6 --output MODEL FILE…
    seqsvm-beam cv      --kernel gapped:l=10,k=6 --output TABLE FILE…

FILE is a pattern on any file system that Beam knows: a path, gs://, s3://. Quote patterns, so that the shell leaves
them alone. The output of predict, scan and kernel is OUT-00000-of-00007, …, each of which is complete or absent:

    cat OUT-*-of-*

is what the command of seqsvm with that name writes. An interrupted run is run again.

Options, before the files:
`

// command is the options of a command.
type command struct {
	job      distributed.Job
	predict  distributed.Predict
	scan     distributed.Scan
	kernel   distributed.Kernel
	train    distributed.Train
	cv       distributed.CrossValidate
	specs    kernels
	minScore string
	quiet    bool
}

// kernels is an option that may be given several times.
type kernels []string

func (k *kernels) String() string { return strings.Join(*k, " + ") }

func (k *kernels) Set(text string) error {
	*k = append(*k, text)
	return nil
}

func main() {
	if err := run(os.Args[1:]); err != nil {
		fmt.Fprintln(os.Stderr, "seqsvm-beam:", err)
		os.Exit(1)
	}
}

// run runs a command, or, without one, as a worker of a runner.
func run(args []string) error {
	name := ""
	if len(args) > 0 && !strings.HasPrefix(args[0], "-") {
		name, args = args[0], args[1:]
	}
	c := new(command)
	var model, strand string
	f := flag.CommandLine
	flag.Usage = func() {
		fmt.Fprint(f.Output(), usage)
		f.PrintDefaults()
	}
	f.StringVar(&model, "model", "", "`FILE` written by train")
	f.StringVar(&c.job.Output, "output", "",
		"what the names of the output begin with; of train and cv the `FILE` of the model or table")
	f.IntVar(&c.job.Lanes, "lanes", 0, "parts that may be worked on at once (default: one per processor)")
	f.Int64Var(&c.job.PartSize, "part-size", 64<<20, "`BYTES` of input, or letters of a genome, per part")
	f.BoolVar(&c.quiet, "quiet", false, "no messages but errors")
	f.Var(&c.specs, "kernel", "kernel, train and cv: `NAME:KEY=VALUE,FLAG`; several are averaged")
	f.BoolVar(&c.kernel.NoNormalize, "no-normalize", false, "kernel, train and cv: the kernel without normalisation")
	f.StringVar(&c.kernel.Format, "format", "tsv", "kernel: tsv or npy")
	f.IntVar(&c.kernel.Blocks, "blocks", 0, "kernel: blocks of rows (default: one per lane)")
	f.StringVar(&c.scan.Class, "class", "", "scan: the class whose score counts")
	f.IntVar(&c.scan.Window, "window", 0, "scan: letters of a window (default: that of training)")
	f.IntVar(&c.scan.Step, "step", 1, "scan: windows begin at multiples of it")
	f.StringVar(&strand, "strand", "both", "scan: +, - or both")
	f.StringVar(&c.minScore, "min-score", "", "scan: least score of a window that is written")
	f.BoolVar(&c.scan.Raw, "raw", false, "scan: scores without norms and bias")
	f.Float64Var(&c.train.C, "C", 1, "train and cv: penalty of a margin error")
	f.Float64Var(&c.train.Tol, "tol", 1e-3, "train and cv: relative duality gap to stop at")
	f.IntVar(&c.cv.Folds, "folds", 10, "cv: number of folds, stratified by class")
	f.Uint64Var(&c.cv.Seed, "seed", 1, "cv: by which records are divided into folds")
	f.StringVar(&c.cv.Predictions, "predictions", "", "cv: `FILE` for id, score, label and fold of every record")
	if err := f.Parse(args); err != nil {
		return err
	}
	log.LogLevel = "warn" // what it says of every pipeline would hide the rest
	beam.Init()
	c.predict.Model, c.scan.Model, c.scan.Strand = model, model, strand
	return c.start(context.Background(), name, f.Args())
}

// start runs a command on files.
func (c *command) start(ctx context.Context, name string, files []string) error {
	if !slices.Contains([]string{"predict", "scan", "kernel", "train", "cv"}, name) {
		flag.Usage()
		return fmt.Errorf("command %.20q, want predict, scan, kernel, train or cv", name)
	}
	late := slices.IndexFunc(files, func(file string) bool { return strings.HasPrefix(file, "-") })
	switch {
	case late >= 0:
		return fmt.Errorf("%s: options such as %.40s go before the files", name, files[late])
	case len(files) == 0:
		return fmt.Errorf("%s: no files", name)
	case c.job.Output == "":
		return fmt.Errorf("%s: --output is required", name)
	case c.predict.Model == "" && (name == "predict" || name == "scan"):
		return fmt.Errorf("%s: --model is required: a file written by train", name)
	case len(c.specs) == 0 && (name == "kernel" || name == "train" || name == "cv"):
		return fmt.Errorf("%s: --kernel is required, such as spectrum:k=6", name)
	}
	if !c.quiet {
		c.job.Log = os.Stderr
	}
	switch name {
	case "predict":
		c.predict.Files = files
		return c.job.Predict(ctx, c.predict)
	case "scan":
		c.scan.Files = files
		if c.minScore != "" {
			c.scan.MinScore = new(float64)
			if _, err := fmt.Sscanf(c.minScore, "%g", c.scan.MinScore); err != nil {
				return fmt.Errorf("scan: --min-score %.20q is not a number", c.minScore)
			}
		}
		return c.job.Scan(ctx, c.scan)
	case "kernel":
		c.kernel.Kernel, c.kernel.Files = c.specs, files
		return c.job.Kernel(ctx, c.kernel)
	}
	c.train.Kernel, c.train.NoNormalize, c.train.Files = c.specs, c.kernel.NoNormalize, files
	if name == "cv" {
		c.cv.Train = c.train
		return c.job.CrossValidate(ctx, c.cv)
	}
	return c.job.Train(ctx, c.train)
}
