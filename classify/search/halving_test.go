package search_test

import (
	"context"
	"errors"
	"fmt"
	"math"
	"reflect"
	"runtime"
	"slices"
	"testing"

	"github.com/seqsvm/seqsvm/bow"
	"github.com/seqsvm/seqsvm/classify"
	"github.com/seqsvm/seqsvm/classify/dataset"
	"github.com/seqsvm/seqsvm/classify/search"
	"github.com/seqsvm/seqsvm/internal/must"
	"github.com/seqsvm/seqsvm/spectrum"
	"github.com/seqsvm/seqsvm/stringkernel"
	"github.com/seqsvm/seqsvm/stringkernel/compose"
)

// halving is a search among nine kernels of words and letters, whose means are made where they are asked for.
func halving(budget float64) *search.Halving {
	h := &search.Halving{Budget: budget, Folds: 4, Seed: 7}
	var terms [][]stringkernel.Kernel
	add := func(of []stringkernel.Kernel, cost search.Cost) int {
		var kernel stringkernel.Kernel = compose.Mean(of, nil)
		if len(of) == 1 {
			kernel = of[0]
		}
		var list []classify.Trainer
		for _, c := range []float64{0.1, 0.3, 1, 3} {
			list = append(list, classify.Trainer{Kernel: kernel, C: c})
		}
		terms = append(terms, of)
		h.Contenders = append(h.Contenders, search.Contender{Candidates: list, Cost: cost, Mean: len(of) > 1})
		return len(terms) - 1
	}
	normal := func(k stringkernel.Kernel) []stringkernel.Kernel {
		return []stringkernel.Kernel{compose.Normalized(k)}
	}
	for k := range 5 {
		add(normal(spectrum.Kernel{K: k + 1, Alphabet: stringkernel.Bytes}), search.Cost{Letter: 1 + float64(k)/4})
	}
	for n := range 3 {
		add(normal(bow.Kernel{NGram: fmt.Sprint("1-", n+1)}), search.Cost{Fixed: 500, Letter: 1})
	}
	add(normal(bow.Kernel{NGram: "1", TFIDF: true}), search.Cost{Pair: 0.1})
	h.Mean = func(of []int) (int, error) {
		var all []stringkernel.Kernel
		var cost search.Cost
		for _, n := range of {
			all = append(all, terms[n]...)
			cost.Letter += h.Contenders[n].Cost.Letter
		}
		return add(all, cost), nil
	}
	return h
}

// TestHalvingOfAllRecords compares a search whose budget is ample with that of all candidates.
func TestHalvingOfAllRecords(t *testing.T) {
	d := noisyWords(t, 400, 2, 3)
	fold := folds(t, d, 4)
	h := halving(1e9)
	course := must.Get(h.Run(context.Background(), d, fold))(t)
	if len(course.Costly) > 0 || len(course.Rungs) < 2 || course.Rungs[0].Records != 400 ||
		len(course.Rungs[0].Entrants) != 36 {
		t.Fatalf("%d rungs, the first of %d entrants on %d records, %v are costly", len(course.Rungs),
			len(course.Rungs[0].Entrants), course.Rungs[0].Records, course.Costly)
	}
	var s search.Search
	for _, e := range course.Entrants {
		s.Candidates = append(s.Candidates, h.Contenders[e.Contender].Candidates[e.Candidate])
	}
	want := must.Get(s.Run(context.Background(), d, fold))(t)
	for i := range want.Results {
		got, _ := course.Table.Value(i)
		if mean, _ := want.Value(i); math.Abs(mean-got) > 1e-9 {
			t.Errorf("entrant %v has %v, a search among all %v", course.Entrants[i], got, mean)
		}
	}
	if course.Table.Compare(course.Table.Best, want.Best) != 0 {
		t.Errorf("the best is %d, of a search among all %d", course.Table.Best, want.Best)
	}
	if course.Winner(search.OneSE) != course.Entrants[course.Table.Simplest] {
		t.Errorf("the simplest is not that of the table")
	}
}

// TestHalvingKeepsToItsBudget counts the work of rungs for many budgets, and sees the rungs narrow. Of four costs only
// the third is tried on less than three quarters of the records, and all on more.
func TestHalvingKeepsToItsBudget(t *testing.T) {
	d := noisyWords(t, 900, 2, 5)
	least, sizes, one, all := math.Inf(1), map[int]bool{}, 0, 0
	for budget := 3e7; budget > 1e5; budget *= 0.4 {
		h := halving(budget)
		course, err := h.Run(context.Background(), d, folds(t, d, 4))
		var small *search.BudgetError
		if errors.As(err, &small) {
			least = min(least, small.Least)
			continue
		}
		if err != nil {
			t.Fatal(err)
		}
		// of two classes
		used := h.Contenders[course.Winner(search.Best).Contender].Cost.Of(900, d.Corpus.Letters())
		before := 9
		for i, rung := range course.Rungs {
			for _, e := range rung.Entrants {
				used += float64(rung.Folds) * h.Contenders[e.Contender].Cost.Of(rung.Records, rung.Letters)
			}
			contenders := rung.Best()
			switch {
			case rung.Mean:
			case len(rung.Entrants) == 4*len(contenders) && rung.Records >= 675:
				all++
			case len(rung.Entrants) == len(contenders) && rung.Entrants[0].Candidate == 2 && rung.Folds == 3:
				one++
			default:
				t.Errorf("budget %g: rung %d tries %v on %d records in %d folds", budget, i+1, rung.Entrants, rung.Records,
					rung.Folds)
			}
			if !rung.Mean && len(contenders) > before || rung.Records < 300 {
				t.Errorf("budget %g: rung %d has %d contenders after %d, %d records", budget, i+1, len(contenders), before,
					rung.Records)
			}
			for j, k := range rung.Kept {
				if !rung.Mean && rung.Entrants[contenders[j]].Contender != k {
					t.Errorf("budget %g: rung %d keeps %v, of the best %v", budget, i+1, rung.Kept, contenders)
				}
			}
			before, sizes[rung.Records] = len(rung.Kept), true
		}
		if used > budget || math.Abs(used-course.Work) > 1e-6*used {
			t.Errorf("budget %g: work %g, is said to be %g", budget, used, course.Work)
		}
	}
	if len(sizes) < 4 || math.IsInf(least, 1) || one < 3 || all < 3 {
		t.Errorf("rungs had %v records, %d one cost, %d all, the least budget is %v", sizes, one, all, least)
	}
	if _, err := halving(least).Run(context.Background(), d, folds(t, d, 4)); err != nil {
		t.Errorf("the least budget %v does not do: %v", least, err)
	}
	if _, err := halving(0.99*least).Run(context.Background(), d, folds(t, d, 4)); err == nil {
		t.Errorf("less than the least budget %v does", least)
	}
}

// TestKnownContenders: of those that do not go on, the one that is known does where it is in the better half.
func TestKnownContenders(t *testing.T) {
	d := noisyWords(t, 900, 2, 5)
	better := 0
	for known := 1; known < 9; known += 2 {
		h := halving(3e6)
		h.Mean, h.Contenders = nil, append(h.Contenders, h.Contenders...)
		h.Contenders[known].Known = true
		rung := must.Get(h.Run(context.Background(), d, folds(t, d, 4)))(t).Rungs[0]
		place := slices.IndexFunc(rung.Best(), func(i int) bool { return rung.Entrants[i].Contender == known })
		most := (len(rung.Best()) + 2) / 3
		if want := place < len(rung.Best())/2; place >= most && slices.Contains(rung.Kept, known) != want {
			t.Errorf("contender %d, at place %d of %d, is kept: %t", known, place, len(rung.Best()), !want)
		} else if want && place >= most {
			better++
		}
	}
	if better == 0 {
		t.Error("no known contender was kept for that")
	}
}

// TestHalvingIsRepeatable compares courses on one thread and on several. Groups are larger than samples.
func TestHalvingIsRepeatable(t *testing.T) {
	d := noisyWords(t, 900, 3, 5)
	for i := range d.Len() {
		d.Groups = append(d.Groups, fmt.Sprint(i%5))
	}
	run := func(threads int) *search.Course {
		defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(threads))
		return must.Get(halving(4e6).Run(context.Background(), d, folds(t, d, 4)))(t)
	}
	first := run(1)
	if first.Rungs[0].Records >= 900 {
		t.Fatal("no sample was drawn")
	}
	if !reflect.DeepEqual(run(5), first) {
		t.Error("another course with 5 threads")
	}
}

// TestMeansGain follows means of several data sets: each is of the best so far and one more, and is kept if it is
// better.
func TestMeansGain(t *testing.T) {
	gains := 0
	for seed := range uint64(3) {
		d := noisyWords(t, 400, 2, seed)
		h := halving(1e9)
		made, mean := map[int][]int{}, h.Mean
		h.Mean = func(of []int) (int, error) {
			n, err := mean(of)
			made[n] = slices.Clone(of)
			return n, err
		}
		course := must.Get(h.Run(context.Background(), d, folds(t, d, 4)))(t)
		finalists := course.Rungs[0].Kept
		terms, winner := finalists[:1], finalists[0]
		for i, rung := range course.Rungs[1:] {
			for _, e := range rung.Entrants {
				if of := made[e.Contender]; !rung.Mean || !slices.Equal(of[:len(of)-1], terms) ||
					!slices.Contains(finalists, of[len(of)-1]) {
					t.Errorf("rung %d tries the mean of %v after %v", i+2, of, terms)
				}
			}
			if len(rung.Kept) > 0 {
				winner = rung.Kept[0]
				terms = made[winner]
				gains++
			} else if i+2 != len(course.Rungs) {
				t.Errorf("rung %d gained nothing, and more follow", i+2)
			}
		}
		if got := course.Winner(search.Best).Contender; got != winner {
			t.Errorf("the winner is %d, the last that gained %d", got, winner)
		}
	}
	if gains < 2 {
		t.Errorf("means gained %d times", gains)
	}
}

// TestHalvingOfFewRecords compares the figures with those of three divisions into folds, and the winner with the plain
// kernel, which is the first.
func TestHalvingOfFewRecords(t *testing.T) {
	plain, others := 0, 0
	for seed := range uint64(2) {
		d := noisyWords(t, 100, 2, seed)
		h := halving(1e9)
		h.Contenders = h.Contenders[5*seed:][:4] // the plain one is by single letters, or by words
		h.Mean = nil
		for _, c := range h.Contenders {
			for i := range c.Candidates {
				c.Candidates[i].Tol = 1e-6
			}
		}
		fold := folds(t, d, 4)
		course := must.Get(h.Run(context.Background(), d, fold))(t)
		divisions := [][]int{fold, must.Get(d.Folds(4, 8))(t), must.Get(d.Folds(4, 9))(t)}
		best, bestOfPlain, winner := 0, 0, course.Winner(search.Best)
		for i, e := range course.Entrants {
			s := search.Search{Candidates: []classify.Trainer{h.Contenders[e.Contender].Candidates[e.Candidate]}}
			want := 0.0
			for _, fold := range divisions {
				mean, _ := must.Get(s.Run(context.Background(), d, fold))(t).Value(0)
				want += mean / 3
			}
			got, _ := course.Table.Value(i)
			if math.Abs(got-want) > 2e-3 { // solved alone, not from another cost
				t.Errorf("entrant %v has %v, want %v", e, got, want)
			}
			if course.Table.Compare(i, best) < 0 {
				best = i
			}
			if e.Contender == 0 && course.Table.Compare(i, bestOfPlain) < 0 {
				bestOfPlain = i
			}
		}
		value, sd := course.Table.Value(best)
		if of, _ := course.Table.Value(bestOfPlain); of >= value-sd/2 { // of four folds, however often
			plain++
			best = bestOfPlain
		} else {
			others++
		}
		if winner.Contender != course.Entrants[best].Contender {
			t.Errorf("seed %d: the winner is %v, want %v", seed, winner, course.Entrants[best])
		}
	}
	if plain == 0 || others == 0 {
		t.Errorf("the plain kernel won %d times, others %d", plain, others)
	}
}

// TestHalvingEndsWhereNothingCanBeBetter has classes that every kernel tells apart.
func TestHalvingEndsWhereNothingCanBeBetter(t *testing.T) {
	var b stringkernel.CorpusBuilder
	var labels []string
	for i := range 300 {
		labels = append(labels, fmt.Sprint("class", i%2))
		b.Add(fmt.Sprint(i), fmt.Appendf(nil, "w%d w%d", i%2, i))
	}
	d := must.Get(dataset.New(b.Corpus(), labels, nil))(t)
	course := must.Get(halving(1e9).Run(context.Background(), d, folds(t, d, 4)))(t)
	if mean, _ := course.Table.Value(course.Table.Best); mean != 1 || len(course.Rungs) != 1 {
		t.Errorf("%d rungs, %v", len(course.Rungs), mean)
	}
}

// TestUngrouped measures the winner on folds that divide groups: as a search of it alone does without them.
func TestUngrouped(t *testing.T) {
	d := noisyWords(t, 300, 2, 3)
	whole := *d
	for i := range d.Len() {
		d.Groups = append(d.Groups, fmt.Sprint(i/2))
	}
	h := halving(1e9)
	h.Ungrouped = true
	course := must.Get(h.Run(context.Background(), d, folds(t, d, 4)))(t)
	e := course.Winner(search.Best)
	s := search.Search{Candidates: []classify.Trainer{h.Contenders[e.Contender].Candidates[e.Candidate]}}
	want, _ := must.Get(s.Run(context.Background(), &whole, must.Get(whole.Folds(4, 7))(t)))(t).Value(0)
	if got := course.Ungrouped.Mean.Value(course.Table.Metric); math.Abs(got-want) > 1e-6 {
		t.Errorf("got %v, want %v", got, want)
	}
}

// TestHalvingNested compares with searches on the records outside each fold, which are blind to it.
func TestHalvingNested(t *testing.T) {
	d := noisyWords(t, 120, 2, 3)
	outer := folds(t, d, 2)
	h := halving(1e9)
	nested, picked, err := h.Nested(context.Background(), d, outer)
	if err != nil || len(picked) != 2 || len(nested.Folds) != 2 {
		t.Fatalf("%d picked, %v", len(picked), err)
	}
	for f := range 2 {
		var train []int
		for i := range outer {
			if outer[i] != f {
				train = append(train, i)
			}
		}
		rest := d.Subset(train)
		fold := must.Get(rest.Folds(4, 7))(t)
		alone := halving(1e9)
		course := must.Get(alone.Run(context.Background(), rest, fold))(t)
		got := h.Contenders[picked[f].Contender].Candidates[picked[f].Candidate]
		e := course.Winner(search.Best)
		if want := alone.Contenders[e.Contender].Candidates[e.Candidate]; !reflect.DeepEqual(got, want) {
			t.Errorf("fold %d picked %+v, a search without it %+v", f+1, got, want)
		}
	}
}

// TestHalvingErrors has messages that name the contender.
func TestHalvingErrors(t *testing.T) {
	d := noisyWords(t, 60, 2, 3)
	if _, err := new(search.Halving).Run(context.Background(), d, folds(t, d, 4)); err == nil {
		t.Error("a search without contenders")
	}
	h := halving(1e9)
	h.Contenders[4].Candidates[2].C = -1
	_, err := h.Run(context.Background(), d, folds(t, d, 4))
	var about *search.CandidateError
	if !errors.As(err, &about) || about.Candidate != 4 {
		t.Errorf("C = -1 of contender 4: %v", err)
	}
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if _, err := halving(1e9).Run(ctx, d, folds(t, d, 4)); !errors.Is(err, context.Canceled) {
		t.Errorf("cancelled: %v", err)
	}
}
