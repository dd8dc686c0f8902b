package bow_test

import (
	"testing"

	"github.com/seqsvm/seqsvm/bow"
	"github.com/seqsvm/seqsvm/stringkernel"
	"github.com/seqsvm/seqsvm/stringkernel/compose"
	"github.com/seqsvm/seqsvm/stringkernel/kerneltest"
	"github.com/seqsvm/seqsvm/stringkernel/substring"
)

func TestSiblingsShareCounts(t *testing.T) {
	weights := []bow.Kernel{
		{}, {NGram: "2"}, {NGram: "1-3", TFIDF: true}, {NGram: "2-3", Binary: true},
		{Sublinear: true, TFIDF: true, MinDF: 2},
		{
			NGram:      "1-2",
			LogEntropy: true,
		}, {Laplace: true, NGram: "1-2"}, {L1: true, MaxDF: 0.5}, {TFIDF: true, L1: true, NGram: "1-2", MinDF: 0.2},
	}
	n := 2
	for name, reading := range map[string]func(bow.Kernel) bow.Kernel{
		"plain":      func(k bow.Kernel) bow.Kernel { return k },
		"stop words": func(k bow.Kernel) bow.Kernel { k.Stop = []string{"a"}; return k },
		"dictionary": func(k bow.Kernel) bow.Kernel { k.Dict = []string{"a b", "ab*", "b"}; return k },
		"letters":    func(k bow.Kernel) bow.Kernel { k.Letters = true; return k },
		"skips": func(k bow.Kernel) bow.Kernel {
			k.Skip = 1
			if k.NGram == "" {
				k.NGram = "2"
			}
			return k
		},
	} {
		var members []stringkernel.Kernel
		for _, k := range weights {
			members = append(members, reading(k))
		}
		opt := options("ab  ")
		t.Run(name, func(t *testing.T) { kerneltest.Family(t, members, opt) })
		t.Run(name+", alone", func(t *testing.T) {
			kerneltest.Family(t, []stringkernel.Kernel{compose.Normalized(members[n%len(members)])}, opt)
		})
		n++
	}
}

// TestSumsShareCounts: what a term that is fitted no longer says, such as how its width was learned, is asked of the
// kernel as it was given.
func TestSumsShareCounts(t *testing.T) {
	words := bow.Kernel{TFIDF: true}
	for _, k := range []stringkernel.Kernel{
		compose.Mean([]stringkernel.Kernel{words, compose.FunctionOf(compose.Form{Op: compose.Gaussian, Quantile: 0.5}, words)}, nil),
		compose.Product(compose.FunctionOf(compose.Form{Op: compose.Gaussian, Quantile: 0.3}, words), bow.Kernel{NGram: "2"}),
		compose.LowRank{Kernel: compose.FunctionOf(compose.Form{Op: compose.Gaussian, Quantile: 0.5}, words), Rank: 4},
		compose.Part(words, 0, 3, 0),
	} {
		k = compose.Normalized(k)
		t.Run(stringkernel.FamilyOf(k), func(t *testing.T) {
			kerneltest.Family(t, []stringkernel.Kernel{k}, options("ab  "))
		})
	}
}

func TestSequencesShareATree(t *testing.T) {
	for name, reading := range map[string]bow.Sequence{
		"words":       {Kernel: substring.Kernel{Unit: bow.Word}},
		"marks":       {Kernel: substring.Kernel{Unit: bow.Word, Ends: true}},
		"stop words":  {Kernel: substring.Kernel{Unit: bow.Word}, Stop: []string{"a"}},
		"code points": {Kernel: substring.Kernel{Unit: substring.RuneUnit}},
		"letters":     {Kernel: substring.Kernel{Alphabet: stringkernel.Bytes}},
	} {
		var members []stringkernel.Kernel
		for _, w := range []substring.Kernel{
			{Weight: substring.Constant}, {Weight: substring.Decay, Lambda: 0.5}, {Weight: substring.Fixed, K: 2},
			{Weight: substring.Bounded, K: 3},
		} {
			k := reading
			w.Unit, w.Ends, w.Alphabet = k.Unit, k.Ends, k.Alphabet
			k.Kernel = w
			members = append(members, k)
		}
		t.Run(name, func(t *testing.T) { kerneltest.Family(t, members, options("ab  ")) })
		tfidf := reading
		tfidf.Weight = substring.TFIDF
		t.Run(name+", tfidf", func(t *testing.T) { kerneltest.Family(t, []stringkernel.Kernel{tfidf}, options("ab  ")) })
	}
}

func TestOtherTokensAreAnotherFamily(t *testing.T) {
	c := corpusOf([]string{"a b", "b c"})
	for _, other := range []bow.Kernel{{Case: true}, {NFKC: true}, {Stem: "english"}, {Stop: []string{"a"}},
		{Dict: []string{"a"}}, {Skip: 1, NGram: "2"},
		{Letters: true}, {Leaves: true}, {Leaves: true, After: "##"}, {Leaves: true, Before: "::"}} {
		if _, err := stringkernel.Share(t.Context(), c, []stringkernel.Kernel{bow.Kernel{}, other}); err == nil {
			t.Errorf("%+v shares counts with the plain kernel", other)
		}
	}
}
