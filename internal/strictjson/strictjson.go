// Package strictjson decodes JSON that may come from anyone: without unknown fields, nulls and duplicate keys, and long
// lists element by element.
package strictjson

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
)

// Decode decodes one JSON value with nothing after it.
func Decode(text []byte, into any) error {
	d := newDecoder(text)
	if err := d.Decode(into); err != nil {
		if err == io.EOF || err == io.ErrUnexpectedEOF {
			return errors.New("JSON ends too early")
		}
		return err
	}
	if _, err := d.Token(); err != io.EOF {
		return errors.New("more than one JSON value")
	}
	return nil
}

// DecodeChecked is [Decode] of a text that passes [Check].
func DecodeChecked(text []byte, into any) error {
	if err := Decode(text, into); err != nil {
		return err
	}
	return Check(text)
}

// List decodes the elements of a JSON list one by one, so that one that is too long or has an element that visit
// rejects takes no memory for the rest. Errors of decoding begin with its name. The text must be valid JSON.
func List[T any](text []byte, name string, visit func(i int, element T) error) error {
	d := newDecoder(text)
	if token, err := d.Token(); err != nil || token != json.Delim('[') {
		return fmt.Errorf("%s: missing, want a list", name)
	}
	for i := 0; d.More(); i++ {
		var element T
		if err := d.Decode(&element); err != nil {
			return fmt.Errorf("%s %d: %w", name, i, err)
		}
		if err := visit(i, element); err != nil {
			return err
		}
	}
	return nil
}

func newDecoder(text []byte) *json.Decoder {
	d := json.NewDecoder(bytes.NewReader(text))
	d.DisallowUnknownFields()
	return d
}
