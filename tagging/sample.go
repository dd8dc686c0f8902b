package tagging

import (
	"hash/fnv"
	"io"

	"github.com/seqsvm/seqsvm/internal/sketch"
	"github.com/seqsvm/seqsvm/seqio/tokens"
)

// sampleSize is how many sequences of training a model remembers, and leastTokens how long they are: shorter ones recur
// by chance.
const sampleSize, leastTokens = 256, 4

// sampleOf returns the hashes of some sequences of a corpus: their words, or letters if column is 0.
func sampleOf(c *tokens.Corpus, column int) sketch.Sketch {
	all := sketch.NewBuilder(sampleSize)
	for q := range c.Sequences() {
		sequence, h := c.Sequence(q), fnv.New64a()
		for _, t := range sequence {
			io.WriteString(h, t.Fields[max(0, column-1)]+" ") // a hash takes everything
		}
		if len(sequence) >= leastTokens {
			all.Add(h.Sum64())
		}
	}
	return all.Sketch()
}

// Known estimates the share of the sequences of a corpus that the model was trained on, whatever their tags.
func (m *Model) Known(c *tokens.Corpus) float64 {
	training := sketch.Of(m.sample, sampleSize)
	share, _ := sampleOf(c, m.Features.WordColumn()).ContainedIn(training).Estimate()
	return share
}
