package gapped

import (
	"fmt"
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/seqsvm/seqsvm/internal/oracle"
	"github.com/seqsvm/seqsvm/spectrum/internal/krawtchouk"
	"github.com/seqsvm/seqsvm/stringkernel"
	"github.com/seqsvm/seqsvm/stringkernel/compose"
	"github.com/seqsvm/seqsvm/stringkernel/kerneltest"
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
			gapped := []byte(strings.Repeat(".", l))
			n := 0
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

func hamming(u, v string) int {
	d := 0
	for i := range u {
		if u[i] != v[i] {
			d++
		}
	}
	return d
}

func random(rng *rand.Rand, n int, letters string) string {
	x := make([]byte, n)
	for i := range x {
		x[i] = letters[rng.IntN(len(letters))]
	}
	return string(x)
}

func near(got, want float64) bool { return math.Abs(got-want) <= 1e-9*(1+math.Abs(want)) }

// TestPlainByDefinition compares the plain kernel with the inner product of counts of gapped k-mers.
func TestPlainByDefinition(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 1))
	for l := 1; l <= 5; l++ {
		for k := 1; k <= l; k++ {
			kernel := Kernel{L: l, K: k, D: l - k, Filter: Plain, Alphabet: stringkernel.DNA}
			for range 10 {
				x, y := random(rng, rng.IntN(25), "ACGTN"), random(rng, rng.IntN(25), "ACGT")
				want, other := 0.0, gappedCounts(y, l, k, "ACGT")
				for s, n := range gappedCounts(x, l, k, "ACGT") {
					want += n * other[s]
				}
				if got := kernel.Eval([]byte(x), []byte(y)); got != want {
					t.Fatalf("l %d k %d: k(%s, %s) = %v, by counts of gapped k-mers %v", l, k, x, y, got, want)
				}
			}
		}
	}
}

// TestWildcardByDefinition compares with the inner product of counts of k-mers with wildcards: φ_w(x) = λ^j times the
// number of k-mers of x that the k-mer w with j wildcards matches.
func TestWildcardByDefinition(t *testing.T) {
	rng := rand.New(rand.NewPCG(7, 7))
	for _, lambda := range []float64{0.5, 0.8, 1} {
		for l := 1; l <= 4; l++ {
			for k := 1; k <= l; k++ {
				kernel := Kernel{L: l, K: k, D: l - k, Filter: Wildcard, Lambda: lambda, Alphabet: stringkernel.DNA}
				x, y := random(rng, 20, "ACGTN"), random(rng, 25, "ACGT")
				want := 0.0
				for letters := k; letters <= l; letters++ {
					weight, other := math.Pow(lambda, float64(l-letters)), gappedCounts(y, l, letters, "ACGT")
					for w, n := range gappedCounts(x, l, letters, "ACGT") {
						want += weight * n * weight * other[w]
					}
				}
				if got := kernel.Eval([]byte(x), []byte(y)); !near(got, want) {
					t.Fatalf("l %d k %d λ %v: k(%s, %s) = %v, by counts %v", l, k, lambda, x, y, got, want)
				}
				if least, greatest := kernel.SmallestEigenvalue(); least < -1e-12*greatest {
					t.Errorf("l %d k %d λ %v: least eigenvalue %v", l, k, lambda, least)
				}
			}
		}
	}
}

// TestFullIsTheEstimate compares the full filter with its definition: l-mer counts are estimated from counts of gapped
// k-mers by the pseudo-inverse, which is the projection on their span, so that h(d(u, v)) is the value at v of the
// projection of the indicator of u. The projection is computed here by conjugate gradients on AᵀA of the map A from
// l-mers to gapped k-mers.
func TestFullIsTheEstimate(t *testing.T) {
	for _, c := range []struct{ l, k int }{{2, 1}, {3, 1}, {3, 2}, {4, 2}} {
		kmers := allKmers(c.l, "ACGT")
		h := krawtchouk.Floats(Full.distanceFunction(4, c.l, c.k, c.l))
		projected := project(kmers, c.l, c.k)
		for i, u := range kmers {
			if want := projected[i]; math.Abs(h[hamming(kmers[0], u)]-want) > 1e-8 {
				t.Fatalf(
					"l %d k %d: h(%d) = %v, by projection %v",
					c.l,
					c.k,
					hamming(kmers[0], u),
					h[hamming(kmers[0], u)],
					want,
				)
			}
		}
	}
}

// project returns A⁺A e for the indicator e of the first k-mer: the least-squares fit of e by AᵀA applied to anything.
func project(kmers []string, l, k int) []float64 {
	n := len(kmers)
	m := make([][]float64, n) // AᵀA: common gapped k-mers
	for i := range m {
		m[i] = make([]float64, n)
		for j := range m[i] {
			m[i][j] = binomial(l-hamming(kmers[i], kmers[j]), k)
		}
	}
	apply := func(v []float64) []float64 {
		out := make([]float64, n)
		for i := range m {
			for j, a := range m[i] {
				out[i] += a * v[j]
			}
		}
		return out
	}
	dot := func(a, b []float64) (s float64) {
		for i := range a {
			s += a[i] * b[i]
		}
		return s
	}
	// Least squares min ‖e − Mz‖ by conjugate gradients on MᵀM; Mz is the projection.
	z, e := make([]float64, n), make([]float64, n)
	e[0] = 1
	r := apply(e)
	p := append([]float64(nil), r...)
	for range 200 {
		rr := dot(r, r)
		if rr < 1e-26 {
			break
		}
		ap := apply(apply(p))
		step := rr / dot(p, ap)
		for i := range z {
			z[i] += step * p[i]
			r[i] -= step * ap[i]
		}
		beta := dot(r, r) / rr
		for i := range p {
			p[i] = r[i] + beta*p[i]
		}
	}
	return apply(z)
}

// TestTruncatedByDefinition builds h = g ∗ g over all k-mers.
func TestTruncatedByDefinition(t *testing.T) {
	for _, c := range []struct{ l, k int }{{3, 1}, {4, 2}, {5, 3}} {
		kmers := allKmers(c.l, "ACGT")
		g := krawtchouk.Floats(Full.distanceFunction(4, c.l, c.k, c.l))
		cut := false
		for m := range g {
			if cut = cut || g[m] <= 0; cut {
				g[m] = 0
			}
		}
		got := krawtchouk.Floats(Truncated.distanceFunction(4, c.l, c.k, c.l))
		for _, v := range kmers {
			want := 0.0
			for _, u := range kmers {
				want += g[hamming(kmers[0], u)] * g[hamming(u, v)]
			}
			if d := hamming(kmers[0], v); !near(got[d], want) {
				t.Fatalf("l %d k %d: h(%d) = %v, by sum over k-mers %v", c.l, c.k, d, got[d], want)
			}
		}
	}
}

// TestFiguresOfLSGKM pins the weights LS-GKM v0.1.2 prints for its defaults (l 11, k 7, d 3, -t 2), to its 6 decimals.
func TestFiguresOfLSGKM(t *testing.T) {
	h := krawtchouk.Floats(Truncated.distanceFunction(4, 11, 7, 3))
	for m, want := range []float64{0.220005, 0.060412, 0.013319, 0.001775, 0} {
		if math.Abs(h[m]-want) > 5e-7 {
			t.Errorf("h(%d) = %v, LS-GKM %v", m, h[m], want)
		}
	}
}

// TestMismatchByDefinition counts common neighbours over all k-mers.
func TestMismatchByDefinition(t *testing.T) {
	rng := rand.New(rand.NewPCG(2, 2))
	for _, c := range []struct{ k, m int }{{1, 0}, {1, 1}, {3, 0}, {3, 1}, {4, 2}} {
		kmers := allKmers(c.k, "ACGT")
		neighbours := func(x string) map[string]float64 {
			counts := map[string]float64{}
			for i := 0; i+c.k <= len(x); i++ {
				if strings.Contains(x[i:i+c.k], "N") {
					continue
				}
				for _, w := range kmers {
					if hamming(w, x[i:i+c.k]) <= c.m {
						counts[w]++
					}
				}
			}
			return counts
		}
		kernel := Mismatch{K: c.k, M: c.m, Alphabet: stringkernel.DNA}
		for range 10 {
			x, y := random(rng, rng.IntN(20), "ACGTN"), random(rng, rng.IntN(20), "ACGT")
			want, other := 0.0, neighbours(y)
			for w, n := range neighbours(x) {
				want += n * other[w]
			}
			if got := kernel.Eval([]byte(x), []byte(y)); got != want {
				t.Fatalf("k %d m %d: k(%s, %s) = %v, by neighbours %v", c.k, c.m, x, y, got, want)
			}
		}
	}
}

func reverseComplement(x string) string {
	return string(stringkernel.DNA.ReverseComplementTo(nil, []byte(x)))
}

// byPairs is the kernel by its definition as a sum over pairs of k-mers, both strands, centre weights.
func byPairs(h []float64, c centre, l int, rc bool, x, y string) float64 {
	type occurrence struct {
		mer    string
		weight float64
	}
	list := func(x string) (all []occurrence) {
		for i := 0; i+l <= len(x); i++ {
			mer := x[i : i+l]
			if strings.Trim(mer, "ACGT") != "" {
				continue
			}
			w := c.weight(i, len(x)-l+1)
			all = append(all, occurrence{mer, w})
			if rc {
				all = append(all, occurrence{reverseComplement(mer), w})
			}
		}
		return all
	}
	sum := 0.0
	for _, u := range list(x) {
		for _, v := range list(y) {
			sum += u.weight * v.weight * h[hamming(u.mer, v.mer)]
		}
	}
	return sum
}

// kernels are tried in every combination of filter, strands, centre and clipping.
func kernels() map[string]Kernel {
	all := map[string]Kernel{}
	for _, f := range []Filter{Plain, Full, Truncated} {
		for _, centre := range []string{"", "9:3"} {
			for _, d := range []int{1, 2} {
				k := Kernel{L: 5, K: 3, D: d, Filter: f, Center: centre, Alphabet: stringkernel.DNA}
				all[fmt.Sprintf("%s d=%d centre=%s", f, d, centre)] = k
				k.Clip = true
				all[fmt.Sprintf("%s d=%d centre=%s clipped", f, d, centre)] = k
			}
		}
	}
	return all
}

func TestKernelByPairs(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 3))
	for name, k := range kernels() {
		for _, kernel := range []Kernel{k, k.BothStrands().(Kernel)} {
			e := kernel.engine()
			for range 5 {
				x, y := random(rng, rng.IntN(30), "ACGTACGTN"), random(rng, rng.IntN(30), "ACGT")
				want := byPairs(e.h, e.centre, 5, kernel.rc, x, y)
				if got := kernel.Eval([]byte(x), []byte(y)); !near(got, want) {
					t.Fatalf("%s, rc %v: k(%s, %s) = %v, by pairs %v", name, kernel.rc, x, y, got, want)
				}
			}
		}
	}
}

func TestConforms(t *testing.T) {
	opt := kerneltest.Options{Letters: "ACGT", Breaks: "Nn", Tolerance: 1e-9}
	for name, k := range kernels() {
		least, _ := k.SmallestEigenvalue()
		opt.Indefinite = least < 0
		t.Run(name, func(t *testing.T) { kerneltest.Run(t, k, opt) })
		t.Run(name+" both strands", func(t *testing.T) {
			kerneltest.Run(t, compose.Normalized{Kernel: k.BothStrands()}, opt)
		})
	}
	opt.Indefinite = false
	t.Run("wildcard", func(t *testing.T) {
		kerneltest.Run(t, Kernel{L: 5, K: 3, D: 2, Filter: Wildcard, Lambda: 0.5, Alphabet: stringkernel.DNA}, opt)
	})
	t.Run("mismatch", func(t *testing.T) {
		kerneltest.Run(t, Mismatch{K: 4, M: 1, Alphabet: stringkernel.DNA}, opt)
	})
	t.Run("mismatch both strands", func(t *testing.T) {
		kerneltest.Run(
			t,
			compose.Normalized{Kernel: Mismatch{K: 4, M: 1, Alphabet: stringkernel.RNA}.BothStrands()},
			kerneltest.Options{Letters: "ACGU", Breaks: "T"},
		)
	})
	t.Run("protein", func(t *testing.T) {
		kerneltest.Run(
			t,
			Mismatch{K: 3, M: 1, Alphabet: stringkernel.Protein},
			kerneltest.Options{Letters: "ACDEFGHIKLMNPQRSTVWY", Breaks: "X*"},
		)
	})
	t.Run("protein gapped", func(t *testing.T) {
		kerneltest.Run(
			t,
			Kernel{L: 3, K: 2, D: 1, Filter: Plain, Alphabet: stringkernel.Protein},
			kerneltest.Options{Letters: "ACDEFGHIKLMNPQRSTVWY", Breaks: "X*", Indefinite: true},
		)
	})
	t.Run("bytes", func(t *testing.T) {
		kerneltest.Run(t, Mismatch{K: 2, M: 1}, kerneltest.Options{Letters: "abcdefgh \x00\xff"})
	})
}

// TestBothStrandsIsTheWrapper compares with the wrapper that knows nothing of the kernel.
func TestBothStrandsIsTheWrapper(t *testing.T) {
	rng := rand.New(rand.NewPCG(4, 4))
	for name, k := range kernels() {
		if k.Center != "" {
			continue // the wrapper weighs the other strand by its own places
		}
		wrapped := compose.BothStrands{Kernel: k, Alphabet: stringkernel.DNA}
		for range 5 {
			x, y := []byte(random(rng, 20, "ACGTN")), []byte(random(rng, 25, "ACGT"))
			if got, want := k.BothStrands().Eval(x, y), wrapped.Eval(x, y); !near(got, want) {
				t.Fatalf("%s: %v, by the wrapper %v", name, got, want)
			}
		}
	}
}

// TestStrandsScoreAlike demands the same bits for both strands.
func TestStrandsScoreAlike(t *testing.T) {
	rng := rand.New(rand.NewPCG(5, 5))
	var b stringkernel.CorpusBuilder
	coef := make([]float64, 20)
	for i := range coef {
		b.Add("", []byte(random(rng, 60, "ACGT")))
		coef[i] = rng.NormFloat64()
	}
	kernel := compose.Normalized{
		Kernel: Kernel{L: 6, K: 4, D: 2, Filter: Truncated, Alphabet: stringkernel.DNA}.BothStrands(),
	}
	s, err := stringkernel.Merge(t.Context(), kernel, b.Corpus(), coef)
	if err != nil {
		t.Fatal(err)
	}
	forward, reverse := make([]float64, 1), make([]float64, 1)
	for _, n := range []int{6, 7, 8, 100, 5000, 9001} {
		x := []byte(random(rng, n, "ACGTACGTACGTN"))
		s.ScoreTo(forward, x)
		s.ScoreTo(reverse, stringkernel.DNA.ReverseComplementTo(nil, x))
		if forward[0] != reverse[0] {
			t.Fatalf("%d letters: %v and %v", n, forward[0], reverse[0])
		}
	}
}

func TestCheck(t *testing.T) {
	good := Kernel{L: 11, K: 7, D: 3, Filter: Truncated, Alphabet: stringkernel.DNA}
	if err := good.Check(); err != nil {
		t.Fatal(err)
	}
	for want, change := range map[string]func(*Kernel){
		"gapped: l = 0, want 1…32":                                   func(k *Kernel) { k.L = 0 },
		"gapped: l = 33, want 1…32 for alphabet dna":                 func(k *Kernel) { k.L = 33 },
		"41226 choices of positions is too long, want at most 16384": func(k *Kernel) { k.L, k.D = 17, 7 },
		"k = 12, want 1…11":                                          func(k *Kernel) { k.K = 12 },
		"k = 0, want 1…11":                                           func(k *Kernel) { k.K = 0 },
		"d = 12, want 0…l − k = 4, since k-mers further apart share no gapped k-mer, or 11 for the": func(k *Kernel) {
			k.D = 12
		},
		"d = -1, want 0…l − k = 4": func(k *Kernel) { k.D = -1 },
		"d = 5, want 0…l − k = 4, since k-mers further apart share no gapped k-mer, or 11": func(k *Kernel) { k.D = 5 },
		"gapped: d = 11, want 0…l − k = 4: k-mers further apart share no gapped k-mer": func(k *Kernel) {
			k.D, k.Filter = 11, Plain
		},
		`filter = "wide"`:   func(k *Kernel) { k.Filter = "wide" },
		`center = "50"`:     func(k *Kernel) { k.Center = "50" },
		`center = "0:5"`:    func(k *Kernel) { k.Center = "0:5" },
		`center = "5:-1"`:   func(k *Kernel) { k.Center = "5:-1" },
		`alphabet "runes"`:  func(k *Kernel) { k.Alphabet = "runes" },
		"l = 33, want 1…32": func(k *Kernel) { k.Alphabet, k.L = stringkernel.Protein, 33 },
	} {
		k := good
		change(&k)
		if err := k.Check(); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%+v: error %v, want %q", k, err, want)
		}
	}
	if err := (Mismatch{K: 5, M: 6, Alphabet: stringkernel.DNA}).Check(); err == nil ||
		!strings.Contains(err.Error(), "m = 6, want 0…5") {
		t.Errorf("m = 6: error %v", err)
	}
	if err := (Mismatch{K: 20, M: 1}).Check(); err == nil {
		t.Error("k = 20 on bytes: no error")
	}
}

// TestEigenvalues pins LS-GKM's default as slightly indefinite, and the uncut filters as semidefinite.
func TestEigenvalues(t *testing.T) {
	k := Kernel{L: 11, K: 7, D: 3, Filter: Truncated, Alphabet: stringkernel.DNA}
	least, greatest := k.SmallestEigenvalue()
	if ratio := least / greatest; ratio > -2.8e-4 || ratio < -3e-4 { // −2.9e-4 by another implementation
		t.Errorf("least eigenvalue %v of greatest %v, want −2.9e-4 of it", least, greatest)
	}
	k.Clip = true
	if least, _ := k.SmallestEigenvalue(); least < 0 {
		t.Errorf("clipped: least eigenvalue %v", least)
	}
	for _, k := range []Kernel{
		{L: 8, K: 5, D: 8, Filter: Truncated, Alphabet: stringkernel.DNA},
		{L: 8, K: 5, D: 3, Filter: Plain, Alphabet: stringkernel.DNA},
		{L: 8, K: 5, D: 8, Filter: Full, Alphabet: stringkernel.DNA},
	} {
		if least, _ := k.SmallestEigenvalue(); least < 0 {
			t.Errorf("%+v: least eigenvalue %v", k, least)
		}
	}
}

func TestHostileArrays(t *testing.T) {
	k := Kernel{L: 3, K: 2, D: 1, Filter: Plain, Alphabet: stringkernel.DNA}
	for name, arrays := range map[string][]stringkernel.Array{
		"none":            nil,
		"no coefficients": {{Name: "words", Data: []uint8{1}}},
		"wrong type":      {{Name: "words", Data: []int32{1}}, {Name: "coef.0", Data: []float64{1}}},
		"out of range":    {{Name: "words", Data: []uint8{64}}, {Name: "coef.0", Data: []float64{1}}},
		"not ascending":   {{Name: "words", Data: []uint8{5, 0}}, {Name: "coef.0", Data: []float64{1, 1}}},
		"cut off":         {{Name: "words", Data: []uint8{5, 128}}, {Name: "coef.0", Data: []float64{1, 1}}},
		"too many bits": {{Name: "words", Data: []uint8{255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 1}},
			{Name: "coef.0", Data: []float64{1}}},
		"lengths":    {{Name: "words", Data: []uint8{5}}, {Name: "coef.0", Data: []float64{1, 1}}},
		"not finite": {{Name: "words", Data: []uint8{5}}, {Name: "coef.0", Data: []float64{math.NaN()}}},
		"misnamed":   {{Name: "words", Data: []uint8{5}}, {Name: "coef.1", Data: []float64{1}}},
	} {
		if _, err := k.Restore(arrays); err == nil {
			t.Errorf("%s: no error", name)
		}
		if _, err := k.BothStrands().(Kernel).Restore(arrays); err == nil {
			t.Errorf("%s, both strands: no error", name)
		}
	}
}

// TestLongSequences: nothing is cut, at LS-GKM's 2,047 letters or elsewhere, and any letter but A, C, G and T breaks
// k-mers wherever it is.
func TestLongSequences(t *testing.T) {
	rng := rand.New(rand.NewPCG(6, 6))
	k := Kernel{L: 6, K: 4, D: 2, Filter: Plain, Alphabet: stringkernel.DNA}.BothStrands().(Kernel)
	e := k.engine()
	x := random(rng, 2500, "ACGT") + "N" + random(rng, 2500, "ACGTACGTACGTACGTN")
	tail := x[len(x)-60:]
	if got, want := k.Eval([]byte(x), []byte(tail)), byPairs(e.h, e.centre, 6, true, x, tail); !near(got, want) {
		t.Errorf("k(x, its tail) = %v, by pairs %v", got, want)
	}
}

// TestOneStrandIsStored: of a k-mer and its reverse complement the lesser is stored, and the greater refused.
func TestOneStrandIsStored(t *testing.T) {
	k := Kernel{L: 3, K: 2, D: 1, Filter: Plain, Alphabet: stringkernel.DNA}.BothStrands().(Kernel)
	var b stringkernel.CorpusBuilder
	b.Add("", []byte("TTT")) // 63, whose reverse complement AAA is 0
	b.Add("", []byte("ACG")) // 6; CGT is 27
	s, err := stringkernel.Merge(t.Context(), k, b.Corpus(), []float64{2, 3})
	if err != nil {
		t.Fatal(err)
	}
	arrays := arraysOf(s)
	if got := fmt.Sprint(arrays); got != "[{words [0 6]} {coef.0 [2 3]}]" {
		t.Errorf("stored %s", got)
	}
	arrays[0].Data = []uint8{63, 0}
	if _, err := k.Restore(arrays); err == nil {
		t.Error("TTT in place of AAA: no error")
	}
}

// TestLSGKM compares with matrices that LS-GKM's gkmmatrix wrote, if the folder with them is given: SEQSVM_LSGKM holds
// pos.fa, neg.fa and tT_lL_kK_dD.txt, the lower triangle of the normalised matrix of both strands.
func TestLSGKM(t *testing.T) {
	folder := oracle.LSGKMFolder(t)
	c, err := stringkernel.NewCorpus(folder.Sequences(t))
	if err != nil {
		t.Fatal(err)
	}
	for _, p := range []struct{ l, k, d int }{{11, 7, 3}, {10, 6, 4}, {6, 4, 2}} {
		for kind, k := range map[int]Kernel{0: {Filter: Plain}, 1: {Filter: Full}, 2: {Filter: Truncated},
			4: {Filter: Truncated, Center: "50:50"}} {
			k.L, k.K, k.D, k.Alphabet = p.l, p.k, p.d, stringkernel.DNA
			compareTriangle(t, folder, fmt.Sprintf("t%d_l%d_k%d_d%d.txt", kind, p.l, p.k, p.d), k, c)
		}
	}
}

func compareTriangle(t *testing.T, folder oracle.LSGKM, name string, k Kernel, c *stringkernel.Corpus) {
	t.Helper()
	g, err := compose.Normalized{Kernel: k.BothStrands()}.Gram(t.Context(), c)
	if err != nil {
		t.Fatal(err)
	}
	if worst, values := folder.Worst(t, name, c.Len(), g.Row); worst > 1e-4 || values != 210 {
		t.Errorf("%s: greatest difference %v of %d values, want at most 1e-4 of 210", name, worst, values)
	}
}
