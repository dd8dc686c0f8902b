package genomic

import (
	"cmp"
	"encoding/csv"
	"errors"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"

	"github.com/seqsvm/seqsvm/cmd/seqsvm/internal/cli"
	"github.com/seqsvm/seqsvm/cmd/seqsvm/internal/input"
	"github.com/seqsvm/seqsvm/model"
	"github.com/seqsvm/seqsvm/model/kmers"
	"github.com/seqsvm/seqsvm/seqio"
	"github.com/seqsvm/seqsvm/seqio/genome"
	"github.com/seqsvm/seqsvm/seqio/shards"
	"github.com/seqsvm/seqsvm/stringkernel"
)

// VCF is a format of variants.
const VCF = "vcf"

// variantScore is one of the numbers of an allele.
type variantScore struct {
	name, meaning string
	of            func(m *variantModel, x *kmers.Site, alt string, delta float64) float64
}

// variantScores are the values of --scores.
var variantScores = []variantScore{
	{"delta", "deltaSVM", func(_ *variantModel, _ *kmers.Site, _ string, delta float64) float64 { return delta }},
	{"max", "greater score of k-mers of both alleles",
		func(m *variantModel, x *kmers.Site, alt string, _ float64) float64 { return m.scorer.Max(x, alt) }},
	{decisionScore, "change of the decision",
		func(m *variantModel, x *kmers.Site, alt string, _ float64) float64 {
			ref, other := m.scorer.Decisions(x, alt, m.context)
			return other - ref
		}},
	{siteScore, "greater decision of both alleles",
		func(m *variantModel, x *kmers.Site, alt string, _ float64) float64 {
			ref, other := m.scorer.Decisions(x, alt, m.context)
			return max(ref, other)
		}},
	{importanceScore, "change of contributions to the decision near the allele",
		func(m *variantModel, x *kmers.Site, alt string, _ float64) float64 {
			return m.scorer.Importance(x, alt, m.context)
		}},
	{percentileScore, "percentage of variants of this change with a delta as great or less",
		func(m *variantModel, x *kmers.Site, alt string, delta float64) float64 {
			return m.null.Percentile(x.Variant.Ref, alt, delta)
		}},
}

const (
	decisionScore, siteScore         = "decision", "site"
	importanceScore, percentileScore = "importance", "percentile"
)

// variantsOptions are the options of variants.
type variantsOptions struct {
	models                                        []string
	genome, chromosomes, scores, nullFile, format string
	context, null                                 int
	output, leftOut                               cli.Output
	shard                                         cli.Shard
}

// Variants is the command variants.
func Variants() cli.Options { return new(variantsOptions) }

func (o *variantsOptions) Flags(f *cli.Flags) {
	f.Section(input.OfInput)
	f.Strings(&o.models, "model,m", "model `FILE` written by train, or NAME=FILE; repeat for several").
		OrOperand(model.IsModel).ReadsAll(func() (paths []string) {
		for _, argument := range o.models {
			_, path, _ := input.NameOf(argument)
			paths = append(paths, path)
		}
		return paths
	})
	f.String(&o.genome, "genome", "", "FASTA `FILE` of the reference, with or without an index beside it "+
		"(required)").Reads(&o.genome)
	f.String(&o.chromosomes, "chromosomes", "", "`FILE` of two columns: a chromosome of the VCF file, its name in the "+
		"genome").Default("the same name, or with or without chr").Reads(&o.chromosomes)
	f.Section("Scores")
	f.String(&o.scores, "scores", "delta", "comma-separated `LIST` of the scores of an allele: delta, max, decision, "+
		"site, importance, percentile")
	f.Int(&o.context, "context", 0, "`LETTERS` around an allele that decision, site and importance are of").AtLeast(1).
		Default("median length of the training records, 2l − 1 if that is not known")
	f.Int(&o.null, "null", 10_000, "percentile: number of random `VARIANTS` of each base change").Between(1, 1_000_000)
	f.String(&o.nullFile, "null-file", "", "percentile: `FILE` (tsv) that variants wrote, with the deltas to compare "+
		"with in place of random ones").Reads(&o.nullFile).Excludes("null")
	f.Format(&o.format, "format: tsv, json (docs/json.md) or vcf, the input with INFO fields", cli.TSV, cli.JSON, VCF)
	f.Output(&o.output, "output,o", "`FILE` to write")
	f.File(&o.leftOut, "left-out", "`FILE` for the alleles without a score: line, id, chrom, pos, ref, alt, "+
		"reason")
	o.shard.Flags(f)
}

// variantModel is one of the models.
type variantModel struct {
	name    string // "" of a single one that was not given a name
	path    string
	scorer  *kmers.Scorer
	context int // letters
	null    kmers.Null
}

func (o *variantsOptions) Run(c *cli.Call) error {
	switch {
	case o.genome == "":
		return cli.Usagef("--genome is required: the FASTA file of the reference")
	case len(c.Args) != 1:
		return cli.Usagef("%d VCF files given, want one (- is standard input)", len(c.Args))
	}
	run := &variantRun{options: o, c: c, size: cli.SizeOf(c.Args)}
	for name := range strings.SplitSeq(o.scores, ",") {
		i := slices.IndexFunc(variantScores, func(s variantScore) bool { return s.name == name })
		if i < 0 || run.has(name) {
			return cli.Usagef("--scores %q, want some of: delta, max, decision, site, importance, "+
				"percentile, each once", o.scores)
		}
		run.scores = append(run.scores, variantScores[i])
	}
	switch {
	case o.context > 0 && !run.has(decisionScore, siteScore, importanceScore):
		return cli.Usagef("--context without decision, site or importance among --scores")
	case !run.has(percentileScore) && (c.Given("null") || o.nullFile != ""):
		return cli.Usagef("--null and --null-file need percentile among --scores")
	}
	if err := o.shard.Check(c, &o.output); err != nil {
		return err
	}
	m, err := run.load()
	if err != nil {
		return err
	}
	reference, err := genome.Open(o.genome, m.Input.Reading.Case())
	if err != nil {
		return err
	}
	defer reference.Close() // it was only read
	var names *seqio.LabelTable
	if o.chromosomes != "" {
		if names, err = cli.Read(c, o.chromosomes, seqio.ReadNames); err != nil {
			return err
		}
	}
	run.genome = genome.NewRenamed(reference, names)
	if run.has(percentileScore) {
		if err := run.readNull(); err != nil {
			return err
		}
	}
	c.Stage("scoring")
	raw, release := c.Open(c.Args[0])
	in, err := genome.NewVCFReader(raw, cli.InputName(c.Args[0]))
	if err != nil {
		release()
		return err
	}
	defer in.Close()
	defer release() // first: the reader may be waiting for more
	run.in, in.Keep = in, o.format == VCF || o.shard.Given()
	if err := o.write(run); err != nil {
		return err
	}
	run.say()
	return nil
}

// has reports whether one of some scores is wanted.
func (r *variantRun) has(names ...string) bool {
	return slices.ContainsFunc(r.scores, func(s variantScore) bool { return slices.Contains(names, s.name) })
}

// say says what was done with which variants.
func (r *variantRun) say() {
	if names := r.genome.Differing(); len(names) > 0 {
		r.c.Note("chromosomes have other names in %s: %s", r.options.genome, cli.ListNames(names))
	}
	for _, m := range r.models {
		if r.options.context == 0 && r.has(decisionScore, siteScore, importanceScore) {
			r.c.Note("%s: decision, site and importance are of %d letters around an allele", cli.InputName(m.path), m.context)
		}
	}
	if r.skipped > 0 {
		r.c.Say("seqsvm: skipped alleles that are not sequences of A, C, G and T (symbolic ones, breakends, *, N, more "+
			"than 64 readings of codes, or codes in REF): %d", r.skipped)
	}
	if r.misfits.LeftOut() > 0 {
		r.c.Warn("%s", r.misfits.Text("variants", r.options.genome))
	}
}

// write writes both tables.
func (o *variantsOptions) write(run *variantRun) (err error) {
	main := func() error {
		if o.output.Parquet() && !o.shard.Given() {
			return o.output.WriteTable(o.format, func(t *cli.Table) {
				run.table = t
				t.Err = run.writeAll(nil)
			})
		}
		if err := o.output.Write(run.writeAll); err != nil || !o.shard.Given() {
			return err
		}
		return run.endShard()
	}
	if !o.leftOut.Given() {
		return main()
	}
	return o.leftOut.WriteTable(cli.TSV, func(t *cli.Table) {
		t.Header("line", "id", "chrom", "pos", "ref", "alt", "reason")
		run.leftOut = t
		t.Err = cmp.Or(main(), t.Err)
	})
}

// endShard writes the note of the shard.
func (r *variantRun) endShard() error {
	files, names := []string{r.options.genome}, []string(nil)
	for _, m := range r.models {
		files, names = append(files, m.path), append(names, m.name)
	}
	return r.options.shard.End(r.c, (r.read+variantPiece-1)/variantPiece, files,
		shards.Value{Name: "input", Value: r.seen.String()}, shards.Value{Name: "names", Value: strings.Join(names, " ")})
}

// load reads the models. It returns the first one, which has the alphabet and the case of all.
func (r *variantRun) load() (first *model.Model, err error) {
	arguments := r.options.models
	if len(arguments) == 0 {
		arguments = []string{""} // an error of input.Model
	}
	for _, argument := range arguments {
		name, path, named := input.NameOf(argument)
		source := input.Model{Path: path}
		scorer, m, err := loadKmers(r.c, &source)
		if err != nil {
			return nil, err
		}
		first = cmp.Or(first, m)
		x := &variantModel{path: path, scorer: scorer}
		if named || len(arguments) > 1 {
			x.name = name
		}
		switch {
		case scorer.Alphabet() != stringkernel.DNA:
			err = fmt.Errorf("the model is of %s, want dna", scorer.Alphabet())
		case m.Input.Reading.Case() != first.Input.Reading.Case():
			err = fmt.Errorf("the model and %s differ in soft-mask; want a run for each", r.models[0].path)
		case r.has(importanceScore) && !scorer.Explains():
			err = fmt.Errorf("the kernel %s has no contributions of positions, so no importance", m.Kernel)
		case slices.Contains(variantColumns, any(x.name)) ||
			slices.ContainsFunc(r.models, func(o *variantModel) bool { return o.field("") == x.field("") }):
			err = fmt.Errorf("%s is the name of another column; want -m NAME=FILE", x.name)
		}
		if err != nil {
			return nil, cli.InFile(cli.InputName(path), err)
		}
		x.context = cmp.Or(r.options.context, m.Training.Window)
		if x.context == 0 && m.Drift != nil {
			x.context = m.Drift.MedianLength()
		}
		x.context = cmp.Or(x.context, 2*scorer.Length()-1)
		r.models, r.around = append(r.models, x), max(r.around, scorer.Length()-1)
		if r.has(decisionScore, siteScore, importanceScore) {
			r.around = max(r.around, scorer.Around(x.context))
		}
	}
	return first, nil
}

// readNull has the models compare with random variants, or with those of a file.
func (r *variantRun) readNull() (err error) {
	r.c.Stage("random variants")
	if r.options.nullFile == "" {
		err = kmers.RandomSNVs(r.c.Context, r.genome, r.genome.Names(), r.options.null, r.c.Seed, r.around,
			func(sites []kmers.Site) {
				for _, m := range r.models {
					for i, delta := range m.scorer.Deltas(nil, sites) {
						m.null.Add(sites[0].Variant.Ref, sites[0].Alts[i].Text, delta)
					}
				}
			})
	} else {
		_, err = cli.Read(r.c, r.options.nullFile, r.readNullFile)
	}
	for _, m := range r.models {
		m.null.Sort()
	}
	return err
}

// readNullFile reads a table that variants wrote.
func (r *variantRun) readNullFile(in io.Reader, name string) (_ struct{}, err error) {
	text, err := seqio.Decompress(in, name)
	if err != nil {
		return struct{}{}, err
	}
	defer text.Close()
	columns := []string{"ref", "alt"}
	for _, m := range r.models {
		columns = append(columns, strings.TrimPrefix(m.name+":delta", ":"))
	}
	places, table := make([]int, len(columns)), csv.NewReader(text)
	table.Comma, table.LazyQuotes = '\t', true
	for line := 1; ; line++ {
		cells, err := table.Read()
		if err == io.EOF && line > 2 {
			return struct{}{}, nil
		}
		if err == io.EOF {
			err = errors.New("no variants, want a table that variants wrote")
		}
		for i := range places {
			if line == 1 {
				places[i] = slices.Index(cells, columns[i])
			}
		}
		if err == nil && slices.Min(places) < 0 {
			err = fmt.Errorf("no columns %s, want a table that variants wrote", strings.Join(columns, ", "))
		}
		for i := 0; i < len(r.models) && err == nil && line > 1; i++ {
			var delta float64
			delta, err = strconv.ParseFloat(cells[places[i+2]], 64)
			r.models[i].null.Add(cells[places[0]], cells[places[1]], delta)
		}
		if err != nil {
			return struct{}{}, &seqio.Error{File: name, Line: line, Err: err}
		}
	}
}
