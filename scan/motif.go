package scan

import (
	"fmt"
	"strings"

	"github.com/seqsvm/seqsvm/internal/iupac"
	"github.com/seqsvm/seqsvm/stringkernel"
)

// Motif is a short pattern of letters and of codes for several letters. The zero value is empty and matches
// everywhere.
type Motif struct {
	text    string
	letters []*[256]bool // that each place accepts
}

// proteinCodes are the codes for several amino acids, X excepted.
var proteinCodes = map[byte]string{'B': "DN", 'Z': "EQ", 'J': "IL"}

// ParseMotif reads a motif over an alphabet. For nucleotides, in either case, it may have IUPAC codes (T and U are the
// same); for amino acids the twenty letters and B, Z and J. N, for amino acids X, accepts every letter, those outside
// the alphabet too; all others accept letters of the alphabet alone, so that an N of a sequence matches nothing but N.
// Each byte of the bytes alphabet matches itself.
func ParseMotif(text string, a stringkernel.Alphabet) (Motif, error) {
	if text == "" {
		return Motif{}, fmt.Errorf("an empty motif")
	}
	m := Motif{text: text}
	if a != stringkernel.Bytes {
		m.text = strings.ToUpper(text)
	}
	if a == stringkernel.DNA {
		m.text = strings.ReplaceAll(m.text, "U", "T")
	}
	if a == stringkernel.RNA {
		m.text = strings.ReplaceAll(m.text, "T", "U")
	}
	for i := range m.text {
		accepted, ok := lettersOf(m.text[i], a)
		if !ok {
			return Motif{}, fmt.Errorf("motif %q: letter %q has no meaning for %s", text, text[i], a)
		}
		m.letters = append(m.letters, accepted)
	}
	return m, nil
}

// lettersOf returns what a letter of a motif accepts.
func lettersOf(code byte, a stringkernel.Alphabet) (accepted *[256]bool, ok bool) {
	accepted = new([256]bool)
	letters := string(code)
	switch {
	case a == stringkernel.Bytes:
	case a.Complementary() && code == 'N', a.OfAminoAcids() && code == 'X':
		for b := range accepted {
			accepted[b] = true
		}
		return accepted, true
	case a.Representatives() != nil:
		letters = string(a.Representatives()[code])
		if a.Codes()[letters[0]] == stringkernel.Outside {
			return nil, false
		}
	case a == stringkernel.DNA:
		letters = iupac.Bases(code)
	case a == stringkernel.RNA:
		letters = strings.ReplaceAll(iupac.Bases(code), "T", "U")
	case proteinCodes[code] != "":
		letters = proteinCodes[code]
	case a.Codes()[code] < 0:
		return nil, false
	}
	for i := range letters {
		accepted[letters[i]] = true
	}
	return accepted, letters != ""
}

// Len returns the number of letters.
func (m Motif) Len() int { return len(m.letters) }

// String returns the motif as it was understood.
func (m Motif) String() string { return m.text }

// Agrees reports whether windows that have a motif may have another one too, which begins shift letters later, and the
// two share at least one place.
func (m Motif) Agrees(other Motif, shift int) bool {
	shared := false
	for i, accepted := range m.letters {
		j := i - shift
		if j < 0 || j >= len(other.letters) {
			continue
		}
		shared = true
		common := false
		for b, ok := range accepted {
			common = common || ok && other.letters[j][b]
		}
		if !common {
			return false
		}
	}
	return shared
}

// Both returns the motif of what has a motif and another one that agrees with it and begins shift letters later, and
// how many letters after the first motif it begins, which may be negative.
func (m Motif) Both(other Motif, shift int, a stringkernel.Alphabet) (both Motif, begin int) {
	begin = min(0, shift)
	text := make([]byte, max(m.Len(), shift+other.Len())-begin)
	for i := range text {
		accepted := m.accepted(begin + i)
		for b, ok := range other.accepted(begin + i - shift) {
			accepted[b] = accepted[b] && ok
		}
		text[i] = codeOf(accepted, a)
	}
	both, err := ParseMotif(string(text), a)
	if err != nil {
		panic(err) // codes that the motifs have in common are codes
	}
	return both, begin
}

// accepted returns what a place accepts: everything before and behind the motif.
func (m Motif) accepted(place int) (accepted [256]bool) {
	if place >= 0 && place < m.Len() {
		return *m.letters[place]
	}
	for b := range accepted {
		accepted[b] = true
	}
	return accepted
}

// codeOf returns the letter of a motif that accepts some letters, 0 if there is none.
func codeOf(letters [256]bool, a stringkernel.Alphabet) byte {
	for code := byte('A'); code <= 'Z'; code++ {
		if accepted, ok := lettersOf(code, a); ok && *accepted == letters {
			return code
		}
	}
	return 0
}

// Matches reports whether x begins with the motif.
func (m Motif) Matches(x []byte) bool {
	if len(x) < m.Len() {
		return false
	}
	for i, accepted := range m.letters {
		if !accepted[x[i]] {
			return false
		}
	}
	return true
}

// ReverseComplement returns the motif of the other strand: the code of a complement is the complement of the code.
func (m Motif) ReverseComplement(a stringkernel.Alphabet) Motif {
	if m.Len() == 0 {
		return m
	}
	mirror, err := ParseMotif(string(a.ReverseComplementTo(nil, []byte(m.text))), a)
	if err != nil {
		panic(err) // complements of codes are codes
	}
	return mirror
}
