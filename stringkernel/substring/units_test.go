package substring_test

import (
	"context"
	"fmt"
	"math"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/seqsvm/seqsvm/internal/oracle"
	"github.com/seqsvm/seqsvm/stringkernel"
	"github.com/seqsvm/seqsvm/stringkernel/compose"
	"github.com/seqsvm/seqsvm/stringkernel/kerneltest"
	"github.com/seqsvm/seqsvm/stringkernel/substring"
)

// piece is what a text is put together from, and the byte that replaces it in the definition; 0 is a break.
type piece struct {
	text   string
	symbol byte
}

// markedKernels have each kind of unit of this package with and without marks, but for plain letters, and the pieces to
// draw from.
var markedKernels = []struct {
	unit     substring.Unit
	alphabet stringkernel.Alphabet
	ends     bool
	pieces   []piece
}{
	{substring.RuneUnit, "", false, []piece{{"a", 'a'}, {"é", 'b'}, {"я", 'c'}, {"𝄞", 'd'}, {"\ufffd", 'e'},
		{"\xff", 0}, {"\x00", 'f'}}},
	{substring.RuneUnit, stringkernel.Bytes, true, []piece{{"a", 'a'}, {"é", 'b'}, {"猫", 'c'}, {"\xff", 0}}},
	{substring.ByteUnit, stringkernel.Bytes, true, []piece{{"a", 'a'}, {"b", 'b'}, {"\xff", 'c'}, {"\x00", 'd'}}},
	{"", stringkernel.DNA, true, []piece{{"A", 'A'}, {"C", 'C'}, {"G", 'G'}, {"N", 0}}},
	{"", stringkernel.Protein, true, []piece{{"A", 'A'}, {"Y", 'Y'}, {"X", 0}}},
}

const letterBytes = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz<>"

// symbolsOf writes a text as bytes, one per symbol, with < and > for the marks.
func symbolsOf(pieces []piece, ends bool) []byte {
	var symbols []byte
	some := false
	for _, p := range pieces {
		symbols = append(symbols, p.symbol)
		some = some || p.symbol != 0
	}
	if ends && some {
		symbols = append(append([]byte{'<'}, symbols...), '>')
	}
	return symbols
}

func textOf(pieces []piece) []byte {
	var b strings.Builder
	for _, p := range pieces {
		b.WriteString(p.text)
	}
	return []byte(b.String())
}

// partsByDefinition gives the bytes of each piece what explainByDefinition gives its symbol; the marks' part goes to
// the first and last symbol.
func partsByDefinition(pieces []piece, symbols []float64) []float64 {
	if len(symbols) > len(pieces) {
		begin, end := symbols[0], symbols[len(symbols)-1]
		symbols = symbols[1 : len(symbols)-1]
		first, last := -1, 0
		for i, p := range pieces {
			if p.symbol == 0 {
				continue
			}
			if last = i; first < 0 {
				first = i
			}
		}
		symbols[first] += begin
		symbols[last] += end
	}
	var parts []float64
	for i, p := range pieces {
		for range len(p.text) {
			parts = append(parts, symbols[i]/float64(len(p.text)))
		}
	}
	return parts
}

// TestUnitsByDefinition compares values, products, scores and contributions with sums over all strings of symbols.
func TestUnitsByDefinition(t *testing.T) {
	for _, w := range weightings {
		for _, u := range markedKernels {
			kernel := w.kernel
			kernel.Unit, kernel.Alphabet, kernel.Ends = u.unit, u.alphabet, u.ends
			t.Run(fmt.Sprintf("%+v", kernel), func(t *testing.T) {
				rapid.Check(t, func(t *rapid.T) {
					draw := rapid.SliceOfN(rapid.SampledFrom(u.pieces), 0, 15)
					checkUnits(t, kernel, u.ends, w.weight, rapid.SliceOfN(draw, 1, 5).Draw(t, "corpus"),
						draw.Draw(t, "query"))
				})
			})
		}
	}
}

func checkUnits(t *rapid.T, kernel substring.Kernel, ends bool, length func(int) float64, corpus [][]piece,
	query []piece) {
	var texts, symbols [][]byte
	for _, pieces := range corpus {
		texts, symbols = append(texts, textOf(pieces)), append(symbols, symbolsOf(pieces, ends))
	}
	weight := func(s string) float64 { return length(len(s)) }
	if kernel.Weight == substring.TFIDF {
		idf := oracle.SquaredIDF(symbols, letterBytes)
		weight = func(s string) float64 { return length(len(s)) * idf(s) }
	}
	c, err := stringkernel.NewCorpus(texts, nil)
	if err != nil {
		t.Fatal(err)
	}
	fitted, err := stringkernel.Fit(context.Background(), kernel, c)
	if err != nil {
		t.Fatal(err)
	}
	coef := make([]float64, len(texts))
	for i := range coef {
		coef[i] = math.Cos(float64(i))
	}
	g, err := fitted.Gram(context.Background(), c)
	if err != nil {
		t.Fatal(err)
	}
	s, err := stringkernel.Merge(context.Background(), fitted, c, coef)
	if err != nil {
		t.Fatal(err)
	}
	x, asSymbols := textOf(query), symbolsOf(query, ends)
	row, want, size := make([]float64, len(texts)), 0.0, 0.0
	for i := range texts {
		g.Row(row, i)
		for j := range texts {
			k := oracle.Substring(symbols[i], symbols[j], letterBytes, 0, weight)
			wantNear(t, fmt.Sprintf("k(%q, %q) of the Gram matrix", texts[i], texts[j]), row[j], k, k)
		}
		k := oracle.Substring(symbols[i], asSymbols, letterBytes, 0, weight)
		wantNear(t, fmt.Sprintf("k(%q, %q)", texts[i], x), fitted.Eval(texts[i], x), k, k)
		want += coef[i] * k
		size += math.Abs(coef[i] * k)
	}
	own := oracle.Substring(asSymbols, asSymbols, letterBytes, 0, weight)
	wantNear(t, "k(x, x)", compose.NormsOf(fitted).SelfEval(x), own, own)
	score := []float64{math.NaN()}
	s.ScoreTo(score, x)
	wantNear(t, "score", score[0], want, size)
	parts := make([]float64, len(x))
	stringkernel.ExplainerOf(s).ExplainTo(parts, 0, x)
	for p, part := range partsByDefinition(query, explainByDefinition(symbols, coef, asSymbols, letterBytes, weight)) {
		wantNear(t, fmt.Sprintf("byte %d of %q", p, x), parts[p], part, size)
	}
}

func wantNear(t *rapid.T, what string, got, want, size float64) {
	t.Helper()
	if !(math.Abs(got-want) <= 1e-9*(math.Abs(size)+1e-300)) {
		t.Fatalf("%s = %v, by definition %v", what, got, want)
	}
}

func TestUnitsConform(t *testing.T) {
	for _, w := range weightings {
		for _, u := range []struct {
			ends            bool
			unit            substring.Unit
			alphabet        stringkernel.Alphabet
			letters, breaks string
		}{
			{false, substring.RuneUnit, "", "ab", "\xff\xfe"},
			{true, substring.RuneUnit, "", "ab", "\xff\xfe"},
			{false, substring.RuneUnit, "", "\xc3\xa9", "\xff"}, // é, and bytes that are none
			{true, substring.ByteUnit, "", "ab\xc3\xa9", ""},
			{true, "", stringkernel.DNA, "ACGT", "N-"},
		} {
			kernel := w.kernel
			kernel.Unit, kernel.Ends, kernel.Alphabet = u.unit, u.ends, u.alphabet
			opt := kerneltest.Options{Letters: u.letters, Breaks: u.breaks, MaxLength: 30}
			t.Run(fmt.Sprintf("%+v", kernel), func(t *testing.T) { kerneltest.Run(t, kernel, opt) })
		}
	}
}

func TestNormalisedUnitsConform(t *testing.T) {
	for _, w := range []substring.Weighting{substring.Constant, substring.TFIDF} {
		kernel := compose.Normalized{Kernel: substring.Kernel{Weight: w, Unit: substring.RuneUnit, Ends: true}}
		kerneltest.Run(t, kernel, kerneltest.Options{Letters: "\xc3\xa9", Breaks: "\xff"})
		both := compose.BothStrands{Kernel: substring.Kernel{Weight: w, Alphabet: stringkernel.DNA, Ends: true},
			Alphabet: stringkernel.DNA}
		kerneltest.Run(t, compose.Normalized{Kernel: both}, kerneltest.Options{Letters: "ACGT", Breaks: "N"})
	}
}

// Code points of one byte are bytes, to the bit.
func TestRunesOfASCIIAreBytes(t *testing.T) {
	bytes, runes := substring.Kernel{Weight: substring.Bounded, K: 4}, substring.Kernel{Weight: substring.Bounded, K: 4,
		Unit: substring.RuneUnit}
	rapid.Check(t, func(t *rapid.T) {
		x, y := rapid.StringMatching(`[ -~]{0,40}`).Draw(t, "x"), rapid.StringMatching(`[ -~]{0,40}`).Draw(t, "y")
		if a, b := bytes.Eval([]byte(x), []byte(y)), runes.Eval([]byte(x), []byte(y)); a != b {
			t.Fatalf("k(%q, %q) = %v over bytes, %v over code points", x, y, a, b)
		}
	})
}

func TestUnitsOutOfRange(t *testing.T) {
	for _, c := range []struct {
		kernel substring.Kernel
		want   string
	}{
		{substring.Kernel{Weight: substring.Constant, Unit: "word"}, `substring: unit = "word", want byte or rune`},
		{substring.Kernel{Weight: substring.Constant, Unit: "rune", Alphabet: "dna"},
			"substring: alphabet = dna with unit=rune, want none: only bytes are letters of an alphabet"},
	} {
		if err := c.kernel.Check(); err == nil || err.Error() != c.want {
			t.Errorf("%+v: %v, want %s", c.kernel, err, c.want)
		}
	}
}

func TestMinLengthOfUnits(t *testing.T) {
	for _, c := range []struct {
		kernel substring.Kernel
		want   int
	}{
		{substring.Kernel{Weight: substring.Fixed, K: 5, Ends: true}, 3},
		{substring.Kernel{Weight: substring.Fixed, K: 2, Ends: true}, 1},
		{substring.Kernel{Weight: substring.Fixed, K: 5, Unit: substring.RuneUnit}, 1},
	} {
		if got := stringkernel.TraitsOf(c.kernel).MinLength; got != c.want {
			t.Errorf("%+v: %d, want %d", c.kernel, got, c.want)
		}
	}
}
