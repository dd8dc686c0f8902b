package compose

import (
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

// Folder scales what is added by the norm of the sequence.
func (k Normalized) Folder() Folder {
	return given(FolderOf(k.Kernel), Folder(normalizedOptions(k)))
}

func (k normalizedOptions) Fold(outputs int) (Table, error) {
	inner, err := FolderOf(k.Kernel).Fold(outputs)
	return &normalizedTable{Table: inner, kernel: k.Kernel}, err
}

// normalizedTable is a table of normalised features.
type normalizedTable struct {
	Table
	kernel stringkernel.Kernel
	scaled []float64
}

func (t *normalizedTable) ScoreTo(dst []float64, x []byte) {
	t.Table.ScoreTo(dst, x)
	scale := inverseRoot(SelfEval(t.kernel, x))
	for m := range dst[:t.Outputs()] {
		dst[m] *= scale
	}
}

func (t *normalizedTable) Add(x []byte, a []float64) {
	scale := inverseRoot(SelfEval(t.kernel, x))
	t.scaled = scratch.Resize(t.scaled, len(a))
	for m := range a {
		t.scaled[m] = a[m] * scale
	}
	t.Table.Add(x, t.scaled)
}

func (t *normalizedTable) Mix(rows [][]float64) (Table, error) {
	inner, err := t.Table.Mix(rows)
	return &normalizedTable{Table: inner, kernel: t.kernel}, err
}

func (t *normalizedTable) Scorer() (stringkernel.Scorer, error) {
	inner, err := t.Table.Scorer()
	if err != nil {
		return nil, err
	}
	return newNormalizedScorer(t.kernel, inner), nil
}

// Folder adds both strands.
func (k BothStrands) Folder() Folder {
	return given(FolderOf(k.Kernel), Folder(strandOptions(k)))
}

func (k strandOptions) Fold(outputs int) (Table, error) {
	inner, err := FolderOf(k.Kernel).Fold(outputs)
	return &strandTable{Table: inner, alphabet: k.Alphabet}, err
}

// strandTable is a table of the features of both strands.
type strandTable struct {
	Table
	alphabet stringkernel.Alphabet
	rc       []byte
	scores   []float64
}

func (t *strandTable) ScoreTo(dst []float64, x []byte) {
	t.rc = t.alphabet.ReverseComplementTo(t.rc, x)
	t.scores = scratch.Resize(t.scores, t.Outputs())
	t.Table.ScoreTo(dst, x)
	t.Table.ScoreTo(t.scores, t.rc)
	for m, value := range t.scores {
		dst[m] += value
	}
}

func (t *strandTable) Add(x []byte, a []float64) {
	t.rc = t.alphabet.ReverseComplementTo(t.rc, x)
	t.Table.Add(x, a)
	t.Table.Add(t.rc, a)
}

func (t *strandTable) Mix(rows [][]float64) (Table, error) {
	inner, err := t.Table.Mix(rows)
	return &strandTable{Table: inner, alphabet: t.alphabet}, err
}

func (t *strandTable) Scorer() (stringkernel.Scorer, error) {
	inner, err := t.Table.Scorer()
	if err != nil {
		return nil, err
	}
	return newStrandScorer(inner, t.alphabet), nil
}

// Folder has a table per term, if all terms have one.
func (k Mean) Folder() Folder {
	return givenAll(k.Terms, FolderOf, Folder(meanOptions(k)))
}

func (k meanOptions) Fold(outputs int) (Table, error) {
	terms, err := ofTerms(Mean(k), func(_ int, term stringkernel.Kernel) (Table, error) {
		return FolderOf(term).Fold(outputs)
	})
	return &meanTable{terms: terms, kernel: Mean(k)}, err
}

// meanTable is the tables of the terms.
type meanTable struct {
	kernel Mean
	terms  []Table
	scores []float64
}

func (t *meanTable) Outputs() int { return t.terms[0].Outputs() }

func (t *meanTable) ScoreTo(dst []float64, x []byte) {
	t.scores = scratch.Resize(t.scores, t.Outputs())
	meanBy(t.scores, dst[:t.Outputs()], t.terms, func(out []float64, term Table) { term.ScoreTo(out, x) })
}

func (t *meanTable) Add(x []byte, a []float64) {
	for _, term := range t.terms {
		term.Add(x, a)
	}
}

func (t *meanTable) Mix(rows [][]float64) (Table, error) {
	mixed := &meanTable{kernel: t.kernel, terms: make([]Table, len(t.terms))}
	for i, term := range t.terms {
		var err error
		if mixed.terms[i], err = term.Mix(rows); err != nil {
			return nil, err
		}
	}
	return mixed, nil
}

func (t *meanTable) Scorer() (stringkernel.Scorer, error) {
	return t.kernel.newScorer(func(i int, _ stringkernel.Kernel) (stringkernel.Scorer, error) {
		return t.terms[i].Scorer()
	})
}
