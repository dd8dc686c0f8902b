package elementary_test

import (
	"encoding/binary"
	"hash/fnv"
	"math"
	"math/big"
	"math/rand/v2"
	"testing"

	"github.com/seqsvm/seqsvm/internal/elementary"
)

const precision = 200 // bits of the exact values

func number(x float64) *big.Float { return new(big.Float).SetPrec(precision).SetFloat64(x) }

// exactExp returns eˣ: the Taylor series of x/2³⁰, squared 30 times.
func exactExp(x *big.Float) *big.Float {
	const halvings = 30
	r := number(0).SetMantExp(x, -halvings)
	sum, term := number(1), number(1)
	for i := 1.; i < 12; i++ {
		term.Quo(term.Mul(term, r), number(i))
		sum.Add(sum, term)
	}
	for range halvings {
		sum.Mul(sum, sum)
	}
	return sum
}

// exactLog returns ln x by Halley's iteration, y ← y + 2(x − eʸ)/(x + eʸ), from a value that it corrects if it is
// wrong.
func exactLog(x *big.Float, near float64) *big.Float {
	y := number(near)
	for range 3 {
		e := exactExp(y)
		step := number(0).Quo(number(0).Sub(x, e), number(0).Add(x, e))
		y.Add(y, step.SetMantExp(step, 1))
	}
	return y
}

// ulps returns the distance of two values in units of the last place of the exact one.
func ulps(got float64, exact *big.Float) float64 {
	d, _ := number(0).Sub(number(got), exact).Float64()
	value, _ := exact.Float64()
	_, exponent := math.Frexp(value)
	return math.Abs(d) / math.Ldexp(1, max(exponent-53, -1074))
}

// Values are within 1 ulp of the exact ones, over the whole range and where cancellation threatens.
func TestAccuracy(t *testing.T) {
	ln2 := exactLog(number(2), math.Ln2)
	rng := rand.New(rand.NewPCG(1, 2))
	for i := range 2000 {
		x := (rng.Float64() - 0.5) * math.Pow10(rng.IntN(5)-2)
		if i%5 == 0 {
			x = rng.Float64()*1454 - 745
		}
		if d := ulps(elementary.Exp(x), exactExp(number(x))); d > 1 {
			t.Errorf("Exp(%v) is wrong by %.2f ulp", x, d)
		}
		if d := ulps(elementary.Exp2(x), exactExp(number(0).Mul(number(x), ln2))); d > 1 {
			t.Errorf("Exp2(%v) is wrong by %.2f ulp", x, d)
		}
		y := math.Ldexp(1+rng.Float64(), []int{0, -1, 1, rng.IntN(2096) - 1073}[i%4])
		if i%10 == 0 {
			y = 1 + (rng.Float64()-0.5)*math.Pow10(-rng.IntN(10))
		}
		if d := ulps(elementary.Log(y), exactLog(number(y), elementary.Log(y))); d > 1 {
			t.Errorf("Log(%v) is wrong by %.2f ulp", y, d)
		}
		z := math.Pow10(rng.IntN(30)-15) * (1 + rng.Float64())
		if i%2 == 0 {
			z = (rng.Float64() - 0.5) * 1.99
		}
		if d := ulps(elementary.Log1p(z), exactLog(number(0).Add(number(1), number(z)), elementary.Log1p(z))); d > 1 {
			t.Errorf("Log1p(%v) is wrong by %.2f ulp", z, d)
		}
	}
}

// Special values are those of package math.
func TestSpecialValues(t *testing.T) {
	values := []float64{0, math.Copysign(0, -1), 1, -1, -2, math.Inf(1), math.Inf(-1), math.NaN(), 710, -746, 1e-320,
		math.MaxFloat64, -math.MaxFloat64}
	for _, c := range []struct {
		name      string
		got, want func(float64) float64
	}{{"Exp", elementary.Exp, math.Exp}, {"Exp2", elementary.Exp2, math.Exp2}, {"Log", elementary.Log, math.Log}, {"Log1p", elementary.Log1p, math.Log1p}} {
		for _, x := range values {
			got, want := c.got(x), c.want(x)
			if got != want && !(math.IsNaN(got) && math.IsNaN(want)) && !(math.Abs(got/want-1) < 1e-15) &&
				!(x == 1e-320 && c.name == "Log") { // math.Log is wrong there on some processors
				t.Errorf("%s(%v) = %v, want %v", c.name, x, got, want)
			}
		}
	}
}

// TestProcessors compares with the bits of amd64, so that it says something on every other processor.
func TestProcessors(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 4))
	h := fnv.New64a()
	for range 20_000 {
		x := (rng.Float64() - 0.5) * 200
		for _, y := range []float64{elementary.Exp(x), elementary.Exp2(x), elementary.Log(math.Abs(x)), elementary.Log1p(math.Abs(x))} {
			_ = binary.Write(h, binary.LittleEndian, y)
		}
	}
	const amd64 = 0xd9e2fdc02a4e15c0
	if got := h.Sum64(); got != amd64 {
		t.Errorf("hash %#x, on amd64 %#x", got, uint64(amd64))
	}
}

var sink float64

func BenchmarkExp(b *testing.B) {
	b.Run("here", func(b *testing.B) { run(b, elementary.Exp) })
	b.Run("math", func(b *testing.B) { run(b, math.Exp) })
}

func BenchmarkLog(b *testing.B) {
	b.Run("here", func(b *testing.B) { run(b, elementary.Log) })
	b.Run("math", func(b *testing.B) { run(b, math.Log) })
}

func run(b *testing.B, f func(float64) float64) {
	for i := 0; b.Loop(); i++ {
		sink += f(float64(i&255+1) / 16)
	}
}

func TestCosSin(t *testing.T) {
	for i, want := range [][2]float64{{1, 0}, {0, 1}, {-1, 0}, {0, -1}} {
		for _, turns := range []float64{0, 1, -3, 1 << 40} {
			if cos, sin := elementary.CosSin(turns + float64(i)/4); cos != want[0] || sin != want[1] {
				t.Errorf("%v turns: %v, %v, want %v", turns+float64(i)/4, cos, sin, want)
			}
		}
	}
	for _, u := range []float64{math.NaN(), math.Inf(1), math.Inf(-1)} {
		if cos, sin := elementary.CosSin(u); !math.IsNaN(cos) || !math.IsNaN(sin) {
			t.Errorf("%v turns: %v, %v, want NaN", u, cos, sin)
		}
	}
	for i := range 100_000 {
		u := float64(i)/100_000 - 0.5
		wantSin, wantCos := math.Sincos(2 * math.Pi * u) // 2πu is off by less than 2⁻⁵¹
		if cos, sin := elementary.CosSin(u); math.Abs(cos-wantCos) > 0x1p-50 || math.Abs(sin-wantSin) > 0x1p-50 {
			t.Fatalf("%v turns: %v, %v, want %v, %v", u, cos, sin, wantCos, wantSin)
		}
	}
}
