// Command seqsvm trains and runs support vector machines on sequences. See README.md, or seqsvm --help.
package main

import (
	"context"
	_ "embed"
	"fmt"
	"io"
	"maps"
	"os"
	"os/signal"
	"runtime"
	"runtime/debug"
	"slices"
	"syscall"

	"github.com/seqsvm/seqsvm"
	"github.com/seqsvm/seqsvm/cmd/seqsvm/internal/cli"
	"github.com/seqsvm/seqsvm/cmd/seqsvm/internal/genomic"
	"github.com/seqsvm/seqsvm/cmd/seqsvm/internal/worker"
	"github.com/seqsvm/seqsvm/internal/memory"
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), interrupts()...)
	signal.Ignore(syscall.SIGPIPE) // a write to a closed pipe is an error, so that open files are cleaned up
	context.AfterFunc(ctx, stop)   // a second signal ends the process at once
	code := newApp().Run(ctx, os.Args[1:], cli.Streams{In: os.Stdin, Out: os.Stdout, Err: os.Stderr})
	stop()
	os.Exit(code)
}

// interrupts lists the signals that end a run cleanly. A terminal that closes sends SIGHUP, unless nohup has it
// ignored.
func interrupts() []os.Signal {
	signals := []os.Signal{os.Interrupt, syscall.SIGTERM}
	if !signal.Ignored(syscall.SIGHUP) {
		signals = append(signals, syscall.SIGHUP)
	}
	return signals
}

// texts has the usage, operands, examples and description of each command.
//
//go:embed help.txt
var texts string

func newApp() *cli.App {
	app := &cli.App{
		Name:    "seqsvm",
		Usage:   "support vector machines on sequences, with string kernels in linear time",
		Version: seqsvm.Version,
		Commands: []*cli.Command{
			trainCommand(), learnCommand(), predictCommand(), evaluateCommand(), compareCommand(), reportCommand(),
			cvCommand(), tuneCommand(),
			kernelCommand(), featuresCommand(), searchCommand(), mergeCommand(), embedCommand(), denoiseCommand(),
			genomic.Kmers(), motifsCommand(), genomic.Variants(),
			genomic.Scan(), explainCommand(), rfeCommand(), unmaskCommand(), poimCommand(), genomic.Windows(),
			genomic.Negatives(), convertCommand(),
			serveCommand(), workerCommand(), kernelsCommand(), infoCommand(), benchCommand(), completionCommand(), manCommand(),
			versionCommand(),
		},
	}
	app.Describe(texts)
	return app
}

func completionCommand() *cli.Command {
	return &cli.Command{
		Name: "completion",
		Run: func(c *cli.Call) error {
			if len(c.Args) != 1 {
				return cli.Usagef("%d shells given, want one: bash, zsh or fish", len(c.Args))
			}
			script, err := c.App.Completion(c.Args[0])
			if err != nil {
				return err
			}
			_, err = io.WriteString(c.Out, script)
			return err
		},
	}
}

func manCommand() *cli.Command {
	var folder string
	return &cli.Command{
		Name: "man",
		Flags: func(f *cli.Flags) {
			f.Section(cli.OfOutput)
			f.String(&folder, "folder", "", "write all pages to a `FOLDER`, which is made if it is not there")
		},
		Run: func(c *cli.Call) error {
			if folder != "" {
				if err := c.NoOperands(); err != nil {
					return err
				}
				return writePages(c, folder)
			}
			page, err := manPage(c)
			if err != nil {
				return err
			}
			_, err = io.WriteString(c.Out, page)
			return err
		},
	}
}

// manPage returns the page of the operand, or of the tool if there is none.
func manPage(c *cli.Call) (string, error) {
	name := c.App.Name
	switch len(c.Args) {
	case 0:
	case 1:
		name += "-" + c.Args[0]
	default:
		return "", cli.Usagef("%d commands given, want one", len(c.Args))
	}
	page, found := c.App.Pages()[name+".1"]
	if !found {
		return "", cli.Usagef("no page of %.80q, want a command: seqsvm --help lists them", c.Args[0])
	}
	return page, nil
}

func writePages(c *cli.Call, folder string) error {
	if err := os.MkdirAll(folder, 0o777); err != nil {
		return err
	}
	pages := c.App.Pages()
	for _, name := range slices.Sorted(maps.Keys(pages)) {
		output := cli.OutputIn("folder", folder, name)
		if err := c.Create(output); err != nil {
			return err
		}
		err := output.Write(func(w io.Writer) error {
			_, err := io.WriteString(w, pages[name])
			return err
		})
		if err != nil {
			return err
		}
	}
	return nil
}

// versionOptions are the options of version.
type versionOptions struct {
	format string
	output cli.Output
}

func versionCommand() *cli.Command {
	o := new(versionOptions)
	return &cli.Command{
		Name: "version",
		Flags: func(f *cli.Flags) {
			f.FormatOf(&o.format, "format: tsv or json (docs/json.md)", cli.TSV, cli.JSON)
			f.Output(&o.output, "output,o", "`FILE` to write")
		},
		Run: o.run,
	}
}

// What releases have the linker set, since they are built from archives and copies too.
var commit, date string

// build is what a program was built from.
type build struct {
	Version  string `json:"version"`
	Commit   string `json:"commit"`   // "" if it is not known
	Date     string `json:"date"`     // of the commit, as in RFC 3339
	Modified bool   `json:"modified"` // other files than those of the commit
	Go       string `json:"go"`
	Platform string `json:"platform"`
}

func newBuild(info *debug.BuildInfo) build {
	b := build{
		Version: seqsvm.Version, Commit: commit, Date: date,
		Go: runtime.Version(), Platform: runtime.GOOS + "/" + runtime.GOARCH,
	}
	for _, setting := range info.Settings {
		switch setting.Key {
		case "vcs.revision":
			b.Commit = setting.Value
		case "vcs.time":
			b.Date = setting.Value
		case "vcs.modified":
			b.Modified = setting.Value == "true"
		}
	}
	return b
}

func (o *versionOptions) run(c *cli.Call) error {
	if err := c.NoOperands(); err != nil {
		return err
	}
	info, known := debug.ReadBuildInfo()
	if !known {
		info = new(debug.BuildInfo)
	}
	b := newBuild(info)
	return o.output.WriteAs(o.format, b, func(t *cli.Table) {
		for _, row := range [][2]any{{"version", b.Version}, {"commit", b.Commit}, {"date", b.Date},
			{"modified", fmt.Sprint(b.Modified)}, {"go", b.Go}, {"platform", b.Platform}} {
			t.Row(row[0], row[1])
		}
	})
}

func workerCommand() *cli.Command {
	return &cli.Command{
		Name: "worker",
		Run: func(c *cli.Call) error {
			if err := c.NoOperands(); err != nil {
				return err
			}
			in, stop := c.StandardInput()
			defer stop()
			return worker.Serve(c.Context, in, c.Out, worker.Greeting{Tool: c.App.Name, Version: seqsvm.Version}, runAlone)
		},
	}
}

// runAlone runs a command line that reads no standard input. Its --threads and --max-memory end with it.
func runAlone(ctx context.Context, args []string, std cli.Streams) int {
	threads, limit := runtime.GOMAXPROCS(0), memory.Limit()
	defer func() {
		runtime.GOMAXPROCS(threads)
		memory.SetLimit(limit)
	}()
	app := newApp()
	app.Commands = slices.DeleteFunc(app.Commands, func(c *cli.Command) bool { // they wait for others
		return c.Name == "serve" || c.Name == "worker"
	})
	return app.Run(ctx, args, std)
}
