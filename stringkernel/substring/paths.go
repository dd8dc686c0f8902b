package substring

import (
	"context"

	"github.com/seqsvm/seqsvm/stringkernel"
	"github.com/seqsvm/seqsvm/suffix"
)

// prefixes knows the weight F of the prefixes of any substring of a query together, under tfidf: a scorer does, whose
// index has the reference.
type prefixes interface {
	// along returns F for a position and a length. The documents of c end at ends in the text. weights reach as far as
	// the longest sequence.
	along(c *stringkernel.Corpus, ends []int32, weights *lengthWeights) func(start, length int32) float64
}

// along matches the documents once. F of a string takes one step for each node passed on the way up from the match that
// begins with it.
func (s *scorer[S]) along(
	c *stringkernel.Corpus, ends []int32, weights *lengthWeights,
) func(start, length int32) float64 {
	var matches []suffix.Match // by position in the text, separators included
	for i, end := range ends {
		start := len(matches)
		matches = append(matches, make([]suffix.Match, int(end)+1-start)...)
		s.match(c.Seq(i), func(at suffix.Match) { matches[start+at.Start] = at })
	}
	return func(start, length int32) float64 {
		at := matches[start]
		inside := min(length, at.Length)
		beyond := float64((weights.upTo(length) - weights.upTo(inside)) * s.psi.idf[0])
		if inside == 0 {
			return beyond
		}
		above, psi := at.Node, 0.0
		if edge := s.edgeAt(at, inside); edge >= 0 {
			above, psi = s.tree.Parent[edge], s.psi.psi(int(edge))
		} else {
			psi = s.psi.leafPsi(s.index.DocAt(at.Pos))
		}
		omega := weights.upTo(inside) - weights.upTo(s.tree.Depth[above])
		return s.prefix[above] + float64(omega*psi) + beyond
	}
}

// along is that of the whole tree, by the cursors at the matches.
func (s *compactScorer) along(
	c *stringkernel.Corpus, ends []int32, weights *lengthWeights,
) func(start, length int32) float64 {
	var symbols []uint8 // of the text, separators included
	for i := range ends {
		symbols = append(encode(s.encoding, symbols, c.Seq(i)), 0)
	}
	matches := make([]suffix.Cursor, len(symbols))
	for at := s.index.Begin(symbols); s.index.Next(&at); {
		start, _, _ := at.Match()
		matches[start] = at
	}
	var way climb
	return func(start, length int32) float64 {
		at := matches[start]
		_, matched, _ := at.Match()
		inside := min(length, matched)
		sum := float64((weights.upTo(length) - weights.upTo(inside)) * s.idf[0])
		if inside == 0 {
			return sum
		}
		if inside < min(matched, searched) {
			for at = s.index.Begin(symbols[start : start+inside]); s.index.Next(&at); {
			}
		}
		s.index.Shorten(&at, inside)
		way.from(s, &at)
		return sum + way.prefixes(s)
	}
}

// searched is the length of strings that are found sooner by their letters than on the way up from a longer match.
const searched = 16

// selfScorer is a scorer of tfidf.
type selfScorer struct {
	scorer interface {
		stringkernel.Scorer
		prefixes
	}
	kernel Kernel
}

// scoreTo writes the scores of x and returns k(x, x), by the index of the support vectors.
func (s selfScorer) scoreTo(dst []float64, x []byte) float64 {
	s.scorer.ScoreTo(dst, x)
	c := stringkernel.View(x)
	weights := s.kernel.lengthWeights(s.kernel.longest(c))
	return mustSelf(s.kernel.selfEvalBy(context.Background(), s.scorer, c, &weights))
}
