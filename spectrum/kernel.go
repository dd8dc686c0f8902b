package spectrum

import (
	"context"
	"fmt"

	"github.com/seqsvm/seqsvm/internal/cancel"
	"github.com/seqsvm/seqsvm/internal/countof"
	"github.com/seqsvm/seqsvm/internal/kmer"
	"github.com/seqsvm/seqsvm/internal/strands"
	"github.com/seqsvm/seqsvm/stringkernel"
	"github.com/seqsvm/seqsvm/stringkernel/compose"
	"github.com/seqsvm/seqsvm/stringkernel/engine/table"
)

// Kernel is the k-spectrum kernel, or with Bounded the sum of the spectrum kernels of all lengths 1…K. Its Gram matrix
// has explicit rows ([stringkernel.FeatureRows]) unless Bounded; its scorers can be stored and explained.
//
// The zero value fails Check, for K must be 1 or more.
type Kernel struct {
	K        int                   `json:"k" doc:"length of k-mers: 1…32 (dna, rna), 1…12 (protein), 1…8 (bytes)"`
	Bounded  bool                  `json:"bounded,omitempty" doc:"count every length 1…k, not k alone"`
	Count    stringkernel.Count    `json:"count,omitempty"`
	TFIDF    bool                  `json:"tfidf,omitempty" doc:"times 1 + ln((1 + n)/(1 + df)), df of n training records having the k-mer"`
	Alphabet stringkernel.Alphabet `json:"alphabet"`

	rc     bool         // count both strands; only of counts that are not raw
	fitted *frequencies // of TFIDF
}

// Check returns an error if the alphabet or the function of counts is unknown or K is not in 1…MaxK. Longer k-mers are
// the substring kernel's.
func (k Kernel) Check() error {
	if err := k.Count.CheckSeparable(); err != nil {
		return fmt.Errorf("spectrum: %w", err)
	}
	if k.weighs() && k.Bounded && k.K > mostCounted {
		what := "count=" + string(k.Count)
		if k.Count.Linear() {
			what = "tfidf"
		}
		return fmt.Errorf("spectrum: k = %d with bounded and %s, want 1…%d", k.K, what, mostCounted)
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

// mostCounted is the longest k-mers of a bounded kernel by counts through a function: a position has a feature of each
// length, where raw counts have one for all.
const mostCounted = 12

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
	t := stringkernel.Traits{MinLength: k.shortest(), MergeBytes: k.mergeBytes, Fold: k.fold}
	if !k.weighs() {
		t.JointSelf = func(x, y []byte) float64 { return k.square(context.Background(), x, y) }
		t.TrackJointSelf = k.trackJointSelf
	}
	if !k.weighs() || k.fitted != nil {
		t.Compare = k.compareAll
	}
	if !k.Bounded && !k.weighs() {
		t.KmerLength = k.K
	}
	if !k.TFIDF { // where a model was read its scorer knows the document frequencies, the kernel does not
		t.TrackSelf = k.trackSelf
		// k(x, x) is a whole number: the reverse complements of k-mers occur as often as the k-mers
		t.StrandSymmetric = k.Count.Linear() || k.Count == stringkernel.CountPresence
	}
	return t
}

// record returns what k-mers of x are counted in: of both strands, x and its reverse complement with a break between.
func (k Kernel) record(x []byte) []byte {
	if !k.rc {
		return x
	}
	return strands.Record(k.Alphabet, x)
}

// records returns a corpus of the records.
func (k Kernel) records(c *stringkernel.Corpus) *stringkernel.Corpus {
	if !k.rc {
		return c
	}
	return strands.Records(k.Alphabet, c)
}

// Eval returns k(x, y), of raw counts an exact integer below 2⁵³. It sorts the k-mers of both, a length at a time:
// O((|x| + |y|) log) per length. With Bounded it stops at the first length without a common k-mer.
func (k Kernel) Eval(x, y []byte) float64 {
	if k.TFIDF {
		return byFrequency(k).eval(x, y)
	}
	x, y = k.record(x), k.record(y)
	values, sum := countof.New(k.Count), 0.0
	for length := k.shortest(); length <= k.K; length++ {
		c, common, others := kmer.New(k.Alphabet, length), false, map[uint64]float64{}
		c.EachCount(x, func(code uint64, count int) { others[code] = values.At(uint32(count)) })
		c.EachCount(y, func(code uint64, count int) {
			if value, is := others[code]; is {
				sum += float64(value * values.At(uint32(count)))
				common = true
			}
		})
		if !common {
			break // a longer common k-mer would have a common prefix
		}
	}
	return sum
}

// SelfEval returns k(x, x), of raw counts the very value of Eval(x, x). O(|x|) for each length up to the first whose
// k-mers are all distinct.
func (k Kernel) SelfEval(x []byte) float64 { return k.selfEval(context.Background(), x) }

// selfEval is SelfEval under a context.
func (k Kernel) selfEval(ctx context.Context, x []byte) float64 {
	if k.TFIDF {
		return byFrequency(k).self(ctx, x)
	}
	return k.square(ctx, k.record(x))
}

// square returns the sum of squares of the counts of k-mers in sequences together. It leaves the counts of an ended
// context to the garbage.
func (k Kernel) square(ctx context.Context, seqs ...[]byte) float64 {
	c := counters.Get().(*counter)
	coder, values := kmer.New(k.Alphabet, k.K), countof.New(k.Count)
	c.findRepeats(ctx, &coder, k.shortest(), seqs...)
	sum := c.square(&values)
	counters.Put(c)
	return sum
}

// Gram indexes a corpus of fewer than 2³⁰ sequences; see the package comment for time and memory.
func (k Kernel) Gram(ctx context.Context, c *stringkernel.Corpus) (matrix stringkernel.Gram, err error) {
	defer cancel.Catch(&err)
	if err := k.Check(); err != nil {
		return nil, err
	}
	if c.Len() >= table.MostRecords {
		return nil, fmt.Errorf("spectrum: %d sequences, want fewer than 2³⁰", c.Len())
	}
	if k.TFIDF {
		return byFrequency(k).gram(ctx, c)
	}
	depth := gramDepth(k, c.Letters())
	if k.byTree(c, depth) {
		return k.treeGram(ctx, c)
	}
	if err := k.checkIndex(c, depth); err != nil {
		return nil, err
	}
	return newGram(ctx, k, c, depth), nil
}

// checkIndex returns an error if the index of a corpus, with k-mers of up to depth letters in tables and sorted longer
// ones, would take too much memory.
func (k Kernel) checkIndex(c *stringkernel.Corpus, depth int) error {
	if err := k.checkSorted(c, depth == k.K); err != nil {
		return err
	}
	perLetter := k.indexBytes(depth, c.Letters())
	if k.weighs() {
		perLetter += float64(8 * k.lengths()) // of repeats
	}
	if k.rc {
		perLetter *= 2
	}
	if err := stringkernel.CheckIndex(c, perLetter); err != nil {
		return fmt.Errorf("spectrum: %w", err)
	}
	return nil
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
func (k Kernel) indexBytes(depth, letters int) float64 {
	const listed = 10 // the features of positions, and their postings
	if depth == k.K {
		return listed
	}
	lists := k.K - max(depth, k.shortest()-1)
	if depth > 0 {
		lists++
	}
	return float64(listed*lists+1) + sortingBytes(letters)/float64(max(letters, 1))
}

// sortingBytes returns the memory of sorting the k-mers of a corpus.
func sortingBytes(letters int) float64 {
	return float64(2*letters) + float64(14*min(letters, table.WholeLetters))
}

// mergeBytes estimates the most memory of merging support vectors: by weights, or by lists, which it takes for
// several outputs where coefficients are few.
func (k Kernel) mergeBytes(sequences, letters, outputs int) float64 {
	weights, n := k.weightBytes(letters, outputs), float64(letters)
	if k.weighs() || !k.fewCoefficients(sequences, letters, outputs, sequences) {
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
		return byFrequency(k).merge(ctx, sv, c)
	}
	if k.bySupport(sv, c) {
		return newSupportScorer(ctx, k, sv, c)
	}
	if err := k.checkSorted(sv, k.byTable(k.K, sv.Letters(), c.Outputs)); err != nil {
		return nil, err
	}
	perLetter := k.weightBytes(sv.Letters(), c.Outputs) / float64(max(sv.Letters(), 1))
	if k.rc {
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

// scorer returns the scorer of weights.
func (k Kernel) scorer(columns, factors int, levels []level) stringkernel.Scorer {
	linear := newScorer(Kernel{K: k.K, Bounded: k.Bounded, Alphabet: k.Alphabet}, columns, levels)
	if !k.weighs() {
		return linear
	}
	return &countedScorer{k, countof.New(k.Count), factors, linear}
}

// Stranded has counts of both strands added before a function sees them; nil where counts are raw, which the wrapper
// adds.
func (k Kernel) Stranded() compose.Stranded {
	if !k.weighs() {
		return nil
	}
	return strandedCounts(k)
}

type strandedCounts Kernel

func (k strandedCounts) BothStrands() stringkernel.Kernel {
	k.rc, k.fitted = true, nil
	return Kernel(k)
}

func (k strandedCounts) OneStrand() (one stringkernel.Kernel, both bool) {
	both = k.rc
	k.rc, k.fitted = false, nil
	return Kernel(k), both
}
