package compose_test

import (
	"cmp"
	"context"
	"errors"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/seqsvm/seqsvm/internal/must"
	"github.com/seqsvm/seqsvm/spectrum"
	"github.com/seqsvm/seqsvm/stringkernel"
	"github.com/seqsvm/seqsvm/stringkernel/compose"
	"github.com/seqsvm/seqsvm/stringkernel/substring"
	"github.com/seqsvm/seqsvm/wdk/oligo"
)

// randomCorpus is n sequences of 0 to length random bases, every seventh a repeat of one before it.
func randomCorpus(t testing.TB, n, length int) *stringkernel.Corpus {
	t.Helper()
	rng := rand.New(rand.NewPCG(21, uint64(n)))
	seqs := make([][]byte, n)
	for i := range seqs {
		if i%7 == 6 {
			seqs[i] = seqs[rng.IntN(i)]
			continue
		}
		seqs[i] = make([]byte, rng.IntN(length+1))
		for j := range seqs[i] {
			seqs[i][j] = "ACGT"[rng.IntN(4)]
		}
	}
	return must.Get(stringkernel.NewCorpus(seqs, nil))(t)
}

// TestNearestByDefinition sorts all kernel values.
func TestNearestByDefinition(t *testing.T) {
	corpus, queries := randomCorpus(t, 40, 12), randomCorpus(t, 7, 9)
	word := spectrum.Kernel{K: 3, Alphabet: stringkernel.DNA}
	for name, k := range map[string]stringkernel.Kernel{
		"counts":     word,
		"normalised": compose.Normalized(word),
		"Gaussian":   compose.RBF(compose.Normalized(word), 1),
		"fitted":     substring.Kernel{Weight: substring.TFIDF, Alphabet: stringkernel.DNA},
		"no index":   compose.Normalized(oligo.Kernel{K: 2, Sigma: 1, Alphabet: stringkernel.DNA}),
	} {
		fitted := must.Get(stringkernel.Fit(t.Context(), k, corpus))(t)
		search := must.Get(compose.NewNearest(t.Context(), k, corpus))(t)
		for _, c := range []struct {
			queries *stringkernel.Corpus
			top     int
			first   int
		}{{queries, 5, -1}, {queries, 1, -1}, {queries, 100, -1}, {corpus.Slice(10, 20), 3, 10}} {
			found := must.Get(search.OfEach(t.Context(), c.queries, c.top, c.first))(t)
			for i, got := range found {
				var want []compose.Neighbour
				for j := range corpus.Len() {
					value := fitted.Eval(corpus.Seq(j), c.queries.Seq(i))
					if value != 0 && (c.first < 0 || j != c.first+i) {
						want = append(want, compose.Neighbour{Record: j, Similarity: value})
					}
				}
				slices.SortStableFunc(want, func(a, b compose.Neighbour) int { return cmp.Compare(b.Similarity, a.Similarity) })
				want = want[:min(c.top, len(want))]
				if len(got) != len(want) {
					t.Fatalf("%s, query %d: %d records, want %d", name, i, len(got), len(want))
				}
				for r, x := range got {
					value := fitted.Eval(corpus.Seq(x.Record), c.queries.Seq(i))
					if math.Abs(x.Similarity-want[r].Similarity) > 1e-12 || math.Abs(value-x.Similarity) > 1e-12 {
						t.Errorf("%s, query %d, rank %d: %+v, want %+v", name, i, r+1, x, want[r])
					}
				}
			}
		}
	}
}

func TestNearestErrors(t *testing.T) {
	corpus := randomCorpus(t, 4, 12)
	search := must.Get(compose.NewNearest(t.Context(), spectrum.Kernel{K: 3, Alphabet: stringkernel.DNA}, corpus))(t)
	if _, err := search.OfEach(t.Context(), corpus, 0, -1); err == nil {
		t.Error("no error for 0 neighbours")
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := search.OfEach(ctx, corpus, 1, -1); !errors.Is(err, context.Canceled) {
		t.Errorf("%v after cancellation", err)
	}
	if _, err := compose.NewNearest(t.Context(), spectrum.Kernel{K: 99, Alphabet: stringkernel.DNA}, corpus); err == nil {
		t.Error("no error for a kernel out of range")
	}
}
