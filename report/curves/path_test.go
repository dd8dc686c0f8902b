package curves_test

import (
	"bytes"
	"fmt"
	"math"
	"strings"
	"testing"

	"github.com/seqsvm/seqsvm/internal/must"
	"github.com/seqsvm/seqsvm/report/curves"
	"github.com/seqsvm/seqsvm/report/figure"
)

// TestCPath: a point per candidate, a line per kernel, an error bar and a mark per point that is defined.
func TestCPath(t *testing.T) {
	var tried []curves.Tried
	for k := range 2 {
		for _, c := range []float64{10, 0.1, 1} {
			tried = append(tried, curves.Tried{Name: fmt.Sprint("kernel", k), C: c, Mean: 0.5 + 0.1*float64(k), SD: 0.05})
		}
	}
	tried[0].Mean = math.NaN()
	r := curves.CPath("auroc", tried)
	if len(r.Points) != 6 {
		t.Errorf("%d points", len(r.Points))
	}
	var b bytes.Buffer
	must.Succeed(t, figure.Write(&b, "svg", figure.Light, r.Figure))
	marks := strings.Count(b.String(), "<circle")
	if named := 2; marks != 5+named {
		t.Errorf("%d marks, want one per candidate but one, and one per name", marks)
	}
	for _, want := range []string{">kernel0<", ">kernel1<", ">auroc<", ">C<", ">0.1<", ">10<"} {
		if !strings.Contains(b.String(), want) {
			t.Errorf("no %s", want)
		}
	}
}

// Error bars and axes end where the metric does: at 1, or for a loss at 0.
func TestLimits(t *testing.T) {
	far := curves.CPath("log_evidence", []curves.Tried{{Name: "kernel", C: 1, Mean: -200, SD: 1}})
	var drawn bytes.Buffer
	must.Succeed(t, figure.Write(&drawn, "svg", figure.Light, far.Figure))
	if !strings.Contains(drawn.String(), ">\u2212200") {
		t.Error("what has no limits is cut")
	}
	for metric, beyond := range map[string]string{"auroc": ">2.0<", "log_loss": ">\u22121.0<"} {
		tried := []curves.Tried{{Name: "kernel", C: 1, Mean: 0.5, SD: 1.5}}
		r := curves.CPath(metric, tried)
		r.AddLearning(metric, "some", []curves.Learnt{{Records: 10, Mean: 0.5, Lower: -1, Upper: 2}})
		for _, at := range r.Points {
			if at.Lower >= 0 || at.Upper <= 1 {
				t.Errorf("%s: the table has %v to %v", metric, at.Lower, at.Upper)
			}
		}
		var b bytes.Buffer
		must.Succeed(t, figure.Write(&b, "svg", figure.Light, r.Figure))
		if strings.Contains(b.String(), beyond) {
			t.Errorf("%s has a tick %s", metric, beyond)
		}
	}
}
