package windows

import (
	"bytes"
	"context"
	"fmt"
	"math/rand/v2"
	"reflect"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/seqsvm/seqsvm/seqio"
)

// memory is a genome in memory: names and letters.
type memory struct {
	names   []string
	letters map[string]string
}

func (m memory) Names() []string { return m.names }

func (m memory) Length(name string) (int, bool) {
	s, found := m.letters[name]
	return len(s), found
}

func (m memory) AppendSlice(dst []byte, name string, start, end int) ([]byte, error) {
	return append(dst, m.letters[name][start:end]...), nil
}

// drawGenome draws some records of few letters, so that everything happens: motifs at the ends, windows with equal letters, runs of N.
func drawGenome(t *rapid.T) memory {
	m := memory{letters: map[string]string{}}
	for i := range rapid.IntRange(1, 4).Draw(t, "records") {
		name := fmt.Sprintf("chr%d", i+1)
		n := rapid.IntRange(40, 160).Draw(t, "length")
		source := rand.New(rand.NewPCG(rapid.Uint64().Draw(t, "letters"), 1))
		letters := make([]byte, n)
		for k := range letters {
			letters[k] = "AAACGGGTTTN"[source.IntN(10+source.IntN(2)*source.IntN(2))]
		}
		m.names = append(m.names, name)
		m.letters[name] = string(letters)
	}
	return m
}

// drawPlan draws a plan for a genome.
func drawPlan(t *rapid.T, g memory) *Plan {
	p := &Plan{
		Upstream: rapid.IntRange(0, 6).Draw(t, "upstream"), Downstream: rapid.IntRange(2, 6).Draw(t, "downstream"),
		Motif:    Motif(rapid.SampledFrom([]string{"", "A", "AG", "GT", "GY"}).Draw(t, "motif")),
		Distance: rapid.IntRange(0, 8).Draw(t, "distance"),
		Train:    drawDecoys(t), Test: drawDecoys(t), KeepDuplicates: rapid.Bool().Draw(t, "duplicates"), Seed: rapid.Uint64Range(0, 3).Draw(t, "seed"),
	}
	place := func() (string, int, seqio.Strand) {
		name := rapid.SampledFrom(g.names).Draw(t, "record")
		return name, rapid.IntRange(0, max(0, len(g.letters[name])-1)).Draw(t, "position"), rapid.SampledFrom(strands[:]).Draw(t, "strand")
	}
	p.Anywhere = true
	carriers := naiveWindows(p, g) // most sites carry the motif
	p.Anywhere = rapid.Bool().Draw(t, "anywhere")
	for range rapid.IntRange(5, 30).Draw(t, "sites") {
		seq, pos, strand := place()
		if len(carriers) > 0 && rapid.IntRange(0, 4).Draw(t, "any place") > 0 {
			x := rapid.SampledFrom(carriers).Draw(t, "carrier")
			seq, pos, strand = x.seq, x.pos, x.strand
		}
		p.Sites = append(p.Sites, Site{Seq: seq, Pos: pos, Strand: strand})
	}
	for range rapid.IntRange(1, 6).Draw(t, "regions") {
		seq, pos, strand := place()
		p.Regions = append(p.Regions, Region{seq, seqio.Span{Start: pos, End: min(len(g.letters[seq]), pos+rapid.IntRange(10, 90).Draw(t, "size"))}, strand})
	}
	switch rapid.IntRange(0, 2).Draw(t, "split") {
	case 1:
		p.Split.Records = g.names[:rapid.IntRange(1, len(g.names)).Draw(t, "tests")]
	case 2:
		p.Split.Block = p.Upstream + p.Downstream + rapid.IntRange(0, 30).Draw(t, "block")
		p.Split.Fraction = rapid.Float64Range(0.01, 0.99).Draw(t, "fraction")
	}
	return p
}

func drawDecoys(t *rapid.T) Decoys {
	return Decoys{
		All: rapid.Bool().Draw(t, "all"), Number: rapid.IntRange(0, 10).Draw(t, "number"), Ratio: rapid.Float64Range(0, 5).Draw(t, "ratio"),
	}
}

// complement is written from its definition.
var complement = map[byte]byte{'A': 'T', 'C': 'G', 'G': 'C', 'T': 'A', 'N': 'N'}

func reverseComplement(s string) string {
	b := []byte(s)
	slices.Reverse(b)
	for i := range b {
		b[i] = complement[b[i]]
	}
	return string(b)
}

// spelled are the bases of the codes that drawPlan uses.
var spelled = map[byte]string{'A': "A", 'G': "G", 'T': "T", 'Y': "CT"}

// carries reports whether a sequence has the motif at place i.
func carries(m Motif, s string, i int) bool {
	for k := range len(m) {
		if i+k < 0 || i+k >= len(s) || !strings.ContainsRune(spelled[m[k]], rune(s[i+k])) {
			return false
		}
	}
	return true
}

// naive is what a plan should find at one strand of a record, by reading the strand as it is read: position, and the window or why there is none.
type naive struct {
	seq    string
	pos    int // plus strand
	strand seqio.Strand
	isTrue bool
	text   string
	span   seqio.Span
	why    Reason // if text is ""
}

// naiveWindows looks at every position of every strand.
func naiveWindows(p *Plan, g memory) []naive {
	var all []naive
	for _, name := range g.names {
		for _, strand := range strands {
			s := g.letters[name]
			n := len(s)
			if strand == seqio.Minus {
				s = reverseComplement(s)
			}
			for i := range n { // position in the direction of the strand
				x := naive{seq: name, pos: i, strand: strand}
				if strand == seqio.Minus {
					x.pos = n - 1 - i
				}
				inRegion, near := p.Anywhere, false
				for _, r := range p.Regions {
					inRegion = inRegion || r.Seq == name && r.Strand == strand && r.Start <= x.pos && x.pos < r.End
				}
				for _, q := range p.Sites {
					if q.Seq == name {
						x.isTrue = x.isTrue || q.Strand == strand && q.Pos == x.pos
						near = near || max(q.Pos-x.pos, x.pos-q.Pos) < p.Distance
					}
				}
				if !x.isTrue && !(inRegion && carries(p.Motif, s, i)) {
					continue
				}
				from, to := i-p.Upstream, i+p.Downstream
				switch {
				case !x.isTrue && near:
					x.why = Near
				case from < 0 || to > n:
					x.why = OverEnd
				case !carries(p.Motif, s, i):
					x.why = NoConsensus
				case strings.Contains(s[from:to], "N"):
					x.why = Ambiguous
				default:
					x.text = s[from:to]
					x.span = seqio.Span{Start: from, End: to}
					if strand == seqio.Minus {
						x.span = seqio.Span{Start: n - to, End: n - from}
					}
				}
				all = append(all, x)
			}
		}
	}
	return all
}

// TestCutAgainstNaive compares with a reading of every position, and checks what a result has to be whatever the draw.
func TestCutAgainstNaive(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		g := drawGenome(t)
		p := drawPlan(t, g)
		result, err := p.Cut(context.Background(), g)
		if err != nil {
			t.Skip(err) // a part is empty: TestPlanErrors
		}
		places := map[string]naive{}
		found, why := [2]int{}, [2]map[Reason]int{{}, {}}
		class := func(isTrue bool) int {
			if isTrue {
				return 1
			}
			return 0
		}
		for _, x := range naiveWindows(p, g) {
			found[class(x.isTrue)]++
			if x.text == "" {
				why[class(x.isTrue)][x.why]++
				continue
			}
			places[fmt.Sprint(x.seq, x.span, x.strand)] = x
		}
		checkCounts(t, p, result, found, why)
		seen := map[string]bool{}
		for k, list := range [][]Window{result.Train, result.Test} {
			for i, w := range list {
				x, known := places[fmt.Sprint(w.Seq, w.Span, w.Strand)]
				if !known || x.text != w.Letters || x.isTrue != w.True {
					t.Fatalf("%+v, want %+v", w, x)
				}
				delete(places, fmt.Sprint(w.Seq, w.Span, w.Strand)) // none comes twice
				if !p.KeepDuplicates && seen[w.Letters] {
					t.Fatalf("letters %s come twice", w.Letters)
				}
				seen[w.Letters] = true
				if i > 0 && w.Seq == list[i-1].Seq && w.Start < list[i-1].Start {
					t.Fatal("not in the order of the genome")
				}
				if len(p.Split.Records) > 0 && slices.Contains(p.Split.Records, w.Seq) != (k == 1) {
					t.Fatalf("%+v is in the wrong part", w)
				}
			}
		}
		for _, a := range result.Train {
			for _, b := range result.Test {
				if a.Seq == b.Seq && a.Start < b.End && b.Start < a.End {
					t.Fatalf("training window %+v overlaps test window %+v", a, b)
				}
			}
		}
		checkRest(t, p, result, places, seen)
	})
}

// sum returns the number of places of a tally.
func sum(t Tally) int {
	n := t.Written
	for _, k := range t.Dropped {
		n += k
	}
	return n
}

// checkCounts compares the counts with those of the naive reading, and with the windows.
func checkCounts(t *rapid.T, p *Plan, r *Result, found [2]int, why [2]map[Reason]int) {
	for k, c := range []*Counts{&r.Decoy, &r.True} {
		written := [2]int{}
		for i, list := range [][]Window{r.Train, r.Test} {
			for _, w := range list {
				if w.True == (k == 1) {
					written[i]++
				}
			}
		}
		if c.Found != found[k] || c.Found != sum(c.Unassigned)+sum(c.Train)+sum(c.Test) {
			t.Fatalf("class %d: %+v, found %d", k, c, found[k])
		}
		if c.Train.Written != written[0] || c.Test.Written != written[1] || c.Unassigned.Written != 0 {
			t.Fatalf("class %d: %+v, written %v", k, c, written)
		}
		for _, reason := range []Reason{Near, OverEnd, NoConsensus, Ambiguous} {
			if c.Dropped(reason) != why[k][reason] {
				t.Fatalf("class %d: %d %s, want %d", k, c.Dropped(reason), reason, why[k][reason])
			}
		}
		if p.Split.Block == 0 && c.Dropped(Border) > 0 {
			t.Fatalf("class %d: windows over a border that is not there", k)
		}
	}
}

// checkRest looks at the places that were not cut: all are accounted for by letters that are there, a border or the draw.
func checkRest(t *rapid.T, p *Plan, r *Result, rest map[string]naive, seen map[string]bool) {
	same, other := [2]int{}, [2]int{} // without and with letters that were written
	for _, x := range rest {
		k := 0
		if x.isTrue {
			k = 1
		}
		if seen[x.text] {
			same[k]++
		} else {
			other[k]++
		}
	}
	for k, c := range []*Counts{&r.Decoy, &r.True} {
		double := c.Dropped(Duplicate) + c.Dropped(InTest) + c.Dropped(OtherClass)
		if double > same[k] || double+c.Dropped(Border)+c.Dropped(NotDrawn) != same[k]+other[k] || p.KeepDuplicates && double > 0 {
			t.Fatalf("class %d: %s; %d places left with letters that were written, %d without", k, c.Explain(), same[k], other[k])
		}
	}
	if r.True.Dropped(NotDrawn) > 0 {
		t.Fatal("true sites not drawn")
	}
	for i, c := range []*Tally{&r.Decoy.Train, &r.Decoy.Test} {
		ask := []Decoys{p.Train, p.Test}[i]
		if ask.All && c.Dropped[NotDrawn] > 0 || !ask.All && c.Written > c.Asked || !ask.All && c.Written < c.Asked && c.Dropped[NotDrawn] > 0 {
			t.Fatalf("%+v, asked for %+v", c, ask)
		}
	}
}

// TestDuplicates: of windows with equal letters a true one stays before a decoy, and one for testing before one for training. By hand: windows AGTC, CGTG, TGTA and GGTT.
func TestDuplicates(t *testing.T) {
	g := memory{[]string{"chr1", "chr2"}, map[string]string{
		"chr1": "AGTCC" + "AGTCC" + "CGTGC" + "CGTGC" + "TGTAA" + "TGTAA" + "AGTCC" + "GGTTT" + "GGTTT",
		"chr2": "AGTCC" + "TGTAA" + "CGTGC",
	}}
	p := &Plan{Upstream: 1, Downstream: 3, Motif: "GT", Split: Split{Records: []string{"chr2"}}, Train: Decoys{All: true}, Test: Decoys{All: true}}
	for _, pos := range []int{1, 6, 11, 16} {
		p.Sites = append(p.Sites, Site{Seq: "chr1", Pos: pos, Strand: seqio.Plus})
	}
	p.Sites = append(p.Sites, Site{Seq: "chr2", Pos: 1, Strand: seqio.Plus})
	for _, name := range g.names {
		p.Regions = append(p.Regions, Region{name, seqio.Span{End: len(g.letters[name])}, seqio.Plus})
	}
	r := mustCut(t, p, g)
	tally := func(written, duplicate, inTest, otherClass int) Tally {
		x := Tally{Written: written}
		x.Dropped[Duplicate], x.Dropped[InTest], x.Dropped[OtherClass] = duplicate, inTest, otherClass
		return x
	}
	want := [2]Counts{
		{Found: 5, Train: tally(1, 1, 2, 0), Test: tally(1, 0, 0, 0)},
		{Found: 7, Train: tally(1, 1, 2, 1), Test: tally(1, 0, 0, 1)},
	}
	if r.True != want[0] || r.Decoy != want[1] {
		t.Errorf("%+v\n%+v, want %+v", r.True, r.Decoy, want)
	}
	const explained = "1 identical to another of the class, 2 identical to one of the class in the test part, 2 identical to one of the other class"
	if got := r.Decoy.Explain(); got != explained {
		t.Errorf("%s, want %s", got, explained)
	}
	p.KeepDuplicates = true
	if r := mustCut(t, p, g); len(r.Train) != 9 || len(r.Test) != 3 {
		t.Errorf("%d and %d windows, want all 9 and 3", len(r.Train), len(r.Test))
	}
}

// TestCutSeeds: the same seed gives the same windows, whatever the order of sites, regions and records; a larger draw contains a smaller one.
func TestCutSeeds(t *testing.T) {
	g := randomGenome(3, 20_000)
	p := &Plan{Upstream: 10, Downstream: 11, Motif: "AG", Anywhere: true, Train: Decoys{Number: 100}, Seed: 7}
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
	p := &Plan{Upstream: 8, Downstream: 8, Motif: "GT", Anywhere: true, Train: Decoys{All: true}}
	p.Sites = []Site{siteAt(t, g, "chr1", 1000, "GT")}
	all := mustCut(t, p, g).Decoy.Train.Written
	const rounds, drawn = 2000, 20
	times := map[string]int{}
	p.Train = Decoys{Number: drawn}
	for seed := range rounds {
		p.Seed = uint64(seed)
		for _, w := range mustCut(t, p, g).Train {
			if !w.True {
				times[w.Place()]++
			}
		}
	}
	// Chi-squared with all−1 degrees of freedom (times n/(n−1) · 1/(1−f), close to 1): its mean is all−1, its standard deviation √(2·all).
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
func siteAt(t *testing.T, g memory, name string, from int, motif string) Site {
	t.Helper()
	s := siteFrom(g, name, from, motif)
	if s.Pos < from {
		t.Fatal("no motif")
	}
	return s
}

func siteFrom(g memory, name string, from int, motif string) Site {
	return Site{Seq: name, Pos: from + strings.Index(g.letters[name][from:], motif), Strand: seqio.Plus}
}

func mustCut(t *testing.T, p *Plan, g Genome) *Result {
	t.Helper()
	r, err := p.Cut(t.Context(), g)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

func letters(list []Window) []string {
	var all []string
	for _, w := range list {
		all = append(all, w.Letters)
	}
	slices.Sort(all)
	return all
}

// TestSites: both strands, by hand. Exons 11-20, 31-40 and 46-50 (1-based); the gap 41-45 is an intron of 5.
func TestSites(t *testing.T) {
	exons := []seqio.Exon{{Span: seqio.Span{Start: 10, End: 20}, Line: 1}, {Span: seqio.Span{Start: 30, End: 40}, Line: 2}, {Span: seqio.Span{Start: 45, End: 50}, Line: 3}}
	plus := seqio.Transcript{Name: "p", Seq: "c", Strand: seqio.Plus, Span: seqio.Span{Start: 8, End: 50}, Exons: exons, Coding: seqio.Span{Start: 12, End: 47}, Whole: true, Line: 9}
	minus := plus
	minus.Name, minus.Strand = "m", seqio.Minus
	partial := plus
	partial.Whole, partial.Coding = false, seqio.Span{}
	for _, c := range []struct {
		kind  Kind
		motif Motif
		least int
		want  string
	}{
		{Donor, "GT", 1, "p+20/1 p+40/2 m-29/2 m-44/3"},
		{Donor, "GT", 6, "p+20/1 m-29/2"},
		{Acceptor, "AG", 1, "p+28/2 p+43/3 m-21/1 m-41/2"},
		{Acceptor, "", 1, "p+30/2 p+45/3 m-19/1 m-39/2"},
		{Acceptor, "YAG", 6, "p+27/2 m-22/1"},
		{Start, "ATG", 1, "p+12/9 m-46/9"},
		{TSS, "", 1, "p+8/9 m-49/9"},
	} {
		list := []seqio.Transcript{plus, minus}
		if c.kind == Start || c.kind == TSS {
			list = append(list, partial)
		}
		sites, skipped, err := Sites(list, c.kind, c.motif, c.least)
		var got []string
		for _, s := range sites {
			got = append(got, fmt.Sprintf("%s%s%d/%d", s.Name, s.Strand, s.Pos, s.Line))
		}
		if strings.Join(got, " ") != c.want || err != nil {
			t.Errorf("%s %s: %s, %v, want %s", c.kind, c.motif, got, err, c.want)
		}
		want := Skipped{}
		if c.least == 6 {
			want.ShortIntrons = 2
		}
		if c.kind == TSS {
			want.Incomplete = 1
		}
		if skipped != want {
			t.Errorf("%s: %+v, want %+v", c.kind, skipped, want)
		}
	}
	if _, _, err := Sites(nil, "exon", "", 1); err == nil {
		t.Error("a kind that is none: no error")
	}
}

func TestIntervalSites(t *testing.T) {
	span := func(a, b int, s seqio.Strand) seqio.Interval {
		return seqio.Interval{Seq: "c", Span: seqio.Span{Start: a, End: b}, Strand: s, Line: 4}
	}
	for _, c := range []struct {
		x      seqio.Interval
		anchor Anchor
		want   int
	}{
		{span(10, 20, seqio.Plus), AtStart, 10}, {span(10, 20, seqio.Minus), AtStart, 19}, {span(10, 20, seqio.NoStrand), AtStart, 10},
		{span(10, 20, seqio.Plus), AtEnd, 19}, {span(10, 20, seqio.Minus), AtEnd, 10},
		{span(10, 20, seqio.Plus), AtCentre, 14}, {span(10, 20, seqio.Minus), AtCentre, 15}, {span(10, 21, seqio.Plus), AtCentre, 15}, {span(10, 21, seqio.Minus), AtCentre, 15},
		{span(5, 6, seqio.Minus), AtCentre, 5},
	} {
		sites, err := IntervalSites("x.bed", []seqio.Interval{c.x}, c.anchor)
		if err != nil || sites[0].Pos != c.want || sites[0].Strand == seqio.NoStrand {
			t.Errorf("%+v at %s: %+v, %v, want %d", c.x, c.anchor, sites, err, c.want)
		}
	}
	if _, err := IntervalSites("x.bed", []seqio.Interval{span(3, 3, seqio.Plus)}, AtStart); err == nil || err.Error() != "x.bed:4: the interval has no letters" {
		t.Error(err)
	}
	if _, err := IntervalSites("x.bed", []seqio.Interval{span(3, 4, seqio.Plus)}, "middle"); err == nil {
		t.Error("an anchor that is none: no error")
	}
}

func TestPlanErrors(t *testing.T) {
	g := memory{[]string{"a", "b"}, map[string]string{"a": strings.Repeat("CAGT", 20), "b": strings.Repeat("C", 80)}}
	good := Plan{Upstream: 3, Downstream: 4, Motif: "AG", Sites: []Site{{Seq: "a", Pos: 21, Strand: seqio.Plus}}, Train: Decoys{Number: 1}, Anywhere: true, KeepDuplicates: true}
	mustCut(t, &good, g)
	for _, c := range []struct {
		why    string
		change func(p *Plan)
		want   string
	}{
		{"upstream", func(p *Plan) { p.Upstream = -1 }, "-1 letters upstream, want 0 to"},
		{"downstream", func(p *Plan) { p.Downstream = 0 }, "0 letters downstream, want 1 to"},
		{"far downstream", func(p *Plan) { p.Downstream = 1 << 40 }, "letters downstream, want 1 to"},
		{"motif longer", func(p *Plan) { p.Downstream = 1 }, "1 letters downstream, want at least the 2 of the consensus AG"},
		{"motif", func(p *Plan) { p.Motif = "AX" }, `consensus "AX", want IUPAC codes`},
		{"distance", func(p *Plan) { p.Distance = -1 }, "distance -1"},
		{"number", func(p *Plan) { p.Train.Number = -1 }, "-1 decoys"},
		{"ratio", func(p *Plan) { p.Test.Ratio = -1 }, "-1 per true window"},
		{"two splits", func(p *Plan) { p.Split = Split{Records: []string{"a"}, Block: 10} }, "want one of the two"},
		{"short blocks", func(p *Plan) { p.Split = Split{Block: 6, Fraction: 0.5} }, "blocks of 6 letters for windows of 7"},
		{"fraction", func(p *Plan) { p.Split = Split{Block: 10, Fraction: 1} }, "fraction of 1 of the blocks"},
		{"one block", func(p *Plan) { p.Split = Split{Block: 1000, Fraction: 0.5} }, ""}, // two records are two blocks, one without a site
		{"unknown record", func(p *Plan) { p.Split = Split{Records: []string{"c"}} }, `no record "c"`},
		{"unknown sequence", func(p *Plan) { p.Sites[0].Seq = "c" }, `a site is on "c"`},
		{"no sites", func(p *Plan) { p.Sites = nil }, "no true window for training; of 0 sites: none is there"},
		{"no consensus", func(p *Plan) { p.Motif = "GG" }, "no true window for training; of 1 sites: 1 without the consensus"},
		{"nothing to train on", func(p *Plan) { p.Split = Split{Records: []string{"a"}} }, "no true window for training; of 1 sites: 1 in the other part"},
		{"nothing to test on", func(p *Plan) { p.Split = Split{Records: []string{"b"}} }, "no true window for testing; of 1 sites"},
		{"no decoys", func(p *Plan) { p.Anywhere = false }, "no decoy for training; of 0 places with the consensus that are no site: none is there"},
		{"all decoys near", func(p *Plan) { p.Distance = 100 }, "too near a site"},
	} {
		p := good
		p.Sites = slices.Clone(good.Sites)
		c.change(&p)
		if _, err := p.Cut(t.Context(), g); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %v, want %q", c.why, err, c.want)
		}
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := good.Cut(ctx, g); err != context.Canceled {
		t.Errorf("cancelled: %v", err)
	}
}

// TestFit: what lies on a genome and what does not.
func TestFit(t *testing.T) {
	g := memory{[]string{"chr1", "chr2", "chr3", "chr4"}, map[string]string{"chr1": "ACGTACGT", "chr2": "", "chr3": "", "chr4": ""}}
	exon := func(seq string, end int) seqio.Transcript {
		return seqio.Transcript{Seq: seq, Span: seqio.Span{Start: 2, End: end}, Exons: []seqio.Exon{{Span: seqio.Span{Start: 2, End: min(end, 9)}, Line: 5}}, Line: 4}
	}
	for _, c := range []struct {
		t    seqio.Transcript
		want string
	}{
		{exon("chr1", 8), ""},
		{exon("1", 8), `g.gff:4: sequence "1" is not in the genome, which has "chr1", "chr2", "chr3", …`},
		{exon("chr1", 9), `g.gff:5: exon 3-9 reaches beyond the end of sequence "chr1", which has 8 letters`},
		{seqio.Transcript{Seq: "chr1", Span: seqio.Span{Start: 2, End: 10}, Line: 4}, `g.gff:4: transcript 3-10 reaches beyond`},
	} {
		_, _, err := FitTranscripts("g.gff", []seqio.Transcript{c.t}, g, false)
		if got := fmt.Sprint(err); c.want == "" && err != nil || !strings.Contains(got, c.want) {
			t.Errorf("%+v: %v, want %q", c.t, err, c.want)
		}
		x := seqio.Interval{Seq: c.t.Seq, Span: c.t.Span, Line: c.t.Line}
		if _, _, err := FitIntervals("g.bed", []seqio.Interval{x}, g, false); (err == nil) != (c.want == "") {
			t.Errorf("%+v: %v", x, err)
		}
	}
	fit, skipped, err := FitTranscripts("g.gff", []seqio.Transcript{exon("1", 8), exon("chr1", 8)}, g, true)
	if len(fit) != 1 || skipped != 1 || err != nil {
		t.Errorf("%v, %d, %v", fit, skipped, err)
	}
	list, skipped, err := FitIntervals("g.bed", []seqio.Interval{{Seq: "1"}, {Seq: "chr1"}}, g, true)
	if len(list) != 1 || skipped != 1 || err != nil {
		t.Errorf("%v, %d, %v", list, skipped, err)
	}
}

// TestSet: what is written reads back with labels.
func TestSet(t *testing.T) {
	list := []Window{
		{Seq: "chrI", Span: seqio.Span{Start: 100, End: 104}, Strand: seqio.Minus, True: true, Name: "a b", Letters: "ACGT"},
		{Seq: "chrI", Span: seqio.Span{Start: 0, End: 4}, Strand: seqio.Plus, Letters: "TTTT"},
	}
	var out bytes.Buffer
	if err := seqio.WriteFASTA(&out, Set(list), 0); err != nil {
		t.Fatal(err)
	}
	const want = ">chrI:101-104(-) label=1 name=a_b\nACGT\n>chrI:1-4(+) label=-1\nTTTT\n"
	if out.String() != want {
		t.Errorf("%s, want %s", out.String(), want)
	}
	if s, err := seqio.Read(&out, "x.fa", seqio.Options{}); err != nil || !slices.Equal(s.Labels, []string{"1", "-1"}) {
		t.Errorf("%v, %v", s, err)
	}
}
