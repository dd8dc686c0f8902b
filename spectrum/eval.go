package spectrum

import (
	"context"

	"github.com/seqsvm/seqsvm/internal/countof"
	"github.com/seqsvm/seqsvm/internal/kmer"
)

// Eval returns k(x, y), of raw counts an exact integer below 2⁵³. It sorts the k-mers of both, a length at a time:
// O((|x| + |y|) log) per length. With Bounded it stops at the first length without a common k-mer.
func (k Kernel) Eval(x, y []byte) float64 {
	if k.TFIDF {
		return tfidf(k).eval(x, y)
	}
	x, y = k.record(x), k.record(y)
	values, sum := countof.New(k.Count), 0.0
	for length := k.shortest(); length <= k.K; length++ {
		c, common, others := kmer.New(k.Alphabet, length), false, map[uint64]float64{}
		c.EachCount(x, func(code uint64, count int) { others[code] = values.At(uint32(count)) })
		c.EachCount(y, func(code uint64, count int) {
			if value, is := others[code]; is {
				sum += float64(value * values.At(uint32(count)))
				common = true
			}
		})
		if !common {
			break // a longer common k-mer would have a common prefix
		}
	}
	return sum
}

// SelfEval returns k(x, x), of raw counts the very value of Eval(x, x). O(|x|) for each length up to the first whose
// k-mers are all distinct.
func (k Kernel) SelfEval(x []byte) float64 { return k.selfEval(context.Background(), x) }

// selfEval is SelfEval under a context.
func (k Kernel) selfEval(ctx context.Context, x []byte) float64 {
	if k.TFIDF {
		return tfidf(k).selfEval(ctx, x)
	}
	return k.square(ctx, k.record(x))
}

// square returns the sum of squares of the counts of k-mers in sequences together. It leaves the counts of an ended
// context to the garbage.
func (k Kernel) square(ctx context.Context, seqs ...[]byte) float64 {
	c := counters.Get().(*counter)
	c.coder = kmer.New(k.Alphabet, k.K)
	values := countof.New(k.Count)
	c.findRepeats(ctx, &c.coder, k.shortest(), false, seqs...)
	sum := c.square(&values)
	counters.Put(c)
	return sum
}

// EachFeature lists the k-mers of x with what the function makes of their counts, by length and in alphabetical order.
// O(|x| log |x|) per length.
func (k Kernel) EachFeature(x []byte, visit func(name string, value float64)) {
	if k.TFIDF {
		tfidf(k).eachFeature(x, visit)
		return
	}
	values := countof.New(k.Count)
	x = k.record(x)
	for length := k.shortest(); length <= k.K; length++ {
		c := kmer.New(k.Alphabet, length)
		c.EachCount(x, func(code uint64, count int) { visit(c.String(code), values.At(uint32(count))) })
	}
}
