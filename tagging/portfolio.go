package tagging

import "github.com/seqsvm/seqsvm/seqio/tokens"

// Portfolio returns the texts of features that are worth a try on a corpus, the default first.
func Portfolio(c *tokens.Corpus) []string {
	if c.Names != nil {
		return []string{"letters", "letters:composition=6", "letters:pairs=16,composition=6"}
	}
	list := []string{"words", "words:lower=3,width=off", "words:grams=0,pairs=1,shape=1,classes=off"}
	if c.Columns > 2 { // of which one is the tag, and one the word
		list = append(list, "words:columns=1")
	}
	return list
}

// Work returns about how long a training takes on a corpus, in nanoseconds on one processor: that of words, with all
// features and the costs that tune tries, which bounds that of others.
func Work(c *tokens.Corpus, s Scheme) float64 {
	const perTokenAndState = 28e3
	tags := map[string]bool{}
	for _, t := range c.Tokens {
		tags[t.Tag] = true
	}
	states := len(tags)
	if s != States {
		states = 2 * states // of two tags of a kind, four
	}
	return perTokenAndState * float64(len(c.Tokens)) * float64(states)
}
