package spectrum

import (
	"slices"

	"github.com/seqsvm/seqsvm/internal/strongest"
	"github.com/seqsvm/seqsvm/stringkernel"
)

// TopFeatures lists words with their weights: see stringkernel.FeatureLister. O(words with a weight).
func (s *Scorer) TopFeatures(mix []float64, n int) []stringkernel.Feature {
	total := 0
	for _, l := range s.weights {
		total += len(l.codes)
	}
	both, number := strongest.NewBoth(min(n, total)), 0
	for _, l := range s.weights {
		for i := range l.codes {
			both.Offer(number, stringkernel.Mix(mix, l.row(i, s.outputs)))
			number++
		}
	}
	var list []stringkernel.Feature
	for _, item := range both.Items() {
		at := item.Number
		for _, l := range s.weights {
			if at < len(l.codes) {
				list = append(list, stringkernel.Feature{Text: s.coder.word(l.codes[at], l.length), Weight: item.Value})
				break
			}
			at -= len(l.codes)
		}
	}
	return list
}

// FeaturesOf lists the words of x with their weights: see stringkernel.FeatureLister. O(K·|x| log) for the words with a
// weight.
func (s *Scorer) FeaturesOf(mix []float64, x []byte, n int) []stringkernel.Feature {
	var list []stringkernel.Feature
	var codes []uint64
	for _, l := range s.weights {
		c := newCoder(s.kernel.Alphabet, l.length)
		codes = c.codes(codes[:0], x)
		slices.Sort(codes)
		for i := 0; i < len(codes); {
			code, first := codes[i], i
			for i < len(codes) && codes[i] == code {
				i++
			}
			at, found := slices.BinarySearch(l.codes, code)
			if !found {
				continue
			}
			weight := stringkernel.Mix(mix, l.row(at, s.outputs))
			list = append(list, stringkernel.Feature{
				Text: c.word(code, l.length), Weight: weight, Count: i - first, Contribution: float64(weight * float64(i-first)),
			})
		}
	}
	return stringkernel.StrongestContributions(list, n)
}

// row returns the weights of word i, one per output.
func (l *level) row(i, outputs int) []float64 { return l.values[i*outputs : (i+1)*outputs] }

// word returns the letters of a code of the given length.
func (c *coder) word(code uint64, length int) string {
	var letters [256]byte
	for b, code := range c.letter {
		if code != stringkernel.Outside {
			letters[code] = byte(b)
		}
	}
	word := make([]byte, length)
	for i := length - 1; i >= 0; i-- {
		word[i] = letters[code&lowBits(c.bits)]
		code >>= c.bits & 63
	}
	return string(word)
}
