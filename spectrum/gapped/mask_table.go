package gapped

import (
	"context"
	"math/bits"

	"github.com/seqsvm/seqsvm/internal/cancel"
	"github.com/seqsvm/seqsvm/internal/hash"
	"github.com/seqsvm/seqsvm/internal/parallel"
)

// maskTables holds, for each mask, the sums of the coefficients of the k-mers that are the same on its positions: the
// score of a k-mer is one look-up per mask, two with both strands, for all outputs. Those of a k-mer and its reverse
// complement are added mask by mask.
type maskTables []maskTable

// maskTable has a row of values, one per output, for each masked k-mer: in an array by the k-mer's letters drawn
// together, or where that is much larger than the number of k-mers (see arraySize) by a hash table, whose row 0 is
// zeros, that of k-mers that are not there.
type maskTable struct {
	letters uint64
	drawn   []drawn
	numbers *hash.Table // nil for an array
	values  []float64
}

// arrayPerKmer is the greatest size of an array per k-mer in it.
const arrayPerKmer = 4

// newMaskTables builds the tables from k-mers and their coefficients.
func newMaskTables(ctx context.Context, masks []mask, codes []uint64, coef [][]float64) maskTables {
	tables := make(maskTables, len(masks))
	parallel.EachContext(ctx, len(masks), func(i int) { tables[i].fill(ctx, masks[i], codes, coef) })
	return tables
}

// maskTableBytes bounds the size of the tables.
func maskTableBytes(masks []mask, kmers, outputs int) float64 {
	sum := 0.0
	for _, m := range masks {
		if size, ok := arraySize(m, kmers); ok {
			sum += float64(8 * float64(outputs) * float64(size))
		} else {
			sum += float64(hash.Bytes(kmers+kmers/2)) + float64(8*float64(outputs)*float64(kmers+1))
		}
	}
	return sum
}

// arraySize returns the size of an array for a mask, and whether it serves that many k-mers.
func arraySize(m mask, kmers int) (size int, ok bool) {
	chosen := bits.OnesCount64(m.letters)
	return 1 << min(chosen, 40), chosen < 40 && 1<<chosen <= arrayPerKmer*kmers
}

// fill sums the coefficients by masked k-mer.
func (t *maskTable) fill(ctx context.Context, m mask, codes []uint64, coef [][]float64) {
	outputs := len(coef)
	t.letters = m.letters
	if size, ok := arraySize(m, len(codes)); ok {
		t.drawn = draw(m.letters)
		t.values = make([]float64, size*outputs)
	} else {
		t.numbers = new(hash.Table)
		t.numbers.Reset(len(codes) + len(codes)/2)
		for _, code := range cancel.All(ctx, codes) {
			t.numbers.Number(code & m.letters)
		}
		t.values = make([]float64, (t.numbers.Len()+1)*outputs)
	}
	for i, code := range cancel.All(ctx, codes) {
		row := t.row(code, outputs)
		for j := range coef {
			row[j] += float64(m.weight * coef[j][i])
		}
	}
}

// row returns the values of a k-mer.
func (t *maskTable) row(code uint64, outputs int) []float64 {
	var at uint64
	if t.numbers == nil {
		at = together(code, t.drawn)
	} else {
		at = uint64(t.numbers.Find(code & t.letters))
	}
	return t.values[int(at)*outputs:][:outputs]
}

// addTo adds mask by mask.
func (tables maskTables) addTo(dst []float64, w *block, outputs int) {
	for i := range tables {
		tables[i].addTo(dst, w, outputs)
	}
}

func (t *maskTable) addTo(dst []float64, w *block, outputs int) {
	for j, code := range w.codes {
		row, values := dst[w.rows[j]:][:outputs], t.row(code, outputs)
		if len(w.opposite) == 0 {
			for m, v := range values {
				row[m] += v
			}
			continue
		}
		others := t.row(w.opposite[j], outputs)
		for m, v := range values {
			row[m] += v + others[m]
		}
	}
}

// drawn moves a run of bits.
type drawn struct {
	bits  uint64
	shift uint8
}

// draw returns the moves that draw chosen bits together, to the low end.
func draw(chosen uint64) []drawn {
	var moves []drawn
	for to := 0; chosen != 0; {
		from := bits.TrailingZeros64(chosen)
		run := bits.TrailingZeros64(^(chosen >> from))
		moved := (^uint64(0) >> (64 - run)) << from
		moves = append(moves, drawn{moved, uint8(from - to)})
		chosen &^= moved
		to += run
	}
	return moves
}

// together returns the bits drawn together.
func together(code uint64, moves []drawn) uint64 {
	out := uint64(0)
	for _, d := range moves {
		out |= code & d.bits >> (d.shift & 63)
	}
	return out
}
