package main

import (
	"flag"
	"io"
	"maps"
	"math/rand/v2"
	"slices"
	"strings"

	"github.com/urfave/cli/v2"

	"github.com/seqsvm/seqsvm/catalog"
	"github.com/seqsvm/seqsvm/classify"
	"github.com/seqsvm/seqsvm/stringkernel"
)

// defaultCosts are what tune tries without --C.
const defaultCosts = "0.1,0.3,1,3,10"

// mostCandidates bounds what a search may try.
const mostCandidates = 10_000

// setting is a candidate as a command line of train has it.
type setting struct {
	context *cli.Context // with one value for every option, the operands and all other options behind it
	spec    catalog.Spec
	trainer classify.Trainer
	values  map[string]string // of the options that a list was given for, and C
	options string            // those that train would take
	first   bool              // of this kernel
}

// isList reports whether an option of learning takes a list in tune: those that choose do, and C.
func isList(f cli.Flag) bool {
	switch f := f.(type) {
	case *cli.StringFlag:
		return f.Name != "positive"
	case *cli.Float64Flag:
		return f.Name == "C"
	default:
		return false
	}
}

// gridFlags makes options of learning take lists.
func gridFlags(flags []cli.Flag) []cli.Flag {
	var all []cli.Flag
	for _, f := range flags {
		if !isList(f) {
			all = append(all, f)
			continue
		}
		doc := f.(cli.DocGenerationFlag)
		value := doc.GetDefaultText()
		if f.Names()[0] == "C" {
			value = defaultCosts
		}
		all = append(all, &cli.StringFlag{Name: f.Names()[0], Value: strings.Trim(value, `"`), Usage: doc.GetUsage() + "; or a list with commas"})
	}
	return all
}

// listOptions names the options of learning that take lists, in their order.
func listOptions() (names []string) {
	for _, f := range learningFlags() {
		if isList(f) {
			names = append(names, f.Names()[0])
		}
	}
	return names
}

// tuneSettings lists the candidates: every kernel with every combination of options, or a draw of them.
func tuneSettings(c *cli.Context) ([]setting, error) {
	kernels, err := tuneKernels(c)
	if err != nil {
		return nil, err
	}
	learning, err := learningGrid(c)
	if err != nil {
		return nil, err
	}
	total := len(kernels) * len(learning)
	chosen := drawCandidates(c, total)
	if len(chosen) > mostCandidates {
		return nil, usagef("%d candidates, want at most %d; --random N draws N of them", total, mostCandidates)
	}
	chosenAlphabet, err := chosenAlphabet(c)
	if err != nil {
		return nil, err
	}
	settings := make([]setting, len(chosen))
	for i, n := range chosen {
		terms, values := kernels[n/len(learning)], learning[n%len(learning)]
		var same *setting // with the same kernel
		if i > 0 && chosen[i-1]/len(learning) == n/len(learning) {
			same = &settings[i-1]
		}
		if settings[i], err = newSetting(c, terms, values, chosenAlphabet, same); err != nil {
			return nil, err
		}
	}
	return settings, nil
}

// drawCandidates returns the numbers of the candidates to try, ascending.
func drawCandidates(c *cli.Context, total int) []int {
	n := min(total, mostCandidates+1) // one more than allowed is enough to tell
	if !c.IsSet("random") || c.Int("random") >= n {
		all := make([]int, n)
		for i := range all {
			all[i] = i
		}
		return all
	}
	return sample(rand.New(rand.NewPCG(c.Uint64("seed"), 0x707e)), total, c.Int("random"))
}

// sample draws n of the numbers 0 … total − 1, all sets of n being equally likely, and returns them in ascending order: Floyd's method, which needs no list of all
// (Bentley & Floyd 1987, doi:10.1145/30401.315746).
func sample(random *rand.Rand, total, n int) []int {
	taken := make(map[int]bool, n)
	for last := total - n; last < total; last++ {
		if number := random.IntN(last + 1); !taken[number] {
			taken[number] = true
		} else {
			taken[last] = true
		}
	}
	return slices.Sorted(maps.Keys(taken))
}

// tuneKernels lists the kernels of all grids, each once, as the texts of their terms: those of fewer terms first.
func tuneKernels(c *cli.Context) ([][]string, error) {
	if len(c.StringSlice("kernel")) == 0 {
		return nil, usagef("no --kernel, want one such as %s, or a grid such as words or spectrum:k=3..6", catalog.Default()[0].Example)
	}
	var kernels [][]string
	seen := map[string]bool{}
	for _, text := range c.StringSlice("kernel") {
		grid, err := catalog.Default().ParseGrid(text)
		if err != nil {
			return nil, &usageError{err}
		}
		for _, terms := range grid {
			if name := strings.Join(terms, "+"); !seen[name] {
				seen[name] = true
				kernels = append(kernels, terms)
			}
		}
	}
	slices.SortStableFunc(kernels, func(a, b []string) int { return len(a) - len(b) })
	return kernels, nil
}

// learningGrid lists the combinations of options of learning: those given as lists, and C.
func learningGrid(c *cli.Context) ([]map[string]string, error) {
	combinations := []map[string]string{{}}
	for _, name := range listOptions() {
		if !c.IsSet(name) && name != "C" {
			continue
		}
		var next []map[string]string
		values := strings.Split(c.String(name), ",")
		for i, value := range values {
			if value == "" {
				return nil, usagef("--%s %q, want values with commas between", name, c.String(name))
			}
			if slices.Contains(values[:i], value) {
				return nil, usagef("--%s %q has %s twice", name, c.String(name), value)
			}
		}
		if len(combinations)*len(values) > mostCandidates {
			return nil, usagef("more than %d combinations of options, want fewer", mostCandidates)
		}
		for _, combination := range combinations {
			for _, value := range values {
				longer := map[string]string{name: value}
				for key, old := range combination {
					longer[key] = old
				}
				next = append(next, longer)
			}
		}
		combinations = next
	}
	return combinations, nil
}

// newSetting checks one candidate as train would. Its kernel, which may hold a long dictionary, is that of another setting if there is one with the same.
func newSetting(c *cli.Context, terms []string, values map[string]string, alphabet stringkernel.Alphabet, same *setting) (s setting, err error) {
	if s.context, err = trainContext(c, terms, values); err != nil {
		return s, err
	}
	if s.trainer, err = trainerOptions(s.context); err != nil {
		return s, err
	}
	if err := checkMultilabel(s.context, s.trainer); err != nil {
		return s, err
	}
	if err := checkHierarchy(s.context, s.trainer); err != nil {
		return s, err
	}
	if s.first = same == nil; s.first {
		s.spec, err = parseKernels(s.context, alphabet)
	} else {
		s.spec = same.spec
	}
	if err != nil {
		return s, err
	}
	if s.context.String("multiclass") == "auto" {
		s.trainer.Multiclass = defaultScheme(s.trainer, s.spec, c.IsSet("multilabel"))
	}
	s.values = values
	s.options = (&experiment{spec: s.spec}).options(s.context)
	return s, nil
}

// trainContext makes the context that train would have with some values of the options that tune takes lists of.
func trainContext(c *cli.Context, terms []string, values map[string]string) (*cli.Context, error) {
	set := flag.NewFlagSet("tune", flag.ContinueOnError)
	set.SetOutput(io.Discard)
	for _, f := range join(kernelFlags()[:1], learningFlags()) {
		if name := f.Names()[0]; name == "kernel" || isList(f) {
			if err := f.Apply(set); err != nil {
				return nil, err
			}
		}
	}
	args := []string{"--kernel", cli.NewStringSlice(terms...).Serialize()} // one by one they would be split at commas
	for _, name := range listOptions() {
		if value, given := values[name]; given {
			args = append(args, "--"+name, value)
		}
	}
	args = append(append(args, "--"), c.Args().Slice()...)
	if err := set.Parse(args); err != nil {
		return nil, usagef("%w; seqsvm tune --help lists the options", err)
	}
	return cli.NewContext(c.App, set, c), nil
}

// kernelText writes the kernel as --kernel of tune takes it.
func (s *setting) kernelText() string {
	return strings.Join(s.context.StringSlice("kernel"), "+")
}
