package duplicates

// Helpers that tests on both sides need.
var (
	RandomDNA = randomDNA
)
