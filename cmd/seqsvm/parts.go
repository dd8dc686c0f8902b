package main

import (
	"errors"
	"time"

	"github.com/seqsvm/seqsvm/stringkernel"
)

// partScores bounds the scores of a part of a corpus, 8 bytes each.
var partScores = 1 << 23 // a variable for tests

// Parts begin with leastRecords and double up to mostRecords while they take less than partTime: so progress is seen,
// and a model of large tables is walked through for many records at a time.
const (
	leastRecords, mostRecords = 1 << 12, 1 << 17
	partTime                  = 100 * time.Millisecond
	quickPart                 = partTime / 4
)

// parts divides corpora, one after another, into parts whose scores take little memory.
type parts struct {
	step, most int  // records of a part
	quick      bool // the last one took less than quickPart
}

// newParts returns parts for a scorer of a number of outputs.
func newParts(outputs int) *parts {
	most := max(1, min(partScores/outputs, mostRecords))
	return &parts{step: min(leastRecords, most), most: most}
}

// next returns how many of the records that are left are the next part: about equal ones once their size is found.
func (p *parts) next(left int) int {
	count := (left + p.step - 1) / p.step
	return (left + count - 1) / count
}

// took takes note of the time of a part.
func (p *parts) took(d time.Duration) {
	p.quick = d < quickPart
	if d < partTime {
		p.step = min(2*p.step, p.most)
	}
}

// each calls visit for consecutive parts of a corpus, and done with the numbers of records that have been visited and
// of all. An error of visit about a record of the part becomes one about that of the corpus.
func (p *parts) each(
	corpus *stringkernel.Corpus, visit func(*stringkernel.Corpus) error, done func(some, of int),
) error {
	for lo, hi := 0, 0; lo < corpus.Len(); lo = hi {
		hi = lo + p.next(corpus.Len()-lo)
		start := time.Now()
		if err := afterRecords(lo, visit(corpus.Slice(lo, hi))); err != nil {
			return err
		}
		done(hi, corpus.Len())
		p.took(time.Since(start))
	}
	return nil
}

// inParts calls visit for the parts of one corpus: see [parts.each].
func inParts(corpus *stringkernel.Corpus, outputs int, visit func(*stringkernel.Corpus) error,
	done func(some, of int)) error {
	return newParts(outputs).each(corpus, visit, done)
}

// afterRecords makes an error about a record of a part that begins at a record one about that of the whole.
func afterRecords(begin int, err error) error {
	if about := (*stringkernel.RecordError)(nil); errors.As(err, &about) {
		return &stringkernel.RecordError{Record: begin + about.Record, Name: about.Name, Err: about.Err}
	}
	return err
}
