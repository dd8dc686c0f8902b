package kmers_test

import (
	"testing"

	"github.com/seqsvm/seqsvm/model/kmers"
)

// TestNoChangeIsExactlyZero: an allele that spells the reference, at whatever length.
func TestNoChangeIsExactlyZero(t *testing.T) {
	s, err := kmers.NewScorer(t.Context(), kmers.HandMade(t, true, "gapped:l=4,k=3,d=1,alphabet=dna,rc"))
	if err != nil {
		t.Fatal(err)
	}
	if d := s.Delta([]byte("ACGTACG"), []byte("TTAC"), []byte("TTAC"), []byte("GGT")); d != 0 {
		t.Errorf("delta %v", d)
	}
	if d := s.Delta(nil, nil, nil, nil); d != 0 {
		t.Errorf("delta of nothing %v", d)
	}
}
