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

// linearTable is the table of a [Linear] kernel: those of its terms, under the scorer that it makes of them.
type linearTable struct {
	*linearScorer
	terms  []Table
	scaled []float64
}

// Folder has a table per term, if all terms have one.
func (k Linear) Folder() Folder { return givenAll(k.Terms, FolderOf, Folder(k)) }

// Fold makes the tables of the terms.
func (k Linear) Fold(outputs int) (Table, error) {
	return k.tableOf(func(t int) (Table, error) { return FolderOf(k.Terms[t]).Fold(outputs) })
}

func (k Linear) tableOf(of func(t int) (Table, error)) (Table, error) {
	terms, err := ofTerms(k, func(t int, _ stringkernel.Kernel) (Table, error) { return of(t) })
	if err != nil {
		return nil, err
	}
	s, err := k.newScorer(func(t int, _ stringkernel.Kernel) (stringkernel.Scorer, error) { return terms[t], nil })
	if err != nil {
		return nil, err
	}
	return &linearTable{linearScorer: s.(*linearScorer), terms: terms}, nil
}

// Add adds both strands to the tables of the terms, scaled by the norm of the sequence.
func (t *linearTable) Add(x []byte, a []float64) {
	x = t.kernel.part(x)
	if t.kernel.Cosine {
		t.scaled = scratch.Resize(t.scaled, len(a))
		a = floats.ScaleTo(t.scaled, inverseRoot(t.kernel.square(x)), a)
	}
	for _, term := range t.terms {
		term.Add(x, a)
		if t.kernel.Strands != "" {
			term.Add(t.kernel.opposite(x), a)
		}
	}
}

// Mix mixes the tables of the terms.
func (t *linearTable) Mix(rows [][]float64) (Table, error) {
	return t.kernel.tableOf(func(i int) (Table, error) { return t.terms[i].Mix(rows) })
}

// Scorer takes the scorers of the terms.
func (t *linearTable) Scorer() (stringkernel.Scorer, error) {
	return t.kernel.newScorer(func(i int, _ stringkernel.Kernel) (stringkernel.Scorer, error) {
		return t.terms[i].Scorer()
	})
}
