package gapped_test

import (
	"fmt"
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/seqsvm/seqsvm/spectrum/gapped"
	"github.com/seqsvm/seqsvm/stringkernel"
	"github.com/seqsvm/seqsvm/stringkernel/compose"
	"github.com/seqsvm/seqsvm/stringkernel/kerneltest"
)

const residues = "ACDEFGHIKLMNPQRSTVWY"

// lettersOf returns letters to draw from, and others, of an alphabet.
func lettersOf(a stringkernel.Alphabet) (letters, breaks string) {
	switch a {
	case stringkernel.DNA:
		return "ACGT", "Nn"
	case stringkernel.RNA:
		return "ACGU", "T"
	case stringkernel.Protein, "murphy4":
		return residues, "X*"
	}
	return "abcdefgh \x00\xff", ""
}

var functions = map[stringkernel.Count]func(n float64) float64{
	"": nil, stringkernel.CountPresence: func(float64) float64 { return 1 }, stringkernel.CountSqrt: math.Sqrt,
	stringkernel.CountLog:       func(n float64) float64 { return math.Log(1 + n) },
	stringkernel.CountSublinear: func(n float64) float64 { return 1 + math.Log(n) },
}

// define returns the definition of a kernel, of both strands with rc.
func define(k gapped.Kernel, rc bool) *pairs {
	p := &pairs{alphabet: k.Alphabet, l: k.L, rc: rc, count: functions[k.Count]}
	if k.Alphabet == "" {
		p.alphabet = stringkernel.Bytes
	}
	if k.Subst != nil {
		p.alike = tableWeight
	}
	fmt.Sscanf(k.Center, "%g:%g", &p.peak, &p.half)
	k.Center, k.Subst, k.Count = "", nil, ""
	p.h = distancesOf(k)
	return p
}

// run runs the suite on a kernel or, with rc, on both strands of nucleotides, normalised.
func run(t *testing.T, k gapped.Kernel, rc bool, opt kerneltest.Options) {
	t.Helper()
	letters, breaks := lettersOf(k.Alphabet)
	opt.Breaks = breaks
	if opt.Letters == "" {
		opt.Letters = letters
	}
	least, _ := k.SmallestEigenvalue()
	opt.Indefinite = least < 0
	of, kernel, norms := define(k, rc), stringkernel.Kernel(k), map[string]float64{}
	opt.Value = of.value
	norm := func(x []byte) float64 {
		if _, known := norms[string(x)]; !known {
			norms[string(x)] = math.Sqrt(of.value(x, x))
		}
		return norms[string(x)]
	}
	if rc {
		kernel = compose.Normalized(k.BothStrands())
		opt.Value = func(x, y []byte) float64 {
			if norm(x) == 0 || norm(y) == 0 {
				return 0
			}
			return of.value(x, y) / norm(x) / norm(y)
		}
	}
	t.Run(fmt.Sprintf("%+v/rc=%v", k, rc), func(t *testing.T) { kerneltest.Run(t, kernel, opt) })
}

// table is a matrix of the letters of DNA, as a file has it, and as a function. The other strand has the same.
var table = []string{"A C G T", "A 1 0.1 0.5 0.2", "C 0.1 1 0.3 0.5", "G 0.5 0.3 1 0.1", "T 0.2 0.5 0.1 1"}

func tableWeight(u, v byte) float64 {
	weights := [4][4]float64{{1, 0.1, 0.5, 0.2}, {0.1, 1, 0.3, 0.5}, {0.5, 0.3, 1, 0.1}, {0.2, 0.5, 0.1, 1}}
	return weights[strings.IndexByte("ACGT", u)][strings.IndexByte("ACGT", v)]
}

// TestConformance runs the suite on every filter, with what each may have besides.
func TestConformance(t *testing.T) {
	const dna, protein = stringkernel.DNA, stringkernel.Protein
	for i, c := range []struct {
		k       gapped.Kernel
		letters string // few of them, where k-mers are long
	}{
		{gapped.Kernel{L: 5, K: 3, D: 2, Filter: gapped.Plain, Alphabet: dna}, ""},
		{gapped.Kernel{L: 5, K: 3, D: 1, Filter: gapped.Full, Center: "9:3", Alphabet: dna}, ""},
		{gapped.Kernel{L: 5, K: 3, D: 2, Filter: gapped.Truncated, Alphabet: dna}, ""},
		{gapped.Kernel{L: 5, K: 3, D: 1, Filter: gapped.Truncated, Clip: true, Alphabet: stringkernel.RNA}, ""},
		{gapped.Kernel{L: 4, K: 3, D: 1, Filter: gapped.Wildcard, Lambda: 0.5, Alphabet: dna}, ""},
		{gapped.Kernel{L: 7, K: 3, D: 7, Filter: gapped.Full, Alphabet: dna}, ""},
		{gapped.Kernel{L: 3, K: 2, D: 1, Filter: gapped.Plain, Alphabet: protein}, ""},
		{gapped.Kernel{L: 4, K: 2, D: 1, Filter: gapped.Plain}, "abc"},
		{gapped.Kernel{L: 5, K: 3, D: 2, Filter: gapped.Truncated, Alphabet: "murphy4"}, ""}, // four groups of letters
		{gapped.Kernel{L: 4, K: 2, D: 2, Filter: gapped.Plain, Subst: table, Alphabet: dna}, ""},
		{gapped.Kernel{L: 5, K: 3, D: 1, Filter: gapped.Truncated, Clip: true, Subst: table, Alphabet: dna}, ""},
		// k-mers that no table has room for
		{gapped.Kernel{L: 14, K: 12, D: 2, Filter: gapped.Plain, Alphabet: dna}, "AC"},
		{gapped.Kernel{L: 16, K: 8, D: 2, Filter: gapped.Truncated, Alphabet: dna}, "AC"},
		{gapped.Kernel{L: 32, K: 12, D: 2, Filter: gapped.Truncated, Alphabet: dna}, "AC"},
		{gapped.Kernel{L: 15, K: 6, D: 2, Filter: gapped.Full, Center: "9:3", Alphabet: dna}, "AC"},
		{gapped.Kernel{L: 8, K: 6, D: 2, Filter: gapped.Plain, Alphabet: protein}, "LAV"},
		{gapped.Kernel{L: 5, K: 3, D: 2, Filter: gapped.Truncated}, "abc"},
		// k-mers of more than 64 bits
		{gapped.Kernel{L: 15, K: 6, D: 9, Filter: gapped.Plain, Alphabet: protein}, "LA"},
		{gapped.Kernel{L: 13, K: 8, D: 5, Filter: gapped.Truncated, Center: "10:4", Alphabet: protein}, "LA"},
		{gapped.Kernel{L: 9, K: 3, D: 6, Filter: gapped.Wildcard, Lambda: 0.5}, "ab"},
		// functions of counts
		{gapped.Kernel{L: 4, K: 2, D: 2, Filter: gapped.Plain, Count: stringkernel.CountSqrt, Alphabet: dna}, ""},
		{gapped.Kernel{L: 6, K: 4, D: 2, Filter: gapped.Truncated, Count: stringkernel.CountPresence, Alphabet: dna}, "AC"},
		{gapped.Kernel{L: 14, K: 12, D: 2, Filter: gapped.Plain, Count: stringkernel.CountLog, Alphabet: dna}, "AC"},
		{gapped.Kernel{L: 3, K: 2, D: 1, Filter: gapped.Plain, Count: stringkernel.CountSublinear, Alphabet: protein}, "LA"},
		{gapped.Kernel{L: 15, K: 5, D: 10, Filter: gapped.Plain, Count: stringkernel.CountSqrt, Alphabet: protein}, "LA"},
		{gapped.Kernel{L: 3, K: 2, D: 1, Filter: gapped.Plain, Count: stringkernel.CountLog, Subst: table, Alphabet: dna}, ""},
	} {
		rc := i%2 == 0 && c.k.Alphabet.Complementary()
		run(t, c.k, rc, kerneltest.Options{Letters: c.letters, MaxLength: 28 + c.k.L})
	}
}

// TestMismatchConforms runs it on the mismatch kernel, which has another filter, and on letters that resemble each
// other.
func TestMismatchConforms(t *testing.T) {
	for _, k := range []gapped.Mismatch{
		{K: 4, M: 1, Alphabet: stringkernel.DNA}, {K: 3, M: 1, Alphabet: stringkernel.Protein}, {K: 2, M: 1},
		{K: 3, M: 3, Subst: []string{"blosum62"}, Alphabet: stringkernel.Protein},
		{K: 3, M: 1, Subst: []string{"grantham"}, Beta: 2, Alphabet: stringkernel.Protein},
		{K: 5, M: 5, Subst: []string{"transitions"}, Alphabet: stringkernel.DNA},
	} {
		var opt kerneltest.Options
		opt.Letters, opt.Breaks = lettersOf(k.Alphabet)
		if k.Subst == nil {
			p := pairs{alphabet: k.Alphabet, l: k.K, h: distances(k, k.K, 'A', 'C')}
			if k.Alphabet == "" {
				p.alphabet = stringkernel.Bytes
			}
			opt.Value = p.value
		}
		t.Run(fmt.Sprintf("%+v", k), func(t *testing.T) { kerneltest.Run(t, k, opt) })
		if k.Alphabet.Complementary() {
			opt.Value = nil
			kerneltest.Run(t, compose.Normalized(k.BothStrands()), opt)
		}
	}
}

// relatives are random records and mutated copies of them, so that k-mers are shared at every distance; one is long,
// and one has no k-mer.
func relatives(n, length int, letters string) *stringkernel.Corpus {
	rng := rand.New(rand.NewPCG(uint64(n), uint64(length)))
	var b stringkernel.CorpusBuilder
	all := []string{random(rng, 4*length, letters), letters[:1]}
	for i := 2; i < n; i++ {
		x := random(rng, length, letters)
		if rng.IntN(2) == 0 {
			copied := []byte(all[rng.IntN(i)])
			for range len(copied) / 8 {
				copied[rng.IntN(len(copied))] = letters[rng.IntN(len(letters))]
			}
			x = string(copied)
		}
		all = append(all, x)
	}
	for _, x := range all {
		b.Add("", []byte(x))
	}
	return b.Corpus()
}

// TestIndexes runs the suite on records that make the kernel choose each of its indexes.
func TestIndexes(t *testing.T) {
	const dna, protein = stringkernel.DNA, stringkernel.Protein
	some, many := relatives(30, 60, "ACGTACGTACGTN"), relatives(14, 90, "ACGT")
	for i, c := range []struct {
		index   string
		k       gapped.Kernel
		records *stringkernel.Corpus
	}{
		{"a table", gapped.Kernel{L: 6, K: 4, D: 2, Filter: gapped.Plain, Alphabet: dna}, some},
		{"a table of several regions", gapped.Kernel{L: 9, K: 6, D: 3, Filter: gapped.Truncated, Alphabet: dna},
			many},
		{"a table, places weighed", gapped.Kernel{L: 7, K: 4, D: 3, Filter: gapped.Full, Center: "50:9", Alphabet: dna}, some},
		{"a table of proteins", gapped.Kernel{L: 3, K: 2, D: 1, Filter: gapped.Plain, Alphabet: protein},
			relatives(16, 90, residues)},
		{"a table, letters alike", gapped.Kernel{L: 5, K: 3, D: 2, Filter: gapped.Plain, Subst: table, Alphabet: dna}, some},
		{"a table of counts", gapped.Kernel{L: 6, K: 4, D: 2, Filter: gapped.Plain, Count: stringkernel.CountLog,
			Alphabet: dna}, relatives(12, 60, "AACA")},
		{"masks beside a table", gapped.Kernel{L: 9, K: 7, D: 2, Filter: gapped.Plain, Alphabet: dna}, some},
		{"masks", gapped.Kernel{L: 14, K: 12, D: 2, Filter: gapped.Plain, Alphabet: dna}, some},
		{"masks of proteins", gapped.Kernel{L: 8, K: 6, D: 2, Filter: gapped.Plain, Alphabet: protein},
			relatives(16, 90, residues)},
		{"masks, many occurrences", gapped.Kernel{L: 12, K: 10, D: 2, Filter: gapped.Plain, Alphabet: protein},
			relatives(10, 120, "LLLLLLLLLLLLLLLA")},
		{"masks of counts", gapped.Kernel{L: 14, K: 12, D: 2, Filter: gapped.Plain, Count: stringkernel.CountSqrt,
			Alphabet: dna}, relatives(12, 60, "AACA")},
		{"masks, scores by masks", gapped.Kernel{L: 14, K: 1, D: 14, Filter: gapped.Full, Alphabet: dna}, some},
		{"neighbours", gapped.Kernel{L: 16, K: 9, D: 2, Filter: gapped.Truncated, Alphabet: dna}, some},
		{"neighbours, far", gapped.Kernel{L: 16, K: 6, D: 3, Filter: gapped.Truncated, Alphabet: dna}, some},
	} {
		t.Run(c.index, func(t *testing.T) {
			rc := i%2 > 0 && c.k.Alphabet.Complementary()
			run(t, c.k, rc, kerneltest.Options{MaxLength: 120, Records: c.records})
		})
	}
}
