package stringkernel

// BlockMul is a Gram that multiplies several vectors in one pass over its index. Correct without, faster with: the machines of a
// multiclass problem, the folds of a cross-validation, and blocks of eigenvectors ask for several products with the same matrix. Ask
// [CanMulBlock] rather than the type assertion: a wrapper has the method whether or not the matrix inside gains anything.
//
// The substring kernel's matrix has it: four vectors at a time, a register of the processor for the four numbers of an entry, take 3.4 to 3.7 times less each
// on 1.2 million random bases; on 12 million, where an unbounded index waits for memory, 1.5 to 1.9 times (3.1 with fixed lengths); without vector
// instructions 1.3 to 1.5 times (BenchmarkMulBlock, one core). The spectrum kernel's does not: its index is 2 bytes per letter, and a table of four
// vectors leaves the cache that the table of one fits, which made a block of four take longer each, with vector instructions too
// (k = 6: 0.34 ns per letter alone, 0.46 and more in a block). Nor does the gapped kernels': a product there is mostly
// convolution, which wants the tables apart, and a prototype with four side by side took 1.3 to 1.5 times longer each (l = 11, 2,000 to 20,000
// sequences of 300 bases: 38 ms alone, 50 in a block at 20,000).
type BlockMul interface {
	Gram
	// MulBlockTo writes K·v[m] into dst[m] for every m: the same bits as MulVecTo for each. No dst[m] may overlap another or any v.
	MulBlockTo(dst, v [][]float64)
}

// CanMulBlock reports whether g is a BlockMul all the way down: a wrapper is exactly when the matrix inside is, a [compose.Mean] when any term is.
func CanMulBlock(g Gram) bool {
	if w, wrapper := g.(interface{ CanMulBlock() bool }); wrapper {
		return w.CanMulBlock()
	}
	_, ok := g.(BlockMul)
	return ok
}

// MulBlock writes K·v[m] into dst[m] for every m, in one pass if g is a [BlockMul], else one by one. The bits do not depend on which, nor on
// the company a vector is in.
func MulBlock(g Gram, dst, v [][]float64) {
	if b, ok := g.(BlockMul); ok && len(v) > 1 {
		b.MulBlockTo(dst, v)
		return
	}
	for m := range v {
		g.MulVecTo(dst[m], v[m])
	}
}
