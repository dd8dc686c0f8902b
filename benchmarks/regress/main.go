// Command regress compares the speed and memory of two versions of seqsvm:
//
//	[SEQSVM_DATA=FOLDER] go run ./benchmarks/regress [-n PAIRS] [-only REGEXP] [-rows FILE] [-most RATIO] OLD [NEW]
//
// OLD and NEW are commits, which it builds, or binaries; without NEW it takes the working tree. Both run the commands
// of rows.txt in turn, PAIRS times each. A line per command says the ratio of NEW to OLD of CPU time (user and system),
// wall-clock time and peak memory, least of the runs, and what OLD took. A time or memory whose least and median both
// grew beyond RATIO, 1.05, is measured again with three times as many pairs. What is then still beyond it is marked,
// and the exit status is 1; 2 for wrong usage. Run it on an idle machine, at the top of the repository, which commands
// name $REPOSITORY.
//
// floors.txt has the commands whose speed a new engine must keep within 1.3, at full size: -rows
// benchmarks/regress/floors.txt -most 1.3 -n 3 takes hours, 6 GB of disk and 16 GB of memory.
package main

import (
	"context"
	_ "embed"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"regexp"
)

//go:embed rows.txt
var defaultRows string

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	os.Exit(run(ctx, os.Args[1:], os.Stdout, os.Stderr))
}

// settings are what the flags say.
type settings struct {
	pairs    int
	most     float64
	only     *regexp.Regexp
	rows     string
	old, new string
}

// run is main without the process. It returns the exit status.
func run(ctx context.Context, arguments []string, stdout, stderr io.Writer) int {
	s, err := parse(arguments, stderr)
	if errors.Is(err, flag.ErrHelp) {
		return 0
	}
	if err != nil {
		fmt.Fprintf(stderr, "regress: %v\n", err)
		return 2
	}
	worse, err := compareVersions(ctx, s, stdout, stderr)
	if err != nil {
		fmt.Fprintf(stderr, "regress: %v\n", err)
		return 1
	}
	if worse {
		return 1
	}
	return 0
}

func parse(arguments []string, stderr io.Writer) (s settings, err error) {
	flags := flag.NewFlagSet("regress", flag.ContinueOnError)
	flags.SetOutput(io.Discard) // errors are printed once, by run
	flags.IntVar(&s.pairs, "n", 5, "runs of each version, in turn")
	flags.Float64Var(&s.most, "most", 1.05, "`RATIO` of costs beyond which one has grown")
	only := flags.String("only", "", "time the commands that match this `REGEXP`; others run once, for their files")
	file := flags.String("rows", "", "`FILE` of commands (default: the built-in list)")
	if err = flags.Parse(arguments); err != nil {
		if errors.Is(err, flag.ErrHelp) {
			fmt.Fprintln(stderr, "usage: regress [options] OLD [NEW]")
			flags.SetOutput(stderr)
			flags.PrintDefaults()
		}
		return s, err
	}
	if s.pairs < 1 {
		return s, fmt.Errorf("-n %d, want ≥ 1", s.pairs)
	}
	if s.only, err = regexp.Compile(*only); err != nil {
		return s, err
	}
	s.rows = defaultRows
	if *file != "" {
		text, err := os.ReadFile(*file)
		if err != nil {
			return s, err
		}
		s.rows = string(text)
	}
	if flags.NArg() < 1 || flags.NArg() > 2 {
		return s, fmt.Errorf("%d versions, want OLD and perhaps NEW", flags.NArg())
	}
	s.old, s.new = flags.Arg(0), flags.Arg(1)
	return s, nil
}

// compareVersions builds both versions and compares them. It reports whether any command got worse.
func compareVersions(ctx context.Context, s settings, stdout, stderr io.Writer) (worse bool, err error) {
	repository, err := os.Getwd()
	if err != nil {
		return false, err
	}
	os.Setenv("REPOSITORY", repository)
	if data := os.Getenv("SEQSVM_DATA"); data != "" { // commands run in other folders
		if data, err = filepath.Abs(data); err != nil {
			return false, err
		}
		os.Setenv("SEQSVM_DATA", data)
	}
	work, err := os.MkdirTemp("", "regress")
	if err != nil {
		return false, err
	}
	defer os.RemoveAll(work)
	c := comparison{pairs: s.pairs, most: s.most, generators: work, only: s.only, out: stdout, messages: stderr}
	for side, version := range []string{s.old, s.new} {
		folder := filepath.Join(work, []string{"old", "new"}[side])
		if err := os.Mkdir(folder, 0o700); err != nil {
			return false, err
		}
		fmt.Fprintf(stderr, "regress: building %s\n", versionName(version))
		binary, err := build(ctx, version, folder)
		if err != nil {
			return false, fmt.Errorf("%s: %w", versionName(version), err)
		}
		c.sides[side] = program{binary, folder}
	}
	for _, name := range generators {
		if err := goBuild(ctx, ".", filepath.Join(work, name), "./benchmarks/"+name); err != nil {
			return false, err
		}
	}
	return c.run(ctx, s.rows)
}

func versionName(version string) string {
	if version == "" {
		return "the working tree"
	}
	return version
}

// build returns the path of a version's program: its own if it is a binary, else one built in folder.
func build(ctx context.Context, version, folder string) (string, error) {
	binary := filepath.Join(folder, "seqsvm")
	if version == "" {
		return binary, goBuild(ctx, ".", binary, "./cmd/seqsvm")
	}
	if info, err := os.Stat(version); err == nil && info.Mode().IsRegular() {
		return filepath.Abs(version)
	}
	tree := filepath.Join(folder, "tree")
	if err := command(ctx, ".", "git", "worktree", "add", "--quiet", "--detach", tree, version); err != nil {
		return "", err
	}
	err := goBuild(ctx, tree, binary, "./cmd/seqsvm")
	removed := command(context.WithoutCancel(ctx), ".", "git", "worktree", "remove", "--force", tree)
	return binary, errors.Join(err, removed)
}

func goBuild(ctx context.Context, folder, binary, source string) error {
	return command(ctx, folder, "go", "build", "-o", binary, source)
}

// command runs a program in a folder. Its error holds what the program said.
func command(ctx context.Context, folder, name string, arguments ...string) error {
	c := exec.CommandContext(ctx, name, arguments...)
	c.Dir = folder
	if said, err := c.CombinedOutput(); err != nil {
		return fmt.Errorf("%s: %w: %s", name, err, said)
	}
	return nil
}
