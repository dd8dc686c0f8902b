package input

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/seqsvm/seqsvm/cmd/seqsvm/internal/cli"
	"github.com/seqsvm/seqsvm/internal/plural"
	"github.com/seqsvm/seqsvm/internal/subset"
	"github.com/seqsvm/seqsvm/seqio"
	"github.com/seqsvm/seqsvm/stringkernel"
)

// said is what is to be said of inputs when all have been read.
type said struct {
	formats []string            // in the order of the inputs
	paths   map[string][]string // of each
	known   map[string]bool     // paths
	text    bool                // some inputs are text
	foreign int                 // letters of the other nucleic acid
	columns int                 // of numbers
	words   string              // what columns of words became
}

// add takes records that were read.
func (s *said) add(all *Records, inputs []seqio.Input) {
	if s.known == nil {
		s.paths, s.known = map[string][]string{}, map[string]bool{}
	}
	s.foreign += all.Foreign
	for _, set := range all.Sets {
		s.text = s.text || set.Format.Text()
		path := inputs[set.Operand()].Path
		if s.known[path] {
			continue
		}
		s.known[path] = true
		format := set.FormatName()
		if s.paths[format] == nil {
			s.formats = append(s.formats, format)
		}
		s.paths[format] = append(s.paths[format], path)
	}
}

// count counts columns of numbers, and says which are one for each word of a column.
func (s *said) count(names []string) {
	var columns []string
	for _, name := range names {
		if column, _, is := strings.Cut(name, "="); is {
			columns = append(columns, column)
		}
	}
	if s.columns = len(names); columns != nil {
		s.words = ", one for each word of " + someOf(subset.Distinct(columns))
	}
}

// note says what the inputs were taken for, and what their records are.
func (s *said) note(c *cli.Call, a stringkernel.Alphabet, records string) {
	parts := make([]string, len(s.formats))
	for i, format := range s.formats {
		parts[i] = someOf(s.paths[format]) + " as " + format
	}
	if len(parts) > 0 {
		c.Note("reading %s, %s", strings.Join(parts, ", "), records)
	}
	if s.foreign > 0 {
		NoteForeign(c, a)
	}
}

// NoteForeign says that letters of the other nucleic acid were read as those of the alphabet.
func NoteForeign(c *cli.Call, a stringkernel.Alphabet) {
	if a == stringkernel.RNA {
		c.Note("read T as U: the alphabet of the model is RNA")
		return
	}
	c.Note("read U as T: the alphabet of the model is DNA")
}

// say says what inputs were taken for, all of which were read.
func (r Reader) say(all *Records, inputs []seqio.Input) {
	var s said
	s.add(all, inputs)
	s.count(all.Numbers)
	var t labelled
	t.add(all)
	if all.KnownLabels() == nil {
		t.source = "" // first words that are no classes, as the names of peaks
	}
	r.sayOf(&s, &t, r.alphabetOf(all))
}

// alphabetOf returns what records are said to be: nucleotides, even if the kernel takes any letters.
func (r Reader) alphabetOf(all *Records) stringkernel.Alphabet {
	a := r.Options.Alphabet
	if a == "" || a == stringkernel.Bytes && !r.asked.Given("alphabet") && all.DetectAlphabet().Complementary() {
		return all.DetectAlphabet()
	}
	return a
}

// sayOf says what inputs were taken for, and how many records of which classes they have.
func (r Reader) sayOf(s *said, t *labelled, a stringkernel.Alphabet) {
	kind, classes := kindOf(a, s.text), t.classes()
	if r.Options.LabelLists { // several of a record, which are not classes of their own
		classes = plural.Of(t.records, "record")
	}
	letters := t.letters - t.records*s.columns*stringkernel.NumberLetters
	parts := []string{classes, kind, SizeOf(letters, kind)}
	if r.Options.OptionalText && letters == 0 {
		parts = parts[:1]
	}
	if s.columns > 0 {
		parts = append(parts, plural.Of(s.columns, "column")+" of numbers"+s.words)
	}
	s.note(r.Call, a, strings.Join(parts, ", "))
	if first, second, what := seqio.SameName(t.names); what != "" && t.source != "" {
		r.Call.Warn("the classes %+.80q and %+.80q are the same %s: write it in one way if they are one class", first,
			second, what)
	}
}

// someOf lists names, the first of many.
func someOf(names []string) string {
	const most = 3
	if len(names) <= most+1 {
		return strings.Join(names, ", ")
	}
	return fmt.Sprintf("%s and %d more", strings.Join(names[:most], ", "), len(names)-most)
}

// kindOf names what the records of an alphabet are made of.
func kindOf(a stringkernel.Alphabet, text bool) string {
	switch {
	case a == stringkernel.DNA || a == stringkernel.RNA:
		return strings.ToUpper(string(a))
	case a == stringkernel.Bytes && text:
		return "text"
	}
	return string(a)
}

// SizeOf gives the size of records in a unit of their kind.
func SizeOf(letters int, kind string) string {
	unit, known := map[string]string{"DNA": "bp", "RNA": "nt", "protein": "aa"}[kind]
	if !known {
		unit = "B"
	}
	switch {
	case letters >= 10_000_000:
		return fmt.Sprintf("%d M%s", letters/1_000_000, unit)
	case letters >= 10_000:
		return fmt.Sprintf("%d k%s", letters/1000, unit)
	}
	return fmt.Sprintf("%d %s", letters, unit)
}

// labelled is the sizes of records and of their classes.
type labelled struct {
	source           string // of the labels of the first, "" if it is not known
	numbers          bool   // labels are numbers
	records, letters int
	sizes            map[string]int // of classes
	names            []string       // of classes, but for records without one
}

func (t *labelled) add(r *Records) {
	if t.records == 0 {
		t.source, t.numbers, t.sizes = r.labelSource(), r.kind == NumberLabels, map[string]int{}
	}
	t.records += r.Corpus.Len()
	t.letters += r.Corpus.Letters()
	if t.numbers {
		return
	}
	for _, label := range r.Labels {
		if label != "" && t.sizes[label] == 0 {
			label = strings.Clone(label)
			t.names = append(t.names, label)
		}
		t.sizes[label]++
	}
}

// classes says how many classes the labels make, what these are from and the sizes of the first, or how many records
// there are.
func (t *labelled) classes() string {
	switch {
	case t.numbers:
		return fmt.Sprintf("%s with numbers by %s", plural.Of(t.records, "record"), cmp.Or(t.source, "label"))
	case t.source == "" || len(t.names) == 0:
		return plural.Of(t.records, "record")
	}
	slices.SortFunc(t.names, func(a, b string) int { return cmp.Or(t.sizes[b]-t.sizes[a], strings.Compare(a, b)) })
	const most = 4
	var shown []string
	for _, name := range t.names[:min(len(t.names), most)] {
		shown = append(shown, fmt.Sprintf("%.40s %d", name, t.sizes[name]))
	}
	if len(t.names) > most {
		shown = append(shown, "…")
	}
	hint := ""
	if t.measured() {
		hint = "; they are numbers, which --task regress learns"
	}
	return fmt.Sprintf("%s by %s (%s%s)", plural.Of(len(t.names), "class"), t.source, strings.Join(shown, ", "), hint)
}

// measured reports whether the names of many classes are numbers, some with a fraction.
func (t *labelled) measured() bool {
	const many = 10
	fraction := false
	for _, name := range t.names {
		x, err := strconv.ParseFloat(name, 64)
		if err != nil {
			return false
		}
		fraction = fraction || x != math.Trunc(x)
	}
	return fraction && len(t.names) > many
}

// labelSource names what the labels are from, "" if it is not known.
func (r *Records) labelSource() string {
	if r.table {
		return "--labels"
	}
	if r.pairs {
		return "--pos and --neg"
	}
	return r.Sets[0].LabelSource()
}
