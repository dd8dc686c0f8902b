// Package alike compares sequences whose letters resemble each other, position by position: every k-mer has every other
// as a neighbour, so that no index serves, and values are computed pair by pair.
package alike

import (
	"fmt"
	"sync"

	"github.com/seqsvm/seqsvm/internal/scratch"
	"github.com/seqsvm/seqsvm/internal/similarity"
	"github.com/seqsvm/seqsvm/stringkernel"
)

// Letters is the weights B of pairs of letters. The last, for letters outside the alphabet, resembles none.
type Letters struct {
	codes  [256]uint8
	size   int
	values []float64
	pool   sync.Pool // *[]uint8
}

// Check returns an error about the weights of letters of a kernel by name, which may have none.
func Check(kernel string, subst []string, beta float64, a stringkernel.Alphabet) error {
	switch {
	case len(subst) > 0:
		if _, err := similarity.New(subst, beta, a); err != nil {
			return fmt.Errorf("%s: %w", kernel, err)
		}
	case beta != 0:
		return fmt.Errorf("%s: beta needs subst, the weights of letters", kernel)
	}
	return nil
}

// Of returns the weights of letters that are compiled, or else computes them; nil where there is no name or table.
// Check has seen errors.
func Of(compiled *Letters, subst []string, beta float64, a stringkernel.Alphabet) *Letters {
	if compiled != nil || len(subst) == 0 {
		return compiled
	}
	l, _ := New(subst, beta, a)
	return l
}

// New returns the weights of a name or a table; see [similarity.New] for errors.
func New(subst []string, beta float64, a stringkernel.Alphabet) (*Letters, error) {
	m, err := similarity.New(subst, beta, a)
	if err != nil {
		return nil, err
	}
	l := &Letters{size: m.Size + 1, values: make([]float64, (m.Size+1)*(m.Size+1))}
	for a := range m.Size {
		copy(l.values[a*l.size:], m.Values[a*m.Size:(a+1)*m.Size])
	}
	for b, code := range a.Codes() {
		l.codes[b] = uint8(m.Size)
		if code != stringkernel.Outside {
			l.codes[b] = uint8(code)
		}
	}
	return l, nil
}

// Sum returns
//
//	Σ_n lengths[n − 1] Σ_{p, q} pair(p, q) ∏_{i < n} B(x_{p+i}, y_{q+i})
//
// over the n-mers that begin at p in x and at q in y with |p − q| ≤ reach, in O(len(lengths)) time for each pair.
func (l *Letters) Sum(x, y []byte, lengths []float64, reach int, pair func(p, q int) float64) float64 {
	space := scratch.BorrowOf[uint8](&l.pool, len(x)+len(y))
	defer l.pool.Put(space)
	u, v := (*space)[:len(x)], (*space)[len(x):]
	for i, b := range x {
		u[i] = l.codes[b]
	}
	for i, b := range y {
		v[i] = l.codes[b]
	}
	products := make([]float64, len(lengths)+1) // by length, of the letters from a pair of positions on
	sum := l.diagonal(u, v, 0, lengths, products, pair)
	for s := 1; s <= min(reach, max(len(x), len(y))-1); s++ {
		sum += l.diagonal(u, v, s, lengths, products, pair) + l.diagonal(u, v, -s, lengths, products, pair)
	}
	return sum
}

// diagonal returns the sum over the pairs with p − q = s.
func (l *Letters) diagonal(x, y []uint8, s int, lengths, products []float64, pair func(p, q int) float64) float64 {
	sum := 0.0
	clear(products)
	products[0] = 1
	for p := min(len(x), len(y)+s) - 1; p >= max(0, s); p-- {
		letter, values := l.values[int(x[p])*l.size+int(y[p-s])], 0.0
		for n := len(lengths); n > 0; n-- {
			products[n] = letter * products[n-1]
			values += float64(lengths[n-1] * products[n])
		}
		if values != 0 {
			sum += float64(pair(p, p-s) * values)
		}
	}
	return sum
}
