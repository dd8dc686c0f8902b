//go:build heap

package classify

import (
	"context"
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/seqsvm/seqsvm/classify/dataset"
	"github.com/seqsvm/seqsvm/classify/decide"
	"github.com/seqsvm/seqsvm/internal/drawn"
	"github.com/seqsvm/seqsvm/internal/heaptest"
	"github.com/seqsvm/seqsvm/spectrum"
	"github.com/seqsvm/seqsvm/stringkernel"
)

// The memory of a training while it runs stays within the estimate made beforehand.
func TestHeapOfTraining(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	build := func(n, k int) (*stringkernel.Corpus, []string) {
		var b stringkernel.CorpusBuilder
		labels := make([]string, n)
		for i := range n {
			seq := drawn.Text(rng, "ACGT", 12)
			b.Add(fmt.Sprint(i), seq)
			labels[i] = fmt.Sprint(i % k)
		}
		return b.Corpus(), labels
	}
	for _, c := range []struct {
		name    string
		n, k    int
		trainer Trainer
		several bool
	}{
		{"one-vs-rest", 4000, 500, Trainer{}, false},
		{"one-vs-one", 2000, 60, Trainer{Multiclass: decide.OneVsOne}, false},
		{"crammer-singer", 4000, 500, Trainer{Multiclass: decide.CrammerSinger}, false},
		{"probability", 1500, 100, Trainer{Probability: true}, false},
		{"several labels", 1500, 100, Trainer{}, true},
	} {
		corpus, labels := build(c.n, c.k)
		d, err := dataset.New(corpus, labels, nil)
		if c.several {
			var lists [][]string
			for _, label := range labels {
				lists = append(lists, []string{label})
			}
			d, err = dataset.NewMultilabel(corpus, lists, nil)
		}
		if err != nil {
			t.Fatal(err)
		}
		c.trainer.Kernel, c.trainer.Tol = spectrum.Kernel{K: 2, Alphabet: stringkernel.DNA}, 0.5
		counted := c.trainer.machineBytes(d)
		if c.trainer.Multiclass == decide.CrammerSinger { // whose descent checks its table itself
			counted += float64(8 * c.k * stringkernel.FeatureRowsOf(gramOf(t, c.trainer.Kernel, d)).Width())
		}
		peak := heaptest.Peak(func() {
			m, err := c.trainer.Train(context.Background(), d)
			if err == nil {
				_, err = m.Classifier(t.Context())
			}
			if err != nil {
				t.Fatal(err)
			}
		})
		const rest = 24 << 20 // solvers, index, and what a collection has not seen yet
		t.Logf("%s: %.1f MB counted, %.1f MB taken", c.name, counted/1e6, peak/1e6)
		if peak > counted+rest {
			t.Errorf("%s took %.0f MB, counted were %.0f MB", c.name, peak/1e6, counted/1e6)
		}
	}
}
