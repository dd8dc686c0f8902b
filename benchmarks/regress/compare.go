package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"time"
)

// generators are the programs of benchmarks that write the files that commands read. They are not timed.
var generators = []string{"generate", "articles"}

// program is a version of seqsvm and the folder where its commands run.
type program struct{ binary, folder string }

// cost is what one run of a command takes.
type cost struct {
	cpu, wall time.Duration
	peak      int64 // bytes; 0 if the system does not say
}

// costs are those of several runs of one version.
type costs []cost

// least and middle return the minimum and the median of one kind of cost.
func (c costs) least(kind func(cost) float64) float64 {
	return kind(slices.MinFunc(c, func(a, b cost) int { return cmp.Compare(kind(a), kind(b)) }))
}

func (c costs) middle(kind func(cost) float64) float64 {
	sorted := slices.SortedFunc(slices.Values(c), func(a, b cost) int { return cmp.Compare(kind(a), kind(b)) })
	return kind(sorted[len(sorted)/2])
}

// kinds of costs, in the order of the columns.
var kinds = []struct {
	name string
	of   func(cost) float64
}{
	{"cpu", func(c cost) float64 { return c.cpu.Seconds() }},
	{"wall", func(c cost) float64 { return c.wall.Seconds() }},
	{"memory", func(c cost) float64 { return float64(c.peak) }},
}

// comparison runs commands with two versions.
type comparison struct {
	sides      [2]program // old, new
	generators string     // their folder
	pairs      int
	most       float64 // ratio above which a cost counts as grown
	only       *regexp.Regexp
	out        io.Writer // the table
	messages   io.Writer
}

// run runs the commands of a list, a line each; # begins a comment. It reports whether any got worse.
func (c *comparison) run(ctx context.Context, list string) (worse bool, err error) {
	fmt.Fprintln(c.out, "cpu\twall\tmemory\told_cpu_s\told_wall_s\told_mb\tgrew\tcommand")
	for line := range strings.Lines(list) {
		text, _, _ := strings.Cut(line, "#")
		row := strings.Fields(text)
		if len(row) == 0 {
			continue
		}
		grew, err := c.row(ctx, row)
		if ctx.Err() != nil {
			return worse, context.Cause(ctx)
		}
		if err != nil {
			fmt.Fprintf(c.messages, "regress: %s: %v\n", strings.Join(row, " "), err)
		}
		worse = worse || grew
	}
	return worse, nil
}

// errNoData says that a command reads data that are not there.
var errNoData = errors.New("skipped: $SEQSVM_DATA is not set")

// row runs one command with both versions. It reports whether it got worse.
func (c *comparison) row(ctx context.Context, row []string) (worse bool, err error) {
	if os.Getenv("SEQSVM_DATA") == "" && strings.Contains(strings.Join(row, " "), "$SEQSVM_DATA") {
		return false, errNoData
	}
	command := strings.Join(row, " ")
	if slices.Contains(generators, row[0]) || !c.only.MatchString(command) {
		for _, side := range c.sides {
			if _, err := c.once(ctx, side, row); err != nil {
				return false, err
			}
		}
		return false, nil
	}
	var runs [2]costs
	if err := c.measure(ctx, &runs, row, c.pairs); err != nil {
		return false, err
	}
	if len(c.grown(runs)) > 0 {
		if err := c.measure(ctx, &runs, row, 3*c.pairs); err != nil {
			return false, err
		}
	}
	grew := c.grown(runs)
	c.print(runs, grew, command)
	return len(grew) > 0, nil
}

// measure adds pairs of runs, the version that goes first changing each time, after a pair that is not counted.
func (c *comparison) measure(ctx context.Context, runs *[2]costs, row []string, pairs int) error {
	for i := -1; i < pairs; i++ {
		for turn := range 2 {
			side := (turn + i + 1) % 2
			took, err := c.once(ctx, c.sides[side], row)
			if err != nil {
				return err
			}
			if i >= 0 {
				runs[side] = append(runs[side], took)
			}
		}
	}
	return nil
}

// once runs a command with one version.
func (c *comparison) once(ctx context.Context, p program, row []string) (cost, error) {
	name, arguments := p.binary, row
	if slices.Contains(generators, row[0]) {
		name, arguments = filepath.Join(c.generators, row[0]), row[1:]
	}
	expanded := make([]string, len(arguments))
	for i, a := range arguments {
		expanded[i] = os.ExpandEnv(a)
	}
	run := exec.CommandContext(ctx, name, expanded...)
	run.Dir = p.folder
	var said strings.Builder
	run.Stderr = &said
	start := time.Now()
	if err := run.Run(); err != nil {
		return cost{}, fmt.Errorf("%s: %w: %s", p.binary, err, said.String())
	}
	state := run.ProcessState
	return cost{state.UserTime() + state.SystemTime(), time.Since(start), peakOf(state)}, nil
}

// grown returns the kinds of costs whose least and median both grew beyond the ratio.
func (c *comparison) grown(runs [2]costs) (names []string) {
	for _, kind := range kinds {
		old, now := runs[0], runs[1]
		if now.least(kind.of) > c.most*old.least(kind.of) && now.middle(kind.of) > c.most*old.middle(kind.of) {
			names = append(names, kind.name)
		}
	}
	return names
}

// print writes the line of a command.
func (c *comparison) print(runs [2]costs, grew []string, command string) {
	for _, kind := range kinds {
		ratio := "-"
		if old := runs[0].least(kind.of); old > 0 {
			ratio = fmt.Sprintf("%.3f", runs[1].least(kind.of)/old)
		}
		fmt.Fprintf(c.out, "%s\t", ratio)
	}
	fmt.Fprintf(c.out, "%.3f\t%.3f\t%.1f\t%s\t%s\n", runs[0].least(kinds[0].of), runs[0].least(kinds[1].of),
		runs[0].least(kinds[2].of)/1e6, cmp.Or(strings.Join(grew, ","), "-"), command)
}
