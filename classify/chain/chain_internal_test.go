package chain

import (
	"context"
	"math"
	"math/rand/v2"
	"testing"

	"github.com/seqsvm/seqsvm/classify/risk"
	"github.com/seqsvm/seqsvm/internal/must"
)

// noInside forbids state 2 at the start and after state 0, as I after O.
func noInside(a, b int) bool { return b == 2 && (a == Start || a == 0) }

// someData returns random tokens with random features, three states, and allowed tags, some of them unknown.
func someData(random *rand.Rand, sequences, most int) *Data {
	d := &Data{Links: Links{States: 3, Forbidden: noInside}}
	rows := &Lists{Size: 12}
	for range sequences {
		before := Start
		for range 1 + random.IntN(most) {
			s := random.IntN(3)
			for noInside(before, s) {
				s = random.IntN(3)
			}
			before = s
			row := []int32{int32(s), 11}
			if random.IntN(3) == 0 {
				row[0] = int32(random.IntN(3))
			}
			for range random.IntN(3) {
				row = append(row, int32(3+random.IntN(8)))
			}
			rows.List = append(rows.List, row...)
			rows.Ends = append(rows.Ends, len(rows.List))
			tag := uint8(s)
			if random.IntN(9) == 0 {
				tag, before = Unknown, 1 // anything may follow
			}
			d.Tags = append(d.Tags, tag)
		}
		d.Ends = append(d.Ends, len(d.Tags))
	}
	d.Rows = rows
	return d
}

func randomVector(random *rand.Rand, n int) []float64 {
	v := make([]float64, n)
	for i := range v {
		v[i] = random.NormFloat64() * 2
	}
	return v
}

// eachPath calls visit with all allowed states of n tokens.
func eachPath(l Links, n int, whole bool, visit func(y []uint8)) {
	y := make([]uint8, n)
	var next func(t int)
	next = func(t int) {
		if t == n {
			visit(y)
			return
		}
		for s := range l.States {
			before := Start
			if t > 0 {
				before = int(y[t-1])
			}
			if (t > 0 || whole) && !l.allows(before, s) {
				continue
			}
			y[t] = uint8(s)
			next(t + 1)
		}
	}
	next(0)
}

// scoreOf is F by its definition.
func scoreOf(l Links, tokens, links []float64, whole bool, y []uint8) (sum float64) {
	for t, s := range y {
		sum += tokens[t*l.States+int(s)]
		if t > 0 {
			sum += links[int(y[t-1])*l.States+int(s)]
		} else if whole {
			sum += links[l.States*l.States+int(s)]
		}
	}
	return sum
}

func near(a, b float64) bool { return math.Abs(a-b) <= 1e-9*max(1, math.Abs(a), math.Abs(b)) }

func TestTaggerByEnumeration(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 0))
	l := Links{States: 3, Forbidden: noInside}
	for range 200 {
		n := 1 + random.IntN(6)
		m := &Machine{Links: l, Table: randomVector(random, 12)}
		must.Succeed(t, m.Check())
		tokens := randomVector(random, 3*n)
		best, total, want := math.Inf(-1), 0.0, make([]float64, 3*n)
		eachPath(l, n, true, func(y []uint8) {
			f := scoreOf(l, tokens, m.Table, true, y)
			best = max(best, f)
			total += math.Exp(f)
			for i, s := range y {
				want[i*3+int(s)] += math.Exp(f)
			}
		})
		g := m.Tagger()
		y, p := make([]uint8, n), make([]float64, 3*n)
		g.Tag(y, tokens)
		if f := scoreOf(l, tokens, m.LinkScores(), true, y); !near(f, best) {
			t.Fatalf("the path %v has the score %v, the best one %v", y, f, best)
		}
		g.Marginals(p, tokens)
		for i := range p {
			if !near(p[i], want[i]/total) {
				t.Fatalf("probability %d is %v, want %v", i, p[i], want[i]/total)
			}
		}
	}
}

// risksByDefinition returns the values of both risks by enumeration.
func risksByDefinition(d *Data, c float64, f []float64) (margin, likelihood float64) {
	l, n := d.Links, len(d.Tags)*d.Links.States
	for _, q := range d.pieces() {
		tokens, right := f[q.lo*l.States:q.hi*l.States], d.Tags[q.lo:q.hi]
		best, total, own := 0.0, 0.0, scoreOf(l, tokens, f[n:], q.whole, right)
		eachPath(l, q.hi-q.lo, q.whole, func(y []uint8) {
			more := scoreOf(l, tokens, f[n:], q.whole, y) - own
			total += math.Exp(more)
			for t := range y {
				if y[t] != right[t] {
					more++
				}
			}
			best = max(best, more)
		})
		margin += c * best
		likelihood += c * math.Log(total)
	}
	return margin, likelihood
}

func TestRisksByEnumeration(t *testing.T) {
	random := rand.New(rand.NewPCG(2, 0))
	for range 40 {
		d := someData(random, 5, 5)
		for _, r := range []risk.Risk{Margin(d, 0.7), Likelihood(d, 0.7)} {
			value := func(f []float64) float64 {
				m, p := risksByDefinition(d, 0.7, f)
				if r.(Risk).walker().(interface{ smooth() bool }).smooth() {
					return p
				}
				return m
			}
			f, a := randomVector(random, r.Len()), make([]float64, r.Len())
			got, offset := r.Plane(a, f)
			if want := value(f); !near(got, want) {
				t.Fatalf("R = %v, want %v", got, want)
			}
			g := randomVector(random, r.Len())
			bound := offset
			for i := range a {
				bound -= a[i] * g[i]
			}
			if at := value(g); bound > at+1e-9*math.Abs(at) {
				t.Fatalf("a plane is at %v above R = %v", bound, at)
			}
			for i := 0; i < len(f); i += 7 { // both are differentiable almost everywhere
				const h = 1e-6
				old := f[i]
				f[i] = old + h
				up := value(f)
				f[i] = old - h
				down := value(f)
				f[i] = old
				if slope := (up - down) / (2 * h); math.Abs(slope+a[i]) > 1e-5*max(1, math.Abs(slope)) {
					t.Fatalf("derivative %d is %v, want %v", i, -a[i], slope)
				}
			}
		}
	}
}

func (*marginWalker) smooth() bool     { return false }
func (*likelihoodWalker) smooth() bool { return true }

// primal is ½‖w‖² + R by the definition.
func primal(d *Data, r risk.Risk, table []float64) float64 {
	of := records{d.Rows, d.Links}
	f, a := make([]float64, of.Len()), make([]float64, of.Len())
	of.score(f, table)
	value, _ := r.Plane(a, f)
	for _, w := range table {
		value += w * w / 2
	}
	return value
}

// TestLearners compares machines of one problem that different solvers find, and their certificates.
func TestLearners(t *testing.T) {
	random := rand.New(rand.NewPCG(3, 0))
	d := someData(random, 60, 12)
	must.Succeed(t, d.Check())
	ctx := context.Background()
	const tol = 1e-5
	check := func(name string, m *Machine, err error, r risk.Risk) float64 {
		t.Helper()
		if err != nil {
			t.Fatal(name, err)
		}
		value := primal(d, r, m.Table)
		if !near(value, m.Primal) || m.Gap > tol || !(m.Dual <= value) {
			t.Fatalf("%s: objective %v, certificate %+v", name, value, m.Certificate)
		}
		return value
	}
	for _, wide := range []bool{false, true} { // planes as tables, and as coefficients
		if wide {
			d.Rows.(*Lists).Size = 10_000
		}
		margin, likelihood := Margin(d, 1), Likelihood(d, 1)
		m, err := Blocks(ctx, d, 1, Options{Tol: tol})
		check("margin", m, err, margin)
		b, err := LBFGS(ctx, d, likelihood, Options{Tol: tol})
		check("likelihood", b, err, likelihood)
		for machine, r := range map[*Machine]risk.Risk{m: margin, b: likelihood} {
			for range 20 { // no table is below the dual, near the optimum least of all
				other := randomVector(random, len(machine.Table))
				for i, w := range machine.Table {
					other[i] = w + 0.001*other[i]
				}
				if value := primal(d, r, other); value < machine.Dual {
					t.Errorf("%s: objective %v below the dual %v", machine.Solver, value, machine.Dual)
				}
			}
		}
		w := must.Get(Perceptron{Passes: 10}.Learn(ctx, d))(t)
		for name, m := range map[string]*Machine{"margin": m, "likelihood": b, "perceptron": w} {
			if share := rightShare(d, m); share < 0.75 {
				t.Errorf("%s: %.3f of the states of training are right", name, share)
			}
		}
	}
}

// TestWindowsAreCrammerSinger compares windows with the solver of all classes at once on the same rows.
func TestWindowsAreCrammerSinger(t *testing.T) {
	d := someData(rand.New(rand.NewPCG(4, 0)), 40, 5)
	windows := d.Windows()
	m := must.Get(Blocks(context.Background(), windows, 1, Options{Tol: 1e-6}))(t)
	if share := rightShare(windows, m); share < 0.6 {
		t.Errorf("%.3f of the states of training are right", share)
	}
	for i, u := range m.LinkScores()[:9] {
		if u != 0 {
			t.Errorf("link %d has the score %v in windows of one token", i, u)
		}
	}
}

func rightShare(d *Data, m *Machine) float64 {
	g, right, known, lo := m.Tagger(), 0, 0, 0
	for _, hi := range d.Ends {
		y := make([]uint8, hi-lo)
		g.Tag(y, g.Score(d.Rows, lo, hi))
		for i, s := range y {
			if tag := d.Tags[lo+i]; tag != Unknown {
				known++
				if tag == s {
					right++
				}
			}
		}
		lo = hi
	}
	return float64(right) / float64(known)
}

func TestCheck(t *testing.T) {
	rows := &Lists{List: []int32{0, 0}, Ends: []int{1, 2}, Size: 1}
	for name, d := range map[string]*Data{
		"no state":  {Rows: rows, Ends: []int{2}, Tags: []uint8{0, 0}},
		"short":     {Rows: rows, Ends: []int{1}, Tags: []uint8{0, 0}, Links: Links{States: 2}},
		"great":     {Rows: rows, Ends: []int{2}, Tags: []uint8{0, 2}, Links: Links{States: 2}},
		"forbidden": {Rows: rows, Ends: []int{2}, Tags: []uint8{0, 2}, Links: Links{States: 3, Forbidden: noInside}},
		"unknown":   {Rows: rows, Ends: []int{2}, Tags: []uint8{Unknown, Unknown}, Links: Links{States: 2}},
		"dead end": {Rows: rows, Ends: []int{2}, Tags: []uint8{0, 0},
			Links: Links{States: 2, Forbidden: func(a, _ int) bool { return a == 1 }}},
	} {
		if err := d.Check(); err == nil {
			t.Errorf("%s: no error", name)
		}
	}
	if err := (&Machine{Links: Links{States: 2}, Table: make([]float64, 5)}).Check(); err == nil {
		t.Error("no error for a table of 5 entries")
	}
}
