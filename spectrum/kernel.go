package spectrum

import (
	"context"
	"fmt"

	"github.com/seqsvm/seqsvm/internal/cancel"
	"github.com/seqsvm/seqsvm/internal/kmer"
	"github.com/seqsvm/seqsvm/stringkernel"
)

// Kernel is the k-spectrum kernel, or with Bounded the sum of the spectrum kernels of all lengths 1…K. Its Gram matrix
// has explicit rows ([stringkernel.FeatureRows]) unless Bounded; its scorers can be stored and explained.
//
// The zero value fails Check, for K must be 1 or more.
type Kernel struct {
	K        int                   `json:"k" doc:"length of k-mers: 1…32 (dna, rna), 1…12 (protein), 1…8 (bytes)"`
	Bounded  bool                  `json:"bounded,omitempty" doc:"count every length 1…k, not k alone"`
	Count    stringkernel.Count    `json:"count,omitempty" doc:"raw, presence, sqrt, log or sublinear: the function of counts"`
	TFIDF    bool                  `json:"tfidf,omitempty" doc:"times 1 + ln((1 + n)/(1 + df)), df of n training records having the k-mer"`
	Alphabet stringkernel.Alphabet `json:"alphabet" doc:"dna, rna, protein, bytes or groups of amino acids, as murphy10; letters outside it break k-mers"`

	rc     bool         // count both strands; only of counts that are not raw
	fitted *frequencies // of TFIDF
}

// Check returns an error if the alphabet or the function of counts is unknown or K is not in 1…MaxK. Longer k-mers are
// the substring kernel's.
func (k Kernel) Check() error {
	if err := k.Count.CheckSeparable(); err != nil {
		return fmt.Errorf("spectrum: %w", err)
	}
	if k.weighs() && k.Bounded {
		if err := throughCount(k).check(); err != nil {
			return err
		}
	}
	err := kmer.Check("k", k.Alphabet, k.K)
	if err == nil {
		return nil
	}
	if k.K < 1 || k.Alphabet.Check() != nil {
		return fmt.Errorf("spectrum: %w", err)
	}
	weight := "fixed"
	if k.Bounded {
		weight = "bounded"
	}
	return fmt.Errorf("spectrum: %w; substring:weight=%s counts longer k-mers", err, weight)
}

// shortest returns the length of the shortest k-mers that count.
func (k Kernel) shortest() int {
	if k.Bounded {
		return 1
	}
	return k.K
}

// lengths returns how many lengths count.
func (k Kernel) lengths() int { return k.K - k.shortest() + 1 }

// Traits says that features, and scores unless Bounded, are those of k-mers of K letters, and what Merge takes.
func (k Kernel) Traits() stringkernel.Traits {
	t := stringkernel.Traits{MinLength: k.shortest(), MergeBytes: k.mergeBytes}
	if !k.Bounded && !k.weighs() {
		t.KmerLength = k.K
	}
	return t
}

// Eval returns k(x, y), an exact integer below 2⁵³. It counts the k-mers of x in an array or by hashing and looks up
// those of y, a length at a time: O(|x| + |y|) per length. With Bounded it stops at the first length without a common
// k-mer. Counts through a function are found by sorting, O((|x| + |y|) log), and their sums rounded.
func (k Kernel) Eval(x, y []byte) float64 {
	if k.TFIDF {
		return byFrequency(k).eval(x, y)
	}
	if !k.Count.Linear() {
		return throughCount(k).eval(x, y)
	}
	c := counters.Get().(*counter)
	defer counters.Put(c)
	if len(x) > len(y) {
		x, y = y, x // count the shorter, look up the longer
	}
	total := uint64(0)
	for length := k.shortest(); length <= k.K; length++ {
		coder := newCoder(k.Alphabet, length)
		c.codes = coder.Append(c.codes[:0], x)
		c.others = coder.Append(c.others[:0], y)
		common := c.common(c.codes, c.others, coder.Bits*uint(length))
		if common == 0 {
			break // a longer common k-mer would have a common prefix
		}
		total += common
	}
	return float64(total)
}

// SelfEval returns k(x, x), the very value of Eval(x, x), in one pass over the k-mers of x per length and, with
// Bounded, one pass for all lengths that fit arrays of 2¹⁶ entries. Beyond those it stops at the first length whose
// k-mers are all distinct.
func (k Kernel) SelfEval(x []byte) float64 { return k.selfEval(context.Background(), x) }

// selfEval is SelfEval under a context. It leaves the counts of an ended one to the garbage.
func (k Kernel) selfEval(ctx context.Context, x []byte) float64 {
	if k.TFIDF {
		return byFrequency(k).self(ctx, x)
	}
	if !k.Count.Linear() {
		return throughCount(k).self(ctx, x)
	}
	c := counters.Get().(*counter)
	total := k.squares(ctx, c, x)
	counters.Put(c)
	return float64(total)
}

func (k Kernel) squares(ctx context.Context, c *counter, x []byte) (total uint64) {
	if !k.Bounded {
		coder := newCoder(k.Alphabet, k.K)
		total, _ = c.squares(ctx, &coder, x)
		return total
	}
	direct := min(k.K, directBits/k.Alphabet.Bits())
	total = k.selfDirect(ctx, c, x, direct)
	for length := direct + 1; length <= k.K; length++ {
		coder := newCoder(k.Alphabet, length)
		squares, kmers := c.squares(ctx, &coder, x)
		total += squares
		if squares == uint64(kmers) && length < k.K { // all distinct, and so are longer k-mers: one each
			return total + k.longer(ctx, x, length)
		}
	}
	return total
}

// selfDirect returns the part of SelfEval that k-mers of 1…depth letters make, by arrays for all lengths at once.
func (k Kernel) selfDirect(ctx context.Context, c *counter, x []byte, depth int) uint64 {
	coder := newCoder(k.Alphabet, depth)
	steps := newLadder(coder.Bits, depth)
	c.reserveDirect(steps.size())
	c.codes, c.tails = coder.Append(c.codes[:0], x), c.tails[:0]
	for _, t := range coder.tails(ctx, x) {
		c.tails = append(c.tails, t)
	}
	total := uint64(0)
	for length := depth; length >= 1; length-- {
		level := c.direct[steps.base(length):steps.base(length+1)]
		shift := coder.Bits * uint(depth-length)
		for _, code := range cancel.All(ctx, c.codes) {
			at := &level[code>>(shift&63)]
			total += 2*uint64(*at) + 1
			*at++
		}
		for _, t := range c.tails {
			if t.length < length {
				continue
			}
			at := &level[t.code>>(coder.Bits*uint(t.length-length))]
			total += 2*uint64(*at) + 1
			*at++
		}
		if len(c.codes) > len(level)/8 {
			clear(level)
			continue
		}
		for _, code := range c.codes {
			level[code>>(shift&63)] = 0
		}
		for _, t := range c.tails {
			if t.length >= length {
				level[t.code>>(coder.Bits*uint(t.length-length))] = 0
			}
		}
	}
	return total
}

// longer returns the number of occurrences of k-mers of length+1…K letters.
func (k Kernel) longer(ctx context.Context, x []byte, length int) uint64 {
	coder := newCoder(k.Alphabet, k.K)
	total := 0
	for lo, hi := range coder.runs(ctx, x) {
		total += max(0, hi-lo-k.K+1) * (k.K - length)
		for l := min(hi-lo, k.K-1); l > length; l-- { // of the k-mers that end with the run
			total += l - length
		}
	}
	return uint64(total)
}

// Gram indexes a corpus of fewer than 2³⁰ sequences; see the package comment for time and memory.
func (k Kernel) Gram(ctx context.Context, c *stringkernel.Corpus) (matrix stringkernel.Gram, err error) {
	defer cancel.Catch(&err)
	if err := k.Check(); err != nil {
		return nil, err
	}
	if c.Len() >= mostDocuments {
		return nil, fmt.Errorf("spectrum: %d sequences, want fewer than 2³⁰", c.Len())
	}
	if k.TFIDF {
		return byFrequency(k).gram(ctx, c)
	}
	if !k.Count.Linear() {
		return throughCount(k).gram(ctx, c)
	}
	depth := gramDepth(k, c.Letters())
	if err := k.checkSorted(c, depth == k.K); err != nil {
		return nil, err
	}
	if err := stringkernel.CheckIndex(c, k.indexBytes(depth == k.K, c.Letters())); err != nil {
		return nil, fmt.Errorf("spectrum: %w", err)
	}
	lists := func(ctx context.Context) *gram { return newGram(ctx, k, c, depth) }
	if k.byTree(c, depth) {
		return k.treeGram(ctx, c, lists)
	}
	return lists(ctx), nil
}

// checkSorted returns an error if k-mers would be sorted, unless they are counted in tables, of more letters than the
// places of a list have room for.
func (k Kernel) checkSorted(c *stringkernel.Corpus, tables bool) error {
	if !tables && int64(c.Letters()) >= 1<<32 {
		return fmt.Errorf("spectrum: %d letters; k-mers of %d are sorted, of fewer than 2³² letters: take fewer records, "+
			"or shorter k-mers (of DNA 10), which are counted in tables", c.Letters(), k.K)
	}
	return nil
}

// indexBytes returns the memory of a letter at the peak of indexing, as measured on random sequences and on records of
// which each occurs twice.
func (k Kernel) indexBytes(tables bool, letters int) float64 {
	if tables {
		return 10 // the features of positions, and their postings
	}
	return 9 + sortingBytes(letters)/float64(max(letters, 1))
}

// sortingBytes returns the memory of sorting the k-mers of a corpus.
func sortingBytes(letters int) float64 {
	return float64(2*letters) + float64(14*min(letters, wholeLetters))
}

// mergeBytes estimates the most memory of merging support vectors: by weights, or by lists, which it takes for
// several outputs where coefficients are few.
func (k Kernel) mergeBytes(sequences, letters, outputs int) float64 {
	n, rows := float64(letters), 0.0
	for length := k.shortest(); length <= k.K; length++ {
		rows += min(n, k.kmers(length))
	}
	switch top := min(n, k.kmers(k.K)); {
	case !topByTable(k, letters, outputs):
		rows = float64(float64(k.lengths()) * top)
	case k.Bounded:
		rows += top + min(n, float64(sequences)) // a level is counted as that of longer k-mers before it is made
	}
	weights := max(k.weightBytes(sequences, letters, outputs), rowBytes(rows, outputs))
	if k.weighs() || !k.fewCoefficients(sequences, letters, outputs, sequences) {
		return weights
	}
	return min(weights, n*k.comparisonBytes(n))
}

// weightBytes estimates the most memory of merging support vectors into weights, at any moment of it: the weights of as
// many k-mers as there can be, and what they are made of.
func (k Kernel) weightBytes(sequences, letters, outputs int) float64 {
	n, row := float64(letters), float64(8+8*outputs)
	kmers := func(length int) float64 { return min(n, k.kmers(length)) }
	top, below, weights := kmers(k.K), 0.0, 0.0
	if k.Bounded {
		for length := 1; length < k.K; length++ {
			below += kmers(length)
		}
		ends := min(n, float64(sequences)*float64(k.K-1)) // k-mers that end with their runs
		weights = float64(row*below) + float64(48*ends)
	}
	weights += float64(row * top)
	if topByTable(k, letters, outputs) {
		return weights + float64(8*outputs<<(k.Alphabet.Bits()*k.K))
	}
	const codes = 16 // of a k-mer, while they are copied
	return max(weights, float64(codes*top)) + float64(4*n) + sortingBytes(letters)
}

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
	if sv.Len() >= mostSupport {
		return nil, fmt.Errorf("spectrum: %d support vectors, want fewer than 2³¹", sv.Len())
	}
	if k.TFIDF {
		return byFrequency(k).merge(ctx, sv, c)
	}
	if !k.Count.Linear() {
		return throughCount(k).merge(ctx, sv, c)
	}
	if k.bySupport(sv, c) {
		return newSupportScorer(ctx, k, sv, c)
	}
	table := topByTable(k, sv.Letters(), c.Outputs)
	if err := k.checkSorted(sv, table && !k.Bounded); err != nil {
		return nil, err
	}
	perLetter := k.weightBytes(sv.Len(), sv.Letters(), c.Outputs) / float64(max(sv.Letters(), 1))
	if err := stringkernel.CheckIndex(sv, perLetter); err != nil {
		return nil, fmt.Errorf("spectrum: %w", err)
	}
	weights, err := mergeWeights(ctx, k, sv, c.Dense(), table)
	if err != nil {
		return nil, err
	}
	return newScorer(k, c.Outputs, weights, scorerDepth(k, c.Outputs, weights))
}
