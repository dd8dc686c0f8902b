package seqio_test

import (
	"os"
	"path/filepath"
	"slices"
	"testing"

	"github.com/seqsvm/seqsvm/seqio"
	"github.com/seqsvm/seqsvm/stringkernel"
)

func TestSetParts(t *testing.T) {
	if s := seqio.MustRead(t, ">x\nA\n>y\nC\n", "a.fa", seqio.Options{}); s.Labels != nil || s.Label(1) != "" || s.Format != seqio.FASTA {
		t.Errorf("labels %q, format %q", s.Labels, s.Format)
	}
	s := seqio.MustRead(t, "@x\nA\n+\nI\n@y z\nC\n+\nI\n", "a", seqio.Options{})
	if !slices.Equal(s.Labels, []string{"", "z"}) || s.Format != seqio.FASTQ {
		t.Errorf("labels %q, format %q", s.Labels, s.Format)
	}
	if got, want := s.Errorf(1, "too %s", "short").Error(), `a:5: record "y": too short`; got != want {
		t.Errorf("%s, want %s", got, want)
	}
	s = seqio.MustRead(t, "one\ntwo\n", "a.txt", seqio.Options{})
	if got, want := s.Errorf(1, "too short").Error(), `a.txt:2: too short`; got != want {
		t.Errorf("%s, want %s", got, want)
	}
	if s.DetectAlphabet() != stringkernel.Bytes {
		t.Error("text lines are not bytes")
	}
}

func TestReadFile(t *testing.T) {
	folder := t.TempDir()
	path := filepath.Join(folder, "a.fa")
	if err := os.WriteFile(path, []byte(">x\nAC\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	s, err := seqio.ReadFile(path, seqio.Options{})
	if err != nil || s.Len() != 1 || string(s.Corpus.Seq(0)) != "AC" {
		t.Fatal(s, err)
	}
	for name, want := range map[string]string{
		t.TempDir():                     ": is a directory, want a file",
		filepath.Join(folder, "absent"): ": no such file or directory",
	} {
		if _, err := seqio.ReadFile(name, seqio.Options{Format: seqio.FASTA}); err == nil || err.Error() != name+want {
			t.Errorf("%v, want %s%s", err, name, want)
		}
	}
}

// The repo's own sets, whose class counts are those the documentation of kernlab's promotergene and mlbench's DNA
// gives.
func TestReadTestdata(t *testing.T) {
	for file, want := range map[string]struct {
		length int
		labels map[string]int
	}{
		"promoters.fa": {57, map[string]int{"+1": 53, "-1": 53}},
		"splice.fa":    {60, map[string]int{"EI": 767, "IE": 765, "N": 1654}},
	} {
		s, err := seqio.ReadFile(filepath.Join("..", "testdata", "fasta", file), seqio.Options{})
		if err != nil {
			t.Fatal(err)
		}
		labels := map[string]int{}
		for i := range s.Len() {
			labels[s.Label(i)]++
			if len(s.Corpus.Seq(i)) != want.length {
				t.Fatal(s.Errorf(i, "%d letters, want %d", len(s.Corpus.Seq(i)), want.length))
			}
		}
		for label, n := range want.labels {
			if labels[label] != n {
				t.Errorf("%s: %d records %s, want %d", file, labels[label], label, n)
			}
		}
		if a := s.DetectAlphabet(); a != stringkernel.DNA {
			t.Errorf("%s: alphabet %s, want dna", file, a)
		}
	}
}
