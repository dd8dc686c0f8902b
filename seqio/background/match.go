package background

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"sync/atomic"

	"github.com/seqsvm/seqsvm/internal/parallel"
	"github.com/seqsvm/seqsvm/internal/subset"
	"github.com/seqsvm/seqsvm/seqio/genome"
)

// Matcher draws windows of a genome that are like given ones, the positives.
type Matcher struct {
	// windows per positive, above 0 and at most MaxRatio: positive i gets ⌊(i+1)·Ratio⌋ − ⌊i·Ratio⌋
	Ratio   float64
	GC      float64 // by how much the shares of G and C may differ, 0 to 1
	Repeats float64 // by how much the shares of soft-masked letters may differ, 0 to 1
	Tries   int     // places that are tried for a window before it is given up, 1 or more
	Seed    uint64
	// called with how many windows have been searched for and are wanted, by several goroutines at once; may be nil
	Progress func(done, of int)
	// called before the search with about how many windows have room beside each other, by a sample of places, and how
	// many are wanted; may be nil
	Room func(room, wanted int)
}

// Usual is a Matcher of one window per positive, with shares that differ by 0.02.
var Usual = Matcher{Ratio: 1, GC: 0.02, Repeats: 0.02, Tries: 100_000}

// MaxRatio is the largest Ratio.
const MaxRatio = 1000

// Check returns an error that names the first parameter out of range.
func (m Matcher) Check() error {
	switch {
	case !(m.Ratio > 0 && m.Ratio <= MaxRatio):
		return fmt.Errorf("background: ratio = %v, want above 0 and at most %d", m.Ratio, MaxRatio)
	case !(m.GC >= 0 && m.GC <= 1):
		return fmt.Errorf("background: tolerance of GC = %v, want 0 to 1", m.GC)
	case !(m.Repeats >= 0 && m.Repeats <= 1):
		return fmt.Errorf("background: tolerance of repeats = %v, want 0 to 1", m.Repeats)
	case m.Tries < 1:
		return fmt.Errorf("background: tries = %d, want 1 or more", m.Tries)
	}
	return nil
}

// Reason is why there is no window for a positive: the furthest test at which the places tried failed. Tests are made
// in the order of the constants.
type Reason int

// The reasons.
const (
	NothingKnown Reason = iota // the positive has no letter A, C, G or T
	TooLong                    // no sequence of the genome is as long
	UnknownBase                // the window would reach beyond an end, or hold a letter other than A, C, G and T
	OtherGC                    // the share of G and C differs by more than the tolerance
	OtherRepeat                // the share of soft-masked letters does
	Overlapping                // it overlaps a positive, an excluded piece or another window
	Reasons                    // their number
)

// String names a reason in a few words.
func (r Reason) String() string {
	return [...]string{"no known base in the positive", "too long for the genome", "ends and unknown bases", "GC",
		"repeats", "overlap"}[r]
}

// Window is a window of the genome that matches a positive.
type Window struct {
	Seq         string
	genome.Span               // of as many letters as the positive has
	Strand      genome.Strand // of the positive
	Composition Composition   // of its letters; none is unknown
	Positive    int           // the positive it is for
}

// Matches is what was found.
type Matches struct {
	Windows   []Window      // in order of positives
	Positives []Composition // of the positives
	Wanted    int           // windows
	Unmatched [Reasons]int  // windows that were not found, by reason
}

// Match draws windows of the lengths of the positives, which overlap neither positives nor excluded pieces nor each
// other, hold no unknown letter and are within the tolerances. Each is drawn uniformly from all such places of the
// genome: places are drawn and rejected until one fits, at most Tries times. Positives must lie within the genome
// and have letters, and not more windows be wanted than the genome has letters. Excluded pieces are cut to it, and
// those of other sequences are left out.
//
// The result depends on the seed and not on the number of processors. Time O(1) per try, memory 150 bytes per window
// besides the atlas. It ends early, with the context's error, when the context ends.
func (m Matcher) Match(ctx context.Context, a *Atlas, positives, exclude []genome.Interval) (*Matches, error) {
	if err := m.Check(); err != nil {
		return nil, err
	}
	s := &matching{Matcher: m, atlas: a, result: &Matches{Positives: make([]Composition, len(positives))}}
	for number := range a.names {
		s.longest = max(s.longest, a.length(number))
	}
	for i, p := range positives {
		if err := CheckPositive(a, p); err != nil {
			return nil, fmt.Errorf("background: positive %d: %w", i+1, err)
		}
		s.result.Positives[i] = a.Composition(p.Seq, p.Span)
	}
	s.taken = occupiedBy(a, positives, exclude)
	if wanted, bases := float64(len(positives))*m.Ratio, a.bases(); wanted > float64(bases) {
		return nil, fmt.Errorf("background: %.0f windows requested from a genome of %d letters", wanted, bases)
	}
	s.makeSearches()
	if m.Room != nil && len(positives) > 0 {
		m.Room(s.room(), s.result.Wanted)
	}
	if err := s.run(ctx); err != nil {
		return nil, err
	}
	s.collect(positives)
	return s.result, nil
}

// CheckPositive returns a [genome.Misfit] unless an interval has letters, and all of them in the genome: an [Atlas] or
// a [genome.Genome].
func CheckPositive(g interface {
	Length(name string) (letters int, found bool)
}, p genome.Interval) error {
	length, found := g.Length(p.Seq)
	switch {
	case !found:
		return genome.Misfitf(genome.UnknownSequence, "the genome has no sequence %.80q", p.Seq)
	case p.Len() < 1:
		return genome.Misfitf(genome.WithoutLetters, "%.80s:%d-%d has no letters", p.Seq, p.Start, p.End)
	case p.Start < 0 || p.End > length:
		return genome.Misfitf(genome.BeyondEnd, "%.80s:%d-%d is not within the sequence, which has %d letters",
			p.Seq, p.Start, p.End, length)
	}
	return nil
}

// matching is a run of a Matcher.
type matching struct {
	Matcher
	atlas    *Atlas
	taken    occupied
	longest  int // letters of a sequence
	searches []search
	result   *Matches
}

// search is for one window.
type search struct {
	positive int
	source   rand.PCG
	tries    int // that are left
	furthest Reason
	sequence int // where the window is, or may be
	span     genome.Span
	found    bool
}

// wanted returns how many windows the first n positives get, ⌊n·Ratio⌋; 100·0.29 is 29, though its floating-point
// product is a little less.
func (m Matcher) wanted(n int) int {
	const rounding = 1e-12
	return int(math.Floor(float64(n) * m.Ratio * (1 + rounding)))
}

// room estimates how many windows can lie beside each other: the places where one like some of the positives may begin,
// by a sample, over the mean length.
func (m *matching) room() int {
	const places, each = 4000, 25
	rng := rand.New(newSource(m.Seed, len(m.result.Positives), 0))
	begins, letters, bases := 0, 0, m.atlas.bases()
	for range places {
		sequence, start := m.atlas.place(rng.IntN(bases))
		fits := false
		for range each {
			want := m.result.Positives[rng.IntN(len(m.result.Positives))]
			letters += want.Letters
			fits = fits || want.Unknown < want.Letters &&
				m.test(sequence, genome.Span{Start: start, End: start + want.Letters}, want) == Reasons
		}
		if fits {
			begins += each
		}
	}
	return int(float64(begins) * float64(bases) / float64(letters))
}

// makeSearches prepares a search for every window that is wanted.
func (m *matching) makeSearches() {
	done := 0
	for i := range m.result.Positives {
		first := done
		for ; done < m.wanted(i+1); done++ {
			m.searches = append(m.searches,
				search{positive: i, source: *newSource(m.Seed, i, done-first), tries: m.Tries})
		}
	}
	m.result.Wanted = done
}

// run works in rounds. In each, searches look for suitable places in parallel; then these are assigned in order, and a
// search whose place has been taken continues in the next round.
func (m *matching) run(ctx context.Context) error {
	open := subset.Whole(len(m.searches))
	for len(open) > 0 {
		const block = 16
		var done atomic.Int64
		done.Store(int64(len(m.searches) - len(open)))
		err := parallel.Do(ctx, (len(open)+block-1)/block, func(b int) error {
			for _, i := range open[b*block : min(len(open), (b+1)*block)] {
				if err := ctx.Err(); err != nil {
					return err
				}
				m.look(&m.searches[i])
				searched := int(done.Add(1))
				if m.Progress != nil {
					m.Progress(searched, len(m.searches))
				}
			}
			return nil
		})
		if err != nil {
			return err
		}
		var beaten []int
		for _, i := range open {
			s := &m.searches[i]
			switch {
			case !s.found:
			case m.taken.overlaps(s.sequence, s.span):
				s.found, s.furthest = false, Overlapping
				beaten = append(beaten, i)
			default:
				m.taken.add(s.sequence, s.span)
			}
		}
		open = beaten
	}
	return nil
}

// look tries places until one suits or no tries are left.
func (m *matching) look(s *search) {
	want := m.result.Positives[s.positive]
	switch {
	case want.Unknown == want.Letters:
		s.tries = 0
	case want.Letters > m.longest:
		s.tries, s.furthest = 0, TooLong
	}
	rng := rand.New(&s.source)
	bases := m.atlas.bases()
	for ; s.tries > 0; s.tries-- {
		sequence, start := m.atlas.place(rng.IntN(bases))
		s.sequence, s.span = sequence, genome.Span{Start: start, End: start + want.Letters}
		reason := m.test(sequence, s.span, want)
		s.furthest = max(s.furthest, reason)
		if s.found = reason == Reasons; s.found {
			s.tries--
			return
		}
	}
}

// test returns the first reason against a window, or Reasons if there is none.
func (m *matching) test(sequence int, span genome.Span, want Composition) Reason {
	if span.End > m.atlas.length(sequence) {
		return UnknownBase
	}
	const slack = 1e-9 // of a difference that equals the tolerance but for rounding
	have := m.atlas.composition(sequence, span)
	switch {
	case have.Unknown > 0:
		return UnknownBase
	case math.Abs(have.GCShare()-want.GCShare()) > m.GC+slack:
		return OtherGC
	case math.Abs(have.RepeatShare()-want.RepeatShare()) > m.Repeats+slack:
		return OtherRepeat
	case m.taken.overlaps(sequence, span):
		return Overlapping
	}
	return Reasons
}

// collect makes the result of the searches.
func (m *matching) collect(positives []genome.Interval) {
	for i := range m.searches {
		s := &m.searches[i]
		if !s.found {
			m.result.Unmatched[s.furthest]++
			continue
		}
		m.result.Windows = append(m.result.Windows, Window{
			Seq:         m.atlas.names[s.sequence],
			Span:        s.span,
			Strand:      positives[s.positive].Strand,
			Composition: m.atlas.composition(s.sequence, s.span),
			Positive:    s.positive,
		})
	}
}
