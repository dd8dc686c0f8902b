package shipped

import (
	"flag"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/seqsvm/seqsvm/internal/must"
)

var update = flag.Bool("update", false, "write the sets")

// TestShippedFilesAreGenerated: testdata holds what the makers write.
func TestShippedFilesAreGenerated(t *testing.T) {
	for name, want := range files() {
		path := filepath.Join("../../testdata", name)
		if *update {
			must.Succeed(t, os.MkdirAll(filepath.Dir(path), 0o777))
			must.Succeed(t, os.WriteFile(path, []byte(want), 0o666))
		}
		if got, err := os.ReadFile(path); err != nil || string(got) != want {
			t.Errorf("%s is not what is generated (%v): go test ./benchmarks/shipped -update", name, err)
		}
	}
}

// files returns the contents of all sets by file name.
func files() map[string]string {
	files := map[string]string{}
	for i, add := range []func(maker){addGenome, addGuides, addTexts, addTrees, addTags, addPeptides, addVariants,
		addMotifs, addExpression, addPairs} {
		add(maker{rand.New(rand.NewPCG(uint64(i), 0x73657173766d)), files})
	}
	return files
}

// maker draws the sets of one kind.
type maker struct {
	*rand.Rand
	files map[string]string
}

// pick draws one of a list.
func (m maker) pick(of ...string) string { return of[m.IntN(len(of))] }

// letters draws n letters.
func (m maker) letters(n int, of string) []byte {
	x := make([]byte, n)
	for i := range x {
		x[i] = of[m.IntN(len(of))]
	}
	return x
}

// matrix holds per place of a motif the letters that may stand there, each as often as it counts.
type matrix []string

// draw draws an occurrence of a motif.
func (m maker) draw(motif matrix) (x []byte) {
	for _, of := range motif {
		x = append(x, m.letters(1, of)...)
	}
	return x
}

// fasta writes records with a header each.
func fasta(headers []string, sequences [][]byte) string {
	var b strings.Builder
	for i, h := range headers {
		fmt.Fprintf(&b, ">%s\n%s\n", h, sequences[i])
	}
	return b.String()
}
