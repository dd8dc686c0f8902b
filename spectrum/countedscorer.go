package spectrum

import (
	"context"
	"fmt"
	"sync"

	"github.com/seqsvm/seqsvm/internal/cancel"
	"github.com/seqsvm/seqsvm/internal/countof"
	"github.com/seqsvm/seqsvm/internal/scratch"
	"github.com/seqsvm/seqsvm/stringkernel"
	"github.com/seqsvm/seqsvm/stringkernel/compose"
)

// countedScorer is the weights of k-mers by counts through a function. It is safe for concurrent use.
type countedScorer struct {
	kernel  throughCount
	values  countof.Values
	outputs int
	levels  []countedLevel
	linear  *scorer // of the same weights by raw counts; nil unless scores are by repeats

	arranged cancel.Once[struct{}]
	counts   sync.Pool // *[]uint32, zero at rest
}

// merge folds the support vectors into weights of k-mers. O(N) for N letters, for each length.
func (k throughCount) merge(
	ctx context.Context, sv *stringkernel.Corpus, c *stringkernel.Coefficients,
) (*countedScorer, error) {
	tabled := k.tableLength(sv.Letters(), c.Outputs)
	if err := Kernel(k).checkSorted(sv, tabled == k.K); err != nil {
		return nil, err
	}
	perLetter := Kernel(k).weightBytes(sv.Len(), sv.Letters(), c.Outputs) / float64(max(sv.Letters(), 1))
	if k.rc {
		perLetter *= 2
	}
	if err := stringkernel.CheckIndex(sv, perLetter); err != nil {
		return nil, fmt.Errorf("spectrum: %w", err)
	}
	records, coef := k.records(sv), c.Dense()
	var levels []countedLevel
	rows := 0
	for _, l := range k.tableLevels(ctx, records, coef, tabled) {
		levels = append(levels, countedLevel{coder: newCoder(k.Alphabet, l.length), codes: l.codes, values: l.values})
		rows += len(l.codes)
	}
	first := max(tabled+1, Kernel(k).shortest())
	sorted, err := k.levels(ctx, records, first, c.Outputs, rows, newWeigher(k.Count, coef).add)
	if err != nil {
		return nil, err
	}
	levels = append(levels, sorted...)
	return k.scorer(c.Outputs, levels)
}

// scorer returns a scorer of levels.
func (k throughCount) scorer(outputs int, levels []countedLevel) (*countedScorer, error) {
	return newRepeatsScorer(k, outputs, levels)
}

func newCountedScorer(k throughCount, outputs int, levels []countedLevel) *countedScorer {
	s := &countedScorer{kernel: k, values: countof.New(k.Count), outputs: outputs, levels: levels}
	s.arranged.Make = func(ctx context.Context) (done struct{}) {
		for i := range s.levels {
			s.levels[i].arrange(ctx)
		}
		return done
	}
	return s
}

// newRepeatsScorer returns a scorer by a function, which scores by repeats.
func newRepeatsScorer(k throughCount, outputs int, levels []countedLevel) (*countedScorer, error) {
	s := newCountedScorer(k, outputs, levels)
	weights := make([]level, len(levels))
	for i, l := range levels {
		weights[i] = level{length: l.coder.K, codes: l.codes, values: l.values}
	}
	raw := k.raw()
	var err error
	s.linear, err = newScorer(raw, outputs, weights, scorerDepth(raw, outputs, weights))
	return s, err
}

// raw is the kernel of raw counts of the same k-mers.
func (k throughCount) raw() Kernel { return Kernel{K: k.K, Bounded: k.Bounded, Alphabet: k.Alphabet} }

// Traits says that weights are to be arranged for scores.
func (s *countedScorer) Traits() stringkernel.Traits {
	return stringkernel.Traits{Prepare: func(ctx context.Context) (err error) {
		defer cancel.Catch(&err)
		if s.linear != nil {
			s.linear.arranged.Get(ctx)
		} else {
			s.arranged.Get(ctx)
		}
		return nil
	}}
}

// Outputs returns the number of scores per sequence.
func (s *countedScorer) Outputs() int { return s.outputs }

// ScoreTo looks up the k-mers of x and adds what they add once each, by length and in order of their first places.
// O(|x|) for each length.
func (s *countedScorer) ScoreTo(dst []float64, x []byte) {
	dst, x = dst[:s.outputs], s.kernel.record(x)
	if s.linear != nil {
		s.scoreByRepeats(dst, x)
		return
	}
	clear(dst)
	s.eachCount(x, func(l *countedLevel, number int32, n int) {
		for m := range dst {
			dst[m] += s.valueOf(l, number, n, m)
		}
	})
}

// SelfScorer finds k(x, x) by the counts of a score; nil if scores are by length.
func (s *countedScorer) SelfScorer() compose.SelfScorer {
	if s.linear == nil {
		return nil
	}
	return repeatsScorer{s}
}

type repeatsScorer struct{ *countedScorer }

func (s repeatsScorer) SelfScoreTo(dst []float64, x []byte) float64 {
	return s.scoreByRepeats(dst[:s.outputs], s.kernel.record(x))
}

// valueOf returns what n occurrences of a k-mer add to output m.
func (s *countedScorer) valueOf(l *countedLevel, number int32, n, m int) float64 {
	return float64(s.values.At(uint32(n)) * l.values[int(number)*s.outputs+m])
}

// eachCount calls visit with each k-mer of a record that has a weight and how often it occurs.
func (s *countedScorer) eachCount(record []byte, visit func(l *countedLevel, number int32, n int)) {
	s.arranged.Get(context.Background())
	c := counters.Get().(*counter)
	defer counters.Put(c)
	for i := range s.levels {
		l := &s.levels[i]
		s.countLevel(c, l, record, func(number int32, n int) { visit(l, number, n) })
	}
}

// countLevel is eachCount of one length.
func (s *countedScorer) countLevel(c *counter, l *countedLevel, record []byte, visit func(number int32, n int)) {
	pooled := scratch.BorrowOf[uint32](&s.counts, l.total)
	defer s.counts.Put(pooled)
	counts, met := *pooled, c.ids[:0]
	c.codes = l.coder.Append(c.codes[:0], record)
	for _, code := range c.codes {
		if number := l.number(code); number >= 0 {
			counts[number]++
			met = append(met, number)
		}
	}
	for _, number := range met {
		if n := counts[number]; n > 0 {
			visit(number, int(n))
			counts[number] = 0
		}
	}
	c.ids = met
}
