package main_test

import (
	"encoding/json"
	"io"
	"math"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/klauspost/compress/gzip"

	"github.com/seqsvm/seqsvm/internal/must"
)

// oracleFolder is a folder of kernel values of kernlab, SHOGUN and harry; golden_test.go has a selection of them. A test
// that needs it is skipped without it.
func oracleFolder(t *testing.T) string {
	t.Helper()
	root := os.Getenv("SEQSVM_DATA")
	if root == "" {
		t.Skip("SEQSVM_DATA is not set: the folder with values of other programs is not here")
	}
	return filepath.Join(root, "oracle-strings-a")
}

// inflate reads a whole gzip file.
func inflate(t *testing.T, path string) string {
	t.Helper()
	f := must.Get(os.Open(path))(t)
	defer f.Close()
	z := must.Get(gzip.NewReader(f))(t)
	text := must.Get(io.ReadAll(z))(t)
	return string(text)
}

// oracleRow is a line of a table of kernel values: the kernel and its parameters, then i, j and the value.
type oracleRow struct {
	parameters []string
	i, j       int // from 0
	value      float64
}

func readOracle(t *testing.T, path string) []oracleRow {
	t.Helper()
	var rows []oracleRow
	for n, line := range strings.Split(strings.TrimSpace(inflate(t, path)), "\n") {
		cells := strings.Split(line, "\t")
		if n == 0 {
			continue
		}
		last := len(cells) - 3
		i, errI := strconv.Atoi(cells[last])
		j, errJ := strconv.Atoi(cells[last+1])
		value, err := strconv.ParseFloat(cells[last+2], 64)
		if errI != nil || errJ != nil || err != nil {
			t.Fatalf("%s:%d: %q", path, n+1, line)
		}
		rows = append(rows, oracleRow{cells[:last], i - 1, j - 1, value})
	}
	return rows
}

// kernlab: spectrum, boundrange, constant and exponential, normalised and not, of DNA and of English text.
func TestKernlab(t *testing.T) {
	folder := filepath.Join(oracleFolder(t), "kernlab")
	for _, set := range []string{"dna", "text"} {
		input := filepath.Join(t.TempDir(), set+".txt") // $ stands for the line end that kernlab counts
		text := strings.ReplaceAll(inflate(t, filepath.Join(folder, set+".strings.txt.gz")), "\n", "$\n")
		must.Succeed(t, os.WriteFile(input, []byte(text), 0o600))
		matrices := map[string][][]float64{}
		checked, worst := 0, 0.0
		for _, row := range readOracle(t, filepath.Join(folder, set+".tsv.gz")) {
			length, _ := strconv.Atoi(row.parameters[1])           // NA where it does not apply
			lambda, _ := strconv.ParseFloat(row.parameters[2], 64) // likewise
			options := kernlabRaw
			if row.parameters[3] == "TRUE" {
				options = kernlabUnit
			}
			for _, kernel := range weighting(t, row.parameters[0], length, lambda) {
				key := kernel + options
				if matrices[key] == nil {
					matrices[key] = readMatrix(t,
						strings.Fields("--kernel "+kernel+" --input text "+options+" "+input)...)
				}
				for _, got := range []float64{matrices[key][row.i][row.j], matrices[key][row.j][row.i]} {
					checked++
					miss := math.Abs(got - row.value)
					worst = max(worst, miss/max(math.Abs(row.value), math.SmallestNonzeroFloat64))
					if miss > 1e-9*math.Abs(row.value) {
						t.Errorf("%s %v by %s: K(%d, %d) = %.12g, want %.12g", set, row.parameters, kernel, row.i+1,
							row.j+1, got, row.value)
					}
				}
			}
		}
		t.Logf("%s: %d values of %d matrices, worst relative difference %.2g", set, checked, len(matrices), worst)
	}
}

// SHOGUN: the normalised 3-spectrum of DNA.
func TestShogunCommWord(t *testing.T) {
	compareShogun(t, "CommWordString_DNA_10_0_False_3_60_False", weighting(t, "spectrum", 3, 0))
}

// SHOGUN: the normalised number of equal 3-mers at equal positions.
func TestShogunFixedDegree(t *testing.T) {
	compareShogun(t, "FixedDegreeString_3_DNA_10_60", []string{"oligo:k=3,sigma=0.001"})
}

// compareShogun compares the values of kernels on the training sequences, and of these against the test sequences.
func compareShogun(t *testing.T, name string, kernels []string) {
	var oracle struct {
		Train       []string    `json:"kernel_data_train"`
		Test        []string    `json:"kernel_data_test"`
		TrainMatrix [][]float64 `json:"kernel_matrix_train"`
		TestMatrix  [][]float64 `json:"kernel_matrix_test"`
	}
	text := inflate(t, filepath.Join(oracleFolder(t), "shogun", name+".json.gz"))
	must.Succeed(t, json.Unmarshal([]byte(text), &oracle))
	t.Chdir(t.TempDir())
	writeFiles(t, map[string]string{"train.fa": fastaOf(oracle.Train), "test.fa": fastaOf(oracle.Test)})
	for _, kernel := range kernels {
		n := compareMatrix(t, "train by "+kernel, readMatrix(t, "--kernel", kernel, "train.fa"), oracle.TrainMatrix,
			5e-10)
		n += compareMatrix(t, "test by "+kernel, readMatrix(t, "--kernel", kernel, "train.fa", "test.fa"),
			oracle.TestMatrix, 5e-10)
		t.Logf("%s: %d values", kernel, n)
	}
}

// compareMatrix wants equal shapes and values within an absolute tolerance, and returns how many there are.
func compareMatrix(t *testing.T, what string, got, want [][]float64, tolerance float64) int {
	t.Helper()
	if len(got) != len(want) || len(want) == 0 {
		t.Fatalf("%s: %d rows, want %d", what, len(got), len(want))
	}
	checked := 0
	for i := range want {
		if len(got[i]) != len(want[i]) {
			t.Fatalf("%s: row %d has %d values, want %d", what, i+1, len(got[i]), len(want[i]))
		}
		for j := range want[i] {
			checked++
			if math.Abs(got[i][j]-want[i][j]) > tolerance {
				t.Errorf("%s: K(%d, %d) = %.12g, want %.12g", what, i+1, j+1, got[i][j], want[i][j])
			}
		}
	}
	return checked
}

// harry: the 3-spectrum over bytes, exact.
func TestHarrySpectrum(t *testing.T) {
	folder := filepath.Join(oracleFolder(t), "harry")
	for _, kernel := range weighting(t, "spectrum", 3, 0) {
		k := readMatrix(t, "--kernel", kernel, "--no-normalize", "--input", "text:alphabet=bytes",
			filepath.Join(folder, "strings.txt.gz"))
		checked := 0
		for _, row := range readOracle(t, filepath.Join(folder, "measures.tsv.gz")) {
			if row.parameters[0] != "kern_spectrum" {
				continue
			}
			checked++
			if got := k[row.i][row.j]; got != row.value {
				t.Errorf("by %s: K(%d, %d) = %v, want %v", kernel, row.i+1, row.j+1, got, row.value)
			}
		}
		if want := len(k) * len(k); checked != want {
			t.Errorf("%d values of harry, want %d", checked, want)
		}
		t.Logf("%s: %d values", kernel, checked)
	}
}
