package catalog

import (
	"cmp"
	"fmt"
	"reflect"
	"slices"
	"strings"

	"github.com/seqsvm/seqsvm/stringkernel"
)

// Parameter describes one parameter of a kernel.
type Parameter struct {
	Name    string `json:"parameter"`
	Type    string `json:"type"` // integer, number, flag, word, words or numbers
	Default string `json:"default"`
	Doc     string `json:"meaning"`
}

// Parameters lists the parameters of a kernel in the order of its fields, then those of With and the common ones; rc if
// it has an alphabet.
func (e Entry) Parameters() []Parameter {
	var list []Parameter
	value := reflect.ValueOf(e.Defaults)
	for _, f := range fields(value.Type()) {
		field := value.FieldByIndex(f.index)
		list = append(list, Parameter{f.name, typeName(field.Type()), defaultText(f.name, field), f.doc})
	}
	for _, name := range e.With {
		other := e.Other.Parameters()
		p := other[slices.IndexFunc(other, func(p Parameter) bool { return p.Name == name })]
		p.Doc += "; the kernel is then " + e.Other.Name
		list = append(list, p)
	}
	for _, known := range ofAll {
		if known.Name != "rc" || parameter(value, "alphabet").IsValid() {
			list = append(list, known.Parameter)
		}
	}
	return list
}

// common is a parameter that does not depend on the kernel: a field of [Term], or of its [Around].
type common struct {
	Parameter
	least int // of an integer
}

// ofAll are the common parameters in the order in which they are written. What stands around a formula has those from
// rbf on.
var ofAll = []common{
	{Parameter{"rc", "flag", "off",
		"of dna and rna, count both strands: a sequence and its reverse complement are the same"}, 0},
	{Parameter{"from", "integer", "1", "first letter of the part of each record that is compared, 1-based"}, 1},
	{Parameter{"to", "integer", "the last", "last letter of that part"}, 1},
	{Parameter{"anycase", "flag", "off",
		"with --input soft-mask=break, count lower-case letters as upper-case ones: what is around a site"}, 0},
	{Parameter{"raw", "flag", "off", "do not normalise the kernel where others of a formula are"}, 0},
	{Parameter{"rbf", "number", "none",
		"γ of exp(−γ·distance²), the Gaussian of the kernel, median or a quantile as q0.1 for 1 over that of the " +
			"distances² of training records; costs a kernel value per support vector"}, 0},
	{Parameter{"fourier", "integer", "none",
		"approximate rbf by this number of random Fourier features, for kernels with a list of features; linear in " +
			"the records"}, 2},
	{Parameter{"seed", "integer", "0", "of the random numbers of fourier"}, 0},
	{Parameter{"rank", "integer", "none",
		"approximate the kernel by this number of training records; training is then linear in the records, whatever " +
			"the kernel; train and model info state the trace error"}, 1},
}

// field is a parameter as reflection sees it.
type field struct {
	name, doc string
	index     []int
	always    bool // whether 0 is written
	above     bool // whether 0 is only a field's value for a parameter that is not given
}

// docs are those of parameters that several kernels have.
var docs = map[string]string{
	"alphabet": "dna, rna, protein, bytes or groups of amino acids, as murphy10; other letters match nothing",
	"beta":     "with a name as subst: exponent of its weights; 1 if not given",
	"count":    "raw, presence, sqrt, log or sublinear: the function of counts",
	"subst":    "weights of different letters: blosum62, grantham, transitions or @FILE",
}

// fields lists the exported fields of a kernel's struct, those of an embedded kernel among them.
func fields(kernel reflect.Type) []field {
	var list []field
	for _, f := range reflect.VisibleFields(kernel) {
		if !f.IsExported() || f.Anonymous {
			continue
		}
		name, options, _ := strings.Cut(f.Tag.Get("json"), ",")
		always := isNumber(f.Type) && options != "omitempty"
		_, above := f.Tag.Lookup("above")
		list = append(list, field{name, cmp.Or(f.Tag.Get("doc"), docs[name]), f.Index, always, above})
	}
	return list
}

// parameter returns the field of a kernel's struct that has this name, or the zero Value if none has.
func parameter(kernel reflect.Value, name string) reflect.Value {
	for _, f := range fields(kernel.Type()) {
		if f.name == name {
			return kernel.FieldByIndex(f.index)
		}
	}
	return reflect.Value{}
}

// settable returns a copy of a kernel's struct whose fields can be set.
func settable(k stringkernel.Kernel) reflect.Value {
	v := reflect.New(reflect.TypeOf(k)).Elem()
	v.Set(reflect.ValueOf(k))
	return v
}

func isNumber(t reflect.Type) bool { return t.Kind() == reflect.Int || t.Kind() == reflect.Float64 }

func typeName(t reflect.Type) string {
	switch t.Kind() {
	case reflect.Int:
		return "integer"
	case reflect.Float64:
		return "number"
	case reflect.Bool:
		return "flag"
	case reflect.Slice:
		if t.Elem().Kind() == reflect.String {
			return "words"
		}
		return "numbers"
	default:
		return "word"
	}
}

func defaultText(name string, v reflect.Value) string {
	switch {
	case v.Kind() == reflect.Bool:
		return "off"
	case name == "alphabet":
		return "inferred from the data"
	case name == "count" && v.IsZero():
		return string(stringkernel.CountRaw)
	case v.IsZero():
		return "none"
	default:
		return fmt.Sprint(v.Interface())
	}
}
