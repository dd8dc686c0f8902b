package table

import (
	"context"

	"github.com/seqsvm/seqsvm/internal/vectors"
	"github.com/seqsvm/seqsvm/stringkernel"
)

// Gram reads the numbers of all records once.
func (k Kernel) Gram(ctx context.Context, c *stringkernel.Corpus) (stringkernel.Gram, error) {
	m, err := k.matrix(ctx, c)
	if err != nil {
		return nil, err
	}
	if m.form.name == Linear {
		return linearGram{m}, nil
	}
	return m, nil
}

// Merge keeps the numbers of the support vectors, or of linear their sum.
func (k Kernel) Merge(
	ctx context.Context, sv *stringkernel.Corpus, c *stringkernel.Coefficients,
) (stringkernel.Scorer, error) {
	if err := c.Check(sv); err != nil {
		return nil, err
	}
	m, err := k.matrix(ctx, sv)
	if err != nil {
		return nil, err
	}
	return stringkernel.NewComparisonScorer(m.compare, c), nil
}

// matrix is the numbers of records.
type matrix struct {
	kernel Kernel
	form   *form
	gamma  float64
	n      int
	rows   []float64 // of each record, one after another
	known  []bool    // whether it has numbers
}

func (k Kernel) matrix(ctx context.Context, c *stringkernel.Corpus) (*matrix, error) {
	if err := k.Check(); err != nil {
		return nil, err
	}
	if err := stringkernel.CheckIndex(c, 8.0/stringkernel.NumberLetters); err != nil {
		return nil, err
	}
	m := &matrix{
		kernel: k, form: k.form(), gamma: k.gamma(), n: c.Len(), known: make([]bool, c.Len()),
		rows: make([]float64, c.Len()*len(k.Columns)),
	}
	for i := range m.known {
		m.known[i] = k.numbers(m.row(i), c.Seq(i))
	}
	return m, ctx.Err()
}

func (m *matrix) row(i int) []float64 {
	columns := len(m.kernel.Columns)
	return m.rows[i*columns : (i+1)*columns]
}

// to writes the values of numbers, those of a record that has any, with all records.
func (m *matrix) to(dst, numbers []float64, known bool) {
	for i := range dst[:m.n] {
		if dst[i] = 0; known && m.known[i] {
			dst[i] = m.form.value(m.row(i), numbers, m.gamma)
		}
	}
}

func (m *matrix) compare(dst []float64, x []byte) {
	numbers := make([]float64, len(m.kernel.Columns))
	m.to(dst, numbers, m.kernel.numbers(numbers, x))
}

// Len returns n.
func (m *matrix) Len() int { return m.n }

// Diag writes k(x_i, x_i).
func (m *matrix) Diag(dst []float64) {
	for i := range dst[:m.n] {
		if dst[i] = 0; m.known[i] {
			dst[i] = m.form.value(m.row(i), m.row(i), m.gamma)
		}
	}
}

// Row writes k(x_j, x_i) for every j.
func (m *matrix) Row(dst []float64, i int) { m.to(dst, m.row(i), m.known[i]) }

// MulVecTo adds up the rows of the entries of v that are not 0.
func (m *matrix) MulVecTo(dst, v []float64) { stringkernel.MulByRows(m, dst, v) }

// Traits says that products are made of rows.
func (m *matrix) Traits() stringkernel.Traits { return stringkernel.Traits{RowBased: true} }

// linearGram has rows of numbers.
type linearGram struct{ *matrix }

// MulVecTo adds up the numbers of all records, and multiplies with each.
func (g linearGram) MulVecTo(dst, v []float64) {
	w := make([]float64, g.Width())
	for i, a := range v {
		g.Scatter(w, i, a)
	}
	for i := range dst[:g.n] {
		dst[i] = g.Gather(w, i)
	}
}

// Traits says nothing particular.
func (g linearGram) Traits() stringkernel.Traits { return stringkernel.Traits{} }

// Width is the number of columns.
func (g linearGram) Width() int { return len(g.kernel.Columns) }

// Scatter adds a times the numbers of record i.
func (g linearGram) Scatter(t []float64, i int, a float64) {
	if g.known[i] {
		vectors.AddScaled(t, a, g.row(i))
	}
}

// Gather multiplies with the numbers of record i.
func (g linearGram) Gather(t []float64, i int) float64 {
	if !g.known[i] {
		return 0
	}
	return vectors.Dot(t, g.row(i))
}

// Own writes zeros: all is in the rows.
func (g linearGram) Own(dst []float64) { clear(dst[:g.n]) }

// AppendRow appends the numbers of record i that are not 0.
func (g linearGram) AppendRow(ids []uint32, values []float64, i int) ([]uint32, []float64) {
	if !g.known[i] {
		return ids, values
	}
	for j, number := range g.row(i) {
		if number != 0 {
			ids, values = append(ids, uint32(j)), append(values, number)
		}
	}
	return ids, values
}
