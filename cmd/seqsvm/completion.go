package main

import (
	"fmt"
	"io"
	"strings"

	"github.com/urfave/cli/v2"
)

func completionCommand() *cli.Command {
	return &cli.Command{
		Name:        "completion",
		Usage:       "print a completion script for a shell",
		ArgsUsage:   "bash|zsh|fish",
		Description: "bash: source <(seqsvm completion bash)\nzsh:  source <(seqsvm completion zsh)\nfish: seqsvm completion fish | source",
		Flags:       sharedFlags(),
		Action: func(c *cli.Context) error {
			if c.NArg() != 1 {
				return usagef("%d shells, want one of: bash, zsh, fish", c.NArg())
			}
			script, err := completionScript(c.App, c.Args().First())
			if err != nil {
				return err
			}
			return writeOutput(c, func(w io.Writer) error {
				_, err := io.WriteString(w, script)
				return err
			})
		},
	}
}

func completionScript(app *cli.App, shell string) (string, error) {
	switch shell {
	case "bash":
		return bashCompletion(app), nil
	case "zsh":
		return "(( $+functions[compdef] )) || { autoload -Uz compinit && compinit }\nautoload -U +X bashcompinit && bashcompinit\n" + bashCompletion(app), nil
	case "fish":
		script, err := app.ToFishCompletion()
		script = strings.ReplaceAll(script, "`", "")              // those around a value's name in a flag's usage
		return strings.ReplaceAll(script, "' -f -l", "' -l"), err // -f: no files, which most values are
	default:
		return "", usagef("unknown shell %q, want one of: bash, zsh, fish", shell)
	}
}

// bashCompletion offers commands for the first word, a command's options after a dash, and file names otherwise.
func bashCompletion(app *cli.App) string {
	var b strings.Builder
	b.WriteString("_seqsvm() {\n  local current=\"${COMP_WORDS[COMP_CWORD]}\" words=\"\"\n")
	fmt.Fprintf(&b, "  if [ \"$COMP_CWORD\" -eq 1 ]; then\n    words=\"%s\"\n", strings.ReplaceAll(commandNames(app), ",", ""))
	b.WriteString("  elif [[ \"$current\" == -* ]]; then\n    case \"${COMP_WORDS[1]}\" in\n")
	for _, command := range app.Commands {
		fmt.Fprintf(&b, "    %s) words=\"%s\" ;;\n", command.Name, strings.Join(optionNames(command), " "))
	}
	b.WriteString("    esac\n  fi\n  COMPREPLY=($(compgen -W \"$words\" -- \"$current\"))\n}\n")
	b.WriteString("complete -o default -o bashdefault -F _seqsvm seqsvm\n")
	return b.String()
}

func optionNames(command *cli.Command) []string {
	var names []string
	for _, f := range command.Flags {
		for _, name := range f.Names() {
			dashes := "--"
			if len(name) == 1 {
				dashes = "-"
			}
			names = append(names, dashes+name)
		}
	}
	return names
}
