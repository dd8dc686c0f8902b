package shipped

import (
	"fmt"
	"strings"
)

// addPairs adds pairs of 60 peptides and 60 receptors, 640 of the 3,600 that there are. A peptide has an anchor of one
// of three kinds, a receptor a pocket of one; they bind if both are of a kind, which neither tells alone. One label in
// twenty is wrong.
func addPairs(m maker) {
	const amino, each = "ACDEFGHIKLMNPQRSTVWY", 60
	anchors := []matrix{{"KR", "KR", "G"}, {"DE", "DE", "P"}, {"ILV", "W", "ILV"}}
	pockets := []matrix{{"D", "E", "DE", "Y"}, {"K", "R", "KR", "H"}, {"F", "L", "FL", "A"}}
	side := func(length int, motif matrix) string {
		x := m.letters(length, amino)
		copy(x[m.IntN(length-len(motif)+1):], m.draw(motif))
		return string(x)
	}
	var peptides, receptors []string
	for i := range each {
		peptides = append(peptides, side(9+m.IntN(4), anchors[i%3]))
		receptors = append(receptors, side(36+m.IntN(9), pockets[i%3]))
	}
	var out strings.Builder
	out.WriteString("id\tpeptide\treceptor\tlabel\taffinity\n")
	seen := map[[2]int]bool{}
	for n := 1; n <= 640; {
		p, kind := m.IntN(each), n%2*(1+m.IntN(2)) // as many that bind as do not
		r := (p+kind)%3 + 3*m.IntN(each/3)
		if seen[[2]int{p, r}] {
			continue
		}
		seen[[2]int{p, r}] = true
		binds := kind == 0
		affinity := 5 + 0.3*m.NormFloat64()
		if binds {
			affinity += 2
		}
		fmt.Fprintf(&out, "pair%d\t%s\t%s\t%s\t%.2f\n", n, peptides[p], receptors[r],
			map[bool]string{true: "binds", false: "no"}[binds != (m.IntN(20) == 0)], affinity)
		n++
	}
	m.files["protein/pairs.tsv"] = out.String()
}
