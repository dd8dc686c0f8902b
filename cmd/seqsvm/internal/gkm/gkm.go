// Package gkm is the tool under the names of LS-GKM's programs, gkmtrain, gkmtrain-svr, gkmpredict, gkmmatrix and
// gkmexplain, with their options, operands and files.
package gkm

import (
	"cmp"
	_ "embed"
	"fmt"
	"io"
	"maps"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/seqsvm/seqsvm"
	"github.com/seqsvm/seqsvm/classify"
	"github.com/seqsvm/seqsvm/classify/dataset"
	"github.com/seqsvm/seqsvm/cmd/seqsvm/internal/cli"
	"github.com/seqsvm/seqsvm/internal/parallel"
	"github.com/seqsvm/seqsvm/model"
	"github.com/seqsvm/seqsvm/model/gkmexplain"
	"github.com/seqsvm/seqsvm/model/lsgkm"
	"github.com/seqsvm/seqsvm/seqio"
	"github.com/seqsvm/seqsvm/spectrum/gapped"
	"github.com/seqsvm/seqsvm/stringkernel"
)

// programs makes the options of each program.
var programs = map[string]func() cli.Options{
	"gkmtrain":     func() cli.Options { return new(train) },
	"gkmtrain-svr": func() cli.Options { return &train{svr: true} },
	"gkmpredict":   func() cli.Options { return new(score) },
	"gkmexplain":   func() cli.Options { return &score{explains: true} },
	"gkmmatrix":    func() cli.Options { return new(matrix) },
}

// texts has the help of each program, and a part that all share.
//
//go:embed help.txt
var texts string

// App returns the program of a name, nil if LS-GKM has none. Its command lines are those of [Arguments].
func App(name string) *cli.App {
	options, known := programs[name]
	if !known {
		return nil
	}
	command := &cli.Command{Options: options()}
	app := &cli.App{Name: name, Version: seqsvm.Version, Commands: []*cli.Command{command}}
	_, text, _ := strings.Cut(texts, "== "+name+": ")
	text, _, _ = strings.Cut(text, "\n== ")
	_, shared, _ := strings.Cut(texts, "== shared")
	app.Describe("== : " + text + shared)
	return app
}

// verbosity has the options of the tool by those of LS-GKM.
var verbosity = map[string]string{
	"-v0": "--quiet", "-v1": "--quiet", "-v2": "--quiet=false", "-v3": "--verbose", "-v4": "--verbose",
}

// Arguments returns a command line of a program as that of its [App]: options are divided as getopt does, -T16 and -sR,
// and -T and -v are spelt as in the tool. Without arguments it asks for help.
func Arguments(args []string) []string {
	split := []string{""} // the name of the command
	if len(args) == 0 {
		args = []string{"--help"}
	}
	for i := 0; i < len(args); i++ {
		arg, at := args[i], 1
		if arg == "--" {
			return append(split, args[i:]...)
		}
		if len(arg) < 2 || arg[0] != '-' || arg[1] == '-' {
			split = append(split, arg)
			continue
		}
		for ; at < len(arg) && strings.IndexByte("hqLRsz", arg[at]) >= 0; at++ { // without values
			split = append(split, "-"+arg[at:at+1])
		}
		if at == len(arg) {
			continue
		}
		option, value := "-"+arg[at:at+1], arg[at+1:]
		if value == "" && i+1 < len(args) {
			i++
			value = args[i]
		}
		split = append(split, cmp.Or(verbosity[option+value], strings.Replace(option, "-T", "--threads", 1)+"="+value))
	}
	return split
}

// Links has no options.
type Links struct{}

// Flags implements cli.Options.
func (Links) Flags(*cli.Flags) {}

// Run makes a link to the tool for each program in a folder.
func (Links) Run(c *cli.Call) error {
	if len(c.Args) != 1 {
		return cli.Usagef("%d folders given, want one", len(c.Args))
	}
	tool, err := os.Executable()
	if err := cmp.Or(err, os.MkdirAll(c.Args[0], 0o777)); err != nil {
		return err
	}
	for _, name := range slices.Sorted(maps.Keys(programs)) {
		path := filepath.Join(c.Args[0], name)
		if _, err := os.Readlink(path); err == nil { // to where the tool was before
			if err := os.Remove(path); err != nil {
				return err
			}
		}
		if err := os.Symlink(tool, path); err != nil {
			return err
		}
		fmt.Fprintln(c.Out, path)
	}
	return nil
}

// create creates the output: its name is the last operand and a suffix. It takes that operand out of c.Args.
func create(c *cli.Call, suffix string) (*cli.Output, error) {
	operands := c.App.Commands[0].Operands
	last := strings.Count(operands, " ")
	if len(c.Args) != last+1 {
		return nil, cli.Usagef("%d operands given, want %s", len(c.Args), operands)
	}
	output := cli.OutputIn("output", "", c.Args[last]+suffix)
	c.Args = c.Args[:last]
	return output, c.Create(output)
}

// eachBatch reads FASTA, or lines of a sequence and a number, and calls visit with the letters as LS-GKM reads them, in
// batches of at least size letters. It warns of letters that are read as A, of letters that are left out and of records
// shorter than l.
func eachBatch(c *cli.Call, paths []string, lines bool, l, size int,
	visit func(x *stringkernel.Corpus, from *seqio.Collection) error) error {
	o := seqio.Options{Format: seqio.FASTA, Case: seqio.CaseKept, RepeatedIDs: true, OptionalLabels: true}
	labels := []string{"1", "-1"}
	if lines {
		o.Format, labels = seqio.TSV, []string{""}
		o.Columns = seqio.Columns{Text: "1", ID: "1", Label: "2", Header: seqio.HeaderNo}
	}
	var inputs []seqio.Input
	for i, path := range paths {
		in, stop := c.Open(path)
		defer stop()
		inputs = append(inputs, seqio.Input{Path: cli.InputName(path), Reader: in, Label: labels[i]})
	}
	others, cut, short := 0, 0, 0
	err := seqio.AllBatches(c.Context, inputs, o, size, func(from *seqio.Collection) error {
		var b stringkernel.CorpusBuilder
		for i := range from.Corpus.Len() {
			whole := from.Corpus.Seq(i)
			x, n := gkmexplain.AsRead(whole[:min(len(whole), lsgkm.MostLetters)])
			others += n
			if len(x) < len(whole) {
				cut++
			}
			if len(x) < l {
				short++
			}
			b.Add(from.Corpus.Name(i), x)
		}
		return from.Placed(visit(b.Corpus(), from))
	})
	warn := func(what string, count int) {
		if count > 0 {
			c.Warn("%s: %d", what, count)
		}
	}
	warn("letters other than A, C, G and T were read as A, as LS-GKM does", others)
	warn("records longer than 2,047 letters, which were cut, as LS-GKM does", cut)
	warn("records shorter than an l-mer, which have nan in place of numbers", short)
	return err
}

// number appends a number as C prints it by %g, or nan of records shorter than an l-mer.
func number(line []byte, x float64, short bool) []byte {
	if short {
		return append(line, "nan"...)
	}
	return strconv.AppendFloat(line, x, 'g', 6, 64)
}

// kernel is the options of a kernel.
type kernel struct {
	lsgkm.File // of it what is about the kernel
	number     int
}

// flags binds those that gkmmatrix has, too.
func (k *kernel) flags(f *cli.Flags, length, informative int) {
	f.Section(cli.OfKernel)
	f.Int(&k.number, "t", 2, "`KERNEL`, 0 to 6, see above").Between(0, float64(len(lsgkm.KernelTypes)-1))
	f.Int(&k.L, "l", length, "letters of an l-mer").Between(lsgkm.Shortest, lsgkm.Longest)
	f.Int(&k.K, "k", informative, "letters of it that count").AtLeast(1)
	f.Int(&k.D, "d", 3, "most mismatches, l − k at most").AtLeast(0)
	f.Float64(&k.Gamma, "g", 1, "gamma of an RBF").Above(0)
	k.Peak, k.HalfLife = 50, 50
}

// compile makes the kernel. Without -t standard error says which one it is, since defaults differ.
func (k *kernel) compile(c *cli.Call) (stringkernel.Kernel, error) {
	if k.D > k.L-k.K {
		return nil, cli.Usagef("-l %d -k %d -d %d, want l − k or less for d", k.L, k.K, k.D)
	}
	if !c.Given("t") {
		c.Say("%s: -t 2, the default of LS-GKM since 2021; before, and in kundajelab/lsgkm, it is 4", c.App.Name)
	}
	k.KernelType = lsgkm.KernelTypes[k.number]
	if !strings.Contains(k.KernelType, "rbf") {
		k.Gamma = 0
	}
	spec, _ := k.Kernel() // which has the types of lsgkm.KernelTypes
	return spec.Compile("")
}

// train is the options of gkmtrain and gkmtrain-svr.
type train struct {
	kernel
	classify.Trainer
	svr, gzip         bool
	weight            float64
	folds, only, seed int
}

func (o *train) Flags(f *cli.Flags) {
	o.flags(f, 11, 7)
	f.Int(&o.Peak, "M", 50, "greatest centre weight").Between(1, 255)
	f.Float64(&o.HalfLife, "H", 50, "distance of half of it from the centre, in l-mers").Above(0)
	f.Bool(&o.OneStrand, "R", "one strand alone")
	f.Section(cli.OfLearning)
	if o.svr {
		f.Float64(&o.C, "c", 0.1, "C, the cost of an error").Above(0)
		f.Float64(&o.Epsilon, "p", 0.1, "greatest error that costs nothing").AtLeast(0)
	} else {
		f.Float64(&o.C, "c", 1, "C, the cost of a margin error").Above(0)
		f.Float64(&o.weight, "w", 1, "factor of C for the positive set").Above(0)
	}
	f.Float64(&o.Tol, "e", 1e-3, "about the greatest difference between decisions and those of the optimum").Above(0)
	f.Float64(new(float64), "m", 100, "without effect: rows of the matrix are not kept")
	f.Bool(new(bool), "s", "without effect on results")
	f.Int(&o.folds, "x", 0, "cross-validate in N folds").AtLeast(2)
	f.Int(&o.only, "i", 0, "the I-th fold alone, into outprefix.cvpred.I.txt").Needs("x").AtLeast(1)
	f.Int(&o.seed, "r", 1, "seed of the folds, which are those of LS-GKM")
	f.Section(cli.OfOutput)
	f.Bool(&o.gzip, "z", "write outprefix.model.txt.gz")
}

func (o *train) Run(c *cli.Call) error {
	suffix := ".model.txt" + map[bool]string{true: ".gz"}[o.gzip]
	if o.folds > 0 {
		suffix = ".cvpred" + map[bool]string{true: fmt.Sprintf(".%d", o.only)}[o.only > 0] + ".txt"
	}
	if o.only > o.folds {
		return cli.Usagef("-i %d, want %d or less", o.only, o.folds)
	}
	output, err := create(c, suffix)
	if err != nil {
		return err
	}
	if o.Trainer.Kernel, err = o.compile(c); err != nil {
		return err
	}
	if c.Given("m") || c.Given("s") {
		c.Say("%s: -m and -s have no effect", c.App.Name)
	}
	o.Tol = max(o.Tol*o.Tol, 1e-8) // decisions differ by the root of the gap, about
	newDataset := dataset.New
	if o.svr {
		newDataset, o.Epsilon = dataset.NewTargets, max(o.Epsilon, math.SmallestNonzeroFloat64)
	} else {
		o.ClassWeight = "1=" + strconv.FormatFloat(o.weight, 'g', -1, 64)
	}
	c.Stage("training")
	return eachBatch(c, c.Args, o.svr, o.L, math.MaxInt, func(x *stringkernel.Corpus, from *seqio.Collection) error {
		d, err := newDataset(x, from.Labels(), nil)
		if err != nil {
			return err
		}
		if o.folds > 0 {
			return o.crossValidate(c, d, from, output)
		}
		trained, err := o.Train(c.Context, d)
		if err != nil {
			return err
		}
		m, err := model.New(c.Context, trained, model.Options{KeepSequences: true})
		if err != nil {
			return err
		}
		file, err := lsgkm.Of(m)
		if err != nil {
			return err
		}
		return output.Write(file.Write)
	})
}

// crossValidate writes id, score, label and fold of each record, in the folds of LS-GKM.
func (o *train) crossValidate(c *cli.Call, d *dataset.Dataset, from *seqio.Collection, output *cli.Output) error {
	positives := from.Part(0).Len()
	wanted := func(fold int) bool { return o.only == 0 || fold == o.only-1 }
	fold := lsgkm.Folds(o.folds, uint32(o.seed), positives, d.Len()-positives)
	result, err := classify.NewCVResult(d, fold)
	for f := 0; err == nil && f < result.Folds; f++ {
		if wanted(f) {
			err = result.TrainFold(c.Context, o.Trainer, d, f)
		}
	}
	if err != nil {
		return err
	}
	return output.Write(func(w io.Writer) error {
		for i, f := range fold {
			if !wanted(f) {
				continue
			}
			score := number(nil, result.Predictions[i].Scores[0], len(d.Corpus.Seq(i)) < o.L)
			label, _ := strconv.ParseFloat(from.Labels()[i], 64) // the data set has checked it
			if _, err := fmt.Fprintf(w, "%s\t%s\t%.6g\t%d\n", d.Corpus.Name(i), score, label, f+1); err != nil {
				return err
			}
		}
		return nil
	})
}

// score is the options of gkmpredict and gkmexplain.
type score struct {
	explains bool
	mode     int
}

func (o *score) Flags(f *cli.Flags) {
	if o.explains {
		f.Section("Explanation")
		f.Int(&o.mode, "m", 0, "`MODE`, 0 to 5, see above").Between(0, 5)
	}
}

func (o *score) Run(c *cli.Call) error {
	output, err := create(c, "")
	if err != nil {
		return err
	}
	c.Stage("loading the model")
	file, err := cli.Read(c, c.Args[1], lsgkm.Read)
	if err != nil {
		return err
	}
	m, err := file.Model(c.Context, model.Options{KeepSequences: file.Gamma != 0})
	if err != nil {
		return err
	}
	classifier, err := m.Classifier(c.Context)
	if err != nil {
		return err
	}
	var explainer *gkmexplain.Explainer
	if o.explains {
		if explainer, err = gkmexplain.New(c.Context, m, classifier); err != nil {
			return cli.InFile(cli.InputName(c.Args[1]), err)
		}
	}
	c.Stage("scoring")
	return output.Write(func(w io.Writer) error {
		// the explanation of a letter takes 32 bytes
		return eachBatch(c, c.Args[:1], false, file.L, 1<<18, func(x *stringkernel.Corpus, from *seqio.Collection) error {
			scores, err := classifier.Predict(c.Context, x)
			if err != nil {
				return err
			}
			lines := make([][]byte, x.Len())
			err = parallel.Do(c.Context, x.Len(), func(i int) error {
				short := len(x.Seq(i)) < file.L
				lines[i] = number([]byte(x.Name(i)+"\t"), scores[i].Scores[0], short)
				if !o.explains {
					return nil
				}
				values, err := o.explain(c, explainer, x.Seq(i))
				if err != nil {
					return from.Errorf(i, "%w", err)
				}
				for p, v := range values {
					lines[i] = number(append(lines[i], "\t,,,;,,,"[min(p, 4+p%4)]), v, short)
				}
				return nil
			})
			for i := 0; i < len(lines) && err == nil; i++ {
				_, err = w.Write(append(lines[i], '\n'))
			}
			return err
		})
	})
}

// explain returns the numbers of a record in the mode, four for each position.
func (o *score) explain(c *cli.Call, e *gkmexplain.Explainer, x []byte) ([]float64, error) {
	values, err := e.Explain(c.Context, min(gapped.Mode(o.mode), gapped.DeepPerturbation), 0, x)
	if o.mode < 5 || err != nil {
		return values, err
	}
	if len(x)%2 == 0 {
		return nil, fmt.Errorf("%d letters, want an odd number: mode 5 is about the one in the middle", len(x))
	}
	return values[len(x)/2*4:][:4], nil
}

// matrix is the options of gkmmatrix.
type matrix struct {
	kernel
	row bool
}

func (o *matrix) Flags(f *cli.Flags) {
	o.flags(f, 10, 6)
	f.Section(cli.OfOutput)
	f.Bool(&o.row, "L", "one line, the first record against all (by LS-GKM's help the last, by its output the first)")
}

func (o *matrix) Run(c *cli.Call) error {
	output, err := create(c, "")
	if err != nil {
		return err
	}
	kernel, err := o.compile(c)
	if err != nil {
		return err
	}
	c.Stage("computing the matrix")
	return eachBatch(c, c.Args, false, o.L, math.MaxInt, func(x *stringkernel.Corpus, _ *seqio.Collection) error {
		gram, err := kernel.Gram(c.Context, x)
		if err != nil {
			return err
		}
		rows, columns := x.Len(), 1 // at least
		if o.row {
			rows, columns = 1, rows
		}
		return output.Write(func(w io.Writer) error {
			return stringkernel.EachRow(c.Context, gram, 0, rows, func(i int, row []float64) error {
				var line []byte
				for j, v := range row[:max(i+1, columns)] {
					line = append(number(line, v, min(len(x.Seq(i)), len(x.Seq(j))) < o.L), ' ')
				}
				_, err := w.Write(append(line, '\n'))
				return err
			})
		})
	})
}
