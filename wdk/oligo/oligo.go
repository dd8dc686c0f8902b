package oligo

import (
	"errors"
	"fmt"
	"math"
	"math/bits"
	"sync"

	"github.com/seqsvm/seqsvm/internal/elementary"
	"github.com/seqsvm/seqsvm/internal/hash"
	"github.com/seqsvm/seqsvm/internal/kmer"
	"github.com/seqsvm/seqsvm/internal/scratch"
	"github.com/seqsvm/seqsvm/stringkernel"
	"github.com/seqsvm/seqsvm/wdk/internal/alike"
)

// Kernel is the oligo kernel of Meinicke, Tech, Morgenstern & Merkl (2004): k-mers of K letters that both sequences
// have count the more, the nearer their positions are,
//
//	k(x, y) = Σ_{|w| = K} Σ_{p: w at p in x} Σ_{q: w at q in y} exp(−(p − q)²/4σ²).
//
// Sequences may have any lengths; positions count from their first letters. A k-mer holds only letters of the alphabet.
// With σ → 0 it counts k-mers at equal positions, with σ → ∞ it is the spectrum kernel. It is the inner product of
// functions of position, a Gaussian of width σ at each occurrence of each k-mer, divided by √π·σ. K-mers further apart
// than 13.3·σ add less than 2⁻⁶⁴ each, which no sum of k-mers that do meet would notice, and are left out.
//
// # Cost
//
// A sequence of length |x| has up to |x| k-mers; R = min(longest sequence, 13.3·σ) is how far a k-mer reaches. A cell
// is a k-mer at a position; D is the number of distinct cells of a corpus of N letters: at most N, and at most 4^K per
// position for DNA.
//
//	Eval, SelfEval   O(|x| + |y| + pairs of equal k-mers within reach)
//	index            O(N + longest sequence), 4 bytes per letter and 16 per cell; 28 per letter more while it is built
//	K·v              O(N + D·occupied cells of a k-mer within reach): coefficients are added up per cell, every
//	                 cell spreads its sum to the cells of its k-mer, and sequences collect from theirs. It is exact,
//	                 and linear in N once cells repeat
//	row              O(N) and what the cells of one sequence spread
//	score            one look-up per k-mer at positions that the training sequences had, see [Kernel.Merge]
//
// With 10,000 sequences of 200 random bases, K = 3 and σ = 2, K·v takes 1.1 ns per letter, a kernel value of a row 41
// ns, a score 5.4 ns per letter; with K = 6, 13, 83 and 7.7; with K = 12, where k-mers are looked up by hashing, a
// score takes 140 (one core, stock Go).
//
// # Letters that resemble each other
//
// With Subst two k-mers u at p and v at q count ∏ B(u_i, v_i) times the Gaussian, equal or not, where B is the weights
// of letters. With Bounded so do k-mers of 1, 2, … K letters: the generic string kernel for peptides (Giguère et al.
// 2013), whose σ_p is √2·σ. No index serves: a value takes O(K·|x|·|y|), or the smaller of |x| and |y| times the reach;
// products are of rows, and scores of values with the support vectors.
//
// S. Giguère, M. Marchand, F. Laviolette, A. Drouin, J. Corbeil: Learning a peptide-protein binding affinity predictor
// with kernel ridge regression. BMC Bioinformatics 14:82, 2013. doi:10.1186/1471-2105-14-82.
//
// P. Meinicke, M. Tech, B. Morgenstern, R. Merkl: Oligo kernels for datamining on biological sequences: a case study on
// prokaryotic translation initiation sites. BMC Bioinformatics 5:169, 2004. doi:10.1186/1471-2105-5-169.
type Kernel struct {
	K        int                   `json:"k" doc:"length of k-mers: 1…32 (dna, rna), 1…12 (protein), 1…8 (bytes)"`
	Sigma    float64               `json:"sigma" doc:"σ of exp(−(p − q)²/4σ²), in letters: 0.001…100000"`
	Subst    []string              `json:"subst,omitempty"`
	Beta     float64               `json:"beta,omitempty" above:"0"`
	Bounded  bool                  `json:"bounded,omitempty" doc:"with subst: k-mers of 1 to k letters, the generic string kernel"`
	Alphabet stringkernel.Alphabet `json:"alphabet"`

	compiled *alike.Letters // of Subst; nil before Compile
}

// The range of σ. Below it no neighbour counts, and above it all positions of any window are as good as one.
const (
	leastSigma = 1e-3
	mostSigma  = 1e5
)

// Check returns an error if the alphabet is unknown, a k-mer does not fit 64 bits, or σ is not in 0.001…100000.
func (k Kernel) Check() error {
	if err := kmer.Check("k", k.Alphabet, k.K); err != nil {
		return fmt.Errorf("oligo: %w", err)
	}
	if !(k.Sigma >= leastSigma && k.Sigma <= mostSigma) {
		return fmt.Errorf("oligo: sigma = %v, want 0.001…100000", k.Sigma)
	}
	if k.Bounded && !k.resembling() {
		return errors.New("oligo: bounded needs subst, the weights of letters; without, give a kernel for each k")
	}
	return alike.Check("oligo", k.Subst, k.Beta, k.Alphabet)
}

// Traits says that features are k-mers of K letters, or of any up to K.
func (k Kernel) Traits() stringkernel.Traits {
	t := stringkernel.Traits{Compile: k.Compile, MinLength: k.K}
	if k.Bounded {
		t.MinLength = 1
	}
	return t
}

// Eval returns k(x, y). It chains the k-mers of x in buckets and walks the bucket of each k-mer of y.
func (k Kernel) Eval(x, y []byte) float64 {
	if k.resembling() {
		return k.evalAlike(x, y)
	}
	s := oligoPool.Get().(*scratchpad)
	defer oligoPool.Put(s)
	s.prepare(k, max(len(x), len(y)))
	s.kmers = k.appendKmers(s.kmers[:0], x)
	s.open()
	for i := range s.kmers {
		s.link(i)
	}
	s.others = k.appendKmers(s.others[:0], y)
	sum := 0.0
	for _, w := range s.others {
		sum += s.near(w)
	}
	return sum
}

// SelfEval returns k(x, x) in half the time of Eval: each pair of equal k-mers once.
func (k Kernel) SelfEval(x []byte) float64 {
	if k.resembling() {
		return k.evalAlike(x, x)
	}
	s := oligoPool.Get().(*scratchpad)
	defer oligoPool.Put(s)
	s.prepare(k, len(x))
	s.kmers = k.appendKmers(s.kmers[:0], x)
	s.open()
	pairs := 0.0
	for i, w := range s.kmers {
		pairs += s.near(w)
		s.link(i)
	}
	return float64(len(s.kmers)) + 2*pairs
}

// reach returns the greatest distance of k-mers that count: exp(−d²/4σ²) ≥ 2⁻⁶⁴.
func (k Kernel) reach() int { return int(k.Sigma * math.Sqrt(4*64*math.Ln2)) }

// bells returns exp(−d²/4σ²) for the distances d = 0, 1, … within reach, no more than n of them.
func (k Kernel) bells(n int) []float64 {
	table := make([]float64, min(n, k.reach()+1))
	for d := range table {
		z := float64(d) / (2 * k.Sigma)
		table[d] = elementary.Exp(-float64(z * z))
	}
	return table
}

// coder packs the k-mers.
func (k Kernel) coder() kmer.Coder { return kmer.New(k.Alphabet, k.K) }

// occurrence is a k-mer at a place.
type occurrence struct {
	code uint64
	at   int32 // 0-based position of its first letter
}

// appendKmers appends the occurrences of k-mers in x, by position.
func (k Kernel) appendKmers(dst []occurrence, x []byte) []occurrence {
	coder := k.coder()
	for at, code := range coder.All(x) {
		dst = append(dst, occurrence{code, int32(at)})
	}
	return dst
}

// scratchpad is what Eval works with: the k-mers of one sequence in chains by hash value, later positions first.
type scratchpad struct {
	sigma  float64
	bells  []float64
	kmers  []occurrence
	others []occurrence
	heads  []int32 // 1 + the k-mer that was linked last, by bucket
	next   []int32 // 1 + the k-mer that was linked before, by k-mer
	shift  uint    // of hash values to buckets
}

var oligoPool = sync.Pool{New: func() any { return new(scratchpad) }}

// prepare makes the table of bells ready for sequences of up to n letters.
func (s *scratchpad) prepare(k Kernel, n int) {
	if s.sigma != k.Sigma || len(s.bells) < min(n, k.reach()+1) {
		s.sigma, s.bells = k.Sigma, k.bells(n)
	}
}

// open empties the buckets.
func (s *scratchpad) open() {
	width := uint(bits.Len(uint(len(s.kmers))))
	s.shift = 64 - width
	s.heads, s.next = scratch.Resize(s.heads, 1<<width), scratch.Resize(s.next, len(s.kmers))
	clear(s.heads)
}

func (s *scratchpad) bucket(code uint64) *int32 { return &s.heads[hash.Mix(code)>>s.shift] }

// link puts k-mer i into its bucket.
func (s *scratchpad) link(i int) {
	head := s.bucket(s.kmers[i].code)
	s.next[i] = *head
	*head = int32(i) + 1
}

// near returns Σ exp(−(p − q)²/4σ²) over the linked k-mers that equal w.
func (s *scratchpad) near(w occurrence) float64 {
	sum, reach := 0.0, int32(len(s.bells)-1)
	for i := *s.bucket(w.code); i > 0; i = s.next[i-1] {
		other := s.kmers[i-1]
		distance := other.at - w.at
		if distance < -reach {
			break // those before are further away
		}
		if other.code != w.code || distance > reach {
			continue
		}
		if distance < 0 {
			distance = -distance
		}
		sum += s.bells[distance]
	}
	return sum
}

// Compile computes the weights of letters, which Eval of a kernel that is not compiled does at every call.
func (k Kernel) Compile() (stringkernel.Kernel, error) {
	if err := k.Check(); err != nil {
		return k, err
	}
	k.compiled = k.letters()
	return k, nil
}

// resembling reports whether letters resemble each other.
func (k Kernel) resembling() bool { return len(k.Subst) > 0 }

// letters returns the weights of letters, nil without any.
func (k Kernel) letters() *alike.Letters {
	return alike.Of(k.compiled, k.Subst, k.Beta, k.Alphabet)
}

// evalAlike returns k(x, y) of all pairs of k-mers within reach.
func (k Kernel) evalAlike(x, y []byte) float64 {
	lengths := make([]float64, k.K)
	for n := range lengths {
		if k.Bounded || n == k.K-1 {
			lengths[n] = 1
		}
	}
	bells := k.bells(max(len(x), len(y), 1))
	return k.letters().Sum(x, y, lengths, len(bells)-1, func(p, q int) float64 { return bells[max(p-q, q-p)] })
}
