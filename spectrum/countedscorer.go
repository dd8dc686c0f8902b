package spectrum

import (
	"context"
	"fmt"
	"math"
	"strconv"
	"sync"

	"github.com/seqsvm/seqsvm/internal/cancel"
	"github.com/seqsvm/seqsvm/internal/countof"
	"github.com/seqsvm/seqsvm/internal/scratch"
	"github.com/seqsvm/seqsvm/internal/stored"
	"github.com/seqsvm/seqsvm/stringkernel"
)

// countedScorer is the weights of k-mers by counts through a function. A k-mer has one row of weights if the function
// is separable, else one for each count that support vectors have of it. It is safe for concurrent use.
type countedScorer struct {
	kernel  throughCount
	values  countof.Values // if the function is separable
	outputs int
	levels  []countedLevel

	arranged cancel.Once[struct{}]
	counts   sync.Pool // *[]uint32, zero at rest
}

// countedLevel is the k-mers of one length.
type countedLevel struct {
	coder  coder
	codes  []uint64  // ascending; of one k-mer as many as it has counts
	counts []int32   // of support vectors, ascending for each k-mer; nil if the function is separable
	values []float64 // a row for each code

	// What follows is made before the first score.
	firsts []int32 // of each k-mer the number of its first row, and at last that of all; nil: each has one row
	table  []int32 // by code: the number of the k-mer plus 1; nil: found by search
	search *lookup // of the numbers
	total  int
	byCode []float64 // a row for each code there can be, where there is a table and a k-mer has one row; nil: too many
}

// mostByCode is the most values of rows by code.
const mostByCode = 1 << 21

// merge folds the support vectors into weights of k-mers. O(N) for N letters, for each length.
func (k throughCount) merge(
	ctx context.Context, sv *stringkernel.Corpus, c *stringkernel.Coefficients,
) (*countedScorer, error) {
	table := !k.Bounded && k.Count.Separable() && topByTable(Kernel(k), sv.Letters(), c.Outputs)
	if err := Kernel(k).checkSorted(sv, table); err != nil {
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
	if table {
		l := k.tableLevel(ctx, newCoder(k.Alphabet, k.K), records, coef)
		return newCountedScorer(k, c.Outputs, []countedLevel{l}), nil
	}
	var levels []countedLevel
	rows := 0
	for length := Kernel(k).shortest(); length <= k.K; length++ {
		l := countedLevel{coder: newCoder(k.Alphabet, length)}
		for list := range sortedOccurrences(ctx, records, l.coder, length) {
			l.add(ctx, k.Count, list, coef)
			if err := checkWeights(rows+len(l.codes), c.Outputs); err != nil {
				return nil, err
			}
		}
		rows += len(l.codes)
		levels = append(levels, l)
		collectAfter(records)
	}
	return newCountedScorer(k, c.Outputs, levels), nil
}

// add adds the weights of sorted k-mers, greater than those before.
func (l *countedLevel) add(ctx context.Context, f stringkernel.Count, list []occurrence, coef [][]float64) {
	m := len(coef)
	var (
		docs             []uint32
		counts, distinct []int
		row              = make([]float64, m)
	)
	for lo, hi := 0, 0; lo < len(list); lo = hi {
		if lo/leastStretch != hi/leastStretch || lo == 0 {
			cancel.Check(ctx)
		}
		docs, counts, hi = countByDocument(list, lo, docs, counts)
		if f.Separable() {
			clear(row)
			for i, doc := range docs {
				value := f.Of(counts[i])
				for o := range row {
					row[o] += float64(value * coef[o][doc])
				}
			}
			l.put(list[lo].key, row)
			continue
		}
		distinct = distinctOf(distinct, counts)
		for _, n := range distinct {
			clear(row)
			for i, doc := range docs {
				if counts[i] != n {
					continue
				}
				for o := range row {
					row[o] += coef[o][doc]
				}
			}
			if l.put(list[lo].key, row) {
				l.counts = append(l.counts, int32(n))
			}
		}
	}
}

// put appends a row, and reports whether it is one of other numbers than 0.
func (l *countedLevel) put(code uint64, row []float64) bool {
	if isZero(row) {
		return false
	}
	l.codes, l.values = append(l.codes, code), append(l.values, row...)
	return true
}

func newCountedScorer(k throughCount, outputs int, levels []countedLevel) *countedScorer {
	s := &countedScorer{kernel: k, outputs: outputs, levels: levels}
	if k.Count.Separable() {
		s.values = countof.New(k.Count)
	}
	s.arranged.Make = func(ctx context.Context) (done struct{}) {
		for i := range s.levels {
			s.levels[i].arrange(ctx, outputs, k.Count.Separable())
		}
		return done
	}
	return s
}

// Traits says that weights are to be arranged for scores.
func (s *countedScorer) Traits() stringkernel.Traits {
	return stringkernel.Traits{Prepare: func(ctx context.Context) (err error) {
		defer cancel.Catch(&err)
		s.arranged.Get(ctx)
		return nil
	}}
}

// arrange numbers the k-mers: in a table indexed by the code where that is small, or not much larger than the weights.
func (l *countedLevel) arrange(ctx context.Context, outputs int, separable bool) {
	codes := l.codes
	if !separable {
		codes, l.firsts = nil, nil
		for i, code := range cancel.All(ctx, l.codes) {
			if i == 0 || code != l.codes[i-1] {
				codes, l.firsts = append(codes, code), append(l.firsts, int32(i))
			}
		}
		l.firsts = append(l.firsts, int32(len(l.codes)))
	}
	l.total = len(codes)
	width := l.coder.Bits * uint(l.coder.K)
	if width <= 16 || width <= tableBits && 1<<width <= scorerPerKmer*len(codes) {
		l.table = make([]int32, 1<<width)
		for i, code := range codes {
			l.table[code] = int32(i) + 1
		}
		if separable && outputs<<width <= mostByCode {
			l.byCode = make([]float64, outputs<<width)
			for i, code := range codes {
				copy(l.byCode[int(code)*outputs:], l.values[i*outputs:][:outputs])
			}
		}
		return
	}
	numbers := make([]float64, len(codes))
	for i := range numbers {
		numbers[i] = float64(i)
	}
	l.search = newLookup(ctx, codes, numbers, 1)
}

// number returns that of a k-mer, −1 if it has no weight.
func (l *countedLevel) number(code uint64) int32 {
	if l.table != nil {
		return l.table[code] - 1
	}
	if at := l.search.find(code); at >= 0 {
		return int32(l.search.values[at])
	}
	return -1
}

// valueOf returns what n occurrences of a k-mer add to output m.
func (s *countedScorer) valueOf(l *countedLevel, number int32, n, m int) float64 {
	if l.firsts == nil {
		return float64(s.values.At(uint32(n)) * l.values[int(number)*s.outputs+m])
	}
	sum := 0.0
	for i := l.firsts[number]; i < l.firsts[number+1]; i++ {
		sum += float64(s.kernel.Count.Pair(n, int(l.counts[i])) * l.values[int(i)*s.outputs+m])
	}
	return sum
}

// Outputs returns the number of scores per sequence.
func (s *countedScorer) Outputs() int { return s.outputs }

// ScoreTo looks up the k-mers of x and adds what they add once each, by length and in order of their first places.
// O(|x|) for each length; of a function that is not separable, times the counts that support vectors have of a k-mer.
func (s *countedScorer) ScoreTo(dst []float64, x []byte) {
	s.arranged.Get(context.Background())
	dst = dst[:s.outputs]
	clear(dst)
	record := s.kernel.record(x)
	c := counters.Get().(*counter)
	defer counters.Put(c)
	for i := range s.levels {
		l := &s.levels[i]
		if l.byCode != nil {
			s.scoreByCode(dst, c, l, record)
			continue
		}
		s.countLevel(c, l, record, func(number int32, n int) {
			for m := range dst {
				dst[m] += s.valueOf(l, number, n, m)
			}
		})
	}
}

// scoreByCode adds what the k-mers of one length add: at the first place of a k-mer all of it, at others 0.
func (s *countedScorer) scoreByCode(dst []float64, c *counter, l *countedLevel, record []byte) {
	pooled := scratch.BorrowOf[uint32](&s.counts, 1<<(l.coder.Bits*uint(l.coder.K)))
	defer s.counts.Put(pooled)
	counts := *pooled
	c.codes = l.coder.Append(c.codes[:0], record)
	for _, code := range c.codes {
		counts[code]++
	}
	if len(dst) == 1 {
		sum, rows, values := dst[0], l.byCode, s.values
		for _, code := range c.codes {
			sum += float64(values.At(counts[code]) * rows[code])
			counts[code] = 0
		}
		dst[0] = sum
		return
	}
	for _, code := range c.codes {
		if n := counts[code]; n > 0 {
			value, row := s.values.At(n), l.byCode[int(code)*len(dst):][:len(dst)]
			for m := range dst {
				dst[m] += float64(value * row[m])
			}
			counts[code] = 0
		}
	}
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

// ExplainTo divides what a k-mer adds to score m evenly among its occurrences, and of each among its letters.
// Contributions sum to the score up to rounding. O(K·|x|) for each length.
func (s *countedScorer) ExplainTo(dst []float64, m int, x []byte) {
	dst = dst[:len(x)]
	clear(dst)
	s.arranged.Get(context.Background())
	record := s.kernel.record(x)
	for i := range s.levels {
		l := &s.levels[i]
		pooled := scratch.BorrowOf[uint32](&s.counts, l.total)
		counts := *pooled
		for _, code := range l.coder.All(record) {
			if number := l.number(code); number >= 0 {
				counts[number]++
			}
		}
		for at, code := range l.coder.All(record) {
			if number := l.number(code); number >= 0 {
				n := int(counts[number])
				l.spread(dst, at, s.valueOf(l, number, n, m)/float64(n*l.coder.K))
			}
		}
		for _, code := range l.coder.All(record) {
			if number := l.number(code); number >= 0 {
				counts[number] = 0
			}
		}
		s.counts.Put(pooled)
	}
}

// spread adds a share to the letters of the k-mer that begins at a place of the record of a sequence with contributions
// dst: on the other strand, behind a break, places are counted from the last letter.
func (l *countedLevel) spread(dst []float64, at int, share float64) {
	for p := at; p < at+l.coder.K; p++ {
		if p < len(dst) {
			dst[p] += share
		} else {
			dst[2*len(dst)-p] += share
		}
	}
}

// TrackTo writes score m of all windows of x: a k-mer that enters or leaves one changes its count. O(1) per window for
// each length.
func (s *countedScorer) TrackTo(dst []float64, m int, x []byte, window int) {
	s.arranged.Get(context.Background())
	dst = dst[:len(x)-window+1]
	clear(dst)
	strands := [][]byte{x}
	if s.kernel.rc {
		strands = append(strands, s.kernel.Alphabet.ReverseComplementTo(nil, x))
	}
	sums := make([]float64, len(dst))
	for i := range s.levels {
		l := &s.levels[i]
		if l.coder.K > window {
			break
		}
		places := len(x) - l.coder.K + 1
		numbers := make([]int32, places*len(strands))
		for at := range numbers {
			numbers[at] = -1
		}
		for strand, y := range strands {
			for at, code := range l.coder.All(y) {
				if strand > 0 {
					at = 2*places - 1 - at
				}
				numbers[at] = l.number(code)
			}
		}
		counts := scratch.BorrowOf[uint32](&s.counts, l.total)
		slideTo(sums, window-l.coder.K+1, places, numbers, *counts, func(number int32, n uint32) float64 {
			return s.valueOf(l, number, int(n)+1, m) - s.valueOf(l, number, int(n), m)
		})
		s.counts.Put(counts)
		for p, sum := range sums {
			dst[p] += sum
		}
	}
}

// TopFeatures lists k-mers with what one occurrence of each adds: see stringkernel.FeatureLister. O(k-mers with a
// weight).
func (s *countedScorer) TopFeatures(mix []float64, n int) []stringkernel.Feature {
	s.arranged.Get(context.Background())
	total := 0
	for i := range s.levels {
		total += s.levels[i].total
	}
	find := func(i int) (*countedLevel, int32) { // k-mer i of all levels
		for at := range s.levels {
			l := &s.levels[at]
			if i < l.total {
				return l, int32(i)
			}
			i -= l.total
		}
		panic("spectrum: no such k-mer")
	}
	return stringkernel.StrongestOf(total, n,
		func(i int) float64 {
			l, number := find(i)
			return s.mixed(mix, l, number, 1)
		},
		func(i int) string {
			l, number := find(i)
			return l.text(number)
		})
}

// mixed returns what n occurrences of a k-mer add to a mixture of outputs.
func (s *countedScorer) mixed(mix []float64, l *countedLevel, number int32, n int) (sum float64) {
	for m, a := range mix {
		sum += float64(a * s.valueOf(l, number, n, m))
	}
	return sum
}

// text returns a k-mer.
func (l *countedLevel) text(number int32) string {
	if l.firsts != nil {
		number = l.firsts[number]
	}
	return l.coder.String(l.codes[number])
}

// FeaturesOf lists the k-mers of x with what they add: see stringkernel.FeatureLister.
func (s *countedScorer) FeaturesOf(mix []float64, x []byte, n int) []stringkernel.Feature {
	var list []stringkernel.Feature
	s.eachCount(s.kernel.record(x), func(l *countedLevel, number int32, count int) {
		value := s.mixed(mix, l, number, count)
		list = append(list, stringkernel.Feature{
			Text: l.text(number), Weight: value / float64(count), Count: count, Contribution: value,
		})
	})
	return stringkernel.StrongestContributions(list, n)
}

// countsName, and the length, is the array of counts.
const countsName = "counts."

// arrays returns the scorer as flat arrays: those of one of raw counts, and if the function is not separable "counts.l"
// ([]int32: of each row the count of support vectors); codes then occur once for each count.
func (s *countedScorer) arrays() []stringkernel.Array {
	arrays := []stringkernel.Array{stored.Outputs(s.outputs)}
	for i := range s.levels {
		l := &s.levels[i]
		length := strconv.Itoa(l.coder.K)
		arrays = append(arrays,
			stringkernel.Array{Name: codesName + length, Data: l.codes},
			stringkernel.Array{Name: valuesName + length, Data: l.values})
		if !s.kernel.Count.Separable() {
			arrays = append(arrays, stringkernel.Array{Name: countsName + length, Data: l.counts})
		}
	}
	return arrays
}

// restore rebuilds a scorer from its arrays.
func (k throughCount) restore(a *stored.Arrays) (*countedScorer, error) {
	outputs := a.Outputs()
	levels, err := k.restoreLevels(a, outputs)
	if err != nil {
		return nil, err
	}
	return newCountedScorer(k, outputs, levels), nil
}

// restoreLevels reads and checks k-mers of all lengths, each with a row of that many values.
func (k throughCount) restoreLevels(a *stored.Arrays, columns int) (levels []countedLevel, _ error) {
	for length := Kernel(k).shortest(); length <= k.K; length++ {
		l := countedLevel{coder: newCoder(k.Alphabet, length)}
		name := strconv.Itoa(length)
		l.codes = stored.Get[uint64](a, codesName+name, math.MaxInt32)
		l.values = a.Table(valuesName+name, len(l.codes), columns)
		if !k.Count.Separable() {
			l.counts = stored.Get[int32](a, countsName+name, len(l.codes))
		}
		err := a.Err()
		if err == nil {
			err = l.check(!k.Count.Separable())
		}
		if err != nil {
			return nil, fmt.Errorf("spectrum: k-mers of %d letters: %w", length, err)
		}
		levels = append(levels, l)
	}
	if err := a.Close(); err != nil {
		return nil, fmt.Errorf("spectrum: %w", err)
	}
	return levels, nil
}

// check returns an error unless codes are k-mers of the alphabet and ascend, or their counts do.
func (l *countedLevel) check(counts bool) error {
	if !counts {
		return l.coder.checkCodes(l.codes)
	}
	if len(l.counts) != len(l.codes) {
		return fmt.Errorf("%d counts of %d codes", len(l.counts), len(l.codes))
	}
	for i, code := range l.codes {
		switch {
		case !l.coder.Valid(code):
			return fmt.Errorf("code %d (%#x) is not a k-mer of the alphabet", i, code)
		case l.counts[i] < 1:
			return fmt.Errorf("count %d is %d, want 1 or more", i, l.counts[i])
		case i > 0 && (code < l.codes[i-1] || code == l.codes[i-1] && l.counts[i] <= l.counts[i-1]):
			return fmt.Errorf("code %d, or its count, does not ascend", i)
		}
	}
	return nil
}
