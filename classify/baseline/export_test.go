package baseline

// Helpers that tests on both sides need.
var (
	CorpusOf  = corpusOf
	LearnerOf = learnerOf
)
