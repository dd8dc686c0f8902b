package windows

import (
	"cmp"
	"context"
	"slices"
)

// pick is a candidate that may be drawn.
type pick struct {
	key         uint64
	record, pos int
	strand      int
}

func comparePicks(a, b pick) int {
	return cmp.Or(cmp.Compare(a.key, b.key), cmp.Compare(a.record, b.record), cmp.Compare(a.pos, b.pos), cmp.Compare(a.strand, b.strand))
}

// leastPicks keeps the n least of the picks it is given, in time O(log n) per pick that may be among them and memory 2n.
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
	if l.list = append(l.list, p); len(l.list) >= 2*l.n {
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

// drawDecoys draws as many decoys as the tally asks for. Since windows with letters met before are dropped, a few more candidates are taken than are
// wanted and, if even those do not do, twice as many.
func (c *cutter) drawDecoys(ctx context.Context, p part, tally *Tally) error {
	asked := min(tally.Asked, tally.Dropped[NotDrawn])
	for done, n := 0, asked+asked/16+64; tally.Written < asked && tally.Dropped[NotDrawn] > 0; n *= 2 {
		picks, err := c.leastOf(ctx, p, n)
		if err != nil {
			return err
		}
		fresh, err := c.windowsOf(ctx, picks[done:])
		if err != nil {
			return err
		}
		for _, w := range fresh {
			if tally.Written == asked {
				break
			}
			tally.Dropped[NotDrawn]--
			c.keep(w, p)
		}
		done = len(picks)
	}
	return nil
}

// leastOf returns the n candidates of a part with the least keys, in the order of their keys; fewer if there are no more.
func (c *cutter) leastOf(ctx context.Context, p part, n int) ([]pick, error) {
	least := leastPicks{n: n}
	err := c.eachStrip(ctx, hasRegions, func(s *strip) error {
		record := hashName(s.name)
		return s.eachDecoy(ctx, func(pos int, v verdict) {
			if !v.dropped && v.part == p {
				least.add(pick{key(c.plan.Seed, record, uint64(2*pos+s.strand)), s.record, pos, s.strand})
			}
		})
	})
	least.cut()
	return least.list, err
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
