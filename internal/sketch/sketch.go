// Package sketch remembers a sample of a set of codes in bounded memory, so that the share of other codes that are in
// the set can be estimated: the bottom-k sketch of A. Z. Broder, On the resemblance and containment of documents,
// SEQUENCES 1997, doi:10.1109/SEQUEN.1997.666900.
//
// Codes are hashed, one to one, and a sketch holds the least hashes. Whether a code is in the set is known exactly
// where its hash is not above the greatest of a sketch, and such codes are a uniform sample of all. Hashes are the same
// in every process.
package sketch

import (
	"math"
	"slices"
	"sync/atomic"

	"github.com/seqsvm/seqsvm/internal/hash"
	"github.com/seqsvm/seqsvm/internal/kmer"
)

// key makes the hashes differ from those of other users of SplitMix.
const key = 0x5eb5b3e31d0a7c49

// Hash returns the hash of a code.
func Hash(code uint64) uint64 { return hash.SplitMix(code ^ key) }

// Builder collects the least hashes of a set of codes. The zero value is not valid: see [NewBuilder].
type Builder struct {
	size   int
	limit  uint64         // hashes above it are not among the least
	common *atomic.Uint64 // the least limit of all builders for parts of the set
	kept   []uint64       // up to 4·size, in any order, with duplicates
	space  []uint64       // to sort them in
	recent []uint64       // hashes met, at the place of their low bits: most duplicates end here
}

// NewBuilder returns a builder of sketches of a number of hashes, at least 1. It takes up to 64 bytes for each.
func NewBuilder(size int) *Builder {
	common := new(atomic.Uint64)
	common.Store(math.MaxUint64)
	return newBuilder(size, common)
}

func newBuilder(size int, common *atomic.Uint64) *Builder {
	return &Builder{size: size, limit: common.Load(), common: common, recent: make([]uint64, 1<<14)}
}

// Apart returns a builder for another part of the set, which may be used at the same time, and then be joined.
func (b *Builder) Apart() *Builder { return newBuilder(b.size, b.common) }

// Join adds what a builder of another part has met.
func (b *Builder) Join(part *Builder) {
	for _, h := range part.kept {
		if h <= b.limit {
			b.keep(h)
		}
	}
}

// Add adds codes to the set. O(1) each but for the first codes and those among the least, O(log size) for these.
func (b *Builder) Add(codes ...uint64) {
	limit := b.limit
	for _, code := range codes {
		if h := Hash(code); h <= limit {
			b.keep(h)
			limit = b.limit
		}
	}
}

// keep keeps a hash that may be among the least.
func (b *Builder) keep(h uint64) {
	recent := &b.recent[h%uint64(len(b.recent))]
	if *recent == h {
		return
	}
	*recent = h
	if len(b.kept) == 4*b.size {
		b.shrink()
	}
	if h <= b.limit {
		b.kept = append(b.kept, h)
	}
}

// shrink drops what is not among the least.
func (b *Builder) shrink() {
	kmer.Sort(b.kept, 0, 64, &b.space)
	b.kept = slices.Compact(b.kept)
	if len(b.kept) >= b.size {
		b.kept = b.kept[:b.size]
		b.limit = b.kept[b.size-1]
	}
	b.share()
}

// share takes and gives the least limit: no hash above the greatest of the least of a part is among those of the set.
func (b *Builder) share() {
	for common := b.common.Load(); common > b.limit; common = b.common.Load() {
		if b.common.CompareAndSwap(common, b.limit) {
			return
		}
	}
	b.limit = b.common.Load()
	n, found := slices.BinarySearch(b.kept, b.limit)
	if found {
		n++
	}
	b.kept = b.kept[:n]
}

// Sketch returns the least hashes.
func (b *Builder) Sketch() Sketch {
	b.shrink()
	return Of(slices.Clone(b.kept), b.size)
}

// Sketch is the least hashes of a set.
type Sketch struct {
	Least []uint64 // ascending, without duplicates
	limit uint64   // every member up to it is in Least
}

// Of returns a sketch of a size that has these hashes, ascending. With fewer than size they are the whole set.
func Of(least []uint64, size int) Sketch {
	s := Sketch{least, math.MaxUint64}
	if len(least) >= size {
		s.limit = least[len(least)-1]
	}
	return s
}

// Complete reports whether the sketch holds the whole set.
func (s Sketch) Complete() bool { return s.limit == math.MaxUint64 }

// Find returns whether a hash is in the set, and whether the sketch can tell.
func (s Sketch) Find(h uint64) (in, known bool) {
	if h > s.limit {
		return false, false
	}
	_, in = slices.BinarySearch(s.Least, h)
	return in, true
}

// ContainedIn estimates the share of the codes of s that are in another set. O(n·log n).
func (s Sketch) ContainedIn(set Sketch) Share {
	var share Share
	for _, h := range s.Least {
		if in, known := set.Find(h); known {
			share.Add(in)
		}
	}
	share.Exact = s.Complete() && set.Complete()
	return share
}

// Share is a share of which a sample is known.
type Share struct {
	In, Seen int  // of the sample: members, and all
	Exact    bool // the sample is everything
}

// Add counts one more of the sample.
func (s *Share) Add(in bool) {
	s.Seen++
	if in {
		s.In++
	}
}

// Estimate returns the share and its standard error, 0 if it is exact; both are 0 if nothing was seen.
func (s Share) Estimate() (share, deviation float64) {
	if s.Seen == 0 {
		return 0, 0
	}
	n := float64(s.Seen)
	if share = float64(s.In) / n; s.Exact {
		return share, 0
	}
	return share, math.Sqrt(float64(share*(1-share)) / n)
}
