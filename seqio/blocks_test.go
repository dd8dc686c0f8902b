package seqio_test

import (
	"context"
	"strings"
	"testing"

	"github.com/seqsvm/seqsvm/seqio"
)

// An error in FASTA names its record, whatever the input before it was.
func TestErrorAfterTable(t *testing.T) {
	inputs := []seqio.Input{{Path: "a.jsonl", Reader: strings.NewReader(`{"text":"A"}`)},
		{Path: "b.fa", Reader: strings.NewReader(">x\nA!\n")}}
	_, err := seqio.ReadAll(context.Background(), inputs, seqio.Options{})
	if want := `b.fa:2: record "x": `; err == nil || !strings.HasPrefix(err.Error(), want) {
		t.Errorf("%v, want %s…", err, want)
	}
}
