// Package drift tells whether records look as those that a model was trained on.
//
// A [Profile] is a few hundred numbers about training data, a [Sample] the same of other data. Of each record they take
// some features: its length, the share of letters outside the alphabet, shares of letters (of DNA and RNA: of G and C,
// of A and G, of A and C; of bytes: of the sixteen most frequent ones, without case), and the share of its k-mers that
// are rare in training: 4-mers of DNA and RNA, either strand, 2-mers of amino acids, 3-mers of bytes without case, by a
// hash of 12 bits. Rare is what is not among the most frequent k-mers of every other record of training, which together
// are half of all; unseen ones are rare. The share is known of the other records, which the choice does not depend on.
//
// # The test
//
// The distribution of each feature in the sample is compared with that in training by the two-sample statistic of
// Kolmogorov and Smirnov, at the sextiles of training alone. By the bound of Dvoretzky, Kiefer and Wolfowitz (Massart
// 1990, doi:10.1214/aop/1176990746; of two samples Wei & Dudley 2012, doi:10.1016/j.spl.2011.11.012) it exceeds
// √(ln(2/p)/2·(1/n + 1/m)) with a probability of at most p, with n and m records that are drawn alike and
// independently, whatever their distribution. p is 0.01 over the number of features, so that at most one sample in a
// hundred is said to differ though it does not. Records are seldom independent, windows of a genome overlap: n and m
// are divided by 1.6.
//
// # Cost
//
// At most 2,048 records of training and 384 of others are looked at in the end, evenly spaced, and of each at most the
// first 65,536 letters: of N records those of O(log N) times as many. A profile takes less than 2 KB.
package drift

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"sort"

	"github.com/seqsvm/seqsvm/internal/elementary"
	"github.com/seqsvm/seqsvm/stringkernel"
)

// points is the number of quantiles of a feature: the sextiles, the middle one of which is the median.
const points = 5

// Profile is what training data look like.
type Profile struct {
	Alphabet stringkernel.Alphabet
	Records  int    // of training that were looked at
	Letters  []byte // whose shares are features, ascending; none of DNA and RNA
	// by feature: for each sextile its value, and how many records have a lesser one, and one not greater; lengths in
	// letters, shares in parts of [unit]
	Quantiles []int32
	Common    []uint64 // a bit per k-mer that is not rare
}

// unit is a share of one.
const unit = 1_000_000_000

// mostTrained and mostSampled are the greatest numbers of records that are looked at, mostLetters of letters of one.
const (
	mostTrained = 2048
	mostSampled = 384
	mostLetters = 1 << 16
	mostShares  = 16 // of bytes
)

// New describes training records over an alphabet.
func New(c *stringkernel.Corpus, a stringkernel.Alphabet) *Profile {
	var records []int
	every := max(1, (c.Len()+mostTrained-1)/mostTrained)
	for i := 0; i < c.Len(); i += every {
		records = append(records, i)
	}
	p := &Profile{Alphabet: a, Records: len(records)}
	r := newReader(a)
	p.Letters, p.Common = r.learn(c, records)
	r.use(p)
	values := make([][]int32, r.features())
	for i, record := range records {
		for f, v := range r.read(c.Seq(record)) {
			if f < len(values)-1 || i%2 == 1 { // rare k-mers were chosen by the others
				values[f] = append(values[f], v)
			}
		}
	}
	for _, list := range values {
		slices.Sort(list)
		for q := 1; q <= points; q++ {
			p.Quantiles = append(p.Quantiles, quantile(list, q)...)
		}
	}
	return p
}

// quantile returns the q-th sextile of ascending values, how many are less, and how many are not greater.
func quantile(sorted []int32, q int) []int32 {
	if len(sorted) == 0 {
		return []int32{0, 0, 0}
	}
	v := sorted[(len(sorted)-1)*q/(points+1)]
	less, _ := slices.BinarySearch(sorted, v)
	return []int32{v, int32(less), int32(upTo(sorted, v))}
}

// upTo returns how many ascending values are not greater than v.
func upTo(sorted []int32, v int32) int {
	return sort.Search(len(sorted), func(i int) bool { return sorted[i] > v })
}

// recordsOf returns how many records of training a feature is known of.
func (p *Profile) recordsOf(feature int) int {
	if 3*points*(feature+1) == len(p.Quantiles) {
		return p.Records / 2
	}
	return p.Records
}

// Check returns an error unless the profile is one that New could have made.
func (p *Profile) Check() error {
	if err := p.Alphabet.Check(); err != nil {
		return err
	}
	if p.Records < 1 || p.Records > mostTrained {
		return fmt.Errorf("drift: profile of %d records, want 1 to %d", p.Records, mostTrained)
	}
	r := newReader(p.Alphabet)
	if err := r.check(p); err != nil {
		return err
	}
	r.use(p)
	if len(p.Quantiles) != 3*points*r.features() {
		return fmt.Errorf("drift: %d numbers of %d features, want %d", len(p.Quantiles), r.features(), 3*points*r.features())
	}
	for i := 0; i < len(p.Quantiles); i += 3 {
		v, less, upTo := p.Quantiles[i], p.Quantiles[i+1], p.Quantiles[i+2]
		if v < 0 || less < 0 || upTo < less || int(upTo) > p.recordsOf(i/(3*points)) {
			return fmt.Errorf("drift: sextile %d of feature %d: %d, of %d to %d records",
				i/3%points, i/(3*points), v, less, upTo)
		}
	}
	return nil
}

// Sample collects records that are to be compared with a profile. It keeps at most 384 of them, evenly spaced.
type Sample struct {
	profile *Profile
	reader  *reader
	seen    int
	every   int
	values  [][]int32 // of the records kept
}

// NewSample returns an empty sample.
func (p *Profile) NewSample() *Sample {
	s := &Sample{profile: p, reader: newReader(p.Alphabet), every: 1}
	s.reader.use(p)
	return s
}

// Add takes note of the next record, which may change afterwards.
func (s *Sample) Add(x []byte) {
	if s.seen%s.every == 0 {
		if len(s.values) == mostSampled {
			for i := range mostSampled / 2 {
				s.values[i] = s.values[2*i]
			}
			s.values = s.values[:mostSampled/2]
			s.every *= 2
		}
		if s.seen%s.every == 0 {
			s.values = append(s.values, slices.Clone(s.reader.read(x)))
		}
	}
	s.seen++
}

// Shift is a feature whose distribution differs from that in training, most of all at a value.
type Shift struct {
	Feature string  // in words
	Value   float64 // a length in letters, or a share from 0 to 1
	Less    bool    // compared are the records below the value, else those not above it
	Trained float64 // their share in training
	Here    float64 // their share in the sample

	excess float64 // of the difference over the one that is allowed
}

// String says the value, and how many records are up to it.
func (s Shift) String() string {
	relation := "≤"
	if s.Less {
		relation = "<"
	}
	return fmt.Sprintf("%s %s %.6g: %.3g %% of the records, %.3g %% in training", s.Feature, relation, s.Value, 100*s.Here,
		100*s.Trained)
}

// falseAlarms is the greatest probability that a sample that is drawn as training data were has a shift.
const falseAlarms = 0.01

// together is how many records count as one, since some say what others say: windows that overlap.
const together = 1.6

// Shifts lists the features that differ, the most different first.
func (s *Sample) Shifts() (shifts []Shift) {
	features := s.reader.features()
	m := len(s.values)
	if m == 0 {
		return nil
	}
	column := make([]int32, m)
	for f := range features {
		for i, values := range s.values {
			column[i] = values[f]
		}
		slices.Sort(column)
		quantiles := s.profile.Quantiles[3*points*f : 3*points*(f+1)]
		n := s.profile.recordsOf(f)
		if n == 0 {
			continue
		}
		most := math.Sqrt(elementary.Log(2*float64(features)/falseAlarms) / 2 * together * (1/float64(n) + 1/float64(m)))
		shift := farthest(quantiles, n, column)
		if shift.excess = math.Abs(shift.Here-shift.Trained) / most; shift.excess > 1 {
			if shift.Feature = s.reader.name(f); f > 0 {
				shift.Value /= unit
			}
			shifts = append(shifts, shift)
		}
	}
	slices.SortStableFunc(shifts, func(a, b Shift) int { return cmp.Compare(b.excess, a.excess) })
	return shifts
}

// farthest returns the sextile at which the distribution functions of n values of training, or their left limits, and
// of others differ most, the first of several.
func farthest(quantiles []int32, n int, sorted []int32) (shift Shift) {
	for q := 0; q < len(quantiles); q += 3 {
		less, _ := slices.BinarySearch(sorted, quantiles[q])
		for i, count := range []int{less, upTo(sorted, quantiles[q])} {
			trained, here := float64(quantiles[q+1+i])/float64(n), float64(count)/float64(len(sorted))
			if math.Abs(here-trained) > math.Abs(shift.Here-shift.Trained) {
				shift = Shift{Value: float64(quantiles[q]), Less: i == 0, Trained: trained, Here: here}
			}
		}
	}
	return shift
}
