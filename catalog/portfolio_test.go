package catalog

import (
	"fmt"
	"math"
	"strings"
	"testing"

	"github.com/seqsvm/seqsvm/internal/must"
	"github.com/seqsvm/seqsvm/stringkernel"
)

// TestKindOf guesses by alphabet, length and spaces.
func TestKindOf(t *testing.T) {
	for _, c := range []struct {
		records  string
		alphabet stringkernel.Alphabet
		want     Kind
	}{
		{"ACGT TTGA GGCA", stringkernel.DNA, NucleotideWindows},
		{"ACGT TTGA GGCAC", stringkernel.DNA, Nucleotides},
		{"ACGU UUGA", stringkernel.RNA, NucleotideWindows},
		{"MKV HRW", stringkernel.Protein, ProteinWindows},
		{"MKV HRWE", stringkernel.Protein, Proteins},
		{"MKV HRWE", "murphy10", Proteins},
		{"the_cat dogs a_mouse", stringkernel.Bytes, Texts},
		{"cat dogs a_mouse", stringkernel.Bytes, Strings},
		{"(S_(NP_it)_(VP_rains)) (A_b)", stringkernel.Bytes, Trees},
		{"(S_(NP_it)_(VP_rains)) cat (A_b)", stringkernel.Bytes, Texts},
		{"C_O_N;1-2_2-3 C;", stringkernel.Bytes, Graphs},
		{"MKV|HRWE AV|HR", stringkernel.Protein, Pairs},
		{"MKV|HRWE AV", stringkernel.Protein, Proteins},
		{"_cat_ dogs_", stringkernel.Bytes, Strings}, // spaces around a word are not between words
	} {
		var records [][]byte
		var names []string
		for i, r := range strings.Fields(c.records) {
			records = append(records, []byte(strings.NewReplacer("_", " ", "|", "\t").Replace(r)))
			names = append(names, fmt.Sprint(i))
		}
		corpus := must.Get(stringkernel.NewCorpus(records, names))(t)
		if got := KindOf(corpus, c.alphabet); got != c.want {
			t.Errorf("%s %s: %s, want %s", c.alphabet, c.records, got, c.want)
		}
	}
}

// TestRecipes compiles every kernel of the portfolio for the alphabets of its kinds, and looks for what is missing.
func TestRecipes(t *testing.T) {
	alphabets := map[Kind]stringkernel.Alphabet{
		Nucleotides: stringkernel.DNA, NucleotideWindows: stringkernel.RNA, Proteins: stringkernel.Protein,
		ProteinWindows: stringkernel.Protein, Texts: stringkernel.Bytes, Strings: stringkernel.Bytes,
		Trees: stringkernel.Bytes, Graphs: stringkernel.Bytes, Pairs: stringkernel.DNA,
	}
	for kind, alphabet := range alphabets {
		list, least := Portfolio(kind, Site{Place: 59, Sharp: 9, Width: 150}), 6
		if few := map[Kind]int{Graphs: 3, Pairs: 3}[kind]; few > 0 {
			least = few
		}
		if len(list) < least || len(kind.Costs()) < 5 {
			t.Errorf("%d recipes for %s", len(list), kind)
		}
		seen := map[string]bool{}
		for _, r := range list {
			grid, err := Default().ParseGrid(r.Kernel)
			if err != nil || len(grid) != 1 || seen[r.Kernel] {
				t.Errorf("%s: grid of %d kernels, %v; twice: %v", r.Kernel, len(grid), err, seen[r.Kernel])
				continue
			}
			seen[r.Kernel] = true
			spec, err := Parse(grid[0]...)
			if err == nil {
				_, err = spec.Compile(alphabet)
			}
			if err != nil {
				t.Errorf("%s on %s: %v", r.Kernel, kind, err)
			}
			if r.Reason == "" {
				t.Errorf("%s has no reason", r.Kernel)
			}
			for _, term := range grid[0] {
				w := WorkOf([]string{term}, 150)
				if sum := w.Fixed + w.Letter + w.Pair; !(sum > 0) || math.IsInf(sum, 0) {
					t.Errorf("%s has work %+v", term, w)
				}
			}
		}
	}
	one, two := WorkOf([]string{"wd:d=6"}, 9), WorkOf([]string{"wd:d=6", "gapped:rc", "wd:d=6"}, 9)
	if rc := WorkOf([]string{"gapped:rc"}, 9); two.Letter != one.Letter+rc.Letter || two.Fixed != one.Fixed+rc.Fixed {
		t.Errorf("work %+v of a mean of %+v and %+v", two, one, rc)
	}
	if Portfolio("music", Site{}) != nil {
		t.Error("recipes for music")
	}
}
