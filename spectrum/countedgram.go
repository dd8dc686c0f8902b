package spectrum

import (
	"context"
	"fmt"
	"runtime"

	"github.com/seqsvm/seqsvm/internal/cancel"
	"github.com/seqsvm/seqsvm/internal/countof"
	"github.com/seqsvm/seqsvm/internal/parallel"
	"github.com/seqsvm/seqsvm/stringkernel"
	"github.com/seqsvm/seqsvm/stringkernel/compose"
)

// gram indexes a corpus as by raw counts. K-mers of one length have numbers of counts in their place; those of a
// bounded kernel have their repeats beside them.
func (k throughCount) gram(ctx context.Context, c *stringkernel.Corpus) (stringkernel.Gram, error) {
	depth := gramDepth(Kernel(k), c.Letters())
	if err := k.checkIndex(c, depth == k.K); err != nil {
		return nil, err
	}
	if Kernel(k).byTree(c, depth) {
		return Kernel(k).treeGram(ctx, c, func(ctx context.Context) *gram {
			g, err := k.boundedGram(ctx, c, depth)
			if err != nil {
				panic(err.Error()) // more different counts than so few letters have
			}
			return g
		})
	}
	if k.Bounded {
		return k.boundedGram(ctx, c, depth)
	}
	values := countof.New(k.Count)
	numbers := newCountNumbers(values.At)
	numbers.presence = k.Count == stringkernel.CountPresence
	g := newFlatGram(ctx, Kernel(k), k.records(c), depth > 0, numbers)
	parallel.EachContext(ctx, c.Len(), func(j int) { g.diag[j] = k.self(ctx, c.Seq(j)) })
	return g, numbers.err
}

// LongGram is Gram by counts through a function for others that have the same features in models of their own, such as
// package substring: k-mers may be of up to 64 bits (dna: 32 letters), where Check and models of this package have
// room for twelve letters. It returns nil unless the kernel is Bounded and of nucleotides, whose long k-mers are in one
// list, which takes less time than a suffix tree. The diagonal has not the bits of the others' SelfEval.
func (k Kernel) LongGram(ctx context.Context, c *stringkernel.Corpus) (matrix stringkernel.Gram, err error) {
	defer cancel.Catch(&err)
	depth, through := gramDepth(k, c.Letters()), throughCount(k)
	if !k.Bounded || c.Len() >= mostDocuments || k.byTree(c, depth) {
		return nil, nil
	}
	if err := through.checkIndex(c, depth == k.K); err != nil {
		return nil, err
	}
	g, err := through.boundedGram(ctx, c, depth)
	return matrixAlone{g}, err
}

// matrixAlone is a matrix for kernels whose k(x, x) has other last bits.
type matrixAlone struct{ *gram }

func (matrixAlone) SelfValues() compose.SelfValues { return nil }

// boundedGram makes the matrix of a bounded kernel: k-mers of up to depth letters are in arrays, longer ones in a list.
func (k throughCount) boundedGram(ctx context.Context, c *stringkernel.Corpus, depth int) (*gram, error) {
	g, records := &gram{diag: make([]float64, c.Len())}, k.records(c)
	if depth < k.K { // first, since it sorts
		g.parts = append(g.parts, newPrefixPart(ctx, Kernel(k), records, depth))
	}
	short := newFoldPart(ctx, Kernel{K: depth, Bounded: true, Alphabet: k.Alphabet}, records)
	short.scale = k.Count.Pair(1, 1)
	var err error
	short.more, err = k.listRepeats(ctx, records, short.steps, g.diag)
	g.parts = append(g.parts, short)
	return g, err
}

// listRepeats lists the repeats on a ladder of each record, with what a function makes of their counts beyond raw
// counts in units of g(1), and sets k(x, x) by k-mers of all lengths.
func (k throughCount) listRepeats(
	ctx context.Context, records *stringkernel.Corpus, steps *ladder, diag []float64,
) (*incidence, error) {
	coder, values := newCoder(k.Alphabet, k.K), countof.New(k.Count)
	numbers := newCountNumbers(values.Surplus)
	blocks := documentBlocks(records, runtime.GOMAXPROCS(0))
	lists, sizes := make([]chunks[numbered], len(blocks)-1), make([]int, records.Len())
	parallel.EachContext(ctx, len(lists), func(b int) {
		c := counters.Get().(*counter)
		for j := blocks[b]; j < blocks[b+1]; j++ {
			c.findRepeats(ctx, &coder, 1, records.Seq(j))
			diag[j] = c.selfRepeats(&values)
			for _, r := range c.repeats {
				if int(r.length) <= steps.depth {
					at := uint32(steps.index(r.code, int(r.length)))
					lists[b].add(numbered{at, uint16(numbers.of(r.count))})
					sizes[j]++
				}
			}
		}
		counters.Put(c)
	})
	inc, _ := newReserved(steps.size(), sizes, true)
	at := 0
	for b := range lists {
		for r := range lists[b].drain(ctx) {
			inc.putOne(at, r.feature, r.count)
			at++
		}
	}
	inc.values = numbers.values
	return inc, numbers.err
}

// numbered is a feature with the number of its count.
type numbered struct {
	feature uint32
	count   uint16
}

// checkIndex returns an error if the index of a corpus, made by sorting or in tables, would take too much memory.
func (k throughCount) checkIndex(c *stringkernel.Corpus, table bool) error {
	if err := Kernel(k).checkSorted(c, table); err != nil {
		return err
	}
	strands := 1.0
	if k.rc {
		strands = 2
	}
	perLetter := strands * (float64(6*Kernel(k).lengths()) + Kernel(k).indexBytes(false, c.Letters()))
	if err := stringkernel.CheckIndex(c, perLetter); err != nil {
		return fmt.Errorf("spectrum: %w", err)
	}
	return nil
}
