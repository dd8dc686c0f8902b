package bundle

import (
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"math"
	"slices"

	"github.com/seqsvm/seqsvm/internal/cholesky"
)

// Coder writes numbers to a stream, or reads them from it, by the same calls: what a state is made of is listed once.
// After the first error it does nothing.
type Coder struct {
	w      io.Writer
	r      io.Reader
	err    error
	buffer [8 * chunk]byte
}

// chunk is the number of entries that are read at a time: a length is believed as far as there are entries.
const chunk = 512

// Encoder returns a Coder that writes.
func Encoder(w io.Writer) *Coder { return &Coder{w: w} }

// Decoder returns a Coder that reads.
func Decoder(r io.Reader) *Coder { return &Coder{r: r} }

// Reading reports whether c reads.
func (c *Coder) Reading() bool { return c.r != nil }

// Err returns the first error.
func (c *Coder) Err() error { return c.err }

// Check makes it an error of what is read unless ok.
func (c *Coder) Check(ok bool, format string, args ...any) {
	if c.Reading() && c.err == nil && !ok {
		c.err = fmt.Errorf(format, args...)
	}
}

// words moves the numbers of a buffer of 64-bit words.
func (c *Coder) words(words []uint64) {
	data := c.buffer[:8*len(words)]
	if c.Reading() {
		if _, err := io.ReadFull(c.r, data); err != nil {
			if errors.Is(err, io.EOF) {
				err = io.ErrUnexpectedEOF
			}
			c.err = err
			return
		}
		for i := range words {
			words[i] = binary.LittleEndian.Uint64(data[8*i:])
		}
		return
	}
	for i, w := range words {
		binary.LittleEndian.PutUint64(data[8*i:], w)
	}
	_, c.err = c.w.Write(data)
}

// Int moves a number from 0 to most.
func (c *Coder) Int(v *int, most int) {
	if c.err != nil {
		return
	}
	word := [1]uint64{uint64(*v)}
	c.words(word[:])
	c.Check(word[0] <= uint64(most), "a number is %d, want at most %d", word[0], most)
	if c.err == nil {
		*v = int(word[0])
	}
}

// Float moves a number, infinite or not.
func (c *Coder) Float(v *float64) {
	if c.err != nil {
		return
	}
	word := [1]uint64{math.Float64bits(*v)}
	c.words(word[:])
	*v = math.Float64frombits(word[0])
	c.Check(!math.IsNaN(*v), "a number is NaN")
}

// Floats moves n finite numbers. Reading, it grows the slice with what is there.
func (c *Coder) Floats(v *[]float64, n int) {
	if c.Reading() {
		*v = (*v)[:0]
	}
	var words [chunk]uint64
	for lo := 0; lo < n && c.err == nil; lo += chunk {
		part := words[:min(chunk, n-lo)]
		if c.Reading() {
			c.words(part)
			for _, w := range part {
				x := math.Float64frombits(w)
				c.Check(!math.IsNaN(x) && !math.IsInf(x, 0), "a number is %v", x)
				*v = append(*v, x)
			}
			continue
		}
		for i := range part {
			part[i] = math.Float64bits((*v)[lo+i])
		}
		c.words(part)
	}
}

// Bytes moves bytes, as many as there are in v.
func (c *Coder) Bytes(v []byte) {
	var words [chunk]uint64
	for lo := 0; lo < len(v) && c.err == nil; lo += 8 * chunk {
		part := v[lo:min(lo+8*chunk, len(v))]
		count := (len(part) + 7) / 8
		if !c.Reading() {
			clear(words[:count])
			for i, b := range part {
				words[i/8] |= uint64(b) << (8 * (i % 8))
			}
		}
		if c.words(words[:count]); c.Reading() && c.err == nil {
			for i := range part {
				part[i] = byte(words[i/8] >> (8 * (i % 8)))
			}
		}
	}
}

// bools moves truths.
func (c *Coder) bools(list ...*bool) {
	for _, v := range list {
		number := 0
		if *v {
			number = 1
		}
		c.Int(&number, 1)
		*v = number == 1
	}
}

// Int8s moves n small numbers. Reading, it grows the slice with what is there.
func (c *Coder) Int8s(v *[]int8, n int) {
	if c.Reading() {
		*v = (*v)[:0]
	}
	var part [8 * chunk]byte
	for lo := 0; lo < n && c.err == nil; lo += len(part) {
		some := part[:min(len(part), n-lo)]
		if !c.Reading() {
			for i := range some {
				some[i] = byte((*v)[lo+i])
			}
		}
		c.Bytes(some)
		if c.Reading() && c.err == nil {
			for _, b := range some {
				*v = append(*v, int8(b))
			}
		}
	}
}

// Float32s moves finite numbers in single precision, as many as there are in v.
func (c *Coder) Float32s(v []float32) {
	var wide [chunk]float64
	for lo := 0; lo < len(v) && c.err == nil; lo += chunk {
		some := v[lo:min(lo+chunk, len(v))]
		for i, x := range some {
			wide[i] = float64(x)
		}
		list := wide[:len(some)]
		if c.Floats(&list, len(some)); c.err != nil {
			return
		}
		for i, x := range list {
			some[i] = float32(x)
		}
	}
}

// ints moves n numbers from 0 to most.
func (c *Coder) ints(v *[]int, n, most int) {
	if c.Reading() {
		*v = nil
	}
	for i := 0; i < n && c.err == nil; i++ {
		if c.Reading() {
			*v = append(*v, 0)
		}
		c.Int(&(*v)[i], most)
	}
}

// Code moves the state of a run between two iterations, of which a run with the same Options and a space with the same
// points goes on to the same bits.
func (r *Run) Code(c *Coder) {
	planes := len(r.ages)
	c.Int(&planes, r.MaxIterations+1)
	c.ints(&r.ages, planes, maxPlaneAge)
	for _, v := range []*float64{&r.primal, &r.goalPrimal, &r.dual} {
		c.Float(v)
	}
	for _, v := range []*int{&r.stalled, &r.iterations, &r.refused} {
		c.Int(v, r.MaxIterations)
	}
	r.reduced.code(c, planes+r.zero)
	r.codeNear(c)
}

// codeNear moves how planes near the goal do.
func (r *Run) codeNear(c *Coder) {
	c.Float(&r.reach)
	c.bools(&r.settled, &r.slow, &r.pace.touching)
	for _, v := range []*float64{&r.pace.falls[0], &r.pace.falls[1], &r.pace.start} {
		c.Float(v)
	}
	c.Int(&r.pace.length, paceLen)
	c.Int(&r.met, r.MaxIterations)
}

// Planes returns the number of planes.
func (r *Run) Planes() int { return len(r.ages) }

// code moves the state of a problem of m planes.
func (r *reduced) code(c *Coder, m int) {
	if c.Reading() {
		r.g = nil
	}
	for t := 0; t < m && c.err == nil; t++ {
		if c.Reading() {
			r.g = append(r.g, nil)
		}
		c.Floats(&r.g[t], m)
	}
	c.Floats(&r.offset, m)
	c.Floats(&r.lambda, m)
	c.Float(&r.shift)
	c.Int(&r.changes, rebuildAfter)
	size := len(r.support)
	c.Int(&size, m)
	c.ints(&r.support, size, m-1)
	sorted := slices.Sorted(slices.Values(r.support))
	c.Check(len(slices.Compact(sorted)) == size, "a plane is twice in the support")
	codeFactor(c, &r.factor, size)
}

// codeFactor moves a factor of m rows.
func codeFactor(c *Coder, l *cholesky.Factor, m int) {
	if c.Reading() {
		l.Reset()
	}
	for i := 0; i < m && c.err == nil; i++ {
		var row []float64
		if !c.Reading() {
			row = l.Row(i)
		}
		c.Floats(&row, i+1)
		c.Check(c.err != nil || row[i] > 0, "a pivot is not positive")
		if c.Reading() && c.err == nil {
			l.Append(row)
		}
	}
}
