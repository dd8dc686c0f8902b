package gapped

import (
	"fmt"

	"github.com/seqsvm/seqsvm/stringkernel"
)

// What each way takes in time and memory, by which others choose. A table of all σ^l k-mers costs O(N + l σ^l) per
// product whatever h is, and scores at a look-up per k-mer. Masks cost O(N) each, in products and in scores: they serve
// k-mers that no table has room for, products on corpora that are small beside the table (contract.go), and whole
// matrices (mask_gram.go). Neighbours score k-mers that have few within reach of h (kmer_scores.go). k(x, x) goes by
// pairs, of nucleotides along diagonals, or by table or masks where that is less work (values.go). All are exact, and
// differ in rounding only.

// What the parts of matrices, products and values take, in nanoseconds on one core of a server.
const (
	meetingTime    = 0.5 // a document and one before it that share a masked k-mer
	listingTime    = 30  // a k-mer in the lists of a mask
	indexingTime   = 15  // a k-mer in the index of a mask
	entryTime      = 3   // an entry of the matrix: to clear, to mirror and to scale
	maskedTime     = 0.8 // a k-mer of a mask in a product
	placeTime      = 1   // a k-mer in a product by a table, at least
	additionTime   = 0.2 // a k-mer of the table and letter in a convolution of four letters
	reflectionTime = 1   // of other alphabets
	selfMaskedTime = 8   // a k-mer under a mask in k(x, x)
	diagonalTime   = 0.1 // a pair of k-mers along a diagonal, at least
	pairTime       = 0.6 // a pair of k-mers, at least
	alikePairTime  = 4   // a pair of k-mers whose letters resemble each other
	alikeTime      = 0.4 // a k-mer of the table, letter, letter it resembles and layer
)

// pairTime estimates the time of counting pairs of k-mers, at least.
func (e *engine) pairTime(pairs float64) float64 {
	time := pairTime
	switch {
	case e.alike != nil:
		time = alikePairTime
	case e.diagonal():
		time = diagonalTime
	}
	return time * e.strandCount() * pairs
}

// convolutionTime estimates the time of convolving a table with that many entries.
func (e *engine) convolutionTime(entries float64) float64 {
	perKmer := float64(reflectionTime)
	switch {
	case e.alike != nil:
		perKmer = float64(alikeTime * float64(e.coder.sigma*e.layers()))
	case e.coder.sigma == 4:
		perKmer = additionTime
	}
	return perKmer * float64(e.coder.length) * entries
}

// maxMaskBytes bounds an index of masked k-mers, or of neighbours.
const maxMaskBytes = 4 << 30

// weightBytes is the memory of the weight of a k-mer.
const weightBytes = 4

// longRecordBytes is the memory of a letter while k(x, x) of a long record is computed, for which two or so are at work
// at once.
const longRecordBytes = 2 * 28

// checkIndex returns an error if an index would take too much memory: perLetter bytes for a letter of the corpus, on
// each strand, tables besides, and what k(x, x) of the longest record takes.
func (e *engine) checkIndex(c *stringkernel.Corpus, perLetter, tables float64) error {
	longest := 0
	for i := range c.Len() {
		longest = max(longest, len(c.Seq(i)))
	}
	bytes := e.indexBytes(c.Letters(), longest, perLetter, tables)
	if err := stringkernel.CheckIndex(c, bytes/float64(max(c.Letters(), 1))); err != nil {
		return fmt.Errorf("%s: %w", e.name, err)
	}
	return nil
}

// indexBytes returns the memory that checkIndex asks for.
func (e *engine) indexBytes(letters, longest int, perLetter, tables float64) float64 {
	n := float64(letters)
	bytes := float64(perLetter*n) + float64(longRecordBytes*min(float64(longest), n/2))
	if e.rc {
		bytes *= 2
	}
	return bytes + tables
}
