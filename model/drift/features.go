package drift

import (
	"cmp"
	"fmt"
	"math"
	"slices"

	"github.com/seqsvm/seqsvm/internal/subset"
	"github.com/seqsvm/seqsvm/stringkernel"
)

// aminoAcids are the letters whose shares are features of proteins.
const aminoAcids = "ACDEFGHIKLMNPQRSTVWY"

// reader reads the features of records: the length, the share of letters outside the alphabet unless that is bytes,
// shares of letters, and the share of k-mers that are rare.
type reader struct {
	nucleic, bytes bool
	codes          [256]int16 // of letters without case
	k              int
	width          uint   // bits of the code of a letter
	mask           uint32 // of a k-mer
	factor         uint32 // of the hash of a k-mer, and the bits that it drops
	shift          uint
	codesOfKmers   int // number of codes of k-mers

	letters []byte  // whose shares are features
	rare    []uint8 // 1 for each code of a rare k-mer

	counts [256]int // by code, of the record
	found  []uint32 // k-mers of the record
	values []int32
}

// hashedBits is the number of bits of the hash of a k-mer of bytes.
const hashedBits = 12

func newReader(a stringkernel.Alphabet) *reader {
	r := &reader{nucleic: a.Complementary(), bytes: !a.Complementary() && !a.OfAminoAcids()}
	switch {
	case r.nucleic:
		a, r.k, r.width, r.codesOfKmers = stringkernel.DNA, 4, 2, 1<<8
	case r.bytes:
		r.k, r.width, r.codesOfKmers = 3, 8, 1<<hashedBits
	default:
		r.k, r.width, r.codesOfKmers = 2, 5, 1<<10
	}
	r.mask, r.factor = 1<<(r.width*uint(r.k))-1, 1
	if r.bytes {
		r.factor, r.shift = 0x9e3779b1, 32-hashedBits // 2³²/φ
	}
	for b := range r.codes {
		upper := upperCase(byte(b))
		if r.codes[b] = int16(upper); !r.bytes {
			if r.nucleic && upper == 'U' {
				upper = 'T'
			}
			r.codes[b] = a.Codes()[upper]
		}
	}
	return r
}

func upperCase(b byte) byte {
	if b >= 'a' && b <= 'z' {
		return b - ('a' - 'A')
	}
	return b
}

// use has the reader take the letters and k-mers of a profile.
func (r *reader) use(p *Profile) {
	r.letters, r.rare = p.Letters, make([]uint8, r.codesOfKmers)
	for code := range r.rare {
		at := r.canonical(code)
		r.rare[code] = uint8(1 ^ p.Common[at/64]>>(at%64)&1)
	}
}

// shares is the number of shares of letters.
func (r *reader) shares() int {
	if r.nucleic {
		return len(nucleicShares)
	}
	return len(r.letters)
}

// nucleicShares are two letters each whose share is a feature, by their codes. The other shares of two follow.
var nucleicShares = []struct {
	a, b int
	name string
}{{1, 2, "G and C"}, {0, 2, "A and G"}, {0, 1, "A and C"}}

// first is the place of the first share.
func (r *reader) first() int {
	if r.bytes {
		return 1
	}
	return 2
}

func (r *reader) features() int { return r.first() + r.shares() + 1 }

const length = "length"

// name says in words what a feature is.
func (r *reader) name(feature int) string {
	share := feature - r.first()
	switch {
	case feature == 0:
		return length
	case share < 0:
		return "share of letters outside the alphabet"
	case share == r.shares():
		return fmt.Sprintf("share of %d-mers that are rare in training", r.k)
	case r.nucleic:
		return "share of " + nucleicShares[share].name
	case r.bytes:
		return fmt.Sprintf("share of %q", r.letters[share])
	}
	return "share of " + string(r.letters[share])
}

// read returns the features of a record, until it is called again.
func (r *reader) read(x []byte) []int32 {
	length := min(len(x), math.MaxInt32)
	x = x[:min(len(x), mostLetters)]
	clear(r.counts[:])
	kmers, inside, rare := r.kmersOf(x), 0, 0
	for _, code := range kmers {
		rare += int(r.rare[code])
	}
	for _, n := range r.counts {
		inside += n
	}
	r.values = append(r.values[:0], int32(length))
	if !r.bytes {
		r.values = append(r.values, share(len(x)-inside, len(x)))
	}
	if r.nucleic {
		for _, s := range nucleicShares {
			r.values = append(r.values, share(r.counts[s.a]+r.counts[s.b], inside))
		}
	}
	for _, letter := range r.letters {
		r.values = append(r.values, share(r.counts[r.codes[letter]], inside))
	}
	r.values = append(r.values, share(rare, len(kmers)))
	return r.values
}

// share returns n of all in parts of unit, 0 of none.
func share(n, all int) int32 { return int32(int64(n) * unit / int64(max(1, all))) }

// kmersOf counts the letters of a record by their codes, and returns the codes of its k-mers, those of either strand as
// they are, until it is called again.
func (r *reader) kmersOf(x []byte) []uint32 {
	r.found = slices.Grow(r.found[:0], len(x))[:len(x)]
	found, n, code, run := r.found, 0, uint32(0), 0
	for _, b := range x {
		c := r.codes[b]
		if c == stringkernel.Outside {
			run = 0
			continue
		}
		r.counts[c]++
		code = (code<<r.width | uint32(c)) & r.mask
		if run++; run >= r.k {
			found[n] = code * r.factor >> r.shift
			n++
		}
	}
	return found[:n]
}

// canonical returns the lesser code of a 4-mer of DNA and of its reverse complement, other codes as they are.
func (r *reader) canonical(code int) int {
	if !r.nucleic {
		return code
	}
	reverse := 0
	for c, i := code, 0; i < r.k; i++ {
		reverse = reverse<<2 | (3 - c&3)
		c >>= 2
	}
	return min(code, reverse)
}

// learn returns the letters whose shares are features, and the common k-mers of the records that are not held out.
func (r *reader) learn(c *stringkernel.Corpus, records []int, heldOut []bool) (letters []byte, common []uint64) {
	counts := make([]int, r.codesOfKmers)
	all, total := [256]int{}, 0
	for i, record := range records {
		x := c.Seq(record)
		clear(r.counts[:])
		for _, code := range r.kmersOf(x[:min(len(x), mostLetters)]) {
			if !heldOut[i] {
				counts[r.canonical(int(code))]++
				total++
			}
		}
		for code, n := range r.counts {
			all[code] += n
		}
	}
	common = make([]uint64, (r.codesOfKmers+63)/64)
	sum := 0
	for _, code := range frequent(counts) {
		if 2*sum >= total {
			break
		}
		common[code/64] |= 1 << (code % 64)
		sum += counts[code]
	}
	switch {
	case r.nucleic:
		return nil, common
	case !r.bytes:
		return []byte(aminoAcids), common
	}
	for _, letter := range frequent(all[:]) {
		if all[letter] > 0 && len(letters) < mostShares {
			letters = append(letters, byte(letter))
		}
	}
	slices.Sort(letters)
	return letters, common
}

// frequent lists the indices of counts, the greatest count first, of equal ones the first.
func frequent(counts []int) []int {
	order := subset.Whole(len(counts))
	slices.SortStableFunc(order, func(i, j int) int { return cmp.Compare(counts[j], counts[i]) })
	return order
}

// check returns an error unless letters and k-mers are of the alphabet.
func (r *reader) check(p *Profile) error {
	if len(p.Common) != (r.codesOfKmers+63)/64 {
		return fmt.Errorf("drift: %d words of common k-mers, want %d", len(p.Common), (r.codesOfKmers+63)/64)
	}
	fits := len(p.Letters) <= mostShares && slices.IsSorted(p.Letters)
	switch {
	case r.nucleic:
		fits = len(p.Letters) == 0
	case !r.bytes:
		fits = string(p.Letters) == aminoAcids
	}
	if !fits {
		return fmt.Errorf("drift: shares of the letters %q in %s", p.Letters, p.Alphabet)
	}
	return nil
}
