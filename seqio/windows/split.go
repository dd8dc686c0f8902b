package windows

import (
	"cmp"
	"fmt"
	"hash/fnv"
	"io"
	"math"
	"slices"

	"github.com/seqsvm/seqsvm/internal/hash"
)

// Split says which part of the genome is for testing. The zero value means none.
type Split struct {
	Records  []string // names of whole records that are for testing
	Block    int      // if not 0: the records are cut into blocks of that many letters,
	Fraction float64  // and this fraction of them, drawn at random, is for testing
}

// part is one of the two parts of the genome.
type part uint8

const (
	trainPart part = iota
	testPart
	parts             // their number
	across part = 255 // a window that reaches from one to the other
)

// Two reports whether there are two parts.
func (s Split) Two() bool { return len(s.Records) > 0 || s.Block != 0 }

// check returns an error if the split makes no sense for windows of that length.
func (s Split) check(length int) error {
	switch {
	case len(s.Records) > 0 && s.Block != 0:
		return fmt.Errorf("windows: a split by records cannot be combined with one by blocks")
	case s.Block == 0:
		return nil
	case s.Block < length:
		return fmt.Errorf("windows: blocks of %d letters are shorter than windows of %d", s.Block, length)
	case !(s.Fraction > 0 && s.Fraction < 1):
		return fmt.Errorf("windows: fraction of blocks for testing = %v, want between 0 and 1", s.Fraction)
	}
	return nil
}

// territory says which part each letter of a record is in.
type territory struct {
	whole part   // of all letters if there are no blocks
	size  int    // of a block
	block []part // nil if there are no blocks
}

// of returns the part of letters start … end − 1, of which there is at least one.
func (t *territory) of(start, end int) part {
	if t.block == nil {
		return t.whole
	}
	first := t.block[start/t.size]
	for b := start/t.size + 1; b <= (end-1)/t.size; b++ {
		if t.block[b] != first {
			return across
		}
	}
	return first
}

// divide gives every record its territory.
func (s Split) divide(g Genome, seed uint64) ([]territory, error) {
	names := g.Names()
	all := make([]territory, len(names))
	if s.Block != 0 {
		return all, s.drawBlocks(all, names, g, seed)
	}
	for _, name := range s.Records {
		i := slices.Index(names, name)
		if i < 0 {
			return nil, fmt.Errorf("the genome has no record %.40q to test on", name)
		}
		all[i].whole = testPart
	}
	return all, nil
}

// drawBlocks draws the blocks for testing: those with the least keys.
func (s Split) drawBlocks(all []territory, names []string, g Genome, seed uint64) error {
	type place struct {
		key           uint64
		record, block int
	}
	var places []place
	for i, name := range names {
		n, _ := g.Length(name)
		all[i] = territory{size: s.Block, block: make([]part, n/s.Block+min(1, n%s.Block))}
		for b := range all[i].block {
			places = append(places, place{key(seed, hashName(name), uint64(b)), i, b})
		}
	}
	if len(places) < 2 {
		return fmt.Errorf("the genome makes %d block of %d letters, want at least 2: make blocks shorter", len(places),
			s.Block)
	}
	slices.SortFunc(places, func(a, b place) int {
		return cmp.Or(cmp.Compare(a.key, b.key), cmp.Compare(a.record, b.record), cmp.Compare(a.block, b.block))
	})
	tests := min(max(1, int(math.Round(s.Fraction*float64(len(places))))), len(places)-1)
	for _, p := range places[:tests] {
		all[p.record].block[p.block] = testPart
	}
	return nil
}

// hashName returns the 64-bit FNV-1a hash of a name.
func hashName(name string) uint64 {
	h := fnv.New64a()
	io.WriteString(h, name)
	return h.Sum64()
}

// key returns a random number for a place: the finaliser of SplitMix64 over the seed, the record and the number of the
// place.
func key(seed, record, place uint64) uint64 {
	return hash.SplitMix(hash.SplitMix(hash.SplitMix(seed+hash.Golden)^record) ^ place)
}
