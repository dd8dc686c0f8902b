// Command seqsvm trains and runs support vector machines on sequences. See README.md, or seqsvm --help.
package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/signal"
	"runtime/debug"
	"slices"
	"strings"
	"syscall"
	"unicode"

	"github.com/urfave/cli/v2"
)

// version is recorded in every model file.
const version = "0.1.0"

// Exit codes.
const (
	exitOK          = 0
	exitFailed      = 1
	exitUsage       = 2
	exitInterrupted = 130
)

// slack is how much garbage, in percent of what is in use, the tool lets gather before it collects: half of Go's default. Most of the memory is a few large arrays, which
// are cheap to collect: a seventh less memory at the peak for some hundredths of the time. $GOGC overrides it.
const slack = 50

func main() {
	if os.Getenv("GOGC") == "" {
		debug.SetGCPercent(slack)
	}
	ctx, stop := signal.NotifyContext(context.Background(), interrupts()...)
	signal.Ignore(syscall.SIGPIPE) // a write to a closed pipe is an error, so that open files are cleaned up
	context.AfterFunc(ctx, stop)   // a second signal ends the process at once
	code := run(ctx, os.Args[1:], streams{os.Stdin, os.Stdout, os.Stderr})
	stop()
	os.Exit(code)
}

// interrupts lists the signals that end a run cleanly. A terminal that closes sends SIGHUP, unless nohup has it ignored.
func interrupts() []os.Signal {
	signals := []os.Signal{os.Interrupt, syscall.SIGTERM}
	if !signal.Ignored(syscall.SIGHUP) {
		signals = append(signals, syscall.SIGHUP)
	}
	return signals
}

// streams are the standard streams of a run.
type streams struct {
	in       io.Reader
	out, err io.Writer
}

// run executes one command line and returns its exit code.
func run(ctx context.Context, args []string, std streams) int {
	app := newApp(std)
	args, err := optionsFirst(app, args)
	if err == nil {
		err = app.RunContext(ctx, append([]string{app.Name}, args...))
	}
	if err == nil {
		return exitOK
	}
	if ctx.Err() != nil {
		fmt.Fprintln(std.err, "seqsvm: interrupted")
		return exitInterrupted
	}
	if errors.Is(err, syscall.EPIPE) {
		return exitFailed // the reader of the output has gone, as with | head: nothing to tell
	}
	fmt.Fprintf(std.err, "seqsvm: %s\n", oneLine(err.Error()))
	var usage *usageError
	if errors.As(err, &usage) {
		return exitUsage
	}
	return exitFailed
}

// oneLine makes a message fit one line of a terminal, whatever names it quotes.
func oneLine(message string) string {
	var b strings.Builder
	for _, r := range strings.ReplaceAll(message, "\n", "; ") {
		if unicode.IsControl(r) { // those beyond ASCII too, of which one begins what a terminal obeys
			fmt.Fprintf(&b, "\\x%02x", r)
		} else {
			b.WriteRune(r)
		}
	}
	return b.String()
}

// usageError is a wrong command line, as against wrong data.
type usageError struct{ error }

func (e *usageError) Unwrap() error { return e.error }

func usagef(format string, args ...any) error { return &usageError{fmt.Errorf(format, args...)} }

func newApp(std streams) *cli.App {
	app := &cli.App{
		Name:                      "seqsvm",
		Usage:                     "support vector machines on sequences, with string kernels in linear time",
		Version:                   version,
		Reader:                    std.in,
		Writer:                    std.out,
		ErrWriter:                 std.err,
		DisableSliceFlagSeparator: true, // a kernel specification has commas
		HideHelpCommand:           true,
		ExitErrHandler:            func(*cli.Context, error) {}, // run prints and chooses the code
		Action: func(c *cli.Context) error {
			return cli.ShowAppHelp(c)
		},
		Commands: []*cli.Command{
			trainCommand(), predictCommand(), evaluateCommand(), cvCommand(), tuneCommand(), kernelCommand(), kmersCommand(), variantsCommand(),
			scanCommand(), explainCommand(), rfeCommand(), unmaskCommand(), poimCommand(), windowsCommand(), negativesCommand(), convertCommand(),
			kernelsCommand(), infoCommand(), benchCommand(), completionCommand(),
		},
	}
	app.OnUsageError = usageHint("options stand behind the command, and seqsvm COMMAND --help lists them")
	for _, command := range app.Commands {
		command.OnUsageError = usageHint("seqsvm " + command.Name + " --help lists the options")
		command.HideHelpCommand = true // or a file h would be taken for it
		command.Action = checked(command.Action)
	}
	return app
}

// usageHint adds to what the flag parser has to say.
func usageHint(hint string) cli.OnUsageErrorFunc {
	return func(_ *cli.Context, err error, _ bool) error { return usagef("%w; %s", err, hint) }
}

// checked checks what is the same for every command, and applies the options that every command has, before its action.
func checked(action cli.ActionFunc) cli.ActionFunc {
	return func(c *cli.Context) error {
		if err := checkGiven(c); err != nil {
			return err
		}
		if err := applyShared(c); err != nil {
			return err
		}
		if err := action(c); err != nil {
			return err
		}
		for _, line := range warnings(c) {
			say(c, "seqsvm: warning: %s", line)
		}
		return nil
	}
}

// optionsFirst moves options before operands, since the flag parser stops at the first operand, and finds an unknown command.
// “help COMMAND” becomes “COMMAND --help”.
func optionsFirst(app *cli.App, args []string) ([]string, error) {
	if len(args) > 0 && args[0] == "help" {
		args = append(slices.Clone(args[1:]), "--help")
	}
	if len(args) == 0 || args[0] != "-" && strings.HasPrefix(args[0], "-") {
		return args, nil
	}
	command := app.Command(args[0])
	if command == nil {
		return nil, usagef("unknown command %q, want one of: %s", args[0], commandNames(app))
	}
	takesValue := map[string]bool{}
	for _, f := range command.Flags {
		_, isBool := f.(*cli.BoolFlag)
		for _, name := range f.Names() {
			takesValue[name] = !isBool
		}
	}
	options, operands := []string{args[0]}, []string{}
	for rest := args[1:]; len(rest) > 0; rest = rest[1:] {
		arg := rest[0]
		if arg == "--" {
			operands = append(operands, rest[1:]...)
			break
		}
		if arg == "-" || !strings.HasPrefix(arg, "-") {
			operands = append(operands, arg)
			continue
		}
		options = append(options, arg)
		if takesValue[strings.TrimLeft(arg, "-")] {
			if len(rest) == 1 {
				return nil, usagef("option %s needs a value", arg)
			}
			rest = rest[1:]
			options = append(options, rest[0])
		}
	}
	if len(operands) > 0 {
		options = append(append(options, "--"), operands...)
	}
	return options, nil
}

func commandNames(app *cli.App) string {
	var names []string
	for _, c := range app.Commands {
		names = append(names, c.Name)
	}
	return strings.Join(names, ", ")
}
