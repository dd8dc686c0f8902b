// Package gkmexplain explains models of gapped k-mers as the program gkmexplain does (Shrikumar, Prakash, Kundaje
// 2019), in its modes 0 to 4.
//
// With S_i the raw kernel value of a record x and support vector i, N_x and N_i the norms and κ_i = S_i/(N_x·N_i), the
// decision without its bias is Σ_i a_i·κ_i, or Σ_i a_i·exp(γ(κ_i − 1)) of a Gaussian. A mode shares S_i, or its change
// by another letter, among the letters of x ([gapped.Mode]), and the numbers of an explanation are
//
//	E(p, b) = Σ_i a_i·r_i·(share of position p and letter b in S_i)
//
// with r_i = 1/(N_x·N_i), or of a Gaussian (exp(γ(κ_i−1)) − exp(−γ))/(κ_i·N_x·N_i), 0 where κ_i ≤ 0. N_x is the norm of
// the record as it is, in all modes: a change of the decision has that of the changed record. So the importance of all
// letters sums to the decision without its bias, less Σ_i a_i·exp(−γ) of a Gaussian, and with g that decision and N_b
// the norm of the record with letter b at p, the decision changes by (g + E)·N_x/N_b − g, E of mode 4.
//
// # Cost
//
// Without a Gaussian a record takes a look-up per letter of each k-mer, or of [gapped.Hypothetical] per three letters,
// after tables that the first record makes. With a Gaussian each record needs tables of its own, one record at a time:
// some milliseconds at l = 6, half a second at l = 11.
//
// # Reference
//
// A. Shrikumar, E. Prakash, A. Kundaje, GkmExplain: fast and accurate interpretation of nonlinear gapped k-mer SVMs,
// Bioinformatics 35 (2019), doi:10.1093/bioinformatics/btz322.
package gkmexplain

import (
	"context"
	"errors"
	"fmt"
	"math"
	"sync"

	"gonum.org/v1/gonum/floats"

	"github.com/seqsvm/seqsvm/catalog"
	"github.com/seqsvm/seqsvm/classify/decide"
	"github.com/seqsvm/seqsvm/internal/memory"
	"github.com/seqsvm/seqsvm/internal/scratch"
	"github.com/seqsvm/seqsvm/model"
	"github.com/seqsvm/seqsvm/spectrum/gapped"
	"github.com/seqsvm/seqsvm/stringkernel"
	"github.com/seqsvm/seqsvm/stringkernel/compose"
)

// Explainer explains the decisions of a model. It is immutable and safe for concurrent use.
type Explainer struct {
	classifier *decide.Classifier
	raw        stringkernel.Kernel // both strands if they count, not normalised
	divided    bool                // by norms
	letters    gapped.LetterExplainer
	gaussian   *gaussian // nil without
}

// gaussian is what a Gaussian needs for each record.
type gaussian struct {
	one    sync.Mutex // record at a time, whose tables take the memory
	gamma  float64
	kernel stringkernel.Kernel // normalised, inside the Gaussian
	model  *model.Model
	scale  []float64 // 1/N_i
	values stringkernel.Comparison
}

// New returns the explainer of a model and its classifier: of one gapped or mismatch kernel on DNA that has a table of
// all k-mers, of raw counts and not of parts of records, or of a Gaussian of such a one, normalised, that kept its
// support vectors.
func New(ctx context.Context, m *model.Model, c *decide.Classifier) (*Explainer, error) {
	e, err := newExplainer(ctx, m, c)
	if err != nil {
		return nil, fmt.Errorf("gkmexplain: %w", err)
	}
	return e, nil
}

func newExplainer(ctx context.Context, m *model.Model, c *decide.Classifier) (*Explainer, error) {
	term, single := m.Kernel.Single()
	around := term.Around
	around.RBF = 0
	switch {
	case !single:
		return nil, fmt.Errorf("the model has the kernel %s, want a single gapped or mismatch kernel", m.Kernel)
	case term.From != 0 || term.To != 0 || term.AnyCase || around != catalog.Around{}:
		return nil, fmt.Errorf("the model has the kernel %s, want one of whole records that is not approximated", term)
	case term.Name != "gapped" && term.Name != "mismatch" || term.Alphabet() != stringkernel.DNA:
		return nil, fmt.Errorf("the model has the kernel %s, want gapped or mismatch on DNA", m.Kernel)
	case term.RBF != 0 && (m.Compiled() || !m.Kernel.Normalize || term.Raw):
		return nil, errors.New("a Gaussian must be of a normalised kernel, in a model that kept its support vectors")
	}
	term.Around = catalog.Around{}
	raw, err := catalog.Spec{Terms: []catalog.Term{term}}.Compile("")
	if err != nil {
		return nil, err
	}
	e := &Explainer{classifier: c, raw: raw, divided: m.Kernel.Normalize && !term.Raw}
	if gamma := m.Kernel.Terms[0].RBF; gamma != 0 {
		e.gaussian, err = newGaussian(ctx, m, compose.Normalized(raw), 2*gamma)
		return e, err
	}
	if e.letters = gapped.LetterExplainerOf(compose.Raw(c.Scorer)); e.letters == nil {
		return nil, fmt.Errorf("the model has the kernel %s, want gapped or mismatch on DNA with raw counts, cut at a "+
			"distance d below l, and l of at most 13", m.Kernel)
	}
	return e, nil
}

func newGaussian(ctx context.Context, m *model.Model, k stringkernel.Kernel, gamma float64) (*gaussian, error) {
	g := &gaussian{gamma: gamma, kernel: k, model: m}
	gram, err := k.Gram(ctx, m.Support)
	if err != nil {
		return nil, err
	}
	g.scale = stringkernel.TraitsOf(gram).Scale
	g.values = stringkernel.DirectComparison(k, m.Support)
	if compare := stringkernel.TraitsOf(k).Compare; compare != nil {
		g.values, err = compare(ctx, m.Support)
	}
	return g, err
}

// Explain returns E for the decision of a class ([decide.Rule.Terms]), at 4·p + b for position p (0-based) of x and
// letter b in the order of the alphabet. A letter that is not one of the four breaks k-mers, where gkmexplain reads it
// as A: see [AsRead]. The error is that of ctx, or says that tables need too much memory.
func (e *Explainer) Explain(ctx context.Context, mode gapped.Mode, class int, x []byte) ([]float64, error) {
	terms, _ := e.classifier.Terms(class)
	sum, one := make([]float64, 4*len(x)), []float64(nil)
	for i, t := range terms {
		letters, m := e.letters, t.Machine
		if e.gaussian != nil {
			e.gaussian.one.Lock()
			defer e.gaussian.one.Unlock()
			var err error
			if letters, err = e.gaussian.letters(ctx, t.Machine, x); err != nil {
				return nil, fmt.Errorf("gkmexplain: %w", err)
			}
			m = 0
		}
		if err := memory.Check(letters.LetterBytes(mode)); err != nil {
			return nil, fmt.Errorf("gkmexplain: the tables of this mode need %w", err)
		}
		if i == 0 {
			letters.LettersTo(sum, mode, m, x)
			floats.Scale(t.Sign, sum)
			continue
		}
		one = scratch.Resize(one, len(sum))
		letters.LettersTo(one, mode, m, x)
		for j, v := range one {
			sum[j] += float64(t.Sign * v)
		}
	}
	if e.divided {
		if square := e.raw.SelfEval(x); square > 0 {
			floats.Scale(1/math.Sqrt(square), sum)
		}
	}
	return sum, ctx.Err()
}

// letters returns the explainer of machine m whose coefficients are those of a record.
func (g *gaussian) letters(ctx context.Context, m int, x []byte) (gapped.LetterExplainer, error) {
	coef := make([]float64, g.model.Support.Len())
	g.values(coef, x)
	for i, value := range coef {
		stretch := 0.0
		if value > 0 {
			stretch = (math.Exp(g.gamma*(value-1)) - math.Exp(-g.gamma)) / value
		}
		coef[i] = g.model.Coef[m][i] * stretch
	}
	c := stringkernel.NewCoefficients(len(coef), [][]float64{coef})
	c.Scale = g.scale
	scorer, err := g.kernel.Merge(ctx, g.model.Support, c)
	if err != nil {
		return nil, err
	}
	letters := gapped.LetterExplainerOf(compose.Raw(scorer))
	if letters == nil {
		return nil, errors.New("a Gaussian must be of raw counts and a kernel with a table of all k-mers")
	}
	return letters, nil
}

// AsRead returns a record as LS-GKM's programs read it, in upper case and every letter but A, C, G and T as A, and how
// many letters those were.
func AsRead(x []byte) (read []byte, others int) {
	read = make([]byte, len(x))
	for i, b := range x {
		read[i] = bases[b]
		others += int(strange[b])
	}
	return read, others
}

// bases are the letters as they are read, and strange has 1 for those that are not one of the four.
var bases, strange = func() (read, other [256]byte) {
	for b := range read {
		read[b], other[b] = 'A', 1
	}
	for _, b := range []byte("ACGT") {
		read[b], read[b|0x20], other[b], other[b|0x20] = b, b, 0, 0
	}
	return read, other
}()
