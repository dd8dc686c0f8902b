package sharded

import (
	"bufio"
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/binary"
	"errors"
	"fmt"
	"hash"
	"io"
	"io/fs"
	"math"
	"time"

	"github.com/seqsvm/seqsvm/classify/internal/state"
	"github.com/seqsvm/seqsvm/classify/svm"
)

// Checkpoint keeps the state of a run while it goes on: coefficients, the point and its scores, or planes, their
// weights and the best point. A run that finds the state of an earlier one, which was interrupted, goes on from there
// and ends with the same bits. Where that is of other records, labels or options, Solve fails with a [CheckpointError]
// and leaves it as it is. When the context ends, Solve ends after the iteration, whose state it writes first.
//
// The state takes 16 bytes per record and 16 for each entry of a table, that of planes 8 per record and 8 for each
// entry of their tables.
type Checkpoint struct {
	Store Store
	Name  string        // of what is trained, such as kernel and options: what is resumed must have the same
	Every time.Duration // at least this long between two writes; zero: a minute
}

// Store is a place for one state, such as a file. Names of errors are its own.
type Store interface {
	// Open opens the last state. If none was written, the error wraps [fs.ErrNotExist].
	Open() (io.ReadCloser, error)
	// Write replaces the state by what write writes, when that is complete; an error of write leaves it as it was.
	Write(write func(w io.Writer) error) error
}

// CheckpointError is the error of Solve for a state that is not one of this run, or is damaged.
type CheckpointError struct {
	Store Store // where it is
	Err   error // what is wrong with it
}

// Error says what is wrong with the checkpoint.
func (e *CheckpointError) Error() string {
	return fmt.Sprintf("sharded: the checkpoint does not fit: %v", e.Err)
}

// Unwrap returns Err.
func (e *CheckpointError) Unwrap() error { return e.Err }

// The file: its name, version, the digest of the run, its state and the digest of all that. Numbers are little-endian.
const (
	magic   = "seqsvm checkpoint\n"
	version = 1
)

// saver keeps the state of one run. A nil saver keeps nothing.
type saver struct {
	*Checkpoint
	state  resumable
	digest [sha256.Size]byte // of the problem
	last   time.Time
	ended  func() error // the error of the context that ends the run
}

// resumable is a run whose state is kept. Code moves it, and Fits reports whether it is one of the records of the run.
type resumable interface {
	Code(c *state.Coder)
	Fits(ctx context.Context) (bool, error)
}

// newSaver returns nil if there is no checkpoint.
func newSaver(c *Checkpoint, digest [sha256.Size]byte) *saver {
	if c == nil {
		return nil
	}
	return &saver{Checkpoint: c, digest: digest, last: time.Now()}
}

// unbroken returns a context for the iterations of a run, which save ends when ctx does: between two of them.
func (s *saver) unbroken(ctx context.Context) context.Context {
	if s == nil {
		return ctx
	}
	s.ended = ctx.Err
	return context.WithoutCancel(ctx)
}

// next returns the saver of the run that takes over.
func (s *saver) next() *saver {
	if s == nil {
		return nil
	}
	return newSaver(s.Checkpoint, sha256.Sum256(s.digest[:]))
}

// begin makes state the one that is kept, as it was kept if resumed.
func (s *saver) begin(ctx context.Context, of resumable, resumed bool) error {
	if s == nil {
		return nil
	}
	if s.state = of; !resumed {
		return nil
	}
	return s.resume(ctx)
}

// digest returns a digest of what is minimised, where a state is kept.
func (s Solver) digest(p svm.Problem, space Space) (digest [sha256.Size]byte) {
	if s.Checkpoint == nil {
		return digest
	}
	h := sha256.New()
	fmt.Fprintf(h, "%d %s %d %d %s %t", len(s.Checkpoint.Name), s.Checkpoint.Name, s.MaxIterations, space.Size(), p.Loss,
		p.NoBias)
	hashOf(h, []float64{p.Costs.Positive, p.Costs.Negative, p.Sum, p.Tol})
	hashOf(h, p.Linear)
	hashOf(h, p.Weights)
	h.Sum(digest[:0])
	return digest
}

// hashOf adds numbers to a digest.
func hashOf(h hash.Hash, v []float64) {
	buffer := make([]byte, 0, 8<<10)
	for i, x := range v {
		buffer = binary.LittleEndian.AppendUint64(buffer, math.Float64bits(x))
		if len(buffer) == cap(buffer) || i == len(v)-1 {
			h.Write(buffer)
			buffer = buffer[:0]
		}
	}
}

// save writes the state if the last one is old enough or the run is to end; it returns the error that ends the run.
func (s *saver) save() error {
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
		header := binary.LittleEndian.AppendUint32([]byte(magic), version)
		if _, err := out.Write(append(header, s.digest[:]...)); err != nil {
			return err
		}
		c := state.Encoder(out)
		s.state.Code(c)
		if _, err := buffered.Write(sum.Sum(nil)); err != nil {
			return err
		}
		return errors.Join(c.Err(), buffered.Flush())
	})
	s.last = time.Now()
	if err != nil {
		return fmt.Errorf("sharded: writing a checkpoint: %w", err)
	}
	return ended
}

// resume reads the state, if there is one.
func (s *saver) resume(ctx context.Context) error {
	file, err := s.Store.Open()
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return fmt.Errorf("sharded: reading a checkpoint: %w", err)
	}
	defer file.Close() // it is only read
	if err := s.read(file); err != nil {
		return &CheckpointError{s.Store, err}
	}
	fits, err := s.state.Fits(ctx)
	if err == nil && !fits {
		err = &CheckpointError{s.Store, errors.New("it is of other records")}
	}
	return err
}

// written reports whether the state that is kept is one of this run.
func (s *saver) written() bool {
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
func (s *saver) checkHeader(in io.Reader) error {
	header := make([]byte, len(magic)+4+sha256.Size)
	if _, err := io.ReadFull(in, header); err != nil || string(header[:len(magic)]) != magic {
		return errors.New("it is not a checkpoint")
	}
	if v := binary.LittleEndian.Uint32(header[len(magic):]); v != version {
		return fmt.Errorf("it is of version %d, want %d", v, version)
	}
	if [sha256.Size]byte(header[len(magic)+4:]) != s.digest {
		return errors.New("it is of other records, labels or options")
	}
	return nil
}

// read reads the state.
func (s *saver) read(file io.Reader) error {
	buffered, sum := bufio.NewReaderSize(file, 1<<16), sha256.New()
	in := io.TeeReader(buffered, sum)
	if err := s.checkHeader(in); err != nil {
		return err
	}
	c := state.Decoder(in)
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
