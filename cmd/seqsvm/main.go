// Command seqsvm trains and runs support vector machines on sequences. See README.md, or seqsvm --help.
package main

import (
	"context"
	_ "embed"
	"io"
	"maps"
	"os"
	"os/signal"
	"path/filepath"
	"runtime"
	"runtime/debug"
	"slices"
	"strings"
	"syscall"

	"github.com/seqsvm/seqsvm"
	"github.com/seqsvm/seqsvm/cmd/seqsvm/internal/assistant"
	"github.com/seqsvm/seqsvm/cmd/seqsvm/internal/cli"
	"github.com/seqsvm/seqsvm/cmd/seqsvm/internal/genomic"
	"github.com/seqsvm/seqsvm/cmd/seqsvm/internal/gkm"
	"github.com/seqsvm/seqsvm/cmd/seqsvm/internal/worker"
	"github.com/seqsvm/seqsvm/internal/memory"
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), interrupts()...)
	signal.Ignore(syscall.SIGPIPE) // a write to a closed pipe is an error, so that open files are cleaned up
	context.AfterFunc(ctx, stop)   // a second signal ends the process at once
	app, args := newApp(), os.Args[1:]
	if program := gkm.App(strings.TrimSuffix(filepath.Base(os.Args[0]), ".exe")); program != nil {
		app, args = program, gkm.Arguments(args)
	}
	code := app.Run(ctx, args, cli.Streams{In: os.Stdin, Out: os.Stdout, Err: os.Stderr})
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
		Cite:    "CITATION.cff of https://github.com/seqsvm/seqsvm, and the papers that docs and package comments name",
		Commands: []*cli.Command{
			{Name: "train", Random: true, Options: new(trainOptions)},
			{Name: "learn", Options: new(learnOptions)},
			{Name: "cv", Random: true, Options: new(cvOptions)},
			{Name: "tune", Random: true, Options: new(tuneOptions)},
			{Name: "predict", Options: new(predictOptions)},
			{Name: "evaluate", Random: true, Options: new(evaluateOptions)},
			{Name: "compare", Random: true, Options: new(compareOptions)},
			{Name: "explain", Options: new(explainOptions)},
			{Name: "report", Random: true, Options: new(pageOptions)},
			{Name: "scan", Random: true, Options: genomic.Scan()},
			{Name: "variants", Random: true, Options: genomic.Variants()},
			{Name: "serve", Options: new(serveOptions)},
			{Name: "mcp", Options: &assistant.Options{App: newApp, Alone: runAlone}},
			{Name: "genome windows", Random: true, Options: genomic.Windows()},
			{Name: "genome negatives", Random: true, Options: genomic.Negatives()},
			{Name: "model info", Options: new(infoOptions)},
			{Name: "model convert", Options: new(convertOptions)},
			{Name: "model kmers", Options: genomic.Kmers()},
			{Name: "model design", Options: genomic.Design()},
			{Name: "model motifs", Options: new(motifsOptions)},
			{Name: "model poim", Options: new(poimOptions)},
			{Name: "model merge", Options: new(mergeOptions)},
			{Name: "matrix gram", Options: new(matrixOptions)},
			{Name: "matrix features", Options: new(featuresOptions)},
			{Name: "matrix search", Options: new(searchOptions)},
			{Name: "matrix embed", Random: true, Options: new(embedOptions)},
			{Name: "matrix mmd", Random: true, Options: new(compareSetsOptions)},
			{Name: "matrix denoise", Random: true, Options: new(denoiseOptions)},
			{Name: "text unmask", Random: true, Options: new(unmaskOptions)},
			{Name: "text rfe", Random: true, Options: new(rfeOptions)},
			{Name: "about kernels", Options: new(kernelsOptions)},
			{Name: "about input", Options: new(inputItems)},
			{Name: "about bench", Random: true, Options: new(benchOptions)},
			{Name: "about completion", Options: completionOptions{}},
			{Name: "about links", Options: gkm.Links{}},
			{Name: "about man", Options: new(manOptions)},
			{Name: "about version", Options: new(versionOptions)},
			{Name: "about worker", Options: workerOptions{}},
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

// manOptions are the options of about man.
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
	name := strings.Join(append([]string{c.App.Name}, c.Args...), "-")
	page, found := c.App.Pages()[name+".1"]
	if !found {
		return cli.Usagef("no page of %.80q, want a command: seqsvm --help lists them", strings.Join(c.Args, " "))
	}
	_, err := io.WriteString(c.Out, page)
	return err
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

// versionOptions are the options of about version.
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
	return o.output.WriteAs(o.format, newBuild(info), nil)
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
		return c.Name == "serve" || c.Name == "mcp" || c.Name == "about worker"
	})
	return app.Run(ctx, args, std)
}
