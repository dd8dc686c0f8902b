package model

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"os"
)

// ReadFile reads a model file. Errors name the file. Of a file that does not begin like a model no more than its first bytes are read.
func ReadFile(path string) (*Model, error) {
	data, err := readAll(path)
	if err != nil {
		return nil, err
	}
	m, err := Read(data)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	return m, nil
}

// readAll returns the bytes of a file that begins like a model.
func readAll(path string) ([]byte, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	start := make([]byte, prologueSize)
	n, err := io.ReadFull(f, start)
	if err != nil && err != io.EOF && !errors.Is(err, io.ErrUnexpectedEOF) {
		return nil, err
	}
	start = start[:n]
	if err := checkPrologue(start); err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	var b bytes.Buffer
	if info, err := f.Stat(); err == nil && info.Mode().IsRegular() {
		b.Grow(int(info.Size()) + bytes.MinRead)
	}
	b.Write(start)
	if _, err := b.ReadFrom(f); err != nil {
		return nil, err
	}
	return b.Bytes(), nil
}

// Read reads a model from the bytes of its file, in time and memory linear in their number. The model does not refer to data.
//
// The error is [ErrNotAModel], or says what is truncated, damaged or not possible. A file of a newer format version is refused.
// The arrays of a compiled model are judged by [Model.Classifier].
func Read(data []byte) (*Model, error) {
	h, body, err := readHeader(data)
	if err != nil {
		return nil, err
	}
	m := &Model{Kernel: h.Kernel, Input: h.Input, Training: h.Training, Generator: h.Generator}
	if m.Decision, err = readDecision(h.Decision); err != nil {
		return nil, err
	}
	arrays, err := readArrays(h.Arrays, body)
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
