package main

import (
	"maps"
	"math/rand/v2"
	"slices"
	"strings"

	"github.com/seqsvm/seqsvm/cmd/seqsvm/internal/cli"

	"github.com/seqsvm/seqsvm/catalog"
	"github.com/seqsvm/seqsvm/classify"
)

// defaultCosts are the values of C without --C.
const defaultCosts = "0.1,0.3,1,3,10"

// mostCandidates bounds what a search may try.
const mostCandidates = 10_000

// setting is a candidate: the options that train would have.
type setting struct {
	options   experimentOptions
	spec      catalog.Spec
	trainer   classify.Trainer
	values    map[string]string // of the options that a list was given for, and C
	described string            // as options of train
	first     bool              // the first with this kernel
}

// listedOptions are the options of learning that take lists in tune.
var listedOptions = []string{"C", "loss", "penalty", "class-weight", "solver", "multiclass", "epsilon", "lambda", "nu",
	"landmarks", "relevance", "prior", "mkl"}

// tuneSettings lists the candidates: every kernel with every combination of options, or a random sample of them.
// None without --kernel.
func tuneSettings(c *cli.Call, o *tuneOptions) ([]setting, error) {
	if len(o.kernel.specs) == 0 {
		return nil, nil // those of the portfolio follow the records
	}
	kernels, err := tuneKernels(o.kernel.specs)
	if err != nil {
		return nil, err
	}
	learning, err := learningGrid(c, o.learning.hasCosts(c))
	if err != nil {
		return nil, err
	}
	total := len(kernels) * len(learning)
	chosen := drawCandidates(c.Seed, total, o.random)
	if len(chosen) > mostCandidates {
		return nil, cli.Usagef("%d candidates, want at most %d; --random N draws N of them", total, mostCandidates)
	}
	settings := make([]setting, len(chosen))
	for i, n := range chosen {
		terms, values := kernels[n/len(learning)], learning[n%len(learning)]
		var same *setting // with the same kernel
		if i > 0 && chosen[i-1]/len(learning) == n/len(learning) {
			same = &settings[i-1]
		}
		if settings[i], err = newSetting(c, &o.experimentOptions, terms, values, same); err != nil {
			return nil, err
		}
	}
	return settings, nil
}

// drawCandidates returns the numbers of the candidates to try, ascending: all, or n of them at random if n is not 0.
func drawCandidates(seed uint64, total, n int) []int {
	most := min(total, mostCandidates+1) // one more than allowed is enough for the error
	if n == 0 || n >= most {
		return numbers(most)
	}
	return sample(rand.New(rand.NewPCG(seed, 0x707e)), total, n)
}

// numbers lists 0 … n − 1.
func numbers(n int) []int {
	list := make([]int, n)
	for i := range list {
		list[i] = i
	}
	return list
}

// sample draws n of the numbers 0 … total − 1, all sets of n being equally likely, and returns them in ascending
// order: Floyd's method, which needs no list of all (Bentley & Floyd 1987, doi:10.1145/30401.315746).
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
func tuneKernels(specs []string) ([][]string, error) {
	var kernels [][]string
	seen := map[string]bool{}
	for _, text := range specs {
		grid, err := catalog.Default().ParseGrid(text)
		if err != nil {
			return nil, &cli.UsageError{Err: err}
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
func learningGrid(c *cli.Call, costs bool) ([]map[string]string, error) {
	combinations := []map[string]string{{}}
	for _, name := range listedOptions {
		if !c.Given(name) && (name != "C" || !costs) {
			continue
		}
		var next []map[string]string
		values := c.Values(name)
		if name == "class-weight" {
			values = joinWeights(values)
		}
		if len(combinations)*len(values) > mostCandidates {
			return nil, cli.Usagef("more than %d combinations of options, want fewer", mostCandidates)
		}
		for _, combination := range combinations {
			for _, value := range values {
				longer := maps.Clone(combination)
				longer[name] = value
				next = append(next, longer)
			}
		}
		combinations = next
	}
	return combinations, nil
}

// joinWeights joins the weights of classes, LABEL=NUMBER, that commas between the values of a list have cut: those of a
// candidate end where a label comes again.
func joinWeights(values []string) (joined []string) {
	seen := map[string]bool{}
	for _, value := range values {
		label, _, weight := strings.Cut(value, "=")
		if !weight || seen[label] || len(seen) == 0 {
			joined = append(joined, value)
			clear(seen)
		} else {
			joined[len(joined)-1] += "," + value
		}
		if weight {
			seen[label] = true
		}
	}
	return joined
}

// newSetting checks one candidate as train would. Its kernel, which may hold a long dictionary, is that of another
// setting if there is one with the same.
func newSetting(c *cli.Call, o *experimentOptions, terms []string, values map[string]string,
	same *setting) (s setting, err error) {
	for _, name := range listedOptions {
		if value, given := values[name]; given {
			if err := c.Assign(name, value); err != nil {
				return s, err
			}
		}
	}
	s.options = *o
	s.options.kernel.specs = terms
	if s.trainer, err = s.options.learning.trainer(c); err != nil {
		return s, err
	}
	if s.first = same == nil; s.first {
		s.spec, err = parseKernels(&s.options.kernel, o.reading.ChosenAlphabet())
	} else {
		s.spec = same.spec
	}
	if err != nil {
		return s, err
	}
	s.values = values
	s.described = s.options.kernel.describe(c)
	return s, nil
}

// kernelText returns the kernel as --kernel of tune takes it.
func (s *setting) kernelText() string {
	return strings.Join(s.options.kernel.specs, "+")
}
