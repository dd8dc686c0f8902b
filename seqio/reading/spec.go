// Package reading has the one value that says how records are read, FORMAT:KEY=VALUE,FLAG, such as
// csv:text=title+body,label=topic or bed:genome=hg38.fa,width=200. The tool takes it as --input, and a model stores
// that of its training.
package reading

import (
	"cmp"
	"errors"
	"fmt"
	"path/filepath"
	"reflect"
	"slices"
	"strconv"
	"strings"

	"github.com/seqsvm/seqsvm/internal/suggest"
	"github.com/seqsvm/seqsvm/seqio"
	"github.com/seqsvm/seqsvm/seqio/genome"
	"github.com/seqsvm/seqsvm/seqio/trees"
	"github.com/seqsvm/seqsvm/stringkernel"
)

// Spec says how records are read. What is zero is inferred from the input.
type Spec struct {
	Format     seqio.Format
	Columns    seqio.Columns
	Encoding   string
	HTML       bool
	Tree       trees.Syntax // NoTree: plain text, whatever a model says
	TreeLabels string       // names between plus signs
	Alphabet   stringkernel.Alphabet
	SoftMask   Mask
	Ambiguous  seqio.Ambiguity
	Genome     string // the file that intervals are cut from
	Beside     string // the file of columns of numbers
	Width      int    // letters around a point of each interval; 0: the whole interval
	At         genome.Point
}

// NoTree is the syntax of plain text.
const NoTree trees.Syntax = "none"

// Mask says what lower-case letters are.
type Mask string

// Lower-case letters are converted to upper case, or lie outside the alphabet, so that they break matches.
const (
	MaskUpper Mask = "upper"
	MaskBreak Mask = "break"
)

// auto is the word for what is inferred.
const auto = "auto"

// Formats lists the names that a specification may begin with, auto first.
func Formats() []string {
	return []string{auto, string(seqio.FASTA), string(seqio.FASTQ), string(seqio.Lines), string(seqio.TSV),
		string(seqio.CSV), string(seqio.JSONL), string(seqio.Reuters), string(seqio.Documents), string(seqio.FastText),
		string(seqio.KeLP), string(seqio.DotBracket), string(seqio.Parquet), string(seqio.BED)}
}

// Parse reads a specification: a format, items after a colon, separated by commas, or items alone. A value between
// double quotes may have commas, and quotes that are doubled. An item that the format does not have is an error.
func Parse(text string) (Spec, error) {
	s, err := parse(text)
	if key := s.Misplaced(s.Format); err == nil && key != "" {
		err = fmt.Errorf("%s cannot be used with %s", key, s.Format)
	}
	return s, err
}

func parse(text string) (s Spec, err error) {
	format, list, hasItems := strings.Cut(text, ":")
	if !slices.Contains(Formats(), format) {
		first, _, _ := strings.Cut(format, ",")
		if !strings.Contains(format, "=") && itemNamed(first) == nil {
			return s, fmt.Errorf("%.80q is neither a format nor KEY=VALUE, want one of %s, or FORMAT:KEY=VALUE,FLAG%s",
				format, strings.Join(Formats(), ", "), suggest.Hint(format, Formats()))
		}
		format, list, hasItems = auto, text, true
	}
	if format != auto {
		s.Format = seqio.Format(format)
	}
	given := map[string]bool{}
	for hasItems {
		var item string
		item, list, hasItems = cutItem(list)
		key, value, hasValue := strings.Cut(item, "=")
		if given[key] {
			return s, fmt.Errorf("%s is given twice", key)
		}
		given[key] = true
		if err := s.set(key, value, hasValue); err != nil {
			return s, err
		}
	}
	return s, s.check()
}

// cutItem cuts a list at the first comma that is not quoted.
func cutItem(list string) (item, rest string, more bool) {
	quoted := false
	for i, b := range []byte(list) {
		switch {
		case b == '"':
			quoted = !quoted
		case b == ',' && !quoted:
			return list[:i], list[i+1:], true
		}
	}
	return list, "", false
}

// set sets an item.
func (s *Spec) set(key, value string, hasValue bool) error {
	item := itemNamed(key)
	if item == nil {
		var keys []string
		for _, item := range Items() {
			keys = append(keys, item.Key)
		}
		if slices.Contains(Formats(), key) {
			return fmt.Errorf("%s,… is a format before a comma, want %[1]s:…", key)
		}
		return fmt.Errorf("unknown key %.80q, want one of: %s%s", key, strings.Join(keys, ", "), suggest.Hint(key, keys))
	}
	if n := len(value); n >= 2 && value[0] == '"' && value[n-1] == '"' {
		value = strings.ReplaceAll(value[1:n-1], `""`, `"`)
	}
	if item.Value != "" && value == "" {
		return fmt.Errorf("%s has no value, want %[1]s=%s", key, item.Value)
	}
	target := reflect.ValueOf(item.field(s)).Elem()
	switch target.Kind() {
	case reflect.Bool:
		if hasValue && value != "true" && value != "false" {
			return fmt.Errorf("%s = %.80q, want the flag alone, true or false", key, value)
		}
		target.SetBool(value != "false")
	case reflect.Int:
		n, err := strconv.Atoi(value)
		if err != nil || n < 1 {
			return fmt.Errorf("%s = %.80q, want a whole number of 1 or more", key, value)
		}
		target.SetInt(int64(n))
	default:
		if item.Choices != nil && !slices.Contains(item.Choices, value) {
			return fmt.Errorf("%s = %.80q, want one of: %s%s", key, value, strings.Join(item.Choices, ", "),
				suggest.Hint(value, item.Choices))
		}
		if value != auto || key == "text" || key == "label" || key == "id" {
			target.SetString(value)
		}
	}
	return nil
}

// check returns an error about values that cannot be.
func (s Spec) check() error {
	if err := seqio.CheckEncoding(s.Encoding); err != nil {
		return fmt.Errorf("encoding: %w", err)
	}
	if _, err := seqio.ParseHeaderPattern(s.Columns.Label); err != nil {
		return fmt.Errorf("label: %w", err)
	}
	return nil
}

// Given reports whether an item has a value of its own.
func (s Spec) Given(key string) bool {
	item := itemNamed(key)
	return item != nil && !reflect.ValueOf(item.field(&s)).Elem().IsZero()
}

// text is the value of an item.
func (s Spec) text(key string) string {
	return fmt.Sprint(reflect.ValueOf(itemNamed(key).field(&s)).Elem())
}

// Misplaced returns the first item that means nothing for inputs of a format, "" if there is none.
func (s Spec) Misplaced(f seqio.Format) string {
	for _, item := range Items() {
		if !item.Of(f) && s.Given(item.Key) {
			return item.Key
		}
	}
	return ""
}

// String returns the specification as [Parse] reads it, "auto" for that which infers everything.
func (s Spec) String() string {
	var items []string
	for _, item := range Items() {
		value := s.text(item.Key)
		switch {
		case !s.Given(item.Key):
			continue
		case item.Value == "":
			items = append(items, item.Key)
			continue
		case strings.ContainsAny(value, `,"`):
			value = `"` + strings.ReplaceAll(value, `"`, `""`) + `"`
		}
		items = append(items, item.Key+"="+value)
	}
	head := string(s.Format)
	if head != "" && items != nil {
		head += ":"
	}
	if text := head + strings.Join(items, ","); text != "" {
		return text
	}
	return auto
}

// MarshalText implements encoding.TextMarshaler. Files are named without their folders, which are those of one machine.
func (s Spec) MarshalText() ([]byte, error) {
	for _, file := range []*string{&s.Genome, &s.Beside} {
		if *file != "" {
			*file = filepath.Base(*file)
		}
	}
	return []byte(s.String()), nil
}

// UnmarshalText implements encoding.TextUnmarshaler. It takes any item with any format.
func (s *Spec) UnmarshalText(text []byte) (err error) {
	*s, err = parse(string(text))
	return err
}

// Trees are the options of trees: those of plain text without a syntax.
func (s Spec) Trees() trees.Options {
	if s.Tree == "" || s.Tree == NoTree {
		return trees.Options{}
	}
	return trees.Options{Syntax: s.Tree, Labels: strings.ReplaceAll(s.TreeLabels, "+", ",")}
}

// Case is what becomes of lower-case letters.
func (s Spec) Case() seqio.Case {
	return map[Mask]seqio.Case{MaskUpper: seqio.CaseUpper, MaskBreak: seqio.CaseKept}[s.SoftMask]
}

// Options returns the options of package seqio. They have no reader of intervals.
func (s Spec) Options() seqio.Options {
	return seqio.Options{
		Format: s.Format, Columns: s.Columns, Encoding: s.Encoding, HTML: s.HTML, Tree: s.Trees(), Alphabet: s.Alphabet,
		Case: s.Case(), Ambiguous: s.Ambiguous,
	}
}

// Trained returns the options that read records as those of training were read. Names of columns and the format are
// those of inputs that have none of their own.
func (s Spec) Trained() seqio.Options {
	o := s.Options()
	o.Trained, o.TrainedFormat = o.Columns, o.Format
	o.Columns, o.Format = seqio.Columns{Header: s.Columns.Header, Delimiter: s.Columns.Delimiter}, seqio.Auto
	if s.Format == seqio.KeLP {
		o.KeLPText, o.Trained.Text = s.Columns.Text, ""
	}
	return o
}

// Windows is an [seqio.IntervalReader] that says of which file of a genome its records are, how many letters they have,
// 0 for those of the interval, and the point that these are around.
type Windows interface {
	Windows() (path string, width int, at genome.Point)
}

// Of returns the specification of options. It has no alphabet, which a model has in its kernel.
func Of(o seqio.Options) Spec {
	s := Spec{
		Format: o.Format, Columns: o.Columns, Encoding: o.Encoding, HTML: o.HTML, Tree: o.Tree.Syntax,
		TreeLabels: strings.ReplaceAll(o.Tree.Labels, ",", "+"),
		SoftMask:   map[seqio.Case]Mask{seqio.CaseUpper: MaskUpper, seqio.CaseKept: MaskBreak}[o.Case],
	}
	if cutter, is := o.Intervals.(Windows); is {
		s.Genome, s.Width, s.At = cutter.Windows()
	}
	if o.KeLPText != "" {
		s.Format, s.Columns.Text = seqio.KeLP, o.KeLPText
	}
	return s
}

// With returns the specification for the inputs of a model that was trained on others, trained with the alphabet of its
// kernel: items that are not given are those of training, but for columns and format, for which [Spec.Trained] is.
// structures says that the kernel reads trees from the letters. An item that contradicts the model is an error.
func (s Spec) With(trained Spec, structures bool) (Spec, error) {
	plain := trained.Tree == ""
	notation := s.Tree == NoTree || plain && structures
	for _, item := range []struct {
		key  string
		free bool // the value may differ from that of training
	}{
		{"alphabet", false}, {"soft-mask", trained.Alphabet == stringkernel.Bytes}, {"html", false}, {"tree", notation},
		{"tree-labels", notation || plain},
	} {
		given, want := s.text(item.key), trained.text(item.key)
		if s.Given(item.key) && given != want && !item.free {
			return s, fmt.Errorf("%s=%s, but the model was trained with %[3]s; leave it out", item.key, given,
				cmp.Or(want, "the default"))
		}
	}
	for _, key := range []string{"header", "delimiter", "encoding", "html", "alphabet", "soft-mask", "genome", "width",
		"at"} {
		if !s.Given(key) {
			item := itemNamed(key)
			reflect.ValueOf(item.field(&s)).Elem().Set(reflect.ValueOf(item.field(&trained)).Elem())
		}
	}
	return s.WithTrees(trained)
}

// WithTrees settles the syntax and the labels of trees: those of training where none are given, the labels only if the
// syntax is the same.
func (s Spec) WithTrees(trained Spec) (Spec, error) {
	given := s
	if s.Tree == "" && s.Format == seqio.DotBracket && trained.Tree != trees.Graph {
		s.Tree = trees.DotBracket
	}
	s.Tree = cmp.Or(s.Tree, trained.Tree)
	if s.Tree == NoTree {
		s.Tree = ""
	}
	if s.TreeLabels == "" && s.Tree == trained.Tree {
		s.TreeLabels = trained.TreeLabels
	}
	err := s.Trees().Check()
	switch {
	case s.Tree == "" && given.TreeLabels != "":
		return s, errors.New("tree-labels without tree, want the syntax of the trees")
	case s.Tree == "":
		s.TreeLabels = ""
	case err != nil:
		return s, fmt.Errorf("tree=%s: %w", s.Tree, err)
	case s.Format == seqio.DotBracket && s.Tree != trees.DotBracket && s.Tree != trees.Graph:
		return s, fmt.Errorf("tree=%s cannot be used with %s", s.Tree, s.Format)
	case s.HTML:
		return s, fmt.Errorf("html cannot be used with tree=%s", s.Tree)
	}
	return s, nil
}
