package cli

import "slices"

// Parameter is an option of a command, for programs that give options by other means than a command line.
type Parameter struct {
	Name    string
	Value   string // what its value is, as FILE or N; "" of a flag
	Usage   string // with the default
	Choices []string
	Repeats bool // it may have several values
	Common  bool // -h shows it
}

// Parameters lists the options of a command but for those that all commands have, --seed apart. ok is false if there is
// no command of that name.
func (a *App) Parameters(name string) (list []Parameter, ok bool) {
	command := a.command(name)
	if command == nil || command.Options == nil {
		return nil, false
	}
	f := new(Flags)
	(&Call{Flags: f}).bind(command)
	for _, o := range f.options {
		if o.general || o.hidden {
			continue
		}
		p := Parameter{Name: o.names[0], Value: o.value, Usage: o.described(), Repeats: o.repeats || o.list != nil}
		if o.isBool {
			p.Value = ""
		}
		if o.choices != nil && o.check != nil { // not words that completion alone offers
			p.Choices = o.choices()
		}
		p.Common = command.Common == nil || slices.Contains(command.Common, o.names[0])
		list = append(list, p)
	}
	return list, true
}

// Command returns the command of a name, nil if there is none.
func (a *App) Command(name string) *Command { return a.command(name) }
