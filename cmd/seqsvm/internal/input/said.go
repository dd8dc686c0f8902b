package input

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/seqsvm/seqsvm/cmd/seqsvm/internal/cli"
	"github.com/seqsvm/seqsvm/seqio"
	"github.com/seqsvm/seqsvm/stringkernel"
)

// said is what is to be said of inputs when all have been read.
type said struct {
	formats []seqio.Format            // in the order of the inputs
	paths   map[seqio.Format][]string // of each
	known   map[string]bool           // paths
	text    bool                      // some inputs are text
	foreign int                       // letters of the other nucleic acid
}

// add takes records that were read.
func (s *said) add(all *Records, inputs []seqio.Input) {
	if s.known == nil {
		s.paths, s.known = map[seqio.Format][]string{}, map[string]bool{}
	}
	s.foreign += all.Foreign
	for _, set := range all.Sets {
		s.text = s.text || set.Format.Text()
		path := inputs[set.Operand()].Path
		if s.known[path] {
			continue
		}
		s.known[path] = true
		if s.paths[set.Format] == nil {
			s.formats = append(s.formats, set.Format)
		}
		s.paths[set.Format] = append(s.paths[set.Format], path)
	}
}

// note says what the inputs were taken for, and what their records are.
func (s *said) note(c *cli.Call, a stringkernel.Alphabet, records string) {
	parts := make([]string, len(s.formats))
	for i, format := range s.formats {
		parts[i] = someOf(s.paths[format]) + " as " + format.Name()
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
	a := cmp.Or(r.Options.Alphabet, all.DetectAlphabet())
	kind, classes := kindOf(a, s.text), all.classes()
	if r.Options.LabelLists { // several of a record, which are not classes of their own
		classes = counted(all.Corpus.Len(), "record", "records")
	}
	letters := all.Corpus.Letters() - all.Corpus.Len()*len(r.Options.Numbers)*stringkernel.NumberLetters
	s.note(r.Call, a, strings.Join([]string{classes, kind, sizeOf(letters, kind)}, ", "))
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

// sizeOf gives the size of records in a unit of their kind.
func sizeOf(letters int, kind string) string {
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

// classes says how many classes the labels make, what these are from and the sizes of the first, or how many records
// there are.
func (r *Records) classes() string {
	source := r.labelSource()
	if r.kind == NumberLabels {
		return fmt.Sprintf("%s with numbers by %s", counted(r.Corpus.Len(), "record", "records"),
			cmp.Or(source, "label"))
	}
	size, names := map[string]int{}, []string(nil)
	for _, label := range r.Labels {
		if label != "" && size[label] == 0 {
			names = append(names, label)
		}
		size[label]++
	}
	if source == "" || len(names) == 0 {
		return counted(r.Corpus.Len(), "record", "records")
	}
	slices.SortFunc(names, func(a, b string) int { return cmp.Or(size[b]-size[a], strings.Compare(a, b)) })
	const most = 4
	var shown []string
	for _, name := range names[:min(len(names), most)] {
		shown = append(shown, fmt.Sprintf("%.40s %d", name, size[name]))
	}
	if len(names) > most {
		shown = append(shown, "…")
	}
	return fmt.Sprintf("%s by %s (%s)", counted(len(names), "class", "classes"), source, strings.Join(shown, ", "))
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

// counted puts a number before a noun.
func counted(n int, one, many string) string {
	if n == 1 {
		return "1 " + one
	}
	return fmt.Sprintf("%d %s", n, many)
}
