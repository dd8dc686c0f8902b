package catalog

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/seqsvm/seqsvm/internal/subset"
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
//	A+B, 0.3*A + B^2       a formula of kernels, each of which may be a grid
//	(A + B):rbf=0.1/1      with alternatives after parentheses too
//
// A kernel's name alone is the grid of its entry ([Entry].Grid), if it has one. The value after an @ is a file name,
// not a list. The last item varies fastest, so that a grid goes from simple to complex if its values do. Duplicates are
// listed once. Parameters are not checked: Parse does.
func (c Catalogue) ParseGrid(text string) ([][]string, error) {
	var g gridText
	if err := g.read(c, text); err != nil {
		return nil, fmt.Errorf("kernel %q: %w", text, err)
	}
	kernels := [][]string{nil}
	for _, slot := range g.slots {
		if len(kernels)*len(slot.choices) > mostGrid {
			return nil, fmt.Errorf("kernel %q: more than %d kernels, want a smaller grid", text, mostGrid)
		}
		kernels = combined(kernels, slot.choices, func(choices []string, choice string) []string {
			return append(slices.Clone(choices), choice)
		})
	}
	if g.plain {
		return kernels, nil
	}
	for i, choices := range kernels {
		kernels[i] = []string{g.with(choices)}
	}
	return kernels, nil
}

// gridText is the text of a grid, and the places in it where there are alternatives, in order.
type gridText struct {
	text  string
	slots []slot
	plain bool // a mean of kernels, with a slot for each
}

type slot struct {
	lo, hi  int // the place
	choices []string
}

// read finds the places.
func (t *gridText) read(c Catalogue, text string) error {
	t.text = text
	var g *grammar
	g = c.grammar(text, func(kernel string) error {
		choices, err := c.termGrid(kernel)
		t.slots = append(t.slots, slot{g.start, g.start + len(kernel), subset.Distinct(choices)})
		return err
	})
	g.parameters = func(text string) (group, error) {
		lists, err := itemGrid(text)
		choices := make([]string, len(lists))
		for i, list := range lists {
			if len(list) > 0 {
				choices[i] = ":" + strings.Join(list, ",")
			}
		}
		t.slots = append(t.slots, slot{g.start - 1, g.start + len(text), subset.Distinct(choices)})
		return group{normalize: true}, err // whatever they are
	}
	f, err := g.parse()
	t.plain = f.plain()
	return err
}

// with returns the text with a choice in each place.
func (t *gridText) with(choices []string) string {
	var b strings.Builder
	at := 0
	for i, slot := range t.slots {
		b.WriteString(t.text[at:slot.lo])
		b.WriteString(choices[i])
		at = slot.hi
	}
	b.WriteString(t.text[at:])
	return b.String()
}

// combined combines each of some lists with each of some items, the items varying fastest.
func combined[A, B any](lists []A, items []B, join func(A, B) A) []A {
	out := make([]A, 0, len(lists)*len(items))
	for _, list := range lists {
		for _, item := range items {
			out = append(out, join(list, item))
		}
	}
	return out
}

func (c Catalogue) startsWithName(text string) bool {
	end := strings.IndexAny(text, ":+*^) ")
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
	items, err := itemGrid(rest)
	if err != nil {
		return nil, err
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

// itemGrid lists the items of each of the kernels of a grid of parameters.
func itemGrid(parameters string) ([][]string, error) {
	items := [][]string{nil}
	for _, item := range strings.Split(parameters, ",") {
		choices, err := alternatives(item)
		if err != nil {
			return nil, err
		}
		if len(items)*len(choices) > mostGrid {
			return nil, fmt.Errorf("more than %d kernels, want a smaller grid", mostGrid)
		}
		items = combined(items, choices, func(list []string, choice string) []string {
			if choice == "" {
				return list
			}
			return append(slices.Clone(list), choice)
		})
	}
	return items, nil
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
