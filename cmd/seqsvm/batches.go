package main

import (
	"github.com/seqsvm/seqsvm/seqio"
)

// predictBatch is the size of what predict holds at a time, as seqio.Batches counts it.
var predictBatch = 16 << 20 // a variable for tests

// batches reads the operands and gives them to visit in order, in batches that each hold at least size, so that small files come together and of a large
// one no more than twice the size is held.
func (r reader) batches(size int, visit func(*records) error) error {
	if r.in.NArg() == 0 {
		return errNoOperands
	}
	batch, held := new(records), 0
	flush := func() error {
		if len(batch.sets) == 0 {
			return nil
		}
		full := batch
		batch, held = new(records), 0
		full.join()
		return visit(full)
	}
	for _, path := range r.in.Args().Slice() {
		err := r.eachSet(path, size, func(set *seqio.Set) error {
			if err := r.in.Context.Err(); err != nil {
				return err
			}
			batch.sets = append(batch.sets, set)
			if held += seqio.BatchSize(set.Len(), set.Corpus.Letters()); held < size {
				return nil
			}
			return flush()
		})
		if err != nil {
			return err
		}
	}
	return flush()
}

// eachSet reads one file, or standard input for "-", in batches.
func (r reader) eachSet(path string, size int, visit func(*seqio.Set) error) error {
	if path == "-" {
		in, stop := standardInput(r.in)
		defer stop()
		return withOption(seqio.Batches(in, standardName, r.options, size, visit))
	}
	return withOption(seqio.BatchesFile(path, r.options, size, visit))
}
