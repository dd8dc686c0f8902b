package sharded

import (
	"context"

	"github.com/seqsvm/seqsvm/stringkernel/shard"
)

// Without returns the records whose entry of fold is not f, in their order: a pass over them is one over all records,
// with the coefficient 0 for those of the fold. Each call of its methods takes 8 bytes per record of all for each
// vector.
func Without(records Records, fold []int, f int) Records {
	p := &part{Records: records, fold: fold, without: f}
	for _, g := range fold {
		if g != f {
			p.n++
		}
	}
	return p
}

// part is some of the records of a whole.
type part struct {
	Records
	fold    []int
	without int
	n       int
}

func (p *part) Len() int { return p.n }

func (p *part) Add(ctx context.Context, tables, v [][]float64) error {
	whole := p.vectors(len(v))
	for m, list := range whole {
		p.each(func(at, i int) { list[i] = v[m][at] })
	}
	return p.Records.Add(ctx, tables, whole)
}

func (p *part) Score(ctx context.Context, dst, tables [][]float64) error {
	whole := p.vectors(len(dst))
	if err := p.Records.Score(ctx, whole, tables); err != nil {
		return err
	}
	for m, list := range whole {
		p.each(func(at, i int) { dst[m][at] = list[i] })
	}
	return nil
}

// AddSquares implements [shard.Squares].
func (p *part) AddSquares(ctx context.Context, dst, table, weights []float64) error {
	whole := p.vectors(1)[0]
	p.each(func(at, i int) { whole[i] = weights[at] })
	return shard.AddSquares(ctx, p.Records, dst, table, whole)
}

// vectors returns vectors of all records.
func (p *part) vectors(n int) [][]float64 {
	list := make([][]float64, n)
	for m := range list {
		list[m] = make([]float64, len(p.fold))
	}
	return list
}

// each calls visit for the records of the part, with their places in it and in the whole.
func (p *part) each(visit func(at, i int)) {
	at := 0
	for i, g := range p.fold {
		if g != p.without {
			visit(at, i)
			at++
		}
	}
}
