package main

import (
	"compress/gzip"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/seqsvm/seqsvm/internal/drawn"
	"github.com/seqsvm/seqsvm/internal/must"
	"github.com/seqsvm/seqsvm/seqio/windows"
	"github.com/seqsvm/seqsvm/stringkernel"
)

func testSample(t *testing.T, letters []string, isTrue []bool) *sample {
	t.Helper()
	seqs := make([][]byte, len(letters))
	for i, s := range letters {
		seqs[i] = []byte(s)
	}
	corpus := must.Get(stringkernel.NewCorpus(seqs, nil))(t)
	return &sample{corpus: corpus, isTrue: isTrue}
}

// TestMatrix: counts 1 + 2 of 2 + 4 against 1 + 1 and 1 + 0 of 1 + 4, by hand.
func TestMatrix(t *testing.T) {
	s := testSample(t, []string{"CAG", "CAT", "CCG"}, []bool{true, true, false})
	m := newMatrix(s, 1, 3)
	want := math.Log(3.0/6) - math.Log(1.0/5) + math.Log(2.0/6) - math.Log(2.0/5) // A, G
	if got := m.score([]byte("TAG")); math.Abs(got-want) > 1e-12 {
		t.Errorf("%v, want %v", got, want)
	}
	if got, half := m.score([]byte("TNG")), math.Log(2.0/6)-math.Log(2.0/5); math.Abs(got-half) > 1e-12 {
		t.Errorf("%v with an N, want %v", got, half)
	}
}

// plantedGenes writes a set of genes in which every true donor is followed by a motif that no other GT is, and returns
// the folder.
func plantedGenes(t *testing.T) string {
	t.Helper()
	dir := filepath.Join(t.TempDir(), "made")
	must.Succeed(t, os.Mkdir(dir, 0o777))
	rng := rand.New(rand.NewPCG(1, 1))
	var fasta, gff strings.Builder
	for i := range 60 {
		b := drawn.Text(rng, "ACGT", 600)
		copy(b[300:], "GTAAGT")
		fmt.Fprintf(&fasta, ">g%d\n%s\n", i, b)
		for _, exon := range []string{"100\t300", "350\t500"} {
			fmt.Fprintf(&gff, "g%d\tx\texon\t%s\t.\t+\t.\tParent=t%[1]d\n", i, exon)
		}
	}
	for name, text := range map[string]string{"genes.fa.gz": fasta.String(), "genes.gff3.gz": gff.String()} {
		f := must.Get(os.Create(filepath.Join(dir, name)))(t)
		w := gzip.NewWriter(f)
		w.Write([]byte(text))
		w.Close()
		f.Close()
	}
	return filepath.Dir(dir)
}

// TestMeasure: all of a table's row, on genes in which the signal is strong.
func TestMeasure(t *testing.T) {
	o := options{data: plantedGenes(t), kernels: []string{"substring:weight=fixed,k=6", "spectrum:k=2"},
		costs: []float64{1}, decoys: 5, seed: 1}
	made := task{"made", reference{"made", "genes.fa.gz", "genes.gff3.gz"}, windows.Donor, 1000, ""}
	text := must.Get(made.measure(context.Background(), o))(t)
	rows := strings.Split(strings.TrimSpace(text), "\n")
	if len(rows) != 2 || strings.Count(rows[0], "|") != strings.Count(strings.Split(heading, "\n")[0], "|") {
		t.Fatalf("%s", text)
	}
	var true1, decoys, places, found int
	cells := strings.Split(rows[0], "|")
	fmt.Sscanf(cells[2], " %d, %d", &true1, &decoys)
	fmt.Sscanf(cells[5], " %d, %d", &places, &found)
	var short float64
	fmt.Sscanf(cells[8], " %g", &short)
	if true1 != 48 || decoys != 240 || found != 12 || places <= found || short < 0.9 ||
		!strings.Contains(cells[4], "in transcripts") {
		t.Errorf("%s", text)
	}
	again, err := made.measure(context.Background(), o)
	if err != nil || again != text {
		t.Errorf("another run: %s, %v", again, err)
	}
	made.folder = "none"
	if _, err := made.measure(context.Background(), o); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("no such set: %v", err)
	}
	made.folder, o.kernels = "made", []string{"spectrum:k=0"}
	if _, err := made.measure(context.Background(), o); err == nil {
		t.Error("k = 0: no error")
	}
}

func TestChoose(t *testing.T) {
	chosen, err := choose([]string{"yeast-start", "human-donor"})
	if err != nil || len(chosen) != 2 || chosen[0].name != "human-donor" {
		t.Errorf("%v, %v", chosen, err)
	}
	if _, err := choose([]string{"mouse"}); err == nil || !strings.Contains(err.Error(), "yeast-start") {
		t.Errorf("%v", err)
	}
	for _, costs := range []string{"", "1,x", "0"} {
		if err := run(options{data: "none"}, costs); err == nil {
			t.Errorf("C = %q: no error", costs)
		}
	}
	if err := run(options{}, "1"); err == nil {
		t.Error("no data: no error")
	}
}

// TestReadSample: windows whose ids say where they are.
func TestReadSample(t *testing.T) {
	path := filepath.Join(t.TempDir(), "x.fa")
	must.Succeed(t, os.WriteFile(path, []byte(">chr5:16752267+ -1\nACGT\n>chr5:16768000- +1\nACCT\n"), 0o666))
	s, err := readSample(path)
	if err != nil || s.positives() != 1 || !s.isTrue[1] || s.groups[0] != "chr5:1675" || s.groups[1] != "chr5:1676" ||
		s.firstOf(1).corpus.Len() != 1 {
		t.Errorf("%+v, %v", s, err)
	}
	must.Succeed(t, os.WriteFile(path, []byte(">a -1\nACGT\n"), 0o666))
	if _, err := readSample(path); err == nil || !strings.Contains(err.Error(), "no position in the id") {
		t.Errorf("%v", err)
	}
}
