package main

import (
	"cmp"
	"os"
	"strings"

	"github.com/seqsvm/seqsvm/catalog"
	"github.com/seqsvm/seqsvm/classify/dataset"
	"github.com/seqsvm/seqsvm/cmd/seqsvm/internal/cli"
	"github.com/seqsvm/seqsvm/cmd/seqsvm/internal/input"
	"github.com/seqsvm/seqsvm/internal/memory"
	"github.com/seqsvm/seqsvm/stringkernel"
	"github.com/seqsvm/seqsvm/stringkernel/compose"
)

// keeping is how records are kept while they are learned from.
type keeping int

const (
	corpusRecords  keeping = iota // as they are, with an index
	packedRecords                 // packed in memory, with tables of features
	scratchRecords                // packed in a scratch file
)

// trainedBytes is the memory of a letter while a model is trained in memory: its index, and itself.
const trainedBytes = 11

// Packed records are faster where there are many letters for each feature, as measured: see
// docs/decisions/streamed-records.md.
var leastPacked = 8e6 // letters: a variable for tests

const (
	featureLetters    = 128 // letters for each feature
	featureRecords    = 2   // and records, where tables have a filter
	mostPackedClasses = 2   // more share an index
)

// keeping decides by --stream, or because the files look too large for memory or large enough to be packed, where the
// kernel and the other options allow it. equivalent is whether the command does the same with packed records.
func (o *experimentOptions) keeping(c *cli.Call, stream *streamOptions, equivalent bool, refused []string) keeping {
	if stream.stream {
		return scratchRecords
	}
	letters := o.expectedLetters(c)
	large := memory.Check(trainedBytes*letters) != nil
	if !large && (!equivalent || letters < leastPacked || c.Given("scratch") || c.Given("checkpoint")) {
		return corpusRecords
	}
	if c.Refuse("", refused...) != nil || o.learning.task != string(dataset.Classes) {
		return corpusRecords
	}
	if trainer, err := o.learning.trainer(c); err != nil || trainer.CheckShards() != nil {
		return corpusRecords
	}
	space, _ := o.space(c, stringkernel.DNA)
	switch {
	case space == nil:
		return corpusRecords
	case large:
		c.Say("seqsvm: training on about %.0f million letters in memory would exceed --max-memory: they are kept in a "+
			"scratch file (--stream)", letters/1e6)
		return scratchRecords
	case letters < featureLetters*float64(space.Size()):
		return corpusRecords
	}
	return packedRecords
}

// space returns the tables of the kernel, on an alphabet if it has none of its own, and the kernel; nil if it has no
// tables.
func (o *experimentOptions) space(c *cli.Call, a stringkernel.Alphabet) (compose.Space, catalog.Spec) {
	spec, _, err := kernelAndReader(c, &o.kernel, &o.reading)
	if err != nil {
		return nil, spec
	}
	kernel, err := spec.Compile(cmp.Or(spec.Alphabet(), a))
	if err != nil {
		return nil, spec
	}
	return compose.SpaceOf(kernel), spec
}

// packs reports whether packed records are faster, given the first of them.
func (o *experimentOptions) packs(c *cli.Call, first *input.Records) bool {
	labels := map[string]bool{}
	for _, label := range first.Labels {
		labels[label] = true
	}
	space, spec := o.space(c, first.DetectAlphabet())
	if space == nil || input.Indefinite(spec) || len(labels) > mostPackedClasses {
		return false
	}
	letters := o.expectedLetters(c)
	records := letters / float64(max(1, first.Corpus.Letters())) * float64(first.Corpus.Len())
	size := float64(space.Size())
	return letters >= featureLetters*size && (space.Strands() > 0 || records >= featureRecords*size)
}

// inflated is how many letters a byte of a compressed file is taken to hold.
const inflated = 4

// expectedLetters estimates the letters of the input files by their sizes.
func (o *experimentOptions) expectedLetters(c *cli.Call) (letters float64) {
	for _, path := range append(o.labels.Paths(), c.Args...) {
		info, err := os.Stat(path)
		if err != nil || !info.Mode().IsRegular() {
			continue
		}
		size := float64(info.Size())
		if strings.HasSuffix(path, ".gz") || strings.HasSuffix(path, ".zst") {
			size *= inflated
		}
		letters += size
	}
	return letters
}
