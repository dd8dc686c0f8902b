package windows_test

import (
	"fmt"
	"math/rand/v2"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/seqsvm/seqsvm/internal/must"
	"github.com/seqsvm/seqsvm/seqio/genome"
	"github.com/seqsvm/seqsvm/seqio/windows"
)

// TestDuplicates: of windows with equal letters a true one stays before a decoy, and one for testing before one for
// training. By hand: windows AGTC, CGTG, TGTA and GGTT.
func TestDuplicates(t *testing.T) {
	g := memory{[]string{"chr1", "chr2"}, map[string]string{
		"chr1": "AGTCC" + "AGTCC" + "CGTGC" + "CGTGC" + "TGTAA" + "TGTAA" + "AGTCC" + "GGTTT" + "GGTTT",
		"chr2": "AGTCC" + "TGTAA" + "CGTGC",
	}}
	p := &windows.Plan{Upstream: 1, Downstream: 3, Motif: "GT", Split: windows.Split{Records: []string{"chr2"}},
		Train: windows.Decoys{All: true}, Test: windows.Decoys{All: true}}
	for _, pos := range []int{1, 6, 11, 16} {
		p.Sites = append(p.Sites, windows.Site{Seq: "chr1", Pos: pos, Strand: genome.Plus})
	}
	p.Sites = append(p.Sites, windows.Site{Seq: "chr2", Pos: 1, Strand: genome.Plus})
	for _, name := range g.names {
		p.Regions = append(p.Regions, windows.Region{name, genome.Span{End: len(g.letters[name])}, genome.Plus})
	}
	r := mustCut(t, p, g)
	tally := func(written, duplicate, inTest, otherClass int) windows.Tally {
		x := windows.Tally{Written: written}
		x.Dropped[windows.Duplicate], x.Dropped[windows.InTest], x.Dropped[windows.OtherClass] = duplicate, inTest, otherClass
		return x
	}
	want := [2]windows.Counts{
		{Found: 5, Train: tally(1, 1, 2, 0), Test: tally(1, 0, 0, 0)},
		{Found: 7, Train: tally(1, 1, 2, 1), Test: tally(1, 0, 0, 1)},
	}
	if r.True != want[0] || r.Decoy != want[1] {
		t.Errorf("%+v\n%+v, want %+v", r.True, r.Decoy, want)
	}
	const explained = "1 identical to another of the class, 2 identical to one of the class in the test part, 2 " +
		"identical to one of the other class"
	if got := r.Decoy.Explain(); got != explained {
		t.Errorf("%s, want %s", got, explained)
	}
	p.KeepDuplicates = true
	if r := mustCut(t, p, g); len(r.Train) != 9 || len(r.Test) != 3 {
		t.Errorf("%d and %d windows, want all 9 and 3", len(r.Train), len(r.Test))
	}
}

// TestCutSeeds: the same seed gives the same windows, whatever the order of sites, regions and records; a larger draw
// contains a smaller one.
func TestCutSeeds(t *testing.T) {
	g := randomGenome(3, 20_000)
	p := &windows.Plan{Upstream: 10, Downstream: 11, Motif: "AG", Anywhere: true, Train: windows.Decoys{Number: 100}, Seed: 7}
	for i := range 60 {
		p.Sites = append(p.Sites, siteAt(t, g, g.names[i%3], 50+300*i, "AG"))
	}
	first := mustCut(t, p, g)
	if len(first.Train) != first.True.Train.Written+100 {
		t.Fatalf("%+v", first.Decoy)
	}
	turned := *p
	turned.Sites = slices.Clone(p.Sites)
	slices.Reverse(turned.Sites)
	other := memory{[]string{"chr3", "chr1", "chr2"}, g.letters}
	if again := mustCut(t, &turned, other); !reflect.DeepEqual(letters(again.Train), letters(first.Train)) {
		t.Error("the order of the sites or of the records changes the draw")
	}
	more := *p
	more.Train.Number = 300
	large := letters(mustCut(t, &more, g).Train)
	for _, s := range letters(first.Train) {
		if _, found := slices.BinarySearch(large, s); !found {
			t.Fatal("a larger draw does not contain a smaller one")
		}
	}
	more.Seed, more.Train.Number = 8, 100
	if reflect.DeepEqual(letters(mustCut(t, &more, g).Train), letters(first.Train)) {
		t.Error("another seed draws the same decoys")
	}
}

// TestDrawIsUniform counts how often each of a few candidates is drawn.
func TestDrawIsUniform(t *testing.T) {
	g := randomGenome(1, 2000)
	p := &windows.Plan{Upstream: 8, Downstream: 8, Motif: "GT", Anywhere: true, Train: windows.Decoys{All: true}}
	p.Sites = []windows.Site{siteAt(t, g, "chr1", 1000, "GT")}
	all := mustCut(t, p, g).Decoy.Train.Written
	const rounds, drawn = 2000, 20
	times := map[string]int{}
	p.Train = windows.Decoys{Number: drawn}
	for seed := range rounds {
		p.Seed = uint64(seed)
		for _, w := range mustCut(t, p, g).Train {
			if !w.True {
				times[w.Place()]++
			}
		}
	}
	// Chi-squared with all−1 degrees of freedom (times n/(n−1) · 1/(1−f), close to 1): its mean is all−1, its standard
	// deviation √(2·all).
	expected, chi := float64(rounds*drawn)/float64(all), 0.0
	for _, n := range times {
		chi += (float64(n) - expected) * (float64(n) - expected) / expected
	}
	chi += float64(all-len(times)) * expected
	if limit := float64(all) + 6*14.2*float64(all)/100; len(times) != all || chi > limit {
		t.Errorf("%d of %d candidates drawn, chi-squared %.0f, want about %d", len(times), all, chi, all)
	}
}

func randomGenome(records, length int) memory {
	m := memory{letters: map[string]string{}}
	rng := rand.New(rand.NewPCG(1, 2))
	for i := range records {
		b := make([]byte, length)
		for k := range b {
			b[k] = "ACGT"[rng.IntN(4)]
		}
		name := fmt.Sprintf("chr%d", i+1)
		m.names = append(m.names, name)
		m.letters[name] = string(b)
	}
	return m
}

// siteAt returns the first site from a position on that has the motif, which there has to be.
func siteAt(t *testing.T, g memory, name string, from int, motif string) windows.Site {
	t.Helper()
	s := siteFrom(g, name, from, motif)
	if s.Pos < from {
		t.Fatal("no motif")
	}
	return s
}

func siteFrom(g memory, name string, from int, motif string) windows.Site {
	return windows.Site{Seq: name, Pos: from + strings.Index(g.letters[name][from:], motif), Strand: genome.Plus}
}

func mustCut(t *testing.T, p *windows.Plan, g windows.Genome) *windows.Result {
	t.Helper()
	return must.Get(p.Cut(t.Context(), g))(t)
}

func letters(list []windows.Window) []string {
	var all []string
	for _, w := range list {
		all = append(all, w.Letters)
	}
	slices.Sort(all)
	return all
}
