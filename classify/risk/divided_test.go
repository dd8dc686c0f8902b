package risk_test

import (
	"math"
	"math/rand/v2"
	"runtime"
	"slices"
	"testing"

	"github.com/seqsvm/seqsvm/classify/risk"
)

// dividedRisks are those of n records whose breakpoints fall together in many ways.
func dividedRisks(rng *rand.Rand, n int) map[string]*risk.Hinges {
	y, targets, weights := make([]float64, n), make([]float64, n), make([]float64, n)
	for i := range y {
		y[i] = float64(2*rng.IntN(2) - 1)
		targets[i] = float64(rng.IntN(20)) / 4
		weights[i] = math.Exp(rng.NormFloat64())
	}
	return map[string]*risk.Hinges{
		"classes":          risk.Classes(y, nil, risk.Costs{1, 1}),
		"weighted classes": risk.Classes(y, weights, risk.Costs{2, 0.3}),
		"rare class":       risk.Classes(append([]float64{-1}, slices.Repeat([]float64{1}, n-1)...), nil, risk.Costs{1, 1}),
		"insensitive":      risk.Insensitive(targets, nil, 0.7, 0.25),
		"pinball":          risk.Pinball(targets, weights, 1.5, 0.9),
		"one class":        risk.OneClass(n, nil, 0.1),
		"unlabelled":       risk.Unlabelled(y, 1, 0.3),
	}
}

// divisionScores are scores with ties, without, far from all points and of all sizes.
func divisionScores(rng *rand.Rand, n int) map[string][]float64 {
	all := map[string][]float64{
		"zeros": make([]float64, n), "normal": make([]float64, n), "ties": make([]float64, n),
		"far": make([]float64, n), "sizes": make([]float64, n), "clusters": make([]float64, n),
	}
	for i := range n {
		all["normal"][i] = rng.NormFloat64()
		all["ties"][i] = float64(rng.IntN(5)) / 2
		all["far"][i] = 1e9 + rng.NormFloat64()
		all["sizes"][i] = math.Copysign(math.Exp(300*rng.NormFloat64()), rng.NormFloat64())
		all["clusters"][i] = float64(rng.IntN(2)) + 1e-9*rng.NormFloat64()
	}
	for i, f := range all["sizes"] {
		all["sizes"][i] = max(-1e290, min(1e290, f))
	}
	return all
}

// TestDividedPlanes compares planes computed part by part with those of all scores: counted weights are exact, and the
// bias is then the same number.
func TestDividedPlanes(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	for _, n := range []int{1, 2, 300, 3*risk.PartLen + 7} {
		for scored, f := range divisionScores(rng, n) {
			size := float64(n) // of sums
			for _, s := range f {
				size += math.Abs(s)
			}
			for name, h := range dividedRisks(rng, n) {
				if n <= 2 && name == "unlabelled" { // needs both kinds of records
					continue
				}
				want, got := make([]float64, n), make([]float64, n)
				value, offset := h.Plane(want, f)
				bias := h.Scalars(f)[0]
				scores := func(dst []float64, lo int) { copy(dst, f[lo:]) }
				v, o := risk.DividedOf(h).PlaneOf(scores, func(a []float64, lo int) { copy(got[lo:], a) })
				if math.Abs(v-value) > 1e-11*size || math.Abs(o-offset) > 1e-11*float64(n) {
					t.Fatalf("%s, %d %s: value %v, offset %v, want %v, %v", name, n, scored, v, o, value, offset)
				}
				if counted := name == "classes" || name == "insensitive"; counted && risk.DividedOf(h).ScalarsOf(scores)[0] != bias {
					t.Fatalf("%s, %d %s: bias %v, want %v", name, n, scored, risk.DividedOf(h).ScalarsOf(scores)[0], bias)
				}
				for i, a := range got {
					if math.Abs(a-want[i]) > 1e-9*h.Costs.Positive*10 {
						t.Fatalf("%s, %d %s: coefficient %d is %v, want %v", name, n, scored, i, a, want[i])
					}
				}
			}
		}
	}
}

// TestCrowdedBuckets has more different breakpoints in one bucket than are collected.
func TestCrowdedBuckets(t *testing.T) {
	const n = 3 << 16 // collected are a third
	rng := rand.New(rand.NewPCG(3, 4))
	y, f := make([]float64, n), make([]float64, n)
	for i := range y {
		y[i], f[i] = float64(2*rng.IntN(2)-1), 1e-12*rng.Float64()
	}
	for i := range 500 { // the first window is far too wide
		f[i*n/500] = 1e6 * rng.NormFloat64()
	}
	h := risk.Classes(y, nil, risk.Costs{1, 0.6})
	want := h.Bias(f)
	if got := h.ScalarsOf(func(dst []float64, lo int) { copy(dst, f[lo:]) })[0]; got != want {
		t.Errorf("bias %v, want %v", got, want)
	}
}

func TestDividedPlanesOnAnyNumberOfThreads(t *testing.T) {
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(1))
	const n = 5 * risk.PartLen
	rng := rand.New(rand.NewPCG(5, 6))
	f, h := divisionScores(rng, n)["normal"], dividedRisks(rng, n)["weighted classes"]
	plane := func() []float64 {
		a := make([]float64, 2*n+4)
		a[2*n], a[2*n+1] = h.PlaneOf(func(dst []float64, lo int) { copy(dst, f[lo:]) },
			func(part []float64, lo int) { copy(a[lo:], part) })
		a[2*n+2], a[2*n+3] = h.Plane(a[n:2*n], f)
		return a
	}
	want := plane()
	runtime.GOMAXPROCS(4)
	if !slices.Equal(plane(), want) {
		t.Error("four threads have other bits")
	}
}

// TestUndivided has the risks whose scores are needed all at once.
func TestUndivided(t *testing.T) {
	y := []float64{1, -1, 1}
	squared := risk.Classes(y, nil, risk.Costs{1, 1})
	squared.Squared = true
	for _, r := range []risk.Risk{squared, risk.NuClasses(y, 0.5), risk.Ordinal([]int{0, 1, 2}, 3, nil, 1), risk.NewSquaredError(y, nil, 1)} {
		if risk.DividedOf(r) != nil {
			t.Errorf("%T is divided", r)
		}
	}
}
