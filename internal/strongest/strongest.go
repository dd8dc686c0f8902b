// Package strongest finds the few greatest of many values.
package strongest

import (
	"cmp"
	"slices"
)

// Item is a value with the number under which it was offered.
type Item struct {
	Number int
	Value  float64
}

// List keeps the n items of the greatest values among those offered to it. Of equal values the lower number comes
// first, so that the order of the offers does not matter. It holds at most 2n + 64 items; an offer takes O(log n)
// amortised.
type List struct {
	n     int
	items []Item
	least float64 // of the items kept, once there are n
	full  bool
}

// NewList returns an empty list of at most n items, n ≥ 0.
func NewList(n int) *List { return &List{n: n} }

// Offer adds an item if it is among the n greatest so far.
func (l *List) Offer(number int, value float64) {
	if l.n == 0 || l.full && value < l.least {
		return
	}
	l.items = append(l.items, Item{number, value})
	if l.n <= (len(l.items)-64)/2 {
		l.cut()
	}
}

// cut sorts the items and drops those beyond n.
func (l *List) cut() {
	slices.SortFunc(l.items, func(a, b Item) int {
		return cmp.Or(cmp.Compare(b.Value, a.Value), cmp.Compare(a.Number, b.Number))
	})
	if len(l.items) >= l.n && l.n > 0 {
		l.items = l.items[:l.n]
		l.least, l.full = l.items[l.n-1].Value, true
	}
}

// Items returns what was kept, the greatest first.
func (l *List) Items() []Item {
	l.cut()
	return l.items[:min(l.n, len(l.items))]
}

// Both keeps the n greatest of the positive values offered to it and the n least of the negative ones. Zeros are left
// out.
type Both struct {
	positive, negative *List
}

// NewBoth returns an empty pair of lists.
func NewBoth(n int) *Both { return &Both{NewList(n), NewList(n)} }

// Offer adds an item to the list of its sign.
func (b *Both) Offer(number int, value float64) {
	switch {
	case value > 0:
		b.positive.Offer(number, value)
	case value < 0:
		b.negative.Offer(number, -value)
	}
}

// Items returns the positive items, the greatest first, then the negative ones, the least first.
func (b *Both) Items() []Item {
	all := slices.Clone(b.positive.Items())
	for _, item := range b.negative.Items() {
		all = append(all, Item{item.Number, -item.Value})
	}
	return all
}
