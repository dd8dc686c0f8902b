package main

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/seqsvm/seqsvm/seqio"
	"github.com/seqsvm/seqsvm/seqio/windows"
	"github.com/seqsvm/seqsvm/stringkernel"
)

// sample is windows of equal length, which of them are true, and which stay together in a cross-validation.
type sample struct {
	corpus *stringkernel.Corpus
	isTrue []bool
	groups []string
}

// neighbourhood is the number of bases that stay together in a cross-validation.
const neighbourhood = 10_000

// newSample makes a sample of windows.
func newSample(list []windows.Window) *sample {
	s := &sample{corpus: windows.Set(list).Corpus}
	for _, w := range list {
		s.isTrue = append(s.isTrue, w.True)
		s.groups = append(s.groups, fmt.Sprint(w.Seq, ":", w.Start/neighbourhood))
	}
	return s
}

// readSample reads labelled windows whose ids are CHROMOSOME:POSITION and a strand.
func readSample(path string) (*sample, error) {
	set, err := seqio.ReadFile(path, seqio.Options{})
	if err != nil {
		return nil, err
	}
	s := &sample{corpus: set.Corpus}
	for i := range set.Len() {
		id := set.Corpus.Name(i)
		chromosome, position, _ := strings.Cut(id, ":")
		n, err := strconv.Atoi(strings.TrimRight(position, "+-"))
		if err != nil {
			return nil, set.Errorf(i, "no position in the id, want CHROMOSOME:POSITION and a strand")
		}
		s.isTrue = append(s.isTrue, set.Label(i) == "+1")
		s.groups = append(s.groups, fmt.Sprint(chromosome, ":", n/neighbourhood))
	}
	return s, nil
}

// positives counts the true windows.
func (s *sample) positives() (n int) {
	for _, t := range s.isTrue {
		if t {
			n++
		}
	}
	return n
}

// labels returns those of package windows.
func (s *sample) labels() []string {
	all := make([]string, len(s.isTrue))
	for i, t := range s.isTrue {
		if all[i] = windows.DecoyLabel; t {
			all[i] = windows.TrueLabel
		}
	}
	return all
}

// firstOf returns the first n windows.
func (s *sample) firstOf(n int) *sample {
	if s.corpus.Len() <= n {
		return s
	}
	return &sample{s.corpus.Slice(0, n), s.isTrue[:n], s.groups[:n]}
}
