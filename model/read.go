package model

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"os"

	"github.com/seqsvm/seqsvm/catalog"
)

// Reader reads model files. The zero value knows the kernels of [catalog.Default].
type Reader struct {
	Catalogue catalog.Catalogue // nil: catalog.Default()
}

// ReadFile reads a model file whose kernel is in [catalog.Default].
func ReadFile(path string) (*Model, error) { return Reader{}.File(path) }

// ReadFrom reads a model whose kernel is in [catalog.Default] from a stream.
func ReadFrom(r io.Reader) (*Model, error) { return Reader{}.From(r) }

// Read reads a model whose kernel is in [catalog.Default] from the bytes of its file.
func Read(data []byte) (*Model, error) { return Reader{}.Bytes(data) }

// File reads a model file. Errors name the file. Of a file that does not begin like a model no more than the first
// bytes are read.
func (o Reader) File(path string) (*Model, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	var m *Model
	if info, failed := f.Stat(); failed == nil && info.Mode().IsRegular() { // it says how long it is: no copy is needed
		m, err = o.readModel(&source{r: f, left: info.Size()})
	} else {
		m, err = o.From(f)
	}
	if err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	return m, nil
}

// From reads a model from a stream of unknown length, to its end; of one that does not begin like a model no more than
// the first bytes. The file's bytes are in memory besides the model until it returns.
func (o Reader) From(r io.Reader) (*Model, error) {
	var b bytes.Buffer
	if _, err := io.CopyN(&b, r, int64(prologueSize)); err != nil && err != io.EOF {
		return nil, err
	}
	if err := checkPrologue(b.Bytes()); err != nil {
		return nil, err
	}
	if _, err := b.ReadFrom(r); err != nil {
		return nil, err
	}
	return o.Bytes(b.Bytes())
}

// Bytes reads a model from the bytes of its file, in time and memory linear in their number. The model does not refer
// to data.
//
// The error is [ErrNotAModel], or says what is truncated, damaged or impossible. A file of another format version is
// rejected. The arrays of a compiled model are checked by [Model.Classifier].
func (o Reader) Bytes(data []byte) (*Model, error) {
	return o.readModel(&source{r: bytes.NewReader(data), left: int64(len(data))})
}

// readModel reads header and arrays.
func (o Reader) readModel(in *source) (*Model, error) {
	h, err := readHeader(in)
	if err != nil {
		return nil, err
	}
	m := &Model{Input: h.Input, Training: h.Training, Sketch: h.Sketch, Drift: h.Drift, Generator: h.Generator}
	if m.Decision, err = readDecision(h.Decision); err != nil {
		return nil, h.errorf("%w", err)
	}
	if m.Kernel, err = o.Catalogue.Decode(h.Kernel); err != nil {
		return nil, h.errorf("%w", err)
	}
	arrays, err := readArrays(h.Arrays, in)
	if err != nil {
		return nil, err
	}
	if err := m.takeArrays(arrays, h.Compiled); err != nil {
		return nil, fmt.Errorf("invalid model: %w", err)
	}
	if _, err := m.check(); err != nil {
		return nil, fmt.Errorf("invalid model: %w", err)
	}
	return m, nil
}

// source is a model file of known size, read from beginning to end: nothing is allocated for bytes that do not exist.
type source struct {
	r    io.Reader
	left int64 // bytes
}

// fill reads len(dst) bytes, which are left.
func (s *source) fill(dst []byte) error {
	n, err := io.ReadFull(s.r, dst)
	s.left -= int64(n)
	if err == io.EOF || errors.Is(err, io.ErrUnexpectedEOF) {
		return errors.New("truncated model: the file shrank while it was read")
	}
	return err
}

// take returns the next n bytes, which are left.
func (s *source) take(n int64) ([]byte, error) {
	data := make([]byte, n)
	return data, s.fill(data)
}

// skipZeros reads n bytes of padding.
func (s *source) skipZeros(n int64, where string) error {
	data, err := s.take(n)
	if err != nil {
		return err
	}
	for _, b := range data {
		if b != 0 {
			return fmt.Errorf("damaged model: the padding %s is not zero", where)
		}
	}
	return nil
}
