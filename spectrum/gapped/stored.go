package gapped

import (
	"context"
	"encoding/binary"
	"fmt"
	"math"
	"math/bits"
	"strconv"

	"github.com/seqsvm/seqsvm/internal/parallel"
	"github.com/seqsvm/seqsvm/internal/stored"
	"github.com/seqsvm/seqsvm/stringkernel"
)

// The stored form of both scorers: the k-mers with coefficients, ascending, as the gaps between them in unsigned
// varints (the first k-mer is its own gap), and the coefficients of each output, from which the tables are made again.
// With both strands a k-mer and its reverse complement have one coefficient: only the lesser of the two is stored.
// That is 9 to 10 bytes per k-mer and output.
const (
	kmersName  = "words"
	coefPrefix = "coef."
)

// writeArrays returns the arrays of ascending k-mers and their coefficients.
func writeArrays[K uint32 | uint64](e *engine, kmers []K, coef [][]float64) []stringkernel.Array {
	kept := func(w K) bool { return !e.rc || e.coder.reverseComplement(uint64(w)) >= uint64(w) }
	gaps, count, previous := []uint8{}, 0, K(0)
	for _, w := range kmers {
		if kept(w) {
			gaps = binary.AppendUvarint(gaps, uint64(w-previous))
			previous = w
			count++
		}
	}
	arrays := []stringkernel.Array{{Name: kmersName, Data: gaps}}
	for m, values := range coef {
		if count < len(kmers) {
			values = make([]float64, 0, count)
			for i, w := range kmers {
				if kept(w) {
					values = append(values, coef[m][i])
				}
			}
		}
		arrays = append(arrays, stringkernel.Array{Name: coefPrefix + strconv.Itoa(m), Data: values})
	}
	return arrays
}

// readArrays checks everything but, of a single strand, the k-mers' letters.
func readArrays[K uint32 | uint64](e *engine, arrays []stringkernel.Array) (kmers []K, coef [][]float64, err error) {
	outputs := len(arrays) - 1
	if outputs < 1 || outputs > maxOutputs {
		return nil, nil, fmt.Errorf("%s: %d arrays, want the k-mers and 1 to %d lists of coefficients",
			e.name, len(arrays), maxOutputs)
	}
	a := stored.Read(arrays)
	gaps := stored.Get[uint8](a, kmersName, math.MaxInt)
	if kmers, err = readGaps[K](gaps); err != nil {
		return nil, nil, fmt.Errorf("%s: array %q: %w", e.name, kmersName, err)
	}
	coef = make([][]float64, outputs)
	for m := range coef {
		coef[m] = a.Table(coefPrefix+strconv.Itoa(m), len(kmers), 1)
	}
	if err := a.Close(); err != nil {
		return nil, nil, fmt.Errorf("%s: %w", e.name, err)
	}
	if e.rc {
		err = checkLesser(e, kmers)
	}
	return kmers, coef, err
}

// checkLesser returns an error unless each k-mer is the lesser of it and its reverse complement.
func checkLesser[K uint32 | uint64](e *engine, kmers []K) error {
	const piece = 1 << 16
	return parallel.Do(context.Background(), (len(kmers)+piece-1)/piece, func(p int) error {
		lo := p * piece
		for i, kmer := range kmers[lo:min(lo+piece, len(kmers))] {
			w := uint64(kmer)
			if w > e.coder.all {
				return fmt.Errorf("%s: array %q: k-mer %d is %d, want numbers up to %d", e.name, kmersName, lo+i, w, e.coder.all)
			}
			if e.coder.reverseComplement(w) < w {
				return fmt.Errorf("%s: array %q: k-mer %d is the greater of it and its reverse complement", e.name, kmersName,
					lo+i)
			}
		}
		return nil
	})
}

// readGaps returns the ascending k-mers of a list of gaps.
func readGaps[K uint32 | uint64](gaps []uint8) ([]K, error) {
	count := 0
	for _, b := range gaps {
		count += int(^b >> 7) // the last byte of a gap
	}
	kmers, w := make([]K, 0, count), uint64(0)
	for len(gaps) > 0 {
		gap, n := binary.Uvarint(gaps)
		if n <= 0 {
			return nil, fmt.Errorf("k-mer %d is cut off or has more than 64 bits", len(kmers))
		}
		gaps = gaps[n:]
		before := w
		if w += gap; len(kmers) > 0 && w <= before {
			return nil, fmt.Errorf("k-mer %d is %d after %d, want ascending numbers", len(kmers), w, before)
		}
		if uint64(K(w)) != w {
			return nil, fmt.Errorf("k-mer %d is %d, want numbers below 2³²", len(kmers), w)
		}
		kmers = append(kmers, K(w))
	}
	return kmers, nil
}

// addOpposites gives the reverse complement of each k-mer the k-mer's coefficients, in ascending order.
func addOpposites(e *engine, kmers []uint64, coef [][]float64) ([]uint64, [][]float64) {
	opposites := make([]opposite, 0, len(kmers))
	for i, w := range kmers {
		if other := e.coder.reverseComplement(w); other > w {
			opposites = append(opposites, opposite{other, i})
		}
	}
	opposites = sortOpposites(opposites, bits.Len64(e.coder.all))
	both, sums := make([]uint64, len(kmers)+len(opposites)), make([][]float64, len(coef))
	for m := range sums {
		sums[m] = make([]float64, len(both))
	}
	for j, i := 0, 0; j < len(both); j++ {
		from := i
		if len(opposites) > 0 && (i == len(kmers) || opposites[0].mer < kmers[i]) {
			both[j], from = opposites[0].mer, opposites[0].of
			opposites = opposites[1:]
		} else {
			both[j] = kmers[i]
			i++
		}
		for m := range sums {
			sums[m][j] = coef[m][from]
		}
	}
	return both, sums
}

// opposite is the reverse complement of a k-mer of a list.
type opposite struct {
	mer uint64
	of  int
}

// sortOpposites sorts k-mers of so many bits by radix, from the lowest digit up, in the list or another of its length.
func sortOpposites(list []opposite, size int) []opposite {
	const digit = 11
	to := make([]opposite, len(list))
	for shift := 0; shift < size; shift += digit {
		var starts [1<<digit + 1]int
		for _, o := range list {
			starts[o.mer>>shift&(1<<digit-1)+1]++
		}
		for d := range starts[1:] {
			starts[d+1] += starts[d]
		}
		for _, o := range list {
			at := &starts[o.mer>>shift&(1<<digit-1)]
			to[*at] = o
			*at++
		}
		list, to = to, list
	}
	return list
}
