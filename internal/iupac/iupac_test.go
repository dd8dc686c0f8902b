package iupac_test

import "testing"

import "github.com/seqsvm/seqsvm/internal/iupac"

// A code stands for the complements of the bases that its complement stands for, and no two codes but T and U for the
// same.
func TestBases(t *testing.T) {
	complement := map[byte]byte{'A': 'T', 'C': 'G', 'G': 'C', 'T': 'A'}
	codes := map[string]byte{}
	for code := range 256 {
		set := iupac.Bases(byte(code))
		if set == "" || code == 'U' {
			continue
		}
		if other, twice := codes[set]; twice {
			t.Errorf("%c and %c both stand for %s", other, code, set)
		}
		codes[set] = byte(code)
		for i := 1; i < len(set); i++ {
			if set[i-1] >= set[i] {
				t.Errorf("%c stands for %s, want sorted bases", code, set)
			}
		}
	}
	if len(codes) != 15 || iupac.Bases('U') != "T" {
		t.Errorf("%d codes, want 15, and U is %q", len(codes), iupac.Bases('U'))
	}
	for pair := range map[string]bool{"AT": true, "CG": true, "RY": true, "SS": true, "WW": true, "KM": true,
		"BV": true, "DH": true, "NN": true} {
		mirrored := ""
		for _, b := range []byte(iupac.Bases(pair[0])) {
			mirrored = string(complement[b]) + mirrored
		}
		if mirrored != iupac.Bases(pair[1]) {
			t.Errorf("the complement of %c is %s, want %c", pair[0], mirrored, pair[1])
		}
	}
}
