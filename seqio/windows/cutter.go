package windows

import (
	"cmp"
	"context"
	"fmt"
	"slices"

	"github.com/seqsvm/seqsvm/stringkernel"
)

// cutter carries out a plan.
type cutter struct {
	plan             *Plan
	genome           Genome
	lands            []land
	forward, reverse []byte // masks of the motif
	letters          []byte // of the current record
	seen             map[string]owner
	result           Result
	kept             [parts][]cut
}

// owner is the first window with some letters.
type owner struct {
	isTrue bool
	part   part
}

// cut is a window and its place in the order of the genome.
type cut struct {
	Window
	record, strand int
}

// cut makes the passes over the genome.
func (c *cutter) cut(ctx context.Context) (*Result, error) {
	order := []part{trainPart}
	if c.plan.Split.Two() {
		order = []part{testPart, trainPart}
	}
	candidates, err := c.findSites(ctx)
	if err != nil {
		return nil, err
	}
	for _, p := range order {
		for _, w := range candidates[p] {
			c.keep(w, p)
		}
	}
	if err := c.drawDecoys(ctx, order); err != nil {
		return nil, err
	}
	for _, p := range order {
		if err := c.checkPart(p); err != nil {
			return nil, err
		}
	}
	c.result.Train, c.result.Test = c.sorted(trainPart), c.sorted(testPart)
	return &c.result, nil
}

// eachStrip reads the records one after the other, and visits their strands. Records that have nothing of interest are
// not read.
func (c *cutter) eachStrip(ctx context.Context, wanted func(l *land, strand int) bool,
	visit func(s *strip) error) error {
	for i := range c.lands {
		l := &c.lands[i]
		if err := ctx.Err(); err != nil {
			return err
		}
		if !wanted(l, 0) && !wanted(l, 1) {
			continue
		}
		if err := c.read(l); err != nil {
			return err
		}
		for k, masks := range [][]byte{c.forward, c.reverse} {
			if !wanted(l, k) {
				continue
			}
			if err := visit(&strip{land: l, plan: c.plan, record: i, strand: k, letters: c.letters,
				masks: masks}); err != nil {
				return err
			}
		}
	}
	return nil
}

// read fetches the letters of a record, in pieces, so that what the genome needs to fetch them is small.
func (c *cutter) read(l *land) error {
	const piece = 1 << 20
	c.letters = slices.Grow(c.letters[:0], l.length)
	for at := 0; at < l.length; at += piece {
		var err error
		if c.letters, err = c.genome.AppendSlice(c.letters, l.name, at, min(at+piece, l.length)); err != nil {
			return err
		}
	}
	return nil
}

// findSites cuts the windows of the true sites, and counts those that have none.
func (c *cutter) findSites(ctx context.Context) (candidates [parts][]cut, err error) {
	hasSites := func(l *land, strand int) bool { return len(l.sites[strand]) > 0 }
	err = c.eachStrip(ctx, hasSites, func(s *strip) error {
		s.eachSite(func(site Site, v verdict) {
			if v.dropped {
				c.result.True.drop(v.reason)
				return
			}
			c.result.True.Found++
			w := s.window(v.start)
			w.True, w.Name = true, site.Name
			candidates[v.part] = append(candidates[v.part], w)
		})
		return nil
	})
	return candidates, err
}

// window cuts the window that begins at a letter.
func (s *strip) window(start int) cut {
	end := start + s.plan.Upstream + s.plan.Downstream
	w := cut{record: s.record, strand: s.strand}
	w.Seq, w.Start, w.End, w.Strand = s.name, start, end, strands[s.strand]
	if s.strand == 1 {
		w.Letters = string(stringkernel.DNA.ReverseComplementTo(nil, s.letters[start:end]))
	} else {
		w.Letters = string(s.letters[start:end])
	}
	return w
}

// keep takes a window into a part, unless another has its letters.
func (c *cutter) keep(w cut, p part) {
	t := c.counts(w.True).of(p)
	if !c.plan.KeepDuplicates {
		if first, found := c.seen[w.Letters]; found {
			switch {
			case first.isTrue != w.True:
				t.Dropped[OtherClass]++
			case first.part != p:
				t.Dropped[InTest]++
			default:
				t.Dropped[Duplicate]++
			}
			return
		}
		c.seen[w.Letters] = owner{w.True, p}
	}
	t.Written++
	c.kept[p] = append(c.kept[p], w)
}

// counts returns those of a class.
func (c *cutter) counts(isTrue bool) *Counts {
	if isTrue {
		return &c.result.True
	}
	return &c.result.Decoy
}

// checkPart returns an error if a part lacks true windows, or decoys that were asked for.
func (c *cutter) checkPart(p part) error {
	name := map[part]string{trainPart: "training", testPart: "testing"}[p]
	if c.result.True.of(p).Written == 0 {
		return fmt.Errorf("no true window for %s; of %d sites: %s", name, c.result.True.Found,
			c.remainder(&c.result.True))
	}
	tally := c.result.Decoy.of(p)
	if tally.Written == 0 && (tally.Asked > 0 || c.ask(p).All) {
		return fmt.Errorf("no decoy for %s; of %d places with the consensus that are not sites: %s", name,
			c.result.Decoy.Found, c.remainder(&c.result.Decoy))
	}
	return nil
}

// ask returns how many decoys of a part are wanted.
func (c *cutter) ask(p part) Decoys {
	if p == testPart {
		return c.plan.Test
	}
	return c.plan.Train
}

// remainder says what became of all places of a class.
func (c *cutter) remainder(counts *Counts) string {
	text := counts.Explain()
	n := counts.Train.Written + counts.Test.Written
	switch {
	case n > 0 && text != "":
		return fmt.Sprintf("%d in the other part, %s", n, text)
	case n > 0:
		return fmt.Sprintf("%d in the other part", n)
	case text == "":
		return "none is there"
	}
	return text
}

// sorted returns the windows of a part in the order of the genome.
func (c *cutter) sorted(p part) []Window {
	slices.SortFunc(c.kept[p], func(a, b cut) int {
		return cmp.Or(cmp.Compare(a.record, b.record), cmp.Compare(a.Start, b.Start), cmp.Compare(a.strand, b.strand))
	})
	list := make([]Window, len(c.kept[p]))
	for i := range c.kept[p] {
		list[i] = c.kept[p][i].Window
	}
	return list
}
