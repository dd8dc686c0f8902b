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
)

// setting is KEY=VALUE or a flag.
type setting struct {
	key, value string
	hasValue   bool
}

func settingOf(item string) (p setting) {
	p.key, p.value, p.hasValue = strings.Cut(item, "=")
	return p
}

// parseSettings reads the parameters of a kernel, each of which is given once.
func parseSettings(text string) (settings []setting, err error) {
	given := map[string]bool{}
	for _, item := range strings.Split(text, ",") {
		if item == "" {
			return nil, fmt.Errorf("a parameter is missing in %q, want KEY=VALUE or FLAG, separated by commas", text)
		}
		p := settingOf(item)
		if given[p.key] {
			return nil, fmt.Errorf("parameter %q is given twice", p.key)
		}
		given[p.key] = true
		settings = append(settings, p)
	}
	return settings, nil
}

// assign sets a field or a variable to the value.
func (p setting) assign(target reflect.Value) error {
	if target.Kind() == reflect.Bool {
		on, err := true, error(nil)
		if p.hasValue {
			on, err = strconv.ParseBool(p.value)
		}
		if err != nil {
			return fmt.Errorf("%s = %q, want the flag alone, true or false", p.key, p.value)
		}
		target.SetBool(on)
		return nil
	}
	if err := p.needsValue(target.Type()); err != nil {
		return err
	}
	switch target.Kind() {
	case reflect.Int:
		n, err := strconv.Atoi(p.value)
		if errors.Is(err, strconv.ErrRange) {
			return fmt.Errorf("%s = %.40s, want an integer of 64 bits", p.key, p.value)
		}
		if err != nil {
			return fmt.Errorf("%s = %q, want an integer%s", p.key, p.value, p.gridHint())
		}
		target.SetInt(int64(n))
	case reflect.Float64:
		x, err := parseNumber(p.value)
		if err != nil {
			return fmt.Errorf("%s = %q, want a number%s", p.key, p.value, p.gridHint())
		}
		target.SetFloat(x)
	case reflect.Slice:
		var err error
		switch list := target.Addr().Interface().(type) {
		case *[]string:
			*list, err = parseWords(p.value)
		case *[]float64:
			*list, err = parseNumbers(p.value)
		}
		if err != nil {
			return fmt.Errorf("%s: %w", p.key, err)
		}
	default:
		target.SetString(p.value)
	}
	return nil
}

// gridHint says what takes several values, if the value is several.
func (p setting) gridHint() string {
	if strings.Contains(p.value, "..") || strings.Contains(p.value, "/") {
		return "; several values are a grid, for a search such as tune"
	}
	return ""
}

func (p setting) needsValue(t reflect.Type) error {
	if !p.hasValue || p.value == "" {
		return fmt.Errorf("parameter %q has no value, want %s=%s", p.key, p.key, typeName(t))
	}
	return nil
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

// number writes a number as parseNumber takes it.
func number(x float64) string { return strconv.FormatFloat(x, 'g', -1, 64) }

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
// blank lines and comments: # alone or before a blank. #tag is a word.
func parseWords(text string) ([]string, error) {
	items, err := itemsOf(text, func(content string) []string { return strings.Split(content, "\n") })
	if err != nil {
		return nil, err
	}
	var list []string
	for i, item := range items {
		item = strings.TrimSpace(item)
		switch {
		case text[0] == '@' && (item == "" || strings.HasPrefix(item+" ", "# ")):
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

// contentOf reads a file with a list, without a byte order mark.
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
	return strings.TrimPrefix(string(content), "\ufeff"), nil
}
