package main

import (
	"context"
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"github.com/seqsvm/seqsvm/seqio"
	"github.com/seqsvm/seqsvm/seqio/genome"
	"github.com/seqsvm/seqsvm/seqio/windows"
)

// task is a kind of site in a public set.
type task struct {
	name string
	reference
	kind  windows.Kind
	block int // letters of a block; blocks longer than a record keep it whole
	// labelled windows in place of those of the training blocks; then all of the genome is for testing
	train string
}

// reference is a genome with its annotation.
type reference struct{ folder, genome, annotation string }

// testFraction is the part of the blocks that is for testing.
const testFraction = 0.2

// tasks are the sets under $SEQSVM_DATA; see the files SOURCE.txt there for their origin.
var (
	celegans   = reference{"scan-celegans-chrI-1Mb", "genome.fa.gz", "genes.gff.gz"}
	drosophila = reference{"scan-drosophila-chr2L-train", "genes.fa.gz", "genes.gff3.gz"}
	human      = reference{"scan-human-genes-train", "genes.fa.gz", "genes.gff3.gz"}
	yeast      = reference{"scan-yeast-chr1-2", "genome.fa.gz", "annotation.gff3.gz"}

	tasks = []task{
		{"celegans-acceptor-100k", celegans, windows.Acceptor, 0, "splice-celegans-acc-100k-b/all.fa.gz"},
		{"celegans-acceptor", celegans, windows.Acceptor, 50_000, ""},
		{"celegans-donor", celegans, windows.Donor, 50_000, ""},
		{"drosophila-acceptor", drosophila, windows.Acceptor, 1_000_000, ""},
		{"drosophila-donor", drosophila, windows.Donor, 1_000_000, ""},
		{"human-acceptor", human, windows.Acceptor, 1_000_000, ""},
		{"human-donor", human, windows.Donor, 1_000_000, ""},
		{"yeast-start", yeast, windows.Start, 50_000, ""},
	}
)

// choose returns the tasks of those names, in the order of the list; all without names.
func choose(names []string) ([]task, error) {
	if len(names) == 0 {
		return tasks, nil
	}
	var chosen []task
	var known []string
	for _, t := range tasks {
		known = append(known, t.name)
		if slices.Contains(names, t.name) {
			chosen = append(chosen, t)
		}
	}
	if len(chosen) < len(names) {
		return nil, fmt.Errorf("sets %s, want some of %s", strings.Join(names, ", "), strings.Join(known, ", "))
	}
	return chosen, nil
}

// heading is the top of the table.
const heading = "| set | trained on: true, decoys | kernel, C | scored | places, true among them | " +
	"AUPRC SVM | PWM, 141 | PWM, site | AUROC SVM | PWM, 141 | PWM, site |\n" +
	"| --- | --- | --- | --- | --- | --- | --- | --- | --- | --- | --- |"

// scopes are where places are scored.
var scopes = []struct {
	name     string
	anywhere bool
}{{"in transcripts", false}, {"anywhere, both strands", true}}

// measure trains, scores and returns the rows of the table.
func (t task) measure(ctx context.Context, o options) (string, error) {
	reference, err := genome.Open(filepath.Join(o.data, t.folder, t.genome), seqio.CaseUpper)
	if err != nil {
		return "", err
	}
	defer reference.Close() // it was only read
	plan, err := t.plan(o, reference)
	if err != nil {
		return "", err
	}
	train, err := t.trainingWindows(ctx, o, plan, reference)
	if err != nil {
		return "", err
	}
	models, err := learn(ctx, o, t.kind, train, plan.Upstream)
	if err != nil {
		return "", err
	}
	text := ""
	for _, scope := range scopes {
		test, err := t.testWindows(ctx, plan, reference, scope.anywhere)
		if err != nil {
			return "", err
		}
		result, err := models.evaluate(ctx, test)
		if err != nil {
			return "", err
		}
		text += fmt.Sprintf("| %s | %d, %d | `%s`, %g | %s | %d, %d |%s\n", t.name, train.positives(),
			train.corpus.Len()-train.positives(), models.kernel, models.cost, scope.name, test.corpus.Len(),
			test.positives(), result)
	}
	return text, nil
}

// plan reads the annotation. Windows have 141 letters, 70 of them before the anchor.
func (t task) plan(o options, reference *genome.Genome) (windows.Plan, error) {
	path := filepath.Join(o.data, t.folder, t.annotation)
	p := windows.Plan{Upstream: 70, Downstream: 71, Motif: t.kind.Consensus(), Seed: o.seed}
	a, err := genome.ReadAnnotationFile(path)
	if err != nil {
		return p, err
	}
	transcripts, _, err := windows.FitTranscripts(path, a.Transcripts, reference, windows.RefuseUnknown)
	if err != nil {
		return p, err
	}
	const minIntron = 10
	p.Regions = windows.Transcribed(transcripts)
	p.Sites, _, err = windows.Sites(transcripts, t.kind, p.Motif, minIntron)
	if t.train == "" {
		p.Split = windows.Split{Block: t.block, Fraction: testFraction}
	}
	return p, err
}

// trainingWindows cuts the windows to train on, or reads them.
func (t task) trainingWindows(ctx context.Context, o options, p windows.Plan, g *genome.Genome) (*sample, error) {
	if t.train != "" {
		return readSample(filepath.Join(o.data, t.train))
	}
	p.Train = windows.Decoys{Ratio: o.decoys}
	r, err := p.Cut(ctx, g)
	if err != nil {
		return nil, err
	}
	return newSample(r.Train), nil
}

// testWindows cuts all places of the test part, those with equal letters too.
func (t task) testWindows(ctx context.Context, p windows.Plan, g *genome.Genome, anywhere bool) (*sample, error) {
	p.Anywhere, p.KeepDuplicates = anywhere, true
	p.Test = windows.Decoys{All: true}
	if t.train != "" {
		p.Train = p.Test
	}
	r, err := p.Cut(ctx, g)
	if err != nil {
		return nil, err
	}
	if t.train != "" {
		return newSample(r.Train), nil
	}
	return newSample(r.Test), nil
}
