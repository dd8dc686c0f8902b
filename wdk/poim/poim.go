package poim

import (
	"context"
	"fmt"
	"iter"
	"math"

	"github.com/seqsvm/seqsvm/internal/kmer"
	"github.com/seqsvm/seqsvm/internal/parallel"
	"github.com/seqsvm/seqsvm/stringkernel"
)

// Weight is the weight of a k-mer at a position of the window. Several weights of the same k-mer at the same position
// are added.
type Weight struct {
	Position int    // 0-based, of the first letter
	Word     []byte // codes of letters, 0 … σ − 1; read before the next weight is asked for
	Value    float64
}

// Options say which importances to compute.
type Options struct {
	Alphabet stringkernel.Alphabet // of the k-mers
	Window   int                   // L, letters of a window
	Length   int                   // K: k-mers for k = 1 … K, 1 ≤ K ≤ L
	// frequencies of the letters by code, which are ≥ 0 and scaled to sum to 1; nil for uniform
	Background []float64
}

// MaxValues is the largest number of importances: 1 GB.
const MaxValues = 1 << 27

// Matrices are the importances of all k-mers, k = 1 … K, at all positions.
type Matrices struct {
	letters []byte // by code
	window  int
	q       levels
}

// Compute returns the matrices of a score given by its weights. It returns an error if an option is out of range or a
// weight is of a k-mer that is not within the window, is not of the alphabet, or is not finite. Its length may exceed
// K.
func Compute(ctx context.Context, weights iter.Seq[Weight], opt Options) (*Matrices, error) {
	frequencies, err := opt.check()
	if err != nil {
		return nil, fmt.Errorf("poim: %w", err)
	}
	s := newSums(opt, frequencies)
	const between = 1 << 12 // weights between checks of the context
	n := 0
	for w := range weights {
		if n++; n%between == 0 && ctx.Err() != nil {
			return nil, ctx.Err()
		}
		if err := s.check(w); err != nil {
			return nil, fmt.Errorf("poim: %w", err)
		}
		s.add(w)
	}
	if s.importances(ctx); ctx.Err() != nil {
		return nil, ctx.Err()
	}
	letters := kmer.Letters(opt.Alphabet.Codes())
	return &Matrices{letters: letters[:opt.Alphabet.Size()], window: opt.Window, q: s.both}, nil
}

// check returns the frequencies of the letters.
func (o Options) check() ([]float64, error) {
	if err := o.Alphabet.Check(); err != nil {
		return nil, err
	}
	sigma := o.Alphabet.Size()
	if o.Length < 1 || o.Length > o.Window {
		return nil, fmt.Errorf("k-mers of %d letters, want 1…%d, the length of the window", o.Length, o.Window)
	}
	values := 0.0
	for k := 1; k <= o.Length; k++ {
		if values += float64(math.Pow(float64(sigma), float64(k)) * float64(o.Window-k+1)); values > MaxValues {
			return nil, fmt.Errorf(
				"k-mers of up to %d letters in windows of %d have more than %d importances; ask for shorter ones",
				o.Length, o.Window, MaxValues)
		}
	}
	return frequencies(o.Background, sigma)
}

// frequencies scales a background to sum to 1.
func frequencies(background []float64, sigma int) ([]float64, error) {
	scaled := make([]float64, sigma)
	if background == nil {
		for c := range scaled {
			scaled[c] = 1 / float64(sigma)
		}
		return scaled, nil
	}
	if len(background) != sigma {
		return nil, fmt.Errorf("%d frequencies of letters, want %d", len(background), sigma)
	}
	sum := 0.0
	for c, f := range background {
		if !(f >= 0) || f > math.MaxFloat64/256 {
			return nil, fmt.Errorf("frequency %d is %v, want a finite number ≥ 0", c+1, f)
		}
		sum += f
	}
	if sum == 0 {
		return nil, fmt.Errorf("all frequencies are 0")
	}
	for c, f := range background {
		scaled[c] = f / sum
	}
	return scaled, nil
}

// Window returns L.
func (m *Matrices) Window() int { return m.window }

// Length returns K.
func (m *Matrices) Length() int { return len(m.q.rows) - 1 }

// Row returns the importances of all k-mers at a position 0 … L − k, by number: the first letter of a k-mer is the
// highest digit to the base σ, so k-mers are in alphabetical order if codes are. The row is not a copy and must not be
// modified.
func (m *Matrices) Row(k, position int) []float64 { return m.q.row(k, position) }

// Word returns the letters of k-mer number n.
func (m *Matrices) Word(k, n int) []byte {
	word, sigma := make([]byte, k), len(m.letters)
	for i := k - 1; i >= 0; i-- {
		word[i] = m.letters[n%sigma]
		n /= sigma
	}
	return word
}

// levels are values of k-mers at positions, a table per k-mer length.
type levels struct {
	window int
	sizes  []int // σ^k
	rows   [][]float64
}

// newLevels returns zeros for k-mers, k = 1 … longest.
func newLevels(sigma, window, longest int) levels {
	l := levels{window: window, sizes: []int{1}, rows: [][]float64{nil}}
	for k := 1; k <= longest; k++ {
		l.sizes = append(l.sizes, l.sizes[k-1]*sigma)
		l.rows = append(l.rows, make([]float64, l.sizes[k]*(window-k+1)))
	}
	return l
}

// longest returns the largest length that has a table.
func (l *levels) longest() int { return len(l.rows) - 1 }

// row returns the values of the k-mers at a position.
func (l *levels) row(k, position int) []float64 {
	return l.rows[k][position*l.sizes[k] : (position+1)*l.sizes[k]]
}

// each calls task for every position of k-mers, unless ctx ends.
func (l *levels) each(ctx context.Context, k int, task func(position int)) {
	_ = parallel.Do(ctx, l.window-k+1, func(position int) error { // ctx is asked at the end
		task(position)
		return nil
	})
}
