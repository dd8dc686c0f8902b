package windows_test

import (
	"testing"

	"github.com/seqsvm/seqsvm/internal/must"
)

import "github.com/seqsvm/seqsvm/seqio/windows"

// BenchmarkCut draws decoys from ten million bases of random letters, both strands.
func BenchmarkCut(b *testing.B) {
	g := randomGenome(1, 10_000_000)
	for _, c := range []struct {
		name  string
		motif windows.Motif
	}{{"AG", "AG"}, {"none", ""}} {
		b.Run(c.name, func(b *testing.B) {
			p := &windows.Plan{Upstream: 70, Downstream: 71, Motif: c.motif, Anywhere: true, Train: windows.Decoys{Number: 10_000}}
			for i := range 1000 {
				p.Sites = append(p.Sites, windows.Site{Seq: "chr1", Pos: 5000 + 9000*i, Strand: '+'})
			}
			if c.motif != "" {
				p.Sites = nil
				for pos := 5000; len(p.Sites) < 1000; pos += 9000 {
					p.Sites = append(p.Sites, siteFrom(g, "chr1", pos, string(c.motif)))
				}
			}
			b.SetBytes(10_000_000)
			b.ReportAllocs()
			for b.Loop() {
				must.Get(p.Cut(b.Context(), g))(b)
			}
		})
	}
}
