package main_test

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"runtime"
	"strconv"
	"strings"
	"testing"

	"github.com/klauspost/compress/gzip"
	"github.com/klauspost/compress/zstd"
	"github.com/rogpeppe/go-internal/testscript"

	main "github.com/seqsvm/seqsvm/cmd/seqsvm"
	"github.com/seqsvm/seqsvm/cmd/seqsvm/internal/cli"
	"github.com/seqsvm/seqsvm/cmd/seqsvm/internal/gkm"
	"github.com/seqsvm/seqsvm/internal/memory"
	"github.com/seqsvm/seqsvm/internal/must"
)

// newApp is the tool.
func newApp() *cli.App { return main.NewApp() }

// TestMain runs the tests, or the tool where the test binary is called seqsvm, a link in $PATH for tests that need a
// process, or as a program of LS-GKM.
func TestMain(m *testing.M) {
	if name := strings.TrimSuffix(filepath.Base(os.Args[0]), ".exe"); name == "seqsvm" || gkm.App(name) != nil {
		main.Main()
	}
	folder, err := linkTool()
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	code := m.Run()
	os.RemoveAll(folder)
	os.Exit(code)
}

// linkTool makes the test binary the program seqsvm of $PATH, in a folder of its own.
func linkTool() (folder string, err error) {
	binary, err := os.Executable()
	if err != nil {
		return "", err
	}
	if folder, err = os.MkdirTemp(filepath.Dir(binary), "seqsvm-tool-"); err != nil {
		return "", err
	}
	os.Setenv("PATH", folder+string(os.PathListSeparator)+os.Getenv("PATH"))
	name := "seqsvm"
	if runtime.GOOS == "windows" {
		name += ".exe"
	}
	return folder, os.Link(binary, filepath.Join(folder, name))
}

// TestScripts runs testdata/script. Each script finds promoters.fa, promoters.fa.gz, promoters.fa.zst, splice.fa and
// every fifth record of that, fifth.fa, in its folder. $TESTDATA is the folder of the shipped sets.
func TestScripts(t *testing.T) {
	files := realData(t)
	shipped := must.Get(filepath.Abs("../../testdata"))(t)
	testscript.RunT(serial{t}, testscript.Params{
		Dir:                 "testdata/script",
		RequireExplicitExec: true,
		RequireUniqueNames:  true,
		Setup: func(env *testscript.Env) error {
			env.Setenv("TESTDATA", shipped)
			for name, data := range files {
				if err := os.WriteFile(filepath.Join(env.WorkDir, name), data, 0o666); err != nil {
					return err
				}
			}
			return nil
		},
		Cmds: scriptCommands,
	})
}

// serial has scripts run one after the other: each changes the folder of this process.
type serial struct{ *testing.T }

func (serial) Parallel()     {}
func (serial) Verbose() bool { return testing.Verbose() }

func (s serial) Run(name string, script func(testscript.T)) {
	s.T.Run(name, func(t *testing.T) { script(serial{t}) })
}

// realData returns the repository's sets, the small one compressed as well.
func realData(t *testing.T) map[string][]byte {
	promoters := must.Get(os.ReadFile("../../testdata/fasta/promoters.fa"))(t)
	splice := must.Get(os.ReadFile("../../testdata/fasta/splice.fa"))(t)
	return map[string][]byte{
		"promoters.fa": promoters, "promoters.fa.gz": gzipped(promoters), "promoters.fa.zst": zstded(promoters),
		"splice.fa": splice, "fifth.fa": everyFifth(splice),
	}
}

// everyFifth returns records 1, 6, 11… of a FASTA file.
func everyFifth(fasta []byte) []byte {
	var out []byte
	for i, record := range bytes.SplitAfter(fasta, []byte("\n>")) {
		if i%5 == 0 {
			out = append(append(out, '>'), bytes.Trim(record, ">")...)
		}
	}
	return out
}

func gzipped(data []byte) []byte {
	var b bytes.Buffer
	w := gzip.NewWriter(&b)
	w.Write(data) // a bytes.Buffer takes everything
	w.Close()
	return b.Bytes()
}

func zstded(data []byte) []byte {
	w, err := zstd.NewWriter(nil, zstd.WithEncoderConcurrency(1), zstd.WithLowerEncoderMem(true),
		zstd.WithEncoderLevel(zstd.SpeedFastest), zstd.WithWindowSize(1<<10))
	if err != nil {
		panic(err) // there are no options that could be wrong
	}
	return w.EncodeAll(data, nil)
}

// run runs a command line in this process. Its --threads and --max-memory end with it.
func run(ctx context.Context, std cli.Streams, args ...string) (code int) {
	threads, limit := runtime.GOMAXPROCS(0), memory.Limit()
	defer func() {
		runtime.GOMAXPROCS(threads)
		memory.SetLimit(limit)
	}()
	return newApp().Run(ctx, args, std)
}

// result is the result of a run of the tool.
type result struct {
	code     int
	out, err string
}

// tool runs a command line with a text as standard input.
func tool(t *testing.T, stdin string, args ...string) result {
	t.Helper()
	return toolContext(t, t.Context(), stdin, args...)
}

func toolContext(t *testing.T, ctx context.Context, stdin string, args ...string) result {
	t.Helper()
	var out, err bytes.Buffer
	code := run(ctx, cli.Streams{In: strings.NewReader(stdin), Out: &out, Err: &err}, args...)
	return result{code, out.String(), err.String()}
}

// set changes a value of the tool until the end of the test.
func set[T any](t *testing.T, place *T, value T) {
	old := *place
	*place = value
	t.Cleanup(func() { *place = old })
}

// mustTool runs a command line that has to succeed without a message but the usual ones, and returns its
// standard output.
func mustTool(t *testing.T, args ...string) string {
	t.Helper()
	r := tool(t, "", args...)
	remarkable := r.code != cli.ExitOK
	usual := regexp.MustCompile("^seqsvm: (solver|reading|warning:|the positive class is|scores above 0 speak for) ")
	for line := range strings.Lines(r.err) {
		remarkable = remarkable || !usual.MatchString(line)
	}
	if remarkable {
		t.Fatalf("seqsvm %s: exit %d, %s", strings.Join(args, " "), r.code, r.err)
	}
	return r.out
}

// writeFiles makes files, and the folders they are in, in the current folder.
func writeFiles(t *testing.T, files map[string]string) {
	t.Helper()
	for name, text := range files {
		must.Succeed(t, os.MkdirAll(filepath.Dir(name), 0o777))
		must.Succeed(t, os.WriteFile(name, []byte(text), 0o666))
	}
}

// listing maps the files of a folder and the folders below it to their contents; a folder's content is "/".
func listing(t *testing.T, root string) map[string]string {
	t.Helper()
	files := map[string]string{}
	must.Succeed(t, filepath.WalkDir(root, func(path string, entry os.DirEntry, err error) error {
		if err != nil || path == root {
			return err
		}
		if entry.IsDir() {
			files[path] = "/"
			return nil
		}
		data, err := os.ReadFile(path)
		files[path] = string(data)
		return err
	}))
	return files
}

func mustRead(t *testing.T, path string) string {
	t.Helper()
	data := must.Get(os.ReadFile(path))(t)
	return string(data)
}

// tableRows returns the rows of a table below its header.
func tableRows(text string) (rows [][]string) {
	for i, line := range strings.Split(strings.TrimRight(text, "\n"), "\n") {
		if i > 0 {
			rows = append(rows, strings.Split(line, "\t"))
		}
	}
	return rows
}

func number(t *testing.T, text string) int {
	t.Helper()
	return must.Get(strconv.Atoi(text))(t)
}

func float(t *testing.T, text string) float64 {
	t.Helper()
	return must.Get(strconv.ParseFloat(text, 64))(t)
}
