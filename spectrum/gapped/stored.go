package gapped

import (
	"context"
	"encoding/binary"
	"fmt"
	"math"
	"strconv"

	"github.com/seqsvm/seqsvm/internal/stored"
	"github.com/seqsvm/seqsvm/stringkernel"
)

// The stored form of a scorer: the k-mers with coefficients, ascending, as the gaps between them in unsigned varints
// (the first k-mer is its own gap), and the coefficients of each output, from which the rest is made again. With both
// strands a k-mer and its reverse complement have one coefficient: only the lesser of the two is stored. That is 9 to
// 10 bytes per k-mer and output.
const (
	kmersName  = "words"
	coefPrefix = "coef."
)

// arraysOf returns the coefficients of a scorer by k-mer; none if the support vectors are what there is to store.
func arraysOf(of stringkernel.Scorer) []stringkernel.Array {
	s, ok := of.(*scorer)
	if !ok {
		return nil
	}
	gaps, previous := []uint8{}, uint64(0)
	for _, code := range s.codes {
		gaps = binary.AppendUvarint(gaps, code-previous)
		previous = code
	}
	arrays := []stringkernel.Array{{Name: kmersName, Data: gaps}}
	for m, values := range s.coef {
		arrays = append(arrays, stringkernel.Array{Name: coefPrefix + strconv.Itoa(m), Data: values})
	}
	return arrays
}

// restore rebuilds what merge made, checking everything.
func (e *engine) restore(arrays []stringkernel.Array) (stringkernel.Scorer, error) {
	outputs := len(arrays) - 1
	switch {
	case e.wide():
		return nil, fmt.Errorf("%s: a scorer of k-mers of more than 64 bits has no stored form", e.name)
	case outputs < 1:
		return nil, fmt.Errorf("%s: %d arrays, want the k-mers and lists of coefficients", e.name, len(arrays))
	}
	if err := e.checkOutputs(outputs); err != nil {
		return nil, err
	}
	a := stored.Read(arrays)
	codes, err := e.readGaps(stored.Get[uint8](a, kmersName, math.MaxInt))
	if err != nil {
		return nil, fmt.Errorf("%s: array %q: %w", e.name, kmersName, err)
	}
	coef := make([][]float64, outputs)
	for m := range coef {
		coef[m] = a.Table(coefPrefix+strconv.Itoa(m), len(codes), 1)
	}
	if err := a.Close(); err != nil {
		return nil, fmt.Errorf("%s: %w", e.name, err)
	}
	return newScorer(context.Background(), e, codes, coef)
}

// readGaps returns the ascending k-mers of a list of gaps.
func (e *engine) readGaps(gaps []uint8) ([]uint64, error) {
	count := 0
	for _, b := range gaps {
		count += int(^b >> 7) // the last byte of a gap
	}
	codes, code := make([]uint64, 0, count), uint64(0)
	for len(gaps) > 0 {
		gap, n := binary.Uvarint(gaps)
		if n <= 0 {
			return nil, fmt.Errorf("k-mer %d is cut off or has more than 64 bits", len(codes))
		}
		gaps = gaps[n:]
		before := code
		switch code += gap; {
		case len(codes) > 0 && code <= before:
			return nil, fmt.Errorf("k-mer %d is %d after %d, want ascending numbers", len(codes), code, before)
		case !e.coder.kmers.Valid(code):
			return nil, fmt.Errorf("k-mer %d is %#x, want %d letters of %d bits, each below %d",
				len(codes), code, e.coder.length, e.coder.bits, e.coder.sigma)
		case e.canonical(code) != code:
			return nil, fmt.Errorf("k-mer %d is the greater of it and its reverse complement", len(codes))
		}
		codes = append(codes, code)
	}
	return codes, nil
}
