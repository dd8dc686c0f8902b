package cli

import (
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/seqsvm/seqsvm/internal/suggest"
)

// Option is one option: its names, its help, and how to set the variable it is bound to.
type Option struct {
	names    []string // messages use the first
	section  string
	value    string // name of its value in help
	usage    string
	fallback string // default shown in help
	hidden   bool
	isBool   bool
	given    bool

	set   func(text string) error
	text  func() string // value of the variable
	check func() error  // nil if every value is valid
	reads func() []string

	before func(c *Call) error // see Before

	holds string // what the file of an output holds, see Holds

	operand func(path string) bool // see OrOperand

	choices func() []string // values that completion offers, see Completes

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

func (o *Option) within(least, most float64, want string) *Option {
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
