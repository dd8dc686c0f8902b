package classify

import (
	"context"
	"fmt"
	"math"
	"reflect"
	"runtime"
	"sync/atomic"
	"testing"

	"github.com/seqsvm/seqsvm/classify/decide"
	"github.com/seqsvm/seqsvm/classify/internal/solve"
	"github.com/seqsvm/seqsvm/classify/internal/svmtest"
	"github.com/seqsvm/seqsvm/classify/svm"
	"github.com/seqsvm/seqsvm/classify/svm/bundle"
	"github.com/seqsvm/seqsvm/classify/svm/smo"
	"github.com/seqsvm/seqsvm/internal/must"
	"github.com/seqsvm/seqsvm/stringkernel"
	"github.com/seqsvm/seqsvm/stringkernel/compose"
)

// denseGram is a matrix with products that has all of its entries at once, with the estimated times given.
type denseGram struct {
	stringkernel.Gram
	matrix, product float64
	*asked
}

// asked counts what is asked of a matrix.
type asked struct{ estimates, whole, products, rows atomic.Int64 }

func (g denseGram) Describer() stringkernel.Describer { return stringkernel.DescriberOf(g.Gram) }

func (g denseGram) DenseCost(context.Context, float64) (matrix, product float64, err error) {
	g.estimates.Add(1)
	return g.matrix, g.product, nil
}

func (g denseGram) DenseTo(_ context.Context, dst []float64, _, _ int) error {
	g.whole.Add(1)
	n := g.Len()
	for i := range n {
		g.Gram.Row(dst[i*n:(i+1)*n], i)
	}
	return nil
}

func (g denseGram) MulVecTo(dst, v []float64) {
	g.products.Add(1)
	g.Gram.MulVecTo(dst, v)
}

func (g denseGram) Row(dst []float64, i int) {
	g.rows.Add(1)
	g.Gram.Row(dst, i)
}

// denseToy is toyKernel with such a matrix.
type denseToy struct {
	toyKernel
	matrix float64
	asked  *asked
}

func (k denseToy) Gram(ctx context.Context, c *stringkernel.Corpus) (stringkernel.Gram, error) {
	g, err := k.toyKernel.Gram(ctx, c)
	return denseGram{svmtest.Unbased{Gram: g}, k.matrix, 1e6, k.asked}, err
}

// TestHeldMatrix: machines, folds and costs on a matrix in memory have the optima that they have by products, the
// matrix is computed once, and the number of processors changes nothing.
func TestHeldMatrix(t *testing.T) {
	d := toyData(90, 3)
	fold := must.Get(d.Folds(3, 1))(t)
	ctx := context.Background()
	for name, run := range map[string]func(Trainer) ([]decide.Rule, any, error){
		"training": func(tr Trainer) ([]decide.Rule, any, error) {
			m, err := tr.Train(ctx, d)
			if err != nil {
				return nil, nil, err
			}
			return []decide.Rule{m.Rule}, m.Coef, nil
		},
		"cross-validation": func(tr Trainer) ([]decide.Rule, any, error) {
			o, err := CrossValidate(ctx, tr, d, fold)
			if err != nil {
				return nil, nil, err
			}
			return o.Rules, o.Predictions, nil
		},
		"costs": func(tr Trainer) (all []decide.Rule, rest any, err error) {
			outcomes, err := CrossValidateCosts(ctx, tr, d, fold, []float64{0.3, 3}, nil)
			for _, o := range outcomes {
				all = append(all, o.Rules...)
			}
			return all, outcomes, err
		},
	} {
		for _, tr := range []Trainer{{}, {Multiclass: decide.OneVsOne}, {Probability: true, Solver: smo.Solver{}},
			{CacheBytes: 1}} {
			name := fmt.Sprintf("%s %+v", name, tr)
			byProducts := tr
			byProducts.Kernel, byProducts.Solver = denseToy{matrix: math.Inf(1), asked: new(asked)}, bundle.Solver{}
			want, _, err := run(byProducts)
			if err != nil {
				t.Fatal(err)
			}
			var first []decide.Rule
			var firstRest any
			for _, procs := range []int{1, 2, 5} {
				func() {
					defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(procs))
					count := new(asked)
					tr.Kernel = denseToy{matrix: 1e6, asked: count}
					got, rest, err := run(tr)
					if err != nil {
						t.Fatal(err)
					}
					if count.whole.Load() != 1 || count.products.Load() != 0 || count.rows.Load() != 0 {
						t.Errorf("%s: %d matrices, %d products, %d rows, want one matrix", name, count.whole.Load(),
							count.products.Load(), count.rows.Load())
					}
					if first == nil {
						first, firstRest = got, rest
						sameOptima(t, name, got, want)
					} else if !reflect.DeepEqual(first, got) || !reflect.DeepEqual(firstRest, rest) {
						t.Errorf("%s: %d processors change the outcome", name, procs)
					}
				}()
			}
		}
	}
}

// sameOptima makes sure that what the certificates say of the optimum of each machine agrees.
func sameOptima(t *testing.T, name string, got, want []decide.Rule) {
	t.Helper()
	for f := range want {
		for i, w := range want[f].Machines {
			g := got[f].Machines[i]
			if g.Solver != "smo" || w.Solver != "cutting-plane" || g.Gap > 1e-3 || w.Gap > 1e-3 {
				t.Errorf("%s: %s to a gap of %v, %s to %v", name, g.Solver, g.Gap, w.Solver, w.Gap)
			}
			if slack := 1e-9 * w.Primal; g.Dual > w.Primal+slack || w.Dual > g.Primal+slack {
				t.Errorf("%s: an optimum between %v and %v, by products between %v and %v", name, g.Dual, g.Primal,
					w.Dual, w.Primal)
			}
		}
	}
}

// sized is a matrix of n records with 1 on the diagonal, whose entries nobody may ask for.
type sized int

func (n sized) Len() int                  { return int(n) }
func (n sized) Row([]float64, int)        { panic("a row") }
func (n sized) MulVecTo(dst, v []float64) { panic("a product") }
func (n sized) Diag(dst []float64) {
	for i := range dst {
		dst[i] = 1
	}
}

// entries is sized with a diagonal of d and entries for the asking, row by row alone if based.
type entries struct {
	sized
	d     float64
	based bool
}

func (g entries) Row(dst []float64, _ int) { clear(dst) }

func (g entries) Traits() stringkernel.Traits { return stringkernel.Traits{RowBased: g.based} }

func (g entries) Diag(dst []float64) {
	for i := range dst {
		dst[i] = g.d
	}
}

// TestHeldMemory: neither more records than the limit, nor more bytes than are granted.
func TestHeldMemory(t *testing.T) {
	hold := func(n int) (bool, int64) {
		count := new(asked)
		g := must.Get(Trainer{}.runner().Hold(context.Background(), denseGram{entries{sized(n), 1, false}, 1, 1e12, count},
			[]solve.Job{{Y: make([]float64, n), Costs: svm.Costs{Positive: 1, Negative: 1}}}))(t)
		return inMemory(g), count.estimates.Load()
	}
	granted(t, 8*300*300)
	if there, _ := hold(300); !there {
		t.Error("300 records are not held in the memory granted for them")
	}
	if there, estimates := hold(301); there || estimates > 0 {
		t.Errorf("301 records are held: %v, after %d estimates", there, estimates)
	}
	granted(t, 1<<40)
	if there, estimates := hold(solve.MostShared + 1); there || estimates > 0 {
		t.Errorf("%d records are held: %v, after %d estimates", solve.MostShared+1, there, estimates)
	}
}

// TestHeldTerms: of a sum, and of a sum in it, the terms are held whose matrices take less time than products; it has
// the products that it had, and is solved by them.
func TestHeldTerms(t *testing.T) {
	d := toyData(40, 2)
	g := svmtest.Unbased{Gram: must.Get(toyKernel{}.Gram(t.Context(), d.Corpus))(t)}
	n, counts := d.Len(), [3]asked{}
	term := func(i int, matrix float64) stringkernel.Gram { return denseGram{g, matrix, 1e6, &counts[i]} }
	mean := func(weights []float64, terms ...stringkernel.Gram) stringkernel.Gram {
		return compose.MeanGram(compose.Linear{Weights: weights}, terms)
	}
	sum := mean([]float64{1, 2, 5}, term(0, 1), term(1, 1e12), mean(nil, g, term(2, 1)))
	job := solve.Job{Y: make([]float64, n), Costs: svm.Costs{Positive: 1, Negative: 1}}
	held := must.Get(Trainer{}.runner().Hold(t.Context(), sum, []solve.Job{job}))(t)
	if stringkernel.IsRowBased(held) || inMemory(held) {
		t.Error("the sum is not solved by products")
	}
	v, product, row := make([]float64, n), make([]float64, n), make([]float64, n)
	for i := range v {
		v[i] = math.Sin(float64(i))
	}
	held.MulVecTo(product, v)
	for i := range n {
		want := 0.0
		g.Row(row, i)
		for j, a := range v {
			want += row[j] * a
		}
		if math.Abs(product[i]-want) > 1e-9*(1+math.Abs(want)) {
			t.Errorf("product %d is %v, want %v", i, product[i], want)
		}
	}
	for i, want := range [][2]int64{{1, 0}, {0, 1}, {1, 0}} {
		if got := [2]int64{counts[i].whole.Load(), counts[i].products.Load()}; got != want {
			t.Errorf("term %d: %d matrices and products, want %d", i, got, want)
		}
	}
}
