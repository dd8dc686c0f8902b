package main

import (
	"io"

	"github.com/seqsvm/seqsvm/cmd/seqsvm/internal/cli"
	"github.com/seqsvm/seqsvm/cmd/seqsvm/internal/input"
	"github.com/seqsvm/seqsvm/internal/answer"
	"github.com/seqsvm/seqsvm/internal/memory"
	"github.com/seqsvm/seqsvm/seqio/matrix"
	"github.com/seqsvm/seqsvm/stringkernel"
)

// basesOf returns the letters that --hypothetical and --mutagenesis put at each position.
func basesOf(a stringkernel.Alphabet) ([]byte, error) {
	switch a {
	case stringkernel.DNA:
		return []byte("ACGT"), nil
	case stringkernel.RNA:
		return []byte("ACGU"), nil
	}
	return nil, cli.Usagef("--hypothetical and --mutagenesis need a model of DNA or RNA, and this one is of %s", a)
}

// substituted is what the options --hypothetical and --mutagenesis say of a record.
type substituted struct {
	x      []byte
	values []float64 // of each position and base, position by position
	answer.Substitution
}

// eachSubstituted replaces the letters of all operands, batch by batch, and calls visit for each record in order.
func (o *explainOptions) eachSubstituted(
	e *explanation, bases []byte, visit func(data *input.Records, i int, r substituted) error,
) error {
	return e.eachBatch(func(data *input.Records) error {
		return eachOf(e.Reader.Call.Context, e, data.Corpus, func(x []byte) (substituted, bool) {
			s := e.explainer.Substitute(x, bases, o.hypothetical)
			values := s.Changes
			if o.hypothetical {
				values = s.Contributions
			}
			return substituted{x, values, s}, s.Unknown
		}, func(i int, r substituted) error { return visit(data, i, r) })
	})
}

// writeSubstitutions writes a row per position.
func (o *explainOptions) writeSubstitutions(e *explanation, bases []byte, t *cli.Table) error {
	columns := cli.Columns{Name: "change"}
	if o.hypothetical {
		columns.Name = "contribution"
	}
	for _, base := range bases {
		columns.Of = append(columns.Of, string(base))
	}
	t.Header(append(e.Names.Columns(), "position", "letter", columns)...)
	return o.eachSubstituted(e, bases, func(_ *input.Records, _ int, r substituted) error {
		name := e.Names.Next()
		for p, letter := range r.x {
			t.Row(e.Names.Cells(name, p+1, stringkernel.Readable(string(letter)),
				r.values[p*len(bases):(p+1)*len(bases)])...)
		}
		return t.Err
	})
}

// arrays are the values of records of one length, and their bases.
type arrays struct {
	records, length int
	values          []float64 // of shape records × bases × length
	oneHot          []float32 // of the same shape
}

// writeArrays writes the values of all records as an array for NumPy, and with --one-hot the bases as another.
func (o *explainOptions) writeArrays(e *explanation, bases []byte) error {
	a := arrays{length: o.center}
	err := o.eachSubstituted(e, bases, func(data *input.Records, i int, r substituted) error {
		switch n := len(r.x); {
		case o.center > n:
			return data.Errorf(i, "%d letters, fewer than --center %d", n, o.center)
		case o.center == 0 && a.records > 0 && n != a.length:
			return data.Errorf(i, "%d letters, and the records before it have %d; --center W takes W from the middle",
				n, a.length)
		case o.center == 0:
			a.length = n
		}
		a.add(r, bases)
		const number = 8 + 4 // bytes, twice while a list grows
		return memory.Check(2 * number * float64(len(a.values)))
	})
	if err != nil {
		return err
	}
	shape := []int{a.records, len(bases), a.length}
	err = o.output.Write(func(w io.Writer) error { return matrix.WriteNPZ(w, shape, a.values) })
	if err != nil {
		return err
	}
	return o.oneHot.Write(func(w io.Writer) error { return matrix.WriteNPZ(w, shape, a.oneHot) })
}

// add appends the middle of a record.
func (a *arrays) add(r substituted, bases []byte) {
	start := (len(r.x) - a.length) / 2
	for b, base := range bases {
		for p := start; p < start+a.length; p++ {
			a.values = append(a.values, r.values[p*len(bases)+b])
			hot := float32(0)
			if r.x[p] == base {
				hot = 1
			}
			a.oneHot = append(a.oneHot, hot)
		}
	}
	a.records++
}
