package stringkernel_test

import (
	"bytes"
	"strconv"
	"strings"
	"testing"

	"github.com/seqsvm/seqsvm/stringkernel"
	"github.com/seqsvm/seqsvm/stringkernel/compose"
	"github.com/seqsvm/seqsvm/stringkernel/substring"
)

func TestAlphabetCodes(t *testing.T) {
	for _, name := range append(stringkernel.Alphabets(), "") {
		a := stringkernel.Alphabet(name)
		if err := a.Check(); err != nil {
			t.Errorf("%q: %v", a, err)
		}
		inside := 0
		for b, code := range a.Codes() {
			if code == stringkernel.Outside {
				continue
			}
			inside++
			if int(code) >= a.Size() || int(code) >= 1<<a.Bits() {
				t.Errorf("%q: code %d of byte %d, want below %d letters and %d bits", a, code, b, a.Size(), a.Bits())
			}
		}
		if inside != a.Size() {
			t.Errorf("%q: %d letters with a code, Size() = %d", a, inside, a.Size())
		}
	}
	if stringkernel.Alphabet("morse").Check() == nil {
		t.Error("an unknown alphabet passes Check")
	}
}

// TestRepresentatives checks that every amino acid has a representative in the alphabet, which is the first of its
// group, and that names end with the number of groups.
func TestRepresentatives(t *testing.T) {
	for _, name := range stringkernel.Alphabets() {
		a := stringkernel.Alphabet(name)
		table := a.Representatives()
		if table == nil {
			continue
		}
		groups := map[byte]string{}
		for _, b := range []byte(stringkernel.Protein.Letters()) {
			groups[table[b]] += string(b)
			if lower := table[b|0x20]; lower != table[b]|0x20 {
				t.Errorf("%s: %c stands for %c, %c for %c", a, table[b], b, lower, b|0x20)
			}
		}
		for first, group := range groups {
			if group[0] != first || a.Codes()[first] == stringkernel.Outside {
				t.Errorf("%s: %c stands for %s, want the first, with a code", a, first, group)
			}
		}
		if !strings.HasSuffix(name, strconv.Itoa(len(groups))) || len(groups) != a.Size() {
			t.Errorf("%s: %d groups, %d letters", a, len(groups), a.Size())
		}
		if table['X'] != 'X' || a.Codes()['X'] != stringkernel.Outside {
			t.Errorf("%s: X is in a group", a)
		}
	}
}

// TestComplement checks the IUPAC definition: the bases of the complement of a code are the complements of its bases.
func TestComplement(t *testing.T) {
	basesOf := map[byte]string{
		'A': "A", 'C': "C", 'G': "G", 'T': "T", 'R': "AG", 'Y': "CT", 'S': "CG", 'W': "AT",
		'K': "GT", 'M': "AC", 'B': "CGT", 'D': "AGT", 'H': "ACT", 'V': "ACG", 'N': "ACGT",
	}
	pairs := map[byte]byte{'A': 'T', 'C': 'G', 'G': 'C', 'T': 'A'}
	for code, bases := range basesOf {
		got := stringkernel.DNA.ReverseComplementTo(nil, []byte{code})[0]
		want := map[byte]bool{}
		for _, b := range []byte(bases) {
			want[pairs[b]] = true
		}
		if len(basesOf[got]) != len(want) {
			t.Errorf("complement of %c is %c", code, got)
		}
		for _, b := range []byte(basesOf[got]) {
			if !want[b] {
				t.Errorf("complement of %c is %c, which includes %c", code, got, b)
			}
		}
	}
	if got := string(stringkernel.DNA.ReverseComplementTo(nil, []byte("GATtACAn-"))); got != "-nTGTaATC" {
		t.Errorf("reverse complement of GATtACAn- is %s", got)
	}
	if got := string(stringkernel.RNA.ReverseComplementTo([]byte("left over"), []byte("GAUUACA"))); got != "UGUAAUC" {
		t.Errorf("reverse complement of GAUUACA is %s", got)
	}
	if stringkernel.Protein.Complementary() || stringkernel.Bytes.Complementary() {
		t.Error("protein and bytes have no complement")
	}
}

func TestComplementOfComplement(t *testing.T) {
	all := make([]byte, 256)
	for i := range all {
		all[i] = byte(i)
	}
	for _, a := range []stringkernel.Alphabet{stringkernel.DNA, stringkernel.RNA} {
		twice := a.ReverseComplementTo(nil, a.ReverseComplementTo(nil, all))
		if !bytes.Equal(twice, all) {
			t.Errorf("%s: the reverse complement of the reverse complement differs", a)
		}
	}
}

// TestMinLength compares with the definition: a run of as many letters of the alphabet as the shortest feature has.
func TestMinLength(t *testing.T) {
	for _, c := range []struct {
		kernel stringkernel.Kernel
		x      string
		want   bool
	}{
		{substring.Kernel{Weight: substring.Fixed, K: 3}, "ACNGTN", false},
		{substring.Kernel{Weight: substring.Fixed, K: 3}, "ACNGTA", true},
		{substring.Kernel{Weight: substring.Bounded, K: 3}, "NNAN", true},
		{substring.Kernel{Weight: substring.Bounded, K: 3}, "NNN", false},
		{substring.Kernel{Weight: substring.Length, Weights: []float64{0, 0, 1}}, "AC", false},
		{substring.Kernel{Weight: substring.Length, Weights: []float64{0, 0, 1}}, "ACG", true},
		{substring.Kernel{Weight: substring.Constant}, "", false},
		{compose.Mean(nil, nil), "", true}, // says nothing of its features
	} {
		if got := stringkernel.DNA.HasRun([]byte(c.x), stringkernel.TraitsOf(c.kernel).MinLength); got != c.want {
			t.Errorf("%+v: %q has a feature: %v, want %v", c.kernel, c.x, got, c.want)
		}
	}
}
