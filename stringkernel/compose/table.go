package compose

import (
	"gonum.org/v1/gonum/floats"

	"github.com/seqsvm/seqsvm/internal/scratch"
	"github.com/seqsvm/seqsvm/stringkernel"
)

// Folder is an option of a kernel whose features are a table of bounded size, so that a weight vector w can be added to
// record by record, without a corpus. Correct without it; with it, a machine learns from a stream in constant memory.
// Ask [FolderOf].
type Folder interface {
	// Fold returns a table of zeros for a number of weight vectors, at least 1. It is an error if that takes too much
	// memory.
	Fold(outputs int) (Table, error)
}

// FolderOf returns the [Folder] of k, nil if it has none.
func FolderOf(k stringkernel.Kernel) Folder {
	return stringkernel.Lookup(k, func(w interface{ Folder() Folder }) Folder { return w.Folder() })
}

// Table is weight vectors w_0, w_1, … that can be added to: a scorer of f_m(x) = ⟨w_m, φ(x)⟩, equal up to rounding to a
// merged one of the same sums. It is for one goroutine.
type Table interface {
	stringkernel.Scorer
	// Add adds a[m]·φ(x) to w_m for every m, in the time of a score.
	Add(x []byte, a []float64)
	// Mix returns the table of len(rows) weight vectors w'_i = Σ_m rows[i][m]·w_m, in time linear in the table; the
	// receiver must not be used afterwards. It is an error if that takes too much memory.
	Mix(rows [][]float64) (Table, error)
	// Scorer returns a scorer of the present weights that the kernel's [stringkernel.Restorer] can store. The receiver
	// must not be used afterwards.
	Scorer() (stringkernel.Scorer, error)
}

// MixRows replaces rows of weights, one after another in table, each of as many values as mix has columns, by their
// products with mix: what Mix of a flat table does. O(table · len(mix)).
func MixRows(table []float64, mix [][]float64) []float64 {
	from, to := len(mix[0]), len(mix)
	mixed := make([]float64, len(table)/from*to)
	for lo, at := 0, 0; lo < len(table); lo, at = lo+from, at+to {
		for i, weights := range mix {
			mixed[at+i] = stringkernel.Mix(weights, table[lo:lo+from])
		}
	}
	return mixed
}

// wrapped is the table of a wrapper: the tables of what it wraps, under the scorer that it makes of theirs.
type wrapped struct {
	scorer stringkernel.Scorer
	inside []Table
	wrapper
}

// wrapper says how a wrapper makes a scorer of those inside, and adds a record to the tables inside.
type wrapper struct {
	around func(inside []stringkernel.Scorer) (stringkernel.Scorer, error)
	add    func(inside []Table, x []byte, a []float64)
}

// fold makes the table of a wrapper of kernels that all have one.
func (w wrapper) fold(outputs int, kernels ...stringkernel.Kernel) (Table, error) {
	inside, err := eachOf(kernels, func(k stringkernel.Kernel) (Table, error) { return FolderOf(k).Fold(outputs) })
	if err != nil {
		return nil, err
	}
	return w.over(inside)
}

func (w wrapper) over(inside []Table) (Table, error) {
	scorers, _ := eachOf(inside, func(t Table) (stringkernel.Scorer, error) { return t, nil })
	s, err := w.around(scorers)
	return &wrapped{s, inside, w}, err
}

// Outputs is that of the tables inside.
func (t *wrapped) Outputs() int { return t.scorer.Outputs() }

// ScoreTo scores as a merged scorer does.
func (t *wrapped) ScoreTo(dst []float64, x []byte) { t.scorer.ScoreTo(dst, x) }

// Add adds to the tables inside.
func (t *wrapped) Add(x []byte, a []float64) { t.add(t.inside, x, a) }

// Mix mixes the tables inside.
func (t *wrapped) Mix(rows [][]float64) (Table, error) {
	mixed, err := eachOf(t.inside, func(inner Table) (Table, error) { return inner.Mix(rows) })
	if err != nil {
		return nil, err
	}
	return t.over(mixed)
}

// Scorer wraps the scorers inside.
func (t *wrapped) Scorer() (stringkernel.Scorer, error) {
	scorers, err := eachOf(t.inside, Table.Scorer)
	if err != nil {
		return nil, err
	}
	return t.around(scorers)
}

// eachOf returns what a function makes of each, or its first error.
func eachOf[A, B any](list []A, of func(A) (B, error)) (made []B, err error) {
	made = make([]B, len(list))
	for i, a := range list {
		if made[i], err = of(a); err != nil {
			return nil, err
		}
	}
	return made, nil
}

// Folder scales what is added by the norm of the sequence.
func (k Normalized) Folder() Folder {
	return given(FolderOf(k.Kernel), Folder(normalizedOptions(k)))
}

func (k normalizedOptions) Fold(outputs int) (Table, error) {
	var scaled []float64
	return wrapper{
		around: func(inside []stringkernel.Scorer) (stringkernel.Scorer, error) {
			return newNormalizedScorer(k.Kernel, inside[0]), nil
		},
		add: func(inside []Table, x []byte, a []float64) {
			scaled = scratch.Resize(scaled, len(a))
			inside[0].Add(x, floats.ScaleTo(scaled, inverseRoot(SelfEval(k.Kernel, x)), a))
		},
	}.fold(outputs, k.Kernel)
}

// Folder adds both strands.
func (k BothStrands) Folder() Folder {
	return given(FolderOf(k.Kernel), Folder(strandOptions(k)))
}

func (k strandOptions) Fold(outputs int) (Table, error) {
	var rc []byte
	return wrapper{
		around: func(inside []stringkernel.Scorer) (stringkernel.Scorer, error) {
			return newStrandScorer(inside[0], k.Alphabet), nil
		},
		add: func(inside []Table, x []byte, a []float64) {
			rc = k.Alphabet.ReverseComplementTo(rc, x)
			inside[0].Add(x, a)
			inside[0].Add(rc, a)
		},
	}.fold(outputs, k.Kernel)
}

// Folder has a table per term, if all terms have one.
func (k Mean) Folder() Folder {
	return givenAll(k.Terms, FolderOf, Folder(meanOptions(k)))
}

func (k meanOptions) Fold(outputs int) (Table, error) {
	return wrapper{
		around: func(inside []stringkernel.Scorer) (stringkernel.Scorer, error) {
			return Mean(k).newScorer(func(t int, _ stringkernel.Kernel) (stringkernel.Scorer, error) { return inside[t], nil })
		},
		add: func(inside []Table, x []byte, a []float64) {
			for _, term := range inside {
				term.Add(x, a)
			}
		},
	}.fold(outputs, k.Terms...)
}
