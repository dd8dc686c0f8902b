package gapped

import (
	"context"
	"fmt"

	"github.com/seqsvm/seqsvm/stringkernel"
)

// This file says which way is taken when. A table of all σ^l k-mers (table_*.go) costs O(N + l σ^l) per product
// whatever h is, and scores at a look-up per k-mer. Masks (mask_*.go) cost O(N) each, in products and in scores: they
// serve k-mers that no table has room for, products on corpora that are small beside the table, and whole matrices.
// Neighbours (neighbours.go) score k-mers that have few within reach of h. k(x, x) goes by pairs, of nucleotides along
// diagonals (diagonal*.go), or by table or masks where that is less work. All are exact, and differ in rounding only.
const (
	maxTable     = 100_000_000  // k-mers of a table, 8 bytes each
	maxTables    = 4 * maxTable // and of all tables of a scorer, 3.2 GB
	maxMasks     = 1 << 14      // choices of positions, mirror images included
	maxMaskBytes = 4 << 30      // of an index of masked k-mers
	maxOutputs   = 256          // of a scorer
	// maxCancellation bounds the size of the terms of a sum over masks by that of the sum. The error of a kernel value,
	// relative to √(k(x,x)k(y,y)), was never seen above 2e-14 times that: below 1e-6 in any case. It is at most 320,000
	// for the filters within the other limits.
	maxCancellation = 1e7
	// cheapMask bounds the letters of a corpus times masks, as a share of the l σ^l steps of a convolution, for
	// products by masks: a step of either takes as long, but the index of masks costs as much as 50 products.
	cheapMask = 0.1
)

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

// check returns an error unless there is an engine for k-mers beyond the table. The k-mers' letters are counted in Gram
// and Merge, which refuse more memory than maxMaskBytes.
func (e *engine) check() error {
	if e.tabular() || e.wide() {
		return nil
	}
	kmers := fmt.Sprintf("%d^%d k-mers exceed a table of %d", e.coder.sigma, e.coder.length, maxTable)
	if n := e.maskCount(); n > maxMasks {
		return fmt.Errorf("%s, and a sum over %.0f choices of positions is too long, want at most %d: take %s",
			kmers, n, maxMasks, e.remedy)
	}
	if c := e.cancellation(); c > maxCancellation {
		return fmt.Errorf("%s, and a sum over choices of positions has terms %.1g times the result,"+
			" want at most %.1g for an error of 1e-7: take %s", kmers, c, float64(maxCancellation), e.remedy)
	}
	return nil
}

// listable reports whether the kernel is a sum over masks that can be taken.
func (e *engine) listable() bool {
	return e.maskCount() <= maxMasks && e.cancellation() <= maxCancellation
}

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

// gram indexes a corpus for the engine with faster products.
func (e *engine) gram(ctx context.Context, c *stringkernel.Corpus) (stringkernel.Gram, error) {
	if e.wide() {
		return stringkernel.DirectGram{Kernel: wideKernel{e}, Corpus: c}, nil
	}
	if e.tabular() && (e.alike != nil || !e.masksPay(c.Letters())) {
		if err := e.checkTable(c); err != nil {
			return nil, err
		}
		g := newGram(ctx, e, c)
		g.diag = e.selfValues(ctx, c)
		return g, nil
	}
	return newMaskGram(ctx, e, c)
}

// checkTable returns an error if the k-mers of a corpus and a table of products would take too much memory.
func (e *engine) checkTable(c *stringkernel.Corpus) error {
	perLetter := 5.0
	if !e.uniform() {
		perLetter += weightBytes
	}
	if _, one := e.strands(); one {
		perLetter /= 2 // checkIndex doubles it for two
	}
	return e.checkIndex(c, perLetter, 8*float64(e.tableEntries()*(2+e.layers())))
}

// masksPay reports whether a product over masks is faster than by a table.
func (e *engine) masksPay(letters int) bool {
	return e.maskCount()*float64(letters) < cheapMask*float64(e.coder.length)*float64(e.coder.size)
}

// merge folds support vectors for the engine that restore will choose.
func (e *engine) merge(
	ctx context.Context, sv *stringkernel.Corpus, c *stringkernel.Coefficients,
) (stringkernel.Scorer, error) {
	if err := c.Check(sv); err != nil {
		return nil, fmt.Errorf("%s: %w", e.name, err)
	}
	if e.wide() {
		return stringkernel.NewComparisonScorer(stringkernel.DirectComparison(wideKernel{e}, sv), c), nil
	}
	coef := c.Dense()
	if err := e.checkOutputs(len(coef)); err != nil {
		return nil, err
	}
	perLetter, tables := e.mergeCosts(len(coef))
	if err := e.checkIndex(sv, perLetter, tables); err != nil {
		return nil, err
	}
	if e.tablesFit(len(coef)) {
		return e.mergeTables(ctx, sv, coef), nil
	}
	codes, sums := collectKmers(ctx, e, sv, coef)
	return newScorer(ctx, e, codes, sums)
}

// mergeCosts returns what merge takes for each letter of the support vectors on a strand, and for tables.
func (e *engine) mergeCosts(outputs int) (perLetter, tables float64) {
	if e.tablesFit(outputs) {
		return 10 + float64(8*outputs), float64((8*(outputs+1+e.layers()) + 1) * e.coder.size)
	}
	return 48 + float64(16*outputs), 0
}

// mergeBytes estimates what merge takes for support vectors of the same length.
func (e *engine) mergeBytes(sequences, letters, outputs int) float64 {
	if e.wide() {
		return 0
	}
	perLetter, tables := e.mergeCosts(outputs)
	return e.indexBytes(letters, letters/max(1, sequences), perLetter, tables)
}

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

func (e *engine) checkOutputs(outputs int) error {
	most := maxOutputs
	if e.alike != nil {
		most = min(most, maxTables/e.coder.size)
	}
	if outputs > most {
		return fmt.Errorf("%s: %d outputs, want at most %d", e.name, outputs, most)
	}
	return nil
}

// tablesFit reports whether a scorer of that many outputs has tables: one look-up per k-mer, if there is room.
func (e *engine) tablesFit(outputs int) bool { return e.tabular() && outputs*e.coder.size <= maxTables }

// maskWork is the work of a look-up in the table of a mask, in comparisons of k-mers as blockCount has it.
const maskWork = 60

// kmerScores takes the faster of masks and neighbours, which depends only on what is stored.
func (e *engine) kmerScores(ctx context.Context, codes []uint64, coef [][]float64) (kmerScores, error) {
	codes, coef = e.withOpposites(codes, coef)
	masks := e.masks()
	if maskTableBytes(len(masks), len(codes), len(coef)) <= maxMaskBytes {
		if _, work := e.blockCount(len(codes)); float64(maskWork*len(masks)) < work {
			return newMaskTables(ctx, masks, codes, coef), nil
		}
	}
	return newNeighbours(ctx, e, codes, coef)
}
