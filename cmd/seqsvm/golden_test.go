package main_test

import (
	"math"
	"strconv"
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
	text      bool // a string per line, with spaces; else FASTA
	strings   []string
	kind      string
	length    int
	lambda    float64
	options   string
	tolerance float64 // relative, by the digits printed
	values    []goldenValue
}{
	// kernlab 0.9-32 (R; Debian r-cran-kernlab 0.9-32-1), stringdot(type, length, lambda, normalized). It appends a
	// newline to every string, here $, and its exponential weight is lambda^−length. Twelve digits.
	{"kernlab spectrum 1 FALSE", true, kernlabDNA, "spectrum", 1, 0, kernlabRaw, 1e-9,
		[]goldenValue{{1, 2, 22}, {1, 4, 10}, {2, 3, 15}, {2, 4, 6}, {3, 3, 16}}},
	{"kernlab spectrum 2 TRUE", true, kernlabDNA, "spectrum", 2, 0, kernlabUnit, 1e-9,
		[]goldenValue{{1, 2, 0.534522483825}, {1, 4, 0.544331053952}, {2, 3, 0.285714285714}, {2, 4, 0.218217890236}}},
	{"kernlab spectrum 3 TRUE", true, kernlabDNA, "spectrum", 3, 0, kernlabUnit, 1e-9,
		[]goldenValue{{1, 2, 0.210818510678}, {1, 4, 0.36514837167}, {2, 3, 0}, {3, 3, 1}}},
	{"kernlab boundrange 3 FALSE", true, kernlabDNA, "boundrange", 3, 0, kernlabRaw, 1e-9,
		[]goldenValue{{1, 2, 30}, {1, 4, 16}, {2, 3, 17}, {2, 4, 7}, {3, 3, 29}}},
	{"kernlab boundrange 4 TRUE", true, kernlabDNA, "boundrange", 4, 0, kernlabUnit, 1e-9,
		[]goldenValue{{1, 2, 0.568165514309}, {1, 4, 0.558744236616}, {2, 3, 0.5}, {2, 4, 0.379628301183}}},
	{"kernlab constant TRUE", true, kernlabDNA, "constant", 0, 0, kernlabUnit, 1e-9,
		[]goldenValue{{1, 2, 0.401322081411}, {1, 4, 0.448970826613}, {2, 3, 0.386363636364}, {2, 4, 0.333711906236}}},
	{"kernlab exponential 1.1 FALSE", true, kernlabDNA, "exponential", 0, 1.1, kernlabRaw, 1e-9,
		[]goldenValue{{1, 2, 26.4613072878}, {1, 4, 13.8993238167}, {2, 3, 15.2892561983}, {2, 4, 6.28099173554},
			{3, 3, 33.9234652937}}},
	{"kernlab exponential 2 TRUE", true, kernlabDNA, "exponential", 0, 2, kernlabUnit, 1e-9,
		[]goldenValue{{1, 2, 0.751982233102}, {1, 4, 0.698735493342}, {2, 3, 0.727014554491}, {2, 4, 0.559850243526}}},
	{"kernlab boundrange 8 FALSE, text", true, kernlabText, "boundrange", 8, 0, kernlabRaw, 1e-9,
		[]goldenValue{{1, 2, 114}, {1, 3, 2}, {2, 2, 196}}},
	{"kernlab exponential 1.1 TRUE, text", true, kernlabText, "exponential", 0, 1.1, kernlabUnit, 1e-9,
		[]goldenValue{{1, 2, 0.632140086841}, {1, 3, 0.0571004170784}, {2, 2, 1}}},

	// SHOGUN, its test data CommWordString_DNA_10_0_False_3_60_False (shogun-data, commit 8b40737): counts of 3-mers,
	// normalised. The first two training sequences, then the first test sequence. Nine digits.
	{"SHOGUN CommWordString 3", false, []string{
		"CGGCATGAGGTATAGGCCTGCAAATTTAGATCAGCGGGTCCTGATAAAAAACCAGAACCC",
		"CGGTGCATACCGTTACTGCGGTGCGTGGTGCGGACGCTCTCACGCAGCGTTCGCTTCAAC",
		"TTGAAAAATGCTCATCGCGTATAGTTAAGACTGACTGGCACGCGGGATGAAGCAAATGGT",
	}, "spectrum", 3, 0, "", 2e-9,
		[]goldenValue{{1, 2, 0.332503112}, {1, 3, 0.647883544}, {2, 3, 0.487553603}, {2, 2, 1}}},

	// harry (commit 6352a3d), kern_spectrum of length 3 over bytes, without normalisation: whole numbers.
	{"harry kern_spectrum 3", true, []string{"Above all summits", "it is calm.", "In all the tree-tops", "you feel",
		"you will rest as well!"},
		"spectrum", 3, 0, "--no-normalize --input alphabet=bytes", 0,
		[]goldenValue{{1, 1, 15}, {1, 2, 0}, {1, 3, 3}, {1, 5, 1}, {2, 2, 9}, {3, 3, 18}, {3, 5, 1}, {4, 4, 6},
			{4, 5, 2}, {5, 5, 20}}},
}

var (
	kernlabDNA  = []string{"ACGTACGTTGCA$", "GATTACA$", "TGTAATC$", "ACG$"}
	kernlabText = []string{"the quick brown fox$", "the quick brown dog jumps$", "xyz$"}
)

const (
	kernlabUnit = "--input alphabet=bytes"
	kernlabRaw  = kernlabUnit + " --no-normalize"
)

func TestGolden(t *testing.T) {
	t.Chdir(t.TempDir())
	for _, g := range golden {
		input, text := "fasta", fastaOf(g.strings)
		if g.text {
			input, text = "text", strings.Join(g.strings, "\n")+"\n"
		}
		options := strings.Replace(g.options, kernlabUnit, "", 1)
		if options != g.options {
			input += ":alphabet=bytes"
		}
		writeFiles(t, map[string]string{"in": text})
		for _, kernel := range weighting(t, g.kind, g.length, g.lambda) {
			args := append(strings.Fields("--kernel "+kernel+" "+options), "--input", input, "in")
			k := readMatrix(t, args...)
			for _, v := range g.values {
				for _, got := range []float64{k[v.i-1][v.j-1], k[v.j-1][v.i-1]} {
					if math.Abs(got-v.value) > g.tolerance*math.Abs(v.value) {
						t.Errorf("%s by %s: K(%d, %d) = %.12g, want %.12g", g.program, kernel, v.i, v.j, got, v.value)
					}
				}
			}
		}
	}
}

// readMatrix runs the command matrix gram and reads the table it prints.
func readMatrix(t *testing.T, args ...string) [][]float64 {
	t.Helper()
	var rows [][]float64
	columns := 0
	for line := range strings.Lines(mustTool(t, append([]string{"matrix", "gram", "--digits", "17"}, args...)...)) {
		cells := strings.Split(strings.TrimSuffix(line, "\n"), "\t")[1:]
		if columns == 0 {
			columns = len(cells)
			continue
		}
		if len(cells) != columns {
			t.Fatalf("%q: %d cells under %d ids", args, len(cells), columns)
		}
		row := make([]float64, columns)
		for j, cell := range cells {
			row[j] = float(t, cell)
		}
		rows = append(rows, row)
	}
	return rows
}

// fastaOf writes sequences with ids s1, s2, … as FASTA.
func fastaOf(sequences []string) string {
	var b strings.Builder
	for i, s := range sequences {
		b.WriteString(">s" + strconv.Itoa(i+1) + "\n" + s + "\n")
	}
	return b.String()
}

// weighting returns the --kernel options that compute a kernel, by the names and parameters of other programs:
// spectrum and boundrange of a length, constant, exponential with λ^−length. Where two engines apply, both are
// listed.
func weighting(t *testing.T, kind string, length int, lambda float64) []string {
	t.Helper()
	k := "k=" + strconv.Itoa(length)
	switch kind {
	case "spectrum":
		return []string{"spectrum:" + k, "substring:weight=fixed," + k}
	case "boundrange":
		return []string{"spectrum:bounded," + k, "substring:weight=bounded," + k}
	case "constant":
		return []string{"substring:weight=constant", "substring"}
	case "exponential":
		return []string{"substring:weight=decay,lambda=" + strconv.FormatFloat(1/lambda, 'g', -1, 64)}
	}
	t.Fatalf("unknown kernel %q", kind)
	return nil
}
