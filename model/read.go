package model

import (
	"bytes"
	"fmt"
	"io"
	"os"
)

// ReadFile reads a model file. Errors name the file. Of a file that does not begin like a model no more than its first bytes are read.
func ReadFile(path string) (*Model, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	m, err := readOpen(f)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	return m, nil
}

// readOpen reads a file without a copy of its bytes if it says how long it is.
func readOpen(f *os.File) (*Model, error) {
	if info, err := f.Stat(); err == nil && info.Mode().IsRegular() {
		return readModel(&source{r: f, left: info.Size()})
	}
	return ReadFrom(f)
}

// ReadFrom reads a model from a stream whose length is unknown, to its end; of one that does not begin like a model no more than the first bytes. The
// file's bytes are in memory beside the model until it returns.
func ReadFrom(r io.Reader) (*Model, error) {
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
	return Read(b.Bytes())
}

// Read reads a model from the bytes of its file, in time and memory linear in their number. The model does not refer to data.
//
// The error is [ErrNotAModel], or says what is truncated, damaged or not possible. A file of a newer format version is refused.
// The arrays of a compiled model are judged by [Model.Classifier].
func Read(data []byte) (*Model, error) {
	return readModel(&source{r: bytes.NewReader(data), left: int64(len(data))})
}

// readModel reads header and arrays, each array straight to its place.
func readModel(in *source) (*Model, error) {
	h, err := readHeader(in)
	if err != nil {
		return nil, err
	}
	m := &Model{Kernel: h.Kernel, Input: h.Input, Training: h.Training, Generator: h.Generator}
	if m.Decision, err = readDecision(h.Decision); err != nil {
		return nil, err
	}
	arrays, err := readArrays(h.Arrays, in)
	if err != nil {
		return nil, err
	}
	if err := m.takeArrays(arrays, h.Compiled); err != nil {
		return nil, fmt.Errorf("invalid model: %w", err)
	}
	if err := m.check(); err != nil {
		return nil, fmt.Errorf("invalid model: %w", err)
	}
	return m, nil
}
