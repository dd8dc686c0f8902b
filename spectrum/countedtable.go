package spectrum

import (
	"context"
	"runtime"
	"sync"

	"github.com/seqsvm/seqsvm/internal/cancel"
	"github.com/seqsvm/seqsvm/internal/countof"
	"github.com/seqsvm/seqsvm/stringkernel"
)

// tablePart indexes k-mers by their codes, each once for a record with what a separable function makes of its count,
// and adds k(x, x) to diag, in the order of SelfEval. It returns nil, and diag is as it was, if a count is greater than
// an entry has room for.
func (k throughCount) tablePart(ctx context.Context, records *stringkernel.Corpus, diag []float64) *flatPart {
	coder := newCoder(k.Alphabet, k.K)
	features := 1 << (coder.Bits * uint(k.K))
	l := codeLister{&coder, records, features, documentBlocks(records, runtime.GOMAXPROCS(0)), sync.Pool{}}
	n := records.Len()
	room, sizes, greatest := make([]int, n), make([]int, n), make([]uint32, n)
	for j := range room {
		room[j] = max(0, len(records.Seq(j))-k.K+1)
	}
	values := countof.New(k.Count)
	inc, next := newReserved(features, room, k.Count != stringkernel.CountPresence)
	l.each(ctx, func(_ int, codes []uint64, counts []uint32) {
		for _, code := range codes {
			counts[code]++
		}
	}, func(j int, codes []uint64, counts []uint32) {
		at, sum, most := next[j]+sizes[j], diag[j], greatest[j]
		first := at
		for _, code := range codes {
			n := counts[code]
			if n == 0 {
				continue // not the first
			}
			sum += values.Square(n)
			most = max(most, n)
			if inc.counts == nil {
				n = 1
			}
			inc.putOne(at, uint32(code), uint16(min(n, maxCount)))
			at++
			counts[code] = 0
		}
		sizes[j], diag[j], greatest[j] = sizes[j]+at-first, sum, most
	})
	most := uint32(0)
	for _, n := range greatest {
		most = max(most, n)
	}
	if most > maxCount && inc.counts != nil {
		clear(diag)
		return nil
	}
	inc.closeUp(sizes)
	if inc.counts != nil {
		for n := range int(most) + 1 {
			inc.values = append(inc.values, values.At(uint32(n)))
		}
	}
	return newFlatPart(features, inc)
}

// tableLevel sums the weights of k-mers by a separable function in an array indexed by the code: the bits of add.
func (k throughCount) tableLevel(
	ctx context.Context, coder coder, records *stringkernel.Corpus, coef [][]float64,
) (l countedLevel) {
	m := len(coef)
	table := make([]float64, m<<(coder.Bits*uint(coder.K)))
	counts := make([]uint32, 1<<(coder.Bits*uint(coder.K)))
	values := countof.New(k.Count)
	var list []uint64
	for j := range records.Len() {
		coder.eachPiece(&list, records.Seq(j), false, func(codes []uint64) {
			cancel.Check(ctx)
			for _, code := range codes {
				counts[code]++
			}
		})
		coder.eachPiece(&list, records.Seq(j), true, func(codes []uint64) {
			cancel.Check(ctx)
			for _, code := range codes {
				if n := counts[code]; n > 0 {
					value, row := values.At(n), table[int(code)*m:][:m]
					for o := range row {
						row[o] += float64(value * coef[o][j])
					}
					counts[code] = 0
				}
			}
		})
	}
	l.coder = coder
	for code := range counts {
		l.put(uint64(code), table[code*m:][:m])
	}
	return l
}
