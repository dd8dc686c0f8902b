package genome

import (
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"sort"

	"github.com/seqsvm/seqsvm/seqio/internal/lines"
)

// twoBitMagic begins a file of 2bit; in the other order of bytes all numbers are.
const twoBitMagic = 0x1A412743

// twoBit reads sequences of 2bit, UCSC's format of two bits per letter, with runs of N and of lower-case letters
// beside them (https://genome.ucsc.edu/FAQ/FAQformat.html#format7).
type twoBit struct {
	file    io.ReaderAt
	size    int64
	order   binary.ByteOrder
	masked  bool // lower-case letters stay
	records []twoBitRecord
	packed  []byte // scratch
}

type twoBitRecord struct {
	name   string
	at     int64 // of the record
	length int
	read   bool // what follows is known
	ns     []Span
	lower  []Span // nil unless lower-case letters stay
	bases  int64  // offset of the packed letters
}

// isTwoBit reports whether a file begins as 2bit does.
func isTwoBit(head []byte) (binary.ByteOrder, bool) {
	for _, order := range []binary.ByteOrder{binary.LittleEndian, binary.BigEndian} {
		if len(head) >= 4 && order.Uint32(head) == twoBitMagic {
			return order, true
		}
	}
	return nil, false
}

// openTwoBit reads the names, places and lengths of the sequences.
func openTwoBit(file io.ReaderAt, size int64, order binary.ByteOrder, masked bool) (*twoBit, error) {
	t := &twoBit{file: file, size: size, order: order, masked: masked}
	header, err := t.numbers(0, 4)
	if err != nil {
		return nil, err
	}
	version, count := header[1], header[2]
	if version > 1 {
		return nil, fmt.Errorf("2bit of version %d, want 0 or 1", version)
	}
	at, width := int64(16), 4*(1+int64(version)) // of an offset
	for range count {
		length, err := t.bytes(at, 1)
		if err != nil {
			return nil, err
		}
		n := int64(length[0])
		entry, err := t.bytes(at+1, n+width)
		if err != nil {
			return nil, err
		}
		r := twoBitRecord{name: string(entry[:n])}
		if version == 0 {
			r.at = int64(order.Uint32(entry[n:]))
		} else {
			r.at = int64(order.Uint64(entry[n:]))
		}
		t.records = append(t.records, r)
		at += 1 + n + width
	}
	for i := range t.records {
		r := &t.records[i]
		length, err := t.numbers(r.at, 1)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", lines.Quote(r.name), err)
		}
		if r.length = int(length[0]); int64(r.length)/4 > t.size-r.at {
			return nil, fmt.Errorf("%s: %d letters do not fit a file of %d bytes", lines.Quote(r.name), r.length, t.size)
		}
	}
	if len(t.records) == 0 {
		return nil, lines.ErrNoRecords
	}
	return t, nil
}

// bytes reads a piece of the file, which is good until the next call.
func (t *twoBit) bytes(at, n int64) ([]byte, error) {
	if at < 0 || n < 0 || at > t.size || n > t.size-at {
		return nil, fmt.Errorf("the file is cut off: %d bytes at %d are wanted of %d", n, at, t.size)
	}
	if int64(cap(t.packed)) < n {
		t.packed = make([]byte, n)
	}
	t.packed = t.packed[:n]
	if _, err := t.file.ReadAt(t.packed, at); err != nil && !errors.Is(err, io.EOF) {
		return nil, lines.ReadError(err)
	}
	return t.packed, nil
}

func (t *twoBit) numbers(at int64, n int) ([]uint32, error) {
	text, err := t.bytes(at, 4*int64(n))
	if err != nil {
		return nil, err
	}
	list := make([]uint32, n)
	for i := range list {
		list[i] = t.order.Uint32(text[4*i:])
	}
	return list, nil
}

// runs reads a list of runs, and returns the offset after it.
func (t *twoBit) runs(at int64, length int, wanted bool) ([]Span, int64, error) {
	count, err := t.numbers(at, 1)
	if err != nil {
		return nil, 0, err
	}
	n := int64(count[0])
	end := at + 4 + 8*n
	if !wanted || n == 0 {
		return nil, end, nil
	}
	text, err := t.bytes(at+4, 8*n)
	if err != nil {
		return nil, 0, err
	}
	list, last := make([]Span, n), 0
	for i := range list {
		start := int(t.order.Uint32(text[4*i:]))
		s := Span{start, start + int(t.order.Uint32(text[4*(n+int64(i)):]))}
		if s.Start < last || s.End > length {
			return nil, 0, fmt.Errorf("the run of letters %d to %d is not after %d and within %d", s.Start+1, s.End, last,
				length)
		}
		list[i], last = s, s.End
	}
	return list, end, nil
}

// find reads the runs of a record once.
func (t *twoBit) find(r *twoBitRecord) (err error) {
	if r.read {
		return nil
	}
	at := r.at + 4
	if r.ns, at, err = t.runs(at, r.length, true); err != nil {
		return err
	}
	if r.lower, at, err = t.runs(at, r.length, t.masked); err != nil {
		return err
	}
	r.bases, r.read = at+4, true // after a number that is reserved
	return nil
}

// appendSlice appends letters start … end − 1 of a record to dst.
func (t *twoBit) appendSlice(dst []byte, i, start, end int) ([]byte, error) {
	r := &t.records[i]
	if err := t.find(r); err != nil {
		return dst, err
	}
	first := start / 4
	packed, err := t.bytes(r.bases+int64(first), int64((end+3)/4-first))
	if err != nil {
		return dst, err
	}
	before := len(dst)
	for k := start; k < end; k++ {
		dst = append(dst, "TCAG"[packed[k/4-first]>>(6-2*(k%4))&3])
	}
	piece := dst[before:]
	eachWithin(r.ns, start, end, func(k int) { piece[k] = 'N' })
	eachWithin(r.lower, start, end, func(k int) { piece[k] |= 'a' - 'A' })
	return dst, nil
}

// eachWithin visits the letters of runs, which are in order, that are within start … end − 1, counted from start.
func eachWithin(runs []Span, start, end int, visit func(k int)) {
	for i := sort.Search(len(runs), func(i int) bool { return runs[i].End > start }); i < len(runs); i++ {
		if runs[i].Start >= end {
			return
		}
		for k := max(runs[i].Start, start); k < min(runs[i].End, end); k++ {
			visit(k - start)
		}
	}
}
