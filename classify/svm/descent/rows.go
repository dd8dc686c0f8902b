package descent

import (
	"context"
	"fmt"
	"slices"

	"github.com/seqsvm/seqsvm/classify/svm"
	"github.com/seqsvm/seqsvm/internal/parallel"
	"github.com/seqsvm/seqsvm/stringkernel"
	"github.com/seqsvm/seqsvm/stringkernel/shard"
)

// rows are the records that a descent visits one by one, and adds to tables or scores all at once.
type rows struct {
	shard.Cursor
	space   svm.Space
	records shard.Visited
	// scale is how many times uᵀKv the inner product of the tables of u and v is: 1, or 4 where k-mers of both strands
	// are added to tables.
	scale  float64
	blocks []int // the ends of blocks; nil: all records can be visited at any time
}

// rowsOf returns the rows of g, and the part of K_ii that is not in them.
func rowsOf(g stringkernel.Gram) (visited *rows, own []float64, err error) {
	features := stringkernel.FeatureRowsOf(g)
	if features == nil {
		return nil, nil, fmt.Errorf("%w, which dual coordinate descent needs", ErrNoRows)
	}
	own = make([]float64, g.Len())
	features.Own(own)
	r := gramRows{features, g}
	return &rows{Cursor: r, space: r, records: r, scale: 1}, own, nil
}

// rowsOfShards returns the records of shards. Their scale is what Filter multiplies a filtered table by.
func rowsOfShards(ctx context.Context, space svm.Space, records shard.Visited) (*rows, error) {
	table := make([]float64, space.Size())
	table[0] = 1
	if err := space.Filter(ctx, table); err != nil {
		return nil, err
	}
	at := slices.IndexFunc(table, func(x float64) bool { return x != 0 })
	once := table[at]
	if err := space.Filter(ctx, table); err != nil {
		return nil, err
	}
	return &rows{records.Cursor(), space, records, table[at] / once, records.Blocks()}, nil
}

// sum writes Σ_i v_i φ(x_i), over all records, into a table.
func (r *rows) sum(ctx context.Context, table, v []float64) error {
	clear(table)
	if err := r.records.Add(ctx, [][]float64{table}, [][]float64{v}); err != nil {
		return err
	}
	return r.space.Filter(ctx, table)
}

// score writes ⟨table, φ(x_i)⟩ for all records.
func (r *rows) score(ctx context.Context, dst, table []float64) error {
	return r.records.Score(ctx, [][]float64{dst}, [][]float64{table})
}

// gramRows are the rows of a matrix in memory, as a shard whose space has no filter.
type gramRows struct {
	stringkernel.FeatureRows
	gram stringkernel.Gram
}

func (r gramRows) Len() int { return r.gram.Len() }

func (r gramRows) Size() int { return r.Width() }

func (gramRows) Filter(context.Context, []float64) error { return nil }

func (gramRows) Blocks() []int { return nil }

func (r gramRows) Cursor() shard.Cursor { return r }

func (gramRows) Prefetch(int) {}

func (gramRows) Load(context.Context, []int) error { return nil }

func (r gramRows) Norms(_ context.Context, dst []float64) error {
	r.gram.Diag(dst)
	return nil
}

func (r gramRows) Add(_ context.Context, tables, v [][]float64) error {
	for i, a := range v[0] {
		if a != 0 {
			r.Scatter(tables[0], i, a)
		}
	}
	return nil
}

func (r gramRows) Score(_ context.Context, dst, tables [][]float64) error {
	parallel.Each(len(dst[0]), func(i int) { dst[0][i] = r.Gather(tables[0], i) })
	return nil
}
