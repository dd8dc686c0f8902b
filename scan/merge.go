package scan

import "slices"

// Merger is a [Sink] that merges regions on the same strand that overlap or touch, with the best of their scores.
type Merger struct {
	Next    Sink
	growing []Region // at most one per strand, of one record
	done    []Region // in order, that begin after one that still grows
}

// Add takes a region.
func (m *Merger) Add(r Region) error {
	if len(m.growing) > 0 && m.growing[0].Index != r.Index {
		if err := m.flush(); err != nil {
			return err
		}
	}
	at := slices.IndexFunc(m.growing, func(g Region) bool { return g.Strand == r.Strand })
	switch {
	case at < 0:
		m.growing = append(m.growing, r)
	case r.Start <= m.growing[at].End:
		m.growing[at].End = max(m.growing[at].End, r.End)
		m.growing[at].Score = max(m.growing[at].Score, r.Score)
	default:
		m.finish(m.growing[at])
		m.growing[at] = r
		return m.pass()
	}
	return nil
}

// finish inserts a region in order among those that are done, at the end or near it.
func (m *Merger) finish(r Region) {
	at := len(m.done)
	for at > 0 && inOrder(r, m.done[at-1]) < 0 {
		at--
	}
	m.done = slices.Insert(m.done, at, r)
}

// pass passes on what begins before all that grows.
func (m *Merger) pass() error {
	n := 0
	for ; n < len(m.done); n++ {
		if slices.ContainsFunc(m.growing, func(g Region) bool { return inOrder(g, m.done[n]) < 0 }) {
			break
		}
		if err := m.Next.Add(m.done[n]); err != nil {
			return err
		}
	}
	m.done = slices.Delete(m.done, 0, n)
	return nil
}

// flush passes on all regions of a record.
func (m *Merger) flush() error {
	for _, r := range m.growing {
		m.finish(r)
	}
	m.growing = m.growing[:0]
	return m.pass()
}

// End ends the last record.
func (m *Merger) End() error {
	if err := m.flush(); err != nil {
		return err
	}
	return m.Next.End()
}
