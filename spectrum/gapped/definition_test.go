package gapped_test

import (
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/seqsvm/seqsvm/internal/drawn"
	"github.com/seqsvm/seqsvm/spectrum/gapped"
	"github.com/seqsvm/seqsvm/stringkernel"
)

// gappedCounts returns the number of occurrences of every gapped k-mer: k letters of a k-mer of l letters, the others
// dots.
func gappedCounts(x string, l, k int, alphabet string) map[string]float64 {
	counts := map[string]float64{}
	for i := 0; i+l <= len(x); i++ {
		mer := x[i : i+l]
		if strings.Trim(mer, alphabet) != "" {
			continue
		}
		for mask := range 1 << l {
			gapped, n := []byte(strings.Repeat(".", l)), 0
			for p := range l {
				if mask>>p&1 == 1 {
					gapped[p] = mer[p]
					n++
				}
			}
			if n == k {
				counts[string(gapped)]++
			}
		}
	}
	return counts
}

func dot(x, y map[string]float64) (sum float64) {
	for s, n := range x {
		sum += n * y[s]
	}
	return sum
}

// allKmers lists σ^l k-mers.
func allKmers(l int, alphabet string) []string {
	kmers := []string{""}
	for range l {
		var longer []string
		for _, w := range kmers {
			for _, b := range alphabet {
				longer = append(longer, w+string(b))
			}
		}
		kmers = longer
	}
	return kmers
}

// hamming returns the distance of two k-mers, or one beyond most.
func hamming(u, v string, most int) (d int) {
	for i := 0; i < len(u) && d <= most; i++ {
		if u[i] != v[i] {
			d++
		}
	}
	return d
}

func random(rng *rand.Rand, n int, letters string) string {
	x := drawn.Text(rng, letters, n)
	return string(x)
}

func near(got, want float64) bool { return math.Abs(got-want) <= 1e-9*(1+math.Abs(want)) }

// distances returns h(d), d = 0 … l: the values of two k-mers of l letters that differ in d places.
func distances(k stringkernel.Kernel, l int, a, b byte) (h []float64) {
	x := strings.Repeat(string(a), l)
	for d := range l + 1 {
		h = append(h, k.Eval([]byte(x), []byte(strings.Repeat(string(b), d)+x[d:])))
	}
	return h
}

func distancesOf(k gapped.Kernel) []float64 { return distances(k, k.L, 'A', 'C') }

// TestPlainByDefinition compares the plain kernel with the inner product of counts of gapped k-mers, and that with
// wildcards with φ_w(x) = λ^j times the number of k-mers of x that the k-mer w with j wildcards matches.
func TestPlainByDefinition(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 1))
	for l := 1; l <= 5; l++ {
		for k := 1; k <= l; k++ {
			kernel := gapped.Kernel{L: l, K: k, D: l - k, Filter: gapped.Plain, Alphabet: stringkernel.DNA}
			x, y := random(rng, 40, "ACGTACGTN"), random(rng, 25, "ACGT")
			want := dot(gappedCounts(x, l, k, "ACGT"), gappedCounts(y, l, k, "ACGT"))
			if got := kernel.Eval([]byte(x), []byte(y)); got != want {
				t.Fatalf("l %d k %d: k(%s, %s) = %v, by counts of gapped k-mers %v", l, k, x, y, got, want)
			}
			kernel.Filter, kernel.Lambda, want = gapped.Wildcard, 0.7, 0
			for letters := k; letters <= l; letters++ {
				want += math.Pow(0.7, float64(2*(l-letters))) *
					dot(gappedCounts(x, l, letters, "ACGT"), gappedCounts(y, l, letters, "ACGT"))
			}
			if got := kernel.Eval([]byte(x), []byte(y)); !near(got, want) {
				t.Fatalf("l %d k %d: k(%s, %s) = %v, by counts with wildcards %v", l, k, x, y, got, want)
			}
			if least, greatest := kernel.SmallestEigenvalue(); least < -1e-12*greatest {
				t.Errorf("l %d k %d: least eigenvalue %v", l, k, least)
			}
		}
	}
}

// binomial returns C(n, k) by Pascal's rule.
func binomial(n, k int) float64 {
	if k < 0 || k > n {
		return 0
	}
	if k == 0 {
		return 1
	}
	return binomial(n-1, k-1) + binomial(n-1, k)
}

// spectrumOf decomposes the matrix of h over all k-mers.
func spectrumOf(t *testing.T, kmers []string, h func(d int) float64) (values []float64, vectors *mat.Dense) {
	t.Helper()
	matrix := mat.NewSymDense(len(kmers), nil)
	for u := range kmers {
		for v := range u + 1 {
			matrix.SetSym(u, v, h(hamming(kmers[u], kmers[v], len(kmers[u]))))
		}
	}
	var eigen mat.EigenSym
	if !eigen.Factorize(matrix, true) {
		t.Fatal("no eigenvalues")
	}
	vectors = new(mat.Dense)
	eigen.VectorsTo(vectors)
	return eigen.Values(nil), vectors
}

// compareFilter compares h with the row of the first k-mer in a matrix with other eigenvalues.
func compareFilter(
	t *testing.T, k gapped.Kernel, kmers []string, values []float64, vectors *mat.Dense, filter func(value float64) float64,
) {
	t.Helper()
	h := distancesOf(k)
	for v := range kmers {
		want, size := 0.0, math.Abs(h[0])
		for i, value := range values {
			want += filter(value) * vectors.At(0, i) * vectors.At(v, i)
		}
		if got := h[hamming(kmers[0], kmers[v], k.L)]; math.Abs(got-want) > 1e-9*size {
			t.Fatalf("%+v: h is %v at the distance of %s, by eigenvalues %v", k, got, kmers[v], want)
		}
	}
}

// TestFullIsTheEstimate compares the full filter with its definition: l-mer counts are estimated from counts of gapped
// k-mers by the pseudo-inverse, which is the projection on their span, so that h(d(u, v)) is the value at v of the
// projection of the indicator of u.
func TestFullIsTheEstimate(t *testing.T) {
	for _, c := range []struct{ l, k int }{{2, 1}, {3, 1}, {3, 2}, {4, 2}} {
		kmers := allKmers(c.l, "ACGT")
		values, vectors := spectrumOf(t, kmers, func(d int) float64 { return binomial(c.l-d, c.k) })
		k := gapped.Kernel{L: c.l, K: c.k, D: c.l, Filter: gapped.Full, Alphabet: stringkernel.DNA}
		compareFilter(t, k, kmers, values, vectors, func(value float64) float64 {
			if value > 1e-9*values[len(values)-1] {
				return 1
			}
			return 0
		})
	}
}

// TestTruncatedByDefinition builds h = g ∗ g over all k-mers, g the full filter up to where it is not positive.
func TestTruncatedByDefinition(t *testing.T) {
	for _, c := range []struct{ l, k int }{{3, 1}, {4, 2}, {5, 3}} {
		kmers := allKmers(c.l, "ACGT")
		k := gapped.Kernel{L: c.l, K: c.k, D: c.l, Filter: gapped.Full, Alphabet: stringkernel.DNA}
		g := distancesOf(k)
		cut := false
		for m := range g {
			if cut = cut || g[m] <= 1e-12; cut {
				g[m] = 0
			}
		}
		k.Filter = gapped.Truncated
		got := distancesOf(k)
		for _, v := range kmers {
			want := 0.0
			for _, u := range kmers {
				want += g[hamming(kmers[0], u, c.l)] * g[hamming(u, v, c.l)]
			}
			if d := hamming(kmers[0], v, c.l); !near(got[d], want) {
				t.Fatalf("l %d k %d: h(%d) = %v, by sum over k-mers %v", c.l, c.k, d, got[d], want)
			}
		}
	}
}

// TestFiguresOfLSGKM pins the weights LS-GKM v0.1.2 prints for its defaults (l 11, k 7, d 3, -t 2), to its 6 decimals.
func TestFiguresOfLSGKM(t *testing.T) {
	h := distancesOf(gapped.Kernel{L: 11, K: 7, D: 3, Filter: gapped.Truncated, Alphabet: stringkernel.DNA})
	for m, want := range []float64{0.220005, 0.060412, 0.013319, 0.001775, 0} {
		if math.Abs(h[m]-want) > 5e-7 {
			t.Errorf("h(%d) = %v, LS-GKM %v", m, h[m], want)
		}
	}
}

// TestClippedByDefinition compares a clipped filter with the matrix over all k-mers whose negative eigenvalues are set
// to 0.
func TestClippedByDefinition(t *testing.T) {
	for _, c := range []struct {
		kernel   gapped.Kernel
		negative bool
	}{
		{gapped.Kernel{L: 4, K: 3, D: 1, Filter: gapped.Truncated, Alphabet: stringkernel.DNA}, true},
		{gapped.Kernel{L: 3, K: 1, D: 1, Filter: gapped.Full, Alphabet: stringkernel.DNA}, true},
		{gapped.Kernel{L: 2, K: 1, D: 1, Filter: gapped.Truncated, Alphabet: stringkernel.Protein}, true},
		{gapped.Kernel{L: 4, K: 2, D: 2, Filter: gapped.Plain, Alphabet: stringkernel.DNA}, false},
	} {
		h := distancesOf(c.kernel)
		kmers := allKmers(c.kernel.L, c.kernel.Alphabet.Letters())
		values, vectors := spectrumOf(t, kmers, func(d int) float64 { return h[d] })
		if (values[0] < -1e-9*values[len(values)-1]) != c.negative {
			t.Errorf("%+v: least eigenvalue %v, want a negative one: %v", c.kernel, values[0], c.negative)
		}
		if least, _ := c.kernel.SmallestEigenvalue(); (least < 0) != c.negative {
			t.Errorf("%+v: SmallestEigenvalue is %v, want a negative one: %v", c.kernel, least, c.negative)
		}
		c.kernel.Clip = true
		compareFilter(t, c.kernel, kmers, values, vectors, func(value float64) float64 { return max(0, value) })
	}
}

// TestEigenvalues pins LS-GKM's default as slightly indefinite, and the uncut filters as semidefinite.
func TestEigenvalues(t *testing.T) {
	k := gapped.Kernel{L: 11, K: 7, D: 3, Filter: gapped.Truncated, Alphabet: stringkernel.DNA}
	least, greatest := k.SmallestEigenvalue()
	if ratio := least / greatest; ratio > -2.8e-4 || ratio < -3e-4 { // −2.9e-4 by another implementation
		t.Errorf("least eigenvalue %v of greatest %v, want −2.9e-4 of it", least, greatest)
	}
	k.Clip = true
	if least, _ := k.SmallestEigenvalue(); least < 0 {
		t.Errorf("clipped: least eigenvalue %v", least)
	}
	for _, f := range []gapped.Filter{gapped.Truncated, gapped.Full} {
		k := gapped.Kernel{L: 8, K: 5, D: 8, Filter: f, Alphabet: stringkernel.DNA}
		if least, _ := k.SmallestEigenvalue(); least < 0 {
			t.Errorf("%+v: least eigenvalue %v", k, least)
		}
	}
}

// TestMismatchByDefinition counts common neighbours over all k-mers.
func TestMismatchByDefinition(t *testing.T) {
	for k := 1; k <= 4; k++ {
		for m := range k + 1 {
			h := distances(gapped.Mismatch{K: k, M: m, Alphabet: stringkernel.DNA}, k, 'A', 'C')
			for d, got := range h {
				u, v, want := strings.Repeat("A", k), strings.Repeat("C", d)+strings.Repeat("A", k-d), 0.0
				for _, w := range allKmers(k, "ACGT") {
					if hamming(u, w, k) <= m && hamming(v, w, k) <= m {
						want++
					}
				}
				if got != want {
					t.Errorf("k %d m %d: k(%s, %s) = %v, %v common neighbours", k, m, u, v, got, want)
				}
			}
		}
	}
}

// pairs is a kernel by its definition: a sum over pairs of k-mers of h(their distance), times weights of their places
// or of their letters, or by functions of their counts.
type pairs struct {
	alphabet   stringkernel.Alphabet
	l          int
	h          []float64
	peak, half float64 // of the weights of places; none if 0
	rc         bool
	count      func(n float64) float64 // nil: occurrences are added
	alike      func(u, v byte) float64 // nil: letters are alike or not
	lists      map[string][]occurrence // of sequences seen before
}

type occurrence struct {
	mer    string
	weight float64
}

// list returns the k-mers of a sequence.
func (p *pairs) list(x []byte) (all []occurrence) {
	if all, known := p.lists[string(x)]; known {
		return all
	}
	code, counts := p.alphabet.Codes(), map[string]float64{}
	add := func(mer string, weight float64) {
		if counts[mer]++; p.count == nil {
			all = append(all, occurrence{mer, weight})
		}
	}
	for i, run := 0, 0; i < len(x); i++ {
		if run++; code[x[i]] < 0 {
			run = 0
		}
		if run < p.l {
			continue
		}
		at, n, weight := i-p.l+1, len(x)-p.l+1, 1.0
		if p.peak > 0 {
			distance := math.Abs(float64(n/2 - at))
			weight = min(p.peak, math.Floor(p.peak*math.Exp2(-distance/p.half)+1))
		}
		mer := x[at : i+1]
		if add(string(mer), weight); p.rc {
			add(string(p.alphabet.ReverseComplementTo(nil, mer)), weight)
		}
	}
	if p.count != nil {
		for mer, n := range counts {
			all = append(all, occurrence{mer, p.count(n)})
		}
	}
	if p.lists == nil {
		p.lists = map[string][]occurrence{}
	}
	p.lists[string(x)] = all
	return all
}

// value is k(x, y).
func (p *pairs) value(x, y []byte) (sum float64) {
	reach := len(p.h) - 1
	for reach >= 0 && p.h[reach] == 0 {
		reach--
	}
	for _, u := range p.list(x) {
		for _, v := range p.list(y) {
			d := hamming(u.mer, v.mer, reach)
			if d > reach {
				continue
			}
			weight := u.weight * v.weight * p.h[d]
			for i := 0; i < p.l && p.alike != nil; i++ {
				weight *= p.alike(u.mer[i], v.mer[i])
			}
			sum += weight
		}
	}
	return sum
}
