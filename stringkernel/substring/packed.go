package substring

import (
	"github.com/seqsvm/seqsvm/spectrum"
	"github.com/seqsvm/seqsvm/stringkernel"
	"github.com/seqsvm/seqsvm/stringkernel/compose"
)

// mostPacked is the length of the longest nucleotide substrings that package spectrum counts for this kernel: a table
// of all 4⁹ takes less memory than an index of a megabase.
const mostPacked = 9

// Compile checks the parameters. A compiled kernel leaves short nucleotide substrings to package spectrum, which counts
// them in less time and memory than a suffix tree takes. Values are whole numbers, and so have the same bits.
func (k Kernel) Compile() (stringkernel.Kernel, error) {
	k.compiled = true
	return k, k.Check()
}

// packed returns the kernel of package spectrum that has the same features, if the kernel is compiled and these are
// short enough to be numbers.
func (k Kernel) packed() (p spectrum.Kernel, is bool) {
	switch {
	case !k.compiled, k.Weight != Fixed && k.Weight != Bounded, k.ReadsText(), k.Ends, !k.Alphabet.Complementary(),
		k.K < 1, k.K > mostPacked:
		return p, false
	}
	return spectrum.Kernel{K: k.K, Bounded: k.Weight == Bounded, Alphabet: k.Alphabet}, true
}

// Restorer stores and restores the weights of short nucleotide substrings; nil for others.
func (k Kernel) Restorer() stringkernel.Restorer {
	if p, is := k.packed(); is {
		return p
	}
	return nil
}

// Enumerator lists short nucleotide substrings; nil for others.
func (k Kernel) Enumerator() stringkernel.Enumerator {
	if p, is := k.packed(); is {
		return p
	}
	return nil
}

// WindowNorms has the norms of windows by short nucleotide substrings; nil for others.
func (k Kernel) WindowNorms() compose.WindowNorms {
	if p, is := k.packed(); is {
		return p
	}
	return nil
}

// Folder has a table of short nucleotide substrings; nil for others.
func (k Kernel) Folder() compose.Folder {
	if p, is := k.packed(); is {
		return p.Folder()
	}
	return nil
}
