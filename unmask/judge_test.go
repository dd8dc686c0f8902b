package unmask

import (
	"errors"
	"fmt"
	"math"
	"slices"
	"testing"

	"github.com/seqsvm/seqsvm/internal/must"
)

// curveOf is a curve of accuracies.
func curveOf(accuracies ...float64) *Curve {
	c := new(Curve)
	for _, a := range accuracies {
		c.Points = append(c.Points, Point{Accuracy: a})
	}
	return c
}

func TestVector(t *testing.T) {
	got := curveOf(1, 0.9, 0.5, 0.6).Vector()
	want := []float64{1, 0.9, 0.5, 0.6, 0.1, 0.4, -0.1, 0.4, 0.5, 0.3, 0.5}
	if !slices.EqualFunc(got, want, func(a, b float64) bool { return math.Abs(a-b) < 1e-12 }) {
		t.Errorf("%v, want %v", got, want)
	}
}

// What is learned from pairs of some authors is right about others, by the texts themselves.
func TestJudgeOfAuthors(t *testing.T) {
	type work struct {
		name   string
		author uint64
		words  []string
	}
	var works []work
	for author := range uint64(4) {
		for number := range uint64(2) {
			name := fmt.Sprintf("work%d%c", author, 'a'+rune(number))
			works = append(works, work{name, author, newAuthor(author, 10*author+number, 0.5).write(4000, name)})
		}
	}
	var pairs []Pair
	for i, a := range works {
		for _, b := range works[:i] {
			curve := must.Get(Compare(t.Context(), a.words, b.words, Options{Chunk: 200, Words: 100, Rounds: 8, Folds: 5, Runs: 1}))(t)
			pairs = append(pairs, Pair{a.name, b.name, a.author == b.author, curve})
		}
	}
	j := must.Get(NewJudge(pairs, 0))(t)
	decisions := must.Get(j.LeaveOut(t.Context()))(t)
	right := 0
	for i, p := range pairs {
		if (decisions[i] > 0) == p.Same {
			right++
		}
	}
	if right < len(pairs)-2 {
		t.Errorf("%d of %d pairs are right: %v", right, len(pairs), decisions)
	}
	again, err := j.Decide(t.Context(), pairs[3].A, pairs[3].B, pairs[3].Curve)
	if err != nil || again != decisions[3] {
		t.Errorf("%v, then %v (%v)", decisions[3], again, err)
	}
}

// A pair that shares a text with the one that is asked about teaches nothing.
func TestJudgeLeavesTextsOut(t *testing.T) {
	steep, flat := curveOf(1, 0.7, 0.5), curveOf(1, 1, 0.95)
	pairs := []Pair{{"a", "b", true, steep}, {"c", "d", false, flat}, {"e", "f", true, steep}, {"g", "h", false, flat}}
	with := must.Get(NewJudge(append([]Pair{{"x", "a", true, flat}, {"b", "x", false, steep}}, pairs...), 1))(t)
	without := must.Get(NewJudge(pairs, 1))(t)
	got := must.Get(with.Decide(t.Context(), "x", "y", steep))(t)
	want, err := without.Decide(t.Context(), "x", "y", steep)
	if err != nil || got != want || !(want > 0) {
		t.Errorf("%v, want %v, of one author (%v)", got, want, err)
	}
	if d, err := without.Decide(t.Context(), "x", "y", flat); err != nil || !(d < 0) {
		t.Errorf("%v of two authors (%v)", d, err)
	}
	if _, err := NewJudge(pairs[:1], 1); !errors.Is(err, ErrOneKind) {
		t.Errorf("%v for pairs of one kind", err)
	}
	few := must.Get(NewJudge(pairs[:2], 1))(t)
	if _, err := few.LeaveOut(t.Context()); !errors.Is(err, ErrOneKind) {
		t.Errorf("%v where one kind is left", err)
	}
	if _, err := without.Decide(t.Context(), "x", "y", curveOf(1, 1)); err == nil {
		t.Error("no error for a shorter curve")
	}
	if _, err := NewJudge([]Pair{pairs[0], {"c", "d", false, curveOf(1, 1)}}, 1); err == nil {
		t.Error("no error for curves of different lengths")
	}
}
