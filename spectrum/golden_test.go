package spectrum_test

import (
	"bufio"
	"compress/gzip"
	"encoding/json"
	"math"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/seqsvm/seqsvm/internal/must"
	"github.com/seqsvm/seqsvm/spectrum"
	"github.com/seqsvm/seqsvm/stringkernel"
)

// readGzip returns the lines of a file of the reference data, or skips the test without them.
func readGzip(t *testing.T, name string) []string {
	t.Helper()
	root := os.Getenv("SEQSVM_DATA")
	if root == "" {
		t.Skip("SEQSVM_DATA is not set: the reference values of other programs are not here")
	}
	file, err := os.Open(filepath.Join(root, "oracle-strings-a", name))
	if err != nil {
		t.Skip(err)
	}
	defer file.Close()
	text := must.Get(gzip.NewReader(file))(t)
	var lines []string
	scanner := bufio.NewScanner(text)
	scanner.Buffer(nil, 1<<26)
	for scanner.Scan() {
		lines = append(lines, scanner.Text())
	}
	must.Succeed(t, scanner.Err())
	return lines
}

func atof(t *testing.T, s string) float64 {
	t.Helper()
	return must.Get(strconv.ParseFloat(s, 64))(t)
}

func atoi(t *testing.T, s string) int {
	t.Helper()
	return must.Get(strconv.Atoi(s))(t)
}

func normalised(k spectrum.Kernel, x, y []byte) float64 {
	value := k.Eval(x, y)
	if value == 0 {
		return 0
	}
	return value / math.Sqrt(k.SelfEval(x)*k.SelfEval(y))
}

// kernlab 0.9-32 (R), stringdot of types spectrum and boundrange. It appends a newline to every string.
func TestKernlab(t *testing.T) {
	for _, set := range []string{"dna", "text"} {
		strs := readGzip(t, "kernlab/"+set+".strings.txt.gz")
		tested := 0
		for _, line := range readGzip(t, "kernlab/"+set+".tsv.gz")[1:] {
			f := strings.Split(line, "\t")
			if f[0] != "spectrum" && f[0] != "boundrange" {
				continue
			}
			k := spectrum.Kernel{K: atoi(t, f[1]), Bounded: f[0] == "boundrange", Alphabet: stringkernel.Bytes}
			if k.Check() != nil {
				continue
			}
			x, y := []byte(strs[atoi(t, f[4])-1]+"\n"), []byte(strs[atoi(t, f[5])-1]+"\n")
			got := k.Eval(x, y)
			if f[3] == "TRUE" {
				got = normalised(k, x, y)
			}
			if want := atof(t, f[6]); math.Abs(got-want) > 1e-9*math.Max(1, math.Abs(want)) {
				t.Fatalf("%s: got %v", line, got)
			}
			tested++
		}
		if tested == 0 {
			t.Errorf("%s: no values", set)
		}
	}
}

// SHOGUN, CommWordString of order 3 on DNA, normalised, printed to 9 digits.
func TestShogun(t *testing.T) {
	var set struct {
		Train  []string    `json:"kernel_data_train"`
		Test   []string    `json:"kernel_data_test"`
		KTrain [][]float64 `json:"kernel_matrix_train"`
		KTest  [][]float64 `json:"kernel_matrix_test"`
	}
	text := strings.Join(readGzip(t, "shogun/CommWordString_DNA_10_0_False_3_60_False.json.gz"), "\n")
	must.Succeed(t, json.Unmarshal([]byte(text), &set))
	k := spectrum.Kernel{K: 3, Alphabet: stringkernel.DNA}
	for i, x := range set.Train {
		for j, want := range set.KTrain[i] {
			if got := normalised(k, []byte(x), []byte(set.Train[j])); math.Abs(got-want) > 2e-9 {
				t.Fatalf("train %d, %d: got %v, want %v", i, j, got, want)
			}
		}
		for j, want := range set.KTest[i] {
			if got := normalised(k, []byte(x), []byte(set.Test[j])); math.Abs(got-want) > 2e-9 {
				t.Fatalf("test %d, %d: got %v, want %v", i, j, got, want)
			}
		}
	}
}

// A few of kernlab's values, not normalised, so that they are checked where the reference data is not: stringdot of
// Debian's r-cran-kernlab 0.9-32-1 on strings with the newline it appends.
func TestGoldenValues(t *testing.T) {
	const x, y, z, w = "ACGTACGTTGCA\n", "ACGTTGCAACGT\n", "ACGAACGATGCA\n", "GATTACA\n"
	for _, c := range []struct {
		k       int
		bounded bool
		x, y    string
		want    float64
	}{
		{1, false, x, y, 37}, {2, false, x, y, 16}, {3, false, x, y, 12}, {3, false, x, z, 7}, {3, false, x, w, 2},
		{2, true, x, y, 53}, {3, true, x, y, 65}, {4, true, x, y, 73}, {8, true, x, y, 83}, {8, true, x, z, 59},
		{4, true, x, w, 30}, {8, true, y, z, 58}, {8, true, y, w, 26},
	} {
		k := spectrum.Kernel{K: c.k, Bounded: c.bounded, Alphabet: stringkernel.Bytes}
		if got := k.Eval([]byte(c.x), []byte(c.y)); got != c.want {
			t.Errorf("%+v: %q, %q: got %v, want %v", k, c.x, c.y, got, c.want)
		}
	}
}
