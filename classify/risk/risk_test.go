package risk_test

import (
	"cmp"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/seqsvm/seqsvm/classify/risk"
)

// machine is a risk of some records and its definition, given the free scalars of the definition.
type machine struct {
	name    string
	risk    risk.Risk
	value   func(f []float64, scalars []float64) float64
	choices func(f []float64) [][]float64 // of the free scalars, the best among them
}

// machines returns every risk for n records drawn by r.
func machines(r *rand.Rand, n int) []machine {
	y, sign, w, class := make([]float64, n), make([]float64, n), make([]float64, n), make([]int, n)
	for i := range y {
		y[i] = math.Round(8*r.NormFloat64()) / 4
		sign[i] = float64(1 - 2*(i%2))
		w[i] = float64(1+r.IntN(4)) / 2
		class[i] = (i + r.IntN(2)*(i/3)) % 3 // all of them occur
	}
	c, epsilon, q, nu, prior := 0.5+r.Float64(), 0.25*float64(r.IntN(4)), 0.1+0.8*r.Float64(), 0.05+0.9*r.Float64(),
		0.1+0.8*r.Float64()
	nuClasses := risk.NuClasses(sign, nu*risk.MostNu(sign))
	nu2 := nu * risk.MostNu(sign)
	size := float64(n)
	self, halves := make([]float64, n), make([]float64, n) // k(x, x), and the corners −½k(x, x)
	for i := range self {
		self[i] = float64(r.IntN(5))
		halves[i] = -self[i] / 2
	}
	shifts := func(points ...[]float64) func(f []float64) [][]float64 { // b at every point − f
		return func(f []float64) (out [][]float64) {
			for _, p := range points {
				for i := range f {
					out = append(out, []float64{p[i] - f[i]})
				}
			}
			return out
		}
	}
	plus := func(v []float64, d float64) []float64 {
		out := make([]float64, len(v))
		for i := range v {
			out[i] = v[i] + d
		}
		return out
	}
	pairs := func(left, right func(f []float64, i int) (float64, bool)) func(f []float64) [][]float64 {
		return func(f []float64) (out [][]float64) {
			for i := range f {
				for j := range f {
					u, ok := left(f, i)
					v, also := right(f, j)
					if ok && also {
						out = append(out, []float64{u, v})
					}
				}
			}
			return out
		}
	}
	zero, ones := make([]float64, n), plus(make([]float64, n), 1)
	sum := func(f []float64, term func(i int) float64) (total float64) {
		for i := range f {
			total += term(i)
		}
		return total
	}
	positives := sum(sign, func(i int) float64 { return max(0, sign[i]) })
	return []machine{
		{"classes", &risk.Hinges{Points: sign, Weights: risk.Times(sign, w), Costs: risk.Costs{c, 2 * c}}, func(f, b []float64) float64 {
			return sum(f, func(i int) float64 {
				cost := c
				if sign[i] < 0 {
					cost = 2 * c
				}
				return cost * w[i] * max(0, 1-sign[i]*(f[i]+b[0]))
			})
		}, shifts(sign)},
		{"squared classes", squared(&risk.Hinges{Points: sign, Weights: risk.Times(sign, w), Costs: risk.Costs{c, 2 * c}}), func(f, b []float64) float64 {
			return sum(f, func(i int) float64 {
				cost, e := c, max(0, 1-sign[i]*(f[i]+b[0]))
				if sign[i] < 0 {
					cost = 2 * c
				}
				return cost * w[i] * e * e
			})
		}, where(func(f []float64, b float64) float64 {
			return sum(f, func(i int) float64 {
				cost := c
				if sign[i] < 0 {
					cost = 2 * c
				}
				return -2 * cost * w[i] * sign[i] * max(0, 1-sign[i]*(f[i]+b))
			})
		})},
		{"insensitive", risk.Insensitive(y, w, c, epsilon), func(f, b []float64) float64 {
			return sum(f, func(i int) float64 { return c * w[i] * max(0, math.Abs(y[i]-f[i]-b[0])-epsilon) })
		}, shifts(plus(y, epsilon), plus(y, -epsilon))},
		{"insensitive without a bias", unbiased(risk.Insensitive(y, w, c, epsilon)), func(f, _ []float64) float64 {
			return sum(f, func(i int) float64 { return c * w[i] * max(0, math.Abs(y[i]-f[i])-epsilon) })
		}, func([]float64) [][]float64 { return [][]float64{{0}} }},
		{"pinball", risk.Pinball(y, nil, c, q), func(f, b []float64) float64 {
			return sum(f, func(i int) float64 {
				e := y[i] - f[i] - b[0]
				return c * max(q*e, (q-1)*e)
			})
		}, shifts(y)},
		{"nu-insensitive", risk.NuInsensitive(y, c, nu), func(f, s []float64) float64 { // s = (b + ε, b − ε)
			b, eps := (s[0]+s[1])/2, (s[0]-s[1])/2
			return c*nu*size*eps + sum(f, func(i int) float64 { return c * max(0, math.Abs(y[i]-f[i]-b)-eps) })
		}, pairs(func(f []float64, i int) (float64, bool) { return y[i] - f[i], true },
			func(f []float64, i int) (float64, bool) { return y[i] - f[i], true })},
		{"one-class", risk.OneClass(n, nil, nu), func(f, b []float64) float64 {
			return -b[0] + sum(f, func(i int) float64 { return max(0, f[i]+b[0]) / (nu * size) })
		}, shifts(zero)},
		{"ball", risk.Ball(self, nil, nu), func(f, b []float64) float64 {
			return -b[0] + sum(f, func(i int) float64 { return max(0, f[i]+self[i]/2+b[0]) / (nu * size) })
		}, shifts(halves)},
		{"nu-classes", nuClasses, func(f, s []float64) float64 { // s = (b − ρ, b + ρ)
			b, rho := (s[0]+s[1])/2, (s[1]-s[0])/2
			return -nu2*rho + sum(f, func(i int) float64 { return max(0, rho-sign[i]*(f[i]+b)) / size })
		}, pairs(func(f []float64, i int) (float64, bool) { return -f[i], sign[i] > 0 },
			func(f []float64, i int) (float64, bool) { return -f[i], sign[i] < 0 })},
		{"unlabelled", risk.Unlabelled(sign, c, prior), func(f, b []float64) float64 {
			return c * size * sum(f, func(i int) float64 {
				t := f[i] + b[0]
				if sign[i] > 0 {
					return -prior / positives * t
				}
				return max(t, max(0, 0.5+0.5*t)) / (size - positives)
			})
		}, shifts(ones, plus(zero, -1))},
		{"ordinal", risk.Ordinal(class, 3, w, c), func(f, s []float64) float64 { // s = −θ
			if s[0] < s[1] {
				return math.Inf(1)
			}
			return sum(f, func(i int) (loss float64) {
				if k := class[i]; k < 2 {
					loss += max(0, 1+f[i]+s[k])
				}
				if k := class[i]; k > 0 {
					loss += max(0, 1-f[i]-s[k-1])
				}
				return c * w[i] * loss
			})
		}, func(f []float64) (out [][]float64) {
			points := shifts(ones, plus(zero, -1))(f)
			for _, u := range points {
				for _, v := range points {
					out = append(out, []float64{u[0], v[0]})
				}
			}
			return out
		}},
		rankingMachine(y, class, c),
		{"logistic", mustLogistic(risk.Times(sign, w), risk.Costs{c, 2 * c}), func(f, b []float64) float64 {
			return sum(f, func(i int) float64 {
				cost := c
				if sign[i] < 0 {
					cost = 2 * c
				}
				return cost * w[i] * math.Log1p(math.Exp(-sign[i]*(f[i]+b[0])))
			})
		}, where(func(f []float64, b float64) float64 {
			return sum(f, func(i int) float64 {
				cost := c
				if sign[i] < 0 {
					cost = 2 * c
				}
				return -cost * w[i] * sign[i] / (1 + math.Exp(sign[i]*(f[i]+b)))
			})
		})},
	}
}

// where returns the bias at which a rising derivative vanishes, by halving.
func where(slope func(f []float64, b float64) float64) func(f []float64) [][]float64 {
	return func(f []float64) [][]float64 {
		lo, hi := -50.0, 50.0
		for range 200 {
			if b := (lo + hi) / 2; slope(f, b) > 0 {
				hi = b
			} else {
				lo = b
			}
		}
		return [][]float64{{lo}}
	}
}

// squared makes hinges squared ones.
func squared(h *risk.Hinges) *risk.Hinges {
	h.Squared = true
	return h
}

// logistic has the other methods of a risk.
type logistic struct{ *risk.Logistic }

func (l logistic) Scalars(f []float64) []float64 { return []float64{l.Bias(f)} }

func (logistic) Nonnegative() bool { return true }

func mustLogistic(weights []float64, costs risk.Costs) logistic {
	l, err := risk.NewLogistic(weights, costs, false)
	if err != nil {
		panic(err)
	}
	return logistic{l}
}

// unbiased leaves the bias of hinges out.
func unbiased(h *risk.Hinges) *risk.Hinges {
	h.NoBias = true
	return h
}

// rankingMachine compares grades within groups, by all pairs.
func rankingMachine(y []float64, class []int, c float64) machine {
	groups, pairs := make([]string, len(y)), 0.0
	for i := range y {
		groups[i] = fmt.Sprint(class[i] % 2)
	}
	eachPair := func(visit func(i, j int)) {
		for i := range y {
			for j := range y {
				if y[i] > y[j] && groups[i] == groups[j] {
					visit(i, j)
				}
			}
		}
	}
	eachPair(func(int, int) { pairs++ })
	r, ok := risk.NewRanking(y, groups, c)
	if ok != (pairs > 0) {
		panic("wrong number of pairs")
	}
	if !ok {
		return rankingMachine(slices.Repeat([]float64{0, 1, 2}, len(y))[:len(y)], make([]int, len(y)), c)
	}
	return machine{"ranking", r, func(f, _ []float64) (loss float64) {
		eachPair(func(i, j int) { loss += max(0, 1-(f[i]-f[j])) })
		return c * float64(len(y)) / pairs * loss
	}, func([]float64) [][]float64 { return [][]float64{nil} }}
}

// TestValues compares every risk with its definition, minimised over all corners.
func TestValues(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	for trial := range 200 {
		n := 4 + r.IntN(12)
		for _, m := range machines(r, n) {
			f, a := scores(r, n), make([]float64, n)
			value, _ := m.risk.Plane(a, f)
			best := math.Inf(1)
			for _, s := range m.choices(f) {
				best = min(best, m.value(f, s))
			}
			if math.Abs(value-best) > 1e-12*(1+math.Abs(best)) {
				t.Errorf("%s, trial %d: R(f) = %v, want %v", m.name, trial, value, best)
			}
			if at := m.value(f, m.risk.Scalars(f)); math.Abs(at-best) > 1e-12*(1+math.Abs(best)) {
				t.Errorf("%s, trial %d: %v at the scalars, want %v", m.name, trial, at, best)
			}
		}
	}
}

// TestPlanes: a plane lies below the risk everywhere and touches it, and coefficients meet one condition per scalar.
func TestPlanes(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 4))
	for trial := range 300 {
		n := 4 + r.IntN(20)
		for _, m := range machines(r, n) {
			f, a, b := scores(r, n), make([]float64, n), make([]float64, n)
			value, offset := m.risk.Plane(a, f)
			if touch := offset - dot(a, f); math.Abs(value-touch) > 1e-11*(1+math.Abs(value)) {
				t.Errorf("%s, trial %d: the plane is %v at its point, want %v", m.name, trial, touch, value)
			}
			for range 5 {
				g := scores(r, n)
				if at, _ := m.risk.Plane(b, g); offset-dot(a, g) > at+1e-11*(1+math.Abs(at)) {
					t.Errorf("%s, trial %d: the plane is %v where R is %v", m.name, trial, offset-dot(a, g), at)
				}
			}
		}
	}
}

// TestFenchelYoung: the gap is R(f) + R*(−a) + aᵀf, never negative, and 0 for the coefficients of the plane at f.
func TestFenchelYoung(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 6))
	for trial := range 300 {
		n := 4 + r.IntN(20)
		for _, m := range machines(r, n) {
			s, ok := m.risk.(*risk.Hinges)
			if !ok || !s.Separable() {
				continue
			}
			f, g, a, b := scores(r, n), scores(r, n), make([]float64, n), make([]float64, n)
			_, offset := s.Plane(a, f)
			value, conjugate, gap := s.Gap(a, f)
			if math.Abs(gap) > 1e-11*(1+math.Abs(value)) || math.Abs(conjugate-offset) > 1e-11*(1+math.Abs(offset)) {
				t.Errorf("%s, trial %d: gap %v and conjugate %v, want 0 and %v", m.name, trial, gap, conjugate, offset)
			}
			_, other := s.Plane(b, g)
			for i := range a { // a convex combination of planes is feasible
				a[i] = 0.3*a[i] + 0.7*b[i]
			}
			value, conjugate, gap = s.Gap(a, f)
			if want := value - conjugate + dot(a, f); math.Abs(gap-want) > 1e-11*(1+math.Abs(value)) || gap < 0 {
				t.Errorf("%s, trial %d: gap %v, want %v", m.name, trial, gap, want)
			}
			if least := 0.3*offset + 0.7*other; conjugate < least-1e-11*(1+math.Abs(least)) {
				t.Errorf("%s, trial %d: conjugate %v below that of the planes %v", m.name, trial, conjugate, least)
			}
		}
	}
}

// scores draws scores with ties.
func scores(r *rand.Rand, n int) []float64 {
	f := make([]float64, n)
	for i := range f {
		f[i] = math.Round(6*r.NormFloat64()) / 4
	}
	return f
}

func dot(a, b []float64) (sum float64) {
	for i, x := range a {
		sum += x * b[i]
	}
	return sum
}

// Between two classes without records, as a part of the data may have them, no record says where the threshold is.
func TestOrdinalWithoutRecordsOfSomeClasses(t *testing.T) {
	class := []int{0, 0, 3, 4, 4}
	f, a := []float64{-1, 0.5, 0.25, 0, 2}, make([]float64, 5)
	r := risk.Ordinal(class, 5, nil, 1)
	value, offset := r.Plane(a, f)
	if at := offset - dot(a, f); math.Abs(at-value) > 1e-12 {
		t.Errorf("the plane is %v at f, want R(f) = %v", at, value)
	}
	if b := r.Scalars(f); !slices.IsSortedFunc(b, func(x, y float64) int { return cmp.Compare(y, x) }) {
		t.Errorf("scalars %v, want them in descending order", b)
	}
	// With the classes numbered anew one threshold has the records of several to part.
	want, _ := risk.Ordinal([]int{0, 0, 1, 2, 2}, 3, nil, 1).Plane(make([]float64, 5), f)
	if value > want+1e-12 {
		t.Errorf("R(f) = %v, want at most that of neighbouring classes, %v", value, want)
	}
}
