package main

import (
	"github.com/seqsvm/seqsvm/seqio"
)

// predictBatch is the size of what predict holds at a time, as seqio.BatchSize counts it.
var predictBatch = 16 << 20 // a variable for tests

// batches reads the operands and gives them to visit in order, in batches of at least size: small files come together,
// and of a large one little more than a batch is held.
func (r reader) batches(size int, visit func(*records) error) error {
	if len(r.in.Args) == 0 {
		return errNoOperands
	}
	inputs, stop := r.inputs(r.in.Args)
	defer stop()
	return withOption(seqio.AllBatches(r.in.Context, inputs, r.options, size, func(all *seqio.Collection) error {
		if err := r.in.Context.Err(); err != nil {
			return err
		}
		return visit(newRecords(all))
	}))
}
