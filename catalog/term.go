package catalog

import (
	"fmt"
	"reflect"
	"strings"

	"github.com/seqsvm/seqsvm/stringkernel"
	"github.com/seqsvm/seqsvm/stringkernel/compose"
	"github.com/seqsvm/seqsvm/stringkernel/table"
)

// Term is one kernel of a catalogue with its parameters.
type Term struct {
	Name string `json:"name"`
	RC   bool   `json:"rc,omitempty"`  // count both strands
	Raw  bool   `json:"raw,omitempty"` // not normalised, in a specification of normalised kernels
	// if one is not 0, the kernel is on the letters From … To of each sequence, 1-based; To = 0: to the end
	From int `json:"from,omitempty"`
	To   int `json:"to,omitempty"`
	// lower-case letters of records read with them count as upper-case ones, in place of breaking matches
	AnyCase bool `json:"anycase,omitempty"`
	Around
	Kernel stringkernel.Kernel `json:"-"` // the struct of the entry's Defaults with other values

	asked string // what was asked for, if that is another entry with a parameter that makes it this one
}

// OfText reports whether the kernel's records are texts, or any bytes: it knows no alphabet of sequences.
func (t Term) OfText() bool { return t.Alphabet() == stringkernel.Bytes }

// OfNumbers reports whether the kernel compares numbers beside the letters of records.
func (t Term) OfNumbers() bool {
	_, ok := t.Kernel.(table.Kernel)
	return ok
}

// OfStructures reports whether the kernel's records are trees in brackets, or graphs.
func (t Term) OfStructures() bool {
	check := stringkernel.TraitsOf(t.Kernel).CheckRecord
	return check != nil && check([]byte("A")) != nil
}

// Composed reports whether the kernel is on parts of records, or a Gaussian or an approximation is made of it.
func (t Term) Composed() bool {
	return t.From != 0 || t.To != 0 || t.AnyCase || t.Around != Around{}
}

// Alphabet returns the kernel's alphabet, empty if it is open. Kernels of text have the alphabet bytes unless another
// is given.
func (t Term) Alphabet() stringkernel.Alphabet {
	if t.Kernel == nil {
		return stringkernel.Bytes
	}
	a := parameter(reflect.ValueOf(t.Kernel), "alphabet")
	if !a.IsValid() || a.IsZero() && stringkernel.TraitsOf(t.Kernel).Text {
		return stringkernel.Bytes
	}
	return stringkernel.Alphabet(a.String())
}

// withAlphabet fills in the alphabet if it is open.
func (t Term) withAlphabet(a stringkernel.Alphabet) Term {
	if t.Alphabet() != "" {
		return t
	}
	kernel := settable(t.Kernel)
	parameter(kernel, "alphabet").SetString(string(a))
	t.Kernel = kernel.Interface().(stringkernel.Kernel)
	return t
}

// compile builds the kernel of one term.
func (t Term) compile(normalize bool, columns []string) (stringkernel.Kernel, error) {
	k, drop := t.Kernel, len(columns)*stringkernel.NumberLetters
	if numbers, ok := k.(table.Kernel); ok {
		k, drop = numbers.Among(columns), 0
	}
	if t.RC {
		k = compose.OnBothStrands(k, t.Alphabet())
	}
	if normalize {
		k = compose.Normalized(k)
	}
	if t.From != 0 || t.To != 0 || drop > 0 {
		if t.OfStructures() || drop == 0 && len(columns) > 0 {
			return nil, fmt.Errorf("%s: from, to and columns of numbers are of sequences and texts", t.Name)
		}
		k = compose.Part(k, max(0, t.From-1), t.To, drop)
	}
	if t.AnyCase {
		k = compose.AnyCase(k)
	}
	return t.Around.compile(k)
}

// explained returns an error of compile. One about the kernel itself, which names it, says first what was asked for.
func (t Term) explained(err error) error {
	if t.asked == "" {
		return err
	}
	if _, own := stringkernel.Compile(t.Kernel); own != nil {
		return fmt.Errorf("%s is %w", t.asked, own)
	}
	return err
}

// termOf is the inverse of compile.
func (c Catalogue) termOf(k stringkernel.Kernel) (t Term, normalized bool, err error) {
	t.Around, k = aroundOf(k)
	linear, _ := k.(compose.Linear)
	if len(linear.Terms) == 1 {
		k, t.To, t.AnyCase, normalized = linear.Terms[0], linear.To, linear.AnyCase, linear.Cosine
		if linear.From != 0 {
			t.From = linear.From + 1
		}
	}
	t.RC = linear.Strands != ""
	if compiled, other := k.(interface{ Source() stringkernel.Kernel }); other { // of another package
		k = compiled.Source()
	}
	if own := compose.StrandedOf(k); own != nil {
		one, both := own.OneStrand()
		if t.RC && both {
			return t, false, fmt.Errorf("both strands of a kernel of type %T that counts both strands itself", k)
		}
		k, t.RC = one, t.RC || both
	}
	for _, e := range c.entries() {
		if reflect.TypeOf(e.Defaults) == reflect.TypeOf(k) {
			t.Name, t.Kernel = e.Name, parametersOf(k)
		}
	}
	if t.Kernel == nil {
		const format = "a kernel of type %T is not in the catalogue, or is composed in another way than " +
			"Spec.Compile does"
		return t, false, fmt.Errorf(format, k)
	}
	if linear.Strands != "" && linear.Strands != t.Alphabet() {
		return t, false, fmt.Errorf("both strands of %s, but the kernel %s", linear.Strands, t)
	}
	return t, normalized, nil
}

// parametersOf returns a kernel with its exported fields alone: without what it was compiled or fitted to.
func parametersOf(k stringkernel.Kernel) stringkernel.Kernel {
	from := reflect.ValueOf(k)
	to := reflect.New(from.Type()).Elem()
	for _, f := range fields(from.Type()) {
		to.FieldByIndex(f.index).Set(from.FieldByIndex(f.index))
	}
	return to.Interface().(stringkernel.Kernel)
}

// String writes the term as Parse takes it; lists are written with colons. What patterns of columns stand for, and what
// was learned of each column then, is left out. Only words with a colon or a comma, which
// come from a file, are not read back.
func (t Term) String() string {
	if t.Kernel == nil {
		return t.Name
	}
	var items []string
	v := reflect.ValueOf(t.Kernel)
	if numbers, ok := t.Kernel.(table.Kernel); ok {
		v = reflect.ValueOf(numbers.Asked())
	}
	for _, f := range fields(v.Type()) {
		if field := v.FieldByIndex(f.index); f.always || !field.IsZero() {
			items = append(items, itemText(f.name, field))
		}
	}
	items = append(items, t.Around.items(reflect.ValueOf(t))...)
	if len(items) == 0 {
		return t.Name
	}
	return t.Name + ":" + strings.Join(items, ",")
}

func itemText(name string, v reflect.Value) string {
	switch v.Kind() {
	case reflect.Bool:
		return name
	case reflect.Slice:
		list := make([]string, v.Len())
		for i := range list {
			list[i] = fmt.Sprint(v.Index(i).Interface())
		}
		return name + "=" + strings.Join(list, ":")
	default:
		return fmt.Sprintf("%s=%v", name, v.Interface())
	}
}

// OfStructures reports whether the kernel's records are trees or graphs, so that it takes no plain sequences.
func (e Entry) OfStructures() bool { return Term{Kernel: e.Defaults}.OfStructures() }

// OfSequences reports whether the kernel compares plain sequences: neither trees or graphs nor numbers beside them.
func (e Entry) OfSequences() bool { return !e.OfStructures() && !Term{Kernel: e.Defaults}.OfNumbers() }
