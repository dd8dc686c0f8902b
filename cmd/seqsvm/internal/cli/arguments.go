package cli

import (
	"fmt"
	"slices"
	"strings"

	"github.com/urfave/cli/v2"

	"github.com/seqsvm/seqsvm/internal/suggest"
)

// optionsFirst moves options before operands, since urfave/cli ends the options at the first operand, and spells each
// by its first name. Arguments after -- are operands.
func (f *Flags) optionsFirst(args []string) ([]string, error) {
	var options, operands []string
	for len(args) > 0 {
		arg := args[0]
		args = args[1:]
		if arg == "--" {
			operands = append(operands, args...)
			break
		}
		if arg == "-" || !strings.HasPrefix(arg, "-") {
			operands = append(operands, arg)
			continue
		}
		name, value, hasValue := strings.Cut(strings.TrimPrefix(strings.TrimPrefix(arg, "-"), "-"), "=")
		o := f.find(name)
		switch {
		case o == nil:
			return nil, fmt.Errorf("unknown option %s%s", arg, f.hint(name))
		case hasValue:
		case o.isBool:
			value = "true"
		case len(args) == 0:
			return nil, fmt.Errorf("option %s needs a value", arg)
		default:
			value, args = args[0], args[1:]
		}
		options = append(options, "--"+o.names[0]+"="+value)
	}
	return append(append(options, "--"), operands...), nil
}

// hint suggests the option that an unknown one may stand for.
func (f *Flags) hint(name string) string {
	var names []string
	for _, o := range f.options {
		for _, known := range o.names {
			if len(known) > 1 && !o.hidden {
				names = append(names, known)
			}
		}
	}
	if near := suggest.Nearest(name, names); near != "" {
		return "; did you mean --" + near + "?"
	}
	return ""
}

// parsed returns the options as urfave/cli takes them.
func (f *Flags) parsed() (list []cli.Flag) {
	for _, o := range f.options {
		list = append(list, &cli.GenericFlag{Name: o.names[0], Category: o.section, Usage: o.usage, Value: value{o, f}})
	}
	return list
}

// value is an option as a flag.Value.
type value struct {
	*Option
	flags *Flags
}

func (v value) String() string { return "" } // the variables have their defaults

// Set keeps the error, since package flag would quote it.
func (v value) Set(text string) error {
	v.given = true
	if text == "" {
		v.flags.failed = fmt.Errorf("--%s is given without a value", v.names[0])
	} else {
		v.flags.failed = v.set(text)
	}
	return v.flags.failed
}

// check returns an error about the first value out of range.
func (f *Flags) check() error {
	for _, o := range f.options {
		if o.check != nil && o.list == nil {
			if err := o.check(); err != nil {
				return err
			}
		}
	}
	return nil
}

// takeOperands sets options that are not given to operands that can only be meant for them.
func (c *Call) takeOperands() {
	for _, o := range c.options {
		if o.operand == nil || o.given {
			continue
		}
		if at := slices.IndexFunc(c.Args, o.operand); at >= 0 && o.set(c.Args[at]) == nil {
			o.given = true
			c.Args = slices.Delete(c.Args, at, at+1)
		}
	}
}
