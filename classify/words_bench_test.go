package classify

import (
	"context"
	"os"
	"path/filepath"
	"testing"

	"github.com/seqsvm/seqsvm/bow"
	"github.com/seqsvm/seqsvm/classify/svm"
	"github.com/seqsvm/seqsvm/seqio"
	"github.com/seqsvm/seqsvm/stringkernel"
	"github.com/seqsvm/seqsvm/stringkernel/compose"
)

// BenchmarkMulticlassOnWords trains all classes of R8 (8; Reuters-21578, github.com/yao8839836/text_gcn) and of TREC's
// questions (50), in one problem and one against the rest.
func BenchmarkMulticlassOnWords(b *testing.B) {
	for _, name := range []string{"text-reuters-r8", "text-trec-qc"} {
		g, d := documents(b, name, 0)
		b.Run(name+"/crammer-singer", func(b *testing.B) {
			for b.Loop() {
				sol, err := svm.CrammerSinger{}.Solve(context.Background(), g,
					svm.MulticlassProblem{Y: d.Y, Classes: len(d.Classes)})
				if err != nil {
					b.Fatal(err)
				}
				b.ReportMetric(float64(sol.Iterations), "passes")
			}
		})
		for _, loss := range []svm.Loss{svm.Hinge, svm.SquaredHinge} {
			b.Run(name+"/one-vs-rest/"+string(loss), func(b *testing.B) {
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
					for _, r := range results[0] {
						passes += r.Iterations
					}
					b.ReportMetric(float64(passes), "passes")
				}
			})
		}
	}
}

// documents returns the tf-idf Gram matrix of words and pairs of words of the first n (0: all) documents of a labelled
// set.
func documents(t testing.TB, name string, n int) (stringkernel.Gram, *Dataset) {
	t.Helper()
	path := filepath.Join(os.Getenv("SEQSVM_DATA"), name, "train.tsv.gz")
	if _, err := os.Stat(path); err != nil {
		t.Skipf("no %s/train.tsv.gz in the folder that SEQSVM_DATA names", name)
	}
	set, err := seqio.ReadFile(path, seqio.Options{Columns: seqio.Columns{Header: "no"}, Alphabet: stringkernel.Bytes})
	if err != nil {
		t.Fatal(err)
	}
	if n == 0 {
		n = set.Len()
	}
	d, err := NewDataset(set.Corpus.Subset(indices(n)), set.Labels[:n], nil)
	if err != nil {
		t.Fatal(err)
	}
	kernel, err := stringkernel.Fit(t.Context(), compose.Normalized{Kernel: bow.Kernel{NGram: "1-2", TFIDF: true}},
		d.Corpus)
	if err != nil {
		t.Fatal(err)
	}
	g, err := kernel.Gram(t.Context(), d.Corpus)
	if err != nil {
		t.Fatal(err)
	}
	return g, d
}
