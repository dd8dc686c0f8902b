package catalog

import (
	"errors"
	"fmt"
	"reflect"
	"slices"
	"strconv"
	"strings"

	"github.com/seqsvm/seqsvm/internal/vectors"
	"github.com/seqsvm/seqsvm/stringkernel"
	"github.com/seqsvm/seqsvm/stringkernel/compose"
)

// formula is how the kernels of a specification are put together: a tree whose leaves are its terms.
type formula struct {
	op    operator
	term  int       // of a leaf: its number, 0-based
	parts []formula // of all others; a power has one

	weights  []float64 // of a sum, one for each part; nil if they are equal
	degree   int       // of a power
	constant float64   // of a power, added to the sum inside
	around   group
}

// Values of pair.
const ordered, symmetric = "ordered", "symmetric"

type operator int

const (
	leaf operator = iota
	sum
	product
	power
)

// group is what is made of a formula, in this order: what stands after the parentheses around it.
type group struct {
	pair      string // if not empty, ordered or symmetric: records are pairs of what is inside
	normalize bool
	exp       float64 // if not 0, exp(exp·(k − 1))
	Around
}

// bare returns the formula with nothing around it: in parentheses if anything is.
func (f formula) bare() formula {
	if f.around == (group{}) {
		return f
	}
	return formula{op: sum, parts: []formula{f}}
}

// plain reports whether the formula is the mean of terms and nothing else, in their order.
func (f formula) plain() bool {
	if f.around != (group{}) {
		return false
	}
	for _, part := range f.parts {
		if part.op != leaf || part.around != (group{}) {
			return false
		}
	}
	return f.op == leaf || f.op == sum && f.weights == nil
}

// pairs reports whether a part of the formula compares pairs.
func (f formula) pairs() bool {
	return f.around.pair != "" || slices.ContainsFunc(f.parts, formula.pairs)
}

// text writes the formula, with what a function writes for its terms.
func (f formula) text(term func(i int) string) string {
	body := f.body(term)
	switch {
	case f.around == (group{}):
		return body
	case f.op == power:
		return body + f.around.text()
	}
	return "(" + body + ")" + f.around.text()
}

// body is text without what is around.
func (f formula) body(term func(i int) string) string {
	switch f.op {
	case leaf:
		return term(f.term)
	case power:
		base := f.parts[0]
		text := base.text(term)
		if f.constant != 0 {
			text += " + " + number(f.constant)
		}
		return "(" + text + ")^" + strconv.Itoa(f.degree)
	}
	parts := make([]string, len(f.parts))
	for i, part := range f.parts {
		if f.op == product {
			parts[i] = part.atom(term)
			continue
		}
		parts[i] = part.text(term)
		if part.op == sum && part.around == (group{}) {
			parts[i] = part.atom(term)
		}
		if f.weights != nil && f.weights[i] != 1 {
			parts[i] = number(f.weights[i]) + "*" + parts[i]
		}
	}
	if f.op == product {
		return strings.Join(parts, " * ")
	}
	return strings.Join(parts, " + ")
}

// atom is text in parentheses if it is a sum or a product.
func (f formula) atom(term func(i int) string) string {
	text := f.text(term)
	if (f.op == sum || f.op == product) && f.around == (group{}) {
		return "(" + text + ")"
	}
	return text
}

func (g group) text() string {
	var items []string
	switch g.pair {
	case ordered:
		items = append(items, "pair")
	case symmetric:
		items = append(items, "pair="+symmetric)
	}
	if g.normalize {
		items = append(items, "normalize")
	}
	if g.exp != 0 {
		items = append(items, "exp="+number(g.exp))
	}
	items = append(items, g.Around.items(reflect.ValueOf(g.Around))...)
	return ":" + strings.Join(items, ",")
}

// compile builds the kernel of the formula from those of its terms, in order.
func (f formula) compile(terms []stringkernel.Kernel) (stringkernel.Kernel, error) {
	k, err := f.inside(terms)
	if err != nil || f.around == (group{}) {
		return k, err
	}
	if f.around != (group{Around: Around{Rank: f.around.Rank}}) && compose.IsApproximated(k) {
		return nil, errApproximated
	}
	if f.around.pair == symmetric {
		k = compose.Pair{Sides: []stringkernel.Kernel{k}}
	}
	if f.around.normalize {
		k = compose.Normalized(k)
	}
	if scale := f.around.exp; scale != 0 {
		if !bounded(k) {
			return nil, errors.New(
				"exp of a kernel that is not normalised grows beyond any number; want normalize,exp=…")
		}
		k = compose.FunctionOf(compose.Form{Op: compose.Exponential, Scale: scale}, k)
	}
	return f.around.compile(k)
}

var errApproximated = errors.New(
	"rank and fourier stand inside of what would need the kernel itself: approximate the whole, as in (A * B):rank=1000")

var errPair = errors.New("pair wants a kernel for each side, as in (A * B):pair, or one for both whose order does " +
	"not count, as in (A):pair=symmetric")

// inside is compile without what is around, but for pairs of two kernels.
func (f formula) inside(terms []stringkernel.Kernel) (k stringkernel.Kernel, err error) {
	if f.op == leaf && f.around.pair != ordered {
		return terms[f.term], nil
	}
	parts := make([]stringkernel.Kernel, len(f.parts))
	for i, part := range f.parts {
		if parts[i], err = part.compile(terms); err != nil {
			return nil, err
		}
		if f.op != sum && compose.IsApproximated(parts[i]) {
			return nil, errApproximated
		}
	}
	switch {
	case f.around.pair == ordered && (f.op != product || len(parts) != 2), f.around.pair == symmetric && f.op == product:
		return nil, errPair
	case f.around.pair == ordered:
		k = compose.Pair{Sides: parts}
	case f.op == power:
		k = compose.FunctionOf(compose.Form{
			Op: compose.Power, Degree: f.degree, Offset: f.constant / f.parts[0].total(),
		}, parts[0])
	case f.op == product:
		k = compose.Product(parts...)
	default:
		if len(parts) == 1 {
			return parts[0], nil
		}
		k = compose.Mean(parts, f.weights)
	}
	return stringkernel.Compile(k)
}

// total returns the sum of the weights of the formula's parts: what a constant beside them is a share of.
func (f formula) total() float64 {
	if f.op != sum || f.around != (group{}) {
		return 1
	}
	if f.weights == nil {
		return float64(len(f.parts))
	}
	return vectors.Sum(f.weights)
}

// bounded reports whether the values of a kernel are at most 1 by construction.
func bounded(k stringkernel.Kernel) bool {
	unbounded := func(k stringkernel.Kernel) bool { return !bounded(k) }
	switch k := k.(type) {
	case compose.Function:
		return k.Of.Op == compose.Gaussian || !slices.ContainsFunc(k.Kernels, unbounded)
	case compose.Linear:
		return k.Cosine || k.Strands == "" && !slices.ContainsFunc(k.Terms, unbounded)
	case compose.Pair:
		return len(k.Sides) == 2 && !slices.ContainsFunc(k.Sides, unbounded)
	}
	return false
}

// decomposition collects the terms of a kernel.
type decomposition struct {
	catalogue  Catalogue
	terms      []Term
	normalized []bool // which terms are
}

// formula is the inverse of formula.compile.
func (d *decomposition) formula(k stringkernel.Kernel) (f formula, err error) {
	t, normalized, termErr := d.catalogue.termOf(k)
	if termErr == nil {
		d.terms, d.normalized = append(d.terms, t), append(d.normalized, normalized)
		return formula{op: leaf, term: len(d.terms) - 1}, nil
	}
	if a, inside := aroundOf(k); a != (Around{}) {
		before := func(g group) bool { return g.Around == Around{} && (g.exp == 0 || !a.gaussian()) }
		return d.around(inside, before, func(g *group) { g.Around = a })
	}
	switch k := k.(type) {
	case compose.Linear:
		switch raw := k; {
		case k.Cosine:
			raw.Cosine = false
			f, err = d.around(raw, func(g group) bool { return g == group{pair: g.pair} },
				func(g *group) { g.normalize = true })
		case !k.IsMean():
			return f, termErr
		case len(k.Terms) == 1:
			return d.formula(k.Terms[0])
		default:
			f, err = d.all(formula{op: sum, weights: k.Weights}, k.Terms)
		}
	case compose.Function:
		f, err = d.function(k)
	case compose.Pair:
		if len(k.Sides) == 1 {
			return d.around(k.Sides[0], func(g group) bool { return g == group{} }, func(g *group) { g.pair = symmetric })
		}
		f, err = d.all(formula{op: product, around: group{pair: ordered}}, k.Sides)
	default:
		return f, termErr
	}
	return f, err
}

func (d *decomposition) all(f formula, kernels []stringkernel.Kernel) (formula, error) {
	for _, k := range kernels {
		part, err := d.formula(k)
		if err != nil {
			return f, err
		}
		f.parts = append(f.parts, part)
	}
	return f, nil
}

// around puts something around the formula of a kernel, or around parentheses if what is there would come after it.
func (d *decomposition) around(k stringkernel.Kernel, before func(group) bool, set func(*group)) (formula, error) {
	f, err := d.formula(k)
	if !before(f.around) {
		f = formula{op: sum, parts: []formula{f}}
	}
	set(&f.around)
	return f, err
}

func (d *decomposition) function(k compose.Function) (formula, error) {
	inside := k.Kernels[0]
	switch of := k.Of; of.Op {
	case compose.Times:
		if len(k.Kernels) > 1 {
			return d.all(formula{op: product}, k.Kernels)
		}
		return d.formula(inside)
	case compose.Power:
		base, err := d.formula(inside)
		if of.Offset != 0 { // parentheses have the weight 1, of which the offset is a share to the bit
			base = formula{op: sum, parts: []formula{base}}
		}
		return formula{op: power, parts: []formula{base}, degree: of.Degree, constant: of.Offset}, err
	case compose.Exponential:
		linear := func(g group) bool { return g == group{pair: g.pair, normalize: g.normalize} }
		return d.around(inside, linear, func(g *group) { g.exp = of.Scale })
	}
	return formula{}, fmt.Errorf("the function %s has no specification", k.Of.Op)
}

// spec returns the specification of what was collected.
func (d *decomposition) spec(f formula) Spec {
	s := Spec{Terms: d.terms}
	for _, normalized := range d.normalized {
		s.Normalize = s.Normalize || normalized
	}
	for i, normalized := range d.normalized {
		s.Terms[i].Raw = s.Normalize && !normalized
	}
	s.setFormula(f)
	return s
}
