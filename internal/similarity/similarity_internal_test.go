package similarity

import (
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/seqsvm/seqsvm/internal/must"
	"github.com/seqsvm/seqsvm/stringkernel"
)

// eigenvalues returns the eigenvalues of a matrix by another program, ascending.
func eigenvalues(t *testing.T, size int, values []float64) []float64 {
	t.Helper()
	var e mat.EigenSym
	if !e.Factorize(mat.NewSymDense(size, values), false) {
		t.Fatal("no eigenvalues")
	}
	return e.Values(nil)
}

// TestSemidefinite checks the matrices with names.
func TestSemidefinite(t *testing.T) {
	for _, c := range []struct {
		name     string
		alphabet stringkernel.Alphabet
	}{{BLOSUM62, stringkernel.Protein}, {Grantham, stringkernel.Protein}, {Transitions, stringkernel.DNA}} {
		for _, beta := range []float64{0, 0.01, 0.1, 0.5, 1, 2, 10, 100} {
			m := must.Get(New([]string{c.name}, beta, c.alphabet))(t)
			if least := m.leastEigenvalue(); !(least >= -1e-13) {
				t.Errorf("%s, β %v: least eigenvalue %v", c.name, beta, least)
			}
			for i, v := range m.Values {
				if row, column := i/m.Size, i%m.Size; row == column && v != 1 || v < 0 || v > 1 || v != m.At(column, row) {
					t.Fatalf("%s, β %v: weight %v of %d and %d", c.name, beta, v, row, column)
				}
			}
		}
	}
}

// TestBLOSUMConditionally checks that the scores are positive definite on differences of letters: then every power of
// the odds is positive definite.
func TestBLOSUMConditionally(t *testing.T) {
	const n = 19
	values := make([]float64, n*n)
	score := func(a, b int) float64 { return float64(blosum62(a, b)) }
	for i := range n {
		for j := range n { // e_i − e_19
			values[i*n+j] = score(i, j) - score(i, n) - score(n, j) + score(n, n)
		}
	}
	if least := eigenvalues(t, n, values)[0]; least <= 0 {
		t.Errorf("least eigenvalue %v", least)
	}
}

// TestBLOSUM62 compares with the table of the module biogo.
func TestBLOSUM62(t *testing.T) {
	folder, err := exec.Command("go", "list", "-m", "-f", "{{.Dir}}", "github.com/biogo/biogo").Output()
	if err != nil {
		t.Skip("the module biogo is not here:", err)
	}
	text, err := os.ReadFile(filepath.Join(strings.TrimSpace(string(folder)), "align/matrix/matrices/BLOSUM62"))
	if err != nil {
		t.Skip(err)
	}
	var columns []string
	codes, seen := stringkernel.Protein.Codes(), 0
	for line := range strings.Lines(string(text)) {
		fields := strings.Fields(line)
		switch {
		case strings.HasPrefix(line, "#"):
		case columns == nil:
			columns = fields
		default:
			for i, want := range fields[1:] {
				a, b := codes[fields[0][0]], codes[columns[i][0]]
				if a < 0 || b < 0 {
					continue
				}
				seen++
				if got := strconv.Itoa(blosum62(int(a), int(b))); got != want {
					t.Errorf("%s and %s: %s, want %s", fields[0], columns[i], got, want)
				}
			}
		}
	}
	if seen != 400 {
		t.Errorf("%d scores, want 400", seen)
	}
}

// TestGrantham compares with distances that Grantham printed, which he computed from properties of more digits.
func TestGrantham(t *testing.T) {
	codes := stringkernel.Protein.Codes()
	for pair, want := range map[string]float64{
		"SR": 110, "SL": 145, "SP": 74, "ST": 58, "LI": 5, "CW": 215, "DE": 45, "KR": 26, "FY": 22, "IV": 29, "GA": 60,
	} {
		if got := distance(int(codes[pair[0]]), int(codes[pair[1]])); math.Abs(got-want) > 1.5 {
			t.Errorf("%s: %.1f, printed %v", pair, got, want)
		}
	}
}
