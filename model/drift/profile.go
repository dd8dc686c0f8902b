// Package drift tells whether records look as those that a model was trained on.
//
// A [Profile] is a few hundred numbers about training data, a [Sample] the same of other data. Of each record they take
// some features: its length, the share of letters outside the alphabet, shares of letters (of DNA and RNA: of G and C,
// of A and G, of A and C; of bytes: of the sixteen most frequent ones, without case), and the share of its k-mers that
// are rare in training: 4-mers of DNA and RNA, either strand, 2-mers of amino acids, 3-mers of bytes without case, by a
// hash of 12 bits. Half of the training records say which k-mers are common: the most frequent ones, which together are
// half of all. All others are rare, unseen ones too. The other half of the records, on which the choice does not
// depend, say how large the share is.
//
// # The test
//
// The distribution of each feature in the sample is compared with that in training by the two-sample statistic of
// Kolmogorov and Smirnov, at the sextiles of training alone. By the bound of Dvoretzky, Kiefer and Wolfowitz (Massart
// 1990, doi:10.1214/aop/1176990746; of two samples Wei & Dudley 2012, doi:10.1016/j.spl.2011.11.012) it exceeds
// √(ln(2/p)/2·(1/n + 1/m)) with a probability of at most p, with n and m records that are drawn alike and
// independently, whatever their distribution. p is 0.01 over the number of features.
//
// Records are seldom independent: windows of a genome have the GC of their neighbourhood. n and m are divided by the
// number of records that count as one, at least 1.6: the method of batch means estimates it for each feature from the
// sample (Flegal & Jones 2010, arXiv:0811.1729), by how much the variance between runs of 2, 4, 8 … neighbouring
// records exceeds that of independent ones. This needs the order of the genome, which windows of seqio/windows have;
// near-duplicates that are spread over a file are not found.
//
// # How often it is wrong
//
// A test part that is drawn as the training data were is said to differ in at most one case in twenty. The tests of
// this package check this on generated records of six kinds, in blocks and with classes by turns, and with $SEQSVM_DATA
// on random parts of sets of DNA, RNA, proteins and texts, of 10 to 1,000 records. Where the test part is blocks of a
// genome, the rate is at most one in ten; where it is fewer than half a dozen blocks that differ much, it may be
// greater.
//
// # Cost
//
// At most 2,048 records of training and 384 of others are looked at in the end, one at random of each run of 2^i, and
// of each at most the first 65,536 letters: of N records those of O(log N) times as many. A profile takes less than
// 2 KB.
package drift

import (
	"cmp"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"sort"

	"github.com/seqsvm/seqsvm/internal/elementary"
	"github.com/seqsvm/seqsvm/stringkernel"
)

// points is the number of quantiles of a feature: the sextiles, the middle one of which is the median.
const points = 5

// Profile is what training data look like.
type Profile struct {
	Alphabet stringkernel.Alphabet `json:"alphabet"`
	Records  int                   `json:"records"` // of training that were looked at
	Letters  []byte                `json:"-"`       // whose shares are features, ascending; none of DNA and RNA
	// by feature: for each sextile its value, and how many records have a lesser one, and one not greater; lengths in
	// letters, shares in parts of [unit]
	Quantiles []int32  `json:"-"`
	Common    []uint64 `json:"-"` // a bit per k-mer that is not rare
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
	var chosen spaced
	for i := range c.Len() {
		if chosen.next(len(records)) {
			records = append(records, i)
		}
		if len(records) > mostTrained {
			records = halve(&chosen, records)
		}
	}
	p := &Profile{Alphabet: a, Records: len(records)}
	r, heldOut := newReader(a), halfOf(len(records))
	p.Letters, p.Common = r.learn(c, records, heldOut)
	r.use(p)
	values := make([][]int32, r.features())
	for i, record := range records {
		for f, v := range r.read(c.Seq(record)) {
			if f < len(values)-1 || heldOut[i] { // rare k-mers were chosen by the others
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

// MedianLength returns the median of the lengths of the training records, in letters.
func (p *Profile) MedianLength() int { return int(p.Quantiles[3*(points/2)]) }

// halfOf chooses one of every two neighbours at random.
func halfOf(n int) []bool {
	chosen, random := make([]bool, n), rand.PCG{}
	for i := 0; i+1 < n; i += 2 {
		chosen[i+int(random.Uint64()&1)] = true
	}
	return chosen
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

// Sample collects records that are to be compared with a profile. It keeps at most 384 of them, spread over all.
type Sample struct {
	profile *Profile
	reader  *reader
	spaced  spaced
	values  [][]int32 // of the records kept, in their order
}

// NewSample returns an empty sample.
func (p *Profile) NewSample() *Sample {
	s := &Sample{profile: p, reader: newReader(p.Alphabet)}
	s.reader.use(p)
	return s
}

// Add takes note of the next record, which may change afterwards.
func (s *Sample) Add(x []byte) {
	if s.spaced.next(len(s.values)) {
		s.values = append(s.values, slices.Clone(s.reader.read(x)))
	}
	if len(s.values) > mostSampled {
		s.values = halve(&s.spaced, s.values)
	}
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

// String says how many records are up to the value, here and in training.
func (s Shift) String() string {
	relation, value := "of at most", fmt.Sprintf("%.3g %%", 100*s.Value)
	if s.Less {
		relation = "below"
	}
	if s.Feature == length {
		value = fmt.Sprintf("%.6g", s.Value)
	}
	return fmt.Sprintf("%.3g %% of them, and %.3g %% of those of training, have a %s %s %s", 100*s.Here, 100*s.Trained,
		s.Feature, relation, value)
}

// falseAlarms is the greatest probability that a sample of independent records that are drawn as training data were has
// a shift.
const falseAlarms = 0.01

// leastTogether is how many records count as one where their order shows no dependence: some say what others say.
const leastTogether = 1.6

// leastRuns is the number of runs from which on their variance is known well enough.
const leastRuns = 6

// together returns how many records count as one, given the values of a feature in the order of the records: how many
// times the variance of independent records the shares below a sextile have in runs of neighbours, at the length of
// runs where that is most. The variance is that between neighbouring runs, so that a file of one class after the other
// is not taken for dependent records.
func together(values, sextiles []int32) float64 {
	most := leastTogether
	for length := 2; leastRuns*length <= len(values); length *= 2 {
		runs := len(values) / length
		between, within := 0, 0 // sums over sextiles, in records²
		for q := 0; q < len(sextiles); q += 3 {
			total, before := 0, 0
			for run := range runs {
				n := 0
				for _, v := range values[run*length : (run+1)*length] {
					if v <= sextiles[q] {
						n++
					}
				}
				if run > 0 {
					between += (n - before) * (n - before)
				}
				total, before = total+n, n
			}
			within += total * (runs*length - total)
		}
		if within > 0 {
			most = max(most, float64(runs*runs*length*between)/float64(2*(runs-1)*within))
		}
	}
	return most
}

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
		quantiles := s.profile.Quantiles[3*points*f : 3*points*(f+1)]
		asOne := together(column, quantiles)
		slices.Sort(column)
		n := s.profile.recordsOf(f)
		if n == 0 {
			continue
		}
		most := math.Sqrt(elementary.Log(2*float64(features)/falseAlarms) / 2 * asOne * (1/float64(n) + 1/float64(m)))
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

// spaced chooses records of a stream: of each run of 2^halved records one at random, so that what repeats every few
// records, as a decoy after each site, is not chosen or left out as a whole.
type spaced struct {
	seen, halved int
	at           int // the record to keep of the run
	random       rand.PCG
}

// next reports whether the next record is kept, after some that are.
func (s *spaced) next(kept int) bool {
	run, at := s.seen>>s.halved, s.seen&(1<<s.halved-1)
	if at == 0 {
		s.at = int(s.random.Uint64() & (1<<s.halved - 1))
	}
	s.seen++
	return run == kept && at == s.at
}

// halve keeps one of two neighbours, from now on.
func halve[T any](s *spaced, kept []T) []T {
	half := kept[:0]
	for pair := range slices.Chunk(kept, 2) {
		half = append(half, pair[int(s.random.Uint64()&1)%len(pair)])
	}
	clear(kept[len(half):])
	s.halved++
	return half
}

// mostCollected is the greatest number of letters that a [Collector] keeps.
const mostCollected = 1 << 26

// Collector keeps records of a stream, spread over it, to describe them at its end. The zero value has seen none. It
// keeps at most 2,048 records and 64 MiB of letters.
type Collector struct {
	kept    [][]byte
	letters int
	spaced  spaced
}

// Add takes note of the next record, which may change afterwards.
func (c *Collector) Add(x []byte) {
	if !c.spaced.next(len(c.kept)) {
		return
	}
	x = slices.Clone(x[:min(len(x), mostLetters)])
	c.kept, c.letters = append(c.kept, x), c.letters+len(x)
	for len(c.kept) > mostTrained || c.letters > mostCollected {
		c.kept, c.letters = halve(&c.spaced, c.kept), 0
		for _, x := range c.kept {
			c.letters += len(x)
		}
	}
}

// Profile describes the records seen, over an alphabet; nil of none.
func (c *Collector) Profile(a stringkernel.Alphabet) *Profile {
	if len(c.kept) == 0 {
		return nil
	}
	var b stringkernel.CorpusBuilder
	for _, x := range c.kept {
		b.Add("", x)
	}
	return New(b.Corpus(), a)
}
