package gkmexplain_test

import (
	"io"
	"math"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/seqsvm/seqsvm/internal/must"
	"github.com/seqsvm/seqsvm/model"
	"github.com/seqsvm/seqsvm/model/gkmexplain"
	"github.com/seqsvm/seqsvm/model/lsgkm"
	"github.com/seqsvm/seqsvm/seqio"
	"github.com/seqsvm/seqsvm/spectrum/gapped"
)

// TestOracle compares all modes with what gkmexplain (kundajelab/lsgkm) printed, in $SEQSVM_GKMEXPLAIN: models, and for
// each mode lines “id, score, numbers of the four letters by position”.
func TestOracle(t *testing.T) {
	folder := os.Getenv("SEQSVM_GKMEXPLAIN")
	if folder == "" {
		t.Skip("SEQSVM_GKMEXPLAIN is not set: the numbers of gkmexplain are not compared")
	}
	records := map[string][]byte{}
	queries := must.Get(seqio.ReadFile(filepath.Join(folder, "queries.fa"), seqio.Options{}))(t).Corpus
	for i := range queries.Len() {
		records[queries.Name(i)] = queries.Seq(i)
	}
	for _, path := range must.Get(filepath.Glob(filepath.Join(folder, "t*.model.txt.gz")))(t) {
		name := strings.TrimSuffix(filepath.Base(path), ".model.txt.gz")
		t.Run(name, func(t *testing.T) {
			file := must.Get(lsgkm.Read(nil, path))(t)
			m := must.Get(file.Model(t.Context(), model.Options{KeepSequences: file.Gamma != 0}))(t)
			explainer := must.Get(gkmexplain.New(t.Context(), m, must.Get(m.Classifier(t.Context()))(t)))(t)
			for mode := gapped.Importance; mode <= gapped.DeepPerturbation; mode++ {
				worst := 0.0
				for _, line := range unzipLines(t, filepath.Join(folder, name+".m"+strconv.Itoa(int(mode))+".txt.gz")) {
					id, rest, _ := strings.Cut(line, "\t")
					_, numbers, _ := strings.Cut(rest, "\t")
					x, _ := gkmexplain.AsRead(records[id])
					got := must.Get(explainer.Explain(t.Context(), mode, 0, x))(t)
					want := parse(t, numbers)
					if len(got) != len(want) {
						t.Fatalf("mode %d of %s: %d numbers, want %d", mode, id, len(got), len(want))
					}
					largest, off := 0.0, 0.0
					for i := range want {
						largest, off = max(largest, math.Abs(want[i])), max(off, math.Abs(got[i]-want[i]))
					}
					worst = max(worst, off/largest)
					if !(off <= 1e-6*largest) {
						t.Errorf("mode %d of %s: off by %g of %g", mode, id, off, largest)
					}
				}
				t.Logf("mode %d: greatest difference %.2g of a record's largest number", mode, worst)
			}
		})
	}
}

func parse(t *testing.T, text string) (numbers []float64) {
	t.Helper()
	for _, cell := range strings.FieldsFunc(text, func(r rune) bool { return strings.ContainsRune(",;", r) }) {
		numbers = append(numbers, must.Get(strconv.ParseFloat(cell, 64))(t))
	}
	return numbers
}

func unzipLines(t *testing.T, path string) []string {
	t.Helper()
	text := must.Get(seqio.OpenText(nil, path))(t)
	defer text.Close()
	return strings.Split(strings.TrimSpace(string(must.Get(io.ReadAll(text))(t))), "\n")
}
