package gapped

import (
	"context"
	"fmt"

	"gonum.org/v1/gonum/floats"

	"github.com/seqsvm/seqsvm/internal/cancel"
	"github.com/seqsvm/seqsvm/internal/memory"
	"github.com/seqsvm/seqsvm/stringkernel"
	"github.com/seqsvm/seqsvm/stringkernel/compose"
)

func (e *engine) space() compose.Space {
	if !e.tabular() {
		return nil
	}
	return space{engine: e}
}

// space is a table of coefficients of k-mers, of one strand if both count: what Filter makes of it is the score of a
// k-mer. See [compose.Space].
type space struct {
	*engine
	compose.RawCounts
}

// Size returns σ^l.
func (s space) Size() int { return s.coder.size }

// Scale returns 1.
func (s space) Scale([]byte) float64 { return 1 }

// KmerLength returns l for nucleotides that all weigh 1.
func (s space) KmerLength() int {
	if s.coder.bits != 2 || !s.uniform() {
		return 0
	}
	return s.coder.length
}

// Scatter adds a, times its weight, for each k-mer of x.
func (s space) Scatter(table []float64, x []byte, a float64) {
	if s.KmerLength() > 0 {
		s.coder.kmers.Scatter(table, x, a)
		return
	}
	s.eachWeighed(x, func(packed uint64, w weight) { table[s.coder.place(packed)] += float64(a * s.weights.of(w)) })
}

// Gather adds up the entries of the k-mers of x, times their weights.
func (s space) Gather(table []float64, x []byte) (sum float64) {
	if s.KmerLength() > 0 {
		return s.coder.kmers.Gather(table, x)
	}
	s.eachWeighed(x, func(packed uint64, w weight) { sum += float64(table[s.coder.place(packed)] * s.weights.of(w)) })
	return sum
}

// Filter convolves a table. Both strands of a record are Φ and PΦ, with P that exchanges k-mers and their reverse
// complements, and a function H of distance commutes with P: (I + P)·H·(I + P) = 2·(I + P)·H.
func (s space) Filter(ctx context.Context, table []float64) (err error) {
	defer cancel.Catch(&err)
	s.convolve(ctx, table)
	if s.rc {
		compose.FilterStrands(table, s.coder.length)
	}
	return ctx.Err()
}

// Strands returns 0: a k-mer adds to many entries of a filtered table.
func (s space) Strands() int { return 0 }

// Scorer returns the scorer that Merge makes of records.
func (s space) Scorer(ctx context.Context, tables [][]float64) (scorer stringkernel.Scorer, err error) {
	defer cancel.Catch(&err)
	if err := s.checkOutputs(len(tables)); err != nil {
		return nil, err
	}
	if !s.tablesFit(len(tables)) {
		return nil, fmt.Errorf("%s: %d tables of %d k-mers, want at most %d", s.name, len(tables), s.coder.size,
			maxTables/s.coder.size)
	}
	for _, table := range tables {
		s.foldStrands(table)
	}
	return s.scorerOf(ctx, tables, s.placeOf)
}

// mostNear bounds the neighbours of a k-mer for which a table that records are added to is worth while: beyond, merging
// records by the hundred costs less.
const mostNear = 1024

// fold returns two tables of σ^l values per output, where there is room for all k-mers of nucleotides and each has few
// neighbours; else nil.
func (e *engine) fold(outputs int) (*stringkernel.Table, error) {
	if !e.tabular() || e.alike != nil || e.coder.bits != 2 || !e.uniform() {
		return nil, nil
	}
	t := &foldTables{engine: e, outputs: outputs}
	if t.listNear(0, 0, 0); len(t.near) > mostNear {
		return nil, nil
	}
	if err := t.checkTables(outputs); err != nil {
		return nil, err
	}
	size := t.coder.size * outputs
	t.coef, t.scores = make([]float64, size), make([]float64, size)
	return t.open(), nil
}

// foldTables is weights of k-mers that records can be added to, and the scores that follow.
type foldTables struct {
	*engine
	near    []neighbour
	outputs int
	coef    []float64 // a row per k-mer: the sum of coefficients over its occurrences
	scores  []float64 // a row per k-mer: Σ h(distance)·coef over its neighbours
}

func (t *foldTables) open() *stringkernel.Table {
	return &stringkernel.Table{Scorer: t, Add: t.add, Mix: t.mix, Freeze: t.freeze}
}

// neighbour is how a k-mer within reach differs from another: their codes' exclusive or.
type neighbour struct {
	difference uint64
	h          float64
}

// listNear lists the differences that begin like one, of some letters, and go on from a place. One beyond mostNear is
// enough.
func (t *foldTables) listNear(place int, difference uint64, letters int) {
	if len(t.near) > mostNear {
		return
	}
	if place == t.coder.length {
		if h := t.h[letters]; h != 0 {
			t.near = append(t.near, neighbour{difference, h})
		}
		return
	}
	t.listNear(place+1, difference, letters)
	for letter := uint64(1); letter < 4 && letters < t.reach; letter++ {
		t.listNear(place+1, difference|letter<<(2*place), letters+1)
	}
}

// checkTables returns an error unless memory holds two tables per output and their copies.
func (t *foldTables) checkTables(outputs int) error {
	if err := memory.Check(4 * 8 * float64(t.coder.size) * float64(outputs)); err != nil {
		return fmt.Errorf("%s: weights of %d k-mers for %d outputs need %w", t.name, t.coder.size, outputs, err)
	}
	return nil
}

func (t *foldTables) Outputs() int { return t.outputs }

func (t *foldTables) ScoreTo(dst []float64, x []byte) {
	dst = dst[:t.outputs]
	clear(dst)
	t.eachStrand(x, func(packed uint64) { floats.Add(dst, t.row(t.scores, packed)) })
}

// add adds a to the coefficients of each k-mer of x, and what follows to the scores of its neighbours.
func (t *foldTables) add(x []byte, a []float64) {
	t.eachStrand(x, func(packed uint64) {
		floats.Add(t.row(t.coef, packed), a)
		for _, n := range t.near {
			row := t.row(t.scores, packed^n.difference)
			for m := range row {
				row[m] += float64(n.h * a[m])
			}
		}
	})
}

// eachStrand calls visit with the k-mers of x and, if both strands count, of its reverse complement.
func (t *foldTables) eachStrand(x []byte, visit func(packed uint64)) {
	for _, packed := range t.coder.kmers.All(x) {
		visit(packed)
		if t.rc {
			visit(t.coder.reverseComplement(packed))
		}
	}
}

func (t *foldTables) row(table []float64, packed uint64) []float64 {
	at := int(packed) * t.outputs
	return table[at : at+t.outputs]
}

// mix mixes the rows of both tables.
func (t *foldTables) mix(rows [][]float64) (*stringkernel.Table, error) {
	if err := t.checkTables(len(rows)); err != nil {
		return nil, err
	}
	mixed := &foldTables{
		t.engine, t.near, len(rows), stringkernel.MixRows(t.coef, rows), stringkernel.MixRows(t.scores, rows),
	}
	return mixed.open(), nil
}

// freeze returns the scorer of the coefficients, which convolves them anew.
func (t *foldTables) freeze() (stringkernel.Scorer, error) {
	coef := make([][]float64, t.outputs)
	for m := range coef {
		coef[m] = make([]float64, t.coder.size)
		for p := range coef[m] {
			coef[m][p] = t.coef[p*t.outputs+m]
		}
	}
	return t.scorerOf(context.Background(), coef, t.placeOf)
}
