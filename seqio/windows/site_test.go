package windows_test

import (
	"bytes"
	"fmt"
	"slices"
	"strings"
	"testing"

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

// TestSet: what is written reads back with labels.
func TestSet(t *testing.T) {
	list := []windows.Window{
		{Seq: "chrI", Span: genome.Span{Start: 100, End: 104}, Strand: genome.Minus, True: true, Name: "a b",
			Letters: "ACGT"},
		{Seq: "chrI", Span: genome.Span{Start: 0, End: 4}, Strand: genome.Plus, Letters: "TTTT"},
	}
	var out bytes.Buffer
	if err := seqio.WriteFASTA(&out, windows.Set(list), 0); err != nil {
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
