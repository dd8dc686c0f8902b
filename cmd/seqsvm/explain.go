package main

import (
	"context"
	"fmt"
	"io"
	"slices"
	"unicode/utf8"

	"github.com/urfave/cli/v2"

	"github.com/seqsvm/seqsvm/bow"
	"github.com/seqsvm/seqsvm/catalog"
	"github.com/seqsvm/seqsvm/classify"
	"github.com/seqsvm/seqsvm/internal/parallel"
	"github.com/seqsvm/seqsvm/stringkernel"
)

func explainCommand() *cli.Command {
	return &cli.Command{
		Name:      "explain",
		Usage:     "say why a model decides: by position or word, and by its strongest features",
		ArgsUsage: "-m MODEL FILE…  or  -m MODEL --top N [FILE…]",
		Description: "Writes what every position of a record, or every word where the kernel is of words, adds to the decision: the exact contributions, which sum with\n" +
			"the bias to the decision. Rows are id, position (of the first byte, from 1), letter or word, and contribution; json has id, class, decision, bias and\n" +
			"contributions per record. The decision is that of --class: by default of the positive one of two classes, as predict prints it, else of the class\n" +
			"predicted. One against one, it is the sum of the class's pairs, for votes have no such explanation.\n" +
			"With --top and files: the N features that contribute most to each record, either way, with the weight of an occurrence, the support vectors that\n" +
			"have it (NA: not known), its count, and its contribution. With --top alone: the N features of the model with the greatest weights and the N with the\n" +
			"least negative ones, for each class (the positive one of two), without the norm of a record. Substrings that always occur together are one feature, under\n" +
			"the longest; words of gapped and mismatch kernels are those of seqsvm kmers; with both strands a word stands for its reverse complement too. Bytes that\n" +
			"do not print are \\x and two digits; ^ and $ are the marks of a record's ends.",
		Flags: join([]cli.Flag{
			modelFlag(),
			&cli.StringFlag{Name: "class", Usage: "`CLASS` whose decision is explained"},
			&cli.IntFlag{Name: "top", Usage: "list the `N` strongest features"},
			&cli.IntFlag{Name: "min-length", Value: 1, Usage: "with --top: leave out features of fewer characters than `N`, single letters for example"},
			&cli.StringFlag{Name: "unit", Value: "auto", Usage: "position, word (segments of UAX #29: of substring kernels on texts, too), or auto: word if all kernels are of words"},
			formatFlag("tsv or json", "tsv"), outputFlag("`FILE` to write, standard output by default"),
		}, readingFlags(), documentFlags(), treeFlags(), sharedFlags()),
		Action: explain,
	}
}

func explain(c *cli.Context) error {
	format, err := checkExplain(c)
	if err != nil {
		return err
	}
	out, err := openOutputs(c, "output")
	if err != nil {
		return err
	}
	defer out.abort() // after commit it does nothing
	e, err := newExplanation(c)
	if err != nil {
		return err
	}
	err = out.write("output", func(w io.Writer) error {
		if c.NArg() == 0 {
			return e.writeModel(w, format)
		}
		return e.writeRecords(w, format)
	})
	if err != nil {
		return err
	}
	e.suspects.warn(c)
	return out.commit()
}

// checkExplain checks the options that no model is needed for.
func checkExplain(c *cli.Context) (format string, err error) {
	switch {
	case c.IsSet("top") && c.Int("top") < 1:
		return "", usagef("--top %d, want 1 or more", c.Int("top"))
	case c.IsSet("top") && c.IsSet("unit"):
		return "", usagef("--unit beside --top, want one or the other: features have no place")
	case c.IsSet("min-length") && !c.IsSet("top"):
		return "", usagef("--min-length without --top: it is for lists of features")
	case c.Int("min-length") < 1:
		return "", usagef("--min-length %d, want 1 or more", c.Int("min-length"))
	case !c.IsSet("top") && c.NArg() == 0:
		return "", usagef("no input file, want at least one (- is standard input), or --top for the features of the model")
	}
	if _, err := choose(c, "unit", "auto", "position", "word"); err != nil {
		return "", err
	}
	return choose(c, "format", "tsv", "json")
}

// explanation is a model and what is asked about its decisions.
type explanation struct {
	*application
	class int                                    // that is asked about, −1 to choose for each record
	spans func(x []byte, visit func(lo, hi int)) // units of contributions; nil for letters
	top   int                                    // features, 0 for contributions
	least int                                    // characters of a feature
}

func newExplanation(c *cli.Context) (*explanation, error) {
	a, err := newApplication(c)
	if err != nil {
		return nil, err
	}
	e := &explanation{application: a, class: -1, top: c.Int("top"), least: c.Int("min-length")}
	terms := a.suspects.spec.Terms
	switch {
	case e.top > 0 && !stringkernel.CanListFeatures(a.classifier.Scorer):
		hint := ""
		if terms[0].Name == "wd" {
			hint = "; seqsvm poim ranks its words by position"
		}
		err = fmt.Errorf("the kernel %s has no list of features%s", kernelText(terms), hint)
	case e.top == 0 && !stringkernel.CanExplain(a.classifier.Scorer):
		err = fmt.Errorf("the kernel %s has no contributions of positions", kernelText(terms))
	}
	if err != nil {
		return nil, inFile(inputName(c.String("model")), err)
	}
	if name := c.String("class"); name != "" {
		classes := a.classifier.Classes
		if e.class = slices.Index(classes, name); e.class < 0 {
			return nil, usagef("--class %.60q, want one of: %s", name, listNames(classes))
		}
	} else if a.classifier.Scheme == classify.TwoClass {
		e.class = a.classifier.Positive
	}
	e.spans, err = chosenSpans(c, terms)
	return e, err
}

// chosenSpans returns the units of --unit. Kernels have spans in common if each is of words.
func chosenSpans(c *cli.Context, terms []catalog.Term) (spans func(x []byte, visit func(lo, hi int)), err error) {
	unit := c.String("unit")
	if unit == "position" {
		return nil, nil
	}
	if unit == "word" {
		return bow.EachWord, nil
	}
	for _, t := range terms {
		spanned, ok := t.Kernel.(stringkernel.Spanned)
		if !ok || spanned.Spans() == nil {
			return nil, nil
		}
		spans = spanned.Spans()
	}
	return spans, nil
}

// explained is what there is to say about a record.
type explained struct {
	class          int
	decision, bias float64
	starts         []int // 0-based, of the units
	units          []string
	contributions  []float64
	features       []stringkernel.Feature
}

// explain answers for one sequence.
func (e *explanation) explain(x []byte) (r explained) {
	scorer := e.classifier.Scorer
	scores := make([]float64, scorer.Outputs())
	scorer.ScoreTo(scores, x)
	if r.class = e.class; r.class < 0 {
		r.class = e.classifier.Combine(scores).Class
	}
	var terms []classify.Term
	terms, r.bias = e.classifier.Terms(r.class)
	r.decision = stringkernel.Mix(mixOf(terms, len(scores)), scores) + r.bias
	if e.top > 0 {
		r.features = e.featuresOf(mixOf(terms, len(scores)), x)
		return r
	}
	letters, one := make([]float64, len(x)), make([]float64, len(x))
	for _, t := range terms {
		scorer.(stringkernel.Explainer).ExplainTo(one, t.Machine, x)
		for i, value := range one {
			letters[i] += float64(t.Sign * value)
		}
	}
	r.collect(e.spans, x, letters)
	return r
}

// featuresOf lists the strongest features of a sequence that are long enough.
func (e *explanation) featuresOf(mix []float64, x []byte) []stringkernel.Feature {
	lister := e.classifier.Scorer.(stringkernel.FeatureLister)
	if e.least == 1 {
		return lister.FeaturesOf(mix, x, e.top)
	}
	return stringkernel.StrongestContributions(e.long(lister.FeaturesOf(mix, x, stringkernel.AllFeatures)), e.top)
}

// topFeatures lists the strongest features of the model that are long enough: of more and more features, until there are enough.
func (e *explanation) topFeatures(mix []float64) []stringkernel.Feature {
	lister, before := e.classifier.Scorer.(stringkernel.FeatureLister), -1
	for n := e.top; ; n *= 4 {
		all := lister.TopFeatures(mix, n)
		kept := stringkernel.StrongestWeights(e.long(all), e.top)
		if len(kept) == 2*e.top || len(all) == before || n > stringkernel.AllFeatures/4 {
			return kept
		}
		before = len(all)
	}
}

// long returns the features of enough characters.
func (e *explanation) long(features []stringkernel.Feature) []stringkernel.Feature {
	return slices.DeleteFunc(features, func(f stringkernel.Feature) bool { return utf8.RuneCountInString(f.Text) < e.least })
}

// mixOf returns a class's decision, but for the bias, as a mixture of the machines' scores.
func mixOf(terms []classify.Term, machines int) []float64 {
	mix := make([]float64, machines)
	for _, t := range terms {
		mix[t.Machine] += t.Sign
	}
	return mix
}

// collect sums the contributions of letters by unit. What stands between units, where an entry of a dictionary has several words, goes to the unit in front.
func (r *explained) collect(spans func(x []byte, visit func(lo, hi int)), x []byte, letters []float64) {
	if spans == nil {
		r.contributions = letters
		for i := range x {
			r.starts, r.units = append(r.starts, i), append(r.units, string(x[i:i+1]))
		}
		return
	}
	from := 0
	sumUpTo := func(end int) {
		sum := 0.0
		for _, value := range letters[from:end] {
			sum += value
		}
		r.contributions = append(r.contributions, sum)
		from = end
	}
	spans(x, func(lo, hi int) {
		if len(r.starts) > 0 {
			sumUpTo(lo)
		}
		r.starts, r.units = append(r.starts, lo), append(r.units, string(x[lo:hi]))
	})
	if len(r.starts) > 0 {
		sumUpTo(len(x))
	}
}

// explainRound is how many records are explained before they are written.
const explainRound = 64

// eachRecord explains the records of a batch on all processors and gives them to visit in order.
func (e *explanation) eachRecord(ctx context.Context, corpus *stringkernel.Corpus, visit func(id string, r explained) error) error {
	for lo := 0; lo < corpus.Len(); lo += explainRound {
		round := make([]explained, min(explainRound, corpus.Len()-lo))
		err := parallel.Do(ctx, len(round), func(i int) error {
			round[i] = e.explain(corpus.Seq(lo + i))
			return nil
		})
		if err != nil {
			return err
		}
		for i, r := range round {
			if err := visit(corpus.Name(lo+i), r); err != nil {
				return err
			}
		}
	}
	return nil
}
