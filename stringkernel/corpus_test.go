package stringkernel_test

import (
	"testing"

	"pgregory.net/rapid"

	"github.com/seqsvm/seqsvm/internal/must"
	"github.com/seqsvm/seqsvm/stringkernel"
)

func TestCorpusHoldsWhatItWasGiven(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		seqs := rapid.SliceOfN(rapid.SliceOfN(rapid.Byte(), 0, 20), 0, 10).Draw(t, "seqs")
		names := rapid.SliceOfN(rapid.String(), len(seqs), len(seqs)).Draw(t, "names")
		c := must.Get(stringkernel.NewCorpus(seqs, names))(t)
		letters := 0
		for i, s := range seqs {
			letters += len(s)
			if string(c.Seq(i)) != string(s) || c.Name(i) != names[i] {
				t.Fatalf("sequence %d is %q named %q, want %q named %q", i, c.Seq(i), c.Name(i), s, names[i])
			}
		}
		if c.Len() != len(seqs) || c.Letters() != letters {
			t.Fatalf("%d sequences of %d letters, want %d of %d", c.Len(), c.Letters(), len(seqs), letters)
		}
		if len(seqs) == 0 {
			return
		}
		index := rapid.SliceOfN(rapid.IntRange(0, len(seqs)-1), 0, 12).Draw(t, "index")
		from := rapid.IntRange(0, len(index)).Draw(t, "from")
		to := rapid.IntRange(from, len(index)).Draw(t, "to")
		subset := c.Subset(index)
		slice := subset.Slice(from, to)
		letters = 0
		for j, i := range index {
			if got := string(subset.Seq(j)); got != string(seqs[i]) {
				t.Fatalf("sequence %d of the subset is %q, want %q", j, got, seqs[i])
			}
			if from <= j && j < to {
				letters += len(seqs[i])
				if got := string(slice.Seq(j - from)); got != string(seqs[i]) || slice.Name(j-from) != c.Name(i) {
					t.Fatalf("sequence %d of the slice is %q, want %q", j-from, got, seqs[i])
				}
			}
		}
		if slice.Len() != to-from || slice.Letters() != letters {
			t.Fatalf("a slice of %d sequences and %d letters, want %d and %d",
				slice.Len(), slice.Letters(), to-from, letters)
		}
	})
}

func TestCorpusBuilderInPieces(t *testing.T) {
	var b stringkernel.CorpusBuilder
	b.Append([]byte("ga"))
	b.Append([]byte("tta"))
	for i, x := range b.Pending() {
		b.Pending()[i] = x - 'a' + 'A'
	}
	b.End("first")
	b.End("empty")
	b.Add("last", []byte("CA"))
	c := b.Corpus()
	if c.Len() != 3 || string(c.Seq(0)) != "GATTA" || len(c.Seq(1)) != 0 || string(c.Seq(2)) != "CA" {
		t.Errorf("built %q, %q, %q", c.Seq(0), c.Seq(1), c.Seq(2))
	}
	b.Append([]byte("left open"))
	if open := b.Corpus(); open.Len() != 0 || open.Letters() != 0 {
		t.Errorf("letters that no End closed are kept: %d sequences of %d letters", open.Len(), open.Letters())
	}
	if b.Corpus().Len() != 0 {
		t.Error("the builder is not empty after Corpus")
	}
	// A view must not let its holder write over the next sequence.
	if got := append(c.Seq(0), 'X'); string(c.Seq(2)) != "CA" || string(got) != "GATTAX" {
		t.Errorf("appending to a view changed the corpus: %q", c.Seq(2))
	}
}

func TestNewCorpusCountsNames(t *testing.T) {
	if _, err := stringkernel.NewCorpus([][]byte{nil}, []string{"a", "b"}); err == nil {
		t.Error("2 names for 1 sequence: no error")
	}
}
