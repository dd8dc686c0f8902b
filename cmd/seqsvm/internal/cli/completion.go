package cli

import (
	"fmt"
	"slices"
	"strings"

	"github.com/seqsvm/seqsvm/internal/suggest"
)

// Completion returns a completion script for bash, zsh or fish.
func (a *App) Completion(shell string) (string, error) {
	switch shell {
	case "bash":
		return a.bashCompletion(), nil
	case "zsh":
		return "(( $+functions[compdef] )) || { autoload -Uz compinit && compinit }\n" +
			"autoload -U +X bashcompinit && bashcompinit\n" + a.bashCompletion(), nil
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

// bashCompletion offers commands for the first word, a command's options after a dash, and file names otherwise.
func (a *App) bashCompletion() string {
	var b strings.Builder
	fmt.Fprintf(&b, "_%s() {\n  local current=\"${COMP_WORDS[COMP_CWORD]}\" words=\"\"\n", a.Name)
	fmt.Fprintf(&b, "  if [ \"$COMP_CWORD\" -eq 1 ]; then\n    words=\"%s\"\n", strings.Join(a.commandNames(), " "))
	b.WriteString("  elif [[ \"$current\" == -* ]]; then\n    case \"${COMP_WORDS[1]}\" in\n")
	for _, command := range a.Commands {
		var names []string
		for _, o := range command.options() {
			names = append(names, o.spellings()...)
		}
		fmt.Fprintf(&b, "    %s) words=\"%s\" ;;\n", command.Name, strings.Join(names, " "))
	}
	b.WriteString("    esac\n  fi\n  COMPREPLY=($(compgen -W \"$words\" -- \"$current\"))\n}\n")
	fmt.Fprintf(&b, "complete -o default -o bashdefault -F _%s %[1]s\n", a.Name)
	return b.String()
}

// fishCompletion offers the same, with the usage of each.
func (a *App) fishCompletion() string {
	quote := func(text string) string { return "'" + strings.NewReplacer(`\`, `\\`, "'", `\'`).Replace(text) + "'" }
	var b strings.Builder
	for _, command := range a.Commands {
		fmt.Fprintf(&b, "complete -c %s -n __fish_use_subcommand -f -a %s -d %s\n", a.Name, command.Name,
			quote(command.Usage))
		for _, o := range command.options() {
			fmt.Fprintf(&b, "complete -c %s -n '__fish_seen_subcommand_from %s'", a.Name, command.Name)
			for _, name := range o.names {
				if len(name) == 1 {
					b.WriteString(" -s " + name)
				} else {
					b.WriteString(" -l " + name)
				}
			}
			if !o.isBool {
				b.WriteString(" -r")
			}
			fmt.Fprintf(&b, " -d %s\n", quote(o.usage))
		}
	}
	return b.String()
}
