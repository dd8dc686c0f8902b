package seqio

import "slices"

// apart returns a collector for blocks of the same input alone.
func (c *collector) apart() *collector {
	a := newCollector(c.opt)
	a.opt.RepeatedIDs, a.alone = true, true // ids are compared where blocks are joined
	a.start(Input{Path: c.set.Source, Label: c.common, class: c.class, classBy: c.set.classBy}, c.set.Format)
	return a
}

// restart empties a collector of blocks. One of FASTA begins inside a record, its first.
func (c *collector) restart() {
	c.builder.Reset()
	s := c.set
	s.Lines, s.Descriptions, s.Labels, s.guessed = s.Lines[:0], s.Descriptions[:0], s.Labels[:0], s.guessed[:0]
	s.LabelSets, c.mixed = s.LabelSets[:0], false
	for k := range s.Fields {
		s.Fields[k] = s.Fields[k][:0]
	}
	c.open, c.id, c.description, c.line, c.length, c.fields = s.Format == FASTA, "", "", 0, 0, c.fields[:0]
	c.label, c.guessed = "", false
	for range c.opt.Fields {
		c.fields = append(c.fields, "")
	}
	c.total, c.names, c.beside = 0, 0, 0
}

// head returns the letters of a block of FASTA before its first record, and whether any record begins in the block.
func (c *collector) head() (letters []byte, begins bool) {
	switch {
	case c.set.Format != FASTA:
		return nil, true
	case len(c.set.Lines) == 0:
		return c.builder.Pending(), false
	}
	return c.builder.Seq(0), true
}

// hasRoomFor reports whether what comes of a block alone can be joined: no limit is in sight, no batch is full, and
// letters before the first record belong to one.
func (c *collector) hasRoomFor(a *collector) bool {
	head, _ := a.head()
	letters, records := len(a.builder.Letters()), len(a.set.Lines)+1
	all := c.records + len(c.set.Lines) + records
	const perRecord = 300 // bytes, as [collector.bytes] counts them at most
	switch {
	case len(head) > 0 && !c.open, len(head) > c.longest-c.length:
		return false
	case letters > c.limit-c.total, all > min(c.limit, MaxRecords):
		return false
	case c.batch != nil && (c.batch.err != nil || BatchSize(all, c.total+letters) >= c.batch.size):
		return false
	}
	if _, err := c.missing(letters); err != nil {
		return false
	}
	return c.Fits(4*letters+a.names+a.beside+perRecord*records, 0) == nil
}

// hold makes room for what comes of a block alone. Where that moves what is there, it waits first until nothing is
// being copied to it.
func (c *collector) hold(a *collector, copied func()) {
	letters, records := len(a.builder.Letters()), len(a.set.Lines)+1
	s := c.set
	lists := []roomyList{list[int]{&s.Lines}}
	if c.described(s.Format) {
		lists = append(lists, list[string]{&s.Descriptions}, list[bool]{&s.guessed})
	}
	if c.labelled(s.Format) {
		lists = append(lists, list[string]{&s.Labels})
	}
	if c.labelSets(s.Format) {
		lists = append(lists, list[[]string]{&s.LabelSets})
	}
	for k := range s.Fields {
		lists = append(lists, list[string]{&s.Fields[k]})
	}
	full := !c.builder.HasRoom(records, letters)
	for _, l := range lists {
		full = full || l.room() < records
	}
	if !full {
		return
	}
	copied()
	_ = c.makeRoom(letters, 0) // hasRoomFor has asked whether it can
	if !c.builder.HasRoom(records, letters) {
		c.builder.Grow(max(records, c.records+len(s.Lines)), 0)
	}
	for _, l := range lists {
		l.grow(max(records, len(s.Lines)/2))
	}
}

// roomyList is a [list].
type roomyList interface {
	room() int
	grow(n int)
}

// list is a slice that grows.
type list[T any] struct{ slice *[]T }

func (l list[T]) room() int  { return cap(*l.slice) - len(*l.slice) }
func (l list[T]) grow(n int) { *l.slice = slices.Grow(*l.slice, n) }

// join adds what comes of a block alone, for which there is room: all but the copying of letters and lists, which is
// left to fill, which another goroutine may call. Of an id that occurs twice again makes the error, once all is filled.
func (c *collector) join(a *collector) (fill func(), again func() error) {
	head, begins := a.head()
	headPlace := c.builder.Leave(len(head))
	c.length += len(head)
	c.total += len(a.builder.Letters())
	if !begins {
		return func() { copy(headPlace, head) }, nil
	}
	c.end()
	first := 0
	if c.set.Format == FASTA {
		first = 1
	}
	s, t := c.set, a.set
	corpus := c.builder.Take(&a.builder, first, len(t.Lines))
	lists := []func(){
		taking(&s.Lines, t.Lines, first), taking(&s.Descriptions, t.Descriptions, first),
		taking(&s.Labels, t.Labels, first), taking(&s.guessed, t.guessed, first),
		taking(&s.LabelSets, t.LabelSets, first),
	}
	for k, values := range t.Fields {
		lists = append(lists, taking(&s.Fields[k], values, first))
	}
	if c.batch == nil || !a.numbered { // as nameDocument counts
		c.names += a.names
	}
	c.beside += a.beside
	tail := a.builder.Pending() // of a record that is open
	tailPlace := c.builder.Leave(len(tail))
	if a.open {
		c.open, c.id, c.description, c.line, c.length = true, a.id, a.description, a.line, a.length
		c.label, c.guessed = a.label, a.guessed
		c.fields = append(c.fields[:0], a.fields...)
	}
	return func() {
		copy(headPlace, head)
		copy(tailPlace, tail)
		corpus()
		for _, list := range lists {
			list()
		}
	}, c.uniqueOf(a, first)
}

// taking makes a list longer by what another has from first on, and returns a function that copies it.
func taking[T any](list *[]T, other []T, first int) func() {
	if len(other) == 0 { // of a format without such a list
		return func() {}
	}
	at := len(*list)
	*list = slices.Grow(*list, len(other)-first)[:at+len(other)-first]
	place := (*list)[at:]
	return func() { copy(place, other[first:]) }
}

// uniqueOf returns what makes the error if the id of a record of a block that was joined was used before, else nil.
func (c *collector) uniqueOf(a *collector, first int) (again func() error) {
	numbered := a.numbered
	if c.opt.RepeatedIDs || numbered && !c.mayHaveIDs() {
		return nil
	}
	check := func(id string, line int) {
		if earlier, isNew := c.ids.add(id); !isNew {
			again = func() error {
				c.open, c.id, c.numbered = true, id, numbered
				return c.duplicate(earlier, line)
			}
		}
	}
	for i := first; i < len(a.set.Lines) && again == nil; i++ {
		check(a.builder.Name(i), a.set.Lines[i])
	}
	if c.open && again == nil {
		check(c.id, c.line)
	}
	return again
}
