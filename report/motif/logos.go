package motif

import (
	"fmt"

	"github.com/seqsvm/seqsvm/internal/plural"
	"github.com/seqsvm/seqsvm/report/figure"
)

// Logos are the motifs as sequence logos, one below the other.
func (s *Set) Logos() figure.Figure {
	grid := figure.Grid{Columns: 1}
	for i := range s.Motifs {
		grid.Panels = append(grid.Panels, s.Logo(i))
	}
	return grid
}

// Logo is motif i, from 0, as a sequence logo.
func (s *Set) Logo(i int) figure.Logo {
	m := &s.Motifs[i]
	sites := ""
	if m.Sites != nil {
		sites = ", " + plural.Of(len(m.Sites), "site")
	}
	return figure.Logo{
		Title:    s.Name(i) + "  " + s.Consensus(m),
		Note:     fmt.Sprintf("%.1f bits%s, share %.3f", m.Bits(), sites, m.Share),
		Alphabet: s.Alphabet, Letters: s.Letters(), Matrix: m.Matrix, Bits: m.Information(),
	}
}
