package shipped

import (
	"fmt"
	"strings"
)

// marked are the genes that differ between the types: every other one is up in relapse, the others are down.
var marked = []int{17, 42, 58, 83, 99, 120, 151, 188}

// addExpression adds the expression of 199 genes in 60 samples of two outcomes: eight genes differ, all go up and down
// with the amount of RNA of a sample, and the tissue says nothing.
func addExpression(m maker) {
	const genes, samples = 199, 60
	var b strings.Builder
	b.WriteString("id\tlabel\ttissue")
	for g := range genes {
		fmt.Fprintf(&b, "\tgene_%d", g+1)
	}
	for i := range samples {
		fmt.Fprintf(&b, "\nsample%d\t%s\t%s", i+1, []string{"cured", "relapse"}[i%2], m.pick("blood", "marrow", "node"))
		shift, amount := make([]float64, genes), m.NormFloat64()
		for k, g := range marked {
			shift[g-1] = float64(i%2) * (1.2 - 2.4*float64(k%2))
		}
		for g := range genes {
			fmt.Fprintf(&b, "\t%.1f", 4+float64(g%5)+shift[g]+float64(0.6*amount)+m.NormFloat64())
		}
	}
	m.files["table/expression.tsv"] = b.String() + "\n"
}
