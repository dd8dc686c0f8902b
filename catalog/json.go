package catalog

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"reflect"

	"github.com/seqsvm/seqsvm/stringkernel"
)

// termJSON is a Term in a model file.
type termJSON struct {
	Name   string          `json:"name"`
	RC     bool            `json:"rc,omitempty"`
	RBF    float64         `json:"rbf,omitempty"`
	Params json.RawMessage `json:"params"`
}

// MarshalJSON writes {"name": …, "rc": …, "rbf": …, "params": {…}}.
func (t Term) MarshalJSON() ([]byte, error) {
	params, err := json.Marshal(t.Kernel)
	if err != nil {
		return nil, err
	}
	return json.Marshal(termJSON{Name: t.Name, RC: t.RC, RBF: t.RBF, Params: params})
}

// Decode reads the JSON of a specification: {"terms": […], "normalize": …}. Unknown kernels and parameters, parameters
// out of range and more than [MaxTerms] kernels are errors; it stops at the first, whatever follows. Alphabets stay as
// they are. The terms are compiled: see [Spec.Check].
func (c Catalogue) Decode(text []byte) (Spec, error) {
	if len(text) == 0 {
		return Spec{}, errors.New("no kernel")
	}
	var raw struct {
		Terms     json.RawMessage `json:"terms"`
		Normalize bool            `json:"normalize"`
	}
	if err := strictUnmarshal(text, &raw); err != nil {
		return Spec{}, err
	}
	d := json.NewDecoder(bytes.NewReader(raw.Terms))
	d.DisallowUnknownFields()
	if token, err := d.Token(); err != nil || token != json.Delim('[') {
		return Spec{}, errors.New("kernel terms: missing, want a list")
	}
	s := Spec{Normalize: raw.Normalize}
	for d.More() {
		if len(s.Terms) >= MaxTerms {
			return Spec{}, fmt.Errorf("a mean of more than %d kernels", MaxTerms)
		}
		var term termJSON
		if err := d.Decode(&term); err != nil {
			return Spec{}, err
		}
		t, err := c.decodeTerm(term)
		if err != nil {
			return Spec{}, err
		}
		one := Spec{Terms: []Term{t}}
		if err := one.Check(""); err != nil {
			return Spec{}, err
		}
		s.Terms = append(s.Terms, one.Terms...)
	}
	return s, nil
}

func (c Catalogue) decodeTerm(raw termJSON) (Term, error) {
	entry, err := c.find(raw.Name)
	if err != nil {
		return Term{}, err
	}
	if len(raw.Params) == 0 {
		return Term{}, fmt.Errorf("kernel %q has no parameters, want params", raw.Name)
	}
	kernel := reflect.New(reflect.TypeOf(entry.Defaults))
	if err := strictUnmarshal(raw.Params, kernel.Interface()); err != nil {
		return Term{}, fmt.Errorf("parameters of kernel %q: %w", raw.Name, err)
	}
	k := kernel.Elem().Interface().(stringkernel.Kernel)
	return Term{Name: raw.Name, RC: raw.RC, RBF: raw.RBF, Kernel: k}, nil
}

// strictUnmarshal decodes one JSON value without unknown fields and with nothing after it.
func strictUnmarshal(text []byte, into any) error {
	d := json.NewDecoder(bytes.NewReader(text))
	d.DisallowUnknownFields()
	if err := d.Decode(into); err != nil {
		return err
	}
	if _, err := d.Token(); err != io.EOF {
		return errors.New("more than one JSON value")
	}
	return nil
}
