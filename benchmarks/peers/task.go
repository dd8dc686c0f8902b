package main

import (
	"fmt"
	"os"
	"os/exec"
	"slices"
	"strings"
	"time"
)

// task is what several programs do with the same data; the first is seqsvm, whose time is 1 of the ratios.
type task struct {
	title    string
	programs []program
	wall     bool // all processors, and ratios of the clock's time; else one processor, and ratios of its time
}

// program is one way to do a task: commands in order, of which only the timed ones count.
type program struct {
	name     string
	steps    []step
	accuracy func() (float64, error) // of the predictions the steps left; nil if there are none
}

// step is a command. Standard output goes to a file if one is named.
type step struct {
	timed  bool
	args   []string
	stdout string
}

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
		accuracy := ""
		if p.accuracy != nil {
			a, err := p.accuracy()
			if err != nil {
				return fmt.Errorf("%s: %w", p.name, err)
			}
			accuracy = fmt.Sprintf("%.4f", a)
		}
		fmt.Printf("  %-56s %9.2f %9.2f %9.0f %9s %7.1f\n", p.name, spent.clock, spent.cpu, spent.megabytes, accuracy, seconds/first)
	}
	return nil
}

// missing names a program of the steps that is not on the PATH, or a library it lacks.
func (p program) missing() string {
	for _, s := range p.steps {
		if _, err := exec.LookPath(s.args[0]); err != nil {
			return s.args[0]
		}
		if library, check := libraryOf(s.args); library != "" && exec.Command(check[0], check[1:]...).Run() != nil {
			return library
		}
	}
	return ""
}

// libraryOf returns the library a script needs and a command that fails without it.
func libraryOf(args []string) (name string, check []string) {
	switch {
	case strings.Contains(args[0], "python3"):
		return "scikit-learn", []string{args[0], "-c", "import sklearn"}
	case args[0] == "Rscript":
		return "kernlab", []string{"Rscript", "-e", "library(kernlab)"}
	default:
		return "", nil
	}
}

// cost is what a program takes.
type cost struct {
	clock, cpu float64 // seconds
	megabytes  float64 // the most at a time
}

// measure runs all steps several times and returns the median times of the timed ones together, and their greatest
// memory. wall gives them all processors.
func (p program) measure(repeats int, wall bool) (cost, error) {
	clocks, cpus := make([]float64, repeats), make([]float64, repeats)
	var all cost
	for i := range repeats {
		for _, s := range p.steps {
			spent, err := s.run(wall)
			if err != nil {
				return cost{}, err
			}
			if s.timed {
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

// run executes a step and returns what it took as the operating system accounts for it.
func (s step) run(wall bool) (cost, error) {
	cmd := exec.Command(s.args[0], s.args[1:]...)
	if !wall {
		cmd.Env = append(os.Environ(), "GOMAXPROCS=1", "OMP_NUM_THREADS=1", "OPENBLAS_NUM_THREADS=1")
	}
	var messages strings.Builder
	cmd.Stderr = &messages
	if s.stdout != "" {
		f, err := os.Create(s.stdout)
		if err != nil {
			return cost{}, err
		}
		defer f.Close()
		cmd.Stdout = f
	}
	start := time.Now()
	if err := cmd.Run(); err != nil {
		return cost{}, fmt.Errorf("%s: %w: %s", strings.Join(s.args, " "), err, messages.String())
	}
	clock := time.Since(start).Seconds()
	state := cmd.ProcessState
	peak, ok := peakMegabytes(state)
	if !ok {
		return cost{}, fmt.Errorf("%s: no account of its resources on this system", s.args[0])
	}
	return cost{clock: clock, cpu: state.UserTime().Seconds() + state.SystemTime().Seconds(), megabytes: peak}, nil
}
