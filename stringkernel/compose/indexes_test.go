package compose_test

import (
	"context"
	"reflect"
	"testing"

	"github.com/seqsvm/seqsvm/internal/must"
	"github.com/seqsvm/seqsvm/spectrum"
	"github.com/seqsvm/seqsvm/stringkernel"
	"github.com/seqsvm/seqsvm/stringkernel/compose"
)

// indexed is a kernel that counts how often a corpus was indexed for it.
type indexed struct {
	stringkernel.Kernel
	times *int
}

func (k indexed) Gram(ctx context.Context, c *stringkernel.Corpus) (stringkernel.Gram, error) {
	*k.times++
	return k.Kernel.Gram(ctx, c)
}

func indexedWords(length int) indexed {
	return indexed{spectrum.Kernel{K: length, Alphabet: stringkernel.DNA}, new(int)}
}

func meanOf(terms ...stringkernel.Kernel) stringkernel.Kernel { return compose.Mean(terms, nil) }

// shares asks indexes for the matrices of kernels, fitted to some records.
func shares(t *testing.T, x *stringkernel.Indexes, train []int, kernels ...stringkernel.Kernel) (
	matrices []stringkernel.Gram) {
	t.Helper()
	for _, k := range kernels {
		shared := must.Get(x.Share(t.Context(), []stringkernel.Kernel{k}))(t)
		g := must.Get(shared(t.Context(), k, train))(t)
		matrices = append(matrices, g)
	}
	return matrices
}

// TestIndexesOfTerms: sums with a term in common, which depend on a corpus, index that once for it.
func TestIndexesOfTerms(t *testing.T) {
	x := &stringkernel.Indexes{Corpus: randomDNA(t, 3, 20)}
	two, three, four, one := indexedWords(2), indexedWords(3), indexedWords(4), learned(indexedWords(1))
	shares(t, x, nil, meanOf(two, three, one), meanOf(one, two, four), three, meanOf(two, one, two))
	for _, k := range []indexed{two, three, four} {
		if *k.times != 1 {
			t.Errorf("%+v was indexed %d times, want once", k.Kernel, *k.times)
		}
	}
}

// learned has what is learned from records: a width, and pivots.
func learned(k stringkernel.Kernel) stringkernel.Kernel {
	return compose.LowRank{Kernel: compose.FunctionOf(compose.Form{Op: compose.Gaussian, Quantile: 0.5}, k), Rank: 2}
}

// TestIndexesHoldMatrices: what a kernel learned from some records is held if Matrices is set, and is the same.
func TestIndexesHoldMatrices(t *testing.T) {
	c := randomDNA(t, 4, 20)
	k := learned(spectrum.Kernel{K: 2, Alphabet: stringkernel.DNA})
	for _, hold := range []bool{false, true} {
		x := &stringkernel.Indexes{Corpus: c, Matrices: hold}
		some, other := []int{0, 1, 2}, []int{1, 2, 3}
		first := shares(t, x, some, k)[0]
		if again := shares(t, x, []int{0, 1, 2}, k)[0]; (again == first) != hold {
			t.Errorf("Matrices = %t: the same matrix again: %t", hold, again == first)
		} else if !reflect.DeepEqual(again, first) {
			t.Errorf("Matrices = %t: %v, then %v", hold, first, again)
		}
		if shares(t, x, other, k)[0] == first || shares(t, x, nil, k)[0] == first {
			t.Errorf("Matrices = %t: the matrix of other records", hold)
		}
	}
}
