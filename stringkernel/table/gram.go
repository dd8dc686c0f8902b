package table

import (
	"context"

	"github.com/seqsvm/seqsvm/stringkernel"
)

// Gram reads the numbers of all records once.
func (k Kernel) Gram(ctx context.Context, c *stringkernel.Corpus) (stringkernel.Gram, error) {
	if err := stringkernel.CheckIndex(c, 8.0/stringkernel.NumberLetters); err != nil {
		return nil, err
	}
	if k.isLinear() {
		return k.listed().Gram(ctx, c)
	}
	m, err := k.matrix(ctx, c)
	if err != nil {
		return nil, err
	}
	return m, nil
}

// Merge keeps the numbers of the support vectors, or of linear their sum.
func (k Kernel) Merge(
	ctx context.Context, sv *stringkernel.Corpus, c *stringkernel.Coefficients,
) (stringkernel.Scorer, error) {
	if k.isLinear() {
		return without(k.listed().Merge(ctx, sv, c))
	}
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
	m := &matrix{
		kernel: k, form: k.form(), gamma: k.gamma(), n: c.Len(), known: make([]bool, c.Len()),
		rows: make([]float64, c.Len()*len(k.Names())),
	}
	for i := range m.known {
		m.known[i] = k.numbers(m.row(i), c.Seq(i))
	}
	return m, ctx.Err()
}

func (m *matrix) row(i int) []float64 {
	columns := len(m.kernel.Names())
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
	numbers := make([]float64, len(m.kernel.Names()))
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
