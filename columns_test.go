package seqsvm_test

import (
	"fmt"
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/seqsvm/seqsvm"
	"github.com/seqsvm/seqsvm/internal/must"
	"github.com/seqsvm/seqsvm/seqio"
	"github.com/seqsvm/seqsvm/stringkernel"
)

// TestColumnsInClosedForm: the hard margin of two records and D columns, each ±1 once standardised, has the weights
// ±1/D, whatever the units of the columns.
func TestColumnsInClosedForm(t *testing.T) {
	table := "a\tlabel\tb\tc\n3\tp\t-20\t0.5\n1\tq\t-10\t0.25\n"
	inputs := []seqio.Input{{Path: "t.tsv", Reader: strings.NewReader(table)}}
	m := must.Get(seqsvm.Fit(t.Context(), "table:columns=*", inputs,
		seqsvm.Options{C: 1e6, NoNormalize: true, Positive: "p"}))(t)
	want := map[string]float64{"a": 1. / 3, "b": -1. / 3, "c": 1. / 3}
	for _, f := range stringkernel.FeatureListerOf(m.Classifier.Scorer).TopFeatures([]float64{1}, 3) {
		if math.Abs(f.Weight-want[f.Text]) > 1e-9 {
			t.Errorf("weight %v of %s, want %v", f.Weight, f.Text, want[f.Text])
		}
		delete(want, f.Text)
	}
	if len(want) > 0 {
		t.Errorf("no weights of %v", want)
	}
}

// TestExpressionMatrix: a model of 72 × 7,129 numbers has at most 1 MB, and a kernel of a few words.
func TestExpressionMatrix(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	var b strings.Builder
	b.WriteString("label")
	for j := range 7129 {
		fmt.Fprintf(&b, "\tgene_%d", j+1)
	}
	for i := range 72 {
		fmt.Fprintf(&b, "\n%d", i%2)
		for range 7129 {
			fmt.Fprintf(&b, "\t%.2f", rng.NormFloat64())
		}
	}
	m := must.Get(seqsvm.Fit(t.Context(), "table:columns=gene_1..gene_7129",
		[]seqio.Input{{Path: "t.tsv", Reader: strings.NewReader(b.String())}}, seqsvm.Options{}))(t)
	b.Reset()
	must.Succeed(t, m.File.Write(&b))
	if b.Len() > 1<<20 {
		t.Errorf("a model of %d bytes", b.Len())
	}
	if got := m.File.Kernel.String(); got != "table:columns=gene_1..gene_7129" {
		t.Errorf("the kernel %.80s", got)
	}
}
