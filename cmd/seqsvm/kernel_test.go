package main

import (
	"strings"
	"testing"

	"github.com/seqsvm/seqsvm/cmd/seqsvm/internal/cli"
)

// A matrix is refused from a terabyte on: NumPy's 8 bytes an entry allow 125·10⁹ entries.
func TestCheckMatrix(t *testing.T) {
	for _, c := range []struct {
		format        string
		rows, columns int
		want          string // empty: taken
	}{
		{"npy", 125_000, 1_000_000, ""},
		{"npy", 125_001, 1_000_000, "would take about 1 TB"},
		{"npy", 5_000_000, 5_000_000, "a matrix of 5000000 × 5000000 would take about 200 TB and at least 83.3 hours"},
		{cli.TSV, 5_000_000, 5_000_000, "475 TB and at least 660 hours"},
		{"libsvm", 5_000_000, 5_000_000, "600 TB"},
		{cli.TSV, 1, 5_000_000, ""},
	} {
		err := checkMatrix(c.format, c.rows, c.columns)
		if c.want == "" && err != nil || c.want != "" && (err == nil || !strings.Contains(err.Error(), c.want)) {
			t.Errorf("%s %d × %d: %v, want %q", c.format, c.rows, c.columns, err, c.want)
		}
	}
}
