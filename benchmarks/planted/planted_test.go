package planted

import (
	"bytes"
	"cmp"
	"errors"
	"math"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/seqsvm/seqsvm/internal/iupac"
	"github.com/seqsvm/seqsvm/internal/must"
)

// width is the width of the motif, given or drawn.
func (o Options) width() int { return cmp.Or(len(o.Motif), DefaultWidth) }

// drawOptions draws valid options.
func drawOptions(t *rapid.T) Options {
	o := Options{
		N:           rapid.IntRange(1, 40).Draw(t, "n"),
		Motif:       rapid.StringMatching(`([ACGTURYSWKMBDHVNacgtn]{1,9})?`).Draw(t, "motif"),
		BothStrands: rapid.Bool().Draw(t, "both strands"),
		Flip:        rapid.Float64Range(0, 1).Draw(t, "flip"),
		Seed:        rapid.Uint64().Draw(t, "seed"),
	}
	o.Mutations = rapid.IntRange(0, o.width()).Draw(t, "mutations")
	o.Length = o.width() + rapid.IntRange(0, 30).Draw(t, "spare")
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
		if err != nil || !bytes.Equal(fasta(t, again), fasta(t, set)) {
			t.Fatal("the same options gave another set")
		}
	})
}

// checkSites wants a copy in range, within the mutation limit on its strand; with an unambiguous motif the number of
// mutations is exact.
func checkSites(t *rapid.T, o Options, set *Set, i int) {
	site := set.Sites[i]
	if site == nil {
		return
	}
	if site.Start < 0 || site.Start+o.width() > o.Length || site.Reverse && !o.BothStrands {
		t.Fatalf("site %v of width %d in length %d", site, o.width(), o.Length)
	}
	word := set.Seqs[i][site.Start : site.Start+o.width()]
	if site.Reverse {
		word = otherStrand(word)
	}
	got := mismatches(set.Motif, word)
	if got > o.Mutations || len(strings.Trim(set.Motif, bases)) == 0 && got != o.Mutations {
		t.Fatalf("%q has %d mismatches to %q, want %d", word, got, set.Motif, o.Mutations)
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
		if set.Sites[i] != nil {
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

func fasta(t must.Test, set *Set) []byte {
	var out bytes.Buffer
	must.Succeed(t, set.WriteFASTA(&out))
	return out.Bytes()
}

func TestSeedMatters(t *testing.T) {
	a, err1 := Generate(Options{N: 4, Length: 50, Seed: 1})
	b, err2 := Generate(Options{N: 4, Length: 50, Seed: 2})
	if err1 != nil || err2 != nil || bytes.Equal(fasta(t, a), fasta(t, b)) || a.Motif == b.Motif {
		t.Errorf("seeds 1 and 2 agree (%v, %v)", err1, err2)
	}
}

// The bases of a uniform background, the starts of copies and their strands are
// evenly spread: chi-square below the 1e-6 quantile for a fixed seed.
func TestDrawsAreEven(t *testing.T) {
	set := must.Get(Generate(Options{N: 20000, Length: 20, Motif: "ACGTACGTAC", BothStrands: true, Seed: 7}))(t)
	composition, starts, strands := make([]int, 4), make([]int, 11), make([]int, 2)
	for i, sequence := range set.Seqs {
		switch site := set.Sites[i]; {
		case site == nil:
			for _, b := range sequence {
				composition[strings.IndexByte(bases, b)]++
			}
		case site.Reverse:
			starts[site.Start]++
			strands[1]++
		default:
			starts[site.Start]++
			strands[0]++
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

func TestOptionsCheck(t *testing.T) {
	good := Options{N: 10, Length: 100}
	for want, change := range map[string]func(*Options){
		"0 records, want ≥ 1":              func(o *Options) { o.N = 0 },
		"length -1, want ≥ 1":              func(o *Options) { o.Length = -1 },
		"want a total ≤ 2147483647":        func(o *Options) { o.Length = math.MaxInt32 },
		"length 11, want ≥ 12":             func(o *Options) { o.Length = 11 },
		"13 mutations, want 0 … 12":        func(o *Options) { o.Mutations = 13 },
		"-1 mutations, want 0 … 12":        func(o *Options) { o.Mutations = -1 },
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
	}
	if got, want := string(fasta(t, set)), ">seq1 label=+1\nACGT\n>seq2 label=-1\nGGCC\n"; got != want {
		t.Errorf("%q, want %q", got, want)
	}
	if err := set.WriteFASTA(full{}); !errors.Is(err, errFull) {
		t.Errorf("error %v, want %v", err, errFull)
	}
}

var errFull = errors.New("no space")

type full struct{}

func (full) Write([]byte) (int, error) { return 0, errFull }
