package model

import (
	"cmp"
	"fmt"
	"math"
	"path"
	"slices"
	"strconv"
	"strings"

	"github.com/seqsvm/seqsvm/classify/conformal"
	"github.com/seqsvm/seqsvm/internal/stored"
	"github.com/seqsvm/seqsvm/model/drift"
	"github.com/seqsvm/seqsvm/stringkernel"
)

// The names of arrays begin with one of these.
const (
	scorerPrefix    = "scorer/"
	supportPrefix   = "support/"
	coefPrefix      = "coef/"
	referencePrefix = "reference/"
	sketchPrefix    = "sketch/"
	conformalPrefix = "conformal/"
	driftPrefix     = "drift/"
)

// The arrays of a corpus, after the prefix.
const (
	lettersName = "letters"
	endsName    = "ends"
	classesName = "classes" // of a reference
)

// The arrays of a sketch, after the prefix.
const (
	recordsName = "records"
	kmersName   = "kmers"
)

// The arrays of conformal scores, after the prefix, besides endsName.
const (
	scoresName = "scores"
	countsName = "counts"
)

// The arrays of a profile, after the prefix, besides lettersName.
const (
	quantilesName = "quantiles"
	commonName    = "common"
)

// fileArrays lists the arrays of the model in the order of the file.
func (m *Model) fileArrays() []stringkernel.Array {
	var arrays []stringkernel.Array
	if m.Compiled() {
		for _, a := range m.Arrays {
			arrays = append(arrays, stringkernel.Array{Name: scorerPrefix + a.Name, Data: a.Data})
		}
	} else {
		arrays = append(arrays, corpusArrays(supportPrefix, m.Support)...)
		for i, coef := range m.Coef {
			arrays = append(arrays, stringkernel.Array{Name: coefPrefix + strconv.Itoa(i), Data: coef})
		}
	}
	if m.Reference != nil {
		arrays = append(arrays, corpusArrays(referencePrefix, m.Reference)...)
		if m.Kernel.OfClasses() {
			arrays = append(arrays, stringkernel.Array{Name: referencePrefix + classesName, Data: int32s(m.Reference.Classes())})
		}
	}
	if m.Sketch != nil {
		arrays = append(arrays, stringkernel.Array{Name: sketchPrefix + recordsName, Data: m.Sketch.Records},
			stringkernel.Array{Name: sketchPrefix + kmersName, Data: m.Sketch.Kmers})
	}
	return append(append(arrays, conformalArrays(m.Decision.Conformal)...), driftArrays(m.Drift)...)
}

// driftArrays stores a profile.
func driftArrays(p *drift.Profile) []stringkernel.Array {
	if p == nil {
		return nil
	}
	arrays := []stringkernel.Array{{Name: driftPrefix + quantilesName, Data: p.Quantiles},
		{Name: driftPrefix + commonName, Data: p.Common}}
	if p.Letters != nil {
		arrays = append(arrays, stringkernel.Array{Name: driftPrefix + lettersName, Data: p.Letters})
	}
	return arrays
}

// conformalArrays stores the scores of all classes back to back, the offset just after each class, and of how many
// records they are.
func conformalArrays(s *conformal.Scores) []stringkernel.Array {
	if s == nil {
		return nil
	}
	var scores []float64
	ends, counts := make([]uint64, len(s.Kept)), make([]uint64, len(s.Count))
	for c, kept := range s.Kept {
		scores = append(scores, kept...)
		ends[c], counts[c] = uint64(len(scores)), uint64(s.Count[c])
	}
	return []stringkernel.Array{{Name: conformalPrefix + scoresName, Data: scores},
		{Name: conformalPrefix + endsName, Data: ends}, {Name: conformalPrefix + countsName, Data: counts}}
}

// takeConformal is the inverse of conformalArrays.
func takeConformal(left *stored.Arrays) (*conformal.Scores, error) {
	scores, ends := take[float64](left, conformalPrefix+scoresName), take[uint64](left, conformalPrefix+endsName)
	counts := take[uint64](left, conformalPrefix+countsName)
	if left.Err() != nil {
		return nil, left.Err()
	}
	if len(counts) != len(ends) {
		return nil, fmt.Errorf("conformal scores of %d classes of %d", len(ends), len(counts))
	}
	s, begin := new(conformal.Scores), uint64(0)
	for c, end := range ends {
		if end < begin || end > uint64(len(scores)) || counts[c] > math.MaxInt32 {
			return nil, fmt.Errorf("conformal scores of class %d: end %d of %d, %d records", c, end, len(scores), counts[c])
		}
		s.Kept, s.Count = append(s.Kept, scores[begin:end]), append(s.Count, int(counts[c]))
		begin = end
	}
	if begin != uint64(len(scores)) {
		return nil, fmt.Errorf("%d conformal scores, the last ends at %d", len(scores), begin)
	}
	return s, nil
}

// Rebuildable reports whether a compiled model holds all letters of its support vectors, in another order from which
// they can be put together again: those of long substrings do.
func (m *Model) Rebuildable() bool { return m.hasArray(stored.SortedBlocks) }

// Listed reports whether a compiled model says which features each support vector has: those of many machines do, of
// k-mers and of words.
func (m *Model) Listed() bool { return m.hasArray(stored.SparseRows) && !m.Rebuildable() }

// hasArray reports whether a compiled model has an array of a name.
func (m *Model) hasArray(name string) bool {
	return slices.ContainsFunc(m.Arrays, func(a stringkernel.Array) bool { return path.Base(a.Name) == name })
}

// takeArrays is the inverse of fileArrays: it hands each array to the part of the model it belongs to. An array without
// a place is an error.
func (m *Model) takeArrays(arrays []stringkernel.Array, compiled bool) error {
	var others []stringkernel.Array
	for _, a := range arrays {
		if name, ok := strings.CutPrefix(a.Name, scorerPrefix); ok && compiled {
			m.Arrays = append(m.Arrays, stringkernel.Array{Name: name, Data: a.Data})
		} else {
			others = append(others, a)
		}
	}
	left := stored.Read(others)
	for _, part := range []struct {
		there bool
		take  func(left *stored.Arrays) error
	}{
		{!compiled, m.takeSupport}, {left.Has(referencePrefix + lettersName), m.takeReference},
		{left.Has(conformalPrefix + scoresName), func(left *stored.Arrays) (err error) {
			m.Decision.Conformal, err = takeConformal(left)
			return err
		}},
	} {
		if part.there {
			if err := part.take(left); err != nil {
				return err
			}
		}
	}
	if s := m.Sketch; s != nil {
		s.Records, s.Kmers = take[uint64](left, sketchPrefix+recordsName), take[uint64](left, sketchPrefix+kmersName)
	}
	if d := m.Drift; d != nil {
		d.Quantiles, d.Common = take[int32](left, driftPrefix+quantilesName), take[uint64](left, driftPrefix+commonName)
		if left.Has(driftPrefix + lettersName) {
			d.Letters = take[uint8](left, driftPrefix+lettersName)
		}
	}
	return left.Close()
}

// take returns an array of any length.
func take[T uint8 | int32 | uint64 | float64](left *stored.Arrays, name string) []T {
	return stored.Get[T](left, name, math.MaxInt)
}

// int32s returns numbers as they are stored.
func int32s(numbers []int) []int32 {
	out := make([]int32, len(numbers))
	for i, number := range numbers {
		out[i] = int32(number)
	}
	return out
}

// takeReference takes the reference corpus, with its classes if a kernel needs them.
func (m *Model) takeReference(left *stored.Arrays) (err error) {
	if m.Reference, err = takeCorpus(left, referencePrefix); err != nil || !m.Kernel.OfClasses() {
		return err
	}
	stored := take[int32](left, referencePrefix+classesName)
	if left.Err() == nil && len(stored) != m.Reference.Len() {
		return fmt.Errorf("array %.80q has %d classes of %d records", referencePrefix+classesName, len(stored),
			m.Reference.Len())
	}
	classes := make([]int, len(stored))
	for i, class := range stored {
		classes[i] = int(class)
	}
	m.Reference = m.Reference.WithClasses(classes)
	return left.Err()
}

// takeSupport takes the support vectors and one coefficient vector per machine.
func (m *Model) takeSupport(left *stored.Arrays) (err error) {
	m.Support, err = takeCorpus(left, supportPrefix)
	m.Coef = make([][]float64, len(m.Decision.Machines))
	for i := range m.Coef {
		m.Coef[i] = take[float64](left, coefPrefix+strconv.Itoa(i))
	}
	return cmp.Or(err, left.Err())
}

// corpusArrays stores a corpus as its letters and the offsets just after each sequence. Names are left out: no score
// depends on them.
func corpusArrays(prefix string, c *stringkernel.Corpus) []stringkernel.Array {
	letters := make([]byte, 0, c.Letters())
	ends := make([]uint64, c.Len())
	for i := range ends {
		letters = append(letters, c.Seq(i)...)
		ends[i] = uint64(len(letters))
	}
	return []stringkernel.Array{{Name: prefix + lettersName, Data: letters}, {Name: prefix + endsName, Data: ends}}
}

// takeCorpus rebuilds a corpus from its arrays.
func takeCorpus(left *stored.Arrays, prefix string) (*stringkernel.Corpus, error) {
	letters, ends := take[uint8](left, prefix+lettersName), take[uint64](left, prefix+endsName)
	if left.Err() != nil {
		return nil, left.Err()
	}
	var b stringkernel.CorpusBuilder
	b.Grow(len(ends), len(letters))
	start := uint64(0)
	for i, end := range ends {
		if end < start || end > uint64(len(letters)) {
			return nil, fmt.Errorf("array %.80q: sequence %d ends at %d, want %d to %d",
				prefix+endsName, i, end, start, len(letters))
		}
		b.Add("", letters[start:end])
		start = end
	}
	if start != uint64(len(letters)) {
		return nil, fmt.Errorf("array %.80q: the last sequence ends at %d of %d letters",
			prefix+endsName, start, len(letters))
	}
	return b.Corpus(), nil
}
