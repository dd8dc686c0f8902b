package main_test

import (
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/seqsvm/seqsvm/cmd/seqsvm/internal/cli"
	"github.com/seqsvm/seqsvm/seqio"
)

// The warning of cv counts what comparing all pairs of real promoters by the definition gives, with the folds that cv
// had.
func TestNearDuplicatesOfPromoters(t *testing.T) {
	path, err := filepath.Abs("../../testdata/fasta/promoters.fa")
	if err != nil {
		t.Fatal(err)
	}
	t.Chdir(t.TempDir())
	r := tool(t, "", "cv", "--kernel", "spectrum:k=3", "--predictions", "p.tsv", path)
	if r.code != cli.ExitOK {
		t.Fatal(r.err)
	}
	set, err := seqio.ReadFile(path, seqio.Options{})
	if err != nil {
		t.Fatal(err)
	}
	var fold []string
	for line := range strings.Lines(mustRead(t, "p.tsv")) {
		fields := strings.Split(strings.TrimSpace(line), "\t")
		fold = append(fold, fields[len(fields)-1])
	}
	fold = fold[1:]
	n := set.Len()
	words := make([]map[string]bool, n)
	for i := range words {
		words[i] = map[string]bool{}
		for word := range wordCounts(string(set.Corpus.Seq(i)), 16) {
			words[i][min(word, reverseComplement(word))] = true
		}
	}
	group := make([]int, n)
	for i := range group {
		group[i] = i
	}
	for changed := true; changed; {
		changed = false
		for i := range n {
			for j := range i {
				common := 0
				for word := range words[i] {
					if words[j][word] {
						common++
					}
				}
				if first := min(group[i], group[j]); group[i] != group[j] &&
					10*common >= 8*min(len(words[i]), len(words[j])) {
					group[i], group[j], changed = first, first, true
				}
			}
		}
	}
	divided := map[int]bool{}
	for i, g := range group {
		divided[g] = divided[g] || fold[i] != fold[g]
	}
	records, groups := 0, 0
	for i, g := range group {
		if divided[g] {
			records++
		}
		if divided[g] && g == i {
			groups++
		}
	}
	if want := fmt.Sprintf("warning: %d of %d records are in %d groups", records, n, groups); records == 0 ||
		!strings.Contains(r.err, want) {
		t.Errorf("%s, want %s", r.err, want)
	}
}

// tune --nested warns of what its outer folds divide as cv does with as many folds, which are the same.
func TestNearDuplicatesOfOuterFolds(t *testing.T) {
	path, err := filepath.Abs("../../testdata/fasta/promoters.fa")
	if err != nil {
		t.Fatal(err)
	}
	t.Chdir(t.TempDir())
	divided := func(command string, options ...string) (lines []string) {
		r := tool(t, "", append([]string{command, "--kernel", "spectrum:k=3", "-C", "1", path}, options...)...)
		if r.code != cli.ExitOK {
			t.Fatal(r.err)
		}
		for line := range strings.Lines(r.err) {
			if strings.Contains(line, "folds divide") {
				lines = append(lines, line)
			}
		}
		return lines
	}
	want := append(divided("cv", "--folds", "4"), strings.ReplaceAll(strings.Join(divided("cv", "--folds", "3"), ""),
		" folds ", " outer folds "))
	if len(want) != 2 {
		t.Fatalf("cv warns of %q", want)
	}
	if got := divided("tune", "--folds", "4", "--nested", "3"); !slices.Equal(got, want) {
		t.Errorf("%q, want %q", got, want)
	}
	if got := divided("tune", "--folds", "4", "--nested", "4"); !slices.Equal(got, want[:1]) {
		t.Errorf("%q, want one warning of the same folds, %q", got, want[:1])
	}
	for _, option := range [][]string{{"--similarity", "0"}, {"--group", "near-duplicates"}} {
		if got := divided("tune", append(option, "--folds", "4", "--nested", "3")...); len(got) > 0 {
			t.Errorf("%s: %q", option, got)
		}
	}
}

// A document of a folder has no line.
func TestNearDuplicatesOfDocuments(t *testing.T) {
	t.Chdir(t.TempDir())
	files := map[string]string{}
	for i := range 4 {
		files[fmt.Sprintf("docs/a/%d", i)] = fmt.Sprintf("the same words again and again %d", i)
		files[fmt.Sprintf("docs/b/%d", i)] = fmt.Sprintf("%d other words come here, and no two are alike", i)
	}
	writeFiles(t, files)
	r := tool(t, "", "cv", "--kernel", "words", "--folds", "2", "docs")
	if r.code != cli.ExitOK || !strings.Contains(r.err, `" of docs; --near`) {
		t.Errorf("%s, want the name of a document and its folder", r.err)
	}
}
