package tagging

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/seqsvm/seqsvm/classify/chain"
	"github.com/seqsvm/seqsvm/internal/intern"
	"github.com/seqsvm/seqsvm/seqio/tokens"
)

// Features say what of a token and its neighbours a machine sees, as a text such as words:width=2,suffix=4: see the
// package comment.
type Features struct {
	text string
	of   featureMap
}

// String returns the text.
func (f *Features) String() string { return f.text }

// OfLetters reports whether the features are of letters, not of words.
func (f *Features) OfLetters() bool {
	_, is := f.of.(*letters)
	return is
}

// WordColumn returns the 1-based column of the words, 0 of letters.
func (f *Features) WordColumn() int {
	if w, ok := f.of.(*words); ok {
		return w.column
	}
	return 0
}

// Columns returns the number of columns of training and the 1-based one of the tags, both 0 of letters.
func (f *Features) Columns() (count, tag int) {
	c := f.of.columns()
	return c.Count, c.Tag
}

// featureMap numbers the features of a corpus of training, and finds those of any corpus.
type featureMap interface {
	// fit numbers the features that training has.
	fit(c *tokens.Corpus, tag int) error
	// check returns an error if a corpus lacks what the features need.
	check(c *tokens.Corpus) error
	// rows returns the features of all tokens.
	rows(c *tokens.Corpus) chain.Rows
	// features returns their number.
	features() int
	// name returns a feature in words.
	name(feature int32) string
	// terms returns what is stored of the map besides its text, and restore takes it.
	terms() *intern.Terms
	restore(c columns) error
	columns() columns
}

// columns are those of the lines of training.
type columns struct {
	Count int `json:"columns"` // 0 of letters
	Tag   int `json:"tag"`     // 1-based, 0 of letters
}

// options are the numbers of a text, by name.
type options struct {
	width, lower, shape, prefix, suffix, grams, pairs, columnWidth, least, column, composition, classes int
	alphabet                                                                                            string
	lists                                                                                               []string
}

// option is a parameter of a text.
type option struct {
	name        string
	value       *int
	least, most int
}

// left out, of the width of a window.
const absent = -1

// mostWidth bounds windows, mostLists the number of dictionaries.
const mostWidth, mostLists = 50, 64

// ParseFeatures reads a text, and the files of its dictionaries.
func ParseFeatures(text string) (*Features, error) { return parseFeatures(text, readDictionary) }

func parseFeatures(text string, dictionaryOf func(path string) (*dictionary, error)) (*Features, error) {
	name, rest, _ := strings.Cut(text, ":")
	o := options{width: 2, lower: 2, shape: 2, prefix: 4, suffix: 4, grams: 4, pairs: 2, classes: 1, columnWidth: absent,
		least: 1, column: 1}
	list := []option{
		{"width", &o.width, absent, mostWidth}, {"lower", &o.lower, absent, mostWidth},
		{"shape", &o.shape, absent, mostWidth}, {"prefix", &o.prefix, 0, 20}, {"suffix", &o.suffix, 0, 20},
		{"grams", &o.grams, 0, 8}, {"pairs", &o.pairs, 0, 2}, {"classes", &o.classes, absent, mostWidth},
		{"columns", &o.columnWidth, absent, mostWidth},
		{"min", &o.least, 1, 1 << 30}, {"column", &o.column, 1, 1 << 10},
	}
	switch name {
	case "words":
	case "letters":
		o = options{width: 8, pairs: 4, composition: 0, alphabet: "protein"}
		list = []option{
			{"width", &o.width, 0, mostWidth}, {"pairs", &o.pairs, 0, 2 * mostWidth}, {"composition", &o.composition, 0, 20},
		}
	default:
		return nil, fmt.Errorf("features %q, want words:… or letters:…", name)
	}
	if err := o.parse(name, rest, list); err != nil {
		return nil, err
	}
	f := &Features{text: text}
	if name == "letters" {
		l, err := newLetters(o)
		f.of = l
		return f, err
	}
	if len(o.lists) > mostLists {
		return nil, fmt.Errorf("features words: %d lists, want at most %d", len(o.lists), mostLists)
	}
	w := &words{options: o}
	for _, path := range o.lists {
		d, err := dictionaryOf(path)
		if err != nil {
			return nil, err
		}
		w.dictionaries = append(w.dictionaries, d)
	}
	f.of = w
	return f, nil
}

// parse reads KEY=VALUE,…; a key alone is 1.
func (o *options) parse(name, text string, list []option) error {
	given := map[string]bool{}
	for _, part := range strings.FieldsFunc(text, func(r rune) bool { return r == ',' }) {
		key, value, has := strings.Cut(part, "=")
		if given[key] && key != "list" {
			return fmt.Errorf("features %s: %s is given twice", name, key)
		}
		given[key] = true
		switch {
		case key == "list" && name == "words" && value != "":
			o.lists = append(o.lists, value)
			continue
		case key == "alphabet" && name == "letters":
			o.alphabet = value
			continue
		}
		at := slices.IndexFunc(list, func(p option) bool { return p.name == key })
		if at < 0 {
			return fmt.Errorf("features %s have no %q, want one of %s", name, key, strings.Join(optionNames(name, list), ", "))
		}
		p, n := list[at], 1
		var err error
		if has {
			if n, err = strconv.Atoi(value); value == "off" && p.least == absent {
				n, err = absent, nil
			}
		}
		if err != nil || n < p.least || n > p.most {
			return fmt.Errorf("features %s: %s=%s, want a whole number, %d to %d", name, key, value, max(0, p.least), p.most)
		}
		*p.value = n
	}
	return nil
}

func optionNames(name string, list []option) (names []string) {
	for _, p := range list {
		names = append(names, p.name)
	}
	if name == "words" {
		return append(names, "list")
	}
	return append(names, "alphabet")
}
