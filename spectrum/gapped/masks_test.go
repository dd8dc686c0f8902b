package gapped

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/seqsvm/seqsvm/stringkernel"
	"github.com/seqsvm/seqsvm/stringkernel/compose"
	"github.com/seqsvm/seqsvm/stringkernel/kerneltest"
)

// masked is a kernel that uses masks whatever the size, and neighbouring one that scores by neighbours.
type (
	masked       struct{ Kernel }
	neighbouring struct{ Kernel }
)

func (k neighbouring) Gram(ctx context.Context, c *stringkernel.Corpus) (stringkernel.Gram, error) {
	return newMaskGram(context.Background(), k.engine(), c)
}

func (k neighbouring) Merge(
	ctx context.Context, sv *stringkernel.Corpus, c *stringkernel.Coefficients,
) (stringkernel.Scorer, error) {
	if err := c.Check(sv); err != nil {
		return nil, err
	}
	codes, sums := collectKmers(context.Background(), k.engine(), sv, c.Dense())
	return newLongScorer(context.Background(), k.engine(), codes, sums, newNeighbours)
}

func (k neighbouring) Restore(arrays []stringkernel.Array) (stringkernel.Scorer, error) {
	codes, coef, err := readKmers(k.engine(), arrays)
	if err != nil {
		return nil, err
	}
	return newLongScorer(context.Background(), k.engine(), codes, coef, newNeighbours)
}

func (k masked) Gram(ctx context.Context, c *stringkernel.Corpus) (stringkernel.Gram, error) {
	return newMaskGram(context.Background(), k.engine(), c)
}

func (k masked) Merge(
	ctx context.Context, sv *stringkernel.Corpus, c *stringkernel.Coefficients,
) (stringkernel.Scorer, error) {
	if err := c.Check(sv); err != nil {
		return nil, err
	}
	codes, sums := collectKmers(context.Background(), k.engine(), sv, c.Dense())
	return newLongScorer(context.Background(), k.engine(), codes, sums, newMaskTables)
}

func (k masked) Restore(arrays []stringkernel.Array) (stringkernel.Scorer, error) {
	codes, coef, err := readKmers(k.engine(), arrays)
	if err != nil {
		return nil, err
	}
	return newLongScorer(context.Background(), k.engine(), codes, coef, newMaskTables)
}

// tabled is a kernel that uses the table whatever the size.
type tabled struct{ Kernel }

func (k tabled) Gram(ctx context.Context, c *stringkernel.Corpus) (stringkernel.Gram, error) {
	return newGram(context.Background(), k.engine(), c), nil
}

func (k tabled) Merge(
	ctx context.Context, sv *stringkernel.Corpus, c *stringkernel.Coefficients,
) (stringkernel.Scorer, error) {
	if err := c.Check(sv); err != nil {
		return nil, err
	}
	return mergeTable(context.Background(), k.engine(), sv, c.Dense()), nil
}

func (k tabled) Restore(arrays []stringkernel.Array) (stringkernel.Scorer, error) {
	return restoreTable(context.Background(), k.engine(), arrays)
}

// TestPartsAddUp recovers h from its parts, and counts masks by their definition.
func TestPartsAddUp(t *testing.T) {
	for l := 1; l <= 20; l += 3 {
		for _, d := range []int{0, 1, l / 2, l} {
			k := Kernel{L: l, K: (l + 1) / 2, D: d, Filter: Truncated, Alphabet: stringkernel.DNA}
			e := k.engine()
			for m, want := range e.h {
				sum := 0.0
				for s, a := range e.parts {
					if s <= l-m {
						sum += a * choices(l-m, s)
					}
				}
				if math.Abs(sum-want) > 1e-15*(1+e.cancellation())*math.Abs(e.h[0]) {
					t.Errorf("l %d d %d: h(%d) = %v, by parts %v", l, d, m, want, sum)
				}
			}
		}
	}
	for _, c := range []struct{ l, k, d, want int }{{11, 7, 4, 330}, {11, 7, 3, 232}, {16, 10, 6, 8008},
		{32, 29, 3, 4960}} {
		e := Kernel{L: c.l, K: c.k, D: c.d, Filter: Plain, Alphabet: stringkernel.DNA}.engine()
		if got := int(e.maskCount()); got != c.want {
			t.Errorf("l %d k %d d %d: %d masks, want %d", c.l, c.k, c.d, got, c.want)
		}
		if got := len(e.masks()); got != c.want {
			t.Errorf("l %d k %d d %d: a list of %d masks, want %d", c.l, c.k, c.d, got, c.want)
		}
	}
}

// longKernels have k-mers that no table has room for.
func longKernels() map[string]Kernel {
	dna, protein := stringkernel.DNA, stringkernel.Protein
	all := map[string]Kernel{
		"gapped l=14 k=12":            {L: 14, K: 12, D: 2, Filter: Plain, Alphabet: dna},
		"gapped l=16 k=13 d=2":        {L: 16, K: 13, D: 2, Filter: Plain, Alphabet: dna},
		"truncated l=16 k=8 d=2":      {L: 16, K: 8, D: 2, Filter: Truncated, Alphabet: dna},
		"full l=15 k=6 d=2 centre":    {L: 15, K: 6, D: 2, Filter: Full, Center: "9:3", Alphabet: dna},
		"truncated l=32 k=12 d=2":     {L: 32, K: 12, D: 2, Filter: Truncated, Alphabet: dna},
		"full l=20 k=2 uncut":         {L: 20, K: 2, D: 20, Filter: Full, Alphabet: dna},
		"protein gapped l=8 k=6":      {L: 8, K: 6, D: 2, Filter: Plain, Alphabet: protein},
		"protein truncated l=12 d=3":  {L: 12, K: 5, D: 3, Filter: Truncated, Alphabet: protein},
		"bytes gapped l=8 k=5":        {L: 8, K: 5, D: 3, Filter: Plain},
		"bytes truncated l=5 k=3 d=2": {L: 5, K: 3, D: 2, Filter: Truncated},
		"protein full centre l=7 d=2": {L: 7, K: 3, D: 2, Filter: Full, Center: "7:2", Alphabet: protein},
	}
	if !testing.Short() {
		// 2^14 masks
		all["truncated clipped l=14"] = Kernel{L: 14, K: 7, D: 14, Filter: Truncated, Clip: true, Alphabet: dna}
	}
	return all
}

func lettersOf(a stringkernel.Alphabet) (letters, breaks string) {
	switch a {
	case stringkernel.DNA:
		return "ACGT", "Nn"
	case stringkernel.Protein:
		return "ACDEFGHIKLMNPQRSTVWY", "X*"
	}
	return "abcdefgh \x00\xff", ""
}

func TestMasksConform(t *testing.T) {
	check := func(name string, k Kernel, wrap func(Kernel) stringkernel.Kernel) {
		opt := kerneltest.Options{Tolerance: 1e-9, MaxLength: 28 + k.L}
		opt.Letters, opt.Breaks = lettersOf(k.Alphabet)
		least, _ := k.SmallestEigenvalue()
		opt.Indefinite = least < 0
		t.Run(name, func(t *testing.T) { kerneltest.Run(t, wrap(k), opt) })
		if k.Alphabet == stringkernel.DNA {
			t.Run(name+" both strands", func(t *testing.T) {
				kerneltest.Run(t, compose.Normalized{Kernel: wrap(k.BothStrands().(Kernel))}, opt)
			})
		}
	}
	for name, k := range kernels() {
		if k.Clip || testing.Short() && k.D == 1 {
			continue // the same code with another h
		}
		check(name+" by masks", k, func(k Kernel) stringkernel.Kernel { return masked{k} })
		check(name+" by neighbours", k, func(k Kernel) stringkernel.Kernel { return neighbouring{k} })
	}
	for name, k := range longKernels() {
		check(name, k, func(k Kernel) stringkernel.Kernel { return k })
		if testing.Short() {
			continue
		}
		check(name+" by masks", k, func(k Kernel) stringkernel.Kernel { return masked{k} })
		check(name+" by neighbours", k, func(k Kernel) stringkernel.Kernel { return neighbouring{k} })
	}
}

// relatives is a corpus of random sequences and mutated copies of them, so that k-mers are shared at every distance.
func relatives(rng *rand.Rand, n, length int, letters string) *stringkernel.Corpus {
	var b stringkernel.CorpusBuilder
	var all []string
	for i := range n {
		x := random(rng, length, letters)
		if i > 2 && rng.IntN(2) == 0 {
			copied := []byte(all[rng.IntN(i)])
			for range length / 8 {
				copied[rng.IntN(length)] = letters[rng.IntN(len(letters))]
			}
			x = string(copied)
		}
		all = append(all, x)
		b.Add("", []byte(x))
	}
	return b.Corpus()
}

// TestMasksEqualTheTable compares matrices, products and scores of the two engines.
func TestMasksEqualTheTable(t *testing.T) {
	rng := rand.New(rand.NewPCG(31, 1))
	for name, k := range kernels() {
		for _, k := range []Kernel{k, k.BothStrands().(Kernel)} {
			k.L, k.K = 7, 4
			c, queries := relatives(rng, 16, 80, "ACGT"), relatives(rng, 5, 50, "ACGT")
			v := make([]float64, c.Len())
			for i := range v {
				v[i] = rng.NormFloat64()
			}
			compareEngines(t, fmt.Sprintf("%s rc %v", name, k.rc), masked{k}, tabled{k}, c, queries, v)
			compareEngines(t, fmt.Sprintf("%s rc %v", name, k.rc), neighbouring{k}, tabled{k}, c, queries, v)
		}
	}
	k := Kernel{L: 4, K: 2, D: 2, Filter: Truncated, Alphabet: stringkernel.Protein}
	c := relatives(rng, 20, 60, "ACDEFGHIKLMNPQRSTVWY")
	v := make([]float64, c.Len())
	for i := range v {
		v[i] = rng.NormFloat64()
	}
	compareEngines(t, "protein", masked{k}, tabled{k}, c, c, v)
	compareEngines(t, "protein", neighbouring{k}, tabled{k}, c, c, v)
}

func compareEngines(t *testing.T, name string, a, b stringkernel.Kernel, c, queries *stringkernel.Corpus, v []float64) {
	t.Helper()
	var products, scores [2][]float64
	scale := 0.0
	for i, k := range []stringkernel.Kernel{a, b} {
		g, err := k.Gram(t.Context(), c)
		if err != nil {
			t.Fatal(err)
		}
		products[i] = make([]float64, c.Len())
		g.MulVecTo(products[i], v)
		diag := make([]float64, c.Len())
		g.Diag(diag)
		for j, d := range diag {
			scale += math.Abs(d * v[j])
		}
		s, err := stringkernel.Merge(t.Context(), k, c, v)
		if err != nil {
			t.Fatal(err)
		}
		scores[i] = make([]float64, queries.Len())
		for q := range queries.Len() {
			s.ScoreTo(scores[i][q:q+1], queries.Seq(q))
		}
	}
	for j := range products[0] {
		if math.Abs(products[0][j]-products[1][j]) > 1e-11*scale {
			t.Errorf("%s: product %d is %v and %v", name, j, products[0][j], products[1][j])
		}
	}
	for q := range scores[0] {
		if math.Abs(scores[0][q]-scores[1][q]) > 1e-11*scale {
			t.Errorf("%s: score %d is %v and %v", name, q, scores[0][q], scores[1][q])
		}
	}
}

// TestMasksByPairs measures the error against pairs of k-mers counted one by one, relative to √(k(x,x)k(y,y)).
func TestMasksByPairs(t *testing.T) {
	rng := rand.New(rand.NewPCG(32, 1))
	all := longKernels()
	for l := 1; l <= 7; l++ {
		for k := 1; k <= l; k++ {
			for _, f := range []Filter{Plain, Full, Truncated} {
				d := l - k
				all[fmt.Sprintf("%s l=%d k=%d", f, l, k)] = Kernel{
					L:        l,
					K:        k,
					D:        d,
					Filter:   f,
					Alphabet: stringkernel.DNA,
				}
			}
		}
	}
	if !testing.Short() {
		all["15,276 masks of both signs"] = Kernel{L: 25, K: 1, D: 4, Filter: Plain, Alphabet: stringkernel.DNA}
	}
	worst := 0.0
	for name, k := range all {
		letters, _ := lettersOf(k.Alphabet)
		c := relatives(rng, 4, 44, letters)
		for _, rc := range []bool{false, true} {
			if k.rc = rc; rc && k.Alphabet != stringkernel.DNA {
				continue
			}
			e := k.engine()
			g, err := newMaskGram(context.Background(), e, c)
			if err != nil {
				t.Fatal(err)
			}
			row, unit, norms := make([]float64, c.Len()), make([]float64, c.Len()), make([]float64, c.Len())
			for i := range norms {
				norms[i] = math.Sqrt(pairsOfWords(e, string(c.Seq(i)), string(c.Seq(i))))
			}
			for i := range unit {
				clear(unit)
				unit[i] = 1
				g.MulVecTo(row, unit)
				for j, got := range row {
					want := pairsOfWords(e, string(c.Seq(i)), string(c.Seq(j)))
					if err := math.Abs(got-want) / (norms[i] * norms[j]); err > 2e-14*(1+e.cancellation()) {
						t.Fatalf("%s rc %v: K(%d, %d) = %v, by pairs %v", name, rc, i, j, got, want)
					} else {
						worst = max(worst, err)
					}
				}
			}
		}
	}
	t.Logf("greatest error %.2g of √(k(x,x)k(y,y))", worst)
}

// pairsOfWords is the kernel by its definition on any alphabet without breaks.
func pairsOfWords(e *engine, x, y string) float64 {
	l, sum := e.coder.length, 0.0
	otherX, otherY := reverseComplement(x), reverseComplement(y)
	for i := 0; i+l <= len(x); i++ {
		for j := 0; j+l <= len(y); j++ {
			u, v := x[i:i+l], y[j:j+l]
			w := e.centre.weight(i, len(x)-l+1) * e.centre.weight(j, len(y)-l+1)
			sum += w * e.h[hamming(u, v)]
			if e.rc {
				otherU, otherV := otherX[len(x)-i-l:len(x)-i], otherY[len(y)-j-l:len(y)-j]
				sum += w * (e.h[hamming(u, otherV)] + e.h[hamming(otherU, v)] + e.h[hamming(otherU, otherV)])
			}
		}
	}
	return sum
}

// TestMaskedStrandsScoreAlike demands the same bits for both strands.
func TestMaskedStrandsScoreAlike(t *testing.T) {
	rng := rand.New(rand.NewPCG(33, 1))
	c := relatives(rng, 20, 60, "ACGT")
	coef := [][]float64{make([]float64, 20), make([]float64, 20)}
	for i := range 20 {
		coef[0][i], coef[1][i] = rng.NormFloat64(), rng.NormFloat64()
	}
	kernel := compose.Normalized{
		Kernel: Kernel{L: 16, K: 6, D: 3, Filter: Truncated, Alphabet: stringkernel.DNA}.BothStrands(),
	}
	s, err := stringkernel.Merge(t.Context(), kernel, c, coef...)
	if err != nil {
		t.Fatal(err)
	}
	forward, reverse := make([]float64, 2), make([]float64, 2)
	for _, n := range []int{15, 16, 17, 18, 100, 2060, 2063, 5000} {
		x := []byte(random(rng, n, "ACGTACGTACGTN"))
		copy(x, c.Seq(3))
		x = x[:n]
		s.ScoreTo(forward, x)
		s.ScoreTo(reverse, stringkernel.DNA.ReverseComplementTo(nil, x))
		if forward[0] != reverse[0] || forward[1] != reverse[1] {
			t.Fatalf("%d letters: %v and %v", n, forward, reverse)
		}
	}
}

// TestMaskMemory demands a refusal with the numbers.
func TestMaskMemory(t *testing.T) {
	k := Kernel{L: 16, K: 10, D: 6, Filter: Plain, Alphabet: stringkernel.DNA}
	masks := k.engine().masks()
	if size := maskTableBytes(masks, 1<<20, 1); size < maxMaskBytes {
		t.Fatalf("8008 masks of 20 bits on 2^20 k-mers: %.1f GB", size/1e9)
	}
	codes, coef := make([]uint64, 1<<20), [][]float64{make([]float64, 1<<20)}
	_, err := newLongScorer(context.Background(), k.engine(), codes, coef, newMaskTables)
	if err == nil || !strings.Contains(err.Error(), "8008 choices of positions on 1048576 k-mers with 1 outputs") {
		t.Errorf("error %v", err)
	}
}

// TestMaskIndexMemory demands the same of the index, from one mask of each size.
func TestMaskIndexMemory(t *testing.T) {
	rng := rand.New(rand.NewPCG(35, 1))
	k := Kernel{L: 16, K: 3, D: 13, Filter: Plain, Alphabet: stringkernel.DNA}
	c := relatives(rng, 50, 1000, "ACGT")
	g := &maskGram{engine: k.engine(), corpus: c}
	var masks []mask
	for range 50 {
		masks = append(masks, k.engine().masks()...) // 560 each, on k-mers of 3 letters that all are shared
	}
	err := g.checkMemory(context.Background(), masks, listKmers(context.Background(), k.engine(), c))
	if err == nil ||
		!strings.Contains(
			err.Error(),
			"28000 choices of positions on 49250 k-mers would take 5.5 GB, want at most 4.3",
		) {
		t.Errorf("error %v", err)
	}
	list := listKmers(context.Background(), k.engine(), c)
	if err := g.checkMemory(context.Background(), masks[:560], list); err != nil {
		t.Errorf("a fiftieth of it: %v", err)
	}
}

// TestRegimes pins what serves when.
func TestRegimes(t *testing.T) {
	rng := rand.New(rand.NewPCG(36, 1))
	small, large := relatives(rng, 10, 100, "ACGT"), relatives(rng, 300, 100, "ACGT")
	kmers := make([]float64, small.Len())
	k := Kernel{L: 11, K: 7, D: 3, Filter: Truncated, Alphabet: stringkernel.DNA}
	for _, c := range []struct {
		length int
		corpus *stringkernel.Corpus
		gram   string
		scorer string
	}{
		{11, small, "*gapped.maskGram", "*gapped.scorer"},
		{11, large, "*gapped.gram", "*gapped.scorer"},
		{14, small, "*gapped.maskGram", "*gapped.longScorer"},
	} {
		k.L = c.length
		g, err := k.Gram(t.Context(), c.corpus)
		if err != nil {
			t.Fatal(err)
		}
		s, err := stringkernel.Merge(t.Context(), k, small, kmers)
		if err != nil {
			t.Fatal(err)
		}
		if fmt.Sprintf("%T", g) != c.gram || fmt.Sprintf("%T", s) != c.scorer {
			t.Errorf(
				"l = %d, %d letters: %T and %T, want %s and %s",
				c.length,
				c.corpus.Letters(),
				g,
				s,
				c.gram,
				c.scorer,
			)
		}
	}
}

// BenchmarkTable is the product that masks compete with.
func BenchmarkTable(b *testing.B) {
	c := relatives(rand.New(rand.NewPCG(34, 1)), 500, 300, "ACGT")
	for _, l := range []int{8, 10, 11, 12} {
		k := Kernel{L: l, K: 7, D: 3, Filter: Truncated, Alphabet: stringkernel.DNA, rc: true}
		g, v := newGram(context.Background(), k.engine(), c), make([]float64, c.Len())
		for i := range v {
			v[i] = float64(i%7) - 3
		}
		dst := make([]float64, c.Len())
		b.Run(fmt.Sprintf("l=%d/product", l), func(b *testing.B) {
			b.SetBytes(int64(c.Letters()))
			b.ReportAllocs()
			for b.Loop() {
				g.MulVecTo(dst, v)
			}
		})
	}
}

func BenchmarkMasks(b *testing.B) {
	rng := rand.New(rand.NewPCG(34, 1))
	n := 500
	if testing.Short() {
		n = 50
	}
	c := relatives(rng, n, 300, "ACGT")
	v := make([]float64, c.Len())
	for i := range v {
		v[i] = rng.NormFloat64()
	}
	for name, k := range map[string]Kernel{
		"gapped l=14 k=6": {L: 14, K: 6, D: 8, Filter: Plain, Alphabet: stringkernel.DNA},
		"default l=16":    {L: 16, K: 7, D: 3, Filter: Truncated, Alphabet: stringkernel.DNA},
		"default l=11":    {L: 11, K: 7, D: 3, Filter: Truncated, Alphabet: stringkernel.DNA},
	} {
		k.rc = true
		g, err := newMaskGram(context.Background(), k.engine(), c)
		if err != nil {
			b.Fatal(err)
		}
		codes, coef := collectKmers(context.Background(), k.engine(), c, [][]float64{v})
		byMasks, err := newLongScorer(context.Background(), k.engine(), codes, coef, newMaskTables)
		if err != nil {
			b.Fatal(err)
		}
		byNeighbours, err := newLongScorer(context.Background(), k.engine(), codes, coef, newNeighbours)
		if err != nil {
			b.Fatal(err)
		}
		dst := make([]float64, c.Len())
		b.Run(name+"/index", func(b *testing.B) {
			b.SetBytes(int64(c.Letters()))
			b.ReportAllocs()
			for b.Loop() {
				if _, err := newMaskGram(context.Background(), k.engine(), c); err != nil {
					b.Fatal(err)
				}
			}
		})
		b.Run(name+"/product", func(b *testing.B) {
			b.SetBytes(int64(c.Letters()))
			b.ReportAllocs()
			for b.Loop() {
				g.MulVecTo(dst, v)
			}
		})
		blocks, work := k.engine().blockCount(len(codes))
		b.Logf(
			"%s: %d k-mers, %d blocks, work by neighbours %.0f, by masks %.0f",
			name,
			len(codes),
			blocks,
			work,
			maskWork(k.engine().masks(), len(codes)),
		)
		for way, s := range map[string]stringkernel.Scorer{"masks": byMasks, "neighbours": byNeighbours} {
			b.Run(name+"/score by "+way, func(b *testing.B) {
				b.SetBytes(300)
				b.ReportAllocs()
				i := 0
				for b.Loop() {
					s.ScoreTo(dst[:1], c.Seq(i%c.Len()))
					i++
				}
			})
		}
	}
}
