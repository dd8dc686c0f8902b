package main

import (
	"math"
	"slices"
	"testing"

	"github.com/seqsvm/seqsvm/catalog"
	"github.com/seqsvm/seqsvm/stringkernel"
)

func TestAround(t *testing.T) {
	for _, c := range []struct {
		ref, alt, r, a string
		left, right    int
	}{
		{"ACGTACG", "ACGAACG", "GTA", "GAA", 1, 1},
		{"TACG", "AACG", "TA", "AA", 0, 1},
		{"ACGTTACG", "ACGTACG", "TTA", "TA", 1, 1}, // either T may be the one that is missing
	} {
		r, a, left, right := around([]byte(c.ref), []byte(c.alt), 1)
		if string(r) != c.r || string(a) != c.a || left != c.left || right != c.right {
			t.Errorf("around %s and %s: %s, %s, %d, %d, want %s, %s, %d, %d", c.ref, c.alt, r, a, left, right, c.r, c.a,
				c.left, c.right)
		}
	}
}

func TestRanks(t *testing.T) {
	if got := ranks([]float64{3, -1, 3, 2}); !slices.Equal(got, []float64{0.5, 0, 0.75, 0.25}) {
		t.Errorf("ranks %v", got)
	}
}

// Products, and predictions of variants held out, are those of the matrix that is written out, entry by entry.
func TestJoint(t *testing.T) {
	var s set
	s.add([]string{"ACGTACGTGGCA", "TTGACGTCACCA", "GGGCGGTTACAT"},
		[]string{"ACGTACCTGGCA", "TTGACGCACCA", "GGGCGGTTTCAT"})
	s.columns = [][]float64{{1, 0}, {0.5, 2}, {0, 0}, {-1, 1}, {3, 1}, {0, 1}}
	k, err := must(catalog.Parse("spectrum:k=6,rc", "gapped:l=8,k=5,rc")).Compile(stringkernel.DNA)
	if err != nil {
		t.Fatal(err)
	}
	g, v := s.joint(), []float64{1, -2, 0.5, 3, -1, 0.25}
	got := make([]float64, len(v))
	g.MulVecTo(got, v)
	for i := range v {
		want := 0.0
		for j := range v {
			entry := k.Eval(s.alleles[i], s.alleles[j]) + s.columns[i][0]*s.columns[j][0] + s.columns[i][1]*s.columns[j][1]
			if i/2 == j/2 {
				entry++
			}
			want += entry * v[j]
		}
		if math.Abs(got[i]-want) > 1e-9 {
			t.Errorf("entry %d of the product is %v, want %v", i, got[i], want)
		}
	}
	alone := set{alleles: s.alleles[:4], columns: s.columns[:4]}
	known := func(i int) bool { return i < 2 }
	all := g.predict(v, func(i int) bool { return !known(i) })
	for m, predicted := range alone.joint().predict(v[:4], func(int) bool { return false }) {
		for i, p := range predicted {
			if math.Abs(p-all[m][i]) > 1e-3 {
				t.Errorf("variant %d: %v, and %v where a third is there and held out", i, p, all[m][i])
			}
		}
	}
}
