package bow

import (
	"slices"

	"github.com/seqsvm/seqsvm/internal/intern"
	"github.com/seqsvm/seqsvm/stringkernel/substring"
)

// newUnits returns the terms of a tokenizer as units.
func newUnits(t Tokenizer) *substring.Units {
	t.Stop, t.Delimiters = slices.Clone(t.Stop), slices.Clone(t.Delimiters) // the caller may change theirs
	stop := t.stopWords()
	return substring.NewUnits(func() substring.UnitReader {
		return &unitReader{reader: reader{forms: t.forms(stop), terms: new(intern.Terms), open: true}}
	})
}

// unitReader numbers the terms of texts from 1.
type unitReader struct {
	reader  reader
	numbers []int32
}

// Len returns the number of terms.
func (r *unitReader) Len() int { return r.reader.terms.Len() }

// AppendUnit appends a term, with a space in front if it is not the first.
func (r *unitReader) AppendUnit(dst []byte, number int32) []byte {
	if len(dst) > 0 {
		dst = append(dst, ' ')
	}
	return append(dst, r.reader.terms.At(int(number-1))...)
}

// Closed returns a reader that shares the terms.
func (r *unitReader) Closed() substring.UnitReader {
	own := r.reader.forms.Tokenizer.forms(r.reader.forms.stop)
	return &unitReader{reader: reader{forms: own, terms: r.reader.terms}}
}

// Read returns the numbers of the terms of x: there are no breaks.
func (r *unitReader) Read(x []byte) []int32 {
	r.reader.read(x)
	r.numbers = r.numbers[:0]
	for _, id := range r.reader.ids {
		if id != intern.None {
			id++
		}
		r.numbers = append(r.numbers, id)
	}
	return r.numbers
}

// Places returns the places of the words.
func (r *unitReader) Places() []substring.Span {
	places := make([]substring.Span, len(r.reader.spans))
	for i, s := range r.reader.spans {
		places[i] = substring.Span{Lo: s.lo, Hi: s.hi}
	}
	return places
}
