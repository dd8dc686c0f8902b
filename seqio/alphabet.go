package seqio

import (
	"bytes"
	"strings"

	"github.com/biogo/biogo/alphabet"
	"github.com/biogo/biogo/feat"

	"github.com/seqsvm/seqsvm/internal/parallel"
	"github.com/seqsvm/seqsvm/internal/vectors"
	"github.com/seqsvm/seqsvm/seqio/internal/lines"
	"github.com/seqsvm/seqsvm/stringkernel"
)

// fullProtein is biogo's protein alphabet with the two letters it lacks, O (pyrrolysine) and U (selenocysteine), and
// the gap '.'.
var fullProtein = alphabet.Must(alphabet.NewAlphabet("-abcdefghijklmnopqrstuvwxyz*.", feat.Protein, '-', 'x',
	!alphabet.CaseSensitive))

// DetectAlphabet infers the alphabet of a corpus from its letters, whatever their case. Gaps '-' and '.' do not count.
//
//  1. No letters: bytes.
//  2. All are IUPAC nucleotide codes (A C G T U, R Y S W K M B D H V N), at least one is not N, and of those that are
//     not N at least 90 % are A, C, G, T or U, or at least half are, and each of these four (T or U) is one in twenty:
//     dna if there are no more U than T, else rna. So degenerate primers are DNA.
//  3. All are amino acid letters (A–Z) or '*', and at least half of the letters are upper case: protein. A corpus in
//     lower case was not turned into upper case by a reader, so it is words.
//  4. Else bytes.
//
// A few short peptides made of A, C, G and T alone are indistinguishable from DNA. Other proteins are not taken for it:
// a third of their residues are not nucleotide codes (E F I L P Q), so that ten residues are all codes once in a
// hundred proteins and forty once in 10⁷; of residues that are codes a third are A, C, G or T; and repeats of a few
// residues lack a base, mostly C. The cost is one pass over the letters.
//
// Reading text as TSV or JSONL has it uses a stricter rule for proteins: see the package comment.
func DetectAlphabet(c *stringkernel.Corpus) stringkernel.Alphabet {
	return detect(countLetters(c.Whole()), false)
}

// detect is DetectAlphabet of letters that were counted. Of text, white space does not count; it is DNA or RNA only if
// it has two different bases, and protein only if all letters are upper case and at least 98 % are of the 20 amino
// acids, which excludes words in capitals.
func detect(count [256]int, text bool) stringkernel.Alphabet {
	if text {
		for _, b := range []byte(" \t\r\n\v\f") {
			count[b] = 0
		}
	}
	sum := func(letters string) (n int) {
		for _, b := range []byte(letters) {
			n += count[b]
		}
		return n
	}
	all, upper := vectors.Sum(count[:])-sum("-."), 0
	for b := 'A'; b <= 'Z'; b++ {
		upper += count[b]
	}
	if all == 0 {
		return stringkernel.Bytes
	}
	nucleotide, protein := true, true
	for b, n := range count {
		if n == 0 || b == '-' || b == '.' {
			continue
		}
		letter := alphabet.Letter(b)
		nucleotide = nucleotide && (alphabet.DNAredundant.IsValid(letter) || alphabet.RNAredundant.IsValid(letter))
		protein = protein && fullProtein.IsValid(letter)
	}
	known, bases, rarest := all-sum("Nn"), 0, all
	for _, base := range []string{"Aa", "Cc", "Gg", "TtUu"} {
		bases += min(1, sum(base))
		rarest = min(rarest, sum(base))
	}
	plain := sum("ACGTUacgtu")
	switch {
	case text && nucleotide && bases < 2:
		return stringkernel.Bytes
	case nucleotide && known > 0 && (10*plain >= 9*known || 2*plain >= known && 20*rarest >= known):
		if sum("Uu") > sum("Tt") {
			return stringkernel.RNA
		}
		return stringkernel.DNA
	case text && (!protein || upper < all-sum("*") || 100*sum("ACDEFGHIKLMNPQRSTVWY") < 98*all):
		return stringkernel.Bytes
	case protein && 2*upper >= all-sum("*") && upper > 0:
		return stringkernel.Protein
	}
	return stringkernel.Bytes
}

// ShareOutside returns which share of the letters of a corpus lies outside an alphabet: the quotient of what
// [CountOutside] returns, 0 without any letter.
func ShareOutside(c *stringkernel.Corpus, a stringkernel.Alphabet) float64 {
	outside, all := CountOutside(c, a)
	if all == 0 {
		return 0
	}
	return float64(outside) / float64(all)
}

// CountOutside counts the letters of a corpus, and those of them that lie outside an alphabet, whatever their case: a
// large share means that the data are of another kind, such as RNA where DNA is expected. N, X, '*', the gaps '-'
// and '.' and the break of a pair are not counted. The alphabet must be a known one. The cost is one pass over the
// letters.
func CountOutside(c *stringkernel.Corpus, a stringkernel.Alphabet) (outside, all int) {
	codes := a.Codes()
	for b, n := range countLetters(c.Whole()) {
		upper := lines.UpperByte[b]
		if strings.IndexByte("NX*-.\t", upper) >= 0 {
			continue
		}
		all += n
		if codes[upper] == stringkernel.Outside {
			outside += n
		}
	}
	return outside, all
}

// countLetters counts every byte value on all processors.
func countLetters(x []byte) (count [256]int) {
	const part = 1 << 20
	sums := make([][256]int, (len(x)+part-1)/part)
	parallel.Each(len(sums), func(i int) {
		x, bases := x[i*part:min((i+1)*part, len(x))], 0
		for _, b := range []byte("ACGT") {
			sums[i][b] = bytes.Count(x, []byte{b})
			bases += sums[i][b]
		}
		if bases == len(x) {
			return
		}
		sums[i] = [256]int{}
		for _, b := range x {
			sums[i][b]++
		}
	})
	for i := range sums {
		vectors.Add(count[:], sums[i][:])
	}
	return count
}
