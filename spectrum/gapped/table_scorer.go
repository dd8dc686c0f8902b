package gapped

import (
	"context"
	"fmt"

	"gonum.org/v1/gonum/floats"

	"github.com/seqsvm/seqsvm/internal/memory"
	"github.com/seqsvm/seqsvm/internal/parallel"
	"github.com/seqsvm/seqsvm/stringkernel"
	"github.com/seqsvm/seqsvm/stringkernel/compose"
)

// scorer has a table of σ^l scores per output: the score of a k-mer is one look-up. With both strands a table holds the
// sum of a k-mer's score and its reverse complement's, which are the same but for rounding, and so is the same to the
// bit for both.
type scorer struct {
	*engine
	coef   [][]float64 // scattered coefficients per output, for storage
	places []uint32    // of the k-mers with coefficients, ascending; of a k-mer and its opposite strand the lesser one
	tables [][]float64

	explained []shares // per output
}

// mergeTable scatters the support vectors and convolves.
func mergeTable(ctx context.Context, e *engine, sv *stringkernel.Corpus, coef [][]float64) *scorer {
	s := &scorer{engine: e, tables: make([][]float64, len(coef)), coef: make([][]float64, len(coef))}
	for m := range s.tables {
		s.tables[m] = make([]float64, e.tableSize())
	}
	used := make([]bool, e.tableSize())
	for lo, hi := 0, 0; lo < sv.Len(); lo = hi {
		for letters := 0; hi < sv.Len() && letters < mergedLetters; hi++ {
			letters += len(sv.Seq(hi))
		}
		s.scatter(ctx, sv.Slice(lo, hi), lo, coef, used)
	}
	s.keep(used)
	s.finish(ctx)
	return s
}

// mergedLetters bounds the letters of support vectors that are listed at a time.
const mergedLetters = 1 << 22

// scatter adds the features of some support vectors, times their coefficients, which begin at first, to the tables, and
// notes the k-mers.
func (s *scorer) scatter(ctx context.Context, sv *stringkernel.Corpus, first int, coef [][]float64, used []bool) {
	index := newIndex(ctx, s.engine, sv, s.tableSize(), s.listUnfolded)
	parallel.EachContext(ctx, index.regions(), func(r int) {
		for m, table := range s.tables {
			index.scatter(table, coef[m][first:], r)
		}
		index.mark(used, r)
	})
}

// keptTogether is the number of places of a table that are looked through at a time for those to keep.
const keptTogether = 1 << 16

// keep keeps the coefficients of the k-mers used, for storage.
func (s *scorer) keep(used []bool) {
	ends := make([]int, (len(used)+keptTogether-1)/keptTogether) // of the kept ones of each part
	each := func(visit func(part, first int, used []bool)) {
		parallel.Each(len(ends), func(part int) {
			first := part * keptTogether
			visit(part, first, used[first:min(first+keptTogether, len(used))])
		})
	}
	each(func(part, first int, used []bool) {
		for i, u := range used {
			if p := uint64(first + i); u && s.rc && s.coder.reverseComplement(p) < p {
				used[i] = false
			} else if u {
				ends[part]++
			}
		}
	})
	count := 0
	for part, n := range ends {
		count += n
		ends[part] = count
	}
	s.places = make([]uint32, count)
	for m := range s.tables {
		s.coef[m] = make([]float64, count)
	}
	each(func(part, first int, used []bool) {
		at := ends[part]
		for i := len(used) - 1; i >= 0; i-- {
			if used[i] {
				at--
				s.places[at] = uint32(first + i)
				for m, table := range s.tables {
					s.coef[m][at] = table[first+i]
				}
			}
		}
	})
}

// fill writes the coefficients of an output to a table.
func (s *scorer) fill(table []float64, m int) {
	coef := s.coef[m]
	parallel.For(len(s.places), func(lo, hi int) {
		for i, p := range s.places[lo:hi] {
			table[p] = coef[lo+i]
		}
	})
	if !s.rc {
		return
	}
	s.foldStrands(table) // of a k-mer and its reverse complement, one has 0 …
	if s.coder.length%2 == 0 {
		for i, p := range s.places { // … unless they are the same
			if s.coder.reverseComplement(uint64(p)) == uint64(p) {
				table[p] = coef[i]
			}
		}
	}
}

// finish turns tables of coefficients into tables of scores.
func (s *scorer) finish(ctx context.Context) {
	for _, table := range s.tables {
		s.convolve(ctx, table)
		s.foldStrands(table)
	}
	s.explained = make([]shares, len(s.tables))
}

// foldStrands adds the values of a k-mer and its reverse complement, if both strands count.
func (e *engine) foldStrands(table []float64) {
	if e.rc {
		compose.AddOpposites(table, e.coder.length)
	}
}

// Outputs returns the number of scores per sequence.
func (s *scorer) Outputs() int { return len(s.tables) }

// scoreDistinct writes the sums over the k-mers of x, each once.
func (s *scorer) scoreDistinct(dst []float64, x []byte) {
	clear(dst)
	s.eachDistinct(x, func(packed uint64, w weight) {
		place, value := s.coder.place(packed), s.weights.of(w)
		for m, table := range s.tables {
			dst[m] += float64(value * table[place])
		}
	})
}

// arraysOf returns the coefficients of a scorer by k-mer.
func arraysOf(s stringkernel.Scorer) []stringkernel.Array {
	return s.(interface{ arrays() []stringkernel.Array }).arrays()
}

func (s *longScorer) arrays() []stringkernel.Array { return writeArrays(s.engine, s.codes, s.coef) }

func (s *scorer) arrays() []stringkernel.Array { return writeArrays(s.engine, s.places, s.coef) }

// restoreTable rebuilds a scorer, checking everything.
func restoreTable(ctx context.Context, e *engine, arrays []stringkernel.Array) (*scorer, error) {
	places, coef, err := readArrays[uint32](e, arrays)
	if err != nil {
		return nil, err
	}
	size := e.tableSize()
	if n := len(places); n > 0 && uint64(places[n-1]) >= uint64(size) {
		return nil, fmt.Errorf("%s: array %q: k-mer %d is %d, want numbers below %d",
			e.name, kmersName, n-1, places[n-1], size)
	}
	s := &scorer{engine: e, places: places, coef: coef}
	for m := range s.coef {
		table := make([]float64, size)
		s.fill(table, m)
		s.tables = append(s.tables, table)
	}
	s.finish(ctx)
	return s, nil
}

// mostNear bounds the neighbours of a k-mer for which a table that records are added to is worth while: beyond, merging
// records by the hundred costs less.
const mostNear = 1024

// folder returns a tabular engine on nucleotides whose k-mers have few neighbours, else nil.
func (e *engine) folder() compose.Folder {
	if !e.tabular || e.alike != nil || e.coder.sigma != 4 || !e.uniform() {
		return nil
	}
	t := tables{engine: e}
	t.listNear(0, 0, 0)
	if len(t.near) > mostNear {
		return nil
	}
	return &t
}

// tables is weights of k-mers that records can be added to, and the scores that follow: see [compose.Table].
type tables struct {
	*engine
	near    []neighbour
	outputs int
	coef    []float64 // a row per k-mer: the sum of coefficients over its occurrences
	scores  []float64 // a row per k-mer: Σ h(distance)·coef over its neighbours
}

// neighbour is how a k-mer within reach differs from another: their codes' exclusive or.
type neighbour struct {
	difference uint64
	h          float64
}

// listNear lists the differences that begin like one, of some letters, and go on from a place. One beyond mostNear is
// enough.
func (t *tables) listNear(place int, difference uint64, letters int) {
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

// Fold returns two tables of σ^l values per output.
func (t *tables) Fold(outputs int) (compose.Table, error) {
	if err := t.checkTables(outputs); err != nil {
		return nil, err
	}
	size := t.tableSize() * outputs
	return &tables{t.engine, t.near, outputs, make([]float64, size), make([]float64, size)}, nil
}

// checkTables returns an error unless there is room for two tables of so many outputs, and copies.
func (t *tables) checkTables(outputs int) error {
	if err := memory.Check(4 * 8 * float64(t.tableSize()) * float64(outputs)); err != nil {
		return fmt.Errorf("%s: weights of %d k-mers for %d outputs need %w", t.name, t.tableSize(), outputs, err)
	}
	return nil
}

func (t *tables) Outputs() int { return t.outputs }

// eachStrand calls visit with the k-mers of x and, if both strands count, of its reverse complement.
func (t *tables) eachStrand(x []byte, visit func(packed uint64)) {
	t.coder.each(x, func(_ int, packed uint64, _ uint32) {
		visit(packed)
		if t.rc {
			visit(t.coder.reverseComplement(packed))
		}
	})
}

func (t *tables) ScoreTo(dst []float64, x []byte) {
	dst = dst[:t.outputs]
	clear(dst)
	t.eachStrand(x, func(packed uint64) { floats.Add(dst, t.row(t.scores, packed)) })
}

// Add adds a to the coefficients of each k-mer of x, and what follows to the scores of its neighbours.
func (t *tables) Add(x []byte, a []float64) {
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

func (t *tables) row(table []float64, packed uint64) []float64 {
	at := int(packed) * t.outputs
	return table[at : at+t.outputs]
}

// Mix mixes the rows of both tables.
func (t *tables) Mix(rows [][]float64) (compose.Table, error) {
	if err := t.checkTables(len(rows)); err != nil {
		return nil, err
	}
	return &tables{t.engine, t.near, len(rows), compose.MixRows(t.coef, rows), compose.MixRows(t.scores, rows)}, nil
}

// Scorer returns the scorer of the coefficients, which convolves them anew.
func (t *tables) Scorer() (stringkernel.Scorer, error) {
	coef := make([][]float64, t.outputs)
	for m := range coef {
		coef[m] = make([]float64, t.tableSize())
		for p := range coef[m] {
			coef[m][p] = t.coef[p*t.outputs+m]
		}
	}
	return t.scorerOf(context.Background(), coef), nil
}

// scorerOf returns the scorer of tables of coefficients, one per output, which it overwrites.
func (e *engine) scorerOf(ctx context.Context, coef [][]float64) *scorer {
	s := &scorer{engine: e, tables: coef, coef: make([][]float64, len(coef))}
	used := make([]bool, e.tableSize())
	for _, table := range coef {
		for p, a := range table {
			used[p] = used[p] || a != 0
		}
	}
	s.keep(used)
	s.finish(ctx)
	return s
}
