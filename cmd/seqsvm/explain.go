package main

import (
	"context"
	"fmt"
	"slices"
	"unicode/utf8"

	"github.com/seqsvm/seqsvm/cmd/seqsvm/internal/cli"
	"github.com/seqsvm/seqsvm/cmd/seqsvm/internal/input"

	"github.com/seqsvm/seqsvm/bow"
	"github.com/seqsvm/seqsvm/catalog"
	"github.com/seqsvm/seqsvm/classify"
	"github.com/seqsvm/seqsvm/internal/parallel"
	"github.com/seqsvm/seqsvm/stringkernel"
)

// explainOptions are the options of explain.
type explainOptions struct {
	input.Model
	input.Reading
	reportOptions
	class     string
	top       int
	minLength int
	unit      string
}

func explainCommand() *cli.Command {
	o := new(explainOptions)
	return &cli.Command{
		Name:     "explain",
		Usage:    "explain decisions by position, by word, or by the strongest features",
		Example:  "seqsvm explain -m promoters.seqsvm --top 10",
		Operands: "-m MODEL [--top N] [FILE…]",
		Description: `Writes the exact contribution of every position of a record, or of every word for the words kernel;
with the bias they sum to the decision. Rows are id, position (of the first byte, 1-based), letter or
word, and contribution; json has id, class, decision, bias and contributions per record. Without
--class these are class and decision of predict: of two classes the decision is that of the positive
one, otherwise that of the predicted class. One-vs-one, it is the sum over the class's pairs, since votes have no such
explanation.
With --top and files: the N features that contribute most to each record, in either direction, with the
weight of an occurrence, the number of support vectors that contain it (NA: unknown), its count and its
contribution. Without files: the N features of the model with the greatest weights and the N with
the least negative ones, for each class (the positive one of two), without the norm of a record.
Substrings that always occur together are one feature, under the longest; k-mers of gapped and mismatch
kernels are those of seqsvm kmers; with both strands a k-mer represents its reverse complement too.
Bytes that are not printable are \x and two digits; ^ and $ mark the ends of a record.`,
		Flags: func(f *cli.Flags) {
			o.Model.Flags(f)
			f.Section("Explanation")
			f.String(&o.class, "class", "", "`CLASS` whose decision is explained")
			f.Int(&o.top, "top", 0, "list the `N` strongest features").AtLeast(1).Default("10 without files")
			f.Int(&o.minLength, "min-length", 1, "with --top: omit features of fewer than `N` characters").AtLeast(1)
			f.Choice(&o.unit, "unit", "unit of contributions: position, word (segments of UAX #29, also for "+
				"substring kernels on text), or auto: word if all kernels "+
				"are of words", "auto", "position", "word")
			o.RecordFlags(f)
			o.AlphabetFlags(f)
			o.StrictFlag(f)
			o.reportOptions.flags(f)
		},
		Run: o.run,
	}
}

// modelFeatures is the number of features of the model without --top and files.
const modelFeatures = 10

func (o *explainOptions) run(c *cli.Call) error {
	if o.top == 0 && len(c.Args) == 0 {
		o.top = modelFeatures
	}
	switch {
	case o.top > 0 && c.Given("unit"):
		return cli.Usagef("--unit cannot be used with --top: features have no position")
	case o.top == 0 && c.Given("min-length"):
		return cli.Usagef("--min-length needs --top")
	}
	return c.WithOutputs(func() error {
		e, err := newExplanation(c, o)
		if err != nil {
			return err
		}
		c.Stage("explaining")
		return o.output.WriteTable(o.format, func(t *cli.Table) {
			if len(c.Args) == 0 {
				t.Err = e.writeModel(t)
			} else {
				t.Err = e.writeRecords(t)
			}
		})
	}, &o.output)
}

// explanation is a model and how to explain its decisions.
type explanation struct {
	*input.Application
	explainer stringkernel.Explainer                 // nil if the scorer has none
	lister    stringkernel.FeatureLister             // nil if the scorer has none
	class     int                                    // whose decision is explained, −1 for the predicted one
	chosen    bool                                   // by --class
	spans     func(x []byte, visit func(lo, hi int)) // units of contributions; nil for letters
	top       int                                    // number of features, 0 for contributions
	least     int                                    // least number of characters of a feature
}

func newExplanation(c *cli.Call, o *explainOptions) (*explanation, error) {
	a, err := input.NewApplication(c, &o.Model, &o.Reading)
	if err != nil {
		return nil, err
	}
	e := &explanation{Application: a, class: -1, chosen: o.class != "", top: o.top, least: o.minLength}
	e.explainer = stringkernel.ExplainerOf(a.Classifier.Scorer)
	e.lister = stringkernel.FeatureListerOf(a.Classifier.Scorer)
	terms := a.Suspects.Spec.Terms
	switch {
	case e.top > 0 && e.lister == nil:
		hint := ""
		if terms[0].Name == "wd" {
			hint = "; seqsvm poim ranks its k-mers by position"
		}
		err = fmt.Errorf("the kernel %s has no list of features%s", a.Suspects.Spec, hint)
	case e.top == 0 && e.explainer == nil:
		err = fmt.Errorf("the kernel %s has no contributions of positions", a.Suspects.Spec)
	}
	if err != nil {
		return nil, cli.InFile(cli.InputName(o.Model.Path), err)
	}
	rule := &a.Classifier.Rule
	if o.class != "" || rule.Single() {
		if e.class, err = input.ChosenClass(o.class, rule); err != nil {
			return nil, err
		}
	}
	e.spans, err = chosenSpans(o.unit, terms)
	return e, err
}

// chosenSpans returns the units of --unit. auto is words if all kernels are of words.
func chosenSpans(unit string, terms []catalog.Term) (spans func(x []byte, visit func(lo, hi int)), err error) {
	if unit == "position" {
		return nil, nil
	}
	if unit == "word" {
		return bow.EachWord, nil
	}
	for _, t := range terms {
		if spans = stringkernel.TraitsOf(t.Kernel).EachUnit; spans == nil {
			return nil, nil
		}
	}
	return spans, nil
}

// explained is the explanation of a record.
type explained struct {
	class          int // that is predicted, or that of --class
	decision, bias float64
	positions      []int // of the first bytes of the units, 1-based
	units          []string
	contributions  []float64
	features       []stringkernel.Feature
	unknown        bool // the sequence has no feature of the model
}

// explain explains the decision on one sequence.
func (e *explanation) explain(x []byte) (r explained) {
	scorer := e.Classifier.Scorer
	scores := make([]float64, scorer.Outputs())
	scorer.ScoreTo(scores, x)
	r.unknown = e.Classifier.Unknown(x, scores)
	r.class = e.Classifier.Combine(scores).Class
	decided := r.class
	if e.class >= 0 {
		decided = e.class
	}
	if e.chosen {
		r.class = decided
	}
	var terms []classify.Term
	terms, r.bias = e.Classifier.Terms(decided)
	r.decision = stringkernel.Mix(mixOf(terms, len(scores)), scores) + r.bias
	if e.top > 0 {
		r.features = e.featuresOf(mixOf(terms, len(scores)), x)
		return r
	}
	letters, one := make([]float64, len(x)), make([]float64, len(x))
	for _, t := range terms {
		e.explainer.ExplainTo(one, t.Machine, x)
		for i, value := range one {
			letters[i] += float64(t.Sign * value)
		}
	}
	r.collect(e.spans, x, letters)
	return r
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

// mixOf returns a class's decision without the bias as a linear combination of the machines' scores.
func mixOf(terms []classify.Term, machines int) []float64 {
	mix := make([]float64, machines)
	for _, t := range terms {
		mix[t.Machine] += t.Sign
	}
	return mix
}

// collect sums the contributions of letters by unit. Letters between units, where an entry of a dictionary has several
// words, count for the unit before them.
func (r *explained) collect(spans func(x []byte, visit func(lo, hi int)), x []byte, letters []float64) {
	if spans == nil {
		spans = eachLetter
	}
	spans(x, func(lo, hi int) {
		r.positions, r.units = append(r.positions, lo+1), append(r.units, stringkernel.Readable(string(x[lo:hi])))
	})
	for k, from := 0, 0; k < len(r.units); k++ {
		end := len(x)
		if k+1 < len(r.units) {
			end = r.positions[k+1] - 1
		}
		sum := 0.0
		for _, value := range letters[from:end] {
			sum += value
		}
		r.contributions = append(r.contributions, sum)
		from = end
	}
}

// eachLetter makes every letter a unit.
func eachLetter(x []byte, visit func(lo, hi int)) {
	for i := range x {
		visit(i, i+1)
	}
}

// explainRound is how many records are explained before they are written.
const explainRound = 64

// eachRecord explains the records of a batch on all processors and calls visit for each in order.
func (e *explanation) eachRecord(ctx context.Context, corpus *stringkernel.Corpus,
	visit func(r explained) error) error {
	for lo := 0; lo < corpus.Len(); lo += explainRound {
		round := make([]explained, min(explainRound, corpus.Len()-lo))
		err := parallel.Do(ctx, len(round), func(i int) error {
			round[i] = e.explain(corpus.Seq(lo + i))
			return nil
		})
		if err != nil {
			return err
		}
		for _, r := range round {
			if err := e.Scored(r.unknown); err != nil {
				return err
			}
			if err := visit(r); err != nil {
				return err
			}
		}
		e.Done(lo+len(round), corpus.Len())
	}
	return nil
}
