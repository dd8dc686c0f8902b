package classify

import (
	"context"
	"testing"
)

// BenchmarkMulticlassOnWords trains all classes of R8 (8; Reuters-21578, github.com/yao8839836/text_gcn) and of TREC's questions (50), in one problem and one against the
// rest.
func BenchmarkMulticlassOnWords(b *testing.B) {
	for _, name := range []string{"text-reuters-r8", "text-trec-qc"} {
		g, d := documents(b, name, 0)
		b.Run(name+"/crammer-singer", func(b *testing.B) {
			for b.Loop() {
				sol, err := SequentialDual{}.Solve(context.Background(), g, d.Y, len(d.Classes))
				if err != nil {
					b.Fatal(err)
				}
				b.ReportMetric(float64(sol.Iterations), "passes")
			}
		})
		for _, loss := range []string{LossHinge, LossSquaredHinge} {
			b.Run(name+"/one-vs-rest/"+loss, func(b *testing.B) {
				t := Trainer{Kernel: toyKernel{}, Loss: loss}
				plan, err := t.plan(d, nil)
				if err != nil {
					b.Fatal(err)
				}
				for b.Loop() {
					results, err := t.run(context.Background(), g, plan.jobs)
					if err != nil {
						b.Fatal(err)
					}
					passes := 0
					for _, r := range results {
						passes += r.Iterations
					}
					b.ReportMetric(float64(passes), "passes")
				}
			})
		}
	}
}
