package motif

import "github.com/seqsvm/seqsvm/internal/iupac"

// Consensus writes a motif with one letter per position, by the rule of Cavener (1987): a letter that is more than half
// of all and more than twice as frequent as the next; the code for two nucleotides that are more than three quarters
// together; otherwise N, or x in proteins.
//
// D. R. Cavener, Comparison of the consensus sequence flanking translational start sites in Drosophila and vertebrates,
// Nucleic Acids Research 15 (1987), doi:10.1093/nar/15.4.1353.
func (s *Set) Consensus(m *Motif) string {
	names := letters(s.Alphabet)
	letters := make([]byte, len(m.Matrix))
	for j, row := range m.Matrix {
		first, second := leading(row)
		switch {
		case row[first] > 0.5 && row[first] > 2*row[second]:
			letters[j] = names[first]
		case !s.Alphabet.Complementary():
			letters[j] = 'x'
		case row[first]+row[second] > 0.75:
			letters[j] = either(names[first], names[second])
		default:
			letters[j] = 'N'
		}
	}
	return string(letters)
}

// leading returns the two codes of the highest probabilities.
func leading(row []float64) (first, second int) {
	second = 1
	if row[1] > row[0] {
		first, second = 1, 0
	}
	for c := 2; c < len(row); c++ {
		switch {
		case row[c] > row[first]:
			first, second = c, first
		case row[c] > row[second]:
			second = c
		}
	}
	return first, second
}

// either returns the code for two nucleotides.
func either(a, b byte) byte {
	if a > b {
		a, b = b, a
	}
	want := iupac.Bases(a) + iupac.Bases(b)
	for _, code := range []byte("RYSWKM") {
		if iupac.Bases(code) == want {
			return code
		}
	}
	return 'N'
}
