package model

import (
	"strings"

	"github.com/seqsvm/seqsvm/stringkernel"
)

// Anchor is what all windows of a training corpus have at the same place, such as AG before the exon in windows around
// acceptor sites. The zero value is no anchor.
type Anchor struct {
	Motif  string `json:"motif"`  // letters; N (amino acids: X) where windows differ
	Offset int    `json:"offset"` // letters of a window before it
}

// leastAnchored is the number of windows from which on a place with one letter alone is no coincidence.
const leastAnchored = 20

// AnchorOf finds the anchor of sequences of one length: from the first to the last place that has the same letter of
// the alphabet in all of them. There is none if sequences differ in length, if there are fewer than 20, if the alphabet
// is bytes, or if more than half of the places are alike: such are variants of one sequence. The cost is at most one
// pass over the letters.
func AnchorOf(c *stringkernel.Corpus, a stringkernel.Alphabet) Anchor {
	if c.Len() < leastAnchored || a == "" || a == stringkernel.Bytes {
		return Anchor{}
	}
	common := append([]byte(nil), c.Seq(0)...)
	left := 0
	for j, b := range common {
		if a.Codes()[b] == stringkernel.Outside {
			common[j] = 0
		} else {
			left++
		}
	}
	for i := 1; i < c.Len() && left > 0; i++ {
		x := c.Seq(i)
		if len(x) != len(common) {
			return Anchor{}
		}
		for j, b := range common {
			if b != 0 && b != x[j] {
				common[j] = 0
				left--
			}
		}
	}
	if left == 0 || 2*left > len(common) {
		return Anchor{}
	}
	any := "N"
	if a.OfAminoAcids() {
		any = "X"
	}
	motif := strings.Trim(string(common), "\x00")
	return Anchor{strings.ReplaceAll(motif, "\x00", any), strings.Index(string(common), motif)}
}
