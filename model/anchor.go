package model

import (
	"bytes"
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

// AnchorOf finds the anchor of sequences: see [AnchorFinder].
func AnchorOf(c *stringkernel.Corpus, a stringkernel.Alphabet) Anchor {
	f := NewAnchorFinder(a)
	for i := range c.Len() {
		if f.Add(c.Seq(i)); f.left == 0 {
			break // no place is left to look at
		}
	}
	return f.Anchor()
}

// AnchorFinder finds the anchor of sequences of one length: from the first to the last place that has the same letter
// of the alphabet in all of them. There is none if sequences differ in length, if there are fewer than 20, if the
// alphabet is bytes or empty, or if more than half of the places are alike: such are variants of one sequence. The cost
// is at most one pass over the letters.
type AnchorFinder struct {
	alphabet stringkernel.Alphabet
	common   []byte // the letter of each place, 0 where there are several
	left     int    // places with one letter
	n        int    // sequences
}

// NewAnchorFinder returns a finder for sequences of an alphabet.
func NewAnchorFinder(a stringkernel.Alphabet) *AnchorFinder { return &AnchorFinder{alphabet: a} }

// Add looks at a sequence.
func (f *AnchorFinder) Add(x []byte) {
	f.n++
	switch {
	case f.n == 1:
		f.begin(x)
	case f.left == 0:
	case len(x) != len(f.common):
		f.left = 0
	default:
		f.compare(x)
	}
}

// begin takes the letters of the first sequence.
func (f *AnchorFinder) begin(x []byte) {
	if f.alphabet == "" || f.alphabet == stringkernel.Bytes {
		return
	}
	f.common = bytes.Clone(x)
	for j, b := range f.common {
		if f.alphabet.Codes()[b] == stringkernel.Outside {
			f.common[j] = 0
		} else {
			f.left++
		}
	}
}

// compare leaves the places where x has the letter of all before.
func (f *AnchorFinder) compare(x []byte) {
	for j, b := range f.common {
		if b != 0 && b != x[j] {
			f.common[j] = 0
			f.left--
		}
	}
}

// Anchor returns the anchor of the sequences added.
func (f *AnchorFinder) Anchor() Anchor {
	if f.n < leastAnchored || f.left == 0 || 2*f.left > len(f.common) {
		return Anchor{}
	}
	any := "N"
	if f.alphabet.OfAminoAcids() {
		any = "X"
	}
	motif := strings.Trim(string(f.common), "\x00")
	return Anchor{strings.ReplaceAll(motif, "\x00", any), strings.Index(string(f.common), motif)}
}
