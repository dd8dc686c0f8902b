package catalog

import (
	"errors"
	"fmt"
	"io"
	"math"
	"os"
	"reflect"
	"strconv"
	"strings"
	"unicode/utf8"

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
//	                     its Gaussian; rank=R, its approximation
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
	names := []string{"normalize", "exp", "rbf", "rank"}
	for _, item := range strings.Split(text, ",") {
		key, value, hasValue := strings.Cut(item, "=")
		before := g
		switch key {
		case "normalize":
			err = assign(reflect.ValueOf(&g.normalize).Elem(), key, value, hasValue)
		case "exp":
			if err = assign(reflect.ValueOf(&g.exp).Elem(), key, value, hasValue); err == nil && g.exp <= 0 {
				err = fmt.Errorf("exp = %v, want a number > 0", g.exp)
			}
		case "rbf":
			if err = needsValue(reflect.TypeOf(g.rbf), key, value, hasValue); err == nil {
				g.rbf, g.quantile, err = parseGamma(value)
			}
		case "rank":
			if err = assign(reflect.ValueOf(&g.rank).Elem(), key, value, hasValue); err == nil && g.rank < 1 {
				err = fmt.Errorf("rank = %d, want at least 1", g.rank)
			}
		default:
			err = fmt.Errorf("%q after parentheses, want one of: %s%s", key, strings.Join(names, ", "),
				suggest.Hint(key, names))
		}
		if err == nil && before == g {
			err = fmt.Errorf("%q after parentheses is given twice, or changes nothing", item)
		}
		if err != nil {
			return g, err
		}
	}
	if g.exp != 0 && (g.rbf != 0 || g.quantile != 0) {
		return g, errors.New("exp and rbf after the same parentheses, want one of them")
	}
	return g, nil
}

const median = 0.5

// parseGamma reads γ, or the quantile that it is learned from.
func parseGamma(text string) (gamma, quantile float64, err error) {
	if text == "median" {
		return 0, median, nil
	}
	if rest, learned := strings.CutPrefix(text, "q"); learned {
		if quantile, err = parseNumber(rest); err != nil || !(quantile > 0 && quantile < 1) {
			return 0, 0, fmt.Errorf("rbf = %q, want q and a number between 0 and 1, such as q0.1", text)
		}
		return 0, quantile, nil
	}
	if gamma, err = parseNumber(text); err != nil {
		return 0, 0, fmt.Errorf("rbf = %q, want a number, median or a quantile such as q0.1", text)
	}
	if gamma <= 0 {
		return 0, 0, fmt.Errorf("rbf = %v, want γ > 0", gamma)
	}
	return gamma, 0, nil
}

// term reads one kernel.
func (c Catalogue) term(text string) (Term, error) {
	name, rest, hasParameters := strings.Cut(text, ":")
	entry, err := c.find(name)
	if err != nil {
		return Term{}, err
	}
	if entry.Alone != "" && !hasParameters {
		return c.term(entry.Alone)
	}
	var items []string
	if hasParameters {
		items = strings.Split(rest, ",")
	}
	kernel := settable(entry.Defaults)
	term := Term{Name: name}
	given := map[string]bool{}
	for _, item := range items {
		if item == "" {
			return Term{}, fmt.Errorf("a parameter is missing in %q, want KEY=VALUE or FLAG, separated by commas", rest)
		}
		key, value, hasValue := strings.Cut(item, "=")
		if given[key] {
			return Term{}, fmt.Errorf("parameter %q is given twice", key)
		}
		given[key] = true
		switch key {
		case "rc":
			err = assign(reflect.ValueOf(&term.RC).Elem(), key, value, hasValue)
		case "rbf":
			if err = needsValue(reflect.TypeOf(term.RBF), key, value, hasValue); err == nil {
				term.RBF, term.Quantile, err = parseGamma(value)
			}
		case "from":
			if err = assign(reflect.ValueOf(&term.From).Elem(), key, value, hasValue); err == nil && term.From < 1 {
				err = fmt.Errorf("from = %d, want at least 1", term.From)
			}
		case "to":
			if err = assign(reflect.ValueOf(&term.To).Elem(), key, value, hasValue); err == nil && term.To < 1 {
				err = fmt.Errorf("to = %d, want at least 1", term.To)
			}
		case "raw":
			err = assign(reflect.ValueOf(&term.Raw).Elem(), key, value, hasValue)
		case "fourier":
			err = assign(reflect.ValueOf(&term.Fourier).Elem(), key, value, hasValue)
			if err == nil && term.Fourier < 2 {
				err = fmt.Errorf("fourier = %d, want at least 2", term.Fourier)
			}
		case "seed":
			if err = assign(reflect.ValueOf(&term.Seed).Elem(), key, value, hasValue); err == nil && term.Seed < 0 {
				err = fmt.Errorf("seed = %d, want at least 0", term.Seed)
			}
		case "rank":
			if err = assign(reflect.ValueOf(&term.Rank).Elem(), key, value, hasValue); err == nil && term.Rank < 1 {
				err = fmt.Errorf("rank = %d, want at least 1", term.Rank)
			}
		default:
			err = entry.set(kernel, key, value, hasValue)
		}
		if err != nil {
			return Term{}, err
		}
	}
	if err := term.checkFourier(); err != nil {
		return Term{}, err
	}
	term.Kernel = kernel.Interface().(stringkernel.Kernel)
	if entry.Adjust != nil {
		term.Kernel = entry.Adjust(term.Kernel, given)
	}
	return term, nil
}

// set assigns one parameter of a kernel's struct.
func (e Entry) set(kernel reflect.Value, key, value string, hasValue bool) error {
	if field := parameter(kernel, key); field.IsValid() {
		return assign(field, key, value, hasValue)
	}
	var names []string
	for _, p := range e.Parameters() {
		names = append(names, p.Name)
	}
	return fmt.Errorf("unknown parameter %q, want one of: %s%s", key, strings.Join(names, ", "),
		suggest.Hint(key, names))
}

func assign(target reflect.Value, key, value string, hasValue bool) error {
	if target.Kind() == reflect.Bool {
		on, err := true, error(nil)
		if hasValue {
			on, err = strconv.ParseBool(value)
		}
		if err != nil {
			return fmt.Errorf("%s = %q, want the flag alone, true or false", key, value)
		}
		target.SetBool(on)
		return nil
	}
	if err := needsValue(target.Type(), key, value, hasValue); err != nil {
		return err
	}
	switch target.Kind() {
	case reflect.Int:
		n, err := strconv.Atoi(value)
		if err != nil {
			return fmt.Errorf("%s = %q, want an integer", key, value)
		}
		target.SetInt(int64(n))
	case reflect.Float64:
		x, err := parseNumber(value)
		if err != nil {
			return fmt.Errorf("%s = %q, want a number", key, value)
		}
		target.SetFloat(x)
	case reflect.Slice:
		var err error
		switch list := target.Addr().Interface().(type) {
		case *[]string:
			*list, err = parseWords(value)
		case *[]float64:
			*list, err = parseNumbers(value)
		}
		if err != nil {
			return fmt.Errorf("%s: %w", key, err)
		}
	default:
		target.SetString(value)
	}
	return nil
}

func needsValue(t reflect.Type, key, value string, hasValue bool) error {
	if !hasValue || value == "" {
		return fmt.Errorf("parameter %q has no value, want %s=%s", key, key, typeName(t))
	}
	return nil
}

func parseNumber(text string) (float64, error) {
	x, err := strconv.ParseFloat(text, 64)
	if err == nil && (math.IsNaN(x) || math.IsInf(x, 0)) {
		err = strconv.ErrRange
	}
	return x, err
}

// parseNumbers reads a list in the specification itself or, after an @, in a file.
func parseNumbers(text string) ([]float64, error) {
	items, err := itemsOf(text, strings.Fields)
	list := make([]float64, len(items))
	for i, item := range items {
		if list[i], err = parseNumber(item); err != nil {
			return nil, fmt.Errorf("number %d is %.40q, want a number", i+1, item)
		}
	}
	return list, err
}

// parseWords reads a list in the specification itself or, after an @, in a file: a word or phrase per line, except
// blank lines and lines that begin with #.
func parseWords(text string) ([]string, error) {
	items, err := itemsOf(text, func(content string) []string { return strings.Split(content, "\n") })
	if err != nil {
		return nil, err
	}
	var list []string
	for i, item := range items {
		item = strings.TrimSpace(item)
		switch {
		case text[0] == '@' && (item == "" || strings.HasPrefix(item, "#")):
		case !utf8.ValidString(item):
			return nil, fmt.Errorf("word %d, %.40q, is not UTF-8; convert the file", i+1, item)
		case item == "":
			return nil, fmt.Errorf("word %d is missing, want words separated by colons", i+1)
		default:
			list = append(list, item)
		}
	}
	if len(list) == 0 {
		return nil, fmt.Errorf("%s has no words, want one per line", text[1:])
	}
	return list, nil
}

// itemsOf splits a list at colons or, after an @, what a file holds.
func itemsOf(text string, split func(content string) []string) ([]string, error) {
	path, inFile := strings.CutPrefix(text, "@")
	if !inFile {
		return strings.Split(text, ":"), nil
	}
	content, err := contentOf(path)
	return split(content), err
}

// contentOf reads a file with a list.
func contentOf(path string) (string, error) {
	const most = 32 << 20 // bytes: room for a longer list than a kernel takes
	f, err := os.Open(path)
	if err != nil {
		return "", err
	}
	defer f.Close()
	content, err := io.ReadAll(io.LimitReader(f, most+1))
	if err != nil {
		return "", err
	}
	if len(content) > most {
		return "", fmt.Errorf("%s has more than %d bytes, want a shorter list", path, most)
	}
	return string(content), nil
}
