package kmers

import (
	"slices"
	"strings"
	"sync"

	"github.com/seqsvm/seqsvm/internal/iupac"
	"github.com/seqsvm/seqsvm/internal/scratch"
	"github.com/seqsvm/seqsvm/seqio/genome"
)

// Genome is where a variant is looked up: a [genome.Genome], for example.
type Genome interface {
	// Length returns the number of letters of a chromosome, and false if there is none of that name.
	Length(chrom string) (int, bool)
	// AppendSlice appends letters start … end − 1 (0-based, half-open) of a chromosome to dst.
	AppendSlice(dst []byte, chrom string, start, end int) ([]byte, error)
}

// Site is a variant with what surrounds it. The zero value is ready for [Site.Look]. It has the scratch space of the
// scorers that it is given to, one at a time.
type Site struct {
	Variant genome.Variant
	Alts    []Alt // that are to be scored

	letters    []byte // of the genome, in lower case where the genome is
	start, end int    // of the reference allele in letters
	changed    []byte // letters with an allele
	one        [1]float64
	shares     []float64
}

// Alt is a sequence that an alternative allele is, or stands for.
type Alt struct {
	Text string // of A, C, G and T
	Of   int    // the allele in Variant.Alt
}

// mostReadings bounds the sequences that an allele with codes for several nucleotides stands for.
const mostReadings = 64

// Look looks up a variant in a genome with a number of letters before and after it, fewer at the ends of the
// chromosome. A chromosome that is not there, a place beyond its end and other letters than those of the reference
// allele are a [genome.Misfit]. Case does not matter. An ambiguity code of the genome, but for N, agrees with every
// letter it stands for, and has the one of the reference allele. A variant without an allele to score is not looked up.
//
// To be scored are alleles that are sequences of A, C, G and T, if the reference allele is one. Any other letter would
// count like a deletion of all k-mers around it. But one with codes, except N, counts as all the sequences other than
// the reference allele that it stands for, if they are at most 64.
func (s *Site) Look(g Genome, v genome.Variant, around int) error {
	const mostKept = 1 << 16 // of scratch space
	if max(cap(s.letters), cap(s.changed), 8*cap(s.shares)) > mostKept {
		*s = Site{}
	}
	s.Variant, s.Alts = v, s.Alts[:0]
	if plain(v.Ref) {
		for i, a := range v.Alt {
			s.read(i, a)
		}
	}
	if len(s.Alts) == 0 {
		return nil
	}
	length, found := g.Length(v.Chrom)
	if !found {
		return genome.Misfitf(genome.UnknownSequence, "chromosome %.80q is not in the genome", v.Chrom)
	}
	start, end := v.Pos-1, v.Pos-1+len(v.Ref)
	if v.Pos < 1 || len(v.Ref) > length || start > length-len(v.Ref) {
		return genome.Misfitf(genome.BeyondEnd,
			"POS %d with a REF of %d letters is not within chromosome %s, which has %d letters",
			v.Pos, len(v.Ref), v.Chrom, length)
	}
	from, to := max(0, start-around), min(length, end+min(around, length-end))
	var err error
	if s.letters, err = g.AppendSlice(s.letters[:0], v.Chrom, from, to); err != nil {
		return err
	}
	s.start, s.end = start-from, end-from
	ref := s.letters[s.start:s.end]
	if i := settle(ref, v.Ref); i >= 0 {
		return genome.Misfitf(genome.OtherReference,
			"REF has %q where the genome has %q, letter %d of chromosome %s", v.Ref[i], ref[i], v.Pos+i, v.Chrom)
	}
	return nil
}

// read appends the sequences that an allele stands for.
func (s *Site) read(i int, a genome.Allele) {
	switch {
	case plain(a.Text):
		s.Alts = append(s.Alts, Alt{a.Text, i})
	case !a.Symbolic && !strings.Contains(a.Text, "N"):
		texts := []string{""}
		for k := range len(a.Text) {
			var longer []string
			for _, text := range texts {
				for _, base := range iupac.Bases(a.Text[k]) {
					longer = append(longer, text+string(base))
				}
			}
			if texts = longer; len(texts) > mostReadings {
				return
			}
		}
		for _, text := range texts {
			if text != s.Variant.Ref {
				s.Alts = append(s.Alts, Alt{text, i})
			}
		}
	}
}

// plain reports whether an allele has no letter but A, C, G and T.
func plain(allele string) bool { return strings.Trim(allele, "ACGT") == "" }

// settle replaces the ambiguity codes of a piece of a genome by the letters of the reference allele there, and keeps
// the case. It returns the index of the first letter that the reference allele contradicts, −1 if all fit.
func settle(piece []byte, ref string) int {
	const lower = 'a' - 'A'
	for i, b := range piece {
		code := b &^ lower
		if code != ref[i] && (code == 'N' || code == 'U' || !strings.Contains(iupac.Bases(code), ref[i:i+1])) {
			return i
		}
		piece[i] = ref[i] | b&lower
	}
	return -1
}

// alleles returns the reference and an alternative allele with left and right letters around both, fewer at the ends of
// what was looked up, and the number of letters before the alleles. An allele is soft-masked where the first letter of
// the reference is, in a genome that tells.
func (s *Site) alleles(alt string, left, right int) (ref, other []byte, before int) {
	before = min(s.start, left)
	from, to := s.start-before, min(len(s.letters), s.end+right)
	s.changed = append(append(s.changed[:0], s.letters[from:s.start]...), alt...)
	if s.letters[s.start] >= 'a' {
		for i := before; i < len(s.changed); i++ {
			s.changed[i] |= 'a' - 'A'
		}
	}
	s.changed = append(s.changed, s.letters[s.end:to]...)
	return s.letters[from:to], s.changed, before
}

// Deltas appends the delta of each allele of sites, in order: the sum of w over the k-mers of the chromosome with the
// allele less that of the chromosome as it is, which is deltaSVM. Sites were looked up with at least l − 1 letters
// around. Letters that both alleles have in common at either end cost nothing. Many sites at once take less time each
// than one, since look-ups of their k-mers are under way together.
func (s *Scorer) Deltas(dst []float64, sites []Site) []float64 {
	letters := scratch.BorrowOf[byte](&letterPool, 0)
	defer letterPool.Put(letters)
	var ends []int // of each reference and alternative allele in letters
	for i := range sites {
		for _, a := range sites[i].Alts {
			ref, other, before := sites[i].alleles(a.Text, s.length-1, s.length-1)
			for _, allele := range s.trim(ref, other, before) {
				*letters = append(append(*letters, allele...), apart)
				ends = append(ends, len(*letters)-1)
			}
		}
	}
	scores := s.each(*letters)
	defer scratch.Pool.Put(scores)
	from, before := 0, 0.0
	for i, end := range ends {
		sum := 0.0
		for place := from; place+s.length <= end; place++ {
			sum += (*scores)[place]
		}
		if from = end + 1; i%2 == 0 {
			before = sum
		} else {
			dst = append(dst, sum-before)
		}
	}
	return dst
}

// apart is between sequences, and breaks k-mers.
const apart = 'N'

var letterPool sync.Pool // *[]byte

// trim drops the k-mers that two sequences have in common at their ends, given how many letters at the beginning are
// known to be.
func (s *Scorer) trim(x, y []byte, prefix int) [2][]byte {
	for prefix < min(len(x), len(y)) && x[prefix] == y[prefix] {
		prefix++
	}
	suffix := 0
	for suffix < min(len(x), len(y))-prefix && x[len(x)-1-suffix] == y[len(y)-1-suffix] {
		suffix++
	}
	from, to := max(0, prefix-s.length+1), max(0, suffix-s.length+1)
	return [2][]byte{x[from : len(x)-to], y[from : len(y)-to]}
}

// Max returns the greater one of the sums of w over the k-mers that overlap the reference allele, and over those that
// overlap the alternative one. The site was looked up as for [Scorer.Deltas].
func (s *Scorer) Max(x *Site, alt string) float64 {
	ref, other, _ := x.alleles(alt, s.length-1, s.length-1)
	return max(s.Sum(ref), s.Sum(other))
}

// Around returns how many letters around the alleles are looked at where there are context letters in all: at least l −
// 1 on either side.
func (s *Scorer) Around(context int) int { return max(s.length-1, context/2) }

// context is alleles for a number of letters of the sequence with the reference allele.
func (s *Scorer) context(x *Site, alt string, letters int) (ref, other []byte, before int) {
	more := max(0, letters-(x.end-x.start))
	return x.alleles(alt, max(s.length-1, more/2), max(s.length-1, more-more/2))
}

// Decisions returns the decisions on two sequences: so many letters of the chromosome with the reference allele in the
// middle, and the same with an alternative allele. The site was looked up with [Scorer.Around].
func (s *Scorer) Decisions(x *Site, alt string, letters int) (ref, other float64) {
	with, without, _ := s.context(x, alt, letters)
	for i, letters := range [2][]byte{with, without} {
		s.whole.ScoreTo(x.one[:], letters)
		if x.one[0] -= s.rho; i == 0 {
			ref = x.one[0]
		}
	}
	return ref, x.one[0]
}

// Importance returns the difference of the contributions to the decisions on the sequences of [Scorer.Decisions],
// summed over the positions that k-mers which overlap the allele have: the allele and l − 1 letters on either side.
func (s *Scorer) Importance(x *Site, alt string, letters int) float64 {
	ref, other, before := s.context(x, alt, letters)
	return s.near(x, other, before, len(alt)) - s.near(x, ref, before, x.end-x.start)
}

// near sums contributions near an allele.
func (s *Scorer) near(x *Site, letters []byte, before, allele int) (sum float64) {
	x.shares = slices.Grow(x.shares[:0], len(letters))[:len(letters)]
	s.explainer.ExplainTo(x.shares, 0, letters)
	for _, share := range x.shares[max(0, before-s.length+1):min(len(letters), before+allele+s.length-1)] {
		sum += share
	}
	return sum
}
