package gapped

import (
	"cmp"
	"maps"
	"math"
	"slices"

	"github.com/seqsvm/seqsvm/internal/kmer"
	"github.com/seqsvm/seqsvm/stringkernel"
)

// The features listed are k-mers of l letters with their scores, which is what the score of a sequence is the sum of:
// those of seqsvm kmers. A gapped k-mer is in many of them. With both strands a k-mer includes its reverse complement.

// TopFeatures lists k-mers: see stringkernel.FeatureLister. Of a table they are all there are, O(σ^l); else those with
// coefficients, for there are too many k-mers to score them all.
func (s *scorer) TopFeatures(mix []float64, n int) []stringkernel.Feature {
	count, code := len(s.codes), func(i int) uint64 { return s.codes[i] }
	if s.tables != nil {
		count, code = s.coder.size, s.coder.packed
	}
	var w block
	weight := func(i int) float64 {
		code := code(i)
		if s.canonical(code) != code {
			return 0 // listed under the other
		}
		w.codes = append(w.codes[:0], code)
		w.front = s.rowsOf(w.front, &w)
		return float64(s.once(code) * stringkernel.Mix(mix, w.front))
	}
	return stringkernel.StrongestOf(count, n, weight, func(i int) string { return s.coder.kmers.String(code(i)) })
}

// FeaturesOf lists the k-mers of x with their scores: see stringkernel.FeatureLister.
func (s *scorer) FeaturesOf(mix []float64, x []byte, n int) []stringkernel.Feature {
	var found []occurrence
	var w block
	s.eachPlace(x, func(_ int, packed uint64, weight float64) {
		w.codes = append(w.codes, packed)
		found = append(found, occurrence{code: s.canonical(packed), weight: weight})
	})
	rows, outputs := s.rowsOf(nil, &w), s.Outputs()
	for i := range found {
		found[i].score = stringkernel.Mix(mix, rows[i*outputs:(i+1)*outputs])
	}
	return s.collect(found, n)
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

// once returns what the only occurrence of a k-mer weighs.
func (e *engine) once(code uint64) float64 {
	if e.counted() {
		return e.weights.of(e.weightOf(code, 1))
	}
	return 1
}

// Enumerator lists gapped k-mers, which filter=gapped counts, of all numbers of mismatches, raw counts and without
// weights by place or letter; nil for other parameters.
func (k Kernel) Enumerator() stringkernel.Enumerator {
	if k.Filter != Plain || k.D != k.L-k.K || !k.Count.Linear() || k.Center != "" ||
		len(k.Subst) > 0 {
		return nil
	}
	return enumerator(k)
}

// enumerator is a kernel that counts gapped k-mers.
type enumerator Kernel

// gap stands for a letter that does not count in the name of a gapped k-mer.
const gap = '.'

// EachFeature lists the gapped k-mers of x with their counts, in alphabetical order; of both strands one and its
// reverse complement under the lesser name. O(C(l, k)·|x|), times the logarithm of their number.
func (k enumerator) EachFeature(x []byte, visit func(name string, value float64)) {
	counts := map[string]int{}
	k.count(counts, x)
	if k.rc {
		k.count(counts, k.Alphabet.ReverseComplementTo(nil, x))
	}
	for _, name := range slices.Sorted(maps.Keys(counts)) {
		value := float64(counts[name])
		if k.rc {
			switch other := k.opposite(name); {
			case other < name:
				continue
			case other > name:
				value *= math.Sqrt2 // for both
			}
		}
		visit(name, value)
	}
}

// count adds the gapped k-mers of x.
func (k enumerator) count(counts map[string]int, x []byte) {
	codes := k.Alphabet.Codes()
	letters := kmer.Letters(codes)
	word := make([]byte, k.L)
	run := 0
	for end, b := range x {
		if run++; codes[b] == stringkernel.Outside {
			run = 0
		}
		if run < k.L {
			continue
		}
		eachChoice(k.L, k.K, func(choice uint64) {
			for i := range word {
				if word[i] = gap; choice>>i&1 != 0 {
					word[i] = letters[codes[x[end+1-k.L+i]]]
				}
			}
			counts[string(word)]++
		})
	}
}

// opposite returns the reverse complement of a gapped k-mer, gaps staying gaps.
func (k enumerator) opposite(name string) string {
	pairs := k.Alphabet.ReverseComplementTo(nil, []byte(name))
	for i := range name {
		if name[len(name)-1-i] == gap {
			pairs[i] = gap
		}
	}
	return string(pairs)
}
