// Package table compares columns of numbers, which stand beside the letters of records or in place of them: content of
// G and C, conservation, expression, embeddings. A kernel of it is a kernel alone or a term of a sum.
//
// The numbers are at the end of each record ([stringkernel.AppendNumber]), those of all columns that a model reads;
// [Kernel.Among] says which of them are those of the kernel. With x and y the numbers of two records, centred and
// divided by their standard deviation in the records of training, D numbers each, and γ = 1/D unless it is given:
//
//	linear                Σ x_i y_i
//	subsets               Π (1 + x_i y_i), the common subsets of all sizes
//	intersection          Σ min(x_i, y_i), of histograms
//	rbf                   exp(−γ Σ (x_i − y_i)²)
//	laplacian             exp(−γ Σ |x_i − y_i|)
//	exponential           exp(−γ √Σ (x_i − y_i)²)
//	cauchy                1/(1 + γ Σ (x_i − y_i)²)
//	inverse-multiquadric  1/√(1 + γ Σ (x_i − y_i)²)
//	wavelet               Π cos(1.75 √γ (x_i − y_i)) exp(−γ (x_i − y_i)²/2)
//	chi2                  exp(−γ Σ (x_i − y_i)²/(x_i + y_i)), 0/0 = 0
//
// intersection and chi2 are of numbers of at least 0, which are divided by their mean and not centred. All are positive
// semidefinite: the conditional ones (multiquadric, logarithm, power of the distance) and those that are so in few
// dimensions alone (circular, spherical) are not here. Products and powers of the kernels are those of all kernels.
//
// linear has products in linear time, by rows of D numbers, and a weight for each column; the others compare each
// record with each.
package table

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/seqsvm/seqsvm/internal/elementary"
	"github.com/seqsvm/seqsvm/internal/subset"
	"github.com/seqsvm/seqsvm/internal/vectors"
	"github.com/seqsvm/seqsvm/stringkernel"
)

// Kernel compares the numbers of some columns.
type Kernel struct {
	Columns []string `json:"columns,omitempty" doc:"names of columns, or NAME of NAME=NUMBER in headers; of tables also * (all), gene_* and A..B (from A to B)"`
	Of      string   `json:"kernel,omitempty" doc:"linear, or another function of the numbers (docs/kernels.md)"`
	Gamma   float64  `json:"gamma,omitempty" above:"0" doc:"γ of functions of a distance; else 1 over the number of columns"`
	Plain   bool     `json:"plain,omitempty" doc:"the numbers as they are, not standardised"`
	Found   []string `json:"found,omitempty" doc:"what patterns among the columns stand for, found in training"`
	// what is learned, of each column
	Means      []float64 `json:"means,omitempty" doc:"what is subtracted, learned in training"`
	Deviations []float64 `json:"deviations,omitempty" doc:"what the difference is divided by, learned in training"`

	places []int // of the columns among those of a record
	width  int   // columns of a record; 0: those of the kernel
}

// form is a function of two vectors of numbers, with γ.
type form struct {
	name   string
	counts bool // of numbers of at least 0
	value  func(x, y []float64, gamma float64) float64
}

// Linear is the default of Kernel.Of.
const Linear = "linear"

var forms = []form{
	{Linear, false, func(x, y []float64, _ float64) float64 {
		return sum(x, y, func(a, b float64) float64 { return a * b })
	}},
	{"subsets", false, func(x, y []float64, _ float64) float64 {
		return product(x, y, func(a, b float64) float64 { return 1 + float64(a*b) })
	}},
	{"intersection", true, func(x, y []float64, _ float64) float64 {
		return sum(x, y, func(a, b float64) float64 { return min(a, b) })
	}},
	{"rbf", false, func(x, y []float64, gamma float64) float64 { return elementary.Exp(-gamma * squares(x, y)) }},
	{"laplacian", false, func(x, y []float64, gamma float64) float64 {
		return elementary.Exp(-gamma * sum(x, y, func(a, b float64) float64 { return math.Abs(a - b) }))
	}},
	{"exponential", false, func(x, y []float64, gamma float64) float64 {
		return elementary.Exp(-gamma * math.Sqrt(squares(x, y)))
	}},
	{"cauchy", false, func(x, y []float64, gamma float64) float64 { return 1 / (1 + float64(gamma*squares(x, y))) }},
	{"inverse-multiquadric", false, func(x, y []float64, gamma float64) float64 {
		return 1 / math.Sqrt(1+float64(gamma*squares(x, y)))
	}},
	{"wavelet", false, func(x, y []float64, gamma float64) float64 {
		return product(x, y, func(a, b float64) float64 {
			square := gamma * float64((a-b)*(a-b))
			return math.Cos(1.75*math.Sqrt(square)) * elementary.Exp(-square/2)
		})
	}},
	{"chi2", true, func(x, y []float64, gamma float64) float64 {
		return elementary.Exp(-gamma * sum(x, y, func(a, b float64) float64 {
			if a+b == 0 {
				return 0
			}
			return (a - b) * (a - b) / (a + b)
		}))
	}},
}

func sum(x, y []float64, of func(a, b float64) float64) (all float64) {
	for i, a := range x {
		all += float64(of(a, y[i]))
	}
	return all
}

func product(x, y []float64, of func(a, b float64) float64) float64 {
	all := 1.0
	for i, a := range x {
		all *= of(a, y[i])
	}
	return all
}

func squares(x, y []float64) float64 {
	return sum(x, y, func(a, b float64) float64 { return (a - b) * (a - b) })
}

// form returns that of the kernel, nil if there is none of the name.
func (k Kernel) form() *form {
	for i, f := range forms {
		if f.name == cmp.Or(k.Of, Linear) {
			return &forms[i]
		}
	}
	return nil
}

// Among returns the kernel for records with numbers of all columns, those of the kernel among them.
func (k Kernel) Among(columns []string) Kernel {
	k.places, k.width = nil, len(columns)
	if slices.Equal(k.Names(), columns) {
		return k
	}
	places := make(map[string]int, len(columns))
	for at, name := range columns {
		places[name] = at
	}
	for _, name := range k.Names() {
		k.places = append(k.places, places[name])
	}
	return k
}

// Names are those of the columns: what patterns stand for where that is known.
func (k Kernel) Names() []string {
	if k.Found != nil {
		return k.Found
	}
	return k.Columns
}

// With returns the kernel with what patterns among its columns stand for, by pattern, and other columns by name.
func (k Kernel) With(columns map[string][]string) Kernel {
	var names []string
	for _, asked := range k.Columns {
		names = append(names, columns[asked]...)
	}
	if names = subset.Distinct(names); !slices.Equal(names, k.Columns) {
		k.Found = names
	}
	return k
}

// Asked returns the kernel as it was asked for: where columns were patterns, without what they stood for, and without
// what was learned of each.
func (k Kernel) Asked() Kernel {
	if k.Found != nil {
		k.Found, k.Means, k.Deviations = nil, nil, nil
	}
	return k
}

// Check names the first parameter out of range.
func (k Kernel) Check() error {
	if len(k.Columns) == 0 {
		return fmt.Errorf("table: no columns, want columns=NAME:NAME…")
	}
	for _, list := range [][]string{k.Columns, k.Found} {
		given := map[string]bool{"": true}
		for _, name := range list {
			if given[name] {
				return fmt.Errorf("table: column %.80q is empty or given twice", name)
			}
			given[name] = true
		}
	}
	if k.form() == nil {
		var names []string
		for _, f := range forms {
			names = append(names, f.name)
		}
		return fmt.Errorf("table: kernel = %.80q, want one of: %s", k.Of, strings.Join(names, ", "))
	}
	if k.Gamma != 0 && !(k.Gamma > 0 && k.Gamma <= math.MaxFloat64) {
		return fmt.Errorf("table: gamma = %v, want a number > 0", k.Gamma)
	}
	learned, columns := k.Means != nil || k.Deviations != nil, len(k.Names())
	if learned && (k.Plain || len(k.Means) != columns || len(k.Deviations) != columns) {
		return fmt.Errorf("table: %d means and %d deviations of %d columns, want one of each, or none with plain",
			len(k.Means), len(k.Deviations), columns)
	}
	for i := range k.Means {
		if d := k.Deviations[i]; !(d > 0 && d <= math.MaxFloat64) || math.IsInf(k.Means[i], 0) || math.IsNaN(k.Means[i]) {
			return fmt.Errorf("table: column %.80q has the mean %v and the deviation %v, want numbers, the latter > 0",
				k.Names()[i], k.Means[i], d)
		}
	}
	return nil
}

// numbers writes the numbers of a record into dst, as the kernel compares them, and reports whether it has any. To
// linear, a record that is the name of a column is a 1 there alone: so it is a record of one feature.
func (k Kernel) numbers(dst []float64, x []byte) bool {
	start, form := k.start(x), k.form()
	if start < 0 {
		at := slices.Index(k.Names(), string(x))
		if at < 0 || !k.isLinear() {
			return false
		}
		clear(dst)
		dst[at] = 1
		return true
	}
	for i := range dst {
		at := start + k.place(i)*stringkernel.NumberLetters
		number, is := stringkernel.NumberOf(x[at : at+stringkernel.NumberLetters])
		if !is {
			return false
		}
		if k.Means != nil {
			number = (number - k.Means[i]) / k.Deviations[i]
		}
		if form.counts {
			number = max(0, number)
		}
		dst[i] = number
	}
	return true
}

// start returns where the numbers of a record begin, below 0 if it has none.
func (k Kernel) start(x []byte) int {
	start := len(x) - max(k.width, len(k.Names()))*stringkernel.NumberLetters
	if start >= 0 && x[start] != stringkernel.ZeroBit && x[start] != stringkernel.OneBit {
		return -1
	}
	return start
}

// place returns which of the numbers of a record is that of a column.
func (k Kernel) place(column int) int {
	if k.places != nil {
		return k.places[column]
	}
	return column
}

func (k Kernel) gamma() float64 { return cmp.Or(k.Gamma, 1/float64(len(k.Names()))) }

// Eval compares the numbers of two records; 0 if one has none.
func (k Kernel) Eval(x, y []byte) float64 {
	a, b := make([]float64, len(k.Names())), make([]float64, len(k.Names()))
	if !k.numbers(a, x) || !k.numbers(b, y) {
		return 0
	}
	return k.form().value(a, b, k.gamma())
}

// Fitter learns means and deviations, unless the kernel is plain or has them.
func (k Kernel) Fitter() stringkernel.Fitter {
	if k.Plain || k.Means != nil {
		return nil
	}
	return fitter(k)
}

type fitter Kernel

// Fit returns the kernel with the means and standard deviations of the columns, or, of kernels for numbers of at least
// 0, their means as what they are divided by. A column that is constant is divided by 1.
func (f fitter) Fit(ctx context.Context, c *stringkernel.Corpus) (stringkernel.Kernel, error) {
	k := Kernel(f)
	if err := k.Check(); err != nil {
		return nil, err
	}
	plain := k
	plain.Of = Linear // what is negative is left as it is
	columns, records := len(k.Names()), 0
	total, row := make([]float64, columns), make([]float64, columns)
	all := make([]float64, 0, c.Len()*columns)
	for i := range c.Len() {
		if !plain.numbers(row, c.Seq(i)) {
			continue
		}
		if err := k.checkNumbers(row); err != nil {
			return nil, &stringkernel.RecordError{Record: i, Name: c.Name(i), Err: err}
		}
		records++
		all = append(all, row...)
		vectors.Add(total, row)
	}
	k.Means, k.Deviations = make([]float64, columns), make([]float64, columns)
	for j := range columns {
		k.Deviations[j] = 1
		mean := total[j] / float64(max(records, 1))
		if k.form().counts {
			if mean > 0 {
				k.Deviations[j] = mean
			}
			continue
		}
		residual := 0.0 // of rounding, which grows with the records
		for i := range records {
			residual += all[i*columns+j] - mean
		}
		mean += residual / float64(max(records, 1))
		k.Means[j] = mean
		variance := 0.0
		for i := range records {
			d := all[i*columns+j] - mean
			variance += float64(d * d)
		}
		if d := math.Sqrt(variance / float64(max(records, 1))); d > 1e-12*math.Abs(mean) {
			k.Deviations[j] = d
		}
	}
	return k, nil
}

// Reference returns nil: all that is learned are parameters.
func (f fitter) Reference() *stringkernel.Corpus { return nil }

// SelfContained reports false: means and deviations are not stored with weights.
func (f fitter) SelfContained() bool { return false }

// SelfEval returns k(x, x).
func (k Kernel) SelfEval(x []byte) float64 { return k.Eval(x, x) }

// Traits have a check of records where numbers may not be negative.
func (k Kernel) Traits() stringkernel.Traits {
	if k.isLinear() {
		return k.listed().Traits()
	}
	if f := k.form(); f == nil || !f.counts {
		return stringkernel.Traits{}
	}
	given := k // the numbers as they are
	given.Of, given.Means, given.Deviations = Linear, nil, nil
	return stringkernel.Traits{CheckRecord: func(x []byte) error {
		row := make([]float64, len(k.Names()))
		if !given.numbers(row, x) {
			return nil
		}
		return k.checkNumbers(row)
	}}
}

// checkNumbers refuses negative numbers where none may be.
func (k Kernel) checkNumbers(row []float64) error {
	if !k.form().counts {
		return nil
	}
	for j, number := range row {
		if number < 0 {
			return fmt.Errorf("table: %s = %v, and %s compares numbers of at least 0", k.Names()[j], number, k.Of)
		}
	}
	return nil
}
