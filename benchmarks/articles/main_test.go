package main

import (
	"io"
	"slices"
	"strings"
	"testing"

	"github.com/seqsvm/seqsvm/internal/must"
)

// generated returns the labels and the texts of documents.
func generated(t *testing.T, n, classes int, seed uint64) (labels, texts []string) {
	t.Helper()
	var out strings.Builder
	must.Succeed(t, generate(&out, n, classes, seed))
	for line := range strings.Lines(out.String()) {
		label, text, found := strings.Cut(strings.TrimSuffix(line, "\n"), "\t")
		if !found {
			t.Fatalf("%.80q has no tab", line)
		}
		labels, texts = append(labels, label), append(texts, text)
	}
	if len(texts) != n {
		t.Fatalf("%d documents, want %d", len(texts), n)
	}
	return labels, texts
}

func TestSameSeedSameBytes(t *testing.T) {
	labels, texts := generated(t, 50, 3, 7)
	again, same := generated(t, 50, 3, 7)
	if !slices.Equal(labels, again) || !slices.Equal(texts, same) {
		t.Error("two runs with one seed differ")
	}
	if _, other := generated(t, 50, 3, 8); slices.Equal(texts, other) {
		t.Error("two seeds give one text")
	}
}

func TestDocumentsAreLinesOfSentences(t *testing.T) {
	labels, texts := generated(t, 200, 4, 1)
	classes := map[string]bool{}
	for i, text := range texts {
		classes[labels[i]] = true
		words := strings.Fields(text)
		if len(words) < 20 || len(words) > 2000 || strings.ContainsAny(text, "\t\n") || !strings.HasSuffix(text, ".") {
			t.Fatalf("document %d: %d words: %.80q", i, len(words), text)
		}
		for j, word := range words {
			begins := j == 0 || strings.HasSuffix(words[j-1], ".")
			if capital := word[0] >= 'A' && word[0] <= 'Z'; capital != begins {
				t.Fatalf("document %d: word %d, %q, after %q", i, j, word, words[max(j-1, 0)])
			}
		}
	}
	if len(classes) != 4 {
		t.Errorf("classes %v, want four", classes)
	}
}

func TestRefusesNothing(t *testing.T) {
	for _, c := range [][2]int{{0, 1}, {1, 0}} {
		if err := generate(io.Discard, c[0], c[1], 1); err == nil {
			t.Errorf("%d documents of %d classes: no error", c[0], c[1])
		}
	}
}
