package similarity

import (
	"github.com/biogo/biogo/align/matrix"
	"github.com/biogo/biogo/alphabet"

	"github.com/seqsvm/seqsvm/stringkernel"
)

// sideChains has Grantham's properties of amino acids in alphabetical order: weights of atoms that are not carbon per
// carbon of the side chain, polarity, and volume in Å³.
var sideChains = [20]struct{ composition, polarity, volume float64 }{
	{0, 8.1, 31}, {2.75, 5.5, 55}, {1.38, 13, 54}, {0.92, 12.3, 83}, {0, 5.2, 132}, // A C D E F
	{0.74, 9, 3}, {0.58, 10.4, 96}, {0, 5.2, 111}, {0.33, 11.3, 119}, {0, 4.9, 111}, // G H I K L
	{0, 5.7, 105}, {1.33, 11.6, 56}, {0.39, 8, 32.5}, {0.89, 10.5, 85}, {0.65, 10.5, 124}, // M N P Q R
	{1.42, 9.2, 32}, {0.71, 8.6, 61}, {0, 5.9, 84}, {0.13, 5.4, 170}, {0.2, 6.2, 136}, // S T V W Y
}

// blosum62 returns the score of two amino acids, by their numbers in alphabetical order.
func blosum62(a, b int) int { return matrix.BLOSUM62[biogoIndex[a]][biogoIndex[b]] }

// biogoIndex has the place of each amino acid in biogo's alphabet, and so in its matrices.
var biogoIndex = func() (places []int) {
	for _, letter := range stringkernel.Protein.Letters() {
		places = append(places, alphabet.Protein.IndexOf(alphabet.Letter(letter)))
	}
	return places
}()
