package spaced

import (
	"fmt"
	"slices"
	"sync"

	"github.com/seqsvm/seqsvm/internal/intern"
	"github.com/seqsvm/seqsvm/internal/kmer"
	"github.com/seqsvm/seqsvm/internal/rows"
	"github.com/seqsvm/seqsvm/internal/stored"
	"github.com/seqsvm/seqsvm/stringkernel"
)

// mask is a choice of letters from a place on.
type mask struct {
	offsets []int // ascending; the first is 0
	weight  float64
}

// span is the number of letters from the first chosen to the last.
func (m *mask) span() int { return m.offsets[len(m.offsets)-1] + 1 }

// features is a kernel whose features are the letters under masks: those of each mask for itself, or all together. A
// feature is a code, the packed letters with the number of the mask above them.
type features struct {
	alphabet stringkernel.Alphabet
	masks    []mask
	together bool
	above    uint // bits of the letters, below the number of the mask
}

// kernel returns the kernel of features, which are made when they are asked for.
func kernel(name string, k interface{ Check() error }, of func() *features) rows.Kernel {
	return rows.Kernel{
		Name: name, Parameters: k,
		Empty:  func() rows.Features { return &table{features: of()} },
		Stored: func(a *stored.Arrays) (rows.Features, error) { return of().restore(a) },
		Sort:   func(f rows.Features) []int32 { return f.(*table).sort() },
	}
}

// table numbers the codes of features.
type table struct {
	*features
	codes intern.Pairs
}

// profile is the features of a record, a [rows.Reader].
type profile struct {
	table  *table
	x      []byte
	found  intern.Pairs // their codes
	ids    []int32
	values []float64
	counts []int32
}

var profiles = sync.Pool{New: func() any { return new(profile) }}

// each calls visit for every occurrence of a feature in x, with the place of its first letter: by place, then by mask.
func (f *features) each(x []byte, visit func(p, mask int, code uint64)) {
	codes, bits := f.alphabet.Codes(), uint(f.alphabet.Bits())
	for p := range x {
		for i := range f.masks {
			m, code := &f.masks[i], uint64(0)
			if p+m.span() > len(x) {
				continue
			}
			inside := true
			for _, o := range m.offsets {
				letter := codes[x[p+o]]
				inside = inside && letter >= 0
				code = code<<bits | uint64(letter&0xff)
			}
			if !inside {
				continue
			}
			if !f.together {
				code |= uint64(i) << f.above
			}
			visit(p, i, code)
		}
	}
}

// text returns the letters of a feature, with a dot for each letter between.
func (f *features) text(code uint64) string {
	i := 0
	if !f.together {
		i = int(code >> f.above)
	}
	m := &f.masks[i]
	packed := kmer.New(f.alphabet, len(m.offsets))
	letters := packed.String(code & packed.Mask)
	if f.together {
		return letters
	}
	text := []byte{}
	for j, o := range m.offsets {
		for len(text) < o {
			text = append(text, '.')
		}
		text = append(text, letters[j])
	}
	return string(text)
}

// valid reports whether a code is that of a feature.
func (f *features) valid(code uint64) bool {
	i := uint64(0)
	if !f.together && f.above < 64 {
		i = code >> f.above
		code &= kmer.LowBits(f.above)
	}
	if i >= uint64(len(f.masks)) {
		return false
	}
	packed := kmer.New(f.alphabet, len(f.masks[i].offsets))
	return packed.Valid(code)
}

// Borrow returns an idle profile.
func (t *table) Borrow() rows.Reader {
	w := profiles.Get().(*profile)
	w.table = t
	return w
}

// Return takes a profile back.
func (t *table) Return(r rows.Reader) {
	w := r.(*profile)
	w.table, w.x = nil, nil
	profiles.Put(w)
}

// Read counts the features of x.
func (w *profile) Read(x []byte) error {
	w.x = x
	w.found.Reset()
	w.values, w.counts = w.values[:0], w.counts[:0]
	w.table.each(x, func(_, i int, code uint64) {
		id := int(w.found.Add(code))
		if id == len(w.values) {
			w.values, w.counts = append(w.values, 0), append(w.counts, 0)
		}
		w.values[id] += w.table.masks[i].weight
		w.counts[id]++
	})
	return nil
}

// Self returns k(x, x).
func (w *profile) Self() float64 { return rows.SumOfSquares(w.values) }

// Found looks up the codes of x.
func (w *profile) Found(open bool) (rows.Found, error) {
	w.ids = w.ids[:0]
	for _, code := range w.found.Keys {
		w.ids = append(w.ids, w.table.codes.Number(code, open))
	}
	return rows.Found{IDs: w.ids, Values: w.values, Counts: w.counts}, nil
}

// Spread gives the letters of each occurrence their shares.
func (w *profile) Spread(dst, weights []float64) {
	w.table.each(w.x, func(p, i int, code uint64) {
		of := &w.table.masks[i]
		share := float64(of.weight*weights[w.found.Find(code)]) / float64(len(of.offsets))
		for _, o := range of.offsets {
			dst[p+o] += share
		}
	})
}

// Len returns how many codes there are.
func (t *table) Len() int { return len(t.codes.Keys) }

// Name returns the letters of a feature.
func (t *table) Name(id int32, _ bool) string { return t.text(t.codes.Keys[id]) }

// Worth returns 1: the weight of a subsequence is that without its span.
func (t *table) Worth(int32) float64 { return 1 }

// sort numbers the codes in ascending order.
func (t *table) sort() (numbers []int32) {
	codes := t.codes.Keys
	t.codes = intern.Pairs{}
	for _, code := range slices.Sorted(slices.Values(codes)) {
		t.codes.Add(code)
	}
	for _, code := range codes {
		numbers = append(numbers, t.codes.Find(code))
	}
	return numbers
}

// codesName is the array of the codes of features.
const codesName = "features"

// Arrays returns the codes: "features" ([]uint64, ascending).
func (t *table) Arrays() []stringkernel.Array {
	return []stringkernel.Array{{Name: codesName, Data: t.codes.Keys}}
}

func (f *features) restore(a *stored.Arrays) (*table, error) {
	t := &table{features: f}
	for i, code := range stored.Get[uint64](a, codesName, 1<<31-2) {
		if !f.valid(code) {
			return nil, fmt.Errorf("feature %d is %#x, which has no letters", i, code)
		}
		if i > 0 && code <= t.codes.Keys[i-1] {
			return nil, fmt.Errorf("feature %d is %#x after %#x, want ascending codes", i, code, t.codes.Keys[i-1])
		}
		t.codes.Add(code)
	}
	return t, nil
}
