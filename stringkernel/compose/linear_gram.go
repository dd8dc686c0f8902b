package compose

import (
	"cmp"
	"context"
	"math"
	"sync"

	"gonum.org/v1/gonum/floats"

	"github.com/seqsvm/seqsvm/internal/cancel"
	"github.com/seqsvm/seqsvm/internal/scratch"
	"github.com/seqsvm/seqsvm/stringkernel"
)

// linearGram is the matrix of a [Linear] kernel. Of both strands, those of the terms have rows i and n + i for the two
// of sequence i.
type linearGram struct {
	kernel  Linear
	terms   []stringkernel.Gram
	n       int
	squares []float64 // K_ii of both strands before normalisation; nil for one strand
	scale   []float64 // K_ii^−½ before normalisation, 0 where K_ii is; nil without it
	scratch sync.Pool
}

// gram returns the matrix of a corpus from those of the terms.
func (k Linear) gram(
	ctx context.Context, c *stringkernel.Corpus, terms []stringkernel.Gram,
) (g *linearGram, err error) {
	g = &linearGram{kernel: k, terms: terms, n: c.Len()}
	if k.Strands != "" {
		if g.squares, err = ofEach(ctx, k, c, func(x []byte) float64 { return k.square(k.part(x)) }); err != nil {
			return nil, err
		}
	}
	if k.Cosine {
		scale := make([]float64, g.n)
		if err := cancel.Run(ctx, func() { g.Diag(scale) }); err != nil { // where each is an Eval
			return nil, err
		}
		for i, square := range scale {
			scale[i] = inverseRoot(square)
		}
		g.scale = scale
	}
	return g, nil
}

// MeanGram returns the matrix of a mean from those of its terms, of one corpus.
func MeanGram(k Linear, terms []stringkernel.Gram) stringkernel.Gram {
	return &linearGram{kernel: k, terms: terms, n: terms[0].Len()}
}

func (g *linearGram) Len() int { return g.n }

func (g *linearGram) Diag(dst []float64) {
	switch {
	case g.scale != nil:
		for i, s := range g.scale {
			dst[i] = unit(s)
		}
	case g.squares != nil:
		copy(dst, g.squares)
	default:
		g.mean(dst, func(out []float64, t stringkernel.Gram) { t.Diag(out) })
	}
}

// mean writes the mean of what write gives for the matrices of the terms.
func (g *linearGram) mean(dst []float64, write func(out []float64, t stringkernel.Gram)) {
	mean(dst, g.kernel.Weights, g.terms, write)
}

// wide returns the number of sequences that the terms see.
func (g *linearGram) wide() int {
	if g.squares != nil {
		return 2 * g.n
	}
	return g.n
}

func (g *linearGram) Row(dst []float64, i int) {
	write := func(out []float64, t stringkernel.Gram) { t.Row(out, i) }
	if g.squares == nil {
		g.mean(dst[:g.n], write)
	} else {
		all := scratch.Borrow(&g.scratch, 4*g.n)
		defer g.scratch.Put(all)
		row, other := (*all)[:2*g.n], (*all)[2*g.n:]
		g.mean(row, write)
		g.mean(other, func(out []float64, t stringkernel.Gram) { t.Row(out, g.n+i) })
		for j := range dst[:g.n] {
			dst[j] = row[j] + (row[g.n+j] + (other[j] + other[g.n+j]))
		}
	}
	g.scaleRow(dst, i)
}

// scaleRow scales row i.
func (g *linearGram) scaleRow(dst []float64, i int) {
	if g.scale == nil {
		return
	}
	own := g.scale[i]
	for j, s := range g.scale {
		dst[j] *= s * own
	}
	dst[i] = unit(own)
}

// MulVecTo scales before and after the products of the terms, gives both strands the same coefficients and adds up what
// they have.
func (g *linearGram) MulVecTo(dst, v []float64) {
	all := scratch.Borrow(&g.scratch, 2*g.wide())
	defer g.scratch.Put(all)
	in, out := (*all)[:g.wide()], (*all)[g.wide():]
	copy(in, v)
	if g.scale != nil {
		floats.Mul(in[:g.n], g.scale)
	}
	copy(in[g.n:], in[:g.n])
	g.mean(out, func(out []float64, t stringkernel.Gram) { t.MulVecTo(out, in) })
	copy(dst, out[:g.n])
	if g.squares != nil {
		floats.Add(dst, out[g.n:])
	}
	if g.scale != nil {
		floats.Mul(dst, g.scale)
	}
}

// Traits are those of the matrix inside. Of several, products are made of rows if those of any are, which dominate,
// and all approximations are listed.
func (g *linearGram) Traits() stringkernel.Traits {
	all := stringkernel.TraitsOf(g.terms[0])
	if len(g.terms) > 1 {
		// With a linear term, which most records differ in, dual coordinate descent takes 2 to 3 times the passes.
		all = stringkernel.Traits{
			Prepare:        func(ctx context.Context) error { return prepareAll(ctx, g.terms) },
			FavorsProducts: g.kernel.whole,
		}
		for _, t := range g.terms {
			own := stringkernel.TraitsOf(t)
			all.RowBased = all.RowBased || own.RowBased
			all.Approximations = append(all.Approximations, own.Approximations...)
		}
	}
	all.Scale = g.scale
	return all
}

// Replace returns the matrix with what of returns in place of each term. Where that is a mean itself, and not all of
// its terms have a Dense, it has theirs replaced too. The error is that of of.
func (g *linearGram) Replace(of func(term stringkernel.Gram) (stringkernel.Gram, error)) (stringkernel.Gram, error) {
	other := &linearGram{kernel: g.kernel, n: g.n, squares: g.squares, scale: g.scale}
	for _, term := range g.terms {
		term, err := of(term)
		if inner, is := term.(*linearGram); is && err == nil && inner.Dense() == nil {
			term, err = inner.Replace(of)
		}
		if err != nil {
			return nil, err
		}
		other.terms = append(other.terms, term)
	}
	return other, nil
}

// Dense has the matrix of one strand, if all terms have theirs.
func (g *linearGram) Dense() stringkernel.Dense {
	if g.squares != nil {
		return nil
	}
	return givenAll(g.terms, stringkernel.DenseOf, stringkernel.Dense(g))
}

// DenseCost adds up the terms'.
func (g *linearGram) DenseCost(ctx context.Context, products float64) (matrix, product float64, err error) {
	return denseCost(ctx, g.terms, products)
}

// DenseTo holds these rows of two matrices in memory if there are several terms.
func (g *linearGram) DenseTo(ctx context.Context, dst []float64, from, to int) (err error) {
	write := func(out []float64, t stringkernel.Gram) {
		err = cmp.Or(err, stringkernel.DenseOf(t).DenseTo(ctx, out, from, to))
	}
	if len(g.terms) == 1 {
		write(dst, g.terms[0])
	} else {
		meanBy(make([]float64, len(dst)), dst, g.kernel.Weights, g.terms, write)
	}
	return cmp.Or(err, applyRows(ctx, dst, g.n, from, g.scaleRow))
}

// FeatureRows returns the terms' rows side by side, if all terms have them.
func (g *linearGram) FeatureRows() stringkernel.FeatureRows {
	weights := shares(g.kernel.Weights)
	rows := &linearRows{linearGram: g}
	for t, term := range g.terms {
		own := stringkernel.FeatureRowsOf(term)
		if own == nil || rows.width > math.MaxUint32-own.Width() {
			return nil
		}
		rows.terms = append(rows.terms, rowsOfTerm{
			own, rows.width, rows.width + own.Width(), math.Sqrt(weights.weight(t) / weights.total(len(g.terms)))})
		rows.width += own.Width()
	}
	return rows
}

// linearRows are the rows of the terms side by side, scaled.
type linearRows struct {
	*linearGram
	terms []rowsOfTerm
	width int
}

// rowsOfTerm are the rows of a term, where they are in a table, and the root of its part of the weights.
type rowsOfTerm struct {
	stringkernel.FeatureRows
	from, to int
	root     float64
}

func (r *linearRows) Width() int { return r.width }

// scaleOf returns what the rows of record i are scaled by.
func (r *linearRows) scaleOf(i int) float64 {
	if r.scale == nil {
		return 1
	}
	return r.scale[i]
}

func (r *linearRows) Scatter(t []float64, i int, a float64) {
	a *= r.scaleOf(i)
	for at := i; at < r.wide(); at += r.n {
		for _, term := range r.terms {
			term.Scatter(t[term.from:term.to], at, float64(a*term.root))
		}
	}
}

func (r *linearRows) Gather(t []float64, i int) float64 {
	sum := 0.0
	for at := i; at < r.wide(); at += r.n {
		for _, term := range r.terms {
			sum += float64(term.root * term.Gather(t[term.from:term.to], at))
		}
	}
	return sum * r.scaleOf(i)
}

func (r *linearRows) Own(dst []float64) {
	all := make([]float64, r.wide())
	mean(all, r.kernel.Weights, r.terms, func(out []float64, t rowsOfTerm) { t.Own(out) })
	for i := range dst[:r.n] {
		dst[i] = 0
		for at := i; at < len(all); at += r.n {
			dst[i] += float64(all[at] * float64(r.scaleOf(i)*r.scaleOf(i)))
		}
	}
}

func (r *linearRows) AppendRow(ids []uint32, values []float64, i int) ([]uint32, []float64) {
	for at := i; at < r.wide(); at += r.n {
		for _, term := range r.terms {
			before := len(ids)
			ids, values = term.AppendRow(ids, values, at)
			for j := before; j < len(ids); j++ {
				ids[j] += uint32(term.from)
				values[j] = float64(values[j]*r.scaleOf(i)) * term.root
			}
		}
	}
	return ids, values
}
