package catalog

import (
	"errors"
	"fmt"
	"reflect"
	"slices"
	"strings"

	"github.com/seqsvm/seqsvm/internal/suggest"
	"github.com/seqsvm/seqsvm/stringkernel"
)

// Parse reads specifications of the kernels of [Default]: see [Catalogue.Parse].
func Parse(terms ...string) (Spec, error) { return Catalogue(nil).Parse(terms...) }

// Parse reads one or more kernels, each NAME or NAME:KEY=VALUE,FLAG,…, for example "spectrum:k=6,rc", or a formula of
// kernels:
//
//	A + B, 0.3*A + B     the mean, by weights if there are any
//	A * B                the product
//	A^2, (A + 1)^2       the power, of A and a constant too, divided by what it is for A = 1
//	(A + B):KEY=VALUE,…  of what is in parentheses, in this order: normalize; exp=S, that is exp(S·(k − 1)), or rbf=γ,
//	                     its Gaussian, approximated by fourier=M,seed=N; rank=R, its approximation
//
// Several texts are those of one sum. The specification is of normalised kernels, but for those with the flag raw; set
// Normalize to false for the kernels as they are.
//
// γ is a number, or learned from the training records: median, or q0.1 for another quantile of their distances.
//
// Items of a list are separated by colons (weights=1:0.5:0.25, stop=the:of) or are those of a file: @FILE with numbers
// separated by white space, or with one word per line. A name alone has the defaults of its parameters, except words,
// which alone is words:ngram=1-2,sublinear,tfidf.
//
// The alphabet may be left open. [Spec.Compile] settles it and checks that the parameters are in range.
func (c Catalogue) Parse(texts ...string) (Spec, error) {
	spec := Spec{Normalize: true}
	if len(texts) == 0 {
		return spec, nil
	}
	text := strings.Join(texts, " + ")
	g := c.grammar(text, func(text string) error {
		term, err := c.term(text)
		if err != nil {
			return fmt.Errorf("kernel %q: %w", text, err)
		}
		spec.Terms = append(spec.Terms, term)
		return nil
	})
	f, err := g.parse()
	switch {
	case errors.As(err, new(kernelError)):
		return Spec{}, err
	case err != nil:
		return Spec{}, fmt.Errorf("kernel %q: %w", text, err)
	}
	spec.setFormula(f)
	return spec, nil
}

// TermTexts returns the part of texts that gives each Term of [Catalogue.Parse], in its order. It is as typed;
// [Term.String] writes the parameters in the kernel's order.
func (c Catalogue) TermTexts(texts ...string) (list []string) {
	g := c.grammar(strings.Join(texts, " + "), func(text string) error {
		list = append(list, text)
		return nil
	})
	_, _ = g.parse() // Parse has the error
	return list
}

// kernelError is an error about one kernel of a formula.
type kernelError struct{ error }

func (e kernelError) Unwrap() error { return e.error }

// grammar returns that of formulas of the catalogue's kernels, which are numbered as they come.
func (c Catalogue) grammar(text string, kernel func(text string) error) *grammar {
	terms := 0
	return &grammar{text: text, starts: c.startsWithName, parameters: parseGroup, term: func(text string) (int, error) {
		if err := kernel(text); err != nil {
			return 0, kernelError{err}
		}
		terms++
		return terms - 1, nil
	}}
}

// parseGroup reads what stands after parentheses.
func parseGroup(text string) (g group, err error) {
	names := []string{"pair", "normalize", "exp", "rbf", "fourier", "seed", "rank"}
	for _, item := range strings.Split(text, ",") {
		before := g
		switch p := settingOf(item); p.key {
		case "pair":
			if g.pair = ordered; p.hasValue {
				g.pair = p.value
			}
			if g.pair != ordered && g.pair != symmetric {
				err = fmt.Errorf("pair = %.80q, want the flag alone or symmetric", p.value)
			}
		case "normalize":
			err = p.assign(reflect.ValueOf(&g.normalize).Elem())
		case "exp":
			if err = p.assign(reflect.ValueOf(&g.exp).Elem()); err == nil && g.exp <= 0 {
				err = fmt.Errorf("exp = %v, want a number > 0", g.exp)
			}
		default:
			var known bool
			if known, err = g.set(reflect.ValueOf(&g.Around).Elem(), p); !known {
				err = fmt.Errorf("%q after parentheses, want one of: %s%s", p.key, strings.Join(names, ", "),
					suggest.Hint(p.key, names))
			}
		}
		if err == nil && before == g {
			err = fmt.Errorf("%q after parentheses is given twice, or changes nothing", item)
		}
		if err != nil {
			return g, err
		}
	}
	if g.exp != 0 && g.gaussian() {
		return g, errors.New("exp and rbf after the same parentheses, want one of them")
	}
	return g, nil
}

// term reads one kernel.
func (c Catalogue) term(text string) (Term, error) {
	name, rest, hasParameters := strings.Cut(text, ":")
	entry, err := c.find(name)
	if err != nil {
		return Term{}, err
	}
	if !hasParameters {
		if entry.Alone != "" {
			return c.term(entry.Alone)
		}
		return c.termBy(entry, nil)
	}
	settings, err := parseSettings(rest)
	if err != nil {
		return Term{}, err
	}
	number := settings[0].key
	if p := entry.Parameters()[0]; number != "" && strings.Trim(number, "0123456789") == "" && p.Type == "integer" {
		return Term{}, fmt.Errorf("%q is no parameter; did you mean %q?", number, name+":"+p.Name+"="+number)
	}
	for _, p := range settings {
		if slices.Contains(entry.With, p.key) {
			asked := name + " with " + p.key
			term, err := c.termBy(entry.other(), settings)
			if err != nil {
				return Term{}, fmt.Errorf("%s is %s: %w", asked, entry.Other.Name, err)
			}
			term.asked = asked
			return term, nil
		}
	}
	return c.termBy(entry, settings)
}

// other returns Other with the defaults of this entry for the parameters that both have.
func (e Entry) other() Entry {
	from, to := reflect.ValueOf(e.Defaults), settable(e.Other.Defaults)
	for _, f := range fields(from.Type()) {
		if field := parameter(to, f.name); field.IsValid() {
			field.Set(from.FieldByIndex(f.index))
		}
	}
	other := *e.Other
	other.Defaults = to.Interface().(stringkernel.Kernel)
	return other
}

// termBy makes a kernel of the entry with some parameters.
func (c Catalogue) termBy(e Entry, settings []setting) (Term, error) {
	kernel, term, given := settable(e.Defaults), Term{Name: e.Name}, map[string]bool{}
	for i, p := range settings {
		given[p.key] = true
		common, err := term.Around.set(reflect.ValueOf(&term).Elem(), p)
		if err == nil && !common {
			err = e.set(kernel, p)
		}
		if i > 0 && !p.hasValue && !common {
			err = c.hintList(err, kernel, settings[i-1], p.key)
		}
		if err != nil {
			return Term{}, err
		}
	}
	if err := term.check(); err != nil {
		return Term{}, err
	}
	term.Kernel = kernel.Interface().(stringkernel.Kernel)
	if e.Adjust != nil {
		term.Kernel = e.Adjust(term.Kernel, given)
	}
	return term, nil
}

// hintList says how a list is written in the error about a word that follows one after a comma, unless that is a
// parameter of another kernel.
func (c Catalogue) hintList(err error, kernel reflect.Value, list setting, word string) error {
	field := parameter(kernel, list.key)
	if err == nil || !field.IsValid() || field.Kind() != reflect.Slice {
		return err
	}
	for _, e := range c.entries() {
		if parameter(reflect.ValueOf(e.Defaults), word).IsValid() {
			return err
		}
	}
	return fmt.Errorf("%w; a list has colons, as in %s=%s:%s", err, list.key, list.value, word)
}

// set assigns one parameter of a kernel's struct.
func (e Entry) set(kernel reflect.Value, p setting) error {
	for _, f := range fields(kernel.Type()) {
		if f.name != p.key {
			continue
		}
		field := kernel.FieldByIndex(f.index)
		err := p.assign(field)
		if err == nil && f.above && field.Convert(reflect.TypeFor[float64]()).Float() == 0 {
			err = fmt.Errorf("%s = %s, want a number above 0", p.key, p.value)
		}
		return err
	}
	if after := map[string]string{"exp": "exp=2", "normalize": "normalize"}[p.key]; after != "" {
		return fmt.Errorf("unknown parameter %q: it stands after parentheses, as in (A + B):%s", p.key, after)
	}
	var names []string
	for _, known := range e.Parameters() {
		names = append(names, known.Name)
	}
	return fmt.Errorf("unknown parameter %q, want one of: %s%s", p.key, strings.Join(names, ", "),
		suggest.Hint(p.key, names))
}
