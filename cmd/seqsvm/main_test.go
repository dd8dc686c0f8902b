package main

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime"
	"runtime/debug"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/klauspost/compress/gzip"
	"github.com/klauspost/compress/zstd"
	"github.com/rogpeppe/go-internal/testscript"

	"github.com/seqsvm/seqsvm/cmd/seqsvm/internal/cli"
)

// buildTool builds the tool for tests that run it as a process of its own, without cgo as it is released, or with the
// race detector if they have it, and returns the program's path. TestMain removes it. A copy of the test binary would
// initialise at each run what only tests import.
var buildTool = sync.OnceValues(func() (string, error) {
	var err error
	if toolFolder, err = os.MkdirTemp("", "seqsvm-tool-"); err != nil {
		return "", err
	}
	program := filepath.Join(toolFolder, "seqsvm")
	if runtime.GOOS == "windows" {
		program += ".exe"
	}
	build := exec.Command("go", "build", "-o", program, ".")
	if withRace() {
		build.Args = slices.Insert(build.Args, 2, "-race")
	} else {
		build.Env = append(os.Environ(), "CGO_ENABLED=0")
	}
	if out, err := build.CombinedOutput(); err != nil {
		return "", fmt.Errorf("go build: %w\n%s", err, out)
	}
	return program, nil
})

// withRace reports whether the tests have the race detector.
func withRace() bool {
	info, ok := debug.ReadBuildInfo()
	return ok && slices.Contains(info.Settings, debug.BuildSetting{Key: "-race", Value: "true"})
}

// toolFolder holds the program of buildTool once that has run.
var toolFolder string

func TestMain(m *testing.M) {
	code := m.Run()
	if toolFolder != "" {
		os.RemoveAll(toolFolder)
	}
	os.Exit(code)
}

// TestScripts runs testdata/script. Each script finds promoters.fa, promoters.fa.gz, promoters.fa.zst, splice.fa and
// every fifth record of that, fifth.fa, in its folder; the path of a user from data to result, user_*, the files that
// README.md names.
func TestScripts(t *testing.T) {
	fasta, err := filepath.Abs("../../testdata/fasta")
	if err != nil {
		t.Fatal(err)
	}
	program, err := buildTool()
	if err != nil {
		t.Fatal(err)
	}
	testscript.Run(t, testscript.Params{
		Dir:                 "testdata/script",
		RequireExplicitExec: true,
		RequireUniqueNames:  true,
		Setup: func(env *testscript.Env) error {
			env.Setenv("PATH", filepath.Dir(program)+string(os.PathListSeparator)+env.Getenv("PATH"))
			if strings.Contains(filepath.Base(env.WorkDir), "user_") {
				return writeReadmeFiles(env.WorkDir)
			}
			return copyRealData(fasta, env.WorkDir)
		},
		Cmds: scriptCommands,
	})
}

// copyRealData copies the repository's sets into a script's folder, the small one compressed as well.
func copyRealData(from, to string) error {
	for _, name := range []string{"promoters.fa", "splice.fa"} {
		data, err := os.ReadFile(filepath.Join(from, name))
		if err != nil {
			return err
		}
		if err := os.WriteFile(filepath.Join(to, name), data, 0o666); err != nil {
			return err
		}
		if name == "splice.fa" {
			if err := os.WriteFile(filepath.Join(to, "fifth.fa"), everyFifth(data), 0o666); err != nil {
				return err
			}
			continue
		}
		for suffix, compress := range map[string]func([]byte) []byte{".gz": gzipped, ".zst": zstded} {
			if err := os.WriteFile(filepath.Join(to, name+suffix), compress(data), 0o666); err != nil {
				return err
			}
		}
	}
	return nil
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

// result is the result of a run of the tool.
type result struct {
	code     int
	out, err string
}

// tool runs a command line in this process.
func tool(t *testing.T, stdin string, args ...string) result {
	t.Helper()
	return toolContext(t, t.Context(), stdin, args...)
}

func toolContext(t *testing.T, ctx context.Context, stdin string, args ...string) result {
	t.Helper()
	processors := runtime.GOMAXPROCS(0)
	defer runtime.GOMAXPROCS(processors) // --threads sets it
	var out, err bytes.Buffer
	code := newApp().Run(ctx, args, cli.Streams{In: strings.NewReader(stdin), Out: &out, Err: &err})
	return result{code, out.String(), err.String()}
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
		if err := os.MkdirAll(filepath.Dir(name), 0o777); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(name, []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
}

// listing maps the files of a folder and the folders below it to their contents; a folder's content is "/".
func listing(t *testing.T, root string) map[string]string {
	t.Helper()
	files := map[string]string{}
	err := filepath.WalkDir(root, func(path string, entry os.DirEntry, err error) error {
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
	})
	if err != nil {
		t.Fatal(err)
	}
	return files
}
