package main

import (
	"context"

	"github.com/seqsvm/seqsvm/bow"
	"github.com/seqsvm/seqsvm/catalog"
	"github.com/seqsvm/seqsvm/classify"
	"github.com/seqsvm/seqsvm/classify/baseline"
	"github.com/seqsvm/seqsvm/cmd/seqsvm/internal/cli"
	"github.com/seqsvm/seqsvm/spectrum"
	"github.com/seqsvm/seqsvm/spectrum/markov"
	"github.com/seqsvm/seqsvm/stringkernel"
)

// The greatest products of records and letters for which --baseline looks for nearest neighbours: about two minutes of
// CPU time with the slowest kernels, gapped, and of those of words and k-mers, spectrum.
const mostNeighbours, mostCounted = 5_000_000_000, 70_000_000_000

// addBaselines adds the tables, without the levels of a hierarchy, of baselines on the same folds.
func (e *experiment) addBaselines(c *cli.Call, table *cvTable, fold []int) error {
	c.Stage("baselines")
	methods, err := e.baselines(c)
	if err != nil {
		return err
	}
	table.Baselines = map[string]*cvTable{}
	for name, method := range methods {
		outcome, err := baseline.CrossValidate(c.Context, method, e.data, fold)
		if err != nil {
			return err
		}
		t, err := newCVTable(e.data, outcome)
		if err != nil {
			return err
		}
		table.Baselines[name] = &cvTable{Folds: t.Folds, Mean: t.Mean, SD: t.SD}
	}
	return nil
}

// baselines returns, by name, what suits the task and the kernel.
func (e *experiment) baselines(c *cli.Call) (map[string]baseline.Method, error) {
	shared, err := stringkernel.Share(c.Context, e.data.Corpus, []stringkernel.Kernel{e.trainer.Kernel})
	if err != nil {
		return nil, err
	}
	gram := func(ctx context.Context, train []int) (stringkernel.Gram, error) {
		return shared(ctx, e.trainer.Kernel, train)
	}
	methods, counts := map[string]baseline.Method{}, e.counts()
	n, letters := e.data.Len(), e.data.Corpus.Letters()
	if n*letters <= mostNeighbours || counts != nil && n*letters <= mostCounted {
		methods["neighbour"] = baseline.Neighbour{Gram: gram, Nu: e.trainer.Nu}
	} else {
		c.Say("seqsvm: --baseline: no nearest neighbours, which take quadratic time, of %d records with %d letters", n,
			letters)
	}
	switch e.data.Labelling() {
	case classify.Numbers:
		methods["mean-target"] = baseline.Mean{}
		return methods, nil
	case classify.Grades:
		return methods, nil
	}
	methods["centroid"] = baseline.Centroid{Gram: gram, Nu: e.trainer.Nu}
	if e.data.Labelling() == classify.KnownOrNovel {
		return methods, nil
	}
	methods["parzen"] = baseline.Centroid{Gram: gram, Windows: true}
	e.addMarkov(methods)
	if counts == nil {
		c.Say("seqsvm: --baseline: using the most frequent class, since naive Bayes needs counts of words or k-mers")
		methods["majority"] = baseline.Majority{}
		return methods, nil
	}
	methods["multinomial-nb"] = baseline.NaiveBayes{Kernel: counts}
	methods["complement-nb"] = baseline.NaiveBayes{Kernel: counts, Complement: true}
	methods["poisson-nb"] = baseline.NaiveBayes{Kernel: counts, Poisson: true}
	return methods, nil
}

// addMarkov adds Markov chains of each class, of orders that few records can tell: for sequences, and besides, with
// probabilities for each position, for windows of one length.
func (e *experiment) addMarkov(methods map[string]baseline.Method) {
	const mostWords, mostPlaced = 4096, 256 // of order + 1 letters
	a := e.spec.Alphabet()
	if a == "" || a == stringkernel.Bytes {
		return
	}
	add := func(name string, most int, positional bool) {
		var orders baseline.Likelihood
		for order, words := 0, a.Size(); words <= most; order, words = order+1, words*a.Size() {
			k := markov.Kernel{Order: order, Positional: positional, Pseudo: 4, Alphabet: a}
			orders.Learn = append(orders.Learn, func(ctx context.Context, c *stringkernel.Corpus) (baseline.Density, error) {
				return k.Learn(ctx, c)
			})
		}
		methods[name] = orders
	}
	add("markov", mostWords, false)
	if kind := catalog.KindOf(e.data.Corpus, a); kind == catalog.NucleotideWindows || kind == catalog.ProteinWindows {
		add("markov-positional", mostPlaced, true)
	}
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
