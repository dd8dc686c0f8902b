package memory

// Sizes are counted in int, and may exceed 4 GiB: on a 32-bit processor this does not compile.
const seqsvmNeedsA64BitProcessor = 1 << 40

var _ int = seqsvmNeedsA64BitProcessor
