package catalog

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
)

// mostGrid bounds the kernels of a grid, before any is made.
const mostGrid = 100_000

// ParseGrid lists the kernels of a grid, each as the texts of its terms for Parse. A grid is written like a kernel,
// with alternatives in place of values:
//
//	k=3/5/8                each of these values
//	k=3..6                 3, 4, 5 and 6; 2..10..4 is 2, 6 and 10
//	tfidf/-                with the flag and without
//	binary/sublinear/-     one of the flags or none
//	-/mindf=2/3            without, and with each of the values
//	A+B                    the mean of two kernels, each of which may be a grid
//
// A kernel's name alone is the grid of its entry ([Entry].Grid), if it has one. The value after an @ is a file name,
// not a list. The last item varies fastest, so that a grid goes from simple to complex if its values do. Duplicates are
// listed once. Parameters are not checked: Parse does.
func (c Catalogue) ParseGrid(text string) ([][]string, error) {
	kernels := [][]string{nil}
	for _, term := range c.splitTerms(text) {
		list, err := c.termGrid(term)
		if err != nil {
			return nil, fmt.Errorf("kernel %q: %w", text, err)
		}
		if list = distinct(list); len(kernels)*len(list) > mostGrid {
			return nil, fmt.Errorf("kernel %q: more than %d kernels, want a smaller grid", text, mostGrid)
		}
		kernels = product(kernels, list, func(terms []string, term string) []string {
			return append(slices.Clone(terms), term)
		})
	}
	return kernels, nil
}

// product combines each of some lists with each of some items, the items varying fastest.
func product[A, B any](lists []A, items []B, join func(A, B) A) []A {
	out := make([]A, 0, len(lists)*len(items))
	for _, list := range lists {
		for _, item := range items {
			out = append(out, join(list, item))
		}
	}
	return out
}

// splitTerms splits at each + that is followed by a kernel's name, not at one in a number or a file name.
func (c Catalogue) splitTerms(text string) []string {
	var terms []string
	start := 0
	for i := range text {
		if text[i] == '+' && c.startsWithName(text[i+1:]) {
			terms = append(terms, text[start:i])
			start = i + 1
		}
	}
	return append(terms, text[start:])
}

func (c Catalogue) startsWithName(text string) bool {
	end := strings.IndexAny(text, ":+")
	if end < 0 {
		end = len(text)
	}
	_, err := c.find(text[:end])
	return err == nil
}

// termGrid lists the texts of one term, some perhaps several times.
func (c Catalogue) termGrid(term string) (texts []string, err error) {
	name, rest, hasParameters := strings.Cut(term, ":")
	entry, err := c.find(name)
	switch {
	case err != nil:
		return nil, err
	case !hasParameters && len(entry.Grid) > 0:
		for _, grid := range entry.Grid {
			part, err := c.termGrid(grid)
			if err != nil {
				return nil, err
			}
			texts = append(texts, part...)
		}
		return texts, nil
	case !hasParameters:
		return []string{term}, nil
	}
	items := [][]string{nil}
	for _, item := range strings.Split(rest, ",") {
		choices, err := alternatives(item)
		if err != nil {
			return nil, err
		}
		if len(items)*len(choices) > mostGrid {
			return nil, fmt.Errorf("more than %d kernels, want a smaller grid", mostGrid)
		}
		items = product(items, choices, func(list []string, choice string) []string {
			if choice == "" {
				return list
			}
			return append(slices.Clone(list), choice)
		})
	}
	for _, list := range items {
		switch {
		case len(list) > 0:
			texts = append(texts, name+":"+strings.Join(list, ","))
		case entry.Alone != "":
			texts = append(texts, Term{Name: name, Kernel: entry.Defaults}.String()) // the name alone is another kernel
		default:
			texts = append(texts, name)
		}
	}
	return texts, nil
}

// distinct leaves out duplicates.
func distinct(texts []string) (once []string) {
	seen := make(map[string]bool, len(texts))
	for _, text := range texts {
		if !seen[text] {
			seen[text] = true
			once = append(once, text)
		}
	}
	return once
}

// alternatives lists what may replace an item, "" for nothing: what is between slashes is a flag or, after KEY=, a
// value of that key.
func alternatives(item string) ([]string, error) {
	if item == "" {
		return []string{","}, nil // not "", so that Parse refuses it
	}
	var list []string
	seen := map[string]bool{}
	key := ""
	for rest, more := item, true; more; {
		var piece string
		piece, rest, more = nextPiece(rest)
		if name, value, named := strings.Cut(piece, "="); named && !strings.HasPrefix(piece, "@") {
			key, piece = name+"=", value
		}
		values, err := valuesOf(piece)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", item, err)
		}
		for _, v := range values {
			choice := key + v
			if v == "-" {
				choice = ""
			}
			if seen[choice] {
				return nil, fmt.Errorf("%s: duplicate value %q", item, v)
			}
			seen[choice] = true
			list = append(list, choice)
		}
	}
	return list, nil
}

// nextPiece cuts an item at its first slash; a file name, after an @, goes to the end.
func nextPiece(item string) (piece, rest string, more bool) {
	slash := strings.Index(item, "/")
	if at := strings.Index(item, "=@"); slash < 0 || at >= 0 && at < slash || strings.HasPrefix(item, "@") {
		return item, "", false
	}
	return item[:slash], item[slash+1:], true
}

// valuesOf lists a range FROM..TO or FROM..TO..STEP of integers, or returns the value itself, as it does a file name.
func valuesOf(value string) ([]string, error) {
	if value == "" {
		return nil, fmt.Errorf("an alternative is missing, want values separated by /")
	}
	ends := strings.Split(value, "..")
	if len(ends) < 2 || strings.HasPrefix(value, "@") {
		return []string{value}, nil
	}
	numbers := make([]int, len(ends))
	for i, end := range ends {
		var err error
		if numbers[i], err = strconv.Atoi(end); err != nil {
			return nil, fmt.Errorf("range %q, want FROM..TO or FROM..TO..STEP in integers", value)
		}
	}
	step := 1
	if len(numbers) == 3 {
		step = numbers[2]
	}
	from, to := numbers[0], numbers[1]
	if len(numbers) > 3 || step < 1 || to < from {
		return nil, fmt.Errorf("range %q does not ascend, want FROM..TO or FROM..TO..STEP", value)
	}
	steps := (uint64(to) - uint64(from)) / uint64(step) // TO − FROM may be more than an int holds
	if steps >= mostGrid {
		return nil, fmt.Errorf("range %q has more than %d values", value, mostGrid)
	}
	list := make([]string, steps+1)
	for i := range list {
		list[i] = strconv.Itoa(from + i*step)
	}
	return list, nil
}
