package similarity_test

import (
	"strings"
	"testing"

	"github.com/seqsvm/seqsvm/internal/must"
	"github.com/seqsvm/seqsvm/internal/similarity"
	"github.com/seqsvm/seqsvm/stringkernel"
)

// TestTable checks what is made of tables and what is refused.
func TestTable(t *testing.T) {
	good := []string{"A C G T N", "A 4 1 2 0 9", "C 1 1 0 0 9", "G 2 0 4 0 9", "T 0 0 0 9 9", "N 1 2 3 4 5"}
	m := must.Get(similarity.New(good, 0, stringkernel.DNA))(t)
	if got := m.At(0, 1); got != 0.5 {
		t.Errorf("weight of A and C %v, want 1/√(4·1)", got)
	}
	if m.At(0, 2) != 0.5 || m.At(3, 3) != 1 {
		t.Errorf("weights %v", m.Values)
	}
	for want, lines := range map[string][]string{
		"has 3 fields":         {"A C G T", "A 1 0"},
		"want a letter":        {"A CC", "A 1 0"},
		"begins with":          {"A C G T", "AA 1 0 0 0"},
		"want a number":        {"A C G T", "A 1 x 0 0"},
		"no weight of A and C": {"A C G T", "A 1 0 0 0"},
		"symmetric":            {"A C G T", "A 1 0 0 0", "C 1 1 0 0", "G 0 0 1 0", "T 0 0 0 1"},
		"and itself is 0":      {"A C G T", "A 0 0 0 0", "C 0 1 0 0", "G 0 0 1 0", "T 0 0 0 1"},
		"the eigenvalue -1 ":   {"A C G T", "A 1 2 0 0", "C 2 1 0 0", "G 0 0 1 0", "T 0 0 0 1"},
		"want blosum62":        {"pam250"},
		"of dna and rna":       {similarity.Transitions},
	} {
		a := stringkernel.DNA
		if want == "of dna and rna" {
			a = stringkernel.Protein
		}
		if _, err := similarity.New(lines, 0, a); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: error %v, want one with %q", lines, err, want)
		}
	}
	if err := m.Complementary(stringkernel.DNA); err == nil {
		t.Error("A and C resemble each other and T and G do not, but no error")
	}
	if m, _ := similarity.New([]string{similarity.Transitions}, 0, stringkernel.RNA); m.Complementary(stringkernel.RNA) != nil {
		t.Error("transitions differ from those of the other strand")
	}
	if _, err := similarity.New(good, 2, stringkernel.DNA); err == nil {
		t.Error("beta of a table is taken")
	}
}
