// Package state writes and reads the state of a solver between two iterations.
package state

import (
	"bufio"
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"math"
	"slices"
	"time"

	"github.com/seqsvm/seqsvm/classify/svm"
)

// magic begins a file: the digest of the run follows, its state and the digest of all that. Numbers are little-endian.
const magic = "seqsvm checkpoint 1\n"

// Saver keeps the state of one run. A nil Saver keeps nothing.
type Saver struct {
	*svm.Checkpoint
	state  Resumable
	digest [sha256.Size]byte // of the problem
	last   time.Time
	ended  func() error // the error of the context that ends the run
}

// Resumable is a run whose state is kept. Code moves it, and Fits reports whether it is one of the records of the run.
type Resumable interface {
	Code(c *Coder)
	Fits(ctx context.Context) (bool, error)
}

// NewSaver returns that of a run that minimises p by at most some iterations, on tables of a size; nil if there is no
// checkpoint.
func NewSaver(c *svm.Checkpoint, p svm.Problem, iterations, size int) *Saver {
	if c == nil {
		return nil
	}
	h := sha256.New()
	fmt.Fprintf(h, "%d %s %d %d %s %t", len(c.Name), c.Name, iterations, size, p.Loss, p.NoBias)
	for _, v := range [][]float64{{p.Costs.Positive, p.Costs.Negative, p.Sum, p.Tol}, p.Linear, p.Weights} {
		Encoder(h).Floats(v)
	}
	return &Saver{Checkpoint: c, digest: [sha256.Size]byte(h.Sum(nil)), last: time.Now()}
}

// Unbroken returns a context for the iterations of a run, which save ends when ctx does: between two of them.
func (s *Saver) Unbroken(ctx context.Context) context.Context {
	if s == nil {
		return ctx
	}
	s.ended = ctx.Err
	return context.WithoutCancel(ctx)
}

// Next returns the saver of the run that takes over.
func (s *Saver) Next() *Saver {
	if s == nil {
		return nil
	}
	return &Saver{Checkpoint: s.Checkpoint, digest: sha256.Sum256(s.digest[:]), last: time.Now()}
}

// Begin makes state the one that is kept, as it was kept if resumed.
func (s *Saver) Begin(ctx context.Context, of Resumable, resumed bool) error {
	if s == nil {
		return nil
	}
	if s.state = of; !resumed {
		return nil
	}
	return s.resume(ctx)
}

// Save writes the state if the last one is old enough or the run is to end; it returns the error that ends the run.
func (s *Saver) Save() error {
	if s == nil {
		return nil
	}
	ended := s.ended()
	if ended == nil && time.Since(s.last) < cmp.Or(s.Every, time.Minute) {
		return nil
	}
	err := s.Store.Write(func(w io.Writer) error {
		buffered, sum := bufio.NewWriterSize(w, 1<<16), sha256.New()
		out := io.MultiWriter(buffered, sum)
		if _, err := out.Write(append([]byte(magic), s.digest[:]...)); err != nil {
			return err
		}
		c := Encoder(out)
		s.state.Code(c)
		if _, err := buffered.Write(sum.Sum(nil)); err != nil {
			return err
		}
		return errors.Join(c.Err(), buffered.Flush())
	})
	s.last = time.Now()
	if err != nil {
		return fmt.Errorf("svm: writing a checkpoint: %w", err)
	}
	return ended
}

// resume reads the state, if there is one.
func (s *Saver) resume(ctx context.Context) error {
	file, err := s.Store.Open()
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return fmt.Errorf("svm: reading a checkpoint: %w", err)
	}
	defer file.Close() // it is only read
	if err := s.read(file); err != nil {
		return &svm.CheckpointError{Store: s.Store, Err: err}
	}
	fits, err := s.state.Fits(ctx)
	if err == nil && !fits {
		err = &svm.CheckpointError{Store: s.Store, Err: errors.New("it is of other records")}
	}
	return err
}

// Written reports whether the state that is kept is one of this run.
func (s *Saver) Written() bool {
	if s == nil {
		return false
	}
	file, err := s.Store.Open()
	if err != nil {
		return false // as resume will say
	}
	defer file.Close() // it is only read
	return s.checkHeader(file) == nil
}

// checkHeader reads what comes before the state.
func (s *Saver) checkHeader(in io.Reader) error {
	header := make([]byte, len(magic)+sha256.Size)
	if _, err := io.ReadFull(in, header); err != nil || string(header[:len(magic)]) != magic {
		return errors.New("it is not a checkpoint")
	}
	if [sha256.Size]byte(header[len(magic):]) != s.digest {
		return errors.New("it is of other records, labels or options")
	}
	return nil
}

// read reads the state.
func (s *Saver) read(file io.Reader) error {
	buffered, sum := bufio.NewReaderSize(file, 1<<16), sha256.New()
	in := io.TeeReader(buffered, sum)
	if err := s.checkHeader(in); err != nil {
		return err
	}
	c := Decoder(in)
	s.state.Code(c)
	if err := c.Err(); err != nil {
		return fmt.Errorf("it is damaged: %w", err)
	}
	got, want := sum.Sum(nil), make([]byte, sha256.Size+1)
	n, err := io.ReadFull(buffered, want)
	if err != io.ErrUnexpectedEOF || n != sha256.Size || string(got) != string(want[:n]) {
		return errors.New("it is damaged: its checksum is another")
	}
	return nil
}

// Coder writes numbers to a stream, or reads them from it, by the same calls: what a state is made of is listed once.
// After the first error it does nothing.
type Coder struct {
	w   io.Writer
	r   io.Reader
	err error
}

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

// move moves a pointer to a number, or a slice.
func (c *Coder) move(data any) {
	switch {
	case c.err != nil:
	case c.Reading():
		if c.err = binary.Read(c.r, binary.LittleEndian, data); errors.Is(c.err, io.EOF) {
			c.err = io.ErrUnexpectedEOF
		}
	default:
		c.err = binary.Write(c.w, binary.LittleEndian, data)
	}
}

// Int moves a number from 0 to most.
func (c *Coder) Int(v *int, most int) {
	number := int64(*v)
	c.move(&number)
	if c.Check(number >= 0 && number <= int64(most), "a number is %d, want 0 to %d", number, most); c.err == nil {
		*v = int(number)
	}
}

// Float moves a number, infinite or not.
func (c *Coder) Float(v *float64) {
	c.move(v)
	c.Check(!math.IsNaN(*v), "a number is NaN")
}

// Floats moves finite numbers, as many as there are in v.
func (c *Coder) Floats(v []float64) {
	for part := range slices.Chunk(v, 1<<12) {
		c.move(part)
		for _, x := range part {
			c.Check(!math.IsNaN(x) && !math.IsInf(x, 0), "a number is %v", x)
		}
	}
}

// Bytes moves bytes, as many as there are in v.
func (c *Coder) Bytes(v []byte) { c.move(v) }
