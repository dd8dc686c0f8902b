package gapped

import (
	"maps"
	"math"
	"slices"

	"github.com/seqsvm/seqsvm/internal/kmer"
	"github.com/seqsvm/seqsvm/stringkernel"
)

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
