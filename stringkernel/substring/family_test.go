package substring_test

import (
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/seqsvm/seqsvm/internal/must"
	"github.com/seqsvm/seqsvm/stringkernel"
	"github.com/seqsvm/seqsvm/stringkernel/compose"
	"github.com/seqsvm/seqsvm/stringkernel/kerneltest"
	"github.com/seqsvm/seqsvm/stringkernel/substring"
)

// substrings are members of one family with every weighting that shares a tree.
func substrings(a stringkernel.Alphabet, unbounded bool) []stringkernel.Kernel {
	members := []stringkernel.Kernel{
		substring.Kernel{Weight: substring.Fixed, K: 1, Alphabet: a},
		substring.Kernel{Weight: substring.Fixed, K: 4, Alphabet: a},
		substring.Kernel{Weight: substring.Bounded, K: 3, Alphabet: a},
		substring.Kernel{Weight: substring.Decay, K: 5, Lambda: 1.5, Alphabet: a},
		substring.Kernel{Weight: substring.Length, Weights: []float64{0, 0.5, 2}, Alphabet: a},
	}
	if unbounded {
		members = append(members, substring.Kernel{Weight: substring.Constant, Alphabet: a},
			substring.Kernel{Weight: substring.Decay, Lambda: 0.5, Alphabet: a})
	}
	return members
}

// withUnit changes units and marks of members.
func withUnit(members []stringkernel.Kernel, unit substring.Unit, ends bool) []stringkernel.Kernel {
	return wrapped(members, func(k stringkernel.Kernel) stringkernel.Kernel {
		inner := k.(substring.Kernel)
		inner.Unit, inner.Ends = unit, ends
		return inner
	})
}

func wrapped(members []stringkernel.Kernel, wrap func(stringkernel.Kernel) stringkernel.Kernel) []stringkernel.Kernel {
	out := make([]stringkernel.Kernel, len(members))
	for i, k := range members {
		out[i] = wrap(k)
	}
	return out
}

func TestSiblingsShareATree(t *testing.T) {
	dna, bytes := substrings(stringkernel.DNA, true), substrings(stringkernel.Bytes, true)
	tfidf := substring.Kernel{Weight: substring.TFIDF, Lambda: 0.5, Alphabet: stringkernel.DNA}
	normalized := func(k stringkernel.Kernel) stringkernel.Kernel { return compose.Normalized(k) }
	strands := func(k stringkernel.Kernel) stringkernel.Kernel {
		return compose.BothStrands(k, stringkernel.DNA)
	}
	// the wrapper compiles, and compiled kernels of strings of up to 32 letters have no tree
	long := append(slices.Clone(dna[3:]),
		substring.Kernel{Weight: substring.Fixed, K: 33, Alphabet: stringkernel.DNA},
		substring.Kernel{Weight: substring.Bounded, K: 40, Alphabet: stringkernel.DNA})
	withWords := func(k stringkernel.Kernel) stringkernel.Kernel {
		return compose.Mean([]stringkernel.Kernel{k, compose.Normalized(tfidf)}, nil)
	}
	for name, members := range map[string][]stringkernel.Kernel{
		"bounded":            substrings(stringkernel.DNA, false),
		"unbounded":          dna,
		"bytes":              bytes,
		"normalised":         wrapped(dna, normalized),
		"both strands":       wrapped(long, strands),
		"normalised strands": wrapped(wrapped(long, strands), normalized),
		"sums":               wrapped(dna, withWords),
		"Gaussian": wrapped(dna, func(k stringkernel.Kernel) stringkernel.Kernel {
			return compose.RBF(k, 0.01)
		}),
		"code points":         withUnit(bytes, substring.RuneUnit, false),
		"marks":               withUnit(dna, "", true),
		"marks, bounded":      withUnit(substrings(stringkernel.DNA, false), "", true),
		"tfidf alone":         {tfidf},
		"tfidf, both strands": {strands(tfidf)},
	} {
		opt := kerneltest.Options{Letters: "ACGT", Breaks: "N"}
		if name == "bytes" || name == "code points" {
			opt = kerneltest.Options{Letters: "abc \xff"}
		}
		t.Run(name, func(t *testing.T) { kerneltest.Family(t, members, opt) })
	}
}

func TestAllBytesShareATree(t *testing.T) {
	all := make([]byte, 256)
	for b := range all {
		all[b] = byte(b)
	}
	kerneltest.Family(t, substrings(stringkernel.Bytes, true), kerneltest.Options{Letters: string(all), MaxLength: 900})
}

// TestAloneIsItself: one kernel, given once or twice, has the bits of its own matrix.
func TestAloneIsItself(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 1))
	seqs := make([][]byte, 30)
	for i := range seqs {
		for range 10 + rng.IntN(60) {
			seqs[i] = append(seqs[i], "ACGT"[rng.IntN(4)])
		}
	}
	c := must.Get(stringkernel.NewCorpus(seqs, nil))(t)
	v := make([]float64, len(seqs))
	for i := range v {
		v[i] = rng.NormFloat64()
	}
	for _, k := range substrings(stringkernel.DNA, true) {
		k = compose.Normalized(k)
		own := must.Get(k.Gram(t.Context(), c))(t)
		shared := must.Get(stringkernel.Share(t.Context(), c, []stringkernel.Kernel{k, k}))(t)
		g := must.Get(shared(t.Context(), k, []int{0, 1, 2}))(t)
		want, got := make([]float64, len(v)), make([]float64, len(v))
		own.MulVecTo(want, v)
		g.MulVecTo(got, v)
		if !slices.Equal(got, want) {
			t.Errorf("%+v: other products than by itself", k)
		}
	}
}

func TestFamiliesAreToldApart(t *testing.T) {
	c := must.Get(stringkernel.NewCorpus([][]byte{[]byte("ACGT")}, nil))(t)
	dna := substring.Kernel{Weight: substring.Constant, Alphabet: stringkernel.DNA}
	for name, other := range map[string]stringkernel.Kernel{
		"alphabet":   substring.Kernel{Weight: substring.Constant, Alphabet: stringkernel.RNA},
		"wrapper":    compose.Normalized(dna),
		"frequency":  substring.Kernel{Weight: substring.TFIDF, Alphabet: stringkernel.DNA},
		"more terms": compose.Mean([]stringkernel.Kernel{dna, dna}, nil),
	} {
		if _, err := stringkernel.Share(t.Context(), c, []stringkernel.Kernel{dna, other}); err == nil {
			t.Errorf("%s: kernels of two families share an index", name)
		}
	}
	if _, err := stringkernel.Share(t.Context(), c, nil); err == nil {
		t.Error("no kernels share an index")
	}
}
