package gkmexplain_test

import (
	"math"
	"slices"
	"testing"

	"github.com/seqsvm/seqsvm/internal/must"
	"github.com/seqsvm/seqsvm/model"
	"github.com/seqsvm/seqsvm/model/gkmexplain"
	"github.com/seqsvm/seqsvm/model/lsgkm"
	"github.com/seqsvm/seqsvm/spectrum/gapped"
)

// The importance of all letters sums to the decision without its bias, of a Gaussian up to the share of support vectors
// without a common k-mer. The letters that are there have the importance in the hypothetical modes too, to seven digits
// of the greatest in one of them, and no change in the perturbations. Without a Gaussian the deep modes are exact changes of raw scores: the decision of a record
// with another letter at p is (g + E(p, b))·N_x/N_b − rho, where N_x/N_b is the ratio of the deep hypothetical numbers
// and the importance of that record.
func TestModesAgreeWithDecisions(t *testing.T) {
	const x = "ACGTTGCATTACAGGATACCATGGA"
	for _, name := range []string{"t0", "t2", "t3", "t4"} {
		file := must.Get(lsgkm.Read(nil, "../lsgkm/testdata/"+name+".model.txt"))(t)
		m := must.Get(file.Model(t.Context(), model.Options{KeepSequences: file.Gamma != 0}))(t)
		c := must.Get(m.Classifier(t.Context()))(t)
		e := must.Get(gkmexplain.New(t.Context(), m, c))(t)
		modes := make([][]float64, len(gapped.Modes))
		for mode := range modes {
			modes[mode] = must.Get(e.Explain(t.Context(), gapped.Mode(mode), c.Positive, []byte(x)))(t)
		}
		g, sum := c.Decide([]byte(x)).Scores[c.Positive]+file.Rho, 0.0
		for i, v := range modes[gapped.Importance] {
			sum += v
			if own := "ACGT"[i%4] == x[i/4]; !own {
				continue
			}
			for mode, want := range map[gapped.Mode]float64{
				gapped.Hypothetical: v, gapped.DeepHypothetical: v, gapped.Perturbation: 0, gapped.DeepPerturbation: 0,
			} {
				bound := 1e-12
				if mode == gapped.Hypothetical {
					bound = 1e-7 * slices.Max(modes[gapped.Importance])
				}
				if got := modes[mode][i]; math.Abs(got-want) > bound {
					t.Errorf("%s, mode %v: %v at letter %d, want %v", name, mode, got, i/4, want)
				}
			}
		}
		if file.Gamma != 0 {
			for _, a := range file.Coef {
				sum += a * math.Exp(-file.Gamma)
			}
		}
		if math.Abs(sum-g) > 1e-9*math.Abs(g) {
			t.Errorf("%s: importance sums to %v, want %v", name, sum, g)
		}
		if file.Gamma != 0 {
			continue
		}
		for i, change := range modes[gapped.DeepPerturbation] {
			y := []byte(x)
			y[i/4] = "ACGT"[i%4]
			decision, part := c.Decide(y).Scores[c.Positive]+file.Rho, 0.0
			importance := must.Get(e.Explain(t.Context(), gapped.Importance, c.Positive, y))(t)
			for _, v := range importance[i/4*4 : i/4*4+4] {
				part += v
			}
			// g + change and the deep hypothetical number have N_x where these have N_b
			if got, want := (g+change)*part, modes[gapped.DeepHypothetical][i]*decision; math.Abs(got-want) > 1e-9 {
				t.Errorf("%s: letter %d by %c: %v, want %v", name, i/4, y[i/4], got, want)
			}
		}
	}
}

func TestRead(t *testing.T) {
	if got, others := gkmexplain.AsRead([]byte("acGTnRU-")); string(got) != "ACGTAAAA" || others != 4 {
		t.Errorf("%s with %d others", got, others)
	}
}
