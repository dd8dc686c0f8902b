package substring

import (
	"github.com/seqsvm/seqsvm/spectrum"
	"github.com/seqsvm/seqsvm/stringkernel"
)

// mostPacked is the length of the longest nucleotide substrings that package spectrum counts for this kernel: a table
// of all 4⁹ takes less memory than an index of a megabase. Through a function, which makes a tree of each query, longer
// ones pay: those of one length, and of all lengths up to mostFolded, beyond which a model would take much memory.
const (
	mostPacked = 9
	mostFolded = 10
)

// Compile checks the parameters. The compiled kernel of short nucleotide substrings is that of package spectrum, which
// counts them in less time and memory than a suffix tree takes, and so are matrices of those of up to 32 letters. Values
// of raw counts are whole numbers, and so have the same bits.
func (k Kernel) Compile() (stringkernel.Kernel, error) {
	if err := k.Check(); err != nil {
		return k, err
	}
	k.compiled = true
	if p, is := k.counted(); is && (k.K <= mostPacked || !k.Count.Linear()) {
		return p, nil
	}
	return k, nil
}

// counted returns the kernel of package spectrum that has the same features, if the kernel is compiled and these are of
// nucleotides and short enough to be numbers. Raw counts of longer ones than mostPacked are in training alone: in a
// model they would take more memory than support vectors do.
func (k Kernel) counted() (p spectrum.Kernel, is bool) {
	p = spectrum.Kernel{K: k.K, Bounded: k.Weight == Bounded, Count: k.Count, Alphabet: k.Alphabet}
	is = k.compiled && (k.Weight == Fixed || k.Weight == Bounded) && !k.ReadsText() && !k.Ends &&
		k.Alphabet.Complementary() && p.Check() == nil && (k.Count.Linear() || k.Weight == Fixed || k.K <= mostFolded)
	if is && k.rc {
		p = p.Stranded().BothStrands().(spectrum.Kernel)
	}
	return p, is
}

// Restorer stores and restores the structures of merged scorers; nil for those of units, whose vocabulary is that of the
// support vectors, and where counts are seen through a function.
func (k Kernel) Restorer() stringkernel.Restorer {
	if k.ReadsText() || !k.Count.Linear() {
		return nil
	}
	return compactRestorer(k)
}
