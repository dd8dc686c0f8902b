package model

import (
	"fmt"
	"io"

	"github.com/seqsvm/seqsvm/stringkernel"
)

// Write writes the model file: the same bytes for the same model. A model that could not be read back is an error,
// before anything is written: one whose kernel or decision is invalid, that lacks a reference corpus which its kernel
// needs, or whose coefficients do not fit its support vectors and machines or are not finite.
func (m *Model) Write(w io.Writer) error {
	_, err := m.check()
	if err == nil {
		err = m.writeWith(w, m.fileArrays())
	}
	if err != nil {
		return fmt.Errorf("model: %w", err)
	}
	return nil
}

// writeWith writes header and arrays.
func (m *Model) writeWith(w io.Writer, arrays []stringkernel.Array) error {
	entries, err := layOut(arrays)
	if err != nil {
		return err
	}
	head, err := m.headerBytes(entries)
	if err != nil {
		return err
	}
	if _, err := w.Write(head); err != nil {
		return err
	}
	end := int64(0)
	for i, e := range entries {
		if _, err := w.Write(make([]byte, e.Offset-end)); err != nil {
			return err
		}
		if err := writeValues(w, arrays[i].Data, width(e.Type)); err != nil {
			return err
		}
		end = e.Offset + e.Count*width(e.Type)
	}
	return nil
}
