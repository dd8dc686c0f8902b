package suggest

import "testing"

// Distances from the definition, by hand.
func TestDistance(t *testing.T) {
	for _, c := range []struct {
		a, b string
		want int
	}{
		{"", "", 0}, {"", "abc", 3}, {"abc", "", 3}, {"abc", "abc", 0}, {"abc", "abd", 1}, {"abc", "ac", 1},
		{"abc", "xabc", 1}, {"abc", "acb", 1}, {"kitten", "sitting", 3}, {"ca", "abc", 3}, {"é", "e", 1},
	} {
		if got := distance([]rune(c.a), []rune(c.b)); got != c.want {
			t.Errorf("distance(%q, %q) = %d, want %d", c.a, c.b, got, c.want)
		}
	}
}

func TestNearest(t *testing.T) {
	known := []string{"spectrum", "mismatch", "gapped", "substring", "class-weight", "wd"}
	for _, c := range []struct{ unknown, want string }{
		{"spectum", "spectrum"}, {"SPECTRUM", "spectrum"}, {"gaped", "gapped"}, {"class_weight", "class-weight"},
		{"dw", "wd"}, {"subst", "substring"}, {"convolution", ""}, {"", ""}, {"x", ""}, {"WD", "wd"},
	} {
		if got := Nearest(c.unknown, known); got != c.want {
			t.Errorf("Nearest(%q) = %q, want %q", c.unknown, got, c.want)
		}
	}
	if got, want := Hint("gaped", known), `; did you mean "gapped"?`; got != want {
		t.Errorf("Hint = %s, want %s", got, want)
	}
}
