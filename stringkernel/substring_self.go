package stringkernel

import (
	"github.com/seqsvm/seqsvm/internal/parallel"
	"github.com/seqsvm/seqsvm/suffix"
)

// k(x, x) needs no second sequence: in the suffix tree of x alone it is Σ_t lvs(t)²·(F(t) − F(parent)), the leaves' edges
// included, where F(t) is the weight of all prefixes of t's string together: Ω_depth(t) for weights by length. The tree of two sequences
// gives |φ(x) + φ(y)|² in the same way.

// pathIndex knows the weight F of the prefixes of any substring of a query under tfidf, that is, in another corpus's index.
type pathIndex interface {
	// pathWeights returns F for every node of the tree of c and for the end of every leaf. weights reach as far as the longest sequence of c.
	pathWeights(c *Corpus, t *suffix.Tree, rest []int32, weights *lengthWeights) (nodes, leaves []float64)
}

// SelfEval returns k(x, x) in O(|x|); under tfidf in O(|x|·log h), h the height of the reference's suffix tree, which is indexed at the
// first call. It panics beyond 2³¹ letters.
func (k Substring) SelfEval(x []byte) float64 { return k.mustSelfEval(view(x)) }

// JointSelfEval returns |φ(x) + φ(y)|² at the cost of SelfEval.
func (k Substring) JointSelfEval(x, y []byte) float64 {
	var b CorpusBuilder
	b.Grow(2, len(x)+len(y))
	b.Add("", x)
	b.Add("", y)
	return k.mustSelfEval(b.Corpus())
}

// view returns a corpus of one sequence that is not copied.
func view(x []byte) *Corpus { return &Corpus{arena: x, ends: []int{len(x)}, names: []string{""}} }

func (k Substring) mustSelfEval(c *Corpus) float64 {
	weights := k.lengthWeights(longestSequence(c))
	value, err := k.selfEval(c, &weights)
	if err != nil {
		panic("stringkernel: k(x, x): " + err.Error()) // more letters than the package comment allows
	}
	return value
}

// selfEvalAll writes k(x_i, x_i) for a whole corpus.
func (k Substring) selfEvalAll(dst []float64, c *Corpus) error {
	if k.Weight == TFIDF && k.fitted == nil {
		k.fitted = &fitted{corpus: c}
	}
	weights := k.lengthWeights(longestSequence(c))
	errs := make([]error, c.Len())
	parallel.For(c.Len(), func(lo, hi int) {
		for i := lo; i < hi; i++ {
			dst[i], errs[i] = k.selfEval(view(c.Seq(i)), &weights)
		}
	})
	for _, err := range errs {
		if err != nil {
			return err
		}
	}
	return nil
}

// selfEval returns |Σ φ(x_i)|² over the sequences of a small corpus.
func (k Substring) selfEval(c *Corpus, weights *lengthWeights) (float64, error) {
	e := newEncoding(k.Alphabet, c)
	if e.wide() {
		return selfEvalOn[int32](k, c, &e, weights)
	}
	return selfEvalOn[uint8](k, c, &e, weights)
}

func selfEvalOn[S suffix.Symbol](k Substring, c *Corpus, e *encoding, weights *lengthWeights) (float64, error) {
	text, err := newText[S](e, c)
	if err != nil {
		return 0, err
	}
	t, err := suffix.NewTree(text, int(weights.bound))
	if err != nil {
		return 0, err
	}
	rest := make([]int32, t.Ranks())
	text.RestTo(rest, t.SA)
	nodes, leaves, err := k.pathWeights(c, t, rest, weights)
	if err != nil {
		return 0, err
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

// pathWeights returns F at the nodes and at the ends of the leaves of c's own tree.
func (k Substring) pathWeights(c *Corpus, t *suffix.Tree, rest []int32, weights *lengthWeights) (nodes, leaves []float64, err error) {
	if k.fitted != nil {
		f := k.fitted
		f.once.Do(func() { f.paths, f.err = newPathIndex(k, f.corpus) })
		if f.err != nil {
			return nil, nil, f.err
		}
		nodes, leaves = f.paths.pathWeights(c, t, rest, weights)
		return nodes, leaves, nil
	}
	nodes, leaves = make([]float64, t.Len()), make([]float64, t.Ranks())
	for v, depth := range t.Depth {
		nodes[v] = weights.upTo(depth)
	}
	for r, depth := range rest {
		leaves[r] = weights.upTo(depth)
	}
	return nodes, leaves, nil
}
