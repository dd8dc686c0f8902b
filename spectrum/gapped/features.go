package gapped

import (
	"cmp"
	"slices"

	"github.com/seqsvm/seqsvm/stringkernel"
)

// The features listed are k-mers of l letters with their scores, which is what the score of a sequence is the sum of:
// those of seqsvm kmers. A gapped k-mer is in many of them. With both strands a k-mer includes its reverse complement.

// TopFeatures lists k-mers of the alphabet, of all there are: see stringkernel.FeatureLister. O(σ^l).
func (s *scorer) TopFeatures(mix []float64, n int) []stringkernel.Feature {
	weight := func(place int) float64 {
		if s.rc && s.coder.reverseComplement(uint64(place)) < uint64(place) {
			return 0 // listed under the other
		}
		return float64(s.once(uint64(place)) * s.mixed(mix, place))
	}
	return stringkernel.StrongestOf(s.tableSize(), n, weight,
		func(place int) string { return s.coder.kmers.String(s.coder.packed(place)) })
}

// mixed returns the score of a k-mer in a mixture of outputs.
func (s *scorer) mixed(mix []float64, place int) (sum float64) {
	for m, a := range mix {
		sum += float64(a * s.tables[m][place])
	}
	return sum
}

// FeaturesOf lists the k-mers of x with their scores: see stringkernel.FeatureLister.
func (s *scorer) FeaturesOf(mix []float64, x []byte, n int) []stringkernel.Feature {
	var found []occurrence
	s.eachPlace(x, func(_ int, packed uint64, place uint32, weight float64) {
		found = append(found, occurrence{s.canonical(packed), s.mixed(mix, int(place)), weight})
	})
	return s.collect(found, n)
}

// TopFeatures lists k-mers of the support vectors, for there are too many k-mers to score them all: see
// stringkernel.FeatureLister.
func (s *longScorer) TopFeatures(mix []float64, n int) []stringkernel.Feature {
	var scores []float64
	for codes := range slices.Chunk(s.codes, blockPlaces) {
		scores = append(scores, s.scoresOf(mix, codes)...)
	}
	weight := func(i int) float64 {
		if s.canonical(s.codes[i]) != s.codes[i] {
			return 0 // listed under the other
		}
		return float64(s.once(s.codes[i]) * scores[i])
	}
	return stringkernel.StrongestOf(len(s.codes), n, weight,
		func(i int) string { return s.coder.kmers.String(s.codes[i]) })
}

// FeaturesOf lists the k-mers of x with their scores: see stringkernel.FeatureLister.
func (s *longScorer) FeaturesOf(mix []float64, x []byte, n int) []stringkernel.Feature {
	var found []occurrence
	var codes []uint64
	s.eachPlace(x, func(_ int, packed uint64, _ uint32, weight float64) {
		codes = append(codes, packed)
		found = append(found, occurrence{code: s.canonical(packed), weight: weight})
	})
	for i, score := range s.scoresOf(mix, codes) {
		found[i].score = score
	}
	return s.collect(found, n)
}

// scoresOf returns the scores of k-mers in a mixture of outputs.
func (s *longScorer) scoresOf(mix []float64, codes []uint64) []float64 {
	outputs := s.Outputs()
	w := &block{codes: codes}
	for i, code := range codes {
		w.rows = append(w.rows, i*outputs)
		if s.rc {
			w.opposite = append(w.opposite, s.coder.reverseComplement(code))
		}
	}
	rows, scores := make([]float64, len(codes)*outputs), make([]float64, len(codes))
	s.kmers.addTo(rows, w, outputs)
	for i := range scores {
		scores[i] = stringkernel.Mix(mix, rows[i*outputs:(i+1)*outputs])
	}
	return scores
}

// occurrence is a k-mer somewhere in a sequence.
type occurrence struct {
	code   uint64
	score  float64
	weight float64 // of its place
}

// collect makes a feature of the occurrences of each k-mer.
func (e *engine) collect(found []occurrence, n int) []stringkernel.Feature {
	slices.SortStableFunc(found, func(a, b occurrence) int { return cmp.Compare(a.code, b.code) })
	var list []stringkernel.Feature
	for i, o := range found {
		if i == 0 || found[i-1].code != o.code {
			list = append(list, stringkernel.Feature{Text: e.coder.kmers.String(o.code), Weight: o.score})
			if e.counted() {
				list[len(list)-1].Weight = float64(o.score * o.weight)
			}
		}
		f := &list[len(list)-1]
		f.Count++
		f.Contribution += float64(o.score * o.weight)
	}
	return stringkernel.StrongestContributions(list, n)
}

// canonical returns the k-mer that a k-mer is listed under.
func (e *engine) canonical(packed uint64) uint64 {
	if !e.rc {
		return packed
	}
	return min(packed, e.coder.reverseComplement(packed))
}

// packed returns the packed code of the k-mer at a place of a table.
func (c *coder) packed(place int) (code uint64) {
	for shift := 0; shift < c.fold*c.length; shift += c.fold {
		code |= uint64(place%c.sigma) << shift
		place /= c.sigma
	}
	return code
}

// once returns what the only occurrence of a k-mer weighs.
func (e *engine) once(code uint64) float64 {
	if e.counted() {
		return e.weights.of(e.weightOf(code, 1))
	}
	return 1
}
