package catalog

import (
	"encoding/json"
	"errors"
	"fmt"
	"reflect"

	"github.com/seqsvm/seqsvm/internal/strictjson"
	"github.com/seqsvm/seqsvm/stringkernel"
)

// termJSON is a Term in a model file.
type termJSON struct {
	parameters
	Params json.RawMessage `json:"params"`
}

// parameters are a Term without its methods.
type parameters Term

// MarshalJSON writes {"name": …, "rc": …, "raw": …, "from": …, "to": …, "anycase": …, "rbf": …, "quantile": …,
// "fourier": …, "seed": …, "rank": …, "params": {…}}.
func (t Term) MarshalJSON() ([]byte, error) {
	params, err := json.Marshal(t.Kernel)
	if err != nil {
		return nil, err
	}
	return json.Marshal(termJSON{parameters(t), params})
}

// Decode reads the JSON of a specification: {"terms": […], "normalize": …, "formula": …}. Unknown kernels and
// parameters, parameters out of range and more than [MaxTerms] kernels are errors; it stops at the first, whatever
// follows. Alphabets stay as they are. The terms are compiled: see [Spec.Check].
func (c Catalogue) Decode(text []byte) (Spec, error) {
	if len(text) == 0 {
		return Spec{}, errors.New("no kernel")
	}
	var raw struct {
		Terms     json.RawMessage `json:"terms"`
		Normalize bool            `json:"normalize"`
		Formula   string          `json:"formula"`
	}
	if err := strictjson.DecodeChecked(text, &raw); err != nil {
		return Spec{}, err
	}
	s := Spec{Normalize: raw.Normalize, Formula: raw.Formula}
	err := strictjson.List(raw.Terms, "kernel terms", func(_ int, term termJSON) error {
		if len(s.Terms) >= MaxTerms {
			return fmt.Errorf("more than %d kernels", MaxTerms)
		}
		t, err := c.decodeTerm(term)
		if err != nil {
			return err
		}
		one := Spec{Terms: []Term{t}}
		if err := one.Check(""); err != nil {
			return err
		}
		s.Terms = append(s.Terms, one.Terms...)
		return nil
	})
	if err != nil {
		return s, err
	}
	f, err := s.formula()
	if err == nil && s.Formula != "" && f.plain() {
		err = fmt.Errorf("formula %q of a mean, want none", s.Formula)
	}
	if err == nil && len(s.Terms) > 0 {
		_, err = s.Compile("")
	}
	return s, err
}

func (c Catalogue) decodeTerm(raw termJSON) (Term, error) {
	entry, err := c.find(raw.Name)
	if err != nil {
		return Term{}, err
	}
	if len(raw.Params) == 0 {
		return Term{}, fmt.Errorf("kernel %q lacks the field params", raw.Name)
	}
	kernel := reflect.New(reflect.TypeOf(entry.Defaults))
	if err := strictjson.Decode(raw.Params, kernel.Interface()); err != nil {
		return Term{}, fmt.Errorf("parameters of kernel %q: %w", raw.Name, err)
	}
	raw.Kernel = kernel.Elem().Interface().(stringkernel.Kernel)
	return Term(raw.parameters), nil
}
