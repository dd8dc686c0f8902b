package main

import (
	"io"
	"math"
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

// Every rank has a different spelling.
func TestSpellings(t *testing.T) {
	seen := map[string]int32{}
	for rank := range int32(vocabulary) {
		word := string(appendWord(nil, rank))
		if other, twice := seen[word]; twice {
			t.Fatalf("ranks %d and %d are both %q", other, rank, word)
		}
		seen[word] = rank
	}
}

// Frequencies fall with the rank as the law says, up to what chains and topics add.
func TestFrequenciesFall(t *testing.T) {
	_, texts := generated(t, 400, 2, 3)
	count, total := map[string]int{}, 0
	for _, text := range texts {
		for _, word := range strings.Fields(strings.ToLower(strings.ReplaceAll(text, ".", ""))) {
			count[word]++
			total++
		}
	}
	first, hundredth := count[string(appendWord(nil, 0))], count[string(appendWord(nil, 100))]
	want := math.Pow(102.7/2.7, -1.05)
	if ratio := float64(hundredth) / float64(first); ratio < want/3 || ratio > want*3 {
		t.Errorf("word 100 is %.4f times as frequent as word 0 of %d words, the law says %.4f", ratio, total, want)
	}
}

func TestRefusesNothing(t *testing.T) {
	for _, c := range [][2]int{{0, 1}, {1, 0}} {
		if err := generate(io.Discard, c[0], c[1], 1); err == nil {
			t.Errorf("%d documents of %d classes: no error", c[0], c[1])
		}
	}
}
