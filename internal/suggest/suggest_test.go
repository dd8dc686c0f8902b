package suggest_test

import "testing"

import "github.com/seqsvm/seqsvm/internal/suggest"

func TestNearest(t *testing.T) {
	known := []string{"spectrum", "mismatch", "gapped", "substring", "class-weight", "wd"}
	for _, c := range []struct{ unknown, want string }{
		{"spectum", "spectrum"}, {"SPECTRUM", "spectrum"}, {"gaped", "gapped"}, {"class_weight", "class-weight"},
		{"dw", "wd"}, {"subst", "substring"}, {"convolution", ""}, {"", ""}, {"x", ""}, {"WD", "wd"},
		{"LSGKM", "gapped:l=11,k=7,rc"}, {"auc", ""},
	} {
		if got := suggest.Nearest(c.unknown, known); got != c.want {
			t.Errorf("Nearest(%q) = %q, want %q", c.unknown, got, c.want)
		}
	}
	if got, want := suggest.Hint("gaped", known), `; did you mean "gapped"?`; got != want {
		t.Errorf("Hint = %s, want %s", got, want)
	}
}
