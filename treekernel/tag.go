package treekernel

import (
	"cmp"
	"context"
	"errors"

	"github.com/seqsvm/seqsvm/internal/cancel"
	"github.com/seqsvm/seqsvm/internal/intern"
	"github.com/seqsvm/seqsvm/stringkernel"
	"github.com/seqsvm/seqsvm/stringkernel/substring"
)

// Tag is the string kernel on the tags of trees (Vishwanathan & Smola 2002): the substring kernel, under any of its
// weightings, on the symbols of
//
//	tag(node) = [ label tag(c_1) … tag(c_m) ]
//
// where [, ] and every label are one symbol each: a leaf has three. Matches do not extend from one tree of a record to
// the next. It runs on the suffix structure of [substring.Kernel]: training takes time linear in the nodes of a corpus
// per product, and scoring time linear in the nodes of a record, independent of the number of support vectors.
//
// Its substrings are parts of trees that need not be trees: consecutive labels and brackets, such as the end of one
// child and the beginning of the next.
type Tag struct {
	Weight  substring.Weighting `json:"weight" doc:"fixed (k symbols), bounded (up to k), constant, decay (λ^symbols), length (a list) or tfidf"`
	K       int                 `json:"k,omitempty" above:"0" doc:"number of symbols for fixed, largest number for bounded; bounds it for constant, decay and tfidf"`
	Lambda  float64             `json:"lambda,omitempty" above:"0" doc:"λ of decay, and of tfidf if given; below 1 unless k bounds the length"`
	Weights []float64           `json:"weights,omitempty" doc:"weights of 1, 2, … symbols for weight=length: numbers with colons between, or @FILE"`
	// of counts, as of [substring.Kernel]
	Count  stringkernel.Count `json:"count,omitempty"`
	Labels `json:",inline"`

	compiled *substring.Kernel // on tags, fitted after Fit; nil before Compile
}

// Check returns an error that names the first parameter out of range.
func (k Tag) Check() error {
	weighting := errors.Unwrap(k.engine().Check()) // without the name of the substring kernel
	return named("tag", cmp.Or(k.Labels.check(), weighting))
}

// Compile prepares a table of labels that the norms of several records share.
func (k Tag) Compile() (stringkernel.Kernel, error) {
	if err := k.Check(); err != nil {
		return nil, err
	}
	engine := k.engine()
	k.compiled = &engine
	return k, nil
}

// engine returns the substring kernel on tags.
func (k Tag) engine() substring.Kernel {
	if k.compiled != nil {
		return *k.compiled
	}
	over := substring.Kernel{Weight: k.Weight, K: k.K, Lambda: k.Lambda, Weights: k.Weights, Count: k.Count}
	return over.Over(tagsOf(k.Labels))
}

// Traits says that records are trees in brackets.
func (k Tag) Traits() stringkernel.Traits {
	t := k.engine().Traits()
	return stringkernel.Traits{Compile: k.Compile, CheckRecord: checkRecord, Prepare: t.Prepare, Compare: t.Compare}
}

// Eval returns k(x, y) in O(|x| + |y|). A record that is not trees has no features.
func (k Tag) Eval(x, y []byte) float64 { return k.engine().Eval(x, y) }

// SelfEval returns k(x, x) in O(|x|).
func (k Tag) SelfEval(x []byte) float64 { return k.engine().SelfEval(x) }

// Gram indexes a corpus: see [substring.Kernel.Gram]. The error is a [stringkernel.RecordError] of the first record
// that is not trees.
func (k Tag) Gram(ctx context.Context, c *stringkernel.Corpus) (gram stringkernel.Gram, err error) {
	defer cancel.Catch(&err)
	if err := checkCorpus(ctx, c); err != nil {
		return nil, err
	}
	return k.engine().Gram(ctx, c)
}

// Merge folds support vectors into one annotated suffix structure: O(their nodes).
func (k Tag) Merge(
	ctx context.Context, sv *stringkernel.Corpus, c *stringkernel.Coefficients,
) (scorer stringkernel.Scorer, err error) {
	defer cancel.Catch(&err)
	if err := checkCorpus(ctx, sv); err != nil {
		return nil, err
	}
	return k.engine().Merge(ctx, sv, c)
}

// checkCorpus returns an error that names the first record that is not trees.
func checkCorpus(ctx context.Context, c *stringkernel.Corpus) error {
	for i := range c.Len() {
		cancel.Check(ctx)
		if err := checkRecord(c.Seq(i)); err != nil {
			return named("tag", recordError(c, i, err))
		}
	}
	return nil
}

// Fitter returns the kernel if the weighting is tfidf, else nil.
func (k Tag) Fitter() stringkernel.Fitter {
	if k.Weight != substring.TFIDF {
		return nil
	}
	return k
}

// SelfContained reports false: scorers have no stored form.
func (k Tag) SelfContained() bool { return false }

// Fit returns the kernel with document frequencies from c, if the weighting is tfidf.
func (k Tag) Fit(ctx context.Context, c *stringkernel.Corpus) (stringkernel.Kernel, error) {
	if err := checkCorpus(ctx, c); err != nil {
		return nil, err
	}
	fitted, err := k.engine().Fit(ctx, c)
	if err != nil {
		return nil, err
	}
	engine := fitted.(substring.Kernel)
	k.compiled = &engine
	return k, nil
}

// Reference returns the corpus of a fitted tfidf kernel, else nil.
func (k Tag) Reference() *stringkernel.Corpus { return k.engine().Reference() }

// tagsOf returns the symbols of tags as units.
func tagsOf(l Labels) *substring.Units {
	return substring.NewUnits(func() substring.UnitReader {
		return &tagReader{reader: newReader(l), labels: new(intern.Terms)}
	}).Dense(symbolsPerByte)
}

// symbolsPerByte bounds the symbols of a record: () is a node with three and a break, and so is the c of (()c).
const symbolsPerByte = 3

// The numbers of symbols: labels follow.
const (
	opening    = 1
	closing    = 2
	firstLabel = 3
)

// tagReader numbers the symbols of tags.
type tagReader struct {
	reader  *reader
	labels  *intern.Terms
	closed  bool
	numbers []int32
	nodes   []int32 // of each symbol
	open    []int32 // nodes not closed yet, the innermost last
}

// Len returns the number of symbols.
func (r *tagReader) Len() int { return r.labels.Len() + firstLabel - 1 }

// AppendUnit appends a bracket or a label.
func (r *tagReader) AppendUnit(dst []byte, number int32) []byte {
	switch number {
	case opening:
		return append(dst, '[')
	case closing:
		return append(dst, ']')
	default:
		return append(dst, r.labels.At(int(number-firstLabel))...)
	}
}

// Closed returns a reader that shares the labels.
func (r *tagReader) Closed() substring.UnitReader {
	return &tagReader{reader: newReader(r.reader.sees), labels: r.labels, closed: true}
}

// Read returns the symbols of the tags of x, with breaks between trees; brackets have the places of their nodes'
// labels. A record that is not trees has no symbols.
func (r *tagReader) Read(x []byte) []int32 {
	r.numbers, r.nodes, r.open = r.numbers[:0], r.nodes[:0], r.open[:0]
	r.reader.table.Reset()
	if r.reader.read(x) != nil {
		return nil
	}
	t := &r.reader.trees
	for i := range int32(t.len()) {
		r.closeUntil(i)
		if len(r.open) == 0 && i > 0 {
			r.add(i, 0)
		}
		r.add(i, opening)
		r.add(i, r.number(t.label[i]))
		r.open = append(r.open, i)
	}
	r.closeUntil(int32(t.len()))
	return r.numbers
}

// Places returns the places of the labels of the symbols' nodes.
func (r *tagReader) Places() []substring.Span {
	places := make([]substring.Span, len(r.nodes))
	for i, node := range r.nodes {
		lo, hi := r.reader.place(node)
		places[i] = substring.Span{Lo: lo, Hi: hi}
	}
	return places
}

// closeUntil closes the nodes that end before node i.
func (r *tagReader) closeUntil(i int32) {
	for n := len(r.open); n > 0 && r.reader.end[r.open[n-1]] <= i; n-- {
		r.add(r.open[n-1], closing)
		r.open = r.open[:n-1]
	}
}

func (r *tagReader) add(node, number int32) {
	r.numbers, r.nodes = append(r.numbers, number), append(r.nodes, node)
}

// number returns the number of a label of the record.
func (r *tagReader) number(label int32) int32 {
	if id := r.labels.Number(r.reader.table.At(int(label)), !r.closed); id >= 0 {
		return id + firstLabel
	}
	return intern.None
}
