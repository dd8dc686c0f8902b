package catalog

import (
	"cmp"
	"errors"
	"fmt"
	"reflect"
	"slices"
	"strconv"
	"strings"

	"github.com/seqsvm/seqsvm/bow"
	"github.com/seqsvm/seqsvm/internal/memory"
	"github.com/seqsvm/seqsvm/internal/subset"
	"github.com/seqsvm/seqsvm/spectrum"
	"github.com/seqsvm/seqsvm/spectrum/gapped"
	"github.com/seqsvm/seqsvm/stringkernel"
	"github.com/seqsvm/seqsvm/stringkernel/substring"
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
	if columns != nil && f.pairs() {
		return nil, errors.New("columns of numbers beside pairs: the numbers would be those of the right side, want none")
	}
	return f.compile(terms)
}

// Columns lists the names of the columns of numbers that the kernels compare, each once: records have one after another
// at their ends ([stringkernel.AppendNumber]), which no other kernel then sees.
func (s Spec) Columns() (names []string) {
	for _, t := range s.Terms {
		if numbers, ok := t.Kernel.(table.Kernel); ok {
			names = append(names, numbers.Names()...)
		}
	}
	return subset.Distinct(names)
}

// WithColumns returns the specification with what patterns of columns stand for in records that were read, by
// pattern. Nil leaves it as it is.
func (s Spec) WithColumns(found map[string][]string) Spec {
	s.Terms = slices.Clone(s.Terms)
	for i, t := range s.Terms {
		if numbers, ok := t.Kernel.(table.Kernel); ok && found != nil {
			s.Terms[i].Kernel = numbers.With(found)
		}
	}
	return s
}

// OfNumbers reports whether all kernels compare numbers beside the letters of records, so that there need be none.
func (s Spec) OfNumbers() bool {
	return !slices.ContainsFunc(s.Terms, func(t Term) bool { return !t.OfNumbers() })
}

// Check returns the error of Compile(a). It compiles the terms whose alphabet is known in place, so that Compile need
// not do it again.
func (s *Spec) Check(a stringkernel.Alphabet) error {
	for i, t := range s.Terms {
		if t.Kernel == nil || a != "" && t.Alphabet() == "" {
			continue
		}
		if k, err := stringkernel.Compile(t.Kernel); err == nil && reflect.TypeOf(k) == reflect.TypeOf(t.Kernel) {
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
// another length than the windows of a model, unless that is 0; or whose k(x, x) would take too much memory.
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
		if s.Normalize && sortsRecords(kernel) {
			checks = append(checks, checkNorm)
		}
	}
	if s.OfPairs() {
		checks = []func(x []byte) error{stringkernel.CheckPair} // the others are of whole records
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

// OfPairs reports whether the kernel compares pairs of sequences.
func (s Spec) OfPairs() bool {
	f, err := s.formula()
	return err == nil && f.pairs()
}

// sortsRecords reports whether k(x, x) takes memory for each letter of x.
func sortsRecords(kernel stringkernel.Kernel) bool {
	switch k := kernel.(type) {
	case spectrum.Kernel:
		return k.Count != "" || k.TFIDF
	case gapped.Kernel, gapped.Mismatch, substring.Kernel, bow.Sequence:
		return true
	}
	return false
}

// checkNorm returns an error if k(x, x) of a record would take too much memory.
func checkNorm(x []byte) error {
	const perLetter = 40 // of sorted features, with room for the garbage collector
	if err := memory.Check(perLetter * float64(len(x))); err != nil {
		return fmt.Errorf("the norm of %d letters needs %w; cut the record, or scan its windows", len(x), err)
	}
	return nil
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

// SpecOf returns the specification of a kernel of [Default]: see [Catalogue.SpecOf].
func SpecOf(k stringkernel.Kernel) (Spec, error) { return Catalogue(nil).SpecOf(k) }

// SpecOf returns the specification that [Spec.Compile] makes a kernel of, whether it was compiled from one or written
// in Go, fitted or not: compose.Normalized(spectrum.Kernel{K: 6}) has one too. That of a fitted kernel has what
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
