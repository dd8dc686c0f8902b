package substring

import (
	"context"
	"iter"
	"math"

	"github.com/seqsvm/seqsvm/internal/countof"
	"github.com/seqsvm/seqsvm/internal/parallel"
	"github.com/seqsvm/seqsvm/stringkernel"
	"github.com/seqsvm/seqsvm/suffix"
)

// k(x, x) needs no second sequence: it is Σ f(#)²·(F(below) − F(above)) over the edges of the suffix tree of x alone,
// where # is how often the strings of an edge occur and F the weight of all prefixes of a string together: Ω_length for
// weights by length. The edges of two sequences give |φ(x) + φ(y)|² in the same way.

// SelfEval returns k(x, x) in O(|x|); under tfidf in O(|x|·d) for d nodes on a path of the reference's suffix tree that
// are passed on the way up from a match, few but in repeats. The reference is indexed at the first call. It panics
// beyond 2³¹ letters.
func (k Kernel) SelfEval(x []byte) float64 {
	if k.rc {
		x = throughCount(k).record(x)
	}
	return k.mustSelfEval(stringkernel.View(x))
}

// jointSelf returns |φ(x) + φ(y)|² at the cost of SelfEval.
func (k Kernel) jointSelf(x, y []byte) float64 {
	if k.ReadsText() && string(y) < string(x) {
		x, y = y, x // units are numbered as they come: one order, so that the sum is symmetric to the bit
	}
	var b stringkernel.CorpusBuilder
	b.Grow(2, len(x)+len(y))
	b.Add("", x)
	b.Add("", y)
	return k.mustSelfEval(b.Corpus())
}

func (k Kernel) mustSelfEval(c *stringkernel.Corpus) float64 {
	weights := k.lengthWeights(k.longest(c))
	return mustSelf(k.selfEval(context.Background(), c, &weights))
}

func mustSelf(value float64, err error) float64 {
	if err != nil {
		panic("stringkernel: k(x, x): " + err.Error()) // more letters than the package comment allows
	}
	return value
}

// selfEvalAll writes k(x_i, x_i) for a whole corpus.
func (k Kernel) selfEvalAll(ctx context.Context, dst []float64, c *stringkernel.Corpus) error {
	weights := k.lengthWeights(k.longest(c))
	return parallel.Do(ctx, c.Len(), func(i int) (err error) {
		dst[i], err = k.selfEval(ctx, stringkernel.View(c.Seq(i)), &weights)
		return err
	})
}

// selfEval returns |Σ φ(x_i)|² over the sequences of a small corpus.
func (k Kernel) selfEval(ctx context.Context, c *stringkernel.Corpus, weights *lengthWeights) (float64, error) {
	if f := k.fitted; f != nil {
		index, err := f.index(ctx, k)
		if err != nil {
			return 0, err
		}
		return k.selfEvalBy(ctx, index, c, weights)
	}
	return k.selfEvalBy(ctx, nil, c, weights)
}

// selfEvalBy is selfEval by an index of the reference, nil if there is none.
func (k Kernel) selfEvalBy(ctx context.Context, reference prefixes, c *stringkernel.Corpus,
	weights *lengthWeights) (float64, error) {
	text, err := k.ownText(ctx, c)
	if err != nil {
		return 0, err
	}
	edges, err := text.edges(ctx, int(weights.bound))
	if err != nil {
		return 0, err
	}
	values, sum := countof.New(k.Count), 0.0
	if reference == nil {
		for e := range edges {
			sum += float64(values.Square(uint32(e.Count)) * (weights.upTo(e.Below) - weights.upTo(e.Above)))
		}
		return sum, nil
	}
	upTo := reference.along(c, text.ends(), weights)
	below := make([]float64, k.longest(c)+1) // squares of the edges below the next node of a depth
	for e := range edges {
		square := float64(float64(e.Count) * float64(e.Count))
		sum += float64((square - below[e.Below]) * upTo(e.Start, e.Below))
		below[e.Below] = 0
		below[e.Above] += square
	}
	return sum, nil
}

// ownText is the text of a small corpus, with its own symbols.
type ownText interface {
	edges(ctx context.Context, depth int) (iter.Seq[suffix.Edge], error)
	tree(ctx context.Context, depth int) (*suffix.Tree, error)
	ends() []int32 // of the documents
}

// textOf is an ownText of bytes or of wider symbols.
type textOf[S suffix.Symbol] struct{ text *suffix.Text[S] }

func (t textOf[S]) edges(ctx context.Context, depth int) (iter.Seq[suffix.Edge], error) {
	return suffix.Edges(ctx, t.text, depth)
}

func (t textOf[S]) tree(ctx context.Context, depth int) (*suffix.Tree, error) {
	return suffix.NewTree(ctx, t.text, depth)
}

func (t textOf[S]) ends() []int32 { return t.text.Ends }

func (k Kernel) ownText(ctx context.Context, c *stringkernel.Corpus) (ownText, error) {
	if u := k.symbols(); u != nil {
		text, err := textOfUnits(k, u, c)
		return textOf[int32]{text}, err
	}
	e := newEncoding(k, c)
	if e.wide() {
		text, err := newText[int32](ctx, e, c)
		return textOf[int32]{text}, err
	}
	text, err := newText[uint8](ctx, e, c)
	return textOf[uint8]{text}, err
}

// textOfUnits returns the text of a small corpus of units, with its own symbols.
func textOfUnits(k Kernel, u *Units, c *stringkernel.Corpus) (*suffix.Text[int32], error) {
	n, _ := u.norms.Get().(*selfText)
	if n == nil {
		n = &selfText{reader: u.open()}
	}
	before := n.reader.Len()
	text, err := n.text(k, c)
	if err != nil {
		return nil, err
	}
	if n.reader.Len() > before {
		n.learned += c.Letters()
	}
	if n.reader.Len() <= mostRemembered && n.learned <= mostRememberedBytes {
		u.norms.Put(n)
	}
	return text, nil
}

// Limits of what a reader for norms remembers from one sequence to the next.
const (
	mostRemembered      = 1 << 17 // units
	mostRememberedBytes = 32 << 20
)

// selfText makes texts of few sequences whose symbols are their own: numbered 1, 2, … as they are met.
type selfText struct {
	reader  UnitReader
	own     []int32 // by the reader's number: the text's own number, 0 for none
	met     []int32 // the reader's numbers that have one
	numbers []int32
	symbols []int32
	learned int // bytes of the sequences that had new units, which take no more
}

func (n *selfText) text(k Kernel, c *stringkernel.Corpus) (*suffix.Text[int32], error) {
	e := &encoding{marks: k.marks()}
	b := suffix.NewBuilder[int32](math.MaxInt32)
	for i := range c.Len() {
		n.renumber(n.reader.Read(c.Seq(i)))
		n.symbols = encodeUnits(e, n.symbols[:0], n.numbers)
		if err := b.Append(n.symbols); err != nil {
			return nil, err
		}
	}
	text, err := b.Text()
	if err == nil {
		text.Sigma = len(n.met) + 1 + int(e.marks)
	}
	for _, number := range n.met {
		n.own[number] = 0
	}
	n.met = n.met[:0]
	return text, err
}

// renumber puts the text's own numbers of some units into n.numbers.
func (n *selfText) renumber(numbers []int32) {
	if missing := n.reader.Len() + 1 - len(n.own); missing > 0 {
		n.own = append(n.own, make([]int32, missing)...)
	}
	n.numbers = n.numbers[:0]
	for _, number := range numbers {
		if number > 0 && n.own[number] == 0 {
			n.met = append(n.met, number)
			n.own[number] = int32(len(n.met))
		}
		if number > 0 {
			number = n.own[number]
		}
		n.numbers = append(n.numbers, number)
	}
}

// prefixes knows the weight F of the prefixes of any substring of a query together, under tfidf: a scorer does, whose
// index has the reference.
type prefixes interface {
	// along returns F for a position and a length. The documents of c end at ends in the text. weights reach as far as
	// the longest sequence.
	along(c *stringkernel.Corpus, ends []int32, weights *lengthWeights) func(start, length int32) float64
}

// along matches the documents once. F of a string takes one step for each node passed on the way up from the match that
// begins with it.
func (s *scorer[S]) along(
	c *stringkernel.Corpus, ends []int32, weights *lengthWeights,
) func(start, length int32) float64 {
	var matches []suffix.Match // by position in the text, separators included
	for i, end := range ends {
		start := len(matches)
		matches = append(matches, make([]suffix.Match, int(end)+1-start)...)
		s.match(c.Seq(i), func(at suffix.Match) { matches[start+at.Start] = at })
	}
	return func(start, length int32) float64 {
		at := matches[start]
		inside := min(length, at.Length)
		beyond := float64((weights.upTo(length) - weights.upTo(inside)) * s.psi.idf[0])
		if inside == 0 {
			return beyond
		}
		above, psi := at.Node, 0.0
		if edge := s.edgeAt(at, inside); edge >= 0 {
			above, psi = s.tree.Parent[edge], s.psi.psi(int(edge))
		} else {
			psi = s.psi.leafPsi(s.index.DocAt(at.Pos))
		}
		omega := weights.upTo(inside) - weights.upTo(s.tree.Depth[above])
		return s.prefix[above] + float64(omega*psi) + beyond
	}
}

// along is that of the whole tree, by the cursors at the matches.
func (s *compactScorer) along(
	c *stringkernel.Corpus, ends []int32, weights *lengthWeights,
) func(start, length int32) float64 {
	var symbols []uint8 // of the text, separators included
	for i := range ends {
		symbols = append(encode(s.encoding, symbols, c.Seq(i)), 0)
	}
	matches := make([]suffix.Cursor, len(symbols))
	for at := s.index.Begin(symbols); s.index.Next(&at); {
		start, _, _ := at.Match()
		matches[start] = at
	}
	var way climb
	return func(start, length int32) float64 {
		at := matches[start]
		_, matched, _ := at.Match()
		inside := min(length, matched)
		sum := float64((weights.upTo(length) - weights.upTo(inside)) * s.idf[0])
		if inside == 0 {
			return sum
		}
		if inside < min(matched, searched) {
			for at = s.index.Begin(symbols[start : start+inside]); s.index.Next(&at); {
			}
		}
		s.index.Shorten(&at, inside)
		way.from(s, &at)
		return sum + way.prefixes(s)
	}
}

// searched is the length of strings that are found sooner by their letters than on the way up from a longer match.
const searched = 16

// selfScorer is a scorer of tfidf.
type selfScorer struct {
	scorer interface {
		stringkernel.Scorer
		prefixes
	}
	kernel Kernel
}

// scoreTo writes the scores of x and returns k(x, x), by the index of the support vectors.
func (s selfScorer) scoreTo(dst []float64, x []byte) float64 {
	s.scorer.ScoreTo(dst, x)
	c := stringkernel.View(x)
	weights := s.kernel.lengthWeights(s.kernel.longest(c))
	return mustSelf(s.kernel.selfEvalBy(context.Background(), s.scorer, c, &weights))
}
