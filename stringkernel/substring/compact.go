package substring

import (
	"context"
	"fmt"
	"slices"
	"sync"

	"github.com/seqsvm/seqsvm/internal/memory"
	"github.com/seqsvm/seqsvm/internal/simd"
	"github.com/seqsvm/seqsvm/stringkernel"
	"github.com/seqsvm/seqsvm/suffix"
)

// compactScorer is the merged structure of support vectors of letters, and behind them the records of a reference: a
// suffix.Compact with the terms of its larger nodes. Those of smaller ones, and of leaves, are made of the coefficients
// of their few documents and the term of the first larger node above. Scores are sums over the matches of x, from the
// last to the first. Under tfidf nodes have a term more: the weight of the prefixes of their strings together.
//
// Explanations need the letters: the whole tree is built when one is first asked for.
type compactScorer struct {
	kernel   Kernel
	weights  lengthWeights
	encoding *encoding
	index    *suffix.Compact
	vectors  int         // number of support vectors, which are the first documents
	first    int         // the documents from this one on are the reference
	idf      []float64   // squared, by document frequency; nil unless tfidf
	coef     [][]float64 // per output, by document
	terms    []float64   // start and slope of each node and column, by the node's number
	lanes    sync.Pool   // of *[lanes]lane

	built sync.Once // fills tree
	tree  *scorer[uint8]
}

// leastNumbered is the number of ranks from which on the terms of a node are kept. With 4, as in models of lists, there
// are two and a half times as many, and scoring is not faster.
const leastNumbered = 8

func mergeCompact(ctx context.Context, k Kernel, sv *stringkernel.Corpus, coef [][]float64, e *encoding) (
	stringkernel.Scorer, error) {
	others, first := k.beside(sv)
	text, err := newText[uint8](ctx, e, sv, others)
	if err != nil {
		return nil, err
	}
	if err := e.checkCompact(sv, len(text.Symbols), len(coef)); err != nil {
		return nil, err
	}
	index, err := suffix.NewCompact(ctx, text, int(k.lengthWeights(0).bound), leastNumbered)
	if err != nil {
		return nil, err
	}
	all := make([][]float64, len(coef))
	for m, c := range coef {
		all[m] = slices.Concat(c, make([]float64, text.NumDocs()-sv.Len()))
	}
	s := newCompactScorer(k, e, index, sv.Len(), first, all)
	return s, s.makeTerms(ctx)
}

// newCompactScorer returns a scorer without terms.
func newCompactScorer(k Kernel, e *encoding, index *suffix.Compact, vectors, first int,
	coef [][]float64) *compactScorer {
	s := &compactScorer{kernel: k, weights: k.lengthWeights(index.Ranks()), encoding: e, index: index, vectors: vectors,
		first: first, coef: coef}
	if k.Weight == TFIDF {
		s.idf = squaredIDF(index.NumDocs - first)
	}
	s.lanes.New = func() any { return new([lanes]lane) }
	return s
}

// columns returns the number of terms of a node.
func (s *compactScorer) columns() int {
	if s.idf != nil {
		return len(s.coef) + 1
	}
	return len(s.coef)
}

// makeTerms makes the terms of all nodes with numbers.
func (s *compactScorer) makeTerms(ctx context.Context) error {
	numbers, columns := s.index.Numbers(), s.columns()
	if err := memory.Check(16 * float64(numbers) * float64(columns)); err != nil {
		return fmt.Errorf("weights of %d classes of substrings for %d outputs need %w", numbers, len(s.coef), err)
	}
	s.terms = make([]float64, 2*numbers*columns)
	psi, docs := slices.Repeat([]float64{1}, numbers), make([]float64, s.index.NumDocs)
	if s.idf != nil {
		s.index.DocFreqs(ctx, s.first, func(number int32, docs float64) { psi[number] = s.idf[int(docs)] })
	}
	for m := range columns {
		if m < len(s.coef) {
			docs = s.coef[m]
		}
		s.index.SumDocs(ctx, docs, func(number int32, sum float64) {
			if m == len(s.coef) {
				sum = 1
			}
			s.terms[s.termAt(number, m)+1] = float64(psi[number] * sum)
		}, func(v suffix.Node) {
			above, val := s.weights.upTo(v.Above), 0.0
			if v.Parent >= 0 {
				val = s.term(v.Parent, m).at(above)
			}
			s.terms[s.termAt(v.Number, m)] = val - float64(s.term(v.Number, m).slope*above)
		})
	}
	return nil
}

// termAt returns where the term of a node in column m begins.
func (s *compactScorer) termAt(number int32, m int) int { return 2 * (int(number)*s.columns() + m) }

// term returns the term of a node in column m.
func (s *compactScorer) term(number int32, m int) edgeTerm {
	t := s.terms[s.termAt(number, m):]
	return edgeTerm{t[0], t[1]}
}

// Outputs returns the number of coefficient vectors.
func (s *compactScorer) Outputs() int { return len(s.coef) }

// lanes is how many sequences are scored in turns, so that one reads memory while others wait for theirs.
const lanes = 8

// lane is a sequence that is being scored.
type lane struct {
	symbols []uint8
	cursor  suffix.Cursor
	matched bool // the cursor is at a match that is not climbed from yet
	climbed bool // the way up is one whose terms are not added yet
	climb   climb
	scores  []float64
}

// begin puts a sequence on a lane.
func (l *lane) begin(s *compactScorer, scores []float64, x []byte) {
	l.symbols = encode(s.encoding, l.symbols[:0], x)
	l.cursor, l.scores = s.index.Begin(l.symbols), scores
	clear(scores)
}

// advance adds the terms of the match before the last, finds the way up from the last, and finds the next; each has the
// others' lanes time to wait for the memory it will read. It reports whether there is more to do.
func (l *lane) advance(s *compactScorer) bool {
	if l.climbed {
		for m := range l.scores {
			l.scores[m] += l.climb.term(s, m)
		}
	}
	if l.climbed = l.matched; l.climbed {
		l.climb.from(s, &l.cursor)
		if l.climb.top >= 0 {
			simd.Prefetch(&s.terms[s.termAt(l.climb.top, 0)])
		}
	}
	if l.matched = s.index.Next(&l.cursor); l.matched {
		s.index.Fetch(&l.cursor)
	}
	return l.matched || l.climbed
}

// ScoreTo adds one term per position of x, from the last to the first.
func (s *compactScorer) ScoreTo(dst []float64, x []byte) {
	all := s.lanes.Get().(*[lanes]lane)
	defer s.lanes.Put(all)
	l := &all[0]
	l.begin(s, dst[:len(s.coef)], x)
	for l.advance(s) {
	}
}

// scoreBatchTo is ScoreTo of several sequences.
func (s *compactScorer) scoreBatchTo(dst []float64, x [][]byte) {
	all, m := s.lanes.Get().(*[lanes]lane), len(s.coef)
	defer s.lanes.Put(all)
	busy, next := all[:0], 0
	for next < len(x) || len(busy) > 0 {
		for next < len(x) && len(busy) < lanes {
			busy = busy[:len(busy)+1]
			busy[len(busy)-1].begin(s, dst[next*m:][:m], x[next])
			next++
		}
		for i := 0; i < len(busy); i++ {
			if !busy[i].advance(s) {
				last := len(busy) - 1
				busy[i], busy[last] = busy[last], busy[i]
				busy = busy[:last]
				i--
			}
		}
	}
}

// climb is the way from the end of a match up to the first node with terms, or the root.
type climb struct {
	steps [leastNumbered]step
	count int
	top   int32 // the node with terms, −1 for the root
	omega float64
}

// step is an edge: the weight of what the match has of it, and the ranks below that are not below the edge
// before, on either side.
type step struct {
	omega                float64
	first, lo, hi, after int32
}

// from finds the way up from the match of a cursor. Every step leads to a node of more ranks, so that there are fewer
// than leastNumbered.
func (c *climb) from(s *compactScorer, m *suffix.Cursor) {
	_, length, at := m.Match()
	c.count, c.omega = 0, s.weights.upTo(length)
	if c.top = s.index.Number(at); c.top >= 0 {
		return
	}
	inner := suffix.Span{Lo: at.Lo, Hi: at.Lo}
	for up, depth := s.index.Up(m); ; up, depth = s.index.Parent(at) {
		above := s.weights.upTo(depth)
		omega := c.omega - above
		if s.idf != nil {
			omega *= s.idf[s.index.CountDocs(at, s.first)]
		}
		c.steps[c.count] = step{omega, at.Lo, inner.Lo, inner.Hi, at.Hi}
		c.count++
		c.omega = above
		if depth == 0 {
			return
		}
		if c.top = s.index.Number(up); c.top >= 0 {
			return
		}
		inner, at = at, up
	}
}

// prefixes returns the weight of the prefixes of the match together.
func (c *climb) prefixes(s *compactScorer) (total float64) {
	for i := range c.steps[:c.count] {
		total += c.steps[i].omega
	}
	if c.top >= 0 {
		total += s.term(c.top, len(s.coef)).at(c.omega)
	}
	return total
}

// term returns what the match adds to score m.
func (c *climb) term(s *compactScorer, m int) float64 {
	total, sum, coef := 0.0, 0.0, s.coef[m]
	for i := range c.steps[:c.count] {
		t := &c.steps[i]
		sum = s.index.AddDocs(sum, coef, t.first, t.lo)
		sum = s.index.AddDocs(sum, coef, t.hi, t.after)
		total += float64(t.omega * sum)
	}
	if c.top < 0 {
		return total
	}
	return total + s.term(c.top, m).at(c.omega)
}

// Traits says that queries are scored together, where features are, and that tfidf has k(x, x) beside a score.
func (s *compactScorer) Traits() stringkernel.Traits {
	t := stringkernel.Traits{ScoreBatchTo: s.scoreBatchTo}
	if s.encoding.marks == 0 {
		t.Around = func(x []byte) func(i int) (lo, hi int) { return s.whole().around(x) }
	}
	if s.idf != nil {
		t.SelfScoreTo = selfScorer{s, s.kernel}.scoreTo
	}
	return t
}

// whole returns the scorer by the whole tree, which knows the letters.
func (s *compactScorer) whole() *scorer[uint8] {
	s.built.Do(func() {
		ctx := context.Background()
		tree, err := newIndexed(ctx, s.kernel, s.index.Text(), s.weights, s.vectors, s.first, s.encoding)
		if err != nil {
			panic("substring: " + err.Error()) // the text of an index is one
		}
		tree.annotate(ctx, s.coef)
		s.tree = tree
	})
	return s.tree
}

// ExplainTo is that of the whole tree.
func (s *compactScorer) ExplainTo(dst []float64, m int, x []byte) { s.whole().ExplainTo(dst, m, x) }

// TopFeatures is that of the whole tree.
func (s *compactScorer) TopFeatures(mix []float64, n int) []stringkernel.Feature {
	return s.whole().TopFeatures(mix, n)
}

// FeaturesOf is that of the whole tree.
func (s *compactScorer) FeaturesOf(mix []float64, x []byte, n int) []stringkernel.Feature {
	return s.whole().FeaturesOf(mix, x, n)
}
