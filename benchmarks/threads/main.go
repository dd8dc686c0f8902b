// Command threads counts what more processors would gain: it trains and predicts on one, task by task, and adds up the
// processor time of the tasks that each of several processors would be given. So it needs no machine that has them, nor
// an idle one.
//
//	go run ./benchmarks/threads -kernel spectrum:k=6 train.fa test.fa
//
// A row of its table is a stage: its work, the longest chain of tasks that wait for one another, and by how much 2, 16
// and 64 processors divide the time. "solve" is training without the index; a product is one with the Gram matrix, most
// of what cutting planes do. Reading is not divided by loops of tasks, and not counted.
//
// The bounds leave out what processors share, such as memory and its bandwidth.
package main

import (
	"bytes"
	"cmp"
	"context"
	"flag"
	"fmt"
	"os"
	"runtime"
	"runtime/pprof"
	"time"

	"github.com/seqsvm/seqsvm/catalog"
	"github.com/seqsvm/seqsvm/classify"
	"github.com/seqsvm/seqsvm/classify/svm"
	"github.com/seqsvm/seqsvm/internal/parallel"
	"github.com/seqsvm/seqsvm/internal/usage"
	"github.com/seqsvm/seqsvm/model"
	"github.com/seqsvm/seqsvm/seqio"
)

// processors are those that the table has columns for.
var processors = []int{2, 16}

func main() {
	kernel := flag.String("kernel", "spectrum:k=6", "as for the tool")
	planes := flag.Bool("cutting-plane", false, "solve by cutting planes, whatever the kernel")
	profile := flag.String("profile", "", "write a processor profile; what -ignore parallel.run leaves is serial")
	c := flag.Float64("C", 1, "penalty of a margin error")
	flag.Parse()
	if flag.NArg() != 2 {
		fmt.Fprintln(os.Stderr, "threads: want two files, to train on and to predict")
		os.Exit(2)
	}
	trainer := classify.Trainer{C: *c, Seed: 1}
	if *planes {
		trainer.Solver = svm.CuttingPlane{}
	}
	if err := run(*kernel, trainer, flag.Arg(0), flag.Arg(1), *profile); err != nil {
		fmt.Fprintf(os.Stderr, "threads: %v\n", err)
		os.Exit(1)
	}
}

// table prints a row for each stage.
type table struct{ err error }

// stage measures a stage, unless one before it has failed, and prints its row.
func (t *table) stage(name string, f func() error) (w parallel.Work) {
	if t.err != nil {
		return w
	}
	runtime.GC()
	w = parallel.Measure(processors, usage.CPU, func() { t.err = f() })
	t.row(name, w)
	return w
}

func (t *table) row(name string, w parallel.Work) {
	if t.err != nil {
		return
	}
	fmt.Printf("| %s | %.3f | %.3f |", name, w.Total.Seconds(), w.Longest.Seconds())
	for _, on := range w.On {
		fmt.Printf(" %.1f |", float64(w.Total)/float64(max(on, time.Microsecond)))
	}
	fmt.Println()
}

func run(specification string, trainer classify.Trainer, train, test, profile string) (err error) {
	runtime.GOMAXPROCS(processors[len(processors)-1]) // into how many tasks some loops are divided
	ctx := context.Background()
	spec, err := catalog.Default().Parse(specification)
	if err != nil {
		return err
	}
	spec.Normalize = true
	read := seqio.Options{Alphabet: spec.Alphabet()}
	records, err := seqio.ReadAll(ctx, []seqio.Input{{Path: train}}, read)
	if err != nil {
		return err
	}
	queries, err := seqio.ReadAll(ctx, []seqio.Input{{Path: test}}, records.Settled(read))
	if err != nil {
		return err
	}
	data, err := classify.NewDatasetOf("", records.Corpus, records.Labels(), classify.LabelNames{}, nil)
	if err != nil {
		return err
	}
	if profile != "" {
		f, err := os.Create(profile)
		if err != nil {
			return err
		}
		defer f.Close()
		if err := pprof.StartCPUProfile(f); err != nil {
			return err
		}
		defer pprof.StopCPUProfile()
	}
	if trainer.Kernel, err = spec.Compile(records.DetectAlphabet()); err != nil {
		return err
	}
	return stages(ctx, trainer, data, queries)
}

// stages measures the parts of training on data and of predicting queries.
func stages(ctx context.Context, trainer classify.Trainer, data *classify.Dataset, queries *seqio.Collection) error {
	fmt.Print("| stage | seconds | longest chain |")
	for _, p := range processors {
		fmt.Printf(" on %d |", p)
	}
	fmt.Print("\n| --- |", " ---: | ---: |")
	for range processors {
		fmt.Print(" ---: |")
	}
	fmt.Println()
	var (
		t          table
		trained    *classify.Model
		file       *model.Model
		classifier *classify.Classifier
	)
	index := t.stage("index, k(x, x)", func() error {
		g, err := trainer.Kernel.Gram(ctx, data.Corpus)
		if err == nil {
			g.Diag(make([]float64, data.Len()))
		}
		return err
	})
	gram, err := trainer.Kernel.Gram(ctx, data.Corpus)
	if t.err = cmp.Or(t.err, err); t.err != nil {
		return t.err
	}
	dst, v := make([]float64, data.Len()), make([]float64, data.Len())
	for i := range v {
		v[i] = float64(1 - 2*(i%2))
	}
	gram.MulVecTo(dst, v)
	t.stage("product", func() error { gram.MulVecTo(dst, v); return nil })
	gram = nil
	all := t.stage("train", func() (err error) { trained, err = trainer.Train(ctx, data); return err })
	if t.err == nil {
		t.row("of that, solve", all.Less(index))
	}
	t.stage("sketch", func() error {
		_, err := model.NewSketch(ctx, data.Corpus, queries.DetectAlphabet())
		return err
	})
	t.stage("model", func() (err error) { file, err = model.New(ctx, trained, model.Options{}); return err })
	var out bytes.Buffer
	t.stage("write", func() error { return file.Write(&out) })
	t.stage("load", func() (err error) { classifier, err = file.Classifier(ctx); return err })
	t.stage("predict", func() error { _, err := classifier.Predict(ctx, queries.Corpus); return err })
	return t.err
}
