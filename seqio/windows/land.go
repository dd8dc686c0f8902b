package windows

import (
	"cmp"
	"context"
	"fmt"
	"slices"

	"github.com/seqsvm/seqsvm/seqio/genome"
)

// strands are the directions in which a record is read, in the order of the results.
var strands = [2]genome.Strand{genome.Plus, genome.Minus}

// strandIndex returns the place of a strand in strands.
func strandIndex(s genome.Strand) int {
	if s == genome.Minus {
		return 1
	}
	return 0
}

// land is what a plan has on one record of the genome.
type land struct {
	name    string
	length  int
	parts   territory
	sites   [2][]Site        // per strand, by position, one per position
	regions [2][]genome.Span // per strand, by position, disjoint
	anchors []int            // of the sites of both strands, sorted
}

// survey sorts sites and regions by record and strand.
func survey(p *Plan, g Genome) ([]land, error) {
	names := g.Names()
	parts, err := p.Split.divide(g, p.Seed)
	if err != nil {
		return nil, err
	}
	lands := make([]land, len(names))
	index := make(map[string]int, len(names))
	for i, name := range names {
		lands[i] = land{name: name, parts: parts[i]}
		lands[i].length, _ = g.Length(name)
		index[name] = i
	}
	for _, s := range p.Sites {
		i, found := index[s.Seq]
		if !found {
			return nil, fmt.Errorf("windows: a site is on %.40q, which the genome lacks", s.Seq)
		}
		k := strandIndex(s.Strand)
		lands[i].sites[k] = append(lands[i].sites[k], s)
	}
	for _, r := range p.Regions {
		if i, found := index[r.Seq]; found {
			k := strandIndex(r.Strand)
			lands[i].regions[k] = append(lands[i].regions[k], r.Span)
		}
	}
	for i := range lands {
		lands[i].tidy(p.Anywhere)
	}
	return lands, nil
}

// tidy sorts, and joins what is double.
func (l *land) tidy(anywhere bool) {
	for k := range strands {
		slices.SortStableFunc(l.sites[k], func(a, b Site) int {
			if a.Pos == b.Pos && a.Open5 != b.Open5 { // the one whose 5' end is known is kept
				return map[bool]int{true: 1, false: -1}[a.Open5]
			}
			return cmp.Compare(a.Pos, b.Pos)
		})
		l.sites[k] = slices.CompactFunc(l.sites[k], func(a, b Site) bool { return a.Pos == b.Pos })
		for _, s := range l.sites[k] {
			l.anchors = append(l.anchors, s.Pos)
		}
		l.regions[k] = genome.UnionSpans(l.regions[k], l.length)
		if anywhere {
			l.regions[k] = []genome.Span{{Start: 0, End: l.length}}
		}
	}
	slices.Sort(l.anchors)
}

// strip is one strand of a record, with its letters as on the plus strand.
type strip struct {
	*land
	plan    *Plan
	record  int
	strand  int
	letters []byte
	masks   []byte // of the motif on this strand
}

// at reports whether the motif begins at an anchor, which may be anywhere.
func (s *strip) at(pos int) bool {
	first := pos
	if s.strand == 1 {
		first = pos - max(0, len(s.masks)-1)
	}
	return first >= 0 && first+len(s.masks) <= len(s.letters) && matches(s.masks, s.letters[first:])
}

// cleanRun finds windows of bases alone, asked for from left to right, in one step per letter overall.
type cleanRun struct {
	letters       []byte
	scanned, last int // letters seen; the last one that is not a base
}

func newCleanRun(letters []byte) *cleanRun { return &cleanRun{letters: letters, last: -1} }

// ok reports whether letters start … end − 1 are bases. No end may be less than one before.
func (c *cleanRun) ok(start, end int) bool {
	for ; c.scanned < end; c.scanned++ {
		if baseBits[c.letters[c.scanned]] == 0 {
			c.last = c.scanned
		}
	}
	return c.last < start
}

// verdict says what becomes of the window of an anchor: its part, or why it is dropped.
type verdict struct {
	start   int
	part    part
	dropped bool
	reason  Reason
}

// judge looks at the window of an anchor. Anchors come from left to right.
func (s *strip) judge(pos int, clean *cleanRun) verdict {
	start, end := s.plan.place(pos, strands[s.strand])
	if start < 0 || end > len(s.letters) {
		return verdict{dropped: true, reason: OverEnd}
	}
	if !clean.ok(start, end) {
		return verdict{dropped: true, reason: Ambiguous}
	}
	p := s.parts.of(start, end)
	return verdict{start: start, part: p, dropped: p == across, reason: Border}
}

// eachSite visits the true sites of the strand.
func (s *strip) eachSite(visit func(Site, verdict)) {
	clean := newCleanRun(s.letters)
	for _, site := range s.sites[s.strand] {
		v := s.judge(site.Pos, clean)
		if site.Open5 {
			v = verdict{dropped: true, reason: Open5}
		} else if !s.at(site.Pos) && !(v.dropped && v.reason == OverEnd) {
			v = verdict{dropped: true, reason: NoConsensus}
		}
		visit(site, v)
	}
}

// eachDecoy visits the places of the regions that have the motif and are not sites.
func (s *strip) eachDecoy(ctx context.Context, visit func(pos int, v verdict)) error {
	clean, sites, near := newCleanRun(s.letters), s.sites[s.strand], s.anchors
	for _, region := range s.regions[s.strand] {
		for pos := s.next(region.Start, region.End); pos < region.End; pos = s.next(pos+1, region.End) {
			for len(sites) > 0 && sites[0].Pos < pos {
				sites = sites[1:]
			}
			if len(sites) > 0 && sites[0].Pos == pos {
				continue
			}
			for len(near) > 0 && pos-near[0] >= s.plan.Distance {
				near = near[1:]
			}
			// no sum, which a great distance takes beyond all integers
			if len(near) > 0 && near[0]-pos < s.plan.Distance {
				visit(pos, verdict{dropped: true, reason: Near})
				continue
			}
			visit(pos, s.judge(pos, clean))
		}
		if err := ctx.Err(); err != nil {
			return err
		}
	}
	return nil
}

// next returns the first anchor from one on, before end, at which the motif begins, or end.
func (s *strip) next(pos, end int) int {
	if len(s.masks) == 0 {
		return pos
	}
	shift := 0 // from the leftmost letter of the motif to its anchor
	if s.strand == 1 {
		shift = len(s.masks) - 1
	}
	first, rest := s.masks[0], s.masks[1:]
	for i := max(pos-shift, 0); i < end-shift && i+len(rest) < len(s.letters); i++ {
		if baseBits[s.letters[i]]&first != 0 && matches(rest, s.letters[i+1:]) {
			return i + shift
		}
	}
	return end
}
