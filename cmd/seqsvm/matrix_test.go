package main_test

import (
	"strconv"
	"strings"
	"testing"
)

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
			var err error
			if row[j], err = strconv.ParseFloat(cell, 64); err != nil {
				t.Fatal(err)
			}
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
