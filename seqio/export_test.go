package seqio

// Helpers that tests on both sides need.
var (
	InBlocks   = inBlocks
	MakeFolder = makeFolder
)
