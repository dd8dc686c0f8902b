package drift_test

import (
	"math/rand/v2"
	"reflect"
	"testing"

	"github.com/seqsvm/seqsvm/model/drift"
	"github.com/seqsvm/seqsvm/stringkernel"
)

// TestCollector: the profile of a stream is that of the same records in memory, which are kept in bounded memory,
// whatever happens to the letters after they were added.
func TestCollector(t *testing.T) {
	source := genomic(0.45, 120, 0.3)
	for _, n := range []int{0, 1, 2048, 2049, 3*2048 + 5} {
		corpus := source.corpus(rand.New(rand.NewPCG(1, 2)), n)
		var c drift.Collector
		var letters []byte
		for i := range n {
			letters = append(letters[:0], corpus.Seq(i)...)
			c.Add(letters)
		}
		var want *drift.Profile
		if n > 0 {
			want = drift.New(corpus, stringkernel.DNA)
		}
		if got := c.Profile(stringkernel.DNA); !reflect.DeepEqual(got, want) {
			t.Errorf("%d records: another profile than that of the corpus", n)
		}
	}
}
