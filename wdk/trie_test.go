package wdk

import (
	"bytes"
	"context"
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/seqsvm/seqsvm/stringkernel"
	"pgregory.net/rapid"
)

// Tries have nodes of any kind: children that only the last bits of a letter tell apart, labels longer than 32 bits,
// words that end where others go on. Windows are copies of few with letters changed, so that common words are long;
// without letters outside the alphabet, so that many are scored at once.
func TestTries(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		alphabet := rapid.SampledFrom([]stringkernel.Alphabet{stringkernel.DNA, stringkernel.Protein,
			stringkernel.Bytes}).
			Draw(t, "alphabet")
		letters := []byte(map[stringkernel.Alphabet]string{
			stringkernel.DNA: "ACGT", stringkernel.Protein: "ACDEFGHIKLMNPQRSTVWY",
			stringkernel.Bytes: "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789\x00\xff"[:rapid.IntRange(1, 64).Draw(t, "letters")],
		}[alphabet])
		length := rapid.SampledFrom([]int{2, 7, 24, 60}).Draw(t, "length")
		k := Kernel{
			D: rapid.OneOf(rapid.SampledFrom([]int{2, 20, 26, 100}), rapid.IntRange(1, 65)).
				Draw(t, "d"),
			Alphabet: alphabet,
			Shift:    rapid.SampledFrom([]int{0, 0, 2}).Draw(t, "shift"),
		}
		window := rapid.SliceOfN(rapid.SampledFrom(letters), length, length)
		originals := rapid.SliceOfN(window, 1, 3).Draw(t, "originals")
		mutant := rapid.Custom(func(t *rapid.T) []byte {
			x := append([]byte(nil), rapid.SampledFrom(originals).Draw(t, "of")...)
			for range rapid.IntRange(0, 3).Draw(t, "changes") {
				x[rapid.IntRange(0, length-1).Draw(t, "at")] = rapid.SampledFrom(letters).Draw(t, "letter")
			}
			return x
		})
		var b stringkernel.CorpusBuilder
		for _, x := range rapid.SliceOfN(rapid.OneOf(mutant, window), 1, 80).Draw(t, "sv") {
			b.Add("", x)
		}
		sv := b.Corpus()
		coef := drawCoef(t, sv.Len(), rapid.IntRange(1, 2).Draw(t, "outputs"))
		p := newPacking(alphabet, sv)
		s := newScorer(k, p, length, len(coef), rapid.IntRange(1, min(k.D, length, 6/p.bits+1)).Draw(t, "depth"))
		s.fold(context.Background(), sv, coef)
		queries := append(rapid.SliceOfN(rapid.OneOf(mutant, window), 1, 12).Draw(t, "queries"), sv.Seq(0))
		scores, one := make([]float64, len(queries)*len(coef)), make([]float64, len(coef))
		s.ScoreBatchTo(scores, queries)
		for i, x := range queries {
			checkScores(t, k, s, sv, coef, x)
			s.ScoreTo(one, x)
			for m, want := range one {
				if got := scores[i*len(coef)+m]; math.Float64bits(got) != math.Float64bits(want) {
					t.Fatalf("score %d of %q in a batch: %v, alone %v", m, x, got, want)
				}
			}
		}
		genome := bytes.Join(queries, nil)
		track := make([]float64, len(genome)-length+1)
		for m := range coef {
			s.TrackTo(track, m, genome, length)
			for q, got := range track {
				if s.ScoreTo(one, genome[q:q+length]); math.Float64bits(got) != math.Float64bits(one[m]) {
					t.Fatalf("score %d of window %d on a track: %v, alone %v", m, q, got, one[m])
				}
			}
		}
		checkWeights(t, k, s, sv, coef, queries)
	})
}

// Letters of any number of bits and words of any degree: what is read ahead for many windows ends at no letter in
// particular.
func TestBatchesOfAnyWidth(t *testing.T) {
	const length, n = 70, 12
	step := 1
	if testing.Short() {
		step = 8
	}
	r := rand.New(rand.NewPCG(6, 4))
	for bits := 1; bits <= 8; bits++ {
		mutant := func(of []byte) []byte {
			x := append([]byte(nil), of...)
			for range 3 {
				x[r.IntN(length)] = byte(r.IntN(1 << bits))
			}
			return x
		}
		original := make([]byte, length)
		for i := range original {
			original[i] = byte(r.IntN(1 << bits))
		}
		var b stringkernel.CorpusBuilder
		var queries [][]byte
		var coef []float64
		for range n {
			b.Add("", mutant(original))
			queries, coef = append(queries, mutant(original)), append(coef, r.NormFloat64())
		}
		all := make([]byte, 1<<bits+length) // every letter, so that the packing has so many bits
		for i := range all {
			all[i] = byte(i % (1 << bits))
		}
		for i := 0; i < 1<<bits; i += length {
			b.Add("", all[i:i+length])
			coef = append(coef, 0)
		}
		sv := b.Corpus()
		p := newPacking(stringkernel.Bytes, sv)
		if p.bits != bits {
			t.Fatalf("letters of %d bits, want %d", p.bits, bits)
		}
		for d := 2; d <= 66; d += step {
			k := Kernel{D: d, Alphabet: stringkernel.Bytes}
			s := newScorer(k, p, length, 1, 1+r.IntN(min(d-1, 12/bits)))
			s.fold(context.Background(), sv, [][]float64{coef})
			scores := make([]float64, n)
			s.ScoreBatchTo(scores, queries)
			for i, x := range queries {
				if want, size := sumOfEval(k, sv, coef, x); !near(scores[i], want, size) {
					t.Fatalf(
						"%d bits, d = %d, tables of %d letters: score %v, want %v",
						bits,
						d,
						s.depth,
						scores[i],
						want,
					)
				}
			}
		}
	}
}

// One window with a letter outside the alphabet takes a batch another way, to the same bits.
func TestBitsBesideOutsideLetters(t *testing.T) {
	k, sv, queries := Kernel{
		D:        20,
		Alphabet: stringkernel.DNA,
	}, randomWindows(
		3000,
		60,
		0.4,
	), randomWindows(
		500,
		60,
		0.4,
	)
	coef := make([]float64, sv.Len())
	for i := range coef {
		coef[i] = math.Sin(float64(i))
	}
	s, err := stringkernel.Merge(t.Context(), k, sv, coef)
	if err != nil {
		t.Fatal(err)
	}
	var windows [][]byte
	for i := range queries.Len() {
		windows = append(windows, queries.Seq(i))
	}
	clean, mixed := make([]float64, len(windows)), make([]float64, len(windows)+1)
	s.(*scorer).ScoreBatchTo(clean, windows)
	s.(*scorer).ScoreBatchTo(mixed, append(windows, []byte(strings.Repeat("ACGTN", 12))))
	for i, want := range clean {
		if math.Float64bits(mixed[i]) != math.Float64bits(want) {
			t.Fatalf("window %d beside one with N: %v, without %v", i, mixed[i], want)
		}
	}
}

func TestMergeRefusesWordsBeyondNumber(t *testing.T) {
	const length = 1000
	k := Kernel{D: 20, Shift: length, Alphabet: stringkernel.DNA}
	var b stringkernel.CorpusBuilder
	for range maxWords/(2*length+1) + 1 {
		b.Add("", []byte(strings.Repeat("A", length)))
	}
	sv := b.Corpus()
	if _, err := stringkernel.Merge(t.Context(), k, sv, make([]float64, sv.Len())); err == nil ||
		!strings.Contains(err.Error(), "k-mers at a position") {
		t.Fatalf("error %v, want one of k-mers at a position", err)
	}
}

// Shifts, or many outputs, and long windows: a small file would ask for hundreds of gigabytes at the first score.
func TestMergeRefusesTriesBeyondMemory(t *testing.T) {
	for _, c := range []struct {
		shift, letters, n, outputs int
		want                       string
	}{
		{10_000, 100_000, 1, 1, ""},
		{10_000, 110_000, 1, 1, "20001 k-mers at each of 110000 positions and 1 outputs need tries of 4400220000 " +
			"numbers, want at most 4294967296"},
		{0, 1000, 40, 100_000, ""},
		{0, 1000, 50, 100_000, "50 k-mers at each of 1000 positions and 100000 outputs need tries"},
	} {
		var b stringkernel.CorpusBuilder
		for range c.n {
			b.Add("", bytes.Repeat([]byte("A"), c.letters))
		}
		coef := make([][]float64, c.outputs)
		for m := range coef {
			coef[m] = make([]float64, c.n)
		}
		k := Kernel{D: 20, Shift: c.shift, Alphabet: stringkernel.DNA}
		if _, err := stringkernel.Merge(t.Context(), k, b.Corpus(), coef...); (err == nil) != (c.want == "") ||
			err != nil && !strings.Contains(err.Error(), c.want) {
			t.Errorf("%+v: error %v", c, err)
		}
	}
}
