package table

import (
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/seqsvm/seqsvm/internal/must"
	"github.com/seqsvm/seqsvm/stringkernel"
	"github.com/seqsvm/seqsvm/stringkernel/kerneltest"
)

// record returns letters with numbers beside them.
func record(letters string, numbers ...float64) []byte {
	x := []byte(letters)
	for _, number := range numbers {
		x = stringkernel.AppendNumber(x, number)
	}
	return x
}

func TestNumbers(t *testing.T) {
	for _, want := range []float64{0, 1, -3.25, math.Pi, 1e-300, -1e30, 5e-324} {
		if got, is := stringkernel.NumberOf(stringkernel.AppendNumber(nil, want)); got != want || !is {
			t.Errorf("%v comes back as %v, %v", want, got, is)
		}
	}
	nothing := []string{"", "-", strings.Repeat("-", 63) + "A", strings.Repeat("-", 65)}
	nothing = append(nothing, string(stringkernel.AppendNumber(nil, math.NaN())),
		string(stringkernel.AppendNumber(nil, math.Inf(1))), string(stringkernel.AppendNumber(nil, 2e30)))
	for _, x := range nothing {
		if number, is := stringkernel.NumberOf([]byte(x)); is {
			t.Errorf("%q is %v", x, number)
		}
	}
}

// TestFormsOfScikitLearn compares with sklearn.metrics.pairwise (1.2.1): linear_kernel, rbf_kernel, laplacian_kernel
// and chi2_kernel with gamma=0.3, of x = (0.5, 2, 0.25) and y = (1.5, 0.75, 0).
func TestFormsOfScikitLearn(t *testing.T) {
	columns := []string{"a", "b", "c"}
	x, y := record("ACGT", 0.5, 2, 0.25), record("T", 1.5, 0.75, 0)
	for name, want := range map[string]float64{
		"linear": 2.25, "rbf": 0.4549808267181735, "laplacian": 0.4723665527410147, "chi2": 0.6733738906337109,
		// by definition
		"subsets":      (1 + 0.75) * (1 + 1.5),
		"intersection": 0.5 + 0.75,
		"exponential":  math.Exp(-0.3 * math.Sqrt(1+1.5625+0.0625)),
		"cauchy":       1 / (1 + 0.3*2.625), "inverse-multiquadric": 1 / math.Sqrt(1+0.3*2.625),
		"wavelet": math.Cos(1.75*math.Sqrt(0.3)) * math.Cos(1.75*math.Sqrt(0.3)*1.25) *
			math.Cos(1.75*math.Sqrt(0.3)*0.25) * math.Exp(-0.3*2.625/2),
	} {
		k := Kernel{Columns: columns, Of: name, Gamma: 0.3, Plain: true}
		if got := k.Eval(x, y); math.Abs(got-want) > 1e-12*math.Abs(want) {
			t.Errorf("%s = %v, want %v", name, got, want)
		}
	}
	zero := record("A", 0, 1, 0)
	if got := (Kernel{Columns: columns, Of: "chi2", Gamma: 0.3, Plain: true}).Eval(zero, zero); got != 1 {
		t.Errorf("chi2 of a record with zeros with itself = %v, want 1", got)
	}
	if len(forms) != 10 {
		t.Errorf("%d forms, 10 of them tested", len(forms))
	}
}

func TestConformance(t *testing.T) {
	columns := []string{"a", "b"}
	draw := func(rng *rand.Rand) []byte {
		letters := strings.Repeat("ACGT", 3)[:rng.IntN(12)]
		return record(letters, math.Abs(rng.NormFloat64()), rng.ExpFloat64())
	}
	for _, f := range forms {
		for _, plain := range []bool{false, true} {
			if f.counts && !plain {
				continue // windows have numbers that none of the kinds takes
			}
			k := Kernel{Columns: columns, Of: f.name, Plain: plain}
			t.Run(f.name, func(t *testing.T) { kerneltest.Run(t, k, kerneltest.Options{Letters: "ACGT", Draw: draw}) })
		}
	}
}

// TestAmong: the numbers of a kernel are those of its columns, wherever they are.
func TestAmong(t *testing.T) {
	x, y := record("AC", 1, 2, 3), record("A", 4, 5, 6)
	k := Kernel{Columns: []string{"c", "a"}, Plain: true}.Among([]string{"a", "b", "c"})
	if got, want := k.Eval(x, y), 3*6+1*4.0; got != want {
		t.Errorf("Eval = %v, want %v", got, want)
	}
	if got := k.Eval(x, record("A", 4, 5)); got != 0 {
		t.Errorf("Eval of a record without all numbers = %v, want 0", got)
	}
}

// TestFit checks means and deviations by hand: those of 1, 2 and 6, and of a column that is constant.
func TestFit(t *testing.T) {
	c, err := stringkernel.NewCorpus([][]byte{record("A", 1, 5), record("", 2, 5), record("CG", 6, 5)}, nil)
	if err != nil {
		t.Fatal(err)
	}
	fitted := must.Get(stringkernel.Fit(t.Context(), Kernel{Columns: []string{"a", "b"}}, c))(t)
	k := fitted.(Kernel)
	if k.Means[0] != 3 || k.Means[1] != 5 || math.Abs(k.Deviations[0]-math.Sqrt(14./3)) > 1e-15 || k.Deviations[1] != 1 {
		t.Errorf("means %v, deviations %v, want 3 and √(14/3), 5 and 1", k.Means, k.Deviations)
	}
	if stringkernel.DependsOnCorpus(k) {
		t.Error("the fitted kernel depends on the corpus")
	}
	negative := must.Get(stringkernel.NewCorpus([][]byte{record("A", 1), record("A", -1)}, []string{"x", "y"}))(t)
	_, err = stringkernel.Fit(t.Context(), Kernel{Columns: []string{"a"}, Of: "chi2"}, negative)
	if err == nil || !strings.Contains(err.Error(), "a = -1, and chi2 compares numbers of at least 0") {
		t.Errorf("a negative number for chi2: %v", err)
	}
}

// TestFitOffset checks that numbers far from 0, as places on a genome are, are compared as those near 0 are.
func TestFitOffset(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	for _, offset := range []float64{123456789, -7e9, 1e12} {
		var near, far [][]byte
		for range 40 {
			x := math.Round(50 * rng.NormFloat64())
			near, far = append(near, record("A", x)), append(far, record("A", offset+x))
		}
		values := func(records [][]byte) []float64 {
			c := must.Get(stringkernel.NewCorpus(records, nil))(t)
			k := must.Get(stringkernel.Fit(t.Context(), Kernel{Columns: []string{"a"}}, c))(t)
			values := make([]float64, len(records))
			for i, x := range records {
				values[i] = k.Eval(records[0], x)
			}
			return values
		}
		want := values(near)
		for i, got := range values(far) {
			if math.Abs(got-want[i]) > 1e-5 {
				t.Fatalf("numbers from %v on: k(x, y) = %v, want %v as from 0 on", offset, got, want[i])
			}
		}
	}
}

func TestCheck(t *testing.T) {
	for want, k := range map[string]Kernel{
		"no columns":                   {},
		`column "a" is empty or given`: {Columns: []string{"a", "a"}},
		`kernel = "bessel", want one of: linear, subsets, `: {Columns: []string{"a"}, Of: "bessel"},
		"gamma = -1":                      {Columns: []string{"a"}, Gamma: -1},
		"1 means and 0 deviations":        {Columns: []string{"a"}, Means: []float64{1}},
		"the mean 1 and the deviation 0,": {Columns: []string{"a"}, Means: []float64{1}, Deviations: []float64{0}},
	} {
		if err := k.Check(); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%+v: %v, want %s", k, err, want)
		}
	}
}

// TestColumns: a linear model is a weight for each column, w = Σ α_i (x_i − μ)/σ, and the name of a column is a record
// of that column alone.
func TestColumns(t *testing.T) {
	c := must.Get(stringkernel.NewCorpus([][]byte{record("A", 1, 5), record("", 2, 9), record("CG", 6, 4)}, nil))(t)
	k := must.Get(stringkernel.Fit(t.Context(), Kernel{Columns: []string{"*"}}.With(map[string][]string{"*": {"a", "b"}}),
		c))(t).(Kernel)
	alpha := []float64{0.5, -2, 1.5}
	s := must.Get(stringkernel.Merge(t.Context(), k, c, alpha))(t)
	want := map[string]float64{}
	for i, x := range [][]float64{{1, 5}, {2, 9}, {6, 4}} {
		for j, name := range k.Names() {
			want[name] += alpha[i] * (x[j] - k.Means[j]) / k.Deviations[j]
		}
	}
	score := make([]float64, 1)
	for _, f := range stringkernel.FeatureListerOf(s).TopFeatures([]float64{1}, stringkernel.AllFeatures) {
		if math.Abs(f.Weight-want[f.Text]) > 1e-12 {
			t.Errorf("weight %v of %s, want %v", f.Weight, f.Text, want[f.Text])
		}
		if s.ScoreTo(score, []byte(f.Text)); math.Abs(score[0]-want[f.Text]) > 1e-12 {
			t.Errorf("score %v of the record %s, want its weight %v", score[0], f.Text, want[f.Text])
		}
		delete(want, f.Text)
	}
	if len(want) > 0 {
		t.Errorf("no weights of %v", want)
	}
	if asked := k.Asked(); asked.Found != nil || asked.Means != nil || asked.Columns[0] != "*" {
		t.Errorf("asked for %+v", asked)
	}
}
