package stringkernel

import (
	"bytes"
	"fmt"
	"slices"
	"sync"
	"testing"
)

// drawCorpus returns sequences of random lengths, the same ones each time, with as many other letters among nucleotides
// as one in a number.
func drawCorpus(letters, oneIn int) (seqs [][]byte) {
	state := uint64(letters)
	next := func(n int) int {
		state = state*6364136223846793005 + 1442695040888963407
		return int(state>>33) % n
	}
	for letters > 0 {
		x := make([]byte, min(letters, next(300)))
		for i := range x {
			if x[i] = "ACGT"[next(4)]; next(oneIn) == 0 {
				x[i] = "Nacgt\x00\xff"[next(7)]
			}
		}
		seqs, letters = append(seqs, x), letters-len(x)
	}
	return seqs
}

// sameLetters fails unless a corpus, and parts of it, have the sequences.
func sameLetters(t *testing.T, c *Corpus, seqs [][]byte) {
	t.Helper()
	n := len(seqs)
	if c.Len() != n || !bytes.Equal(c.Whole(), slices.Concat(seqs...)) || c.Letters() != len(slices.Concat(seqs...)) {
		t.Fatalf("%d sequences, %d letters, want %d", c.Len(), c.Letters(), n)
	}
	for i, x := range seqs {
		if !bytes.Equal(c.Seq(i), x) {
			t.Fatalf("sequence %d is %q, want %q", i, c.Seq(i), x)
		}
		from, to := len(x)/3, len(x)-len(x)/4
		if part := c.AppendPart([]byte("x"), i, from, to); string(part) != "x"+string(x[from:to]) {
			t.Fatalf("letters %d to %d of sequence %d are %q, want %q", from, to, i, part, x[from:to])
		}
	}
	for _, part := range []*Corpus{c.Slice(n/3, n/2), c.Subset([]int{n - 1, 0, n / 2})} {
		want := [][]byte{seqs[n-1], seqs[0], seqs[n/2]}
		if part.Len() != 3 {
			want = seqs[n/3 : n/2]
		}
		for i, x := range want {
			if !bytes.Equal(part.Seq(i), x) {
				t.Fatalf("sequence %d of a part is %q, want %q", i, part.Seq(i), x)
			}
		}
	}
}

// Letters at rest are what they were, with few others than four or with many, in all corpora that share them, and
// views from before too.
func TestRest(t *testing.T) {
	for _, oneIn := range []int{1 << 30, 1000, 2} {
		for _, letters := range []int{0, 5000, leastResting, leastResting + 3} {
			t.Run(fmt.Sprint(letters, oneIn), func(t *testing.T) {
				seqs := append(drawCorpus(letters, oneIn), []byte("ACG"), nil, []byte("NNN"), []byte("T"), []byte("GATTACA"))
				c, err := NewCorpus(seqs, nil)
				if err != nil {
					t.Fatal(err)
				}
				before, classes, part := c.Seq(0), c.WithClasses(make([]int, c.Len())), c.Slice(1, c.Len())
				sameLetters(t, c, seqs)
				classes.Rest()
				rests := c.arena.whole.Load() == nil
				if want := letters >= leastResting && oneIn > othersPart; rests != want {
					t.Fatalf("letters rest: %v, want %v", rests, want)
				}
				c.Rest() // again
				sameLetters(t, c, seqs)
				sameLetters(t, classes, seqs)
				sameLetters(t, part, seqs[1:])
				if !bytes.Equal(before, seqs[0]) {
					t.Fatalf("a view is %q, want %q", before, seqs[0])
				}
			})
		}
	}
	new(Corpus).Rest()
}

// Readers may go on while letters are packed, by several at a time.
func TestRestConcurrently(t *testing.T) {
	seqs := drawCorpus(leastResting, 1000)
	c, err := NewCorpus(seqs, nil)
	if err != nil {
		t.Fatal(err)
	}
	var wait sync.WaitGroup
	for k := range 4 {
		wait.Go(func() {
			for i, x := range seqs {
				if i == 50*k {
					c.Rest()
				}
				if !bytes.Equal(c.Seq(i), x) {
					t.Errorf("sequence %d is %q, want %q", i, c.Seq(i), x)
				}
			}
		})
	}
	wait.Wait()
}

// A builder that takes over a corpus at rest begins with new memory.
func TestReuseAtRest(t *testing.T) {
	c, err := NewCorpus(drawCorpus(leastResting, 1000), nil)
	if err != nil {
		t.Fatal(err)
	}
	c.Rest()
	var b CorpusBuilder
	b.Reuse(c)
	b.Add("x", []byte("ACGT"))
	if got := b.Corpus(); got.Len() != 1 || string(got.Seq(0)) != "ACGT" {
		t.Errorf("%d sequences, %q", got.Len(), got.Whole())
	}
}

func BenchmarkSeqAtRest(b *testing.B) {
	c, err := NewCorpus(drawCorpus(1<<22, 1<<30), nil)
	if err != nil {
		b.Fatal(err)
	}
	b.Run("pack", func(b *testing.B) {
		b.SetBytes(int64(c.Letters()))
		for b.Loop() {
			pack(c.Whole())
		}
	})
	c.Rest()
	b.Run("read", func(b *testing.B) {
		b.SetBytes(int64(c.Letters()))
		for b.Loop() {
			for i := range c.Len() {
				c.Seq(i)
			}
		}
	})
}
