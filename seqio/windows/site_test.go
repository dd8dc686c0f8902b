package windows_test

import (
	"bytes"
	"fmt"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/seqsvm/seqsvm/internal/must"
	"github.com/seqsvm/seqsvm/seqio"
	"github.com/seqsvm/seqsvm/seqio/genome"
	"github.com/seqsvm/seqsvm/seqio/windows"
)

// TestSites: both strands, by hand. Exons 11-20, 31-40 and 46-50 (1-based); the gap 41-45 is an intron of 5.
func TestSites(t *testing.T) {
	exons := []genome.Exon{{Span: genome.Span{Start: 10, End: 20}, Line: 1},
		{Span: genome.Span{Start: 30, End: 40}, Line: 2}, {Span: genome.Span{Start: 45, End: 50}, Line: 3}}
	plus := genome.Transcript{Name: "p", Seq: "c", Strand: genome.Plus, Span: genome.Span{Start: 8, End: 50},
		Exons: exons, Coding: genome.Span{Start: 12, End: 47}, Whole: true, Line: 9}
	minus := plus
	minus.Name, minus.Strand = "m", genome.Minus
	partial := plus
	partial.Whole, partial.Coding = false, genome.Span{}
	for _, c := range []struct {
		kind  windows.Kind
		motif windows.Motif
		least int
		want  string
	}{
		{windows.Donor, "GT", 1, "p+20/1 p+40/2 m-29/2 m-44/3"},
		{windows.Donor, "GT", 6, "p+20/1 m-29/2"},
		{windows.Acceptor, "AG", 1, "p+28/2 p+43/3 m-21/1 m-41/2"},
		{windows.Acceptor, "", 1, "p+30/2 p+45/3 m-19/1 m-39/2"},
		{windows.Acceptor, "YAG", 6, "p+27/2 m-22/1"},
		{windows.Start, "ATG", 1, "p+12/9 m-46/9"},
		{windows.TSS, "", 1, "p+8/9 m-49/9"},
	} {
		list := []genome.Transcript{plus, minus}
		if c.kind == windows.Start || c.kind == windows.TSS {
			list = append(list, partial)
		}
		sites, skipped, err := windows.Sites(list, c.kind, c.motif, c.least)
		var got []string
		for _, s := range sites {
			got = append(got, fmt.Sprintf("%s%s%d/%d", s.Name, s.Strand, s.Pos, s.Line))
		}
		if strings.Join(got, " ") != c.want || err != nil {
			t.Errorf("%s %s: %s, %v, want %s", c.kind, c.motif, got, err, c.want)
		}
		want := windows.Skipped{}
		if c.least == 6 {
			want.ShortIntrons = 2
		}
		if c.kind == windows.TSS {
			want.Incomplete = 1
		}
		if skipped != want {
			t.Errorf("%s: %+v, want %+v", c.kind, skipped, want)
		}
	}
	if _, _, err := windows.Sites(nil, "exon", "", 1); err == nil {
		t.Error("an unknown kind: no error")
	}
}

func TestIntervalSites(t *testing.T) {
	span := func(a, b int, s genome.Strand) genome.Interval {
		return genome.Interval{Seq: "c", Span: genome.Span{Start: a, End: b}, Strand: s, Line: 4}
	}
	for _, c := range []struct {
		x      genome.Interval
		anchor windows.Anchor
		want   int
	}{
		{span(10, 20, genome.Plus), windows.AtStart, 10}, {span(10, 20, genome.Minus), windows.AtStart, 19},
		{span(10, 20, genome.NoStrand), windows.AtStart, 10},
		{span(10, 20, genome.Plus), windows.AtEnd, 19}, {span(10, 20, genome.Minus), windows.AtEnd, 10},
		{span(10, 20, genome.Plus), windows.AtCentre, 14}, {span(10, 20, genome.Minus), windows.AtCentre, 15},
		{span(10, 21, genome.Plus), windows.AtCentre, 15}, {span(10, 21, genome.Minus), windows.AtCentre, 15},
		{span(5, 6, genome.Minus), windows.AtCentre, 5},
	} {
		sites, err := windows.IntervalSites("x.bed", []genome.Interval{c.x}, c.anchor)
		if err != nil || sites[0].Pos != c.want || sites[0].Strand == genome.NoStrand {
			t.Errorf("%+v at %s: %+v, %v, want %d", c.x, c.anchor, sites, err, c.want)
		}
	}
	if _, err := windows.IntervalSites("x.bed", []genome.Interval{span(3, 3, genome.Plus)}, windows.AtStart); err == nil ||
		err.Error() != "x.bed:4: the interval has no letters" {
		t.Error(err)
	}
	if _, err := windows.IntervalSites("x.bed", []genome.Interval{span(3, 4, genome.Plus)}, "middle"); err == nil {
		t.Error("an unknown anchor: no error")
	}
}

// TestFit: what lies on a genome and what does not.
func TestFit(t *testing.T) {
	g := memory{[]string{"chr1", "chr2", "chr3", "chr4"},
		map[string]string{"chr1": "ACGTACGT", "chr2": "", "chr3": "", "chr4": ""}}
	exon := func(seq string, end int) genome.Transcript {
		return genome.Transcript{Seq: seq, Span: genome.Span{Start: 2, End: end},
			Exons: []genome.Exon{{Span: genome.Span{Start: 2, End: min(end, 9)}, Line: 5}}, Line: 4}
	}
	for _, c := range []struct {
		t    genome.Transcript
		want string
	}{
		{exon("chr1", 8), ""},
		{exon("1", 8), `g.gff:4: sequence "1" is not in the genome, which has "chr1", "chr2", "chr3", …`},
		{exon("chr1", 9), `g.gff:5: exon 3-9 reaches beyond the end of sequence "chr1", which has 8 letters`},
		{genome.Transcript{Seq: "chr1", Span: genome.Span{Start: 2, End: 10}, Line: 4},
			`g.gff:4: transcript 3-10 reaches beyond`},
	} {
		_, _, err := windows.FitTranscripts("g.gff", []genome.Transcript{c.t}, g, windows.RefuseUnknown)
		if got := fmt.Sprint(err); c.want == "" && err != nil || !strings.Contains(got, c.want) {
			t.Errorf("%+v: %v, want %q", c.t, err, c.want)
		}
		x := genome.Interval{Seq: c.t.Seq, Span: c.t.Span, Line: c.t.Line}
		if _, _, err := windows.FitIntervals("g.bed", []genome.Interval{x}, g, windows.RefuseUnknown); (err == nil) != (c.want == "") {
			t.Errorf("%+v: %v", x, err)
		}
	}
	fit, skipped, err := windows.FitTranscripts("g.gff", []genome.Transcript{exon("1", 8), exon("chr1", 8)}, g, windows.SkipUnknown)
	if len(fit) != 1 || skipped.Counts[genome.UnknownSequence] != 1 || err != nil {
		t.Errorf("%v, %d, %v", fit, skipped, err)
	}
	list, skipped, err := windows.FitIntervals("g.bed", []genome.Interval{{Seq: "1"}, {Seq: "chr1"},
		{Seq: "chr1", Span: genome.Span{Start: 7, End: 8}}}, g, windows.SkipUnknown)
	if len(list) != 1 || skipped.Counts[genome.UnknownSequence] != 1 || skipped.Counts[genome.WithoutLetters] != 1 ||
		err != nil {
		t.Errorf("%v, %d, %v", list, skipped, err)
	}
}

// TestCircularGenome: of a gene over the origin the windows are those of the same circle cut open elsewhere.
func TestCircularGenome(t *testing.T) {
	const cut = "CCGTAATTTTTTTTTTAGCCCCCCCCCCCAACCATG" // begins 26 letters after the origin of the other
	const circle = len(cut)
	turned := cut[circle-26:] + cut[:circle-26]
	exon := func(start, end int) genome.Exon { return genome.Exon{Span: genome.Span{Start: start, End: end}} }
	letters := func(genomeLetters string, by int) (all []string) {
		x := genome.Transcript{Name: "x", Seq: "p", Strand: genome.Plus, Whole: true, Circle: circle,
			Span: genome.Span{Start: by, End: by + 25}, Exons: []genome.Exon{exon(by, by+2), exon(by+18, by+25)}}
		g := memory{[]string{"p"}, map[string]string{"p": genomeLetters}}
		fit, misfits, err := windows.FitTranscripts("g.gff", []genome.Transcript{x}, g, windows.RefuseUnknown)
		if err != nil || misfits.LeftOut() > 0 {
			t.Fatal(misfits, err)
		}
		for _, kind := range []windows.Kind{windows.Donor, windows.Acceptor} {
			p := windows.Plan{Upstream: 2, Downstream: 4, Motif: kind.Consensus(), Regions: windows.Transcribed(fit)}
			if p.Sites, _, err = windows.Sites(fit, kind, p.Motif, 1); err != nil {
				t.Fatal(err)
			}
			result := must.Get(p.Cut(t.Context(), g))(t)
			for _, w := range result.Train {
				all = append(all, w.Letters)
			}
		}
		return all
	}
	want := letters(cut, 0)
	if got := letters(turned, 26); !slices.Equal(got, want) || len(want) != 2 {
		t.Errorf("%v, want %v", got, want)
	}
	over := genome.Transcript{Seq: "p", Span: genome.Span{Start: 30, End: 40}, Line: 3}
	whole := genome.Transcript{Seq: "p", Span: genome.Span{Start: 30, End: 36}, Line: 4}
	g := memory{[]string{"p"}, map[string]string{"p": cut}}
	for _, circle := range []int{0, circle - 1, circle + 1} { // no circle, or one of another length
		over.Circle = circle
		fit, misfits, err := windows.FitTranscripts("g.gff", []genome.Transcript{over, whole}, g, windows.RefuseUnknown)
		if len(fit) != 1 || misfits.Counts[genome.BeyondEnd] != 1 || err != nil {
			t.Errorf("%d: %v, %v, %v", circle, fit, misfits, err)
		}
	}
	rows := genome.Transcript{Seq: "p", Span: genome.Span{Start: 0, End: circle}, Exons: []genome.Exon{exon(0, 5),
		exon(30, circle)}, Circle: circle, Line: 5} // the letters after the origin are the first ones
	fit, misfits, err := windows.FitTranscripts("g.gff", []genome.Transcript{rows, whole}, g, windows.RefuseUnknown)
	if len(fit) != 1 || misfits.Counts[genome.BeyondEnd] != 1 || err != nil {
		t.Errorf("two rows: %v, %v, %v", fit, misfits, err)
	}
}

// TestSitesOnACircle: those of a line, whose letters have the same places on the circle after one turn.
func TestSitesOnACircle(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.IntRange(20, 30).Draw(t, "circle")
		start := rapid.IntRange(0, n-1).Draw(t, "start")
		span := func(a, b int) genome.Exon { return genome.Exon{Span: genome.Span{Start: start + a, End: start + b}} }
		x := genome.Transcript{Seq: "c", Strand: rapid.SampledFrom([]genome.Strand{genome.Plus, genome.Minus}).Draw(t, "strand"), Whole: true,
			Span: span(0, 18).Span, Exons: []genome.Exon{span(0, 4), span(10, 18)}, Coding: span(2, 15).Span}
		onLine, onCircle := []genome.Transcript{x}, []genome.Transcript{x}
		onCircle[0].Circle = n
		for _, kind := range windows.Kinds {
			line, _, _ := windows.Sites(onLine, kind, kind.Consensus(), 1)
			circle, _, _ := windows.Sites(onCircle, kind, kind.Consensus(), 1)
			if len(line) != 1 || len(circle) != 1 || circle[0].Pos != line[0].Pos%n {
				t.Fatalf("%s: %v, on a line %v", kind, circle, line)
			}
		}
		letters := 0
		for _, r := range windows.Transcribed(onCircle) {
			if r.Start < 0 || r.End > n || r.Strand != x.Strand {
				t.Fatalf("%+v", r)
			}
			letters += r.Len()
		}
		if letters != x.Len() {
			t.Fatalf("%d letters are transcribed, want %d", letters, x.Len())
		}
	})
}

// TestOpenSites: a site whose 5' end is not known has no window, and no decoy is there; one that is known has, though
// another at the place is not.
func TestOpenSites(t *testing.T) {
	g := memory{[]string{"c"}, map[string]string{"c": "CATGCATGGATGTATGC"}}
	p := windows.Plan{Upstream: 1, Downstream: 3, Motif: "ATG", Train: windows.Decoys{All: true}, Anywhere: true, KeepDuplicates: true,
		Sites: []windows.Site{{Seq: "c", Pos: 1, Strand: genome.Plus}, {Seq: "c", Pos: 5, Strand: genome.Plus, Open5: true},
			{Seq: "c", Pos: 9, Strand: genome.Plus, Open5: true}, {Seq: "c", Pos: 9, Strand: genome.Plus}}}
	result := must.Get(p.Cut(t.Context(), g))(t)
	var got []string
	for _, w := range result.Train {
		got = append(got, fmt.Sprint(w.Start+1, w.Strand, " ", w.True))
	}
	want := []string{"1 + true", "1 - false", "5 - false", "9 + true", "13 + false"}
	if !slices.Equal(got, want) {
		t.Errorf("%v, want %v", got, want)
	}
	if n := result.True.Dropped(windows.Open5); n != 1 || result.True.Found != 3 {
		t.Errorf("%+v", result.True)
	}
}

// TestSet: what is written reads back with labels.
func TestSet(t *testing.T) {
	list := []windows.Window{
		{Seq: "chrI", Span: genome.Span{Start: 100, End: 104}, Strand: genome.Minus, True: true, Name: "a b",
			Letters: "ACGT"},
		{Seq: "chrI", Span: genome.Span{Start: 0, End: 4}, Strand: genome.Plus, Letters: "TTTT"},
	}
	var out bytes.Buffer
	must.Succeed(t, seqio.WriteFASTA(&out, windows.Set(list), 0))
	const want = ">chrI:101-104(-) label=1 name=a_b\nACGT\n>chrI:1-4(+) label=-1\nTTTT\n"
	if out.String() != want {
		t.Errorf("%s, want %s", out.String(), want)
	}
	if s, err := seqio.Read(&out, "x.fa", seqio.Options{}); err != nil || !slices.Equal(s.Labels, []string{"1", "-1"}) {
		t.Errorf("%v, %v", s, err)
	}
}
