package stringkernel

// BlockMul is an option of a [Gram] that multiplies several vectors in one pass over its index. Correct without it;
// with it, the binary machines of a multiclass problem, the folds of a cross-validation and blocks of eigenvectors,
// which ask for several products with the same matrix, are faster. Ask [BlockMulOf], or call [MulBlock].
//
// The substring kernel's matrix has it: four vectors at a time, a register of the processor for the four numbers of an
// entry, take 3.4 to 3.7 times less time each on 1.2 million random bases; on 12 million, where an unbounded index
// waits for memory, 1.5 to 1.9 times (3.1 with fixed lengths); without vector instructions 1.3 to 1.5 times
// (BenchmarkMulBlock, one core). The spectrum kernel's does not, but on suffix trees: its index takes 2 bytes per
// letter, and a table of four vectors leaves the cache that the table of one fits in, which made a block of four take
// longer per vector, with vector instructions too (k = 6: 0.34 ns per letter alone, 0.46 and more in a block). Nor does
// the gapped kernels': a product there is mostly convolution, which needs separate tables, and a prototype with four
// side by side took 1.3 to 1.5 times longer per vector (l = 11, 2,000 to 20,000 sequences of 300 bases: 38 ms alone, 50
// in a block at 20,000).
type BlockMul interface {
	// MulBlockTo writes K·v[m] into dst[m] for every m: the same bits as MulVecTo for each. No dst[m] may overlap
	// another or any v.
	MulBlockTo(dst, v [][]float64)
}

// BlockMulOf returns the [BlockMul] of g, nil if it has none.
func BlockMulOf(g Gram) BlockMul {
	return Lookup(g, func(w interface{ BlockMul() BlockMul }) BlockMul { return w.BlockMul() })
}

// MulBlock writes K·v[m] into dst[m] for every m, in one pass if g has a [BlockMul], else one by one. The bits depend
// neither on which, nor on the other vectors of the block.
func MulBlock(g Gram, dst, v [][]float64) {
	if b := BlockMulOf(g); b != nil && len(v) > 1 {
		b.MulBlockTo(dst, v)
		return
	}
	for m := range v {
		g.MulVecTo(dst[m], v[m])
	}
}
