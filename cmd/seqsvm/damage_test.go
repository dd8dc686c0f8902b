package main_test

import (
	"bytes"
	"math"
	"testing"

	"github.com/seqsvm/seqsvm/cmd/seqsvm/internal/cli"
	"github.com/seqsvm/seqsvm/internal/must"
	"github.com/seqsvm/seqsvm/model"
)

// A model that was made by hand, with the right checksums, names a syntax of trees that is not known, or has finite
// coefficients whose sums are not: no row is a number that JSON lacks.
func TestForgedModels(t *testing.T) {
	inGoodFolder(t)
	mustTool(t, "train", "--kernel", "spectrum:k=3", "--keep-sequences", "--probability", "-o", "m.seqsvm", "two.fa")
	forge := func(change func(m *model.Model)) {
		m := must.Get(model.ReadFile("m.seqsvm"))(t)
		change(m)
		var b bytes.Buffer
		must.Succeed(t, m.Write(&b))
		writeFiles(t, map[string]string{"forged.seqsvm": b.String()})
	}
	forge(func(m *model.Model) { m.Input.Reading.Tree = "lisp" })
	checkBad(t, badCase{args: "predict -m forged.seqsvm two.fa", code: cli.ExitFailed,
		want: []string{`forged.seqsvm: `, `tree = "lisp", want one of: penn`}})
	forge(func(m *model.Model) {
		for i := range m.Coef[0] {
			m.Coef[0][i] = math.MaxFloat64
		}
	})
	for _, args := range []string{"predict", "predict --format json", "predict --raw", "predict --raw --format json",
		"evaluate"} {
		checkBad(t, badCase{args: args + " -m forged.seqsvm two.fa", code: cli.ExitFailed,
			want: []string{"two.fa:", "the score of machine 1 is +Inf, want a finite number"}})
	}
}
