package lsgkm_test

import (
	"bytes"
	"math"
	"os"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/seqsvm/seqsvm/classify/decide"
	"github.com/seqsvm/seqsvm/internal/must"
	"github.com/seqsvm/seqsvm/model"
	"github.com/seqsvm/seqsvm/model/lsgkm"
)

// testdata holds models of LS-GKM v0.1.2 (gkmtrain -l 5 -k 3 -d 2 -M 20 -H 3 -c 1 with -t 0, 1, 2 and 4, each also with
// -R; -c 10 -g 2 with -t 3 and 5) of three sequences against three, one with an N, svr-* of its gkmtrain-svr (the same
// options, -p 0.05 -e 1e-6) of the numbers 2.5, 1.75, 3.25, -0.5, 0.25 and -1 for them, svr-t2 also with -z, and
// scores.tsv, what gkmpredict gives for sequences (one with an N) and words with each of those that are converted.

// scoreTable is a table of sequences by models.
type scoreTable struct {
	models, sequences []string
	scores            [][]float64 // per sequence
}

func readScores(t *testing.T) scoreTable {
	t.Helper()
	text := must.Get(os.ReadFile("testdata/scores.tsv"))(t)
	var table scoreTable
	for i, line := range strings.Split(strings.TrimSpace(string(text)), "\n") {
		cells := strings.Split(line, "\t")
		if i == 0 {
			table.models = cells[1:]
			continue
		}
		row := make([]float64, len(cells)-1)
		for j := range row {
			row[j] = parseFloat(t, cells[j+1])
		}
		table.sequences, table.scores = append(table.sequences, cells[0]), append(table.scores, row)
	}
	return table
}

func parseFloat(t *testing.T, text string) float64 {
	t.Helper()
	return must.Get(strconv.ParseFloat(text, 64))(t)
}

// classifier converts a model file, and writes and reads the model.
func classifier(t *testing.T, path string, keepSequences bool) *decide.Classifier {
	t.Helper()
	f := must.Get(lsgkm.Read(nil, path))(t)
	m := must.Get(f.Model(t.Context(), model.Options{KeepSequences: keepSequences}))(t)
	if m.Compiled() != (f.Gamma == 0 && !keepSequences) { // a Gaussian does not fold
		t.Errorf("%s: compiled %v", path, m.Compiled())
	}
	var b bytes.Buffer
	must.Succeed(t, m.Write(&b))
	return must.Get(must.Get(model.Read(b.Bytes()))(t).Classifier(t.Context()))(t)
}

// TestScoresOfLSGKM compares decisions with those of gkmpredict, which reads N as A.
func TestScoresOfLSGKM(t *testing.T) {
	table := readScores(t)
	for j, name := range table.models {
		for _, keep := range []bool{false, true} {
			c := classifier(t, "testdata/"+name+".model.txt", keep)
			for i, x := range table.sequences {
				p := c.Decide([]byte(strings.ReplaceAll(x, "N", "A")))
				if want := table.scores[i][j]; !close6(p.Scores[0], want) {
					t.Errorf("%s of %s: %v, LS-GKM has %v", name, x, p.Scores[0], want)
				}
				if strings.HasPrefix(name, "svr") {
					if want := []string{"value"}; !slices.Equal(c.Classes, want) || p.Class != 0 {
						t.Errorf("%s: class %d of %q, want %q", name, p.Class, c.Classes, want)
					}
					continue
				}
				if class := map[bool]string{true: "1",
					false: "-1"}[table.scores[i][j] > 0]; c.Classes[p.Class] != class {
					t.Errorf("%s of %s: class %s, want %s", name, x, c.Classes[p.Class], class)
				}
				if strings.Contains(x, "N") && close6(c.Decide([]byte(x)).Scores[0], table.scores[i][j]) {
					t.Errorf("%s of %s: N counts as A", name, x)
				}
			}
		}
	}
}

// close6 compares with a value that was printed with six digits, computed from a rho of six digits and sums in single
// precision.
func close6(got, want float64) bool {
	return math.Abs(got-want) <= 1e-5*math.Max(math.Abs(want), 0.1)
}

// TestGzipOfLSGKM: what gkmtrain-svr -z writes is the model that it writes without.
func TestGzipOfLSGKM(t *testing.T) {
	plain := must.Get(lsgkm.Read(nil, "testdata/svr-t2.model.txt"))(t)
	gzipped := must.Get(lsgkm.Read(nil, "testdata/svr-t2.model.txt.gz"))(t)
	gzipped.Source = plain.Source
	if !plain.Regression || !reflect.DeepEqual(gzipped, plain) {
		t.Errorf("compressed %+v, want %+v", gzipped, plain)
	}
}
