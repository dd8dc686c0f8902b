package main_test

import (
	"fmt"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/seqsvm/seqsvm/internal/must"
)

// TestImprobable: predict counts the records whose class has a probability below 1/2, and the threshold that it names
// makes classes follow probabilities.
func TestImprobable(t *testing.T) {
	file := must.Get(filepath.Abs(filepath.Join("..", "..", "testdata", "fasta", "promoters.fa")))(t)
	t.Chdir(t.TempDir())
	train := []string{"train", "-q", "-k", "spectrum:k=2", "--probability", "--class-weight", "+1=5,-1=1", "-o", "m", file}
	mustTool(t, train...)
	said := regexp.MustCompile(`: (\d+) of 106: classes change at the decision 0, the probability is 1/2 at (\S+);`)
	r := tool(t, "", "predict", "-m", "m", file)
	found := said.FindStringSubmatch(r.err)
	count := improbable(t, r.out)
	if found == nil || count == 0 || found[1] != fmt.Sprint(count) {
		t.Fatalf("%d rows, and predict says: %s", count, r.err)
	}
	mustTool(t, append(train, "--threshold", found[2])...)
	r = tool(t, "", "predict", "-m", "m", file)
	if count := improbable(t, r.out); count != 0 || strings.Contains(r.err, "probable") {
		t.Errorf("with --threshold %s %d rows, and predict says: %s", found[2], count, r.err)
	}
}

// improbable counts the rows of predictions whose class is not the one that the probability of +1 speaks for.
func improbable(t *testing.T, table string) (n int) {
	for _, cells := range tableRows(table) {
		if (cells[1] == "+1") != (float(t, cells[3]) > 0.5) {
			n++
		}
	}
	return n
}
