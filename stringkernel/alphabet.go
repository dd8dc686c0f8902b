package stringkernel

import (
	"fmt"
	"maps"
	"slices"
	"strings"
)

// Alphabet names the set of letters a kernel counts. A letter outside it is a break: no substring that contains it is a
// feature, and nothing matches across it. Letters are compared as bytes; readers upper-case sequences before they get
// here, so a lower-case letter that remains (a soft-masked base) is outside the nucleotide and protein alphabets.
//
// The zero value is [Bytes], every byte a letter.
type Alphabet string

// The alphabets. Codes follow alphabetical order, so the complement of a DNA or RNA code c is 3 − c.
const (
	Bytes   Alphabet = "bytes"   // all 256 byte values
	DNA     Alphabet = "dna"     // A C G T
	RNA     Alphabet = "rna"     // A C G U
	Protein Alphabet = "protein" // the 20 standard amino acids; B J O U X Z and * break matches
)

// Reduced alphabets of amino acids: a letter stands for a group of them, of which it is the first in alphabetical
// order. Readers write it in place of the others (see [Alphabet.Representatives]), which are outside the alphabet. L.
// R. Murphy, A. Wallqvist, R. M. Levy, Protein Engineering 13 (2000) 149–152; M. O. Dayhoff, R. M. Schwartz, B. C.
// Orcutt, Atlas of Protein Sequence and Structure 5, suppl. 3 (1978) 345–352; A. Prlić, F. S. Domingues, M. J. Sippl,
// Protein Engineering 13 (2000) 545–550.
const (
	Murphy4  Alphabet = "murphy4"  // LVIMC AGSTP FYW EDNQKRH
	Murphy8  Alphabet = "murphy8"  // LVIMC AG ST P FYW EDNQ KR H
	Murphy10 Alphabet = "murphy10" // LVIM C A G ST P FYW EDNQ KR H
	Murphy15 Alphabet = "murphy15" // LVIM C A G S T P FY W E D N Q KR H
	Dayhoff6 Alphabet = "dayhoff6" // AGPST C DENQ FWY HKR ILMV
	SDM12    Alphabet = "sdm12"    // A D KER N TSQ YF LIVM C W H G P: from structural alignments
	HSDM17   Alphabet = "hsdm17"   // A D KE R N T S Q Y F LIV M C W H G P: the same, of homologs
)

// groups of the reduced alphabets.
var groups = map[Alphabet]string{
	Murphy4:  "LVIMC AGSTP FYW EDNQKRH",
	Murphy8:  "LVIMC AG ST P FYW EDNQ KR H",
	Murphy10: "LVIM C A G ST P FYW EDNQ KR H",
	Murphy15: "LVIM C A G S T P FY W E D N Q KR H",
	Dayhoff6: "AGPST C DENQ FWY HKR ILMV",
	SDM12:    "A D KER N TSQ YF LIVM C W H G P",
	HSDM17:   "A D KE R N T S Q Y F LIV M C W H G P",
}

// representatives are the tables of letters to those that stand for them, in their case.
var representatives = makeRepresentatives()

func makeRepresentatives() map[Alphabet]*[256]byte {
	tables := map[Alphabet]*[256]byte{}
	for a, text := range groups {
		var table [256]byte
		for b := range table {
			table[b] = byte(b)
		}
		for group := range strings.FieldsSeq(text) {
			first := slices.Min([]byte(group))
			for _, b := range []byte(group) {
				table[b], table[b|0x20] = first, first|0x20
			}
		}
		tables[a] = &table
	}
	return tables
}

// Alphabets returns the names of all alphabets: dna, rna, protein and bytes, and the reduced ones.
func Alphabets() []string {
	names := []string{string(DNA), string(RNA), string(Protein), string(Bytes)}
	for _, a := range slices.Sorted(maps.Keys(groups)) {
		names = append(names, string(a))
	}
	return names
}

// Outside is the code of a letter that does not belong to an alphabet.
const Outside = -1

// letters lists the members of each alphabet in code order; Bytes is the identity and needs no list.
var letters = makeLetters()

func makeLetters() map[Alphabet]string {
	const residues = "ACDEFGHIKLMNPQRSTVWY"
	lists := map[Alphabet]string{DNA: "ACGT", RNA: "ACGU", Protein: residues}
	for a, table := range representatives {
		var members []byte
		for _, b := range []byte(residues) {
			if table[b] == b {
				members = append(members, b)
			}
		}
		lists[a] = string(members)
	}
	return lists
}

// codes holds a ready table per alphabet; it is written once, here, and only read afterwards.
var codes = makeCodes()

func makeCodes() map[Alphabet]*[256]int16 {
	tables := map[Alphabet]*[256]int16{}
	var identity [256]int16
	for b := range identity {
		identity[b] = int16(b)
	}
	tables[Bytes], tables[""] = &identity, &identity
	for name, members := range letters {
		var table [256]int16
		for b := range table {
			table[b] = Outside
		}
		for code, b := range []byte(members) {
			table[b] = int16(code)
		}
		tables[name] = &table
	}
	return tables
}

var codesOfDNA = codes[DNA]

// Check returns an error if the alphabet is not one of the constants above (or empty, which means Bytes).
func (a Alphabet) Check() error {
	if _, known := codes[a]; !known {
		return fmt.Errorf("alphabet %q is unknown, want %s", string(a), strings.Join(Alphabets(), ", "))
	}
	return nil
}

// Size returns the number of letters σ: 4, 20 or 256, the number of groups of a reduced alphabet; 0 for an unknown
// alphabet.
func (a Alphabet) Size() int {
	if a == "" || a == Bytes {
		return 256
	}
	return len(letters[a])
}

// Bits returns the number of bits a packed letter takes: 2 for nucleotides, 4 for up to 16 letters, 5 for protein, 8
// for bytes.
func (a Alphabet) Bits() int {
	switch n := len(letters[a]); {
	case a.Complementary():
		return 2
	case n == 0:
		return 8
	case n <= 16:
		return 4
	default:
		return 5
	}
}

// OfAminoAcids reports whether the letters are amino acids or groups of them.
func (a Alphabet) OfAminoAcids() bool { return a == Protein || groups[a] != "" }

// Representatives returns the table from a letter to the one that stands for its group in a reduced alphabet, each case
// for itself; nil for other alphabets. It must not be modified.
func (a Alphabet) Representatives() *[256]byte { return representatives[a] }

// Letters returns the letters in the order of their codes; "" for bytes, whose codes they are.
func (a Alphabet) Letters() string { return letters[a] }

// Codes returns the table from a byte to its code 0…σ−1, or [Outside]. It must not be modified. It is nil for an
// unknown alphabet, which Check reports.
func (a Alphabet) Codes() *[256]int16 {
	if a == DNA { // for speed
		return codesOfDNA
	}
	return codes[a]
}

// Complementary reports whether the alphabet has a Watson–Crick complement: DNA and RNA do.
func (a Alphabet) Complementary() bool { return a == DNA || a == RNA }

// complements maps IUPAC nucleotide codes to their complements, for DNA and with U for RNA. A byte that is not a
// nucleotide code maps to itself: it breaks matches on both strands alike.
var complements = map[Alphabet]*[256]byte{
	DNA: makeComplement("ACGTRYSWKMBDHVNacgtryswkmbdhvn", "TGCAYRSWMKVHDBNtgcayrswmkvhdbn"),
	RNA: makeComplement("ACGURYSWKMBDHVNacguryswkmbdhvn", "UGCAYRSWMKVHDBNugcayrswmkvhdbn"),
}

func makeComplement(from, to string) *[256]byte {
	var table [256]byte
	for b := range table {
		table[b] = byte(b)
	}
	for i := range from {
		table[from[i]] = to[i]
	}
	return &table
}

// ReverseComplementTo writes the reverse complement of x over dst[:0], growing it if needed, and returns it. The
// alphabet must be Complementary. dst must not overlap x.
func (a Alphabet) ReverseComplementTo(dst, x []byte) []byte {
	table := complements[a]
	dst = dst[:0]
	for i := len(x) - 1; i >= 0; i-- {
		dst = append(dst, table[x[i]])
	}
	return dst
}

// HasRun reports whether x has n letters of the alphabet in a row; always true for n = 0.
func (a Alphabet) HasRun(x []byte, n int) bool {
	codes, run := a.Codes(), 0
	for _, b := range x {
		if run++; codes[b] == Outside {
			run = 0
		}
		if run >= n {
			return true
		}
	}
	return n == 0
}
