package spectrum

import (
	"context"
	"slices"

	"github.com/seqsvm/seqsvm/internal/cancel"
	"github.com/seqsvm/seqsvm/internal/countof"
	"github.com/seqsvm/seqsvm/internal/kmer"
	"github.com/seqsvm/seqsvm/internal/scratch"
	"github.com/seqsvm/seqsvm/internal/vectors"
	"github.com/seqsvm/seqsvm/stringkernel"
)

// scorer is the weights of all k-mers of some support vectors: see [Kernel.Merge]. It is safe for concurrent use.
//
// Up to a length k-mers are in arrays indexed by their codes, beyond it in a lookup per length. With Bounded a row of
// an array is the sum over all prefixes of its k-mer, so that one look-up serves all of them. Arrays and lookups take
// more memory than the weights, and a scorer that is only stored needs none: they are made before the first score.
type scorer struct {
	alphabet stringkernel.Alphabet
	coder    kmer.Coder
	shortest int // length of k-mers that have weights: K, or 1 with Bounded
	outputs  int
	weights  []level // of each length, ascending, for Arrays
	raw      countof.Values

	depth    int                   // the longest k-mers in arrays; for the plain kernel K or 0
	arranged cancel.Once[struct{}] // fills what follows
	tables   [][]float64           // tables[l]: rows of outputs values, indexed by the code; nil where there is none
	lookups  []*lookup             // lookups[l]: k-mers of l letters, longer ones than in arrays
}

// Limits of the array regime of a scorer, in values. An array of 2²⁰ (8 MB) shares a third-level cache and beats any
// search. A larger one costs a miss per position, and pays if many of its k-mers have a weight: a search that often
// finds something is mispredicted, and waits for several misses. With Bounded there would be a search for each length,
// so an array pays earlier.
const (
	scorerAlways         = 1 << 20
	scorerMost           = 1 << 24 // 128 MB
	scorerPerKmer        = 16      // rows per k-mer with a weight, above scorerAlways
	scorerPerKmerBounded = 64      // the same with Bounded
)

// scorerDepth returns the longest length whose k-mers should be in arrays: for the plain kernel K or 0.
func scorerDepth(a stringkernel.Alphabet, outputs int, weights []level) int {
	depth, perKmer := 0, scorerPerKmer
	if len(weights) > 1 {
		perKmer = scorerPerKmerBounded
	}
	for _, l := range weights {
		width := a.Bits() * l.length
		if width > 24 {
			break
		}
		rows := 1 << width
		values := rows * outputs
		if values > scorerMost || values > scorerAlways && rows > perKmer*len(l.codes) {
			break
		}
		depth = l.length
	}
	return depth
}

// newScorer returns a scorer of the weights of k-mers of K letters, or with Bounded of each length 1…K.
func newScorer(a stringkernel.Alphabet, outputs int, weights []level) *scorer {
	s := &scorer{
		alphabet: a, coder: kmer.New(a, weights[len(weights)-1].length), shortest: weights[0].length,
		outputs: outputs, weights: weights, depth: scorerDepth(a, outputs, weights),
		raw: countof.New(stringkernel.CountRaw),
	}
	s.arranged.Make = s.arrange
	return s
}

// Traits says that weights are to be arranged for scores.
func (s *scorer) Traits() stringkernel.Traits {
	prepare := func(ctx context.Context) (err error) {
		defer cancel.Catch(&err)
		s.arranged.Get(ctx)
		return nil
	}
	return stringkernel.Traits{
		Around: stringkernel.Within(s.coder.K), Prepare: prepare, SelfScoreTo: s.selfScoreTo,
	}
}

// bounded reports whether there are weights of k-mers of several lengths.
func (s *scorer) bounded() bool { return s.shortest < s.coder.K }

// prepare arranges the weights if that has not been done.
func (s *scorer) prepare() { s.arranged.Get(context.Background()) }

// arrange fills tables and lookups. The filter of a lookup lets those k-mers pass too that longer ones begin with.
func (s *scorer) arrange(ctx context.Context) (done struct{}) {
	s.tables, s.lookups = make([][]float64, s.coder.K+1), make([]*lookup, s.coder.K+1)
	steps := newLadder(s.coder.Bits, s.depth)
	first := steps.base(min(s.shortest, s.depth+1))
	all := make([]float64, (steps.size()-first)*s.outputs)
	for i, l := range s.weights {
		if l.length <= s.depth {
			s.tables[l.length] = all[(steps.base(l.length)-first)*s.outputs : (steps.base(l.length+1)-first)*s.outputs]
			s.fill(s.tables[l.length], l)
			continue
		}
		s.lookups[l.length] = newLookup(ctx, l, s.outputs)
		for _, longer := range s.weights[i+1:] {
			for _, code := range cancel.All(ctx, longer.codes) {
				s.lookups[l.length].pass(code >> (s.coder.Bits * uint(longer.length-l.length)))
			}
		}
	}
	if s.bounded() {
		steps.foldValues(all, s.outputs)
	}
	return done
}

// fill copies the rows of a level into an array indexed by the code.
func (s *scorer) fill(table []float64, l level) {
	for i, code := range l.codes {
		copy(table[int(code)*s.outputs:], l.values[i*s.outputs:(i+1)*s.outputs])
	}
}

// Outputs returns the number of scores per sequence.
func (s *scorer) Outputs() int { return s.outputs }

// ScoreTo writes the scores of x into dst. O(|x|) for one output, whatever the number of support vectors.
func (s *scorer) ScoreTo(dst []float64, x []byte) {
	c := counters.Get().(*counter)
	defer counters.Put(c)
	s.scoreTo(dst, c, x)
}

// selfScoreTo is ScoreTo and returns k(x, x) of raw counts, for which short k-mers are not listed again.
func (s *scorer) selfScoreTo(dst []float64, x []byte) float64 {
	c := counters.Get().(*counter)
	defer counters.Put(c)
	s.scoreTo(dst, c, x)
	c.findRepeats(context.Background(), &s.coder, s.shortest, true, x)
	return c.square(&s.raw)
}

// scoreTo is ScoreTo. It lists k-mers by c.
func (s *scorer) scoreTo(dst []float64, c *counter, x []byte) {
	s.prepare()
	if s.outputs == 1 {
		dst[0] = s.scoreOne(c, x)
	} else {
		s.scoreRows(dst[:s.outputs], c, x)
	}
}

// scoreOne scores with one output: the values of k-mers of K letters go to four sums, by number mod 4, the shorter
// k-mers at the ends of runs, longest first, to a fifth.
func (s *scorer) scoreOne(c *counter, x []byte) float64 {
	var values [blockSize]float64
	var sums [4]float64
	table := s.tables[s.depth]
	s.coder.EachPiece(&c.codes, x, false, func(codes []uint64) {
		s0, s1, s2, s3 := sums[0], sums[1], sums[2], sums[3] // in registers
		for ; s.depth == s.coder.K && len(codes) >= 4; codes = codes[4:] {
			s0, s1, s2, s3 = s0+table[codes[0]], s1+table[codes[1]], s2+table[codes[2]], s3+table[codes[3]]
		}
		sums = [4]float64{s0, s1, s2, s3}
		for block := range slices.Chunk(codes, blockSize) {
			s.valuesTo(values[:len(block)], block, 0)
			for i, value := range values[:len(block)] {
				sums[i&3] += value
			}
		}
	})
	ends := 0.0
	if s.bounded() {
		for _, t := range s.coder.Tails(context.Background(), x) {
			ends += s.value(t.Code, t.Length, 0)
		}
	}
	return ((sums[0] + sums[1]) + (sums[2] + sums[3])) + ends
}

// valuesTo writes the values of at most blockSize k-mers of K letters for output m. A filter first drops most k-mers
// that a lookup would not find.
func (s *scorer) valuesTo(values []float64, codes []uint64, m int) {
	if s.depth == 0 {
		clear(values)
	} else {
		table, shift, outputs := s.tables[s.depth][m:], s.coder.Bits*uint(s.coder.K-s.depth)&63, uint64(s.outputs)
		for i, code := range codes {
			values[i] = table[(code>>shift)*outputs]
		}
	}
	if s.depth == s.coder.K {
		return
	}
	var likely [blockSize]uint16
	for i := range likely {
		likely[i] = uint16(i)
	}
	n := len(codes)
	for length := max(s.depth+1, s.shortest); length <= s.coder.K; length++ {
		l, shift := s.lookups[length], s.coder.Bits*uint(s.coder.K-length)&63
		n = l.passing(&likely, n, codes, shift)
		for _, i := range likely[:n] {
			if row := l.row(codes[i] >> shift); row != nil {
				values[i] += row[m]
			}
		}
	}
}

// scoreRows scores any number of outputs, each as scoreOne does.
func (s *scorer) scoreRows(dst []float64, c *counter, x []byte) {
	m := s.outputs
	pooled := scratch.Borrow(&scratch.Pool, 6*m)
	defer scratch.Pool.Put(pooled)
	sums, row := (*pooled)[:5*m], (*pooled)[5*m:]
	clear(sums)
	add := func(sums []float64, code uint64, length int) {
		clear(row)
		s.addTo(row, code, length)
		vectors.Add(sums, row)
	}
	s.coder.EachPiece(&c.codes, x, false, func(codes []uint64) {
		for i, code := range codes {
			add(sums[(i&3)*m:], code, s.coder.K)
		}
	})
	if s.bounded() {
		for _, t := range s.coder.Tails(context.Background(), x) {
			add(sums[4*m:], t.Code, t.Length)
		}
	}
	for o := range dst {
		dst[o] = ((sums[o] + sums[m+o]) + (sums[2*m+o] + sums[3*m+o])) + sums[4*m+o]
	}
}

// addTo adds the weights of a k-mer of the given length (K, or 1…K with Bounded), and with Bounded of its prefixes.
func (s *scorer) addTo(dst []float64, code uint64, length int) {
	direct := min(s.depth, length)
	if direct > 0 {
		vectors.Add(dst, s.tableRow(code>>(s.coder.Bits*uint(length-direct)&63), direct))
	}
	for l := max(direct+1, s.shortest); l <= length; l++ {
		prefix := code >> (s.coder.Bits * uint(length-l) & 63)
		vectors.Add(dst, s.lookups[l].row(prefix))
	}
}

// value returns what addTo adds for an output.
func (s *scorer) value(code uint64, length, m int) float64 {
	direct, sum := min(s.depth, length), 0.0
	if direct > 0 {
		sum = s.tableRow(code>>(s.coder.Bits*uint(length-direct)&63), direct)[m]
	}
	for l := max(direct+1, s.shortest); l <= length; l++ {
		if row := s.lookups[l].row(code >> (s.coder.Bits * uint(length-l) & 63)); row != nil {
			sum += row[m]
		}
	}
	return sum
}

// tableRow returns the row of a k-mer in an array.
func (s *scorer) tableRow(code uint64, length int) []float64 {
	return s.tables[length][int(code)*s.outputs:][:s.outputs]
}

// ownTo writes the weights of a k-mer: those of an array with Bounded are what its row has beyond that of its prefix.
func (s *scorer) ownTo(dst []float64, code uint64, length int) {
	clear(dst)
	if length > s.depth {
		vectors.Add(dst, s.lookups[length].row(code))
		return
	}
	copy(dst, s.tableRow(code, length))
	if length > s.shortest {
		for m, value := range s.tableRow(code>>s.coder.Bits, length-1) {
			dst[m] -= value
		}
	}
}
