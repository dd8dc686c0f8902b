package model

import (
	"errors"
	"fmt"
	"io"
)

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
