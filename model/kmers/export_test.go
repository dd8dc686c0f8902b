package kmers

// Helpers that tests on both sides need.
var (
	HandMade = handMade
)
