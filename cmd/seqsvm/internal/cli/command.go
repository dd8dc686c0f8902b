// Package cli runs the commands of a tool on urfave/cli: options are bound to the variables that a command names, may
// stand before and after operands, and are listed by section in help. A command that fails leaves no output files; its
// error becomes one line and an exit code.
package cli

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"runtime"
	"runtime/debug"
	"slices"
	"strconv"
	"strings"
	"sync/atomic"
	"syscall"
	"time"

	"github.com/urfave/cli/v2"

	"github.com/seqsvm/seqsvm/internal/memory"
	"github.com/seqsvm/seqsvm/internal/suggest"
)

// Exit codes.
const (
	ExitOK          = 0
	ExitFailed      = 1
	ExitUsage       = 2
	ExitInterrupted = 130
)

// App is a tool: a list of commands.
type App struct {
	Name, Usage, Version string
	Cite                 string // how to cite it, "" for nothing
	Commands             []*Command
	groups               []*Command // names with their usage
}

// Command is one command of an App, whose texts [App.Describe] may set.
type Command struct {
	Name        string // a word, or that of a group, a blank and a word
	Usage       string // a phrase
	Operands    string // as in FILE…
	Description string
	Example     string   // command lines, which a test runs
	Common      []string // options that -h shows; nil: all
	Random      bool     // --seed matters
	Options
}

// Options are those of a command, and what it does with them.
type Options interface {
	Flags(f *Flags) // binds them to variables
	Run(c *Call) error
}

// Streams are the standard streams of a run, and the files that it finds in memory.
type Streams struct {
	In       io.Reader
	Out, Err io.Writer
	Files    *Files // nil if there are none

	Confine  func(path string) error          // returns why a file may not be read or written; nil: all may
	Progress func(share float64, text string) // told twice a second how far the run is; nil: lines on Err
}

// Call is one run of a command: its operands, its options and those that all commands have, and where results and
// messages go.
type Call struct {
	*Flags
	Streams
	messages
	stages
	App     *App
	Context context.Context
	Args    []string // operands
	Seed    uint64

	command   string
	threads   int
	maxMemory string
	lacksEnd  atomic.Bool // standard input does: see seqio.LacksEnd

	created     []*Output // those that were opened
	files       []output
	compressors []io.Closer
	afterwards  []func() error
}

// Run executes one command line and returns its exit code.
func (a *App) Run(ctx context.Context, args []string, std Streams) int {
	group, args := a.group(args)
	call, err := a.run(ctx, group, args, std)
	defer call.end()
	if err == nil {
		return ExitOK
	}
	if ctx.Err() != nil {
		fmt.Fprintf(std.Err, "%s: interrupted\n", a.Name)
		return ExitInterrupted
	}
	if errors.Is(err, syscall.EPIPE) {
		return ExitFailed // the reader of the output is gone, as with | head: print nothing
	}
	fmt.Fprintf(std.Err, "%s: %s\n", a.Name, oneLine(withoutPackages(err.Error(), args)))
	var usage *UsageError
	if errors.As(err, &usage) {
		return ExitUsage
	}
	return ExitFailed
}

// UsageError is a wrong command line, as opposed to wrong data.
type UsageError struct{ Err error }

// Error is that of the cause.
func (e *UsageError) Error() string { return e.Err.Error() }

// Unwrap returns the cause.
func (e *UsageError) Unwrap() error { return e.Err }

// Usagef makes a UsageError.
func Usagef(format string, args ...any) error { return &UsageError{fmt.Errorf(format, args...)} }

// group returns the group that a command line begins with, as "model ", and the arguments after it; "" and all
// arguments if it begins with no group. “help COMMAND” is “COMMAND --help”.
func (a *App) group(args []string) (string, []string) {
	if len(args) > 0 && args[0] == "help" {
		args = append(slices.Clone(args[1:]), "--help")
	}
	if len(args) > 0 && a.words(args[0]+" ") != nil {
		return args[0] + " ", args[1:]
	}
	return "", args
}

// run executes one command line after the name of a group, and returns the call if it names a command.
func (a *App) run(ctx context.Context, group string, args []string, std Streams) (*Call, error) {
	if len(args) == 0 || args[0] == "--help" || args[0] == "-h" {
		return nil, a.writeHelp(std.Out, group)
	}
	if args[0] == "--version" || args[0] == "-v" {
		_, err := fmt.Fprintf(std.Out, "%s version %s\n", a.Name, a.Version)
		return nil, err
	}
	if strings.HasPrefix(args[0], "-") && args[0] != "-" {
		return nil, Usagef("option %s before a command; put options after the command, and see %s %sCOMMAND --help",
			args[0], a.Name, group)
	}
	command := a.command(group + args[0])
	if command == nil {
		return nil, a.unknown(group, args[0])
	}
	c := &Call{
		Flags: new(Flags), Streams: std, messages: messages{to: std.Err, name: a.Name},
		stages: stages{begun: time.Now()}, App: a, Context: ctx, command: command.Name,
	}
	c.bind(command)
	return c, c.execute(command, args[1:])
}

// unknown is the error about a word that is no command of a group: it may be one elsewhere.
func (a *App) unknown(group, word string) error {
	for _, c := range a.Commands {
		if c.word() == word {
			return Usagef("unknown command %q; it is \"%s %s\"", group+word, a.Name, c.Name)
		}
	}
	words := a.words(group)
	return Usagef("unknown command %q, want one of: %s%s", group+word, strings.Join(words, ", "),
		suggest.Hint(word, words))
}

// command returns the command or group of a name, nil if there is none.
func (a *App) command(name string) *Command {
	for _, c := range slices.Concat(a.Commands, a.groups) {
		if c.Name == name {
			return c
		}
	}
	return nil
}

// words lists the commands of a group, given with a blank after it, or with "" those of none, and the groups.
func (a *App) words(group string) (list []string) {
	for _, c := range slices.Concat(a.Commands, a.groups) {
		if group+c.word() == c.Name {
			list = append(list, c.word())
		}
	}
	return list
}

// word is the name without that of the group.
func (c *Command) word() string { return c.Name[strings.Index(c.Name, " ")+1:] }

// execute has urfave/cli parse the options of a command, and runs it. Warnings are printed if it succeeds: a command
// that fails prints its error alone.
func (c *Call) execute(command *Command, args []string) error {
	usage := func(err error) error {
		return Usagef("%w; %s --help lists the options", err, strings.TrimSpace(c.App.Name+" "+command.Name))
	}
	args, err := c.optionsFirst(args)
	if err != nil {
		return usage(err)
	}
	parser := &cli.App{
		Name: command.Name, Reader: c.In, Writer: c.Out, ErrWriter: c.Err, Flags: c.parsed(), HideHelp: true,
		HideVersion:    true,
		ExitErrHandler: func(*cli.Context, error) {}, // Run prints and chooses the code
		OnUsageError:   func(_ *cli.Context, err error, _ bool) error { return usage(cmp.Or(c.failed, err)) },
		Action: func(x *cli.Context) error {
			if c.help || c.brief {
				return c.App.writeCommandHelp(c.Out, command, c.Flags, !c.help)
			}
			c.Args = x.Args().Slice()
			if err := c.check(); err != nil {
				return err
			}
			return c.runWatched(command)
		},
	}
	if err := parser.RunContext(c.Context, append([]string{command.Name}, args...)); err != nil {
		return err
	}
	c.warnLackingEnds()
	c.flush()
	return nil
}

// runWatched runs the command and shows its progress.
func (c *Call) runWatched(command *Command) error {
	if !c.quiet {
		c.progress = newProgress(c.Err, c.Streams.Progress, c.name, &c.notes)
		defer func() {
			c.progress.end()
			c.progress = nil
		}()
	}
	defer c.endStage()
	return c.withOutputs(command.Run)
}

// bind defines the options of a command and those that all commands have.
func (c *Call) bind(command *Command) {
	command.Flags(c.Flags)
	c.Section(OfGeneral)
	seed := c.Uint64(&c.Seed, "seed", 1, "random seed")
	seed.hidden = !command.Random
	own := len(c.options)
	c.bindGeneral()
	for _, o := range c.options[own:] {
		o.general = true
	}
}

// bindGeneral defines the options that mean the same in all commands.
func (c *Call) bindGeneral() {
	c.Int(&c.threads, "threads,j", 0, "number of processors; results do not depend on it").AtLeast(0).
		Default("SEQSVM_THREADS, else all")
	c.String(&c.maxMemory, "max-memory", "", "largest `SIZE` of an input or table held in memory, such as 4G or 512M").
		Default("half of the memory this process may have")
	c.Bool(&c.quiet, "quiet,q", "print no remarks and no progress, only warnings and errors").Excludes("verbose")
	c.Bool(&c.verbose, "verbose", "print the time of every stage, and at the end time and memory of the run")
	c.Bool(&c.brief, "h", "show the usual options")
	c.Bool(&c.help, "help", "show all options")
}

// mostThreads is the number of threads that --threads may ask for on a machine with fewer processors.
const mostThreads = 64

// check returns an error if an option or operand is empty, as an unset shell variable leaves it, if an option has a
// value out of its range, or if standard input would be read twice. It applies the options that all commands have.
func (c *Call) check() error {
	if err := c.Flags.check(); err != nil {
		return err
	}
	if err := c.checkPairs(); err != nil {
		return err
	}
	if slices.Contains(c.Args, "") {
		return Usagef("empty file name")
	}
	c.takeOperands()
	if err := c.confine(c.inputs()...); err != nil { // before a list of files is read, too
		return err
	}
	for _, o := range c.options {
		if o.before != nil {
			if err := o.before(c); err != nil {
				return err
			}
		}
	}
	paths := c.inputs()
	if err := c.confine(paths...); err != nil {
		return err
	}
	if first := slices.Index(paths, "-"); first >= 0 && slices.Contains(paths[first+1:], "-") {
		return Usagef("standard input (-) is given twice but can be read only once")
	}
	if c.maxMemory != "" {
		bytes, err := memory.ParseSize(c.maxMemory)
		if err != nil {
			return Usagef("--max-memory %w", err)
		}
		memory.SetLimit(bytes)
	}
	if left := memory.Addresses(); 0 < left && left < leastMemory {
		return errors.New("the limit on addresses (ulimit -v) leaves less than 64 MiB for data: allow 2 GiB or more")
	}
	collectInTime()
	if text := os.Getenv("SEQSVM_THREADS"); text != "" && c.threads == 0 {
		var err error
		if c.threads, err = strconv.Atoi(text); err != nil || c.threads < 0 {
			return Usagef("SEQSVM_THREADS is %.80q, want a number of processors", text)
		}
	}
	if c.threads > 0 {
		runtime.GOMAXPROCS(min(c.threads, max(mostThreads, runtime.NumCPU())))
	}
	return nil
}

// leastMemory is what a command needs, bytes: an arena of Go's heap.
const leastMemory = 64 << 20

// collectInTime has garbage collected before the heap reaches nine tenths of twice the limit, which by default is what
// the process may have: without it the heap grows to twice what is in use. GOMEMLIMIT, if set, says otherwise.
func collectInTime() { CollectWithin(memory.Limit() / 5 * 9) }

// CollectWithin has garbage collected before the heap reaches so many bytes, unless GOMEMLIMIT says otherwise.
func CollectWithin(bytes int64) {
	least := int64(256 << 20) // below, it would be collected all the time
	if memory.Addresses() > 0 {
		least = leastMemory
	}
	if os.Getenv("GOMEMLIMIT") == "" {
		debug.SetMemoryLimit(max(least, bytes))
	}
}

// CollectOften has garbage collected whenever the heap has grown by a quarter, if there are many letters, or a tenth,
// if there are very many, unless GOGC says otherwise: most of the heap is then arrays without pointers, which a
// collection does not read.
func CollectOften(letters int) {
	switch {
	case os.Getenv("GOGC") != "" || letters < 1<<22:
	case letters < 1<<26:
		debug.SetGCPercent(25)
	default:
		debug.SetGCPercent(10)
	}
}

// confine returns why one of some files may not be read or written.
func (c *Call) confine(paths ...string) error {
	for _, path := range paths {
		if c.Confine == nil || path == "" {
			continue
		}
		if err := c.Confine(path); err != nil {
			return err
		}
	}
	return nil
}

// inputs lists the files that the command reads.
func (c *Call) inputs() []string { return append(slices.Clone(c.Args), c.Flags.inputs()...) }

// NoOperands returns an error if there are operands.
func (c *Call) NoOperands() error {
	if len(c.Args) > 0 {
		return Usagef("operand %.80q, want none", c.Args[0])
	}
	return nil
}

// optionsFirst moves options before operands, since urfave/cli ends the options at the first operand, and spells each
// by its first name. Arguments after -- are operands. Short options may be joined, and with a value, as -j2 or -qm
// MODEL. Two values of an option that has one are an error.
func (f *Flags) optionsFirst(args []string) ([]string, error) {
	var options, operands []string
	values := map[*Option]string{}
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
		if first := f.find(arg[1:2]); o == nil && first != nil && f.hint(name) == "" {
			rest := arg[2:]
			if first.isBool {
				rest = "-" + rest
			}
			args = append([]string{arg[:2], rest}, args...)
			continue
		}
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
		if before, twice := values[o]; twice && before != value && !o.repeats {
			return nil, fmt.Errorf("--%s is given twice: %.80s and %.80s, want one", o.names[0], before, value)
		}
		values[o] = value
		options = append(options, "--"+o.names[0]+"="+value)
	}
	return append(append(options, "--"), operands...), nil
}

// hint suggests the option that an unknown one may stand for, or that it is a key of.
func (f *Flags) hint(name string) string {
	var names []string
	for _, o := range f.options {
		for _, key := range o.keys {
			if key, value, _ := strings.Cut(key, "="); key == name {
				return fmt.Sprintf("; did you mean --%s %s?", o.names[0], strings.TrimRight(key+"="+value, "="))
			}
		}
		for _, known := range o.names {
			if (len(known) > 1 || strings.EqualFold(known, name)) && !o.hidden {
				names = append(names, known)
			}
		}
	}
	if near := suggest.Nearest(name, names); near != "" {
		return "; did you mean " + "--"[:min(2, len(near))] + near + "?"
	}
	return ""
}

// parsed returns the options as urfave/cli takes them.
func (f *Flags) parsed() (list []cli.Flag) {
	for _, o := range f.options {
		list = append(list, flag{&cli.GenericFlag{Name: o.names[0], Category: o.section, Usage: o.usage, Value: value{o, f}}})
	}
	return list
}

// flag has one name. urfave/cli, which asks for names once for each pair of flags, would search each for a comma.
type flag struct{ *cli.GenericFlag }

// Names returns the name.
func (f flag) Names() []string { return []string{f.Name} }

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
