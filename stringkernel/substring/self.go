package substring

import (
	"context"
	"math"

	"github.com/seqsvm/seqsvm/internal/parallel"
	"github.com/seqsvm/seqsvm/stringkernel"
	"github.com/seqsvm/seqsvm/suffix"
)

// k(x, x) needs no second sequence: in the suffix tree of x alone it is Σ_t lvs(t)²·(F(t) − F(parent)), the leaves'
// edges included, where F(t) is the weight of all prefixes of t's string together: Ω_depth(t) for weights by length.
// The tree of two sequences gives |φ(x) + φ(y)|² in the same way.

// pathIndex knows the weight F of the prefixes of any substring of a query under tfidf, that is, in another corpus's
// index.
type pathIndex interface {
	// pathWeights returns F for every node of the tree of c and for the end of every leaf. weights reach as far as the
	// longest sequence.
	pathWeights(c *stringkernel.Corpus, t *ownTree, weights *lengthWeights) (nodes, leaves []float64)
}

// SelfEval returns k(x, x) in O(|x|); under tfidf in O(|x|·log h), h the height of the reference's suffix tree, which
// is indexed at the first call. It panics beyond 2³¹ letters.
func (k Kernel) SelfEval(x []byte) float64 {
	if p, is := k.packed(); is {
		return p.SelfEval(x)
	}
	if k.rc {
		x = throughCount(k).record(x)
	}
	return k.mustSelfEval(stringkernel.View(x))
}

// JointSelfEval returns |φ(x) + φ(y)|² at the cost of SelfEval.
func (k Kernel) JointSelfEval(x, y []byte) float64 {
	if p, is := k.packed(); is {
		return p.JointSelfEval(x, y)
	}
	if !k.Count.Linear() {
		return stringkernel.JointByEval(k, x, y)
	}
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
	value, err := k.selfEval(context.Background(), c, &weights)
	if err != nil {
		panic("stringkernel: k(x, x): " + err.Error()) // more letters than the package comment allows
	}
	return value
}

// selfEvalAll writes k(x_i, x_i) for a whole corpus.
func (k Kernel) selfEvalAll(ctx context.Context, dst []float64, c *stringkernel.Corpus) error {
	if k.Weight == TFIDF && k.fitted == nil {
		k.fitted = &fitted{corpus: c}
	}
	weights := k.lengthWeights(k.longest(c))
	return parallel.Do(ctx, c.Len(), func(i int) (err error) {
		dst[i], err = k.selfEval(ctx, stringkernel.View(c.Seq(i)), &weights)
		return err
	})
}

// selfEval returns |Σ φ(x_i)|² over the sequences of a small corpus.
func (k Kernel) selfEval(ctx context.Context, c *stringkernel.Corpus, weights *lengthWeights) (float64, error) {
	t, err := k.ownTree(ctx, c, int(weights.bound))
	if err != nil {
		return 0, err
	}
	nodes, leaves, err := k.pathWeights(ctx, c, t, weights)
	if err != nil {
		return 0, err
	}
	if !k.Count.Linear() {
		return throughCount(k).squares(t, nodes, leaves), nil
	}
	sum := 0.0
	for v := 1; v < t.Len(); v++ {
		count := float64(t.Hi[v] - t.Lo[v])
		sum += float64(float64(count*count) * (nodes[v] - nodes[t.Parent[v]]))
	}
	for r, v := range t.Leaf {
		sum += leaves[r] - nodes[v]
	}
	return sum, nil
}

// ownTree is the suffix tree of a small corpus, with its own symbols.
type ownTree struct {
	*suffix.Tree
	rest []int32 // per rank, symbols up to the end of its document or a break
	ends []int32 // of the documents in the text
}

// ownTree builds the tree of a small corpus, cut at a depth if that is not 0.
func (k Kernel) ownTree(ctx context.Context, c *stringkernel.Corpus, depth int) (*ownTree, error) {
	if u := k.symbols(); u != nil {
		return treeOfUnits(ctx, k, u, c, depth)
	}
	e := newEncoding(k, c)
	if e.wide() {
		return treeOfLetters[int32](ctx, e, c, depth)
	}
	return treeOfLetters[uint8](ctx, e, c, depth)
}

func treeOfLetters[S suffix.Symbol](
	ctx context.Context, e *encoding, c *stringkernel.Corpus, depth int,
) (*ownTree, error) {
	text, err := newText[S](ctx, e, c)
	if err != nil {
		return nil, err
	}
	return treeOfText(ctx, text, depth)
}

func treeOfUnits(ctx context.Context, k Kernel, u *Units, c *stringkernel.Corpus, depth int) (*ownTree, error) {
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
	return treeOfText(ctx, text, depth)
}

func treeOfText[S suffix.Symbol](ctx context.Context, text *suffix.Text[S], depth int) (*ownTree, error) {
	t, err := suffix.NewTree(ctx, text, depth)
	if err != nil {
		return nil, err
	}
	own := &ownTree{t, make([]int32, t.Ranks()), text.Ends}
	text.RestTo(own.rest, t.SA)
	return own, nil
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

// pathWeights returns F at the nodes and at the ends of the leaves of c's own tree.
func (k Kernel) pathWeights(
	ctx context.Context, c *stringkernel.Corpus, t *ownTree, weights *lengthWeights,
) (nodes, leaves []float64, err error) {
	if f := k.fitted; f != nil {
		paths, err := f.index(ctx, k)
		if err != nil {
			return nil, nil, err
		}
		nodes, leaves = paths.pathWeights(c, t, weights)
		return nodes, leaves, nil
	}
	nodes, leaves = make([]float64, t.Len()), make([]float64, t.Ranks())
	for v, depth := range t.Depth {
		nodes[v] = weights.upTo(depth)
	}
	for r, depth := range t.rest {
		leaves[r] = weights.upTo(depth)
	}
	return nodes, leaves, nil
}
