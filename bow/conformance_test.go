package bow_test

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/seqsvm/seqsvm/bow"
	"github.com/seqsvm/seqsvm/stringkernel"
	"github.com/seqsvm/seqsvm/stringkernel/compose"
	"github.com/seqsvm/seqsvm/stringkernel/kerneltest"
)

// everyKernel has each parameter in at least one kernel.
var everyKernel = []bow.Kernel{
	{},
	{NGram: "1-2", TFIDF: true},
	{NGram: "2-3", Skip: 2, Sublinear: true, TFIDF: true},
	{NGram: "3", Binary: true, Case: true},
	{NGram: "1-2", LogEntropy: true, MinDF: 2},
	{NGram: "1-8", Laplace: true, MaxDF: 0.5},
	{NGram: "1-2", L1: true, TFIDF: true, Stem: bow.English, Stop: []string{bow.English}},
	{NFKC: true, Stop: []string{"a", "b"}, MinDF: 0.1, MaxDF: 20},
	{NGram: "1-2", Dict: []string{"a b", "a", "ab*", "b a*", "ba", "a b a"}, TFIDF: true},
	{NGram: "1-2", Skip: 1, Dict: []string{"a*", "b"}, Stop: []string{"ab"}, Stem: bow.English},
	{NGram: "1-3", Letters: true, Sublinear: true, TFIDF: true},
	{NGram: "2-4", Letters: true, Stop: []string{"ab"}, Stem: bow.English, MinDF: 2},
	{NGram: "1-3", Binary: true, Open: true},
	{NGram: "1-2", Count: stringkernel.CountSqrt, TFIDF: true},
	{NGram: "1-2", Count: stringkernel.CountLog, Open: true},
	{Count: stringkernel.CountPresence, L1: true},
	{NGram: "1-2", Letters: true, Sublinear: true, Open: true},
	{NGram: "1-2", Count: stringkernel.CountMin},
	{NGram: "2-3", Skip: 1, Count: stringkernel.CountMin, Open: true, Stem: bow.English},
	{NGram: "1-2", Count: stringkernel.CountChi2, MinDF: 2},
	{NGram: "1-2", Letters: true, Count: stringkernel.CountChi2, Open: true},
	{Dict: []string{"a b", "a", "ab*"}, Stop: []string{"ba"}, Count: stringkernel.CountChi2},
}

// options draws texts of short words, of several scripts, with invalid UTF-8, NUL and separators.
func options(letters string) kerneltest.Options {
	return kerneltest.Options{Letters: letters, Breaks: "\x00 .\xff", MaxLength: 60}
}

func TestConformance(t *testing.T) {
	for i, k := range everyKernel {
		kernel, opt := stringkernel.Kernel(k), options("abaAb1_'-. \xc3\xa9\n")
		if i%3 == 1 {
			kernel, opt = compose.Normalized(k), options("ab ")
		}
		t.Run(fmt.Sprint(i), func(t *testing.T) { kerneltest.Run(t, kernel, opt) })
	}
}

// texts are of one to three letters a word, spaces between.
func texts(r *rand.Rand, n, most int) (all []string) {
	for range n {
		var words []string
		for range r.IntN(most) {
			words = append(words, []string{"a", "b", "ab", "ba", "aba", "bb", "aab"}[r.IntN(7)])
		}
		all = append(all, strings.Join(words, " "))
	}
	return all
}

// TestValuesByDefinition runs the suite on texts that the definition reads.
func TestValuesByDefinition(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 8))
	for i, k := range append(everyKernel, []bow.Kernel{
		{NGram: "1-4", TFIDF: true, MinDF: 2, MaxDF: 0.7, Skip: 3}, {Dict: []string{"aa b*", "bb a bb"}, LogEntropy: true},
		{NGram: "2", Letters: true, Laplace: true, L1: true}, {NGram: "1-2", Count: stringkernel.CountSublinear, MinDF: 0.3},
	}...) {
		if !k.Count.Separable() || k.Stem != "" || k.MaxDF == 20 {
			continue // which the definition has no features for, or does not read so
		}
		opt := kerneltest.Options{
			Letters: "ab ", Records: corpusOf(texts(r, 20, 15)), Define: defined(k), Uncounted: true,
		}
		t.Run(fmt.Sprint(i), func(t *testing.T) { kerneltest.Run(t, k, opt) })
	}
}

// TestListedWeights runs it on texts of many words, few of them common, and many outputs of few texts each: weights are
// listed.
func TestListedWeights(t *testing.T) {
	r := rand.New(rand.NewPCG(16, 12))
	var rare []string
	for range 40 {
		var words []string
		for range 100 {
			words = append(words, fmt.Sprintf("w%d", int(r.ExpFloat64()*r.ExpFloat64()*200)))
		}
		rare = append(rare, strings.Join(words, " "))
	}
	opt := kerneltest.Options{Letters: "w1 ", Records: corpusOf(rare), MaxLength: 100, Outputs: 400, Uncounted: true}
	for _, k := range []bow.Kernel{
		{NGram: "1-2", TFIDF: true, Sublinear: true}, {NGram: "1-2", Open: true}, {NGram: "1-2", Count: stringkernel.CountMin},
	} {
		t.Run(fmt.Sprintf("%+v", k), func(t *testing.T) { kerneltest.Run(t, k, opt) })
	}
}

// A sum with a kernel that depends on no corpus restores without one, too.
func TestSumsConform(t *testing.T) {
	words := compose.Normalized(bow.Kernel{NGram: "1-2", TFIDF: true})
	kerneltest.Run(t, compose.Mean([]stringkernel.Kernel{words, bow.Kernel{Dict: []string{"a*", "b"}}}, nil), options("ab "))
}
