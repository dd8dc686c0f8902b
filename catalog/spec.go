package catalog

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"reflect"
	"strings"

	"github.com/seqsvm/seqsvm/stringkernel"
	"github.com/seqsvm/seqsvm/stringkernel/compose"
)

// Spec is one kernel with its parameters: what --kernel says and what a model file records.
type Spec struct {
	Name   string
	RC     bool    // count both strands
	RBF    float64 // if not 0, the Gaussian of the kernel's distance with this γ
	Kernel stringkernel.Kernel
}

// specJSON is a Spec in a model file.
type specJSON struct {
	Name   string          `json:"name"`
	RC     bool            `json:"rc,omitempty"`
	RBF    float64         `json:"rbf,omitempty"`
	Params json.RawMessage `json:"params"`
}

// MarshalJSON writes {"name": …, "rc": …, "rbf": …, "params": {…}}.
func (s Spec) MarshalJSON() ([]byte, error) {
	params, err := json.Marshal(s.Kernel)
	if err != nil {
		return nil, err
	}
	return json.Marshal(specJSON{Name: s.Name, RC: s.RC, RBF: s.RBF, Params: params})
}

// UnmarshalJSON reads what MarshalJSON writes; unknown kernels and unknown parameters are errors, and so are parameters out of range.
func (s *Spec) UnmarshalJSON(text []byte) error {
	var raw specJSON
	if err := strictUnmarshal(text, &raw); err != nil {
		return err
	}
	entry, err := find(raw.Name)
	if err != nil {
		return err
	}
	if len(raw.Params) == 0 {
		return fmt.Errorf("kernel %q has no parameters, want params", raw.Name)
	}
	kernel := reflect.New(reflect.TypeOf(entry.kernel))
	if err := strictUnmarshal(raw.Params, kernel.Interface()); err != nil {
		return fmt.Errorf("parameters of kernel %q: %w", raw.Name, err)
	}
	*s = Spec{Name: raw.Name, RC: raw.RC, RBF: raw.RBF, Kernel: kernel.Elem().Interface().(stringkernel.Kernel)}
	_, err = Build([]Spec{*s}, false)
	return err
}

func strictUnmarshal(text []byte, into any) error {
	d := json.NewDecoder(bytes.NewReader(text))
	d.DisallowUnknownFields()
	return d.Decode(into)
}

// Alphabet returns the kernel's alphabet, empty if it is still open. A kernel of text needs none to be told: its alphabet is bytes unless it says another.
func (s Spec) Alphabet() stringkernel.Alphabet {
	if s.Kernel == nil {
		return stringkernel.Bytes
	}
	v := reflect.ValueOf(s.Kernel)
	alphabet := stringkernel.Bytes
	for _, f := range fields(v.Type()) {
		if f.name == "alphabet" {
			alphabet = stringkernel.Alphabet(v.FieldByIndex(f.index).String())
		}
	}
	if k, ok := s.Kernel.(interface{ ReadsText() bool }); ok && alphabet == "" && k.ReadsText() {
		return stringkernel.Bytes
	}
	return alphabet
}

// SetAlphabet fills in the alphabet if the specification left it open.
func (s *Spec) SetAlphabet(a stringkernel.Alphabet) {
	if s.Alphabet() != "" {
		return
	}
	kernel := reflect.New(reflect.TypeOf(s.Kernel)).Elem()
	kernel.Set(reflect.ValueOf(s.Kernel))
	for _, f := range fields(kernel.Type()) {
		if f.name == "alphabet" {
			kernel.FieldByIndex(f.index).SetString(string(a))
		}
	}
	s.Kernel = kernel.Interface().(stringkernel.Kernel)
}

// Build makes one kernel of a list of specifications: both strands where asked for, each term normalised if normalize is
// set, its Gaussian where asked for, the mean of the terms if there are several. It returns an error if a parameter is out of range.
func Build(specs []Spec, normalize bool) (stringkernel.Kernel, error) {
	if len(specs) == 0 {
		return nil, errors.New("no kernel")
	}
	terms := make([]stringkernel.Kernel, len(specs))
	for i, s := range specs {
		k := s.Kernel
		if k == nil {
			return nil, fmt.Errorf("kernel %d of %d is none, want one that Parse made", i+1, len(specs))
		}
		if s.RC {
			k = bothStrands(k, s.Alphabet())
		}
		if normalize {
			k = compose.Normalized{Kernel: k}
		}
		if s.RBF != 0 {
			k = compose.RBF{Kernel: k, Gamma: s.RBF}
		}
		if err := k.Check(); err != nil {
			return nil, err
		}
		terms[i] = k
	}
	if len(terms) == 1 {
		return terms[0], nil
	}
	return compose.Mean{Terms: terms}, nil
}

// bothStrands returns the kernel that counts both strands: the kernel's own if it has one, else the wrapper, which also refuses an
// alphabet without a complement.
func bothStrands(k stringkernel.Kernel, a stringkernel.Alphabet) stringkernel.Kernel {
	if own, ok := k.(stringkernel.Stranded); ok && a.Complementary() {
		return own.BothStrands()
	}
	return compose.BothStrands{Kernel: k, Alphabet: a}
}

// String writes the specification as --kernel takes it; lists are written with colons. Only words with a colon or a comma, which come from a file, are not read back.
func (s Spec) String() string {
	if s.Kernel == nil {
		return s.Name
	}
	defaults := reflect.New(reflect.TypeOf(s.Kernel)).Elem()
	if e, err := find(s.Name); err == nil && reflect.TypeOf(e.kernel) == defaults.Type() {
		defaults = reflect.ValueOf(e.kernel)
	}
	var items []string
	v := reflect.ValueOf(s.Kernel)
	for _, f := range fields(v.Type()) {
		field := v.FieldByIndex(f.index)
		isNumber := field.Kind() == reflect.Int || field.Kind() == reflect.Float64
		if !field.IsZero() || isNumber && !defaults.FieldByIndex(f.index).IsZero() {
			items = append(items, itemText(f.name, field))
		}
	}
	if s.RC {
		items = append(items, "rc")
	}
	if s.RBF != 0 {
		items = append(items, fmt.Sprintf("rbf=%v", s.RBF))
	}
	if len(items) == 0 {
		return s.Name
	}
	return s.Name + ":" + strings.Join(items, ",")
}

func itemText(name string, v reflect.Value) string {
	switch v.Kind() {
	case reflect.Bool:
		return name
	case reflect.Slice:
		numbers := make([]string, v.Len())
		for i := range numbers {
			numbers[i] = fmt.Sprint(v.Index(i).Interface())
		}
		return name + "=" + strings.Join(numbers, ":")
	default:
		return fmt.Sprintf("%s=%v", name, v.Interface())
	}
}
