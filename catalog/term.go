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
	Name string
	RC   bool // count both strands
	Raw  bool // not normalised, in a specification of normalised kernels
	// if one is not 0, the kernel is on the letters From … To of each sequence, 1-based; To = 0: to the end
	From, To int
	RBF      float64 // if not 0, the Gaussian of the kernel's distance with this γ
	// if not 0, γ is learned: 1 over this quantile of the squared distances of training records
	Quantile float64
	// if Fourier is not 0, the Gaussian is approximated by that number of random features, drawn with Seed
	Fourier, Seed int
	Rank          int                 // if not 0, the number of training records by which the kernel is approximated
	Kernel        stringkernel.Kernel // the struct of the entry's Defaults with other values

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
	return t.From != 0 || t.To != 0 || t.RBF != 0 || t.Quantile != 0 || t.Rank != 0
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
	if err := t.checkFourier(); err != nil {
		return nil, err
	}
	switch {
	case t.Fourier != 0:
		k = compose.Fourier{Kernel: k, Gamma: t.RBF, Features: t.Fourier, Seed: uint64(t.Seed)}
	case t.RBF != 0 || t.Quantile != 0:
		k = compose.FunctionOf(compose.Gaussian{Gamma: t.RBF, Quantile: t.Quantile}, k)
	}
	if t.Rank != 0 {
		k = compose.LowRank{Kernel: k, Rank: t.Rank}
	}
	return stringkernel.Compile(k)
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

// checkFourier refuses features of no Gaussian, and a seed of none.
func (t Term) checkFourier() error {
	switch {
	case t.Fourier != 0 && t.Quantile != 0:
		return fmt.Errorf("fourier = %d with rbf=%s, want a number", t.Fourier, gammaText(t.RBF, t.Quantile))
	case t.Fourier != 0 && t.RBF == 0:
		return fmt.Errorf("fourier = %d without rbf, which it approximates", t.Fourier)
	case t.Seed != 0 && t.Fourier == 0:
		return fmt.Errorf("seed = %d without fourier", t.Seed)
	}
	return nil
}

// termOf is the inverse of compile.
func (c Catalogue) termOf(k stringkernel.Kernel) (t Term, normalized bool, err error) {
	if low, ok := k.(compose.LowRank); ok {
		t.Rank, k = low.Rank, low.Kernel
	}
	switch gaussian := k.(type) {
	case compose.Function:
		if of, is := gaussian.Of.(compose.Gaussian); is && len(gaussian.Kernels) == 1 {
			t.RBF, t.Quantile, k = of.Gamma, of.Quantile, gaussian.Kernels[0]
		}
	case compose.Fourier:
		t.RBF, t.Fourier, t.Seed, k = gaussian.Gamma, gaussian.Features, int(gaussian.Seed), gaussian.Kernel
	}
	linear, _ := k.(compose.Linear)
	if len(linear.Terms) == 1 {
		k, t.To, normalized = linear.Terms[0], linear.To, linear.Cosine
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

// String writes the term as Parse takes it; lists are written with colons. Only words with a colon or a comma, which
// come from a file, are not read back.
func (t Term) String() string {
	if t.Kernel == nil {
		return t.Name
	}
	var items []string
	v := reflect.ValueOf(t.Kernel)
	for _, f := range fields(v.Type()) {
		if field := v.FieldByIndex(f.index); f.always || !field.IsZero() {
			items = append(items, itemText(f.name, field))
		}
	}
	if t.RC {
		items = append(items, "rc")
	}
	if t.From != 0 {
		items = append(items, fmt.Sprintf("from=%d", t.From))
	}
	if t.To != 0 {
		items = append(items, fmt.Sprintf("to=%d", t.To))
	}
	if t.Raw {
		items = append(items, "raw")
	}
	if t.RBF != 0 || t.Quantile != 0 {
		items = append(items, "rbf="+gammaText(t.RBF, t.Quantile))
	}
	if t.Fourier != 0 {
		items = append(items, fmt.Sprintf("fourier=%d", t.Fourier))
	}
	if t.Seed != 0 {
		items = append(items, fmt.Sprintf("seed=%d", t.Seed))
	}
	if t.Rank != 0 {
		items = append(items, fmt.Sprintf("rank=%d", t.Rank))
	}
	if len(items) == 0 {
		return t.Name
	}
	return t.Name + ":" + strings.Join(items, ",")
}

// gammaText writes γ as parseGamma takes it.
func gammaText(gamma, quantile float64) string {
	switch quantile {
	case 0:
		return number(gamma)
	case median:
		return "median"
	}
	return "q" + number(quantile)
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
