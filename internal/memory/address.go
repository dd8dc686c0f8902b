package memory

// Sizes are counted in int, and one of more than 4 GiB is nothing unusual: on a 32-bit processor this does not compile.
const seqsvmNeedsA64BitProcessor = 1 << 40

var _ int = seqsvmNeedsA64BitProcessor
