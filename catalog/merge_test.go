package catalog_test

import (
	"errors"
	"math/rand/v2"
	"testing"

	"github.com/seqsvm/seqsvm/catalog"
	"github.com/seqsvm/seqsvm/internal/drawn"
	"github.com/seqsvm/seqsvm/internal/heaptest"
	"github.com/seqsvm/seqsvm/internal/long"
	"github.com/seqsvm/seqsvm/internal/memory"
	"github.com/seqsvm/seqsvm/internal/must"
	"github.com/seqsvm/seqsvm/stringkernel"
)

// Where CheckMerge finds room for a model, before it is trained, Merge does too, whatever the limit, when all records
// are support vectors.
func TestMergeIsCheckedBefore(t *testing.T) {
	random := rand.New(rand.NewPCG(3, 4))
	var b stringkernel.CorpusBuilder
	const records, length = 40, 150
	for range records {
		x := drawn.Text(random, "ACGT", length)
		b.Add("", x)
	}
	sv := b.Corpus()
	for _, text := range []string{
		"spectrum:k=14", "spectrum:k=6", "spectrum:k=6,bounded", "spectrum:k=14,count=log", "spectrum:k=8,tfidf",
		"spectrum:k=14,rc", "gapped:l=8,k=6", "gapped:l=9,k=6,rc", "gapped:l=14,k=6", "mismatch:k=7,m=1", "mismatch:k=14,m=1",
		"spectrum:k=8+gapped:l=7,k=5",
	} {
		spec := must.Get(catalog.Default().Parse(text))(t)
		kernel, err := spec.Compile("dna")
		if err == nil && stringkernel.DependsOnCorpus(kernel) {
			kernel, err = stringkernel.Fit(t.Context(), kernel, sv)
		}
		if err != nil {
			t.Fatal(err)
		}
		for _, outputs := range []int{1, 6, 40} {
			coef := make([][]float64, outputs)
			for m := range coef {
				for range records {
					coef[m] = append(coef[m], random.NormFloat64())
				}
			}
			refused, allowed := false, 0
			for limit := 16 << 10; limit < 64<<20 && (allowed < 3 || long.Tests); limit += limit / 4 {
				heaptest.Limit(t, int64(limit))
				if stringkernel.CheckMerge(kernel, sv, outputs) != nil {
					refused = true
					continue
				}
				allowed++
				_, err := kernel.Merge(t.Context(), sv, stringkernel.NewCoefficients(records, coef))
				if errors.As(err, new(*memory.Error)) {
					t.Errorf("%s, %d outputs, a limit of %d: %v", text, outputs, limit, err)
				}
			}
			if !refused {
				t.Errorf("%s, %d outputs: no limit is too small", text, outputs)
			}
		}
	}
}
