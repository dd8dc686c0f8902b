package tagging

import (
	"fmt"
	"math"

	"github.com/seqsvm/seqsvm/classify/chain"
	"github.com/seqsvm/seqsvm/internal/intern"
	"github.com/seqsvm/seqsvm/seqio/tokens"
	"github.com/seqsvm/seqsvm/stringkernel"
)

// letters are the features of letters in a window: each letter with its offset, and each pair of letters not further
// apart than pairs, with both offsets. They are numbered by their place alone, so that rows are made while they are
// walked, and take no memory.
type letters struct {
	options
	codes  *[256]int16
	size   int   // of the alphabet, with one letter for all others and one for what is beyond the ends
	places []int // of the first letter of each pair, then of the second
	first  int   // number of the first feature of composition
	count  int   // of all features
	names  string
}

func newLetters(o options) (*letters, error) {
	a := stringkernel.Alphabet(o.alphabet)
	if err := a.Check(); err != nil {
		return nil, fmt.Errorf("features letters: alphabet: %w", err)
	}
	if a.Size() > 64 {
		return nil, fmt.Errorf("features letters: alphabet %s has %d letters, want at most 64", a, a.Size())
	}
	l := &letters{options: o, codes: a.Codes(), size: a.Size() + 2, names: a.Letters()}
	for i := range 2*o.width + 1 {
		for j := i + 1; j <= min(i+o.pairs, 2*o.width); j++ {
			l.places = append(l.places, i, j)
		}
	}
	l.first = (2*o.width+1)*l.size + len(l.places)/2*l.size*l.size
	l.count = l.first + a.Size()*(o.composition+1) + 1
	if l.count > math.MaxInt32/chain.MostStates {
		return nil, fmt.Errorf("features letters: %d features, want fewer: a smaller width or pairs", l.count)
	}
	return l, nil
}

func (l *letters) fit(c *tokens.Corpus, _ int) error { return l.check(c) }

func (l *letters) check(c *tokens.Corpus) error {
	if c.Names == nil {
		return fmt.Errorf("%s has words in columns, want letters of FASTA records for features letters", c.Source)
	}
	return nil
}

func (l *letters) columns() columns      { return columns{} }
func (l *letters) features() int         { return l.count }
func (l *letters) terms() *intern.Terms  { return new(intern.Terms) }
func (l *letters) restore(columns) error { return nil }

// letterRows are the rows of a corpus.
type letterRows struct {
	*letters
	coded  []uint8 // the letters of all records, width letters beyond the ends between any two
	at     []int32 // the place of each token in coded, of the first letter of its window
	record []int32
	shares [][]int32 // the features of composition of each record
}

func (l *letters) rows(c *tokens.Corpus) chain.Rows {
	outside, beyond := uint8(l.size-2), uint8(l.size-1)
	r := &letterRows{letters: l, at: make([]int32, 0, len(c.Tokens)), record: make([]int32, 0, len(c.Tokens))}
	pad := func() {
		for range l.width {
			r.coded = append(r.coded, beyond)
		}
	}
	for q := range c.Sequences() {
		pad()
		sequence, counts := c.Sequence(q), make([]int, l.size)
		for _, t := range sequence {
			r.at = append(r.at, int32(len(r.coded)-l.width))
			r.record = append(r.record, int32(q))
			code := outside
			if v := l.codes[t.Fields[0][0]]; v != stringkernel.Outside {
				code = uint8(v)
			}
			counts[code]++
			r.coded = append(r.coded, code)
		}
		r.shares = append(r.shares, l.composed(counts, len(sequence)))
	}
	pad()
	return r
}

// composed returns the features of how frequent letters are: of each letter which of composition + 1 classes its share
// is in, which end at multiples of half of 1/size.
func (l *letters) composed(counts []int, n int) (list []int32) {
	if l.composition == 0 {
		return nil
	}
	for a := range l.size - 2 {
		class := min(l.composition, counts[a]*2*(l.size-2)/max(n, 1))
		list = append(list, int32(l.first+a*(l.composition+1)+class))
	}
	return list
}

func (r *letterRows) Len() int      { return len(r.at) }
func (r *letterRows) Features() int { return r.count }

// Row returns the features of a letter.
func (r *letterRows) Row(t int, row []int32) []int32 {
	window := r.coded[r.at[t] : int(r.at[t])+2*r.width+1]
	for i, a := range window {
		row = append(row, int32(i*r.size+int(a)))
	}
	base, square := len(window)*r.size, r.size*r.size
	for p := 0; p+1 < len(r.places); p += 2 {
		row = append(row, int32(base+int(window[r.places[p]])*r.size+int(window[r.places[p+1]])))
		base += square
	}
	row = append(row, r.shares[r.record[t]]...)
	return append(row, int32(r.count-1))
}

func (l *letters) letter(code int) string {
	switch code {
	case l.size - 2:
		return "other"
	case l.size - 1:
		return "beyond"
	}
	return l.names[code : code+1]
}

// name returns a feature in words, as in letter[-1]=A and pair[-1,+2]=AG.
func (l *letters) name(feature int32) string {
	f, singles := int(feature), (2*l.width+1)*l.size
	switch {
	case f == l.count-1:
		return "all"
	case f >= l.first:
		f -= l.first
		return fmt.Sprintf("share[%s]=%d", l.letter(f/(l.composition+1)), f%(l.composition+1))
	case f >= singles:
		f -= singles
		pair, both := f/(l.size*l.size), f%(l.size*l.size)
		return fmt.Sprintf("pair[%+d,%+d]=%s,%s", l.places[2*pair]-l.width, l.places[2*pair+1]-l.width,
			l.letter(both/l.size), l.letter(both%l.size))
	}
	return fmt.Sprintf("letter[%+d]=%s", f/l.size-l.width, l.letter(f%l.size))
}
