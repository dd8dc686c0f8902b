package kmers_test

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/seqsvm/seqsvm/internal/must"
	"github.com/seqsvm/seqsvm/model/kmers"
)

// TestDesignIsBestOfAll compares designs with the best of all sequences that the goals allow.
func TestDesignIsBestOfAll(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 5))
	for _, c := range goodKernels {
		if c.length < 2 {
			continue
		}
		s := must.Get(kmers.NewScorer(t.Context(), handMade(t, true, c.spec)))(t)
		d := must.Get(s.NewDesigner(t.Context()))(t)
		length := c.length + 2
		if len(c.letters) > 4 {
			length = c.length
		}
		all := allKmers(c.letters, length)
		for range 20 {
			goal := kmers.Goal{Least: rng.IntN(2) == 0}
			for range length {
				allowed := c.letters
				if rng.IntN(3) == 0 {
					at := rng.IntN(len(c.letters) - 1)
					allowed = c.letters[at : at+1+rng.IntN(len(c.letters)-at)]
				}
				goal.Allowed = append(goal.Allowed, allowed)
			}
			if rng.IntN(2) == 0 {
				goal.From, goal.Changes = []byte(all[rng.IntN(len(all))]), rng.IntN(length+1)
			}
			want, some := math.Inf(-1), false
			for _, x := range all {
				if score := s.Sum([]byte(x)); allows(goal, x) && (!some || (score > want) != goal.Least) {
					want, some = score, true
				}
			}
			x, score, err := d.Best(t.Context(), goal)
			switch {
			case !some:
				if err == nil {
					t.Errorf("%s, %+v: %s, want an error", c.spec, goal, x)
				}
			case err != nil || math.Abs(score-want) > 1e-12 || !allows(goal, string(x)) || math.Abs(s.Sum(x)-score) > 1e-12:
				t.Errorf("%s, %+v: %s of %v, %v; want %v", c.spec, goal, x, score, err, want)
			}
		}
	}
}

// allows reports whether a goal allows a sequence.
func allows(g kmers.Goal, x string) bool {
	changes := 0
	for at, letter := range []byte(x) {
		fits := false
		for _, a := range []byte(g.Allowed[at]) {
			fits = fits || a == letter
		}
		if !fits {
			return false
		}
		if g.From != nil && g.From[at] != letter {
			changes++
		}
	}
	return changes <= g.Changes || g.From == nil
}
