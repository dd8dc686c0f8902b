package scan

// Helpers that tests on both sides need.
var (
	Letters = letters
)
