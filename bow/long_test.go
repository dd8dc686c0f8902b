//go:build long

package bow_test

import (
	"testing"

	"github.com/seqsvm/seqsvm/bow"
	"github.com/seqsvm/seqsvm/classify"
	"github.com/seqsvm/seqsvm/stringkernel"
	"github.com/seqsvm/seqsvm/stringkernel/compose"
	"github.com/seqsvm/seqsvm/stringkernel/substring"
)

// Sequences of words that count half as much for each word more, alone and beside the bag, untuned.
func TestAccuracyOfSequencesOnReuters(t *testing.T) {
	words := compose.Normalized(bow.Kernel{NGram: "1-2", TFIDF: true, Sublinear: true})
	sequences := compose.Normalized(
		bow.Sequence{Kernel: substring.Kernel{Weight: substring.Decay, Lambda: 0.5, Unit: bow.Word}})
	if accuracy := accuracyOnReuters(t, classify.Trainer{Kernel: sequences}); accuracy < 0.97 {
		t.Errorf("accuracy %.4f, want 0.97", accuracy)
	}
	if accuracy := accuracyOnReuters(t,
		classify.Trainer{Kernel: compose.Mean([]stringkernel.Kernel{words, sequences}, nil)}); accuracy < 0.973 {
		t.Errorf("accuracy %.4f with a bag of words, want 0.973", accuracy)
	}
}
