package main

import (
	"context"

	"github.com/seqsvm/seqsvm/bow"
	"github.com/seqsvm/seqsvm/catalog"
	"github.com/seqsvm/seqsvm/classify"
	"github.com/seqsvm/seqsvm/classify/baseline"
	"github.com/seqsvm/seqsvm/classify/dataset"
	"github.com/seqsvm/seqsvm/cmd/seqsvm/internal/cli"
	"github.com/seqsvm/seqsvm/spectrum"
	"github.com/seqsvm/seqsvm/spectrum/markov"
	"github.com/seqsvm/seqsvm/stringkernel"
)

// The greatest products of records and letters for which --baseline looks for nearest neighbours: about two minutes of
// CPU time with the slowest kernels, gapped, and of those of words and k-mers, spectrum.
const mostNeighbours, mostCounted = 5_000_000_000, 70_000_000_000

// baselineOptions ask for simple methods to compare with.
type baselineOptions struct{ baseline bool }

func (o *baselineOptions) flags(f *cli.Flags, otherwise string) {
	f.Section(cli.OfLearning)
	f.Bool(&o.baseline, "baseline", "compare with simple methods on the same folds: nearest neighbour, centroid and "+
		"Parzen windows by the kernel; naive Bayes (multinomial, complement, Poisson) for kernels of words and k-mers, "+
		"otherwise the most frequent class; Markov chains of nucleotides and amino acids, with probabilities for each "+
		"position of windows of one length too; the mean of numbers"+otherwise)
}

func (o *baselineOptions) check(multilabel string) error {
	if o.baseline && multilabel != "" {
		return cli.Usagef("--baseline cannot be used with --multilabel")
	}
	return nil
}

// simpleMethod is a way to learn with its name, and what it does.
type simpleMethod struct {
	name, meaning string
	baseline.Method
}

// compare calls visit with what each method predicts on the folds.
func (e *experiment) compare(c *cli.Call, methods []simpleMethod, fold []int,
	visit func(m simpleMethod, outcome *classify.CVResult) error) error {
	c.Stage("baselines")
	for _, m := range methods {
		outcome, err := baseline.CrossValidate(c.Context, m.Method, e.data, fold)
		if err == nil {
			err = visit(m, outcome)
		}
		if err != nil {
			return e.records.Located(err)
		}
	}
	return nil
}

// baselines returns what suits the task and the kernel.
func (e *experiment) baselines(c *cli.Call) (methods []simpleMethod, err error) {
	shared, err := stringkernel.Share(c.Context, e.data.Corpus, []stringkernel.Kernel{e.trainer.Kernel})
	if err != nil {
		return nil, err
	}
	gram := func(ctx context.Context, train []int) (stringkernel.Gram, error) {
		return shared(ctx, e.trainer.Kernel, train)
	}
	counts := e.counts()
	n, letters := e.data.Len(), e.data.Corpus.Letters()
	if n*letters <= mostNeighbours || counts != nil && n*letters <= mostCounted {
		methods = append(methods, simpleMethod{"neighbour", "the answer of the record that is nearest by the kernel",
			baseline.Neighbour{Gram: gram, Nu: e.trainer.Nu}})
	} else {
		c.Say("seqsvm: --baseline: no nearest neighbours, which take quadratic time, of %d records with %d letters", n,
			letters)
	}
	switch e.data.Labelling() {
	case dataset.Numbers:
		return append(methods, simpleMethod{"mean-target", "the mean of the numbers", baseline.Mean{}}), nil
	case dataset.Grades:
		return methods, nil
	}
	methods = append(methods, simpleMethod{"centroid", "the class whose mean is the nearest by the kernel",
		baseline.Centroid{Gram: gram, Nu: e.trainer.Nu}})
	if e.data.Labelling() == dataset.KnownOrNovel {
		return methods, nil
	}
	methods = append(methods, simpleMethod{"parzen", "the class with the greatest sum of kernel values",
		baseline.Centroid{Gram: gram, Windows: true}})
	methods = append(methods, e.markov()...)
	if counts == nil {
		c.Say("seqsvm: --baseline: using the most frequent class, since naive Bayes needs counts of words or k-mers")
		return append(methods, simpleMethod{"majority", "the most frequent class", baseline.Majority{}}), nil
	}
	const bayes = "naive Bayes on the counts of the kernel's features, "
	return append(methods,
		simpleMethod{"multinomial-nb", bayes + "multinomial", baseline.NaiveBayes{Kernel: counts}},
		simpleMethod{"complement-nb", bayes + "by all other classes", baseline.NaiveBayes{Kernel: counts, Complement: true}},
		simpleMethod{"poisson-nb", bayes + "Poisson", baseline.NaiveBayes{Kernel: counts, Poisson: true}},
	), nil
}

// markov returns Markov chains of each class, of orders that few records can tell: for sequences of classes, and
// besides, with probabilities for each position, for windows of one length.
func (e *experiment) markov() (methods []simpleMethod) {
	const mostWords, mostPlaced = 4096, 256 // of order + 1 letters
	switch e.data.Labelling() {
	case dataset.Numbers, dataset.Grades, dataset.KnownOrNovel, dataset.LabelSets:
		return nil
	}
	a := e.spec.Alphabet()
	if a == "" || a == stringkernel.Bytes {
		return nil
	}
	add := func(name, where string, most int, positional bool) {
		var orders baseline.Likelihood
		for order, words := 0, a.Size(); words <= most; order, words = order+1, words*a.Size() {
			k := markov.Kernel{Order: order, Positional: positional, Pseudo: 4, Alphabet: a}
			orders.Learn = append(orders.Learn, func(ctx context.Context, c *stringkernel.Corpus) (baseline.Density, error) {
				return k.Learn(ctx, c)
			})
		}
		const meaning = "the class whose Markov chain makes the record most probable"
		methods = append(methods, simpleMethod{name, meaning + where, orders})
	}
	add("markov", "", mostWords, false)
	if kind := catalog.KindOf(e.data.Corpus, a); kind == catalog.NucleotideWindows || kind == catalog.ProteinWindows {
		add("markov-positional", ", with probabilities for each position", mostPlaced, true)
	}
	return methods
}

// counts returns the kernel of plain counts of the same features, nil if there is none.
func (e *experiment) counts() stringkernel.Kernel {
	term, single := e.spec.Single()
	if !single || term.Composed() {
		return nil
	}
	if words, ok := term.Kernel.(bow.Kernel); ok {
		return words.Counts()
	}
	if _, kmers := term.Kernel.(spectrum.Kernel); !kmers {
		return nil // features with other weights are no counts
	}
	plain := e.spec
	plain.Normalize = false
	kernel, err := plain.Compile(e.spec.Alphabet())
	if err != nil || stringkernel.EnumeratorOf(kernel) == nil {
		return nil
	}
	return kernel
}
