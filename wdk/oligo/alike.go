package oligo

import (
	"github.com/seqsvm/seqsvm/stringkernel"
	"github.com/seqsvm/seqsvm/wdk/internal/alike"
)

// Compile computes the weights of letters, which Eval of a kernel that is not compiled does at every call.
func (k Kernel) Compile() (stringkernel.Kernel, error) {
	if err := k.Check(); err != nil {
		return k, err
	}
	k.compiled = k.letters()
	return k, nil
}

// resembling reports whether letters resemble each other.
func (k Kernel) resembling() bool { return len(k.Subst) > 0 }

// letters returns the weights of letters, nil without any.
func (k Kernel) letters() *alike.Letters {
	return alike.Of(k.compiled, k.Subst, k.Beta, k.Alphabet)
}

// evalAlike returns k(x, y) of all pairs of k-mers within reach.
func (k Kernel) evalAlike(x, y []byte) float64 {
	lengths := make([]float64, k.K)
	for n := range lengths {
		if k.Bounded || n == k.K-1 {
			lengths[n] = 1
		}
	}
	bells := k.bells(max(len(x), len(y), 1))
	return k.letters().Sum(x, y, lengths, len(bells)-1, func(p, q int) float64 { return bells[max(p-q, q-p)] })
}
