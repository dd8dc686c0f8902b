package tagging

// Helpers that tests on both sides need.
var (
	Conlleval = conlleval
	CorpusOf  = corpusOf
	Some      = some
)

// DetectScheme is detect with its result apart: token is −1 if no tag breaks the scheme.
func DetectScheme(sequences [][]string) (s Scheme, sequence, token int, why string) {
	s, b := detect(sequences, "")
	if !b.found() {
		return s, 0, -1, ""
	}
	return "", b.sequence, b.token, b.why
}
