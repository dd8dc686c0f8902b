package main

import (
	"cmp"
	"errors"
	"fmt"
	"io/fs"
	"slices"
	"strconv"
	"strings"

	"github.com/seqsvm/seqsvm/catalog"
	"github.com/seqsvm/seqsvm/classify/dataset"
	"github.com/seqsvm/seqsvm/cmd/seqsvm/internal/cli"
	"github.com/seqsvm/seqsvm/cmd/seqsvm/internal/input"
	"github.com/seqsvm/seqsvm/internal/suggest"
	"github.com/seqsvm/seqsvm/internal/throughput"
	"github.com/seqsvm/seqsvm/seqio"
	"github.com/seqsvm/seqsvm/seqio/reading"
	"github.com/seqsvm/seqsvm/stringkernel"
)

// kernelsOptions are the options of about kernels.
type kernelsOptions struct{ reportOptions }

func (o *kernelsOptions) Flags(f *cli.Flags) { o.flags(f) }

func (o *kernelsOptions) Run(c *cli.Call) error {
	listed, err := newCatalogue(c.Args)
	if err != nil {
		return err
	}
	write := listed.write
	if len(c.Args) == 0 {
		write = listed.writeNames
	}
	return o.output.WriteAs(o.format, listed, write)
}

// catalogue is what kernels --format json prints.
type catalogue struct {
	Kernels []catalogueEntry `json:"kernels"`
}

type catalogueEntry struct {
	Kernel     string              `json:"kernel"`
	Summary    string              `json:"summary"`
	Example    string              `json:"example"`
	Parameters []catalog.Parameter `json:"parameters"`
	Grid       []string            `json:"grid,omitempty"`
}

// newCatalogue lists the kernels with these names, all if there are none.
func newCatalogue(names []string) (*catalogue, error) {
	for _, name := range names {
		if err := catalog.Default().CheckName(name); err != nil {
			return nil, &cli.UsageError{Err: err}
		}
	}
	list := &catalogue{Kernels: []catalogueEntry{}}
	for _, e := range catalog.Default() {
		if len(names) > 0 && !slices.Contains(names, e.Name) {
			continue
		}
		list.Kernels = append(list.Kernels, catalogueEntry{e.Name, e.Summary, e.Example, e.Parameters(), e.Grid})
	}
	return list, nil
}

func (l *catalogue) writeNames(t *cli.Table) {
	t.Header("kernel", "summary")
	for _, e := range l.Kernels {
		t.Row(e.Kernel, e.Summary)
	}
}

// write adds the parameters.
func (l *catalogue) write(t *cli.Table) {
	t.Header("kernel", "parameter", "type", "default", "meaning")
	for _, e := range l.Kernels {
		t.Row(e.Kernel, "", "", "", e.Summary+"; for example "+e.Example)
		for _, p := range e.Parameters {
			t.Row(e.Kernel, p.Name, p.Type, p.Default, p.Doc)
		}
	}
}

// inputItems are the options of about input.
type inputItems struct{ reportOptions }

func (o *inputItems) Flags(f *cli.Flags) { o.flags(f) }

// Run lists the keys of --input, of some formats only if they are named.
func (o *inputItems) Run(c *cli.Call) error {
	listed := struct {
		Formats []string       `json:"formats"`
		Items   []reading.Item `json:"items"`
	}{Formats: reading.Formats()}
	for _, format := range c.Args {
		if !slices.Contains(listed.Formats, format) {
			return cli.Usagef("no format %.80q, want some of: %s%s", format, strings.Join(listed.Formats, ", "),
				suggest.Hint(format, listed.Formats))
		}
	}
	for _, item := range reading.Items() {
		if len(c.Args) > 0 && !slices.ContainsFunc(c.Args, func(name string) bool { return item.Of(seqio.Format(name)) }) {
			continue
		}
		listed.Items = append(listed.Items, item)
	}
	return o.output.WriteAs(o.format, listed, func(t *cli.Table) {
		t.Header("key", "value", "meaning")
		for _, item := range listed.Items {
			t.Row(item.Key, cmp.Or(item.Value, "(flag)"), item.Doc)
		}
	})
}

// kernelWords lists the kernels and, as NAME:KEY= or NAME:FLAG, their parameters.
func kernelWords() (words []string) {
	for _, e := range catalog.Default() {
		words = append(words, e.Name)
		for _, p := range e.Parameters() {
			word := e.Name + ":" + p.Name
			if p.Type != "flag" {
				word += "="
			}
			words = append(words, word)
		}
	}
	return words
}

// kernelAndReader parses the kernel and makes a reader. The kernel's alphabets may still be open, to be inferred from
// the data.
func kernelAndReader(c *cli.Call, kernel *kernelOptions, o *input.Reading) (catalog.Spec, input.Reader, error) {
	spec, err := parseKernels(kernel, o.Alphabet)
	if err != nil {
		return catalog.Spec{}, input.Reader{}, err
	}
	r, err := input.NewReader(c, o, spec.Alphabet())
	r.Options.Numbers, r.Options.OptionalText = spec.Columns(), spec.OfNumbers()
	return spec, r, err
}

// kernelAdvice says where a kernel may come from.
var kernelAdvice = "such as " + catalog.Default()[0].Example + "; seqsvm tune finds one for labelled records"

// parseKernels reads kernels and finds parameters out of range before any file is read: with an alphabet still open, if
// none is chosen, as if it were DNA.
func parseKernels(o *kernelOptions, chosen stringkernel.Alphabet) (catalog.Spec, error) {
	if len(o.specs) == 0 {
		return catalog.Spec{}, cli.Usagef("--kernel is required, %s", kernelAdvice)
	}
	parsed, err := catalog.Parse(o.specs...)
	if path := new(fs.PathError); errors.As(err, &path) { // a list cannot be read
		return parsed, err
	}
	if err != nil {
		return parsed, &cli.UsageError{Err: err}
	}
	spec, texts := parsed.WithAlphabet(chosen), catalog.Default().TermTexts(o.specs...)
	for i, term := range parsed.Terms {
		text := texts[i]
		if own := term.Alphabet(); chosen != "" && own != "" && own != chosen && !term.OfNumbers() {
			return spec, cli.Usagef("kernel %.80q has alphabet %s with --input alphabet=%s, want one of the two", text, own,
				chosen)
		}
		one := catalog.Spec{Terms: spec.Terms[i : i+1]}
		if err := one.Check(stringkernel.DNA); err != nil {
			return spec, cli.Usagef("kernel %.80q: %s", text, strings.TrimPrefix(err.Error(), term.Name+": "))
		}
	}
	spec.Normalize = !o.noNormalize
	if spec.Formula != "" {
		if _, err := spec.Compile(stringkernel.DNA); err != nil {
			return spec, cli.Usagef("kernel %.200q: %w", strings.Join(o.specs, " + "), err)
		}
	}
	return spec, nil
}

// buildKernel fills in the alphabet of the data where it is open and makes the kernel.
func buildKernel(c *cli.Call, spec *catalog.Spec, data *input.Records) (stringkernel.Kernel, error) {
	alphabet := data.DetectAlphabet()
	*spec = spec.WithAlphabet(alphabet).WithColumns(data.Columns)
	kernel, err := spec.Compile(alphabet)
	if err != nil {
		return nil, fmt.Errorf("on %s sequences: %w", alphabet, err)
	}
	if err := spec.CheckCorpus(data.Corpus, 0); err != nil {
		return nil, data.Placed(err)
	}
	warnNucleotides(c, *spec, data)
	doubts := input.Suspects{Spec: *spec}
	doubts.Add(data)
	doubts.Warn(c)
	input.WarnKernels(c, *spec)
	return kernel, nil
}

// warnNucleotides warns if a kernel of amino acids is given records that look like DNA or RNA, whose letters all are
// amino acids too.
func warnNucleotides(c *cli.Call, spec catalog.Spec, data *input.Records) {
	alphabet := spec.Alphabet()
	if data.Asked.Given("alphabet") || alphabet != stringkernel.Protein && alphabet.Representatives() == nil {
		return
	}
	if found := seqio.DetectAlphabet(data.Corpus); found == stringkernel.DNA || found == stringkernel.RNA {
		c.Warn("%s: all letters are %s, and the kernel %s takes them for amino acids; "+
			"--input alphabet=protein says that they are",
			data.Source(), found, spec)
	}
}

// fitTo returns some records, the last ones of data, for kernels to be fitted to: with the classes that their labels
// tell, if one learns from these.
func fitTo(spec *catalog.Spec, data *input.Records, some *stringkernel.Corpus) (*stringkernel.Corpus, error) {
	labels := data.KnownLabels()
	if labels == nil || !spec.OfClasses() {
		return some, nil
	}
	before := data.Corpus.Len() - some.Len()
	if i := slices.Index(labels[before:], ""); i >= 0 {
		return nil, data.Errorf(before+i, "no label, and the kernel %s learns from the class of each record", spec)
	}
	classed, err := dataset.New(some, labels[before:], nil)
	if err != nil {
		return nil, err
	}
	return classed.Corpus, nil
}

// manyRows is the number of records from which on the rows of a kernel without an index are worth a remark.
const manyRows = 4000

// remarkRows proposes rank where a kernel compares all records of a large corpus with each other. Whether it does is a
// trait of its matrix, of which that of two records is enough.
func remarkRows(c *cli.Call, spec catalog.Spec, kernel stringkernel.Kernel, corpus *stringkernel.Corpus) {
	if corpus.Len() < manyRows {
		return
	}
	few := corpus.Subset([]int{0, 1})
	fitted, err := stringkernel.Fit(c.Context, kernel, few)
	if err != nil { // training will say so, if it is no matter of so few records
		return
	}
	if g, err := fitted.Gram(c.Context, few); err == nil && stringkernel.IsRowBased(g) {
		c.Say("seqsvm: kernel %s compares each record with all %d, in time that grows with their square; rank=1000 in it "+
			"takes linear time, and states how much of the kernel that leaves out", spec, corpus.Len())
	}
}

// settle returns the kernel with the alphabet of the first records of a stream, where it is open, and the options as
// these have settled them for all.
func settle(
	c *cli.Call, spec catalog.Spec, read seqio.Options, first *input.Records,
) (catalog.Spec, seqio.Options, error) {
	alphabet := cmp.Or(read.Alphabet, first.DetectAlphabet())
	spec = spec.WithAlphabet(alphabet)
	if _, err := spec.Compile(alphabet); err != nil {
		return spec, read, fmt.Errorf("on %s sequences: %w", alphabet, err)
	}
	if read.Alphabet == "" && alphabet != stringkernel.Bytes {
		c.Say("seqsvm: the first records are %s; use --input alphabet=NAME if others are not", alphabet)
	}
	return spec, first.Settled(read), nil
}

// benchOptions are the options of about bench.
type benchOptions struct {
	kernels   []string
	sequences string
	throughput.Options
	reportOptions
}

func (o *benchOptions) Flags(f *cli.Flags) {
	f.Section("Measurement")
	f.Strings(&o.kernels, "kernel,k", "kernel `SPEC`, NAME:KEY=VALUE,FLAG; repeat for several").
		ReadsAll(func() []string { return input.ListFiles(o.kernels) }).
		Completes(kernelWords).
		Default("an example of each kernel of sequences")
	f.String(&o.sequences, "sequences,n", "2000", "comma-separated `SIZES` of the training set")
	f.Int(&o.Length, "length", 300, "letters per sequence").Between(20, 100_000)
	f.Int(&o.Repeats, "repeats", 3, "runs to take the median of").Between(1, 100)
	o.reportOptions.flags(f)
}

func (o *benchOptions) Run(c *cli.Call) error {
	if err := c.NoOperands(); err != nil {
		return err
	}
	sizes, err := o.sizes()
	if err != nil {
		return err
	}
	if len(o.kernels) == 0 {
		for _, e := range catalog.Default() {
			if e.OfSequences() {
				o.kernels = append(o.kernels, e.Example)
			}
		}
	}
	if _, err := parseKernels(&kernelOptions{specs: o.kernels}, ""); err != nil {
		return err
	}
	o.Seed, o.C = c.Seed, 1
	c.Stage("measuring")
	rows := make([]throughput.Row, 0, len(o.kernels)*len(sizes))
	for _, kernel := range o.kernels {
		for _, o.Sequences = range sizes {
			r, err := throughput.Measure(c.Context, kernel, o.Options)
			if err != nil {
				return err
			}
			rows = append(rows, r)
			c.Show(float64(len(rows))/float64(cap(rows)), "%d of %d measurements", len(rows), cap(rows))
		}
	}
	return o.output.WriteTable(o.format, func(t *cli.Table) { writeBench(t, rows) })
}

// sizes parses --sequences.
func (o *benchOptions) sizes() ([]int, error) {
	var sizes []int
	for item := range strings.SplitSeq(o.sequences, ",") {
		n, err := strconv.Atoi(item)
		if err != nil || n < 10 || n > 1_000_000 {
			return nil, cli.Usagef("--sequences %q, want numbers from 10 to 1000000 separated by commas", o.sequences)
		}
		sizes = append(sizes, n)
	}
	return sizes, nil
}

func writeBench(t *cli.Table, rows []throughput.Row) {
	t.Header("kernel", "sequences", "letters", "index_s", "product_s", "train_s", "iterations", "solver",
		"raw_letters_per_s", "normalized_letters_per_s")
	significant := func(x float64) string { return strconv.FormatFloat(x, 'g', 3, 64) } // of what was measured
	for _, r := range rows {
		if t.JSON() {
			t.Object(r)
			continue
		}
		t.Row(r.Kernel, r.Sequences, r.Letters, significant(r.Index), significant(r.Product), significant(r.Train),
			r.Iterations, r.Solver, significant(r.Raw), significant(r.Normalized))
	}
}
