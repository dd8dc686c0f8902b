package main_test

import (
	"math"
	"strings"
	"testing"
)

// goldenValue is K_ij of one pair of strings, counted from 1.
type goldenValue struct {
	i, j  int
	value float64
}

// golden are values that other programs print, with the options of this one for the same kernel.
var golden = []struct {
	program   string
	strings   []string
	kernels   string // with the same values
	options   string
	tolerance float64 // relative, by the digits printed
	values    []goldenValue
}{
	// kernlab 0.9-32 (R; Debian r-cran-kernlab 0.9-32-1), stringdot(type, length, lambda, normalized). It appends a
	// newline to every string, here $, and its exponential weight is lambda^−length. Twelve digits.
	{"kernlab spectrum 1 FALSE", kernlabDNA, "spectrum:k=1 substring:weight=fixed,k=1", raw, 1e-9,
		[]goldenValue{{1, 2, 22}, {1, 4, 10}, {2, 3, 15}, {2, 4, 6}, {3, 3, 16}}},
	{"kernlab spectrum 2 TRUE", kernlabDNA, "spectrum:k=2 substring:weight=fixed,k=2", unit, 1e-9,
		[]goldenValue{{1, 2, 0.534522483825}, {1, 4, 0.544331053952}, {2, 3, 0.285714285714}, {2, 4, 0.218217890236}}},
	{"kernlab spectrum 3 TRUE", kernlabDNA, "spectrum:k=3 substring:weight=fixed,k=3", unit, 1e-9,
		[]goldenValue{{1, 2, 0.210818510678}, {1, 4, 0.36514837167}, {2, 3, 0}, {3, 3, 1}}},
	{"kernlab boundrange 3 FALSE", kernlabDNA, "spectrum:bounded,k=3 substring:weight=bounded,k=3", raw, 1e-9,
		[]goldenValue{{1, 2, 30}, {1, 4, 16}, {2, 3, 17}, {2, 4, 7}, {3, 3, 29}}},
	{"kernlab boundrange 4 TRUE", kernlabDNA, "spectrum:bounded,k=4 substring:weight=bounded,k=4", unit, 1e-9,
		[]goldenValue{{1, 2, 0.568165514309}, {1, 4, 0.558744236616}, {2, 3, 0.5}, {2, 4, 0.379628301183}}},
	{"kernlab constant TRUE", kernlabDNA, "substring:weight=constant substring", unit, 1e-9,
		[]goldenValue{{1, 2, 0.401322081411}, {1, 4, 0.448970826613}, {2, 3, 0.386363636364}, {2, 4, 0.333711906236}}},
	{"kernlab exponential 1.1 FALSE", kernlabDNA, "substring:weight=decay,lambda=0.90909090909091", raw, 1e-9,
		[]goldenValue{{1, 2, 26.4613072878}, {1, 4, 13.8993238167}, {2, 3, 15.2892561983}, {2, 4, 6.28099173554},
			{3, 3, 33.9234652937}}},
	{"kernlab exponential 2 TRUE", kernlabDNA, "substring:weight=decay,lambda=0.5", unit, 1e-9,
		[]goldenValue{{1, 2, 0.751982233102}, {1, 4, 0.698735493342}, {2, 3, 0.727014554491}, {2, 4, 0.559850243526}}},
	{"kernlab boundrange 8 FALSE, text", kernlabText, "spectrum:bounded,k=8 substring:weight=bounded,k=8", raw, 1e-9,
		[]goldenValue{{1, 2, 114}, {1, 3, 2}, {2, 2, 196}}},
	{"kernlab exponential 1.1 TRUE, text", kernlabText, "substring:weight=decay,lambda=0.90909090909091", unit, 1e-9,
		[]goldenValue{{1, 2, 0.632140086841}, {1, 3, 0.0571004170784}, {2, 2, 1}}},

	// SHOGUN, its test data CommWordString_DNA_10_0_False_3_60_False (shogun-data, commit 8b40737): counts of 3-mers,
	// normalised. The first two training sequences, then the first test sequence. Nine digits.
	{"SHOGUN CommWordString 3", []string{
		"CGGCATGAGGTATAGGCCTGCAAATTTAGATCAGCGGGTCCTGATAAAAAACCAGAACCC",
		"CGGTGCATACCGTTACTGCGGTGCGTGGTGCGGACGCTCTCACGCAGCGTTCGCTTCAAC",
		"TTGAAAAATGCTCATCGCGTATAGTTAAGACTGACTGGCACGCGGGATGAAGCAAATGGT",
	}, "spectrum:k=3 substring:weight=fixed,k=3", unit, 2e-9,
		[]goldenValue{{1, 2, 0.332503112}, {1, 3, 0.647883544}, {2, 3, 0.487553603}, {2, 2, 1}}},

	// harry (commit 6352a3d), kern_spectrum of length 3 over bytes, without normalisation: whole numbers.
	{"harry kern_spectrum 3", []string{"Above all summits", "it is calm.", "In all the tree-tops", "you feel",
		"you will rest as well!"},
		"spectrum:k=3 substring:weight=fixed,k=3", raw, 0,
		[]goldenValue{{1, 1, 15}, {1, 2, 0}, {1, 3, 3}, {1, 5, 1}, {2, 2, 9}, {3, 3, 18}, {3, 5, 1}, {4, 4, 6},
			{4, 5, 2}, {5, 5, 20}}},
}

var (
	kernlabDNA  = []string{"ACGTACGTTGCA$", "GATTACA$", "TGTAATC$", "ACG$"}
	kernlabText = []string{"the quick brown fox$", "the quick brown dog jumps$", "xyz$"}
)

const unit, raw = "--no-normalize=false", "--no-normalize"

func TestGolden(t *testing.T) {
	t.Chdir(t.TempDir())
	for _, g := range golden {
		writeFiles(t, map[string]string{"in.txt": strings.Join(g.strings, "\n") + "\n"})
		for kernel := range strings.FieldsSeq(g.kernels) {
			rows := tableRows(mustTool(t, "matrix", "gram", "--digits", "17", "--kernel", kernel, g.options,
				"--input", "text:alphabet=bytes", "in.txt"))
			for _, v := range g.values {
				for _, cell := range []string{rows[v.i-1][v.j], rows[v.j-1][v.i]} {
					if got := float(t, cell); math.Abs(got-v.value) > g.tolerance*math.Abs(v.value) {
						t.Errorf("%s by %s: K(%d, %d) = %.12g, want %.12g", g.program, kernel, v.i, v.j, got, v.value)
					}
				}
			}
		}
	}
}
