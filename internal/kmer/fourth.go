package kmer

import "github.com/seqsvm/seqsvm/stringkernel"

// Fourth returns T of dna and U of rna, 0 of other alphabets.
func Fourth(a stringkernel.Alphabet) byte {
	switch a {
	case stringkernel.DNA:
		return 'T'
	case stringkernel.RNA:
		return 'U'
	}
	return 0
}
