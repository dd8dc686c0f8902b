package cli

import (
	"fmt"
	"slices"
	"strings"

	"github.com/seqsvm/seqsvm/internal/suggest"
)

// parse sets the options of a command line and returns the operands. Options may stand before and after operands;
// arguments after -- are operands.
func (f *Flags) parse(args []string) (operands []string, err error) {
	for len(args) > 0 {
		arg := args[0]
		args = args[1:]
		if arg == "--" {
			return append(operands, args...), nil
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
		o.given = true
		if value == "" {
			return nil, fmt.Errorf("--%s is given without a value", o.names[0])
		}
		if err := o.set(value); err != nil {
			return nil, err
		}
	}
	return operands, nil
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
