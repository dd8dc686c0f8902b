package cli

import (
	_ "embed"
	"fmt"
	"slices"
	"strings"

	"github.com/seqsvm/seqsvm/internal/suggest"
)

var (
	//go:embed completion.bash
	bashScript string
	//go:embed completion.fish
	fishScript string
)

// Completion returns a completion script for bash, zsh or fish: of commands, options, values of options and files.
func (a *App) Completion(shell string) (string, error) {
	switch shell {
	case "bash":
		return a.bashCompletion(), nil
	case "zsh":
		return a.zshCompletion(), nil
	case "fish":
		return a.fishCompletion(), nil
	default:
		return "", Usagef("unknown shell %q, want one of: bash, zsh, fish%s", shell,
			suggest.Hint(shell, []string{"bash", "zsh", "fish"}))
	}
}

// options lists the options of a command that are in its help.
func (c *Command) options() []*Option {
	call := &Call{Flags: new(Flags)}
	call.bind(c)
	return slices.DeleteFunc(call.Flags.options, func(o *Option) bool { return o.hidden })
}

// operandChoices lists the operands of a command if they are alternatives, as in a|b.
func (c *Command) operandChoices() []string {
	if !strings.Contains(c.Operands, "|") {
		return nil
	}
	return strings.Split(c.Operands, "|")
}

// bashCompletion fills in completion.bash: the words after a command, and after each option of it that has a list.
// Options of the same values share a line.
func (a *App) bashCompletion() string {
	var names, values strings.Builder
	lists := map[string][]string{} // patterns by values
	var order []string
	for _, command := range a.Commands {
		var spelled []string
		for _, o := range command.options() {
			spelled = append(spelled, o.spellings()...)
			if o.choices == nil {
				continue
			}
			list := strings.Join(o.choices(), " ")
			if lists[list] == nil {
				order = append(order, list)
			}
			for _, name := range o.spellings() {
				lists[list] = append(lists[list], fmt.Sprintf("%q", command.Name+" "+name))
			}
		}
		fmt.Fprintf(&names, "      %s) words=\"%s\" ;;\n", command.Name, strings.Join(spelled, " "))
		if list := command.operandChoices(); list != nil {
			fmt.Fprintf(&values, "    %q) words=\"%s\" ;;\n", command.Name+" "+command.Name, strings.Join(list, " "))
		}
	}
	for _, list := range order {
		fmt.Fprintf(&values, "    %s) words=\"%s\" ;;\n", strings.Join(lists[list], "|"), list)
	}
	return strings.NewReplacer("{{name}}", a.Name, "{{commands}}", strings.Join(a.commandNames(), " "),
		"{{options}}", names.String(), "{{values}}", values.String()).Replace(bashScript)
}

// zshCompletion makes bash's function work in zsh: sourced, or as a file of $fpath, which is run at the first use.
func (a *App) zshCompletion() string {
	return fmt.Sprintf("#compdef %s\n"+
		"(( $+functions[compdef] )) || { autoload -Uz compinit && compinit }\n"+
		"autoload -U +X bashcompinit && bashcompinit\n"+
		"%s"+
		"[[ \"$funcstack[1]\" != _%[1]s ]] || _bash_complete -o default -o bashdefault -F _%[1]s\n",
		a.Name, a.bashCompletion())
}

// fishCompletion offers the same, with the usage of each.
func (a *App) fishCompletion() string {
	quote := func(text string) string { return "'" + strings.NewReplacer(`\`, `\\`, "'", `\'`).Replace(text) + "'" }
	b := new(strings.Builder)
	b.WriteString(strings.ReplaceAll(fishScript, "{{name}}", a.Name))
	for _, command := range a.Commands {
		fmt.Fprintf(b, "complete -c %s -n __fish_use_subcommand -f -a %s -d %s\n", a.Name, command.Name,
			quote(command.Usage))
		after := fmt.Sprintf("complete -c %s -n '__fish_seen_subcommand_from %s'", a.Name, command.Name)
		if list := command.operandChoices(); list != nil {
			fmt.Fprintf(b, "%s -f -a %s\n", after, quote(strings.Join(list, " ")))
		}
		for _, o := range command.options() {
			b.WriteString(after)
			for _, name := range o.names {
				if len(name) == 1 {
					b.WriteString(" -s " + name)
				} else {
					b.WriteString(" -l " + name)
				}
			}
			switch {
			case o.choices != nil:
				fmt.Fprintf(b, " -x -a \"(__%s_values %s)\"", a.Name, strings.Join(o.choices(), " "))
			case !o.isBool:
				b.WriteString(" -r")
			}
			fmt.Fprintf(b, " -d %s\n", quote(o.usage))
		}
	}
	return b.String()
}
