package bow

import (
	"strings"

	"github.com/seqsvm/seqsvm/stringkernel"
)

// TopFeatures lists words and n-grams: see stringkernel.FeatureLister. A weight is that of the feature times its factor
// in the corpus, g: the contribution of an occurrence if l = 1. O(nodes).
func (s *scorer) TopFeatures(mix []float64, n int) []stringkernel.Feature {
	return stringkernel.StrongestOf(s.vocabulary.nodes(), n,
		func(node int) float64 { return s.weightOf(mix, int32(node)) },
		func(node int) string { return s.vocabulary.name(int32(node)) })
}

// FeaturesOf lists the words and n-grams of x: see stringkernel.FeatureLister.
func (s *scorer) FeaturesOf(mix []float64, x []byte, n int) []stringkernel.Feature {
	w := s.vocabulary.borrow()
	defer s.vocabulary.giveBack(w)
	w.countText(x)
	scale := w.prepare(s.weights.factors())
	var list []stringkernel.Feature
	for i, node := range w.touched {
		if value := float64(w.values[i] * scale); value != 0 {
			sum := 0.0
			s.each(node, value, func(feature int32, value float64) {
				sum += float64(value * s.weights.mixed(feature, mix))
			})
			weight := s.weightOf(mix, node)
			if s.occurrences != nil { // which add each something else
				weight = sum / value
			}
			list = append(list, stringkernel.Feature{
				Text: s.vocabulary.name(node), Weight: weight, Count: int(w.counts[i]), Contribution: sum,
			})
		}
	}
	return stringkernel.StrongestContributions(list, n)
}

// weightOf returns the weight of a node in a linear combination of outputs, times its factor.
func (s *scorer) weightOf(mix []float64, node int32) float64 {
	factors, stride := s.weights.factors()
	return float64(factors[int(node)*stride] * s.weights.mixed(node, mix))
}

// name returns the terms of a node joined by spaces, or letters joined without; a dictionary entry as in the
// dictionary, folded.
func (v *vocabulary) name(node int32) string {
	terms := int32(v.terms.Len())
	if node >= terms {
		key := v.pairs.Keys[node-terms]
		between := " "
		if v.kernel.Letters {
			between = ""
		}
		return v.name(int32(key>>32)) + between + v.name(int32(uint32(key)))
	}
	name := string(v.terms.At(int(node)))
	if v.phrases == nil {
		return name
	}
	whole, isWords := strings.CutSuffix(name, " ")
	if !isWords {
		whole += "*"
	}
	return whole
}

// Enumerator lists words and n-grams; nil if one is several features by what is made of its counts.
func (k Kernel) Enumerator() stringkernel.Enumerator {
	if !k.Count.Separable() {
		return nil
	}
	return enumerated(k)
}

type enumerated Kernel

// EachFeature lists the words and n-grams of x with φ, in order of first occurrence. It panics if the parameters fail
// Check.
func (k enumerated) EachFeature(x []byte, visit func(name string, value float64)) {
	v := Kernel(k).vocabularyOf(x)
	w := v.borrow()
	defer v.giveBack(w)
	w.weigh(x, func(node int32, value float64) { visit(v.name(node), value) })
}
