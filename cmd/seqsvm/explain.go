package main

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"sync/atomic"
	"unicode/utf8"

	"github.com/seqsvm/seqsvm/bow"
	"github.com/seqsvm/seqsvm/classify/decide"
	"github.com/seqsvm/seqsvm/cmd/seqsvm/internal/cli"
	"github.com/seqsvm/seqsvm/cmd/seqsvm/internal/genomic"
	"github.com/seqsvm/seqsvm/cmd/seqsvm/internal/input"
	"github.com/seqsvm/seqsvm/cmd/seqsvm/internal/tag"
	"github.com/seqsvm/seqsvm/internal/answer"
	"github.com/seqsvm/seqsvm/internal/parallel"
	"github.com/seqsvm/seqsvm/report/figure"
	"github.com/seqsvm/seqsvm/spectrum/gapped"
	"github.com/seqsvm/seqsvm/stringkernel"
	"github.com/seqsvm/seqsvm/stringkernel/compose"
)

// explainOptions are the options of explain.
type explainOptions struct {
	input.Model
	input.Reading
	format    string
	output    cli.Output
	pictures  cli.Pictures
	class     string
	top       int
	minLength int
	unit      string

	hypothetical, mutagenesis bool
	method, mode              string
	center                    int
	oneHot                    cli.Output
	regions                   string
	browser                   genomic.Browser
}

func (o *explainOptions) Flags(f *cli.Flags) {
	o.Model.Flags(f)
	f.Section("Explanation")
	f.String(&o.class, "class", "", "`CLASS` whose decision is explained")
	f.Int(&o.top, "top", 0, "list the `N` strongest features").AtLeast(1).
		Default("10 without files, and of numbers beside the letters")
	f.Int(&o.minLength, "min-length", 1, "with --top: omit features of fewer than `N` characters").AtLeast(1)
	f.Choice(&o.unit, "unit", "unit of contributions: position, word (segments of UAX #29, also for "+
		"substring kernels on text), or auto: word if all kernels "+
		"are of words", "auto", "position", "word")
	f.Bool(&o.hypothetical, "hypothetical", "contribution of each position with each base")
	f.Bool(&o.mutagenesis, "mutagenesis", "change of the decision by each base at each position")
	f.Choice(&o.method, "method", "contributions and changes of this program, or the numbers of gkmexplain, for "+
		"gapped and mismatch on DNA", ownMethod, gkmexplainMethod)
	f.Choice(&o.mode, "mode", "importance, hypothetical, deep-hypothetical, perturbation or "+
		"deep-perturbation: modes 0 to 4 of gkmexplain", gapped.Modes...).Needs("method")
	f.Int(&o.center, "center", 0, "in arrays (npz) only these `LETTERS` in the middle of each record").AtLeast(1).
		Default("all")
	f.String(&o.regions, "regions", "", "BED `FILE` of the records' places in the genome, in their order").
		Default("the ids").Reads(&o.regions)
	o.RecordFlags(f)
	o.StrictFlag(f)
	f.Format(&o.format, "format: tsv, json (docs/json.md), npz, bedgraph or bigwig", cli.TSV, cli.JSON, cli.NPZ,
		genomic.BedGraph, genomic.BigWig)
	f.Output(&o.output, "output,o", "`FILE` to write")
	f.File(&o.oneHot, "one-hot", "`FILE` for the bases of the records as an array (npz)").Holds(cli.NPZ)
	o.browser.Flags(f)
	o.pictures.Flags(f, "`FILE` for a picture: letters drawn to height, words on colours, or with --hypothetical, "+
		"--mutagenesis or --method a heat map")
}

// The values of --method.
const (
	ownMethod        = "own"
	gkmexplainMethod = "gkmexplain"
)

// modelFeatures is the number of features of the model without --top and files.
const modelFeatures = 10

func (o *explainOptions) Run(c *cli.Call) error {
	if o.Tags(c) {
		return tag.Explain(c, o.Path, o.class, o.top, o.format, &o.output)
	}
	if o.top == 0 && len(c.Args) == 0 {
		o.top = modelFeatures
	}
	if err := o.check(c); err != nil {
		return err
	}
	e, err := newExplanation(c, o)
	if err != nil {
		return err
	}
	if o.pictures.Wanted() {
		e.tracks = &trackPicture{Grid: figure.Grid{Columns: 1}}
	}
	c.Stage("explaining")
	switch {
	case o.substitutes() || o.format == cli.NPZ:
		err = o.runSubstitutions(e)
	case o.ofGenome():
		return e.writeGenome(o)
	default:
		err = o.output.WriteTable(o.format, func(t *cli.Table) {
			if len(c.Args) == 0 {
				t.Err = e.writeModel(t)
			} else {
				t.Err = e.writeRecords(t)
			}
		})
	}
	if err != nil || e.tracks == nil {
		return err
	}
	e.tracks.warn(c)
	figure.OneScale(e.tracks.Panels)
	return o.pictures.Draw(e.tracks)
}

// substitutes reports whether letters are replaced.
func (o *explainOptions) substitutes() bool {
	return o.hypothetical || o.mutagenesis || o.method == gkmexplainMethod
}

// ofGenome reports whether contributions go to positions of a genome.
func (o *explainOptions) ofGenome() bool {
	return o.format == genomic.BedGraph || o.format == genomic.BigWig
}

// check finds options that contradict each other before any file is read.
func (o *explainOptions) check(c *cli.Call) error {
	ofLetters := o.substitutes() || o.ofGenome() || o.format == cli.NPZ
	switch {
	case o.top > 0 && c.Given("unit"):
		return cli.Usagef("--unit cannot be used with --top: features have no position")
	case o.top == 0 && c.Given("min-length"):
		return cli.Usagef("--min-length needs --top")
	case o.pictures.Wanted() && (o.top > 0 || o.ofGenome() || o.format == cli.NPZ && !o.substitutes()):
		return cli.Usagef("--plot draws letters and words of records: want records, and no --top, --format npz or one of a " +
			"genome")
	case ofLetters && len(c.Args) == 0:
		return cli.Usagef("no input file, want the records to explain")
	case ofLetters && (o.top > 0 || o.unit == "word"):
		return cli.Usagef("--top and --unit word are of features and words, and this output is of letters")
	case o.hypothetical && o.mutagenesis:
		return cli.Usagef("--hypothetical and --mutagenesis are two tables, want one of them")
	case o.method == gkmexplainMethod && (o.hypothetical || o.mutagenesis):
		return cli.Usagef("--hypothetical and --mutagenesis are of --method own; --method gkmexplain has --mode")
	case o.substitutes() && (o.ofGenome() || o.format == cli.JSON):
		return cli.Usagef("--format %s cannot be used with --hypothetical, --mutagenesis and --method gkmexplain, want "+
			"tsv or npz", o.format)
	case o.format != cli.NPZ && (o.center > 0 || o.oneHot.Given()):
		return cli.Usagef("--center and --one-hot need --format npz")
	case !o.ofGenome() && o.regions != "":
		return cli.Usagef("--regions needs --format bedgraph or bigwig")
	}
	return o.browser.Check(c, o.format, &o.output)
}

// runSubstitutions writes what letters would do in place of others.
func (o *explainOptions) runSubstitutions(e *explanation) error {
	bases, err := basesOf(e.Model.Kernel.Alphabet())
	switch {
	case err != nil:
		return err
	case o.format == cli.NPZ:
		return o.writeArrays(e, bases)
	}
	return o.output.WriteTable(o.format, func(t *cli.Table) { t.Err = o.writeSubstitutions(e, bases, t) })
}

// explanation is a model and how to explain its decisions.
type explanation struct {
	*input.Application
	explainer answer.Explainer
	lister    stringkernel.FeatureLister // nil if the scorer has none
	top       int                        // number of features, 0 for contributions
	columns   []string                   // of a feature
	least     int                        // least number of characters of a feature
	tracks    *trackPicture              // nil if there is no picture to draw
	others    atomic.Int64               // letters that were read as A
}

func newExplanation(c *cli.Call, o *explainOptions) (*explanation, error) {
	a, err := input.NewApplication(c, &o.Model, &o.Reading)
	if err != nil {
		return nil, err
	}
	e := &explanation{Application: a, top: o.top, least: o.minLength}
	e.explainer = answer.Explainer{Classifier: a.Classifier, Class: -1, Chosen: o.class != ""}
	e.lister = stringkernel.FeatureListerOf(a.Classifier.Scorer)
	terms := a.Suspects.Spec.Terms
	ofLetters := o.substitutes() || o.ofGenome() || o.format == cli.NPZ || o.pictures.Wanted() || c.Given("unit")
	if len(a.Suspects.Spec.Columns()) > 0 && e.top == 0 && !ofLetters { // numbers have no position
		e.top = modelFeatures
	}
	switch {
	case a.Classifier.Ball && !o.mutagenesis:
		err = decide.ErrBall
	case e.top > 0 && e.lister == nil:
		hint := ""
		if _, ok := compose.Raw(a.Classifier.Scorer).(positional); ok {
			hint = "; seqsvm model poim ranks its k-mers by position"
		}
		err = fmt.Errorf("the kernel %s has no list of features%s", a.Suspects.Spec, hint)
	case e.top == 0 && !o.mutagenesis && o.method == ownMethod && stringkernel.ExplainerOf(a.Classifier.Scorer) == nil:
		err = fmt.Errorf("the kernel %s has no contributions of positions", a.Suspects.Spec)
	}
	if err != nil {
		return nil, cli.InFile(cli.InputName(o.Model.Path), err)
	}
	rule := &a.Classifier.Rule
	if o.class != "" || rule.Single() {
		if e.explainer.Class, err = input.ChosenClass(c, o.class, rule); err != nil {
			return nil, err
		}
	}
	switch o.unit {
	case "word":
		e.explainer.Spans = bow.EachWord
	case "auto":
		if !o.ofGenome() && o.format != cli.NPZ {
			e.explainer.Spans = answer.UnitsOf(terms)
		}
	}
	return e, nil
}

// explained is the explanation of a record by its units, or by its strongest features.
type explained struct {
	answer.Explanation
	letters  []byte
	features []stringkernel.Feature
}

// explain explains the decision on one sequence.
func (e *explanation) explain(x []byte) explained {
	if e.top == 0 {
		return explained{Explanation: e.explainer.Explain(x), letters: x}
	}
	r := e.explainer.Decide(x)
	return explained{r, x, e.featuresOf(r.Mix, x)}
}

// featuresOf lists the strongest features of a sequence that are long enough.
func (e *explanation) featuresOf(mix []float64, x []byte) []stringkernel.Feature {
	if e.least == 1 {
		return e.lister.FeaturesOf(mix, x, e.top)
	}
	return stringkernel.StrongestContributions(e.long(e.lister.FeaturesOf(mix, x, stringkernel.AllFeatures)), e.top)
}

// topFeatures lists the strongest features of the model that are long enough. It asks for more and more features until
// enough are left.
func (e *explanation) topFeatures(mix []float64) []stringkernel.Feature {
	before := -1
	for n := e.top; ; n *= 4 {
		all := e.lister.TopFeatures(mix, n)
		kept := stringkernel.StrongestWeights(e.long(all), e.top)
		if len(kept) == 2*e.top || len(all) == before || n > stringkernel.AllFeatures/4 {
			return kept
		}
		before = len(all)
	}
}

// long returns the features that are long enough.
func (e *explanation) long(features []stringkernel.Feature) []stringkernel.Feature {
	return slices.DeleteFunc(features,
		func(f stringkernel.Feature) bool { return utf8.RuneCountInString(f.Text) < e.least })
}

// explainRound is how many records are explained before they are written.
const explainRound = 64

// eachBatch visits the operands, batch by batch, unless contributions of a record would take too much memory.
func (e *explanation) eachBatch(visit func(data *input.Records) error) error {
	return e.EachBatch(predictBatch, func(data *input.Records) error {
		if err := data.CheckMemory("contributions", 72); err != nil {
			return err
		}
		return visit(data)
	})
}

// eachRecord explains the records of a batch on all processors and calls visit for each in order.
func (e *explanation) eachRecord(ctx context.Context, corpus *stringkernel.Corpus,
	visit func(r explained) error) error {
	return eachOf(ctx, e, corpus, func(x []byte) (explained, bool, error) {
		r := e.explain(x)
		return r, r.Unknown, nil
	}, func(_ int, r explained) error { return visit(r) })
}

// eachOf calls explain for the records of a batch on all processors, which says too whether a record has no feature of
// the model, and visit with what it returns for each, in order.
func eachOf[T any](ctx context.Context, e *explanation, corpus *stringkernel.Corpus,
	explain func(x []byte) (r T, unknown bool, err error), visit func(i int, r T) error) error {
	for lo := 0; lo < corpus.Len(); lo += explainRound {
		round := make([]T, min(explainRound, corpus.Len()-lo))
		unknown := make([]bool, len(round))
		err := parallel.Do(ctx, len(round), func(i int) (err error) {
			round[i], unknown[i], err = explain(corpus.Seq(lo + i))
			return err
		})
		if err != nil {
			return err
		}
		for i, r := range round {
			if err := e.Scored(unknown[i]); err != nil {
				return err
			}
			if err := visit(lo+i, r); err != nil {
				return err
			}
		}
		e.Done(lo+len(round), corpus.Len())
	}
	return nil
}

// writeRecords explains the operands, batch by batch.
func (e *explanation) writeRecords(t *cli.Table) error {
	write := e.recordWriter(t)
	e.Suspects.Training = input.NewTrainingData(e.Model)
	err := e.eachBatch(func(data *input.Records) error {
		return e.eachRecord(e.Reader.Call.Context, data.Corpus, write)
	})
	if err == nil {
		e.Suspects.WarnKnown(e.Reader.Call, "decisions on new data are less certain")
	}
	return err
}

// recordWriter returns a function that writes the rows of a record, or its object.
func (e *explanation) recordWriter(t *cli.Table) func(r explained) error {
	switch {
	case e.top > 0:
		t.Header(e.Names.Columns(), "class", e.featureColumns("per_occurrence"), "count", "contribution")
	case e.explainer.Spans != nil:
		t.Header(append(e.Names.Columns(), "position", "word", "contribution")...)
	default:
		t.Header(append(e.Names.Columns(), "position", "letter", "contribution")...)
	}
	return func(r explained) error {
		name := e.Names.Next()
		e.draw(name.ID, r)
		if t.JSON() {
			t.Object(e.recordEntry(name, r))
			return t.Err
		}
		for _, f := range e.featureEntries(r.features, true) {
			t.Row(e.Names.Cells(name, e.Classifier.Classes[r.Class], e.cells(&f), *f.Count, *f.Contribution)...)
		}
		for i, value := range r.Contributions {
			t.Row(e.Names.Cells(name, r.Positions[i], r.Units[i], value)...)
		}
		return t.Err
	}
}

// kernelName names a term of the model's kernel, with its number if there are several.
func (e *explanation) kernelName(term int) string {
	terms := e.Suspects.Spec.Terms
	if len(terms) == 1 {
		return terms[0].Name
	}
	return fmt.Sprintf("%d:%s", term+1, terms[term].Name)
}

// recordFeatures is a line of explain --top --format json.
type recordFeatures struct {
	answer.Explained
	Features []featureEntry `json:"features"`
}

// featureEntry is a feature in json. A feature of the model has a weight, one of a record what an occurrence adds: of
// substrings that always occur together, the weight of one and the sum of theirs.
type featureEntry struct {
	Kernel        string   `json:"kernel"`
	Feature       string   `json:"feature"`
	Weight        *float64 `json:"weight,omitempty"`
	PerOccurrence *float64 `json:"per_occurrence,omitempty"`
	Support       *int     `json:"support"` // null: not known
	Count         *int     `json:"count,omitempty"`
	Contribution  *float64 `json:"contribution,omitempty"`
}

func (e *explanation) featureEntries(features []stringkernel.Feature, ofRecord bool) []featureEntry {
	list := make([]featureEntry, len(features))
	for i, f := range features {
		list[i] = featureEntry{Kernel: e.kernelName(f.Term), Feature: stringkernel.Readable(f.Text)}
		if f.Support > 0 {
			list[i].Support = &f.Support
		}
		if ofRecord {
			list[i].PerOccurrence, list[i].Count, list[i].Contribution = &f.Weight, &f.Count, &f.Contribution
		} else {
			list[i].Weight = &f.Weight
		}
	}
	return list
}

// featureColumns are kernel, feature, weight or what an occurrence adds, and support unless that is not known: of one
// kernel alone, that of all features is, or of none.
func (e *explanation) featureColumns(weight string) []string {
	terms, _ := e.Classifier.Terms(0)
	first := e.lister.TopFeatures(answer.MixOf(terms, len(e.Classifier.Machines)), 1)
	e.columns = []string{"kernel", "feature", weight, "support"}
	if len(e.Suspects.Spec.Terms) == 1 && len(first) > 0 && first[0].Support == 0 {
		e.columns = e.columns[:3]
	}
	return e.columns
}

// cells are those of featureColumns.
func (e *explanation) cells(f *featureEntry) []any {
	cells := []any{f.Kernel, f.Feature, *cmp.Or(f.Weight, f.PerOccurrence), nil}
	if f.Support != nil {
		cells[3] = *f.Support
	}
	return cells[:len(e.columns)]
}

// recordEntry is the object of a record.
func (e *explanation) recordEntry(name answer.Name, r explained) any {
	if e.top == 0 {
		return e.explainer.ExplainedUnits(name, &r.Explanation)
	}
	return recordFeatures{e.explainer.Explained(name, &r.Explanation), e.featureEntries(r.features, true)}
}

// classExplanation is a line of explain --top --format json without files.
type classExplanation struct {
	Class    string         `json:"class"`
	Bias     float64        `json:"bias"`
	Features []featureEntry `json:"features"`
}

// writeModel lists the strongest features of the class asked about, or of all.
func (e *explanation) writeModel(t *cli.Table) error {
	t.Header("class", e.featureColumns("weight"))
	found := 0
	for class, name := range e.Classifier.Classes {
		if e.explainer.Class >= 0 && class != e.explainer.Class {
			continue
		}
		if err := e.Reader.Call.Context.Err(); err != nil {
			return err
		}
		terms, bias := e.Classifier.Terms(class)
		features := e.featureEntries(e.topFeatures(answer.MixOf(terms, len(e.Classifier.Machines))), false)
		found += len(features)
		if t.JSON() {
			t.Object(classExplanation{name, bias, features})
			continue
		}
		for _, f := range features {
			t.Row(name, e.cells(&f))
		}
	}
	if found == 0 {
		e.Reader.Call.Warn("the model has no feature to list: of substrings, those that occur twice in the support vectors "+
			"are listed, of other features those with a weight, and all have at least --min-length %d characters; with "+
			"files, --top lists the features of records", e.least)
	}
	return t.Err
}

// trackPicture is a picture of the first records, as many as there is room for.
type trackPicture struct {
	figure.Grid
	rows, drawn, records int
}

// mostTrackRows is the number of rows in a picture, some thousand pixels of height; rowWords that of words in a row, on
// average at least.
const mostTrackRows, rowWords = 60, 12

// add adds a panel of the first of n units of a record, of which a row has so many, if there is room for them.
func (k *trackPicture) add(n, perRow int, panel func(first int, note string) figure.Figure) {
	if k == nil {
		return
	}
	k.records++
	rows, note := max(1, (n+perRow-1)/perRow), ""
	if k.rows+rows > mostTrackRows && k.drawn > 0 || k.drawn < k.records-1 {
		return
	}
	if most := mostTrackRows * perRow; n > most {
		rows, n, note = mostTrackRows, most, fmt.Sprintf("; the first %d of %d", most, n)
	}
	k.rows, k.drawn, k.Panels = k.rows+rows, k.drawn+1, append(k.Panels, panel(n, note))
}

// draw adds the contributions of a record to the picture, if there is one and it has room.
func (e *explanation) draw(id string, r explained) {
	note := fmt.Sprintf("class %s, decision %.4g", e.Classifier.Classes[r.Class], r.Decision)
	if e.explainer.Spans != nil {
		e.tracks.add(len(r.Units), rowWords, func(n int, more string) figure.Figure {
			return figure.Words{Title: id, Note: note + more, Words: r.Units[:n], Values: r.Contributions[:n]}
		})
		return
	}
	e.tracks.add(len(r.letters), figure.RowLetters, func(n int, more string) figure.Figure {
		return figure.Track{
			Title: id, Note: note + more, Alphabet: e.Suspects.Spec.Alphabet(), Letters: slices.Clone(r.letters[:n]),
			Values: r.Contributions[:n],
		}
	})
}

// warn says how many records had no room.
func (k *trackPicture) warn(c *cli.Call) {
	if k.drawn < k.records {
		c.Warn("the picture has the first %d of %d records: it has room for %d rows of %d letters or %d words", k.drawn,
			k.records, mostTrackRows, figure.RowLetters, rowWords)
	}
}
