package kmers

import (
	"context"
	"errors"
	"fmt"
	"math"
	"slices"

	"github.com/seqsvm/seqsvm/internal/memory"
	"github.com/seqsvm/seqsvm/internal/parallel"
)

// Goal is what a sequence is designed for.
type Goal struct {
	Least   bool     // the least raw score, in place of the greatest
	Allowed []string // the letters that may stand at each place, at least one
	// a sequence of as many letters from which at most Changes places may differ; nil: Changes is not used
	From    []byte
	Changes int
}

// Designer finds sequences of the greatest or least raw score. It is immutable and safe for concurrent use.
type Designer struct {
	numbering
	weights []float64 // w of each k-mer, in alphabetical order
}

// NewDesigner scores all a^k k-mers; that many numbers have to be within the limit of memory.
func (s *Scorer) NewDesigner(ctx context.Context) (*Designer, error) {
	if s.length < 2 {
		return nil, errors.New("kmers: k-mers of one letter have no design but the letter of the best score")
	}
	d := &Designer{numbering: newNumbering(s)}
	all := math.Pow(float64(len(d.letters)), float64(s.length))
	if err := memory.Check(8 * all); err != nil {
		return nil, fmt.Errorf("kmers: design with all k-mers of %d: %w", s.length, err)
	}
	d.weights = make([]float64, int(all))
	parallel.ForContext(ctx, len(d.weights), func(lo, hi int) {
		one, kmer := make([]float64, 1), make([]byte, 0, s.length)
		for number := lo; number < hi; number++ {
			kmer = d.appendKmer(kmer[:0], uint64(number))
			d.weights[number] = s.score(one, kmer)
		}
	})
	return d, ctx.Err()
}

// Best returns the sequence of the greatest, or least, raw score among all that a goal allows, and the score; of
// several always the same.
//
// It is exact: dynamic programming over the k − 1 letters before each place and the changes so far, of those that can
// be reached. Time O(a) and memory 5 bytes for each, of an alphabet of a letters; the limit of memory is checked first.
func (all *Designer) Best(ctx context.Context, g Goal) (best []byte, score float64, err error) {
	d, err := all.begin(g)
	if err != nil {
		return nil, 0, err
	}
	for at := d.length - 1; at < len(g.Allowed); at++ {
		if d.extend(at); ctx.Err() != nil {
			return nil, 0, ctx.Err()
		}
	}
	best, score = d.traced()
	if g.Least {
		score = -score
	}
	if math.IsInf(score, 0) {
		return nil, 0, errors.New("kmers: no sequence has the letters allowed within the changes")
	}
	return best, score, nil
}

// design is the dynamic programme. States are the last k − 1 letters as a number, whose digits are letters, and the
// changes so far: changes·a^(k−1) + number.
type design struct {
	Goal
	*Designer
	numbers int      // of k − 1 letters
	allowed [][]bool // by place and letter

	place       []int32   // of a state among those of the next place
	score, next []float64 // by state, of the letters so far, −∞ of states not reached; next is all −∞ between places
	reached     []int32   // the states whose score is greater
	steps       []step    // by place from k − 1 on
}

// step is how the states of a place were reached.
type step struct {
	states []int32
	first  []byte // of each, the letter before its k − 1 in the best sequence
}

// begin checks a goal and reaches the states of the letters before the first k-mer ends.
func (all *Designer) begin(g Goal) (*design, error) {
	d := &design{Goal: g, Designer: all, numbers: len(all.weights) / len(all.letters)}
	if len(g.Allowed) < d.length {
		return nil, fmt.Errorf("kmers: a sequence of %d letters, want at least the %d of a k-mer", len(g.Allowed), d.length)
	}
	if g.From == nil {
		d.Changes = 0
	} else if d.Changes = min(g.Changes, len(g.From)); len(g.From) != len(g.Allowed) || g.Changes < 0 {
		return nil, fmt.Errorf("kmers: %d changes of %d letters in %d places", g.Changes, len(g.From), len(g.Allowed))
	}
	for at, letters := range g.Allowed {
		row, some := make([]bool, len(d.letters)), false
		for i := range row {
			for _, c := range []byte(letters) {
				row[i] = row[i] || int(d.codes[c]) == i
			}
			some = some || row[i]
		}
		if !some {
			return nil, fmt.Errorf("kmers: place %d allows %q, want some of %s", at+1, letters, d.letters)
		}
		d.allowed = append(d.allowed, row)
	}
	states := d.numbers * (d.Changes + 1)
	steps := float64(5 * (len(g.Allowed) - d.length + 1))
	size := float64(20*states) + float64(steps*d.mostReached())
	if err := memory.Check(size); err != nil || states > math.MaxInt32 {
		return nil, fmt.Errorf("kmers: design of %d letters with k-mers of %d and %d changes is too large: %w",
			len(g.Allowed), d.length, d.Changes, err)
	}
	d.score, d.next = make([]float64, states), make([]float64, states)
	for i := range d.score {
		d.score[i], d.next[i] = math.Inf(-1), math.Inf(-1)
	}
	d.place = make([]int32, len(d.score))
	d.reach(0, 0, 0)
	return d, nil
}

// mostReached bounds the states of a place: those of Σ C(k−1, c)·(a−1)^c with up to Changes changes.
func (d *design) mostReached() (most float64) {
	if d.From == nil {
		return float64(d.numbers)
	}
	ways := 1.0
	for c := 0; c <= d.Changes && c < d.length; c++ {
		most += ways
		ways *= float64(d.length-1-c) / float64(c+1) * float64(len(d.letters)-1)
	}
	return min(most, float64(d.numbers)) * float64(d.Changes+1) // with changes before them
}

// reach reaches the states of the letters from a place to k − 2.
func (d *design) reach(at, number, changes int) {
	if changes > d.Changes {
		return
	}
	if at == d.length-1 {
		state := changes*d.numbers + number
		d.score[state] = 0
		d.reached = append(d.reached, int32(state))
		return
	}
	for letter, allowed := range d.allowed[at] {
		if allowed {
			d.reach(at+1, number*len(d.letters)+letter, changes+d.change(at, letter))
		}
	}
}

// change is 1 if a letter at a place is not that of the sequence to start from.
func (d *design) change(at, letter int) int {
	if d.From == nil || d.letters[letter] == d.From[at] {
		return 0
	}
	return 1
}

// extend appends the letter of a place to the best sequences before it.
func (d *design) extend(at int) {
	var to step
	size, sign := len(d.letters), 1.0
	if d.Least {
		sign = -1
	}
	for _, from := range d.reached {
		changes, number := int(from)/d.numbers, int(from)%d.numbers
		for letter, allowed := range d.allowed[at] {
			after := changes + d.change(at, letter)
			if !allowed || after > d.Changes {
				continue
			}
			kmer := number*size + letter
			state := after*d.numbers + kmer%d.numbers
			x := d.score[from] + float64(sign*d.weights[kmer])
			if math.IsInf(d.next[state], -1) {
				d.place[state] = int32(len(to.states))
				to.states, to.first = append(to.states, int32(state)), append(to.first, 0)
			}
			if x > d.next[state] {
				d.next[state], to.first[d.place[state]] = x, byte(kmer/d.numbers)
			}
		}
	}
	for _, from := range d.reached {
		d.score[from] = math.Inf(-1)
	}
	d.score, d.next, d.reached = d.next, d.score, to.states
	d.steps = append(d.steps, to)
}

// traced returns the best sequence and its score, −∞ if there is none.
func (d *design) traced() ([]byte, float64) {
	best, state := math.Inf(-1), int32(0)
	for _, s := range d.reached {
		if x := d.score[s]; x > best || x == best && s < state {
			best, state = x, s
		}
	}
	if math.IsInf(best, -1) {
		return nil, best
	}
	x, size := make([]byte, len(d.Allowed)), len(d.letters)
	for at := len(x) - 1; at >= 0; at-- {
		letter := int(state) % d.numbers % size
		x[at] = d.letters[letter]
		if at < d.length-1 {
			state = int32(int(state) % d.numbers / size)
			continue
		}
		by := &d.steps[at-d.length+1]
		first := int(by.first[slices.Index(by.states, state)])
		changes := int(state)/d.numbers - d.change(at, letter)
		state = int32(changes*d.numbers + (first*d.numbers+int(state)%d.numbers)/size)
	}
	return x, best
}
