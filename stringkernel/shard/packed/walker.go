package packed

import (
	"encoding/binary"

	"github.com/seqsvm/seqsvm/internal/kmer"
	"github.com/seqsvm/seqsvm/stringkernel"
	"github.com/seqsvm/seqsvm/stringkernel/compose"
)

// walker scatters and gathers the records of blocks.
type walker struct {
	space   compose.Space
	kmer    int       // length of k-mers, where letters are walked as they are packed; else 0
	packed  bool      // 2 bits a letter
	letters [256]byte // of codes
	x       []byte    // the letters of a record
	surplus [256]float64
}

func newWalker(space compose.Space, a stringkernel.Alphabet) *walker {
	w := &walker{
		space: space, kmer: kmerLength(space, a), packed: a.Bits() == 2, letters: kmer.Letters(a.Codes()),
	}
	for n := 2; n < len(w.surplus); n++ {
		w.surplus[n] = space.Surplus(uint32(n))
	}
	return w
}

// kmerLength returns the length of k-mers that are walked as they are packed, else 0.
func kmerLength(space compose.Space, a stringkernel.Alphabet) int {
	if a.Bits() != 2 {
		return 0
	}
	return space.KmerLength()
}

// scatter adds a times the features of a record to a table.
func (w *walker) scatter(table []float64, r *record, a float64) {
	if w.kmer == 0 {
		w.space.Scatter(table, w.unpack(r), a)
		return
	}
	from := 0
	for _, broken := range r.runs {
		scatterKmers(table, r.text, from, broken.from, w.kmer, a)
		from = broken.to
	}
	scatterKmers(table, r.text, from, r.length, w.kmer, a)
	for list := r.repeats; len(list) > 0; list = list[repeatBytes:] {
		entry, surplus := w.repeat(list)
		table[entry] += float64(a * surplus)
	}
}

// repeat returns the entry of the first of a list of repeats, and what it is beyond its occurrences.
func (w *walker) repeat(list []byte) (entry uint32, surplus float64) {
	entry, count := binary.LittleEndian.Uint32(list), binary.LittleEndian.Uint32(list[endBytes:])
	if count < uint32(len(w.surplus)) {
		return entry, w.surplus[count]
	}
	return entry, w.space.Surplus(count)
}

// scatterStrands adds a times the features of a record to the entries of its k-mers and to those of their reverse
// complements.
func (w *walker) scatterStrands(table []float64, r *record, a float64) {
	from := 0
	for _, broken := range r.runs {
		scatterKmersOfBoth(table, r.text, from, broken.from, w.kmer, a)
		from = broken.to
	}
	scatterKmersOfBoth(table, r.text, from, r.length, w.kmer, a)
	for list := r.repeats; len(list) > 0; list = list[repeatBytes:] {
		entry, surplus := w.repeat(list)
		table[entry] += float64(a * surplus)
		table[kmer.ReverseComplement(uint64(entry), w.kmer)] += float64(a * surplus)
	}
}

// gather adds up the entries of the features of a record.
func (w *walker) gather(table []float64, r *record) (sum float64) {
	if w.kmer == 0 {
		return w.space.Gather(table, w.unpack(r))
	}
	from := 0
	for _, broken := range r.runs {
		sum += gatherKmers(table, r.text, from, broken.from, w.kmer)
		from = broken.to
	}
	sum += gatherKmers(table, r.text, from, r.length, w.kmer)
	for list := r.repeats; len(list) > 0; list = list[repeatBytes:] {
		entry, surplus := w.repeat(list)
		sum += float64(table[entry] * surplus)
	}
	return sum
}

// unpack returns the letters of a record, good until the next one is unpacked.
func (w *walker) unpack(r *record) []byte {
	if !w.packed {
		return r.text
	}
	w.x = w.x[:0]
	for p := range r.length {
		w.x = append(w.x, w.letters[letterAt(r.text, p)])
	}
	for _, broken := range r.runs {
		clear(w.x[broken.from:broken.to]) // 0 is a letter of no alphabet that is packed
	}
	return w.x
}

// letterAt returns the code of letter p of packed ones.
func letterAt(packed []byte, p int) uint32 { return uint32(packed[p>>2]>>(6-2*(p&3))) & 3 }

// scatterKmers adds a to the entries of the k-mers of letters from ≤ p < to. code rolls over the letters; the mask cuts
// off those before the k-mer.
func scatterKmers(table []float64, packed []byte, from, to, k int, a float64) {
	if to-from < k {
		return
	}
	mask, code, p := uint64(len(table)-1), uint64(0), from
	for ; p < from+k-1; p++ {
		code = code<<2 | uint64(letterAt(packed, p))
	}
	for ; p < to && p&3 != 0; p++ {
		code = code<<2 | uint64(letterAt(packed, p))
		table[code&mask] += a
	}
	if p == to {
		return
	}
	packed, to = packed[p>>2:], to-p
	for _, four := range packed[:to>>2] {
		code = code<<8 | uint64(four)
		table[code>>6&mask] += a
		table[code>>4&mask] += a
		table[code>>2&mask] += a
		table[code&mask] += a
	}
	for p = to &^ 3; p < to; p++ {
		code = code<<2 | uint64(letterAt(packed, p))
		table[code&mask] += a
	}
}

// scatterKmersOfBoth is scatterKmers of both strands. opposite has the complements of the last letters, the latest
// highest.
func scatterKmersOfBoth(table []float64, packed []byte, from, to, k int, a float64) {
	if to-from < k {
		return
	}
	mask, code, opposite, p := uint64(len(table)-1), uint64(0), uint64(0), from
	next := func(letter uint64) {
		code, opposite = code<<2|letter, (opposite|(3-letter)<<(2*k))>>2
	}
	for ; p < from+k-1; p++ {
		next(uint64(letterAt(packed, p)))
	}
	for ; p < to && p&3 != 0; p++ {
		next(uint64(letterAt(packed, p)))
		table[code&mask] += a
		table[opposite&mask] += a
	}
	if p == to {
		return
	}
	packed, to = packed[p>>2:], to-p
	for _, four := range packed[:to>>2] {
		code, opposite = code<<8|uint64(four), opposite|uint64(complements[four])<<(2*k)
		table[code>>6&mask] += a
		table[code>>4&mask] += a
		table[code>>2&mask] += a
		table[code&mask] += a
		table[opposite>>2&mask] += a
		table[opposite>>4&mask] += a
		table[opposite>>6&mask] += a
		opposite >>= 8
		table[opposite&mask] += a
	}
	for p = to &^ 3; p < to; p++ {
		next(uint64(letterAt(packed, p)))
		table[code&mask] += a
		table[opposite&mask] += a
	}
}

// complements are those of four letters, the first of which is highest, with the last one highest.
var complements = func() (c [256]uint8) {
	for four := range c {
		for i := range 4 {
			c[four] |= uint8(3-four>>(6-2*i)&3) << (2 * i)
		}
	}
	return c
}()

// gatherKmers adds up the entries of the k-mers of letters from ≤ p < to, in four sums, by place.
func gatherKmers(table []float64, packed []byte, from, to, k int) float64 {
	if to-from < k {
		return 0
	}
	mask, code, p := uint64(len(table)-1), uint64(0), from
	var s0, s1, s2, s3 float64
	for ; p < from+k-1; p++ {
		code = code<<2 | uint64(letterAt(packed, p))
	}
	for ; p < to && p&3 != 0; p++ {
		code = code<<2 | uint64(letterAt(packed, p))
		s0 += table[code&mask]
	}
	if p == to {
		return s0
	}
	packed, to = packed[p>>2:], to-p
	for _, four := range packed[:to>>2] {
		code = code<<8 | uint64(four)
		s0 += table[code>>6&mask]
		s1 += table[code>>4&mask]
		s2 += table[code>>2&mask]
		s3 += table[code&mask]
	}
	for p = to &^ 3; p < to; p++ {
		code = code<<2 | uint64(letterAt(packed, p))
		s0 += table[code&mask]
	}
	return (s0 + s1) + (s2 + s3)
}
