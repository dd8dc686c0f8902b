package tagging

// Helpers that tests on both sides need.
var (
	Conlleval = conlleval
	CorpusOf  = corpusOf
	Some      = some
)
