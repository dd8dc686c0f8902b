package spectrum

import (
	"context"
	"fmt"
	"math"

	"github.com/seqsvm/seqsvm/internal/countof"
	"github.com/seqsvm/seqsvm/internal/kmer"
	"github.com/seqsvm/seqsvm/internal/strands"
	"github.com/seqsvm/seqsvm/stringkernel"
	"github.com/seqsvm/seqsvm/stringkernel/compose"
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

	bothStrands bool         // count them together; only of counts that are not raw
	fitted      *frequencies // of TFIDF
}

// frequencies is what a kernel with TFIDF knows of its reference corpus. It is safe for concurrent use.
type frequencies struct {
	corpus *stringkernel.Corpus
	kernel Kernel
	values countof.Values
	levels []level   // of each length, the factors of its k-mers
	starts []int32   // of each length, the number of its first k-mer among all; and at last that of all
	places []*scorer // of each length, scores that are the place of a k-mer among those of the length, and 1
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

// Traits says that features, and scores unless Bounded, are those of k-mers of K letters, and what Merge takes.
func (k Kernel) Traits() stringkernel.Traits {
	t := stringkernel.Traits{MinLength: k.shortest(), MergeBytes: k.mergeBytes, Fold: k.fold}
	if !k.weighs() {
		t.JointSelf = func(x, y []byte) float64 { return k.square(context.Background(), x, y) }
		t.TrackJointSelf = k.trackJointSelf
	}
	if !k.weighs() || k.fitted != nil {
		t.Compare = k.compare
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

// shortest returns the length of the shortest k-mers that count.
func (k Kernel) shortest() int {
	if k.Bounded {
		return 1
	}
	return k.K
}

// lengths returns how many lengths count.
func (k Kernel) lengths() int { return k.K - k.shortest() + 1 }

// kmers returns the number of k-mers of a length.
func (k Kernel) kmers(length int) float64 {
	return math.Pow(float64(k.Alphabet.Size()), float64(length))
}

// weighs reports whether k-mers have other values than their counts.
func (k Kernel) weighs() bool { return k.TFIDF || !k.Count.Linear() }

// record returns what k-mers of x are counted in: of both strands, x and its reverse complement with a break between.
func (k Kernel) record(x []byte) []byte { return strands.Record(k.Alphabet, k.bothStrands, x) }

// records returns a corpus of the records.
func (k Kernel) records(c *stringkernel.Corpus) *stringkernel.Corpus {
	return strands.Records(k.Alphabet, k.bothStrands, c)
}

// strands returns the sequences in which k-mers of x are counted.
func (k Kernel) strands(x []byte) [][]byte {
	if !k.bothStrands {
		return [][]byte{x}
	}
	return [][]byte{x, k.Alphabet.ReverseComplementTo(nil, x)}
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
	k.bothStrands, k.fitted = true, nil
	return Kernel(k)
}

func (k strandedCounts) OneStrand() (one stringkernel.Kernel, both bool) {
	both = k.bothStrands
	k.bothStrands, k.fitted = false, nil
	return Kernel(k), both
}
