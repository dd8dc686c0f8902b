package plural_test

import (
	"testing"

	"github.com/seqsvm/seqsvm/internal/plural"
)

func TestOf(t *testing.T) {
	for want, got := range map[string]string{
		"1 record": plural.Of(1, "record"), "0 records": plural.Of(0, "record"), "2 classes": plural.Of(2, "class"),
	} {
		if got != want {
			t.Errorf("%q, want %q", got, want)
		}
	}
}
