package stringkernel

import (
	"bytes"
	"fmt"

	"github.com/seqsvm/seqsvm/internal/plural"
)

// PairBreak stands between the two sequences of a record that is a pair. It belongs to no alphabet of sequences, and is
// white space in texts.
const PairBreak = '\t'

// SidesOf returns the two sequences of a record that is a pair; of one that is none the second is empty.
func SidesOf(x []byte) (left, right []byte) {
	left, right, _ = bytes.Cut(x, []byte{PairBreak})
	return left, right
}

// CheckPair returns an error unless a record is a pair.
func CheckPair(x []byte) error {
	if n := bytes.Count(x, []byte{PairBreak}) + 1; n != 2 {
		return fmt.Errorf("%s, want a pair: two columns, as in text=peptide:receptor of --input, or a tab between",
			plural.Of(n, "sequence"))
	}
	return nil
}

// Sides are the different sequences of a corpus of pairs: of the left sides and of the right ones, or of both together.
type Sides struct {
	Corpora     []*Corpus
	Left, Right []int // of each record, their numbers in the first corpus and in the last one
}

// Divide numbers the sides of the records of a corpus as they are met, in so many corpora, 1 or 2.
func Divide(c *Corpus, corpora int) Sides {
	s := Sides{Corpora: make([]*Corpus, corpora), Left: make([]int, c.Len()), Right: make([]int, c.Len())}
	numbers := [][]int{s.Left, s.Right}
	builders, known := make([]CorpusBuilder, corpora), []map[string]int{{}, {}}
	for i := range c.Len() {
		a, b := SidesOf(c.Seq(i))
		for side, x := range [][]byte{a, b} {
			at := min(side, corpora-1)
			n, is := known[at][string(x)]
			if !is {
				n = len(known[at])
				known[at][string(x)] = n
				builders[at].Add(c.Name(i), x)
			}
			numbers[side][i] = n
		}
	}
	for i := range builders {
		s.Corpora[i] = builders[i].Corpus()
	}
	return s
}
