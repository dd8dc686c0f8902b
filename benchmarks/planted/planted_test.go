package planted

import (
	"bytes"
	"errors"
	"maps"
	"math"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/seqsvm/seqsvm/internal/iupac"
	"github.com/seqsvm/seqsvm/internal/must"
)

// width is the width of the motif, given or drawn.
func (o Options) width() int { _, width := o.filled(); return width }

// copies is the number of copies per positive record.
func (o Options) copies() int { o, _ = o.filled(); return o.Copies }

// drawOptions draws valid options.
func drawOptions(t *rapid.T) Options {
	o := Options{
		N:           rapid.IntRange(1, 40).Draw(t, "n"),
		Motif:       rapid.StringMatching(`([ACGTURYSWKMBDHVNacgtn]{1,9})?`).Draw(t, "motif"),
		Copies:      rapid.IntRange(0, 4).Draw(t, "copies"),
		BothStrands: rapid.Bool().Draw(t, "both strands"),
		Order:       rapid.IntRange(0, 3).Draw(t, "order"),
		GC:          rapid.IntRange(0, 99).Draw(t, "gc"),
		Flip:        rapid.Float64Range(0, 1).Draw(t, "flip"),
		Seed:        rapid.Uint64().Draw(t, "seed"),
	}
	o.Mutations = rapid.IntRange(0, o.width()).Draw(t, "mutations")
	o.Length = o.copies()*o.width() + rapid.IntRange(0, 30).Draw(t, "spare")
	return o
}

// mismatches counts the bases of a word that the motif's letters do not admit.
func mismatches(motif string, word []byte) int {
	n := 0
	for i := range word {
		if !strings.ContainsRune(iupac.Bases(motif[i]), rune(word[i])) {
			n++
		}
	}
	return n
}

// otherStrand is written out by hand, apart from the generator's own.
func otherStrand(word []byte) []byte {
	pairs := map[byte]byte{'A': 'T', 'C': 'G', 'G': 'C', 'T': 'A'}
	var out []byte
	for i := len(word) - 1; i >= 0; i-- {
		out = append(out, pairs[word[i]])
	}
	return out
}

func TestSetHasItsProperties(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		o := drawOptions(t)
		set := must.Get(Generate(o))(t)
		if len(set.Names) != o.N || len(set.Labels) != o.N || len(set.Seqs) != o.N || len(set.Sites) != o.N {
			t.Fatalf("%d names, %d labels, %d sequences, %d sites, want %d", len(set.Names), len(set.Labels),
				len(set.Seqs), len(set.Sites), o.N)
		}
		if o.Motif != "" && set.Motif != strings.ToUpper(o.Motif) || len(set.Motif) != o.width() {
			t.Fatalf("motif %q, asked %q", set.Motif, o.Motif)
		}
		names := map[string]bool{}
		for i, sequence := range set.Seqs {
			if names[set.Names[i]] {
				t.Fatalf("name %q twice", set.Names[i])
			}
			names[set.Names[i]] = true
			if len(sequence) != o.Length || len(bytes.Trim(sequence, bases)) != 0 {
				t.Fatalf("sequence %q, want %d bases", sequence, o.Length)
			}
			checkSites(t, o, set, i)
		}
		checkLabels(t, o, set)

		again, err := Generate(o)
		if err != nil || !bytes.Equal(fasta(t, again, true), fasta(t, set, true)) {
			t.Fatal("the same options gave another set")
		}
	})
}

// checkSites wants the asked number of copies, apart, in order and in range, each
// within the mutation limit on its strand; with an unambiguous motif the number of
// mutations is exact.
func checkSites(t *rapid.T, o Options, set *Set, i int) {
	sites := set.Sites[i]
	if len(sites) != 0 && len(sites) != o.copies() {
		t.Fatalf("%d sites, want 0 or %d", len(sites), o.copies())
	}
	free := 0
	for _, site := range sites {
		if site.Start < free || site.Start+o.width() > o.Length || site.Reverse && !o.BothStrands {
			t.Fatalf("sites %v of width %d in length %d", sites, o.width(), o.Length)
		}
		free = site.Start + o.width()
		word := set.Seqs[i][site.Start:free]
		if site.Reverse {
			word = otherStrand(word)
		}
		got := mismatches(set.Motif, word)
		if got > o.Mutations || len(strings.Trim(set.Motif, bases)) == 0 && got != o.Mutations {
			t.Fatalf("%q has %d mismatches to %q, want %d", word, got, set.Motif, o.Mutations)
		}
	}
}

// checkLabels wants half of the records positive in truth, and the rounded share
// of each class mislabelled.
func checkLabels(t *rapid.T, o Options, set *Set) {
	var members, flipped [2]int
	for i, label := range set.Labels {
		if label != PositiveLabel && label != NegativeLabel {
			t.Fatalf("label %q", label)
		}
		class := 0
		if len(set.Sites[i]) > 0 {
			class = 1
		}
		members[class]++
		if (class == 1) != (label == PositiveLabel) {
			flipped[class]++
		}
	}
	if members != [2]int{o.N / 2, o.N - o.N/2} {
		t.Fatalf("%d negatives and %d positives of %d", members[0], members[1], o.N)
	}
	for class, n := range members {
		if want := int(math.Round(o.Flip * float64(n))); flipped[class] != want {
			t.Fatalf("%d of %d labels of class %d flipped, want %d", flipped[class], n, class, want)
		}
	}
}

func fasta(t must.Test, set *Set, sites bool) []byte {
	var out bytes.Buffer
	must.Succeed(t, set.WriteFASTA(&out, sites))
	return out.Bytes()
}

func TestSeedMatters(t *testing.T) {
	a, err1 := Generate(Options{N: 4, Length: 50, Seed: 1})
	b, err2 := Generate(Options{N: 4, Length: 50, Seed: 2})
	if err1 != nil || err2 != nil || bytes.Equal(fasta(t, a, false), fasta(t, b, false)) || a.Motif == b.Motif {
		t.Errorf("seeds 1 and 2 agree (%v, %v)", err1, err2)
	}
}

// The bases of a uniform background, the starts of copies and their strands are
// evenly spread: chi-square below the 1e-6 quantile for a fixed seed.
func TestDrawsAreEven(t *testing.T) {
	set := must.Get(Generate(Options{N: 20000, Length: 20, Motif: "ACGTACGTAC", Copies: 1, BothStrands: true, Seed: 7}))(t)
	composition, starts, strands := make([]int, 4), make([]int, 11), make([]int, 2)
	for i, sequence := range set.Seqs {
		for _, site := range set.Sites[i] {
			starts[site.Start]++
			if site.Reverse {
				strands[1]++
			} else {
				strands[0]++
			}
		}
		if len(set.Sites[i]) == 0 {
			for _, b := range sequence {
				composition[strings.IndexByte(bases, b)]++
			}
		}
	}
	for _, c := range []struct {
		name   string
		counts []int
		limit  float64 // 1 − 1e-6 quantile of chi-square with len(counts) − 1 degrees
	}{{"bases", composition, 30.7}, {"starts", starts, 46.9}, {"strands", strands, 23.9}} {
		if x := chiSquare(c.counts); x > c.limit {
			t.Errorf("%s %v: chi-square %.1f, want ≤ %.1f", c.name, c.counts, x, c.limit)
		}
	}
}

// chiSquare is the statistic of counts against equal shares.
func chiSquare(counts []int) float64 {
	total, sum := 0, 0.0
	for _, c := range counts {
		total += c
	}
	expected := float64(total) / float64(len(counts))
	for _, c := range counts {
		sum += (float64(c) - expected) * (float64(c) - expected) / expected
	}
	return sum
}

// GC shifts the composition, and a third-order background has words of four that
// a uniform one has not.
func TestBackgrounds(t *testing.T) {
	negatives := func(o Options) [][]byte {
		set := must.Get(Generate(o))(t)
		return slices.DeleteFunc(set.Seqs, func(s []byte) bool { return bytes.Contains(s, []byte("ACGTACGTACGTACGT")) })
	}
	base := Options{N: 400, Length: 500, Motif: "ACGTACGTACGTACGT", Seed: 5}

	rich := base
	rich.GC = 70
	letters, gc := 0, 0
	for _, s := range negatives(rich) {
		letters += len(s)
		gc += bytes.Count(s, []byte("G")) + bytes.Count(s, []byte("C"))
	}
	if share := float64(gc) / float64(letters); math.Abs(share-0.7) > 0.01 {
		t.Errorf("GC share %.3f, want 0.70", share)
	}

	spread := func(o Options) float64 {
		words := map[string]int{}
		for _, s := range negatives(o) {
			for i := 0; i+4 <= len(s); i++ {
				words[string(s[i:i+4])]++
			}
		}
		counts := slices.Sorted(maps.Values(words))
		return float64(counts[len(counts)-1]) / float64(counts[0])
	}
	uniform := spread(base)
	third := base
	third.Order = 3
	if markov := spread(third); len(negatives(third)) != 200 || uniform > 1.5 || markov < 3 {
		t.Errorf("most to least frequent word of 4: order 0 %.2f, order 3 %.2f, want ≤ 1.5 and ≥ 3", uniform, markov)
	}
}

func TestOptionsCheck(t *testing.T) {
	good := Options{N: 10, Length: 100}
	for want, change := range map[string]func(*Options){
		"0 records, want ≥ 1":              func(o *Options) { o.N = 0 },
		"length -1, want ≥ 1":              func(o *Options) { o.Length = -1 },
		"want a total ≤ 2147483647":        func(o *Options) { o.Length = math.MaxInt32 },
		"-1 copies, want ≥ 0":              func(o *Options) { o.Copies = -1 },
		"9 copies of a motif of 12 in":     func(o *Options) { o.Copies = 9 },
		"1 copies of a motif of 200":       func(o *Options) { o.Motif = strings.Repeat("A", 200) },
		"13 mutations, want 0 … 12":        func(o *Options) { o.Mutations = 13 },
		"-1 mutations, want 0 … 12":        func(o *Options) { o.Mutations = -1 },
		"order 9, want 0 … 8":              func(o *Options) { o.Order = 9 },
		"GC 100, want 1 … 99":              func(o *Options) { o.GC = 100 },
		"flipped share 1.5, want 0 … 1":    func(o *Options) { o.Flip = 1.5 },
		"flipped share NaN, want 0 … 1":    func(o *Options) { o.Flip = math.NaN() },
		`motif "ACXG": byte 3: want an IU`: func(o *Options) { o.Motif = "ACXG" },
		`motif "ACſG": byte 3: want an IU`: func(o *Options) { o.Motif = "ACſG" }, // whose upper case is an S
	} {
		bad := good
		change(&bad)
		set, err := Generate(bad)
		if set != nil || err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("error %v, want one with %q", err, want)
		}
	}
}

func TestWriteFASTA(t *testing.T) {
	set := &Set{
		Names:  []string{"seq1", "seq2"},
		Labels: []string{"+1", "-1"},
		Seqs:   [][]byte{[]byte("ACGT"), []byte("GGCC")},
		Sites:  [][]Site{{{0, false}, {2, true}}, nil},
	}
	if got, want := string(fasta(t, set, false)), ">seq1 label=+1\nACGT\n>seq2 label=-1\nGGCC\n"; got != want {
		t.Errorf("%q, want %q", got, want)
	}
	want := ">seq1 label=+1 sites=1+,3-\nACGT\n>seq2 label=-1\nGGCC\n"
	if got := string(fasta(t, set, true)); got != want {
		t.Errorf("%q, want %q", got, want)
	}
	if err := set.WriteFASTA(full{}, false); !errors.Is(err, errFull) {
		t.Errorf("error %v, want %v", err, errFull)
	}
}

var errFull = errors.New("no space")

type full struct{}

func (full) Write([]byte) (int, error) { return 0, errFull }
