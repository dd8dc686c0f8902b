package main

import (
	"fmt"
	"os"
	"os/exec"
	"slices"
	"strings"
	"time"

	"github.com/seqsvm/seqsvm/benchmarks/internal/beside"
)

// task is what several programs do with the same data; the first is seqsvm, whose time is 1 of the ratios.
type task struct {
	title    string
	programs []program
	truth    answers
	wall     bool // all processors, and ratios of the clock's time; else one processor, and ratios of its time
}

// program is one way to do a task: commands, of which those before the steps are not timed.
type program struct {
	name          string
	before, steps []string
	predicted     answers // what the steps leave; without a form if that is no predictions
}

// printed is the file of what the last command has printed.
const printed = "printed"

// run prints a line per program.
func (t task) run(repeats int) error {
	fmt.Println(t.title)
	first := 0.0
	for _, p := range t.programs {
		if missing := p.missing(); missing != "" {
			fmt.Printf("  %-56s skipped: %s is not there\n", p.name, missing)
			continue
		}
		spent, err := p.measure(repeats, t.wall)
		accuracy := ""
		if err == nil && p.predicted.form != nil {
			var value float64
			value, err = compare(p.predicted, t.truth)
			accuracy = fmt.Sprintf("%.4f", value)
		}
		if err != nil {
			return fmt.Errorf("%s: %w", p.name, err)
		}
		seconds := spent.cpu
		if t.wall {
			seconds = spent.clock
		}
		if first == 0 {
			first = seconds
		}
		fmt.Printf("  %-56s %9.2f %9.2f %9.0f %9s %7.1f\n", p.name, spent.clock, spent.cpu, spent.megabytes, accuracy,
			seconds/first)
	}
	return nil
}

// missing names a program of the commands that is not on the PATH, or a library it lacks.
func (p program) missing() string {
	for _, command := range slices.Concat(p.before, p.steps) {
		name := strings.Fields(command)[0]
		_, err := exec.LookPath(name)
		switch {
		case err != nil:
			return name
		case name == beside.Python && !beside.HasLearn():
			return "scikit-learn"
		case name == "Rscript" && exec.Command(name, "-e", "library(kernlab)").Run() != nil:
			return "kernlab"
		}
	}
	return ""
}

// cost is time and memory.
type cost struct {
	clock, cpu float64 // seconds
	megabytes  float64 // maximum
}

// measure runs all commands several times and returns the median times of the steps together, and their greatest
// memory. wall gives them all processors.
func (p program) measure(repeats int, wall bool) (all cost, err error) {
	clocks, cpus := make([]float64, repeats), make([]float64, repeats)
	for i := range repeats {
		for k, command := range slices.Concat(p.before, p.steps) {
			spent, err := execute(command, wall)
			if err != nil {
				return cost{}, err
			}
			if k >= len(p.before) {
				clocks[i] += spent.clock
				cpus[i] += spent.cpu
				all.megabytes = max(all.megabytes, spent.megabytes)
			}
		}
	}
	slices.Sort(clocks)
	slices.Sort(cpus)
	all.clock, all.cpu = clocks[repeats/2], cpus[repeats/2]
	return all, nil
}

// execute runs a command and returns its cost as the operating system accounts for it.
func execute(command string, wall bool) (cost, error) {
	args := strings.Fields(command)
	cmd := exec.Command(args[0], args[1:]...)
	if !wall {
		cmd.Env = append(os.Environ(), "GOMAXPROCS=1", "OMP_NUM_THREADS=1", "OPENBLAS_NUM_THREADS=1")
	}
	out, err := os.Create(printed)
	if err != nil {
		return cost{}, err
	}
	defer out.Close()
	var messages strings.Builder
	cmd.Stdout, cmd.Stderr = out, &messages
	start := time.Now()
	if err := cmd.Run(); err != nil {
		return cost{}, fmt.Errorf("%s: %w: %s", command, err, messages.String())
	}
	clock := time.Since(start).Seconds()
	state := cmd.ProcessState
	peak, ok := peakMegabytes(state)
	if !ok {
		return cost{}, fmt.Errorf("%s: no account of its resources on this system", args[0])
	}
	return cost{clock: clock, cpu: state.UserTime().Seconds() + state.SystemTime().Seconds(), megabytes: peak}, nil
}
