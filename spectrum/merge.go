package spectrum

import (
	"context"
	"fmt"

	"github.com/seqsvm/seqsvm/internal/cancel"
	"github.com/seqsvm/seqsvm/internal/countof"
	"github.com/seqsvm/seqsvm/internal/kmer"
	"github.com/seqsvm/seqsvm/internal/vectors"
	"github.com/seqsvm/seqsvm/stringkernel"
	"github.com/seqsvm/seqsvm/stringkernel/engine/table"
)

// Merge folds the support vectors into the weight of each of their k-mers. O(N) for N letters, for each length with
// Bounded. Where weights for all outputs take far more memory than support vectors, the k-mers of these are listed and
// their coefficients kept: O(N + c) memory for c coefficients.
func (k Kernel) Merge(
	ctx context.Context, sv *stringkernel.Corpus, c *stringkernel.Coefficients,
) (scorer stringkernel.Scorer, err error) {
	defer cancel.Catch(&err)
	if err := c.Check(sv); err != nil {
		return nil, fmt.Errorf("spectrum: %w", err)
	}
	if err := k.Check(); err != nil {
		return nil, err
	}
	if sv.Len() >= table.MostRecords {
		return nil, fmt.Errorf("spectrum: %d support vectors, want fewer than 2³⁰", sv.Len())
	}
	if k.TFIDF {
		return tfidf(k).merge(ctx, sv, c)
	}
	if k.bySupport(sv.Len(), sv.Letters(), c.Outputs, len(c.Values)) {
		return newSupportScorer(ctx, k, sv, c)
	}
	if err := k.checkSorted(sv, k.byTable(k.K, sv.Letters(), c.Outputs)); err != nil {
		return nil, err
	}
	perLetter := k.weightBytes(sv.Letters(), c.Outputs) / float64(max(sv.Letters(), 1))
	if k.bothStrands {
		perLetter *= 2
	}
	if err := stringkernel.CheckIndex(sv, perLetter); err != nil {
		return nil, fmt.Errorf("spectrum: %w", err)
	}
	weights, err := mergeWeights(ctx, k, k.records(sv), c.Dense())
	if err != nil {
		return nil, err
	}
	return k.scorer(c.Outputs, 0, weights), nil
}

// scorer returns the scorer of weights, by counts through a function if k has one. A row of them has so many columns,
// those of outputs behind the factors of TFIDF.
func (k Kernel) scorer(columns, factors int, levels []level) stringkernel.Scorer {
	linear := newScorer(k.Alphabet, columns, levels)
	if !k.weighs() {
		return linear
	}
	return &countedScorer{k, countof.New(k.Count), factors, linear}
}

// mergeWeights sums coef[m][i] times what the function makes of the counts of every k-mer in the records i. The levels
// ascend: lengths 1…K, or K alone. It is an error if they would take too much memory.
func mergeWeights(
	ctx context.Context, k Kernel, records *stringkernel.Corpus, coef [][]float64,
) (levels []level, err error) {
	kmers := 0
	for length := k.shortest(); length <= k.K; length++ {
		c, l := kmer.New(k.Alphabet, length), level{}
		if k.byTable(length, records.Letters(), len(coef)) {
			l = tableLevel(ctx, c, k.Count, records, coef)
		} else if l, err = sortedLevel(ctx, c, k.Count, records, coef); err != nil {
			return nil, err
		}
		kmers += len(l.codes)
		if err := checkWeights(kmers, len(coef)); err != nil {
			return nil, err
		}
		levels = append(levels, l)
	}
	return levels, nil
}

// byTable reports whether the weights of k-mers of a length should be summed in an array indexed by the code, which is
// not much larger than the support vectors then. Else k-mers are sorted.
func (k Kernel) byTable(length, letters, outputs int) bool {
	width := k.Alphabet.Bits() * length
	return width <= 22 && (1<<width)*outputs <= max(1<<16, 4*letters)
}

// tableLevel sums the weights of the k-mers of c.K letters in an array.
func tableLevel(
	ctx context.Context, c kmer.Coder, f stringkernel.Count, records *stringkernel.Corpus, coef [][]float64,
) level {
	m, values := len(coef), countof.New(f)
	table := make([]float64, m<<(c.Bits*uint(c.K)))
	own := make([]float64, m) // coefficients of a record
	var codes []uint64
	for i := range records.Len() {
		for o := range own {
			own[o] = coef[o][i]
		}
		if !f.Linear() {
			cancel.Check(ctx)
			c.EachCount(records.Seq(i), func(code uint64, count int) {
				vectors.AddScaled(table[int(code)*m:][:m], values.At(uint32(count)), own)
			})
			continue
		}
		c.EachPiece(&codes, records.Seq(i), false, func(codes []uint64) {
			cancel.Check(ctx)
			for _, code := range codes {
				for o, a := range own {
					table[int(code)*m+o] += a
				}
			}
		})
	}
	return levelOf(c.K, table, m)
}

// sortedLevel sums the weights of the k-mers of c.K letters by sorting.
func sortedLevel(
	ctx context.Context, c kmer.Coder, f stringkernel.Count, records *stringkernel.Corpus, coef [][]float64,
) (level, error) {
	h, m, values := newHolders(ctx, c, records), len(coef), countof.New(f)
	if err := checkWeights(len(h.codes), m); err != nil {
		return level{}, err
	}
	l := level{c.K, h.codes, make([]float64, m*len(h.codes))}
	h.Each(ctx, func(feature, doc, count uint32) {
		value := values.At(count)
		row := l.row(int(feature), m)
		for o := range row {
			row[o] += float64(coef[o][doc] * value)
		}
	})
	return l.nonzero(m), nil
}

// mergeBytes estimates the most memory of merging support vectors: into weights, or into lists, as for several outputs
// where coefficients are few.
func (k Kernel) mergeBytes(sequences, letters, outputs int) float64 {
	weights, n := k.weightBytes(letters, outputs), float64(letters)
	if !k.bySupport(sequences, letters, outputs, sequences) {
		return weights
	}
	return min(weights, n*k.comparisonBytes(n))
}

// weightBytes estimates the most memory of merging support vectors into weights, at any moment of it: the weights of as
// many k-mers as there can be, and what those of one length are made of.
func (k Kernel) weightBytes(letters, outputs int) float64 {
	const codes, lists = 8, 8 // of a k-mer, where they are copied; of an occurrence
	n, rows, making := float64(letters), 0.0, 0.0
	for length := k.shortest(); length <= k.K; length++ {
		kmers := min(n, k.kmers(length))
		rows += kmers
		if k.byTable(length, letters, outputs) {
			making = max(making, float64(outputs)*8*k.kmers(length))
		} else {
			making = max(making, float64(codes*kmers)+float64(lists*n)+sortingBytes(letters))
		}
	}
	return max(float64(float64(8+8*outputs)*rows)+making, rowBytes(rows, outputs))
}
