package articles

import (
	"bytes"
	"math"
	"reflect"
	"strings"
	"testing"
)

func TestSameSeedSameBytes(t *testing.T) {
	a, err := Generate(50, 3, 7)
	if err != nil {
		t.Fatal(err)
	}
	b, err := Generate(50, 3, 7)
	if err != nil {
		t.Fatal(err)
	}
	if !reflect.DeepEqual(a, b) {
		t.Error("two runs with one seed differ")
	}
	other, err := Generate(50, 3, 8)
	if err != nil {
		t.Fatal(err)
	}
	if reflect.DeepEqual(a.Texts, other.Texts) {
		t.Error("two seeds give one text")
	}
}

func TestDocumentsAreLinesOfSentences(t *testing.T) {
	set, err := Generate(200, 4, 1)
	if err != nil {
		t.Fatal(err)
	}
	classes := map[string]bool{}
	for i, text := range set.Texts {
		classes[set.Labels[i]] = true
		words := bytes.Fields(text)
		if len(words) < 20 || len(words) > 2000 || bytes.ContainsAny(text, "\t\n") ||
			!bytes.HasSuffix(text, []byte(".")) {
			t.Fatalf("document %d: %d words: %.80q", i, len(words), text)
		}
		for j, word := range words {
			begins := j == 0 || bytes.HasSuffix(words[j-1], []byte("."))
			if capital := word[0] >= 'A' && word[0] <= 'Z'; capital != begins {
				t.Fatalf("document %d: word %d, %q, behind %q", i, j, word, words[max(j-1, 0)])
			}
		}
	}
	if len(classes) != 4 {
		t.Errorf("classes %v, want four", classes)
	}
}

// Every rank has a spelling of its own.
func TestSpellings(t *testing.T) {
	seen := map[string]int32{}
	for rank := range int32(Words) {
		word := string(appendWord(nil, rank))
		if other, twice := seen[word]; twice {
			t.Fatalf("ranks %d and %d are both %q", other, rank, word)
		}
		seen[word] = rank
	}
}

// Frequencies fall with the rank as the law says, up to what chains and topics add.
func TestFrequenciesFall(t *testing.T) {
	set, err := Generate(400, 2, 3)
	if err != nil {
		t.Fatal(err)
	}
	count, total := map[string]int{}, 0
	for _, text := range set.Texts {
		for _, word := range strings.Fields(strings.ToLower(strings.ReplaceAll(string(text), ".", ""))) {
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
		if _, err := Generate(c[0], c[1], 1); err == nil {
			t.Errorf("%d documents of %d classes: no error", c[0], c[1])
		}
	}
}
