package stringkernel

import (
	"strings"
	"testing"
)

// The limit of 32-bit places is said with a way out.
func TestCheckLetters(t *testing.T) {
	if err := checkLetters(1<<31 - 2); err != nil {
		t.Error(err)
	}
	err := checkLetters(1<<31 - 1)
	if err == nil || !strings.Contains(err.Error(), "spectrum, gapped, mismatch, wd, words") {
		t.Errorf("%v, want a way out", err)
	}
}
