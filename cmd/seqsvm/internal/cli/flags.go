package cli

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/seqsvm/seqsvm/internal/suggest"
	"github.com/seqsvm/seqsvm/internal/table"
	"github.com/seqsvm/seqsvm/seqio/shards"
)

// Flags are the options of a command in the order of its help.
type Flags struct {
	options []*Option
	outputs []*Output // that options name
	section string
	digits  int  // significant ones of numbers in tables, 0 by default
	bare    bool // tables have no header
	brief   bool // help
	help    bool
	failed  error // of the last value
}

// Sections of the help that several commands have, in their order. A command's own sections come before OfOutput.
const (
	OfInput    = "Input"
	OfKernel   = "Kernel"
	OfLearning = "Learning"
	OfOutput   = "Output"
	OfGeneral  = "General"
)

// Section puts the options that follow under a heading of the help.
func (f *Flags) Section(name string) { f.section = name }

// add appends an option. The first word in backquotes of usage is the name of its value, as in package flag.
func (f *Flags) add(names, value, usage string, o Option) *Option {
	if before, rest, found := strings.Cut(usage, "`"); found {
		name, after, _ := strings.Cut(rest, "`")
		value, usage = name, before+name+after
	}
	o.names, o.section, o.value, o.usage = strings.Split(names, ","), f.section, value, usage
	f.options = append(f.options, &o)
	return &o
}

// variable adds an option with one value of a type.
func variable[T comparable](f *Flags, p *T, names string, value T, kind, usage string, parse func(string) (T, error),
	want string) *Option {
	*p = value
	var zero T
	fallback := ""
	if value != zero {
		fallback = fmt.Sprint(value)
	}
	o := f.add(names, kind, usage, Option{fallback: fallback, text: func() string { return fmt.Sprint(*p) }})
	o.set = func(text string) (err error) {
		x, err := parse(text)
		if err != nil {
			return fmt.Errorf("--%s %q, want %s", o.names[0], text, want)
		}
		*p = x
		return nil
	}
	return o
}

// String binds an option to p. Names are separated by commas, as in "output,o".
func String[S ~string](f *Flags, p *S, names string, value S, usage string) *Option {
	return variable(f, p, names, value, "TEXT", usage, func(s string) (S, error) { return S(s), nil }, "")
}

// String is String for plain strings.
func (f *Flags) String(p *string, names, value, usage string) *Option {
	return String(f, p, names, value, usage)
}

// Int binds an option to p.
func (f *Flags) Int(p *int, names string, value int, usage string) *Option {
	return variable(f, p, names, value, "N", usage, func(s string) (int, error) {
		n, err := strconv.ParseInt(s, 0, strconv.IntSize)
		return int(n), err
	}, "a whole number")
}

// Uint64 binds an option to p.
func (f *Flags) Uint64(p *uint64, names string, value uint64, usage string) *Option {
	parse := func(s string) (uint64, error) { return strconv.ParseUint(s, 0, 64) }
	return variable(f, p, names, value, "N", usage, parse, "a whole number ≥ 0")
}

// Float64 binds an option to p.
func (f *Flags) Float64(p *float64, names string, value float64, usage string) *Option {
	parse := func(s string) (float64, error) { return strconv.ParseFloat(s, 64) }
	return variable(f, p, names, value, "X", usage, parse, "a number")
}

// Parsed binds an option to p whose value parse reads; its errors say what is wanted. The zero value is the default.
func Parsed[T comparable](f *Flags, p *T, names, usage string, parse func(string) (T, error)) *Option {
	var zero T
	o := variable(f, p, names, zero, "TEXT", usage, parse, "")
	o.set = func(text string) error {
		x, err := parse(text)
		if err != nil {
			return fmt.Errorf("--%s: %w", o.names[0], err)
		}
		*p = x
		return nil
	}
	return o
}

// Bool binds an option to p; without a value it means true.
func (f *Flags) Bool(p *bool, names, usage string) *Option {
	o := variable(f, p, names, false, "", usage, strconv.ParseBool, "true or false")
	o.isBool = true
	return o
}

// Strings binds an option to p that may be given several times.
func (f *Flags) Strings(p *[]string, names, usage string) *Option {
	return f.add(names, "TEXT", usage, Option{
		set:     func(text string) error { *p = append(*p, text); return nil },
		text:    func() string { return strings.Join(*p, " ") },
		each:    func() []string { return *p },
		repeats: true,
	})
}

// Choice binds an option to p whose value is one of choices, the first by default.
func Choice[S ~string](f *Flags, p *S, names, usage string, choices ...S) *Option {
	o := String(f, p, names, choices[0], usage)
	if o.value == "TEXT" {
		o.value = "NAME"
	}
	o.check = func() error { return oneOf(o, *p, choices) }
	return o.Completes(func() (words []string) {
		for _, choice := range choices {
			if choice != "" {
				words = append(words, string(choice))
			}
		}
		return words
	})
}

// Choice is Choice for plain strings.
func (f *Flags) Choice(p *string, names, usage string, choices ...string) *Option {
	return Choice(f, p, names, usage, choices...)
}

// FormatOf binds --format to p, in the section OfOutput.
func (f *Flags) FormatOf(p *string, usage string, formats ...string) {
	f.Section(OfOutput)
	f.Choice(p, "format", usage, formats...)
}

// Format binds --format to p and, for the tables among its values, which a file *.parquet holds as Parquet, --digits
// and --no-header, in the section OfOutput.
func (f *Flags) Format(p *string, usage string, formats ...string) {
	f.FormatOf(p, usage+"; tables are Parquet in files *.parquet", formats...)
	f.Bool(&f.bare, "no-header", "tables without their header line")
	f.Int(&f.digits, "digits", 0, "significant `DIGITS` of numbers in tables, 17 for all; json has as many as are "+
		"needed").Between(1, 17).Default(fmt.Sprintf("%d; metrics have four decimals", table.Significant))
}

// Bare reports whether tables have no header line.
func (f *Flags) Bare() bool { return f.bare }

// Digits is the number of significant digits of numbers in tables.
func (f *Flags) Digits() int { return cmp.Or(f.digits, table.Significant) }

// find returns the option with a name, nil if there is none.
func (f *Flags) find(name string) *Option {
	for _, o := range f.options {
		if slices.Contains(o.names, name) {
			return o
		}
	}
	return nil
}

// inputs lists the files that options read.
func (f *Flags) inputs() (paths []string) {
	for _, o := range f.options {
		if o.reads == nil {
			continue
		}
		for _, path := range o.reads() {
			if path != "" {
				paths = append(paths, path)
			}
		}
	}
	return paths
}

// Given reports whether an option was given, false if the command has no such option.
func (f *Flags) Given(name string) bool {
	o := f.find(name)
	return o != nil && o.given
}

// IfGiven sets p to the value of an option if that was given.
func IfGiven[T any](f *Flags, name string, p *T, value T) {
	if f.Given(name) {
		*p = value
	}
}

// Text returns those of the options that were given, as a shell takes them.
func (f *Flags) Text(names ...string) []string {
	var words []string
	for _, name := range names {
		switch o := f.find(name); {
		case o == nil || !o.given:
		case !o.isBool:
			for _, value := range o.values() {
				words = append(words, "--"+name+" "+Quoted(value))
			}
		case o.text() == "true":
			words = append(words, "--"+name)
		}
	}
	return words
}

// Quoted returns a word as a shell takes it, in quotation marks if it has letters that mean something there.
func Quoted(word string) string {
	if !strings.ContainsAny(word, " *()^'\"$&|;<>`\\!#") {
		return word
	}
	return "'" + strings.ReplaceAll(word, "'", `'\''`) + "'"
}

// values returns the value, or those of an option that repeats.
func (o *Option) values() []string {
	if o.each != nil {
		return o.each()
	}
	return []string{o.text()}
}

// Settings returns the options, by name and value, that have another value than without them.
func (f *Flags) Settings() (list []shards.Value) {
	for _, o := range f.options {
		if o.given && o.text() != o.fallback {
			list = append(list, shards.Value{Name: "--" + o.names[0], Value: o.text()})
		}
	}
	return list
}

// Refuse returns an error if one of the options is given, since it cannot be used with another.
func (f *Flags) Refuse(beside string, names ...string) error {
	for _, name := range names {
		if f.Given(name) {
			return Usagef("--%s cannot be used with %s", name, beside)
		}
	}
	return nil
}

// Require returns an error if one of the options is given, since it needs another that is not.
func (f *Flags) Require(other string, names ...string) error {
	for _, name := range names {
		if f.Given(name) {
			return Usagef("--%s without %s", name, other)
		}
	}
	return nil
}

// OneOf returns an error unless the value of an option is one of the choices.
func OneOf[S ~string](f *Flags, name string, value S, choices []S) error {
	return oneOf(f.find(name), value, choices)
}

// List makes an option take a list of values separated by commas: Values returns them, Assign sets the variable to one
// of them. fallback is the list without the option, "" for the default of the variable.
func (f *Flags) List(name, fallback string) {
	o := f.find(name)
	o.usage += "; or a comma-separated list"
	o.fallback = cmp.Or(fallback, o.fallback)
	o.list = strings.Split(o.fallback, ",")
	o.assign = o.set
	o.set = func(list string) error {
		if o.list = strings.Split(list, ","); slices.Contains(o.list, "") {
			return Usagef("--%s %q, want values separated by commas", name, list)
		}
		for i, value := range o.list {
			if slices.Contains(o.list[:i], value) {
				return Usagef("--%s %q lists %s twice", name, list, value)
			}
		}
		return nil
	}
}

// Values returns the values of an option that takes a list.
func (f *Flags) Values(name string) []string { return f.find(name).list }

// Assign sets the variable of an option, of one that takes a list to one of the values, as if it were given, and checks
// it.
func (f *Flags) Assign(name, value string) error {
	o := f.find(name)
	o.given = true
	set := o.set
	if o.assign != nil {
		set = o.assign
	}
	if err := set(value); err != nil {
		return &UsageError{err}
	}
	if o.check != nil {
		return o.check()
	}
	return nil
}

// Option is one option: its names, its help, and how to set the variable it is bound to.
type Option struct {
	names    []string // messages use the first
	section  string
	value    string // name of its value in help
	usage    string
	fallback string // default shown in help
	hidden   bool
	general  bool // every command has it: the help of the tool describes it
	isBool   bool
	repeats  bool
	given    bool

	set   func(text string) error
	text  func() string   // value of the variable
	each  func() []string // values of an option that repeats, else nil
	check func() error    // nil if every value is valid
	span  string          // of numbers, as "1 or more"
	reads func() []string

	before func(c *Call) error // see Before

	holds string // what the file of an output holds, see Holds

	operand func(path string) bool // see OrOperand

	choices func() []string // values that completion offers, see Completes
	keys    []string        // see Keys
	needs   string          // see Needs
	against []string        // see Excludes

	list   []string // values of an option that takes several, see Flags.List
	assign func(text string) error
}

// Above makes a number of bound or less an error if the option is given.
func (o *Option) Above(bound float64) *Option {
	return o.within(math.Nextafter(bound, math.Inf(1)), math.MaxFloat64, "above "+plainNumber(bound))
}

// AtLeast makes a number below least an error if the option is given.
func (o *Option) AtLeast(least float64) *Option {
	return o.within(least, math.Inf(1), plainNumber(least)+" or more")
}

// Between makes a number outside least … most an error if the option is given.
func (o *Option) Between(least, most float64) *Option {
	return o.within(least, most, plainNumber(least)+" to "+plainNumber(most))
}

// Share makes a number an error that is not between 0 and 1.
func (o *Option) Share() *Option {
	return o.within(math.SmallestNonzeroFloat64, math.Nextafter(1, 0), "between 0 and 1")
}

// AboveTo makes a number of bound or less, or above most, an error if the option is given.
func (o *Option) AboveTo(bound, most float64) *Option {
	return o.within(math.Nextafter(bound, math.Inf(1)), most, "above "+plainNumber(bound)+", at most "+plainNumber(most))
}

func (o *Option) within(least, most float64, want string) *Option {
	o.span = want
	o.check = func() error {
		if x, _ := strconv.ParseFloat(o.text(), 64); o.given && !(x >= least && x <= most) {
			return Usagef("--%s %s, want %s", o.names[0], o.text(), want)
		}
		return nil
	}
	return o
}

func plainNumber(x float64) string { return strconv.FormatFloat(x, 'f', -1, 64) }

func oneOf[S ~string](o *Option, value S, choices []S) error {
	if slices.Contains(choices, value) {
		return nil
	}
	var list []string
	for _, choice := range choices {
		if choice != "" {
			list = append(list, string(choice))
		}
	}
	if value == "" {
		return Usagef("--%s is required, one of: %s", o.names[0], strings.Join(list, ", "))
	}
	return Usagef("--%s %q, want one of: %s%s", o.names[0], value, strings.Join(list, ", "),
		suggest.Hint(string(value), list))
}

// Before has a function run before the command, such as one that adds operands.
func (o *Option) Before(run func(c *Call) error) {
	o.before = run
}

// Default describes the default in help if it is not the value of the variable.
func (o *Option) Default(text string) *Option {
	o.fallback = text
	return o
}

// OrOperand lets an operand that satisfies is be the value of an option for one file that is not given.
func (o *Option) OrOperand(is func(path string) bool) *Option {
	o.operand = is
	return o
}

// Needs says that the option means nothing without another, which words may explain after a comma.
func (o *Option) Needs(other string) *Option {
	o.needs = other
	return o
}

// Excludes says that the option cannot be used with some others, by their names between blanks.
func (o *Option) Excludes(others string) *Option {
	o.against = strings.Fields(others)
	return o
}

// checkPairs returns an error about the first option given that needs another, or excludes one.
func (f *Flags) checkPairs() error {
	for _, o := range f.options {
		if !o.given {
			continue
		}
		if needed, _, _ := strings.Cut(o.needs, ","); needed != "" && !f.Given(needed) {
			return Usagef("--%s without --%s", o.names[0], o.needs)
		}
		if at := slices.IndexFunc(o.against, f.Given); at >= 0 {
			return Usagef("--%s cannot be used with --%s", o.names[0], o.against[at])
		}
	}
	return nil
}

// Keys lists the keys of the value, as KEY=VALUE or, of a flag, KEY: an unknown option of that name is answered so.
func (o *Option) Keys(keys []string) *Option {
	o.keys = keys
	return o
}

// Completes lists values that completion scripts offer. A value may be a head and a part of a list, as in HEAD:PART:
// then HEAD:ONE,TWO is completed by the parts of HEAD.
func (o *Option) Completes(values func() []string) *Option {
	o.choices = values
	return o
}

// Reads says that the value is a file to be read.
func (o *Option) Reads(p *string) *Option {
	return o.ReadsAll(func() []string { return []string{*p} })
}

// ReadsAll says which files the option makes the command read; "" is ignored.
func (o *Option) ReadsAll(files func() []string) *Option {
	o.reads = files
	return o
}
