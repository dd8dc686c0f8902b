package bow_test

import (
	"context"
	"fmt"
	"math"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/seqsvm/seqsvm/bow"
	"github.com/seqsvm/seqsvm/internal/long"
	"github.com/seqsvm/seqsvm/internal/must"
	definition "github.com/seqsvm/seqsvm/internal/oracle"
	"github.com/seqsvm/seqsvm/stringkernel"
	"github.com/seqsvm/seqsvm/stringkernel/compose"
	"github.com/seqsvm/seqsvm/stringkernel/kerneltest"
	"github.com/seqsvm/seqsvm/stringkernel/substring"
)

// sequenceWeights pairs every weighting with its definition, w_s for a sequence of l words (its φ part for tfidf).
var sequenceWeights = []struct {
	kernel substring.Kernel
	weight func(l int) float64
}{
	{substring.Kernel{Weight: substring.Fixed, K: 2}, func(l int) float64 { return one(l == 2) }},
	{substring.Kernel{Weight: substring.Bounded, K: 3}, func(l int) float64 { return one(l <= 3) }},
	{substring.Kernel{Weight: substring.Constant}, func(int) float64 { return 1 }},
	{substring.Kernel{Weight: substring.Decay, Lambda: 0.8}, func(l int) float64 { return math.Pow(0.8, float64(l)) }},
	{substring.Kernel{Weight: substring.Length, Weights: []float64{0.5, 0, 2}}, func(l int) float64 {
		return 0.5*one(l == 1) + 2*one(l == 3)
	}},
	{substring.Kernel{Weight: substring.TFIDF}, func(int) float64 { return 1 }},
	{
		substring.Kernel{Weight: substring.TFIDF, Lambda: 0.7, K: 4},
		func(l int) float64 { return math.Pow(0.7, float64(l)) * one(l <= 4) },
	},
}

func one(is bool) float64 {
	if is {
		return 1
	}
	return 0
}

// written is a word as written in a text and the byte for its term; 0 if it has none.
type written struct {
	text string
	term byte
}

// sequenceWords has kernels of words with words to draw from.
var sequenceWords = []struct {
	kernel bow.Sequence
	words  []written
}{
	{
		bow.Sequence{},
		[]written{
			{"cat", 'c'},
			{"Cat", 'c'},
			{"ÉTÉ", 'e'},
			{"été", 'e'},
			{"don’t", 'd'},
			{"don't", 'd'},
			{"--", 0},
			{"\xff", 0},
		},
	},
	{bow.Sequence{Case: true}, []written{{"cat", 'c'}, {"Cat", 'C'}, {"x1", 'x'}, {"3.14", 'p'}}},
	{
		bow.Sequence{NFKC: true, Stop: []string{bow.English, "fish"}},
		[]written{{"ﬁne", 'f'}, {"fine", 'f'}, {"The", 0}, {"fish", 0}, {"ﬁsh", 0}, {"猫", 'm'}},
	},
	{
		bow.Sequence{Stem: bow.English, Stop: []string{"of"}},
		[]written{{"running", 'r'}, {"runs", 'r'}, {"Relational", 'l'}, {"of", 0}, {"mat", 'm'}},
	},
}

// place is where a word stands in a text.
type place struct{ lo, hi int }

// document is a drawn text with the terms it has, marks included, and the place of each: the byte range of a term, that
// next to it for a mark.
type document struct {
	text   []byte
	terms  []byte
	places []place
}

func drawDocument(t *rapid.T, words []written, ends bool, name string) document {
	drawn := rapid.SliceOfN(rapid.SampledFrom(words), 0, 12).Draw(t, name)
	gaps := rapid.SliceOfN(rapid.SampledFrom([]string{" ", ", ", ".\n"}), len(drawn), len(drawn)).Draw(t, name+" gaps")
	var d document
	var text strings.Builder
	for i, w := range drawn {
		lo := text.Len()
		text.WriteString(w.text)
		if w.term != 0 {
			d.terms, d.places = append(d.terms, w.term), append(d.places, place{lo, text.Len()})
		}
		text.WriteString(gaps[i])
	}
	d.text = []byte(text.String())
	if n := len(d.terms); ends && n > 0 {
		d.terms = append(append([]byte{'<'}, d.terms...), '>')
		d.places = append(append([]place{d.places[0]}, d.places...), d.places[n-1])
	}
	return d
}

// TestSequenceByDefinition compares rows, values, scores and contributions with sums over all sequences of terms.
func TestSequenceByDefinition(t *testing.T) {
	for j, w := range sequenceWeights {
		for i, u := range sequenceWords {
			if !long.Tests && (i+j)%4 > 0 {
				continue
			}
			k := u.kernel
			k.Kernel, k.Unit, k.Ends = w.kernel, bow.Word, (i+j)%2 == 0
			t.Run(fmt.Sprintf("%s/%d", k.Weight, i), func(t *testing.T) {
				rapid.Check(t, func(t *rapid.T) { checkSequence(t, k, w.weight, u.words) })
			})
		}
	}
}

func checkSequence(t *rapid.T, k bow.Sequence, length func(int) float64, words []written) {
	n := rapid.IntRange(1, 5).Draw(t, "documents")
	documents := make([]document, n)
	texts, terms, coef := make([]string, n), make([][]byte, n), make([]float64, n)
	for i := range documents {
		documents[i] = drawDocument(t, words, k.Ends, fmt.Sprintf("document %d", i))
		texts[i], terms[i], coef[i] = string(documents[i].text), documents[i].terms, math.Cos(float64(i))
	}
	query := drawDocument(t, words, k.Ends, "query")
	weight := func(s string) float64 { return length(len(s)) }
	if k.Weight == substring.TFIDF {
		idf := definition.SquaredIDF(terms, "")
		weight = func(s string) float64 { return length(len(s)) * idf(s) }
	}
	c := corpusOf(texts)
	fitted := must.Get(stringkernel.Fit(context.Background(), k, c))(t)
	g := must.Get(fitted.Gram(context.Background(), c))(t)
	scorer := must.Get(stringkernel.Merge(context.Background(), fitted, c, coef))(t)
	row, want, size := make([]float64, n), 0.0, 0.0
	total := map[string]float64{}
	for i := range documents {
		g.Row(row, i)
		for j := range documents {
			value := definition.Substring(terms[i], terms[j], "", 0, weight)
			isNear(t, fmt.Sprintf("k(%q, %q) of the Gram matrix", texts[i], texts[j]), row[j], value, value)
		}
		value := definition.Substring(terms[i], query.terms, "", 0, weight)
		isNear(t, fmt.Sprintf("k(%q, %q)", texts[i], query.text), fitted.Eval([]byte(texts[i]), query.text), value, value)
		want += coef[i] * value
		size += math.Abs(coef[i] * value)
		for s, count := range definition.Counts(terms[i], "", 0) {
			total[s] += coef[i] * count
		}
	}
	own := definition.Substring(query.terms, query.terms, "", 0, weight)
	isNear(t, "k(x, x)", fitted.(bow.Sequence).SelfEval(query.text), own, own)
	score := []float64{math.NaN()}
	scorer.ScoreTo(score, query.text)
	isNear(t, "score", score[0], want, size)
	parts, wanted := make([]float64, len(query.text)), make([]float64, len(query.text))
	stringkernel.ExplainerOf(scorer).ExplainTo(parts, 0, query.text)
	for i := range query.terms {
		for j := i + 1; j <= len(query.terms); j++ {
			s := string(query.terms[i:j])
			for _, p := range query.places[i:j] {
				for at := p.lo; at < p.hi; at++ {
					wanted[at] += total[s] * weight(s) / float64(len(s)) / float64(p.hi-p.lo)
				}
			}
		}
	}
	for at := range parts {
		isNear(t, fmt.Sprintf("byte %d of %q", at, query.text), parts[at], wanted[at], size)
	}
}

func isNear(t *rapid.T, what string, got, want, size float64) {
	t.Helper()
	if !(math.Abs(got-want) <= 1e-9*(math.Abs(size)+1e-300)) {
		t.Fatalf("%s = %v, by definition %v", what, got, want)
	}
}

func TestSequenceConforms(t *testing.T) {
	for i, w := range sequenceWeights {
		k := sequenceWords[i%len(sequenceWords)].kernel
		k.Kernel, k.Unit, k.Ends = w.kernel, bow.Word, i%2 == 1
		t.Run(fmt.Sprint(k.Weight), func(t *testing.T) { kerneltest.Run(t, k, options("aAb1 \xc3\xa9")) })
	}
	for _, k := range []bow.Sequence{
		{Kernel: substring.Kernel{Weight: substring.TFIDF, Unit: bow.Word, Ends: true}, Stop: []string{"a"}},
		{Kernel: substring.Kernel{Weight: substring.Decay, Lambda: 0.8, Unit: substring.RuneUnit}},
		{Kernel: substring.Kernel{Weight: substring.Bounded, K: 3}},
	} {
		opt := options("ab ")
		if k.Unit != bow.Word {
			opt.Breaks = "" // every character is one
		}
		kerneltest.Run(t, compose.Normalized(k), opt)
	}
	words := compose.Normalized(bow.Kernel{NGram: "1-2", TFIDF: true})
	sequences := compose.Normalized(bow.Sequence{Kernel: substring.Kernel{Weight: substring.TFIDF, Unit: bow.Word}})
	kerneltest.Run(t, compose.Mean([]stringkernel.Kernel{words, sequences}, nil), options("ab "))
}

func TestSequenceOutOfRange(t *testing.T) {
	constant := substring.Kernel{Weight: substring.Constant}
	of := func(unit substring.Unit, k bow.Sequence) bow.Sequence {
		k.Kernel, k.Unit = constant, unit
		return k
	}
	for _, c := range []struct {
		kernel bow.Sequence
		want   string
	}{
		{of("line", bow.Sequence{}), `substring: unit = "line", want byte, rune or word`},
		{of("", bow.Sequence{Case: true}), "substring: case, nfkc, stem, stop and delimiters need unit=word"},
		{of(substring.RuneUnit, bow.Sequence{NFKC: true}),
			"substring: case, nfkc, stem, stop and delimiters need unit=word"},
		{of(bow.Word, bow.Sequence{Stem: "latin"}),
			`substring: stem = "latin", want one of: english, french, hungarian, norwegian, russian, spanish, swedish`},
		{of(bow.Word, bow.Sequence{Stem: bow.English, Case: true}),
			"substring: stem cannot be used with case: stems are in lower case"},
		{bow.Sequence{Kernel: substring.Kernel{Weight: substring.Fixed, Unit: bow.Word}},
			"substring: k is missing or 0, want ≥ 1 with weight=fixed, such as k=6"},
	} {
		if err := c.kernel.Check(); err == nil || err.Error() != c.want {
			t.Errorf("%+v: %v, want %s", c.kernel, err, c.want)
		}
	}
}

// TestUnitsOfManyTokenizers: a kernel, compiled or not, keeps to its own stop words, whatever other kernels read
// meanwhile.
func TestUnitsOfManyTokenizers(t *testing.T) {
	for _, compiled := range []bool{true, false} {
		kernels := make([]stringkernel.Kernel, 16)
		for i := range kernels {
			stop := []string{fmt.Sprintf("w%d", i)}
			kernels[i] = bow.Sequence{Kernel: substring.Kernel{Weight: substring.Constant, Unit: bow.Word}, Stop: stop}
			if compiled {
				kernels[i] = mustCompile(t, kernels[i])
				stop[0] = "w2" // is the caller's
			}
		}
		for round := range 3 {
			for i, k := range kernels {
				want := one(i < 1 || i > 3)*6 + one(1 <= i && i <= 3)*3
				if got := k.SelfEval(fmt.Appendf(nil, "w1 w2 w3 w%d", i)); got != want {
					t.Errorf("round %d: stop word w%d: k(x, x) = %v, want %v", round, i, got, want)
				}
			}
		}
	}
}

func mustCompile(t *testing.T, k stringkernel.Kernel) stringkernel.Kernel {
	t.Helper()
	return must.Get(stringkernel.Compile(k))(t)
}

// TestMarksStandAtTheWords lists what a text of one word has: the mark, no space, the word.
func TestMarksStandAtTheWords(t *testing.T) {
	k := bow.Sequence{Kernel: substring.Kernel{Weight: substring.Constant, Unit: bow.Word, Ends: true}}
	sv := must.Get(stringkernel.NewCorpus([][]byte{[]byte("so it goes"), []byte("on")}, nil))(t)
	s := must.Get(stringkernel.Merge(t.Context(), k, sv, []float64{1, 1}))(t)
	for text, want := range map[string]string{"so it goes": "^so it goes$", "on": "^on$"} {
		list := stringkernel.FeatureListerOf(s).FeaturesOf([]float64{1}, []byte(text), 1)
		if len(list) != 1 || list[0].Text != want {
			t.Errorf("%q: %v, want %q", text, list, want)
		}
	}
}
