package wdk_test

import (
	"math"

	"github.com/seqsvm/seqsvm/internal/similarity"
	"github.com/seqsvm/seqsvm/stringkernel"
	"github.com/seqsvm/seqsvm/wdk"
)

// oracleLetters is the weights of letters of kernels with Subst.
var oracleLetters, _ = similarity.New([]string{similarity.BLOSUM62}, 0.5, stringkernel.Protein)

// byDefinition is the sum over lengths, positions and shifts of the weights of matches, letter by letter.
func byDefinition(k wdk.Kernel, x, y []byte) float64 {
	codes := k.Alphabet.Codes()
	matches := func(a, b []byte) float64 {
		product := 1.0
		for i := range a {
			switch u, v := codes[a[i]], codes[b[i]]; {
			case u == stringkernel.Outside || v == stringkernel.Outside:
				return 0
			case k.Subst != nil:
				product *= oracleLetters.At(int(u), int(v))
			case u != v:
				return 0
			}
		}
		return product
	}
	if len(x) != len(y) {
		return 0
	}
	total := 0.0
	for length := 1; length <= k.D; length++ {
		beta := 2 * float64(k.D-length+1) / float64(k.D*(k.D+1))
		for p := 0; p+length <= len(x); p++ {
			for q := 0; q+length <= len(y); q++ {
				if weight := pairByDefinition(k, p, q); weight != 0 {
					total += beta * weight * matches(x[p:p+length], y[q:q+length])
				}
			}
		}
	}
	return total
}

// pairByDefinition is the weight of matches that begin at positions p and q.
func pairByDefinition(k wdk.Kernel, p, q int) float64 {
	s := max(p-q, q-p)
	most := func(i int) float64 {
		if k.Ramp > 0 {
			return math.Min(float64(k.Shift), k.Ramp*math.Abs(float64(i-k.Anchor)))
		}
		return float64(k.Shift)
	}
	if s > 0 && (float64(s) > most(p) || float64(s) > most(q)) {
		return 0
	}
	weight := 1.0
	if s > 0 {
		weight = 1 / (2 * float64(s+1))
		if k.Shogun {
			weight = 1 / (2 * float64(s))
		}
	}
	if k.Weights != nil {
		if p >= len(k.Weights) || q >= len(k.Weights) {
			return 0
		}
		weight *= math.Sqrt(k.Weights[p] * k.Weights[q])
	}
	return weight
}
