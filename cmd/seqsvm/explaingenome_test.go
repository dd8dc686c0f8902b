package main_test

import (
	"fmt"
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/seqsvm/seqsvm/internal/bigwigtest"
	"github.com/seqsvm/seqsvm/internal/must"
)

// cutRecords writes a model, and records on both strands of a genome, two of which overlap.
func cutRecords(t *testing.T) (model, records, sizes string) {
	t.Helper()
	folder := t.TempDir()
	file := func(name, text string) string {
		path := filepath.Join(folder, name)
		must.Succeed(t, os.WriteFile(path, []byte(text), 0o600))
		return path
	}
	var training strings.Builder
	for i := range 12 {
		fmt.Fprintf(&training, ">t%d %d\n%s\n", i, i%2, strings.Repeat([]string{"ACGTTGCA", "CCGATAGG"}[i%2], 3)[i/3:18+i/3])
	}
	model = filepath.Join(folder, "m.seqsvm")
	mustTool(t, "train", "--quiet", "--kernel", "spectrum:k=3", file("train.fa", training.String()), "-o", model)
	records = file("cut.fa", ">b:100-112(-) 1\nACGTTGCACCGA\n>a:9-20 0\nGATAGGACGTTG\n>b:106-118(+)\nTTGCACCGATAG\n")
	return model, records, file("sizes", "a\t30\nb\t200\n")
}

// Contributions of records of a genome are at their positions, those of the minus strand from the end, and the mean of
// both where records overlap; in bedGraph and in bigWig.
func TestExplainOfGenome(t *testing.T) {
	model, records, sizes := cutRecords(t)
	start := map[string]func(i int) (chrom string, at int){
		"b:100-112(-)": func(i int) (string, int) { return "b", 111 - i },
		"a:9-20":       func(i int) (string, int) { return "a", 8 + i }, // 12 letters: 1-based
		"b:106-118(+)": func(i int) (string, int) { return "b", 106 + i },
	}
	sums, counts := map[string]float64{}, map[string]float64{}
	for _, row := range tableRows(mustTool(t, "explain", "--quiet", "-m", model, "--digits", "17", records)) {
		chrom, at := start[row[0]](number(t, row[1]) - 1)
		key := fmt.Sprint(chrom, at)
		value := must.Get(strconv.ParseFloat(row[3], 64))(t)
		sums[key] += value
		counts[key]++
	}
	check := func(format, chrom string, at int, value, tolerance float64) {
		key := fmt.Sprint(chrom, at)
		if math.Abs(value-sums[key]/counts[key]) > tolerance {
			t.Errorf("%s: %s:%d is %v, want the mean of %v values, %v", format, chrom, at, value, counts[key],
				sums[key]/counts[key])
		}
	}
	lines := 0
	text := mustTool(t, "explain", "--quiet", "-m", model, "--format", "bedgraph", "--track", "x", records)
	head, rest, _ := strings.Cut(text, "\n")
	if head != `track type=bedGraph name="x"` {
		t.Errorf("track line %s", head)
	}
	for line := range strings.Lines(rest) {
		row := strings.Split(strings.TrimSpace(line), "\t")
		value, err := strconv.ParseFloat(row[3], 64)
		if err != nil || number(t, row[2]) != number(t, row[1])+1 {
			t.Fatal(line)
		}
		check("bedgraph", row[0], number(t, row[1]), value, 1e-8)
		lines++
	}
	path := filepath.Join(t.TempDir(), "x.bw")
	mustTool(t, "explain", "--quiet", "-m", model, "--format", "bigwig", "--sizes", sizes, "-o", path, records)
	file := must.Get(os.ReadFile(path))(t)
	intervals := must.Get(bigwigtest.Read(file))(t).Intervals
	for _, i := range intervals {
		check("bigwig", i.Chromosome, i.Start, float64(i.Value), 1e-6)
	}
	if lines != len(sums) || len(intervals) != len(sums) {
		t.Errorf("%d lines and %d intervals, want %d", lines, len(intervals), len(sums))
	}
}

// The contributions of --hypothetical are those of explain of the sequence with that base, and the changes of
// --mutagenesis are those of the decision of predict.
func TestSubstitutionsAreExplanations(t *testing.T) {
	model, _, _ := cutRecords(t)
	const x = "GATAGGACGTTG"
	var mutants strings.Builder
	fmt.Fprintf(&mutants, ">own\n%s\n", x)
	for p := range x {
		for _, base := range "ACGT" {
			fmt.Fprintf(&mutants, ">%d%c\n%s%c%s\n", p+1, base, x[:p], base, x[p+1:])
		}
	}
	folder := t.TempDir()
	all, one := filepath.Join(folder, "mutants.fa"), filepath.Join(folder, "one.fa")
	for path, text := range map[string]string{all: mutants.String(), one: ">own\n" + x + "\n"} {
		must.Succeed(t, os.WriteFile(path, []byte(text), 0o600))
	}
	parts, decisions := map[string]string{}, map[string]float64{}
	for _, row := range tableRows(mustTool(t, "explain", "--quiet", "-m", model, "--digits", "17", all)) {
		parts[row[0]+"@"+row[1]] = row[3]
	}
	for _, row := range tableRows(mustTool(t, "predict", "--quiet", "-m", model, "--digits", "17", all)) {
		decisions[row[0]] = float(t, row[2])
	}
	hypothetical := tableRows(mustTool(t, "explain", "--quiet", "-m", model, "--digits", "17", "--hypothetical", one))
	changes := tableRows(mustTool(t, "explain", "--quiet", "-m", model, "--digits", "17", "--mutagenesis", one))
	for p := range x {
		for b, base := range "ACGT" {
			name := fmt.Sprintf("%d%c", p+1, base)
			got, want := float(t, hypothetical[p][3+b]), float(t, parts[fmt.Sprintf("%s@%d", name, p+1)])
			if math.Abs(got-want) > 1e-12 {
				t.Errorf("contribution of %s is %v, want %v", name, got, want)
			}
			got, want = float(t, changes[p][3+b]), decisions[name]-decisions["own"]
			if math.Abs(got-want) > 1e-12 {
				t.Errorf("change by %s is %v, want %v", name, got, want)
			}
		}
	}
}

// NumPy loads arrays of records × 4 × letters; at the bases that are there, the contributions are those of explain.
func TestArraysOfContributions(t *testing.T) {
	const python = "/usr/bin/python3"
	if exec.Command(python, "-c", "import numpy").Run() != nil {
		t.Skip("python3 with numpy is not installed")
	}
	model, records, _ := cutRecords(t)
	folder := t.TempDir()
	values, hot := filepath.Join(folder, "h.npz"), filepath.Join(folder, "o.npz")
	mustTool(t, "explain", "--quiet", "-m", model, "--hypothetical", "--format", "npz", "--center", "8", "-o", values,
		"--one-hot", hot, records)
	own := filepath.Join(folder, "c.npz")
	mustTool(t, "explain", "--quiet", "-m", model, "--center", "8", "-o", own, records)
	text, err := exec.Command(python, "-c", `import sys, numpy
h, o, c = (numpy.load(p)["arr_0"] for p in sys.argv[1:])
print(h.shape == o.shape == c.shape == (3, 4, 8) and numpy.allclose(h * o, c, atol=1e-12))
for row in (h * o).sum(1): print(*(repr(float(v)) for v in row))`, values, hot, own).CombinedOutput()
	if err != nil {
		t.Fatalf("%v: %s", err, text)
	}
	var want []float64
	for _, row := range tableRows(mustTool(t, "explain", "--quiet", "-m", model, "--digits", "17", records)) {
		if p := number(t, row[1]); p > 2 && p <= 10 {
			want = append(want, float(t, row[3]))
		}
	}
	words := strings.Fields(string(text))
	if words[0] != "True" || len(words) != 1+len(want) {
		t.Fatalf("numpy finds %s", text)
	}
	for i, w := range words[1:] {
		if math.Abs(float(t, w)-want[i]) > 1e-12 {
			t.Errorf("contribution %d is %s, want %v", i, w, want[i])
		}
	}
}
