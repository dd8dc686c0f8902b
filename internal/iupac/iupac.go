// Package iupac knows the codes for several nucleotides.
//
// A. Cornish-Bowden, Nomenclature for incompletely specified bases, Nucleic Acids Research 13 (1985),
// doi:10.1093/nar/13.9.3021.
package iupac

// bases are the codes and the bases that they mean.
var bases = [256]string{
	'A': "A", 'C': "C", 'G': "G", 'T': "T", 'U': "T",
	'R': "AG", 'Y': "CT", 'S': "CG", 'W': "AT", 'K': "GT", 'M': "AC",
	'B': "CGT", 'D': "AGT", 'H': "ACT", 'V': "ACG", 'N': "ACGT",
}

// Bases returns the bases that an upper-case code means, in the order A, C, G, T; U is T. It returns "" for a byte
// that is not a code.
func Bases(code byte) string { return bases[code] }
