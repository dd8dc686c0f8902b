package substring

import (
	"context"
	"fmt"
	"sync"

	"github.com/seqsvm/seqsvm/internal/cancel"
	"github.com/seqsvm/seqsvm/internal/memory"
	"github.com/seqsvm/seqsvm/stringkernel"
	"github.com/seqsvm/seqsvm/suffix"
)

// scorer is the merged, annotated suffix structure of the support vectors. For output m
//
//	slope(t) = ψ(t)·Σ_i coef[m][i]·lvs_{x_i}(t)            what a unit of length weight on the edge above t adds
//	val(t)   = val(parent) + slope(t)·(Ω_depth(t) − Ω_depth(parent))
//	f_m(x)   = Σ_i val(node_i) + slope(below_i)·(Ω_{v_i} − Ω_depth(node_i))
//
// over the matching statistics (v_i, node_i, below_i) of x: one term per position. A match that ends on the edge above
// a node t, or at t, has the term start(t) + slope(t)·Ω_{v_i} with start(t) = val(parent) − slope(t)·Ω_depth(parent):
// one place in memory, which is what a term costs. The leaves, one per letter, share the slope of their document.
type scorer[S suffix.Symbol] struct {
	kernel   Kernel
	weights  lengthWeights
	encoding *encoding
	index    *suffix.Index[S]
	tree     *suffix.Tree
	outputs  int
	edges    []edgeTerm // node-major: edges[t·outputs + m]
	leaf     []float64  // document-major: slope of the leaf edges of a document
	matchers sync.Pool  // of *substringMatcher[S]

	sums   func(dst, docs []float64) // what occurrences below each node add up to, by the weights of documents
	single float64                   // what one occurrence counts

	psi     *edgeWeights
	prefix  []float64 // by node, the weight of the prefixes of its string together; nil unless tfidf
	vectors int       // number of support vectors, which are the first documents
	counted sync.Once // fills support
	support []int32
}

// edgeTerm is the term of a match that ends on the edge above a node, as a function of its length weight.
type edgeTerm struct {
	start, slope float64
}

func (e edgeTerm) at(omega float64) float64 { return e.start + float64(e.slope*omega) }

// matcher is the state of one query.
type matcher[S suffix.Symbol] struct {
	matcher *suffix.Matcher[S]
	symbols []S
	reader  UnitReader // closed; nil for letters
}

func (s *scorer[S]) newMatcher() any {
	w := &matcher[S]{matcher: s.index.NewMatcher()}
	if r := s.encoding.reader; r != nil {
		w.reader = r.Closed()
	}
	return w
}

func newScorer(ctx context.Context, k Kernel, sv *stringkernel.Corpus, coef [][]float64,
	e *encoding) (stringkernel.Scorer, error) {
	s, err := newUnmerged[int32](ctx, k, sv, e)
	if err != nil {
		return nil, err
	}
	if err := memory.Check(float64(16*s.tree.Len()+8*s.tree.NumDocs) * float64(len(coef))); err != nil {
		return nil, fmt.Errorf("weights of %d classes of substrings for %d outputs need %w",
			s.tree.Len(), len(coef), err)
	}
	s.annotate(ctx, coef)
	return s, nil
}

// newUnmerged indexes support vectors, without outputs.
func newUnmerged[S suffix.Symbol](
	ctx context.Context, k Kernel, sv *stringkernel.Corpus, e *encoding,
) (*scorer[S], error) {
	others, first := k.beside(sv)
	text, err := newText[S](ctx, e, sv, others)
	if err != nil {
		return nil, err
	}
	weights := k.lengthWeights(k.longest(sv, others))
	if err := e.checkTree(sv, len(text.Symbols), int(weights.bound)); err != nil {
		return nil, err
	}
	return newIndexed(ctx, k, text, weights, sv.Len(), first, e)
}

// newIndexed indexes a text that begins with so many support vectors, without outputs; the documents from number first
// on are the reference.
func newIndexed[S suffix.Symbol](ctx context.Context, k Kernel, text *suffix.Text[S], weights lengthWeights,
	vectors, first int, e *encoding) (s *scorer[S], err error) {
	s = &scorer[S]{kernel: k, weights: weights, encoding: e, vectors: vectors}
	if s.index, err = suffix.NewIndex(ctx, text, int(s.weights.bound)); err != nil {
		return nil, err
	}
	s.tree = s.index.Tree()
	s.sums, s.single = s.tree.SumDocs, 1
	s.matchers.New = s.newMatcher
	s.psi = newEdgeWeights(k, &s.weights, s.tree, first)
	if k.Weight == TFIDF {
		s.prefix = make([]float64, s.tree.Len())
		for v := range cancel.Steps(ctx, 1, len(s.prefix)) {
			s.prefix[v] = s.prefix[s.tree.Parent[v]] + s.psi.Node(v)
		}
	}
	return s, nil
}

// annotate computes edges and leaf. Documents of a reference have coefficient 0.
func (s *scorer[S]) annotate(ctx context.Context, coef [][]float64) {
	s.outputs = len(coef)
	nodes, outputs := s.tree.Len(), s.outputs
	s.edges = make([]edgeTerm, nodes*outputs)
	s.leaf = make([]float64, s.tree.NumDocs*outputs)
	docs, sums := make([]float64, s.tree.NumDocs), make([]float64, nodes)
	for m, c := range coef {
		copy(docs, c)
		s.sums(sums, docs)
		for v := range cancel.Steps(ctx, 1, nodes) {
			p := s.tree.Parent[v]
			above := s.weights.upTo(s.tree.Depth[p])
			slope := float64(s.psi.psi(v) * sums[v])
			val := s.edges[int(p)*outputs+m].at(above)
			s.edges[v*outputs+m] = edgeTerm{start: val - float64(slope*above), slope: slope}
		}
		for d, a := range c {
			s.leaf[d*outputs+m] = float64(float64(s.psi.leafPsi(int32(d))*a) * s.single)
		}
	}
}

// Outputs returns the number of coefficient vectors.
func (s *scorer[S]) Outputs() int { return s.outputs }

// ScoreTo adds one term per position of x, in order.
func (s *scorer[S]) ScoreTo(dst []float64, x []byte) {
	dst = dst[:s.outputs]
	clear(dst)
	s.match(x, func(at suffix.Match) {
		for m := range dst {
			dst[m] += s.term(at, m)
		}
	})
}

// term returns what a match adds to score m.
func (s *scorer[S]) term(at suffix.Match, m int) float64 {
	omega := s.weights.upTo(at.Length)
	if at.Below >= 0 {
		return s.edges[int(at.Below)*s.outputs+m].at(omega)
	}
	above := s.weights.upTo(s.index.Depth(at.Node))
	leaf := s.leaf[int(s.index.DocAt(at.Pos))*s.outputs+m]
	return s.edges[int(at.Node)*s.outputs+m].at(above) + float64((omega-above)*leaf)
}

// match feeds x to a matcher.
func (s *scorer[S]) match(x []byte, visit func(suffix.Match)) {
	w := s.matchers.Get().(*matcher[S])
	defer s.matchers.Put(w)
	if w.reader != nil {
		s.matchUnits(w, w.reader.Read(x), visit)
		return
	}
	marked := s.encoding.marks > 0 && s.encoding.hasLetter(x)
	if marked {
		w.symbols = append(w.symbols[:0], beginMark)
		w.matcher.Feed(w.symbols, visit)
	}
	const block = 4096 // long queries are encoded piece by piece
	for len(x) > 0 {
		n := min(len(x), block)
		w.symbols = encodeLetters(s.encoding, w.symbols[:0], x[:n])
		w.matcher.Feed(w.symbols, visit)
		x = x[n:]
	}
	if marked {
		w.symbols = append(w.symbols[:0], endMark)
		w.matcher.Feed(w.symbols, visit)
	}
	w.matcher.Flush(visit)
}

// matchUnits feeds units and their marks.
func (s *scorer[S]) matchUnits(w *matcher[S], numbers []int32, visit func(suffix.Match)) {
	w.symbols = encodeUnits(s.encoding, w.symbols[:0], numbers)
	w.matcher.Feed(w.symbols, visit)
	w.matcher.Flush(visit)
}
