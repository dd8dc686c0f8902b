package catalog

import (
	"cmp"
	"errors"
	"fmt"
	"reflect"
	"slices"
	"strconv"
	"strings"

	"github.com/seqsvm/seqsvm/stringkernel"
	"github.com/seqsvm/seqsvm/stringkernel/compose"
	"github.com/seqsvm/seqsvm/stringkernel/table"
)

// MaxTerms bounds the kernels of a specification. Each may need a table of some megabytes, however little of it a model
// file stores, so that without a bound a small file could ask for any amount of memory.
const MaxTerms = 64

// Spec specifies a kernel: one or more kernels of a catalogue, and how they are put together. Its JSON is that of a
// model file.
type Spec struct {
	Terms     []Term `json:"terms"`
	Normalize bool   `json:"normalize"` // each term, but for those that are Raw
	// Formula is what [Catalogue.Parse] reads with #1, #2, … for the terms, in order; "" for their mean.
	Formula string `json:"formula,omitempty"`
}

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
	// if not 0, the Gaussian approximated by so many random Fourier features, and the seed of these
	Fourier, Seed int
	Rank          int                 // if not 0, the kernel approximated by so many records of training
	Kernel        stringkernel.Kernel // the struct of the entry's Defaults with other values

	asked string // what was asked for, if that is another entry with a parameter that makes it this one
}

// Compile checks the parameters and builds the kernel: both strands where asked for, each term normalised if Normalize
// is set, its Gaussian and its approximation where asked for, then what Formula says, or the mean of the terms.
// Alphabets left open become a; "" leaves them open, and every byte is a letter. The specification is unchanged;
// [Catalogue.SpecOf] returns that of the result.
func (s Spec) Compile(a stringkernel.Alphabet) (stringkernel.Kernel, error) {
	if err := s.checkLength(); err != nil {
		return nil, err
	}
	if err := s.checkReduced(); err != nil {
		return nil, err
	}
	a = s.openAs(a)
	columns := s.Columns()
	terms := make([]stringkernel.Kernel, len(s.Terms))
	for i, t := range s.Terms {
		if t.Kernel == nil {
			return nil, fmt.Errorf("kernel %d of %d is empty; make it with Parse", i+1, len(s.Terms))
		}
		var err error
		t = t.withAlphabet(a)
		if terms[i], err = t.compile(s.Normalize && !t.Raw, columns); err != nil {
			return nil, t.explained(err)
		}
	}
	f, err := s.formula()
	if err != nil {
		return nil, err
	}
	return f.compile(terms)
}

// Columns lists the names of the columns of numbers that the kernels compare, each once: records have one after another
// at their ends ([stringkernel.AppendNumber]), which no other kernel then sees.
func (s Spec) Columns() (names []string) {
	for _, t := range s.Terms {
		if numbers, ok := t.Kernel.(table.Kernel); ok {
			for _, name := range numbers.Columns {
				if !slices.Contains(names, name) {
					names = append(names, name)
				}
			}
		}
	}
	return names
}

// Check returns the error of Compile(a). It compiles the terms whose alphabet is known in place, so that Compile need
// not do it again.
func (s *Spec) Check(a stringkernel.Alphabet) error {
	for i, t := range s.Terms {
		if t.Kernel == nil || a != "" && t.Alphabet() == "" {
			continue
		}
		if k, err := stringkernel.Compile(t.Kernel); err == nil {
			s.Terms[i].Kernel = k
		}
	}
	_, err := s.Compile(a)
	return err
}

// OfClasses reports whether a kernel is fitted to the classes of records besides their letters.
func (s Spec) OfClasses() bool {
	return slices.ContainsFunc(s.Terms, func(t Term) bool {
		return t.Kernel != nil && stringkernel.TraitsOf(t.Kernel).OfClasses
	})
}

// CheckCorpus returns an error, a [stringkernel.RecordError], about the first record that is not of the kind that the
// kernels compare, trees or graphs, if one of them does; or has numbers below 0 where they may not be; or that has
// another length than the windows of a model, unless that is 0.
func (s Spec) CheckCorpus(c *stringkernel.Corpus, window int) error {
	var checks []func(x []byte) error
	columns := s.Columns()
	for _, t := range s.Terms {
		kernel := t.Kernel
		if numbers, ok := kernel.(table.Kernel); ok {
			kernel = numbers.Among(columns)
		}
		if check := stringkernel.TraitsOf(kernel).CheckRecord; check != nil {
			checks = append(checks, check)
		}
	}
	for i := range c.Len() {
		x := c.Seq(i)
		var err error
		for _, check := range checks {
			err = cmp.Or(err, check(x))
		}
		if window > 0 && len(x) != window {
			beside := len(columns) * stringkernel.NumberLetters
			err = fmt.Errorf("%d letters, want %d, the window length of the model", len(x)-beside, window-beside)
		}
		if err != nil {
			return &stringkernel.RecordError{Record: i, Name: c.Name(i), Err: err}
		}
	}
	return nil
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

func (s Spec) checkLength() error {
	switch n := len(s.Terms); {
	case n == 0:
		return errors.New("no kernel")
	case n > MaxTerms:
		return fmt.Errorf("%d kernels, want at most %d", n, MaxTerms)
	}
	return nil
}

// reduced returns the reduced alphabet of a term, empty if there is none.
func (s Spec) reduced() stringkernel.Alphabet {
	for _, t := range s.Terms {
		if a := t.Alphabet(); a.Representatives() != nil {
			return a
		}
	}
	return ""
}

// checkReduced returns an error if terms have another alphabet than one of them, which is reduced: its letters stand in
// what is read for groups of those of others.
func (s Spec) checkReduced() error {
	own := s.reduced()
	if own == "" {
		return nil
	}
	for _, t := range s.Terms {
		if a := t.Alphabet(); a != "" && a != own && !t.OfNumbers() {
			return fmt.Errorf("a kernel of %s beside one of %s, want one alphabet: records are read in groups of amino acids",
				a, own)
		}
	}
	return nil
}

// openAs returns what alphabets that are open become: a, or the reduced one of another term.
func (s Spec) openAs(a stringkernel.Alphabet) stringkernel.Alphabet { return cmp.Or(s.reduced(), a) }

// WithAlphabet returns the specification with the alphabets that are open filled in: by the reduced one of another term
// if there is one, as records are read in it.
func (s Spec) WithAlphabet(a stringkernel.Alphabet) Spec {
	a = s.openAs(a)
	terms := make([]Term, len(s.Terms))
	for i, t := range s.Terms {
		terms[i] = t.withAlphabet(a)
	}
	s.Terms = terms
	return s
}

// String returns the formula as Parse takes it: of a mean the terms, separated by " + ".
func (s Spec) String() string {
	f, err := s.formula()
	if err != nil {
		return s.Formula
	}
	return f.text(func(i int) string { return s.Terms[i].String() })
}

// Single returns the only kernel, and false if there are several or a formula puts something around it.
func (s Spec) Single() (Term, bool) {
	if len(s.Terms) != 1 || s.Formula != "" {
		return Term{}, false
	}
	return s.Terms[0], true
}

// Composed reports whether the kernel is on parts of records, or a Gaussian or an approximation is made of it.
func (t Term) Composed() bool {
	return t.From != 0 || t.To != 0 || t.RBF != 0 || t.Quantile != 0 || t.Rank != 0
}

// formula reads the formula of the terms.
func (s Spec) formula() (formula, error) {
	if s.Formula == "" {
		f := formula{op: sum, parts: make([]formula, len(s.Terms))}
		for i := range f.parts {
			f.parts[i].term = i
		}
		return f, nil
	}
	next := 0
	g := grammar{
		text: s.Formula, starts: func(text string) bool { return strings.HasPrefix(text, "#") },
		term: func(text string) (int, error) {
			if next++; text != "#"+strconv.Itoa(next) || next > len(s.Terms) {
				return 0, fmt.Errorf("%.20q, want #1 to #%d, each once, in order", text, len(s.Terms))
			}
			return next - 1, nil
		},
		parameters: parseGroup,
	}
	f, err := g.parse()
	if err == nil && next != len(s.Terms) {
		err = fmt.Errorf("%d kernels of %d", next, len(s.Terms))
	}
	if err != nil {
		return f, fmt.Errorf("formula %.200q: %w", s.Formula, err)
	}
	return f, nil
}

// setFormula writes the formula, unless it is the mean of the terms.
func (s *Spec) setFormula(f formula) {
	s.Formula = ""
	if !f.plain() {
		s.Formula = f.text(func(i int) string { return "#" + strconv.Itoa(i+1) })
	}
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

// Alphabet returns the alphabet in which records are read for the kernels: that of the first one that is not of bytes,
// empty if it is open, otherwise bytes.
func (s Spec) Alphabet() stringkernel.Alphabet {
	for _, t := range s.Terms {
		if a := t.Alphabet(); a != stringkernel.Bytes {
			return a
		}
	}
	return stringkernel.Bytes
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
		k = compose.Normalized{Kernel: k}
	}
	if t.From != 0 || t.To != 0 || drop > 0 {
		if t.OfStructures() || drop == 0 && len(columns) > 0 {
			return nil, fmt.Errorf("%s: from, to and columns of numbers are of sequences and texts", t.Name)
		}
		k = compose.Part{Kernel: k, From: max(0, t.From-1), To: t.To, Drop: drop}
	}
	if err := t.checkFourier(); err != nil {
		return nil, err
	}
	switch {
	case t.Fourier != 0:
		k = compose.Fourier{Kernel: k, Gamma: t.RBF, Features: t.Fourier, Seed: uint64(t.Seed)}
	case t.RBF != 0 || t.Quantile != 0:
		k = compose.RBF{Kernel: k, Gamma: t.RBF, Quantile: t.Quantile}
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

// SpecOf returns the specification of a kernel of [Default]: see [Catalogue.SpecOf].
func SpecOf(k stringkernel.Kernel) (Spec, error) { return Catalogue(nil).SpecOf(k) }

// SpecOf returns the specification that [Spec.Compile] makes a kernel of, whether it was compiled from one or written
// in Go, fitted or not: compose.Normalized{Kernel: spectrum.Kernel{K: 6}} has one too. That of a fitted kernel has what
// was learned, such as the γ of rbf=median, as numbers. The error names a kernel whose type is not in the catalogue, or
// one that is composed otherwise.
func (c Catalogue) SpecOf(k stringkernel.Kernel) (Spec, error) {
	d := decomposition{catalogue: c}
	f, err := d.formula(k)
	if err != nil {
		return Spec{}, err
	}
	s := d.spec(f)
	return s, s.checkLength()
}

// termOf is the inverse of compile.
func (c Catalogue) termOf(k stringkernel.Kernel) (t Term, normalized bool, err error) {
	if low, ok := k.(compose.LowRank); ok {
		t.Rank, k = low.Rank, low.Kernel
	}
	switch gaussian := k.(type) {
	case compose.RBF:
		t.RBF, t.Quantile, k = gaussian.Gamma, gaussian.Quantile, gaussian.Kernel
	case compose.Fourier:
		t.RBF, t.Fourier, t.Seed, k = gaussian.Gamma, gaussian.Features, int(gaussian.Seed), gaussian.Kernel
	}
	if part, ok := k.(compose.Part); ok {
		if t.To, k = part.To, part.Kernel; part.From != 0 || part.To == 0 && part.Drop == 0 {
			t.From = part.From + 1
		}
	}
	if cosine, ok := k.(compose.Normalized); ok {
		normalized, k = true, cosine.Kernel
	}
	wrapper, wrapped := k.(compose.BothStrands)
	if wrapped {
		k = wrapper.Kernel
	}
	t.RC = wrapped
	if own := compose.StrandedOf(k); own != nil {
		one, both := own.OneStrand()
		if wrapped && both {
			return t, false, fmt.Errorf("both strands of a kernel of type %T that counts both strands itself", k)
		}
		k, t.RC = one, wrapped || both
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
	if wrapped && wrapper.Alphabet != t.Alphabet() {
		return t, false, fmt.Errorf("both strands of %s, but the kernel %s", wrapper.Alphabet, t)
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
