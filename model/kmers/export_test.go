package kmers

// Helpers that tests on both sides need.
var (
	CheckTable = checkTable
	HandMade   = handMade
	Naive      = naive
	RcOf       = rcOf
	WriteTable = writeTable
)
