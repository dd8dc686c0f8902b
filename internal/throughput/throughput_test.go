package throughput_test

import (
	"context"
	"errors"
	"testing"

	"github.com/seqsvm/seqsvm/catalog"
	"github.com/seqsvm/seqsvm/internal/throughput"
)

// TestMeasure checks that every kernel of sequences in the catalogue can be measured and that nothing in a row is left
// out.
func TestMeasure(t *testing.T) {
	for _, e := range catalog.Default() {
		if !e.OfSequences() {
			continue
		}
		kernel := e.Example
		if e.Name == "gapped" {
			kernel = "gapped:l=6,k=4,d=2,rc"
		}
		r, err := throughput.Measure(context.Background(), kernel, throughput.Options{Sequences: 60, Length: 50, Repeats: 1, C: 1, Seed: 1})
		if err != nil {
			t.Fatalf("%s: %v", kernel, err)
		}
		if r.Letters != 3000 || r.Sequences != 60 || r.Index <= 0 || r.Product <= 0 || r.Train <= 0 ||
			r.Iterations <= 0 || r.Raw <= 0 || r.Normalized <= 0 || r.Solver == "" {
			t.Errorf("%s: %+v", kernel, r)
		}
	}
}

func TestMeasureErrors(t *testing.T) {
	small := throughput.Options{Sequences: 20, Length: 30, Repeats: 1, C: 1}
	if _, err := throughput.Measure(context.Background(), "spectrum:k=0", small); err == nil {
		t.Error("k = 0: no error")
	}
	if _, err := throughput.Measure(context.Background(), "spectrum:k=3", throughput.Options{Sequences: 0, Length: 30}); err == nil {
		t.Error("no sequences: no error")
	}
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if _, err := throughput.Measure(ctx, "spectrum:k=3", small); !errors.Is(err, context.Canceled) {
		t.Errorf("cancelled: %v", err)
	}
}
