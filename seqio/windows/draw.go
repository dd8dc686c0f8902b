package windows

import (
	"cmp"
	"context"
	"math"
	"slices"
)

// pick is a candidate that may be drawn.
type pick struct {
	key         uint64
	record, pos int
	strand      int
}

func comparePicks(a, b pick) int {
	return cmp.Or(cmp.Compare(a.key, b.key), cmp.Compare(a.record, b.record), cmp.Compare(a.pos, b.pos),
		cmp.Compare(a.strand, b.strand))
}

// leastPicks keeps the n least of the picks it is given, in time O(log n) per pick that may be among them and memory
// 2n; with n = 0 all of them, as they come.
type leastPicks struct {
	n    int
	list []pick
	full bool   // list[:n] are the least so far of more than n
	most uint64 // the greatest key among them
}

func (l *leastPicks) add(p pick) {
	if l.full && p.key > l.most {
		return
	}
	if l.list = append(l.list, p); l.n > 0 && len(l.list) >= 2*l.n {
		l.cut()
	}
}

// cut sorts, and drops what is too much.
func (l *leastPicks) cut() {
	slices.SortFunc(l.list, comparePicks)
	if len(l.list) > l.n {
		l.list, l.full = l.list[:l.n], true
		l.most = l.list[l.n-1].key
	}
}

// picks returns what was kept: the least in the order of their keys, or all in the order they came.
func (l *leastPicks) picks() []pick {
	if l.n > 0 {
		l.cut()
	}
	return l.list
}

// drawDecoys counts the candidates, all of them in one pass, and cuts those that are drawn.
func (c *cutter) drawDecoys(ctx context.Context, order []part) error {
	var lots [parts]*leastPicks
	for _, p := range order {
		lots[p] = &leastPicks{n: c.firstLot(p)}
	}
	decoys := &c.result.Decoy
	err := c.eachCandidate(ctx, func(candidate pick, v verdict) {
		if v.dropped {
			decoys.drop(v.reason)
			return
		}
		decoys.Found++
		decoys.of(v.part).Dropped[NotDrawn]++
		lots[v.part].add(candidate)
	})
	for _, p := range order {
		if err == nil {
			err = c.fill(ctx, p, lots[p])
		}
	}
	return err
}

// mostPicks is more than any genome has.
const mostPicks = 1 << 40

// firstLot sets how many decoys of a part are asked for, and returns how many candidates to take for them: a few more,
// since some may have letters met before; 0 for all.
func (c *cutter) firstLot(p part) int {
	ask := c.ask(p)
	if ask.All {
		return 0
	}
	asked := ask.Number + int(math.Round(ask.Ratio*float64(c.result.True.of(p).Written)))
	c.result.Decoy.of(p).Asked = asked
	return min(asked+asked/16+64, mostPicks)
}

// eachCandidate visits all places with the consensus that are not sites.
func (c *cutter) eachCandidate(ctx context.Context, visit func(pick, verdict)) error {
	hasRegions := func(l *land, strand int) bool { return len(l.regions[strand]) > 0 }
	return c.eachStrip(ctx, hasRegions, func(s *strip) error {
		record := hashName(s.name)
		return s.eachDecoy(ctx, func(pos int, v verdict) {
			visit(pick{key(c.plan.Seed, record, uint64(2*pos+s.strand)), s.record, pos, s.strand}, v)
		})
	})
}

// fill cuts decoys of a part from a lot of candidates until there are as many as were asked for. If the lot does not
// do, one of twice the size is taken, which begins with the same candidates.
func (c *cutter) fill(ctx context.Context, p part, lot *leastPicks) error {
	tally, all := c.result.Decoy.of(p), c.ask(p).All
	for done := 0; ; {
		picks := lot.picks()
		fresh, err := c.windowsOf(ctx, picks[done:])
		if err != nil {
			return err
		}
		for _, w := range fresh {
			if !all && tally.Written == tally.Asked {
				return nil
			}
			tally.Dropped[NotDrawn]--
			c.keep(w, p)
		}
		if tally.Dropped[NotDrawn] == 0 || tally.Written == tally.Asked {
			return nil
		}
		done, lot = len(picks), &leastPicks{n: 2 * lot.n}
		err = c.eachCandidate(ctx, func(candidate pick, v verdict) {
			if !v.dropped && v.part == p {
				lot.add(candidate)
			}
		})
		if err != nil {
			return err
		}
	}
}

// windowsOf cuts the windows of picks, in the order of the picks.
func (c *cutter) windowsOf(ctx context.Context, picks []pick) ([]cut, error) {
	at := map[*land]*[len(strands)][]int{} // indices of picks
	for i, p := range picks {
		l := &c.lands[p.record]
		if at[l] == nil {
			at[l] = new([len(strands)][]int)
		}
		at[l][p.strand] = append(at[l][p.strand], i)
	}
	hasPicks := func(l *land, strand int) bool { return at[l] != nil && len(at[l][strand]) > 0 }
	list := make([]cut, len(picks))
	err := c.eachStrip(ctx, hasPicks, func(s *strip) error {
		for _, i := range at[s.land][s.strand] {
			start, _ := c.plan.place(picks[i].pos, strands[s.strand])
			list[i] = s.window(start)
		}
		return nil
	})
	return list, err
}
