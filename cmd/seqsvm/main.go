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
			{Name: "train", Random: true, Options: new(trainOptions)},
			{Name: "learn", Options: new(learnOptions)},
			{Name: "predict", Options: new(predictOptions)},
			{Name: "evaluate", Random: true, Options: new(evaluateOptions)},
			{Name: "compare", Random: true, Options: new(compareOptions)},
			{Name: "report", Random: true, Options: new(pageOptions)},
			{Name: "cv", Random: true, Options: new(cvOptions)},
			{Name: "tune", Random: true, Options: new(tuneOptions)},
			{Name: "kernel", Options: new(matrixOptions)},
			{Name: "features", Options: new(featuresOptions)},
			{Name: "search", Options: new(searchOptions)},
			{Name: "merge", Options: new(mergeOptions)},
			{Name: "embed", Random: true, Options: new(embedOptions)},
			{Name: "denoise", Random: true, Options: new(denoiseOptions)},
			{Name: "kmers", Options: genomic.Kmers()},
			{Name: "motifs", Options: new(motifsOptions)},
			{Name: "variants", Options: genomic.Variants()},
			{Name: "scan", Random: true, Options: genomic.Scan()},
			{Name: "explain", Options: new(explainOptions)},
			{Name: "rfe", Random: true, Options: new(rfeOptions)},
			{Name: "unmask", Random: true, Options: new(unmaskOptions)},
			{Name: "poim", Options: new(poimOptions)},
			{Name: "windows", Random: true, Options: genomic.Windows()},
			{Name: "negatives", Random: true, Options: genomic.Negatives()},
			{Name: "convert", Options: new(convertOptions)},
			{Name: "serve", Options: new(serveOptions)},
			{Name: "worker", Options: workerOptions{}},
			{Name: "kernels", Options: new(kernelsOptions)},
			{Name: "info", Options: new(infoOptions)},
			{Name: "bench", Random: true, Options: new(benchOptions)},
			{Name: "completion", Options: completionOptions{}},
			{Name: "man", Options: new(manOptions)},
			{Name: "version", Options: new(versionOptions)},
		},
	}
	app.Describe(texts)
	return app
}

// completionOptions are none.
type completionOptions struct{}

func (completionOptions) Flags(*cli.Flags) {}

func (completionOptions) Run(c *cli.Call) error {
	if len(c.Args) != 1 {
		return cli.Usagef("%d shells given, want one: bash, zsh or fish", len(c.Args))
	}
	script, err := c.App.Completion(c.Args[0])
	if err != nil {
		return err
	}
	_, err = io.WriteString(c.Out, script)
	return err
}

// manOptions are the options of man.
type manOptions struct{ folder string }

func (o *manOptions) Flags(f *cli.Flags) {
	f.Section(cli.OfOutput)
	f.String(&o.folder, "folder", "", "write all pages to a `FOLDER`, which is made if it is not there")
}

func (o *manOptions) Run(c *cli.Call) error {
	if o.folder != "" {
		if err := c.NoOperands(); err != nil {
			return err
		}
		return writePages(c, o.folder)
	}
	page, err := manPage(c)
	if err != nil {
		return err
	}
	_, err = io.WriteString(c.Out, page)
	return err
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

func (o *versionOptions) Flags(f *cli.Flags) {
	f.FormatOf(&o.format, "format: tsv or json (docs/json.md)", cli.TSV, cli.JSON)
	f.Output(&o.output, "output,o", "`FILE` to write")
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

func (o *versionOptions) Run(c *cli.Call) error {
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

// workerOptions are none.
type workerOptions struct{}

func (workerOptions) Flags(*cli.Flags) {}

func (workerOptions) Run(c *cli.Call) error {
	if err := c.NoOperands(); err != nil {
		return err
	}
	in, stop := c.StandardInput()
	defer stop()
	return worker.Serve(c.Context, in, c.Out, worker.Greeting{Tool: c.App.Name, Version: seqsvm.Version}, runAlone)
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
