package windows_test

import (
	"context"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/seqsvm/seqsvm/seqio/genome"
	"github.com/seqsvm/seqsvm/seqio/windows"
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

// drawGenome draws some records of few letters, so that everything happens: motifs at the ends, windows with equal
// letters, runs of N.
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
func drawPlan(t *rapid.T, g memory) *windows.Plan {
	p := &windows.Plan{
		Upstream: rapid.IntRange(0, 6).Draw(t, "upstream"), Downstream: rapid.IntRange(2, 6).Draw(t, "downstream"),
		Motif:    windows.Motif(rapid.SampledFrom([]string{"", "A", "AG", "GT", "GY"}).Draw(t, "motif")),
		Distance: rapid.IntRange(0, 8).Draw(t, "distance"),
		Train:    drawDecoys(t), Test: drawDecoys(t), KeepDuplicates: rapid.Bool().Draw(t, "duplicates"),
		Seed: rapid.Uint64Range(0, 3).Draw(t, "seed"),
	}
	place := func() (string, int, genome.Strand) {
		name := rapid.SampledFrom(g.names).Draw(t, "record")
		return name, rapid.IntRange(0, max(0, len(g.letters[name])-1)).Draw(t, "position"),
			rapid.SampledFrom([]genome.Strand{genome.Plus, genome.Minus}).Draw(t, "strand")
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
		p.Sites = append(p.Sites, windows.Site{Seq: seq, Pos: pos, Strand: strand})
	}
	for range rapid.IntRange(1, 6).Draw(t, "regions") {
		seq, pos, strand := place()
		p.Regions = append(p.Regions, windows.Region{seq,
			genome.Span{Start: pos, End: min(len(g.letters[seq]), pos+rapid.IntRange(10, 90).Draw(t, "size"))}, strand})
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

func drawDecoys(t *rapid.T) windows.Decoys {
	return windows.Decoys{
		All: rapid.Bool().Draw(t, "all"), Number: rapid.IntRange(0, 10).Draw(t, "number"),
		Ratio: rapid.Float64Range(0, 5).Draw(t, "ratio"),
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
func carries(m windows.Motif, s string, i int) bool {
	for k := range len(m) {
		if i+k < 0 || i+k >= len(s) || !strings.ContainsRune(spelled[m[k]], rune(s[i+k])) {
			return false
		}
	}
	return true
}

// naive is what a plan should find at one strand of a record, by reading the strand as it is read: position, and the
// window or why there is none.
type naive struct {
	seq    string
	pos    int // plus strand
	strand genome.Strand
	isTrue bool
	text   string
	span   genome.Span
	why    windows.Reason // if text is ""
}

// naiveWindows looks at every position of every strand.
func naiveWindows(p *windows.Plan, g memory) []naive {
	var all []naive
	for _, name := range g.names {
		for _, strand := range []genome.Strand{genome.Plus, genome.Minus} {
			s := g.letters[name]
			n := len(s)
			if strand == genome.Minus {
				s = reverseComplement(s)
			}
			for i := range n { // position in the direction of the strand
				x := naive{seq: name, pos: i, strand: strand}
				if strand == genome.Minus {
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
					x.why = windows.Near
				case from < 0 || to > n:
					x.why = windows.OverEnd
				case !carries(p.Motif, s, i):
					x.why = windows.NoConsensus
				case strings.Contains(s[from:to], "N"):
					x.why = windows.Ambiguous
				default:
					x.text = s[from:to]
					x.span = genome.Span{Start: from, End: to}
					if strand == genome.Minus {
						x.span = genome.Span{Start: n - to, End: n - from}
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
		found, why := [2]int{}, [2]map[windows.Reason]int{{}, {}}
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
		for k, list := range [][]windows.Window{result.Train, result.Test} {
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
func sum(t windows.Tally) int {
	n := t.Written
	for _, k := range t.Dropped {
		n += k
	}
	return n
}

// checkCounts compares the counts with those of the naive reading, and with the windows.
func checkCounts(t *rapid.T, p *windows.Plan, r *windows.Result, found [2]int, why [2]map[windows.Reason]int) {
	for k, c := range []*windows.Counts{&r.Decoy, &r.True} {
		written := [2]int{}
		for i, list := range [][]windows.Window{r.Train, r.Test} {
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
		for _, reason := range []windows.Reason{windows.Near, windows.OverEnd, windows.NoConsensus, windows.Ambiguous} {
			if c.Dropped(reason) != why[k][reason] {
				t.Fatalf("class %d: %d %s, want %d", k, c.Dropped(reason), reason, why[k][reason])
			}
		}
		if p.Split.Block == 0 && c.Dropped(windows.Border) > 0 {
			t.Fatalf("class %d: windows over a border that is not there", k)
		}
	}
}

// checkRest looks at the places that were not cut: all are accounted for by letters that are there, a border or the
// draw.
func checkRest(t *rapid.T, p *windows.Plan, r *windows.Result, rest map[string]naive, seen map[string]bool) {
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
	for k, c := range []*windows.Counts{&r.Decoy, &r.True} {
		double := c.Dropped(windows.Duplicate) + c.Dropped(windows.InTest) + c.Dropped(windows.OtherClass)
		if double > same[k] || double+c.Dropped(windows.Border)+c.Dropped(windows.NotDrawn) != same[k]+other[k] || p.KeepDuplicates &&
			double > 0 {
			t.Fatalf("class %d: %s; %d places left with letters that were written, %d without", k, c.Explain(), same[k],
				other[k])
		}
	}
	if r.True.Dropped(windows.NotDrawn) > 0 {
		t.Fatal("true sites not drawn")
	}
	for i, c := range []*windows.Tally{&r.Decoy.Train, &r.Decoy.Test} {
		ask := []windows.Decoys{p.Train, p.Test}[i]
		if ask.All && c.Dropped[windows.NotDrawn] > 0 || !ask.All && c.Written > c.Asked || !ask.All && c.Written < c.Asked &&
			c.Dropped[windows.NotDrawn] > 0 {
			t.Fatalf("%+v, asked for %+v", c, ask)
		}
	}
}
