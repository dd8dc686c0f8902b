package gapped

import (
	"context"
	"sync"
	"unsafe"

	"github.com/seqsvm/seqsvm/internal/memory"
	"github.com/seqsvm/seqsvm/internal/parallel"
	"github.com/seqsvm/seqsvm/internal/scratch"
	"github.com/seqsvm/seqsvm/spectrum/hadamard"
)

// What a k-mer u would give to its letter p if that were b is a sum over the k-mers v that have b there, of a function
// g of the mismatches at the other letters:
//
//	T_p(u, b) = Σ_v c_v · [v_p = b] · g(d(u, v) without p)
//
// For one p that is a convolution over the other l − 1 letters for each b. The tables have the four values of b side by
// side, so that a letter of a k-mer is one look-up. With both strands T_p(u, b) = T_{l−1−p}(rc u, rc b), and half of
// the letters have tables.
//
// With one function for the letter that is there and another for the other three, an entry depends on the whole k-mer.
// Then rows of the values of three letters, to seven digits, take one look-up for three letters.

// letterTables are T_p of one output, made when first asked for: for one function g by the letter p of a k-mer from its
// end, for two by rows of letters, the last of a k-mer first, each from its highest p to its lowest.
type letterTables struct {
	once sync.Once
	one  [][][4]float64
	rows [][]letterRow
}

// letterRow has the four values of each of some neighbouring letters of a k-mer.
type letterRow [4 * rowLetters]float32

const rowLetters = 3

// Kinds of letterTables, by their functions g, and the number of kinds. With c(m) = h(m) up to the greatest distance d:
const (
	shareTables    = iota // c(m)/(l−m)
	twoShareTables        // and, as gkmexplain's mode 1 has it, c(m)/(l−m) up to d − 1
	edgeTables            // c(d) at m = d alone
	letterKinds
)

// letterFunctions returns the functions g of a kind, and what all entries have besides.
func (e *engine) letterFunctions(kind int) (functions [][]float64, uniform float64) {
	l := e.coder.length
	share, least, edge := make([]float64, l), make([]float64, l), make([]float64, l)
	for m := range l {
		share[m] = (e.h[m] - e.h[l]) / float64(l-m)
	}
	if e.reach < l {
		copy(least[:e.reach], share)
		edge[e.reach] = e.h[e.reach]
	}
	switch kind {
	case shareTables:
		return [][]float64{share}, e.h[l] / float64(l)
	case twoShareTables:
		return [][]float64{share, least}, 0
	}
	return [][]float64{edge}, 0
}

// substitutes reports whether letters of k-mers can be replaced by tables: of four letters, with an entry for each
// k-mer, each of which weighs by its place alone.
func (s *scorer) substitutes() bool {
	four := s.coder.bits == 2 && s.coder.sigma == 4
	return s.tables != nil && four && s.coder.length > 1 && s.alike == nil && !s.counted()
}

// letterBytes is what letterTables of one function take.
func (e *engine) letterBytes() float64 { return float64(8 * e.mirrored() * e.coder.size) }

// rowBytes is what letterTables of two functions take.
func (e *engine) rowBytes() float64 {
	return float64(unsafe.Sizeof(letterRow{})) * float64((e.mirrored()+rowLetters-1)/rowLetters*e.coder.size)
}

// mirrored returns the number of letters that have tables, from the end of a k-mer: with both strands, those up to the
// middle.
func (e *engine) mirrored() int {
	if e.rc {
		return (e.coder.length + 1) / 2
	}
	return e.coder.length
}

// lettersOf returns the tables of output m of a kind.
func (s *scorer) lettersOf(m, kind int) *letterTables {
	t := &s.byLetter[m*letterKinds+kind]
	t.once.Do(func() {
		functions, uniform := s.letterFunctions(kind)
		coef := memory.InLargePages[float64](s.coder.size)
		s.fill(coef, m)
		strands := s.strandCount()
		sum := 0.0
		for _, c := range coef {
			sum += c
		}
		uniform *= sum * strands
		parts := make([][]float64, 4*len(functions))
		for i := range parts {
			parts[i] = memory.InLargePages[float64](s.coder.size / 4)
		}
		for p := range s.mirrored() {
			for i, part := range parts {
				eachRest(len(part), func(rest int) { part[rest] = coef[insert(rest, p, i%4)] })
				// the context never ends
				eigen := hadamard.Eigenvalues(4, s.coder.length-1, functions[i/4])
				_ = hadamard.Convolve(context.Background(), part, 4, s.coder.length-1, eigen)
			}
			if len(functions) == 2 {
				t.addRows(parts, p, s.coder.size, strands)
				continue
			}
			one := memory.InLargePages[[4]float64](len(parts[0]))
			t.one = append(t.one, one)
			eachRest(len(one), func(rest int) {
				for b := range 4 {
					one[rest][b] = float64(strands*parts[b][rest]) + uniform
				}
			})
		}
	})
	return t
}

// addRows adds letter p to rows: parts are the sums of the first function for the four letters by the others of a
// k-mer, and of the second function. A row has that of the first for its own letter.
func (t *letterTables) addRows(parts [][]float64, p, size int, strands float64) {
	if p%rowLetters == 0 {
		t.rows = append(t.rows, memory.InLargePages[letterRow](size))
	}
	rows, at := t.rows[len(t.rows)-1], 4*(rowLetters-1-p%rowLetters)
	eachRest(size/4, func(rest int) {
		for own := range 4 {
			row := (*[4]float32)(rows[insert(rest, p, own)][at:])
			for b := range row {
				row[b] = float32(strands * parts[4+b][rest])
			}
			row[own] = float32(strands * parts[own][rest])
		}
	})
}

// eachRest calls each for all k-mers without a letter, on all processors.
func eachRest(rests int, each func(rest int)) {
	parallel.Each((rests+placesPerPart-1)/placesPerPart, func(part int) {
		for rest := part * placesPerPart; rest < min(rests, (part+1)*placesPerPart); rest++ {
			each(rest)
		}
	})
}

// insert returns the k-mer of four letters that has b as letter p from its end, and the others of rest.
func insert(rest, p, b int) int {
	low := 1<<(2*p) - 1
	return (rest&^low)<<2 | b<<(2*p) | rest&low
}

// placedKmers are the k-mers of a sequence with their places and weights, and numbers of each.
type placedKmers struct {
	places          []int
	codes, opposite []uint64 // of both strands, if both count
	weights         []float64
	entries         [][4]float64
	rows            []letterRow
}

var placedKmersPool = sync.Pool{New: func() any { return new(placedKmers) }}

// list lists the k-mers of x.
func (w *placedKmers) list(e *engine, x []byte) {
	places := len(x) - e.coder.length + 1
	w.places, w.codes, w.opposite, w.weights = w.places[:0], w.codes[:0], w.opposite[:0], w.weights[:0]
	for i, code := range e.coder.kmers.All(x) {
		w.places, w.codes = append(w.places, i), append(w.codes, code)
		w.weights = append(w.weights, e.centre.weight(i, places))
		if e.rc {
			w.opposite = append(w.opposite, e.coder.reverseComplement(code))
		}
	}
	w.entries = scratch.Resize(w.entries, len(w.codes))
}

// lettersTo writes the sums of T_p over the k-mers of x, of each letter of x and each of the four: of two functions the
// first for the letter that is there, the second for others.
func (s *scorer) lettersTo(dst []float64, t *letterTables, x []byte) {
	if t.rows != nil {
		s.rowsTo(dst, t.rows, x)
		return
	}
	s.eachLetter(dst, x, func(entries [][4]float64, codes []uint64, p int) {
		low, table := uint64(1)<<(2*p)-1, t.one[p]
		for n, code := range codes {
			entries[n] = table[code>>2&^low|code&low]
		}
	})
}

// rowsTo is lettersTo of rows. A row of the opposite strand is that of the same letters of x in reverse.
func (s *scorer) rowsTo(dst []float64, rows [][]letterRow, x []byte) {
	clear(dst)
	w, l := placedKmersPool.Get().(*placedKmers), s.coder.length
	defer placedKmersPool.Put(w)
	w.list(s.engine, x)
	w.rows = scratch.Resize(w.rows, len(w.codes))
	for r, table := range rows {
		first := r * rowLetters
		letters := min(rowLetters, s.mirrored()-first)
		for n, code := range w.codes { // in a loop so short that many reads are under way together
			w.rows[n] = table[code]
		}
		for n := range w.rows {
			row, to, weight := w.rows[n][4*(rowLetters-letters):], dst[4*(w.places[n]+l-first-letters):], w.weights[n]
			for i, v := range row {
				to[i] += float64(weight * float64(v))
			}
		}
		if !s.rc {
			continue
		}
		letters = min(rowLetters, l-s.mirrored()-first) // without the middle
		for n, code := range w.opposite {
			w.rows[n] = table[code]
		}
		for n := range w.rows {
			row, to, weight := w.rows[n][4*(rowLetters-letters):], dst[4*(w.places[n]+first):], w.weights[n]
			for i, v := range row {
				to[len(row)-1-i] += float64(weight * float64(v))
			}
		}
	}
}

// pairTables are the scores of one output with two neighbouring letters of a k-mer as the lowest: the scores of a k-mer
// with other letters at either are side by side. As of letterTables, both strands need them for half of the letters.
type pairTables[T float32 | float64] struct {
	once sync.Once
	low  []int // the lower of the letters, from the end; those of letter p are in table p/2
	from [][]T
}

// make makes the tables of output m.
func (t *pairTables[T]) make(s *scorer, m int) *pairTables[T] {
	t.once.Do(func() {
		scores := s.tables()[m]
		for p := 0; p < s.mirrored(); p += 2 {
			low := min(p, s.coder.length-2)
			table := memory.InLargePages[T](s.coder.size)
			eachRest(len(table)/16, func(rest int) {
				for pair := range 16 {
					table[rest<<4|pair] = T(scores[insert(insert(rest, low, pair&3), low+1, pair>>2)])
				}
			})
			t.low, t.from = append(t.low, low), append(t.from, table)
		}
	})
	return t
}

// changesTo writes how the score of x changes with each of the four letters in place of each letter of x.
func (t *pairTables[T]) changesTo(dst []float64, s *scorer, x []byte) {
	s.eachLetter(dst, x, func(entries [][4]float64, codes []uint64, p int) {
		table, low, kept, step := t.from[p/2], t.low[p/2], uint64(3<<2), 1
		if p > low {
			kept, step = 3, 4
		}
		below := uint64(1)<<(2*low) - 1
		if p == low {
			for n, code := range codes { // one or two lines of a cache, as rowsTo
				block := int(code>>4&^below|code&below) << 4
				entries[n][0] = float64(table[block] + table[block+8])
			}
		}
		for n, code := range codes {
			at := int(code>>4&^below|code&below)<<4 | int(code>>(2*low)&kept)
			own := table[at+int(code>>(2*p)&3)*step]
			entries[n] = [4]float64{
				float64(table[at] - own), float64(table[at+step] - own), float64(table[at+2*step] - own),
				float64(table[at+3*step] - own),
			}
		}
	})
}

// eachLetter adds to dst the four numbers of each letter of each k-mer of x, times the weight of the k-mer, that read
// finds for letter p from the end of some k-mers. With both strands letters beyond the middle are those of the opposite
// strand, where the numbers of the letters are 3 less.
func (s *scorer) eachLetter(dst []float64, x []byte, read func(entries [][4]float64, codes []uint64, p int)) {
	clear(dst)
	w, l := placedKmersPool.Get().(*placedKmers), s.coder.length
	defer placedKmersPool.Put(w)
	w.list(s.engine, x)
	for p := range l {
		codes, from, flip := w.codes, p, 0
		if p >= s.mirrored() {
			codes, from, flip = w.opposite, l-1-p, 3
		}
		read(w.entries, codes, from)
		for n := range w.entries {
			to, entry, weight := (*[4]float64)(dst[4*(w.places[n]+l-1-p):]), &w.entries[n], w.weights[n]
			to[flip] += float64(weight * entry[0])
			to[1^flip] += float64(weight * entry[1])
			to[2^flip] += float64(weight * entry[2])
			to[3^flip] += float64(weight * entry[3])
		}
	}
}

// substituteTo is SubstituteTo of Traits.
func (s *scorer) substituteTo(scores, contributions []float64, m int, x, letters []byte) (rest []int) {
	four := scratch.Borrow(&scratch.Pool, 4*len(x))
	defer scratch.Pool.Put(four)
	if scores != nil {
		whole := make([]float64, s.Outputs())
		s.ScoreTo(whole, x)
		s.byPair[m].make(s, m).changesTo(*four, s, x)
		rest = s.engine.pick(scores, *four, x, letters)
		for i := range scores {
			scores[i] += whole[m]
		}
	}
	if contributions != nil {
		s.lettersTo(*four, s.lettersOf(m, shareTables), x)
		rest = s.engine.pick(contributions, *four, x, letters)
	}
	return rest
}

// pick writes of the numbers of the four letters at each letter of x those of the given ones. It returns the places of
// x where k-mers would come or go, of which the numbers say nothing: all of them if a given letter is not one of the
// four.
func (e *engine) pick(dst, four []float64, x, letters []byte) (rest []int) {
	all := false
	for b, letter := range letters {
		code := e.coder.kmers.Letter[letter]
		if code < 0 {
			all = true
			continue
		}
		for i := range x {
			dst[i*len(letters)+b] = four[4*i+int(code)]
		}
	}
	for i, letter := range x {
		if all || e.coder.kmers.Letter[letter] < 0 {
			rest = append(rest, i)
		}
	}
	return rest
}

// Mode is one of the explanations of gkmexplain (Shrikumar, Prakash, Kundaje 2019), by its number there.
type Mode int

// The modes. A pair of k-mers of x and of a support vector with m mismatches has the value h(m) and h(m) = 0 beyond d.
// Each mode has numbers E(i, b) for position i of x and letter b:
const (
	// the value of a pair is shared evenly among its matching letters; 0 unless b is the letter of x
	Importance Mode = iota
	// for b at i, what the pairs of x with at most d mismatches would give to i with that letter
	Hypothetical
	// the same of all pairs: what Importance is of x with b at i
	DeepHypothetical
	// the change of the values of the pairs of x with at most d mismatches; 0 if b is the letter of x
	Perturbation
	// the same of all pairs: the change of the raw score
	DeepPerturbation
)

// Modes are the names of the modes, by their numbers.
var Modes = []string{"importance", "hypothetical", "deep-hypothetical", "perturbation", "deep-perturbation"}

// String returns the name of a mode.
func (m Mode) String() string { return Modes[m] }

// LetterExplainer is an option of the scorers of this package that have a table of the k-mers of four letters. Ask
// [LetterExplainerOf].
type LetterExplainer interface {
	// LettersTo writes the numbers of a mode for raw score m of x into dst, at 4·i + b for position i (0-based) and b
	// the number of a letter of the alphabet. Positions of other letters, and those in no k-mer, have zeros. It takes a
	// look-up per letter of a k-mer, or of Hypothetical per three, whose numbers have seven digits of the greatest; and
	// the first time convolutions of the table without a letter, for each letter and base, whose results are kept.
	LettersTo(dst []float64, mode Mode, m int, x []byte)
	// ChangesTo is LettersTo of DeepPerturbation to seven digits of the scores of k-mers, from tables of half the size.
	ChangesTo(dst []float64, m int, x []byte)
	// LetterBytes is how many bytes of tables a mode takes besides the scorer.
	LetterBytes(mode Mode) float64
}

// LetterExplainerOf returns the [LetterExplainer] of a scorer, nil if it has none.
func LetterExplainerOf(s any) LetterExplainer {
	if own, is := s.(*scorer); is && own.substitutes() && own.reach < own.coder.length {
		return own
	}
	return nil
}

// ChangesTo writes how score m of x changes with each letter.
func (s *scorer) ChangesTo(dst []float64, m int, x []byte) {
	s.byShortPair[m].make(s, m).changesTo(dst, s, x)
}

// LetterBytes returns the size of the tables of a mode.
func (s *scorer) LetterBytes(mode Mode) float64 {
	pairs := float64(8 * ((s.mirrored() + 1) / 2) * s.coder.size)
	switch mode {
	case DeepPerturbation:
		return pairs
	case Perturbation:
		return pairs + s.letterBytes()
	case Hypothetical:
		return s.rowBytes()
	}
	return s.letterBytes()
}

// LettersTo writes the numbers of a mode.
func (s *scorer) LettersTo(dst []float64, mode Mode, m int, x []byte) {
	dst = dst[:4*len(x)]
	own := func(i int) int { return int(s.coder.kmers.Letter[x[i]]) } // the number of a letter
	switch mode {
	case Importance:
		s.lettersTo(dst, s.lettersOf(m, shareTables), x)
		for i := range dst {
			if i%4 != own(i/4) {
				dst[i] = 0
			}
		}
	case DeepHypothetical:
		s.lettersTo(dst, s.lettersOf(m, shareTables), x)
	case Hypothetical:
		s.lettersTo(dst, s.lettersOf(m, twoShareTables), x)
	case DeepPerturbation:
		s.byPair[m].make(s, m).changesTo(dst, s, x)
	case Perturbation:
		edges := scratch.Borrow(&scratch.Pool, len(dst))
		defer scratch.Pool.Put(edges)
		s.byPair[m].make(s, m).changesTo(dst, s, x)
		s.lettersTo(*edges, s.lettersOf(m, edgeTables), x)
		for i, v := range *edges {
			if i%4 != own(i/4) {
				dst[i] -= v
			}
		}
	}
}
