package gapped

import (
	"context"
	"errors"
	"fmt"
	"math/bits"
	"slices"
	"sync"

	"github.com/seqsvm/seqsvm/internal/parallel"
	"github.com/seqsvm/seqsvm/internal/scratch"
	"github.com/seqsvm/seqsvm/internal/similarity"
)

// Letters may resemble each other. With a positive semidefinite matrix B of the letters, 1 on the diagonal, a pair of
// k-mers counts
//
//	t(u, v) = h(d(u, v)) · ∏_i B(u_i, v_i)
//
// which is semidefinite if h is, as a product of two such matrices entry by entry (Schur 1911). Where h is a constant,
// the matrix of all k-mers is c·B ⊗ … ⊗ B, and a table of coefficients is multiplied by B digit by digit: l·σ
// multiplications per entry. Else the entries are kept apart by the number of letters that differ, the layers: with
// O = B − I, layer m of a word one letter longer is layer m of the equal letter and O times layer m − 1, and the scores
// are Σ_m h(m) times layer m.

// resemble gives the letters of an engine weights, if there are any.
func (e *engine) resemble(subst []string, beta float64) (err error) {
	switch {
	case len(subst) == 0 && beta != 0:
		return errors.New("beta needs subst, the weights of letters")
	case len(subst) == 0:
		return nil
	case !e.tabular():
		return fmt.Errorf("subst: %d^%d k-mers exceed a table of %d, which weights of letters need: take shorter k-mers",
			e.coder.sigma, e.coder.length, maxTable)
	}
	if e.alike, err = similarity.New(subst, beta, e.alphabet); err != nil {
		return err
	}
	if slices.Min(e.eigen) < 0 {
		return errors.New("subst: the filter has negative eigenvalues, so that the kernel would have some: take clip, " +
			"filter=gapped or wildcard with d = l − k, or filter=full with d = l")
	}
	if e.rc {
		return e.alike.Complementary(e.alphabet)
	}
	return nil
}

// likeness returns ∏ B(u_i, v_i) of packed k-mers, 1 if letters are equal or not.
func (e *engine) likeness(u, v uint64) float64 {
	product := 1.0
	if e.alike == nil {
		return product
	}
	letter := uint64(1)<<e.coder.bits - 1
	for different := e.coder.gathered(u^v) & e.coder.lowest; different != 0 && product != 0; different &= different - 1 {
		at := bits.TrailingZeros64(different)
		product *= e.alike.At(int(u>>at&letter), int(v>>at&letter))
	}
	return product
}

// constant reports whether h is a constant.
func (e *engine) constant() bool {
	return !slices.ContainsFunc(e.h, func(v float64) bool { return v != e.h[0] })
}

// layers returns the number of tables that are made in a convolution, but for a spare one; 0 if letters do not resemble
// each other.
func (e *engine) layers() int {
	switch {
	case e.alike == nil:
		return 0
	case e.constant():
		return 1
	default:
		return e.reach + 1
	}
}

var alikePool sync.Pool // *[]float64, tables of convolutions

// convolveAlike replaces a table of coefficients by one of scores.
func (e *engine) convolveAlike(ctx context.Context, table []float64) {
	space := make([]*[]float64, e.layers()+1)
	for i := range space {
		space[i] = scratch.Borrow(&alikePool, len(table))
	}
	defer func() {
		for _, s := range space {
			alikePool.Put(s)
		}
	}()
	constant, matrix := e.constant(), slices.Clone(e.alike.Values)
	for a := range e.coder.sigma {
		if !constant {
			matrix[a*e.coder.sigma+a] = 0
		}
	}
	layers, spare := space[:e.layers()], &space[e.layers()]
	copy(*layers[0], table)
	for digits := range e.coder.length {
		for m := min(len(layers)-1, digits+1); m >= 0; m-- {
			var equal, below []float64
			switch {
			case constant:
				below = *layers[0]
			case m > digits: // k-mers have fewer letters than m
				below = *layers[m-1]
			case m == 0:
				equal = *layers[0]
			default:
				equal, below = *layers[m], *layers[m-1]
			}
			e.turn(ctx, **spare, equal, below, matrix)
			layers[m], *spare = *spare, layers[m]
		}
	}
	parallel.For(len(table), func(lo, hi int) {
		part := table[lo:hi]
		clear(part)
		for m, layer := range layers {
			for i, v := range (*layer)[lo:hi] {
				part[i] += float64(e.h[m] * v)
			}
		}
	})
}

// turn writes equal + matrix·from, the matrix taken to the first digit, to a table whose digits are turned by one: the
// first becomes the last. Tables that are nil are 0.
func (e *engine) turn(ctx context.Context, to, equal, from, matrix []float64) {
	const width = 128
	sigma := e.coder.sigma
	columns := len(to) / sigma
	parallel.EachContext(ctx, (columns+width-1)/width, func(task int) {
		lo, hi := task*width, min((task+1)*width, columns)
		var space [width]float64
		sums := space[:hi-lo]
		for a := range sigma {
			clear(sums)
			if equal != nil {
				copy(sums, equal[a*columns+lo:])
			}
			if from != nil {
				addRows(sums, from[lo:], columns, matrix[a*sigma:(a+1)*sigma])
			}
			for i, v := range sums {
				to[(lo+i)*sigma+a] = v
			}
		}
	})
}

// addRows adds rows that are a stride apart, each times its weight, in their order.
func addRows(sums, rows []float64, stride int, weights []float64) {
	row := func(b int) []float64 { return rows[b*stride:][:len(sums)] }
	b := 0
	for ; b+4 <= len(weights); b += 4 { // four at a time, so that sums stay in registers
		w := (*[4]float64)(weights[b:])
		r0, r1, r2, r3 := row(b), row(b+1), row(b+2), row(b+3)
		for i, sum := range sums {
			sum += float64(w[0] * r0[i])
			sum += float64(w[1] * r1[i])
			sum += float64(w[2] * r2[i])
			sums[i] = sum + float64(w[3]*r3[i])
		}
	}
	for ; b < len(weights); b++ {
		for i, v := range row(b) {
			sums[i] += float64(weights[b] * v)
		}
	}
}
