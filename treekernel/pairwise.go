package treekernel

import (
	"bytes"
	"cmp"
	"context"
	"fmt"
	"math"
	"slices"
	"sync"

	"github.com/seqsvm/seqsvm/internal/cancel"
	"github.com/seqsvm/seqsvm/internal/intern"
	"github.com/seqsvm/seqsvm/internal/parallel"
	"github.com/seqsvm/seqsvm/internal/scratch"
	"github.com/seqsvm/seqsvm/stringkernel"
)

// pairwise is a kernel Σ Δ(a, b) over the pairs of nodes of the same class, such as a production: a kernel without a
// finite feature space.
type pairwise struct {
	name string
	sees Labels
	// classify sets p.nodes to the class of each node, a fragment of p, or none.
	classify func(p *profile)
	// compare returns k(x, y) for the loaded record y.
	compare func(c *comparer, x *classified) float64
	// subsequences reports whether compare uses subsequences of the children of two nodes; else they are compared one
	// by one.
	subsequences bool
}

// Limits on a record whose nodes are compared with those of others. Pairs of nodes of the same class, each of which
// takes 8 bytes, and steps of the dynamic program over subsequences are counted for the record with itself: two records
// have no more of them than the larger of their two counts.
const (
	mostPaired = 10_000
	mostPairs  = 10_000_000
	mostSteps  = 2_000_000_000
)

// checkRecord returns an error unless x is trees in brackets that are not too large to be compared node with node.
func (k *pairwise) checkRecord(x []byte) error {
	c := k.classifier()
	if err := c.take(x); err != nil {
		return err
	}
	return k.checkSize(c.profile)
}

// checkSize returns an error if a record, whose classes are known, exceeds the limits.
func (k *pairwise) checkSize(p *profile) error {
	const hint = "where nodes are compared pair by pair; size or depth bounds the fragments, and has no such limit"
	if p.len() > mostPaired {
		return fmt.Errorf("%d nodes, want at most %d %s", p.len(), mostPaired, hint)
	}
	children := make([]float64, p.len())
	for _, parent := range p.parent {
		if parent >= 0 {
			children[parent]++
		}
	}
	nodes, steps := make([]float64, len(p.pairs.Keys)), make([]float64, len(p.pairs.Keys)) // per class
	for i, class := range p.nodes {
		if class >= 0 {
			nodes[class]++
			// rows·columns·min(rows, columns) ≤ (rows·columns)^1.5
			steps[class] += float64(children[i] * math.Sqrt(children[i]))
		}
	}
	if pairs := squares(nodes); pairs > mostPairs {
		return fmt.Errorf("%.0f pairs of matching nodes with itself, want at most %d %s", pairs, mostPairs, hint)
	}
	if n := squares(steps); k.subsequences && n > mostSteps {
		return fmt.Errorf("about %.0e steps to compare the children of its nodes, want at most %.0e %s",
			n, float64(mostSteps), hint)
	}
	return nil
}

func squares(v []float64) (sum float64) {
	for _, x := range v {
		sum += float64(x * x)
	}
	return sum
}

// classified is a record with the classes of its nodes.
type classified struct {
	class []int32 // intern.None for a node that is not compared
	end   []int32 // as in trees
	nodes []int32 // those with a class, by class
	runs  []run   // of equal classes in nodes
	rank  []int32 // of each node in its run
}

// run is the nodes lo … hi−1 of a list.
type run struct{ class, lo, hi int32 }

func (x *classified) leaf(i int32) bool { return x.end[i] == i+1 }

// classifier classifies records with the classes of a vocabulary.
type classifier struct {
	profiler
	kernel     *pairwise
	vocabulary *vocabulary
	open       bool
}

func (k *pairwise) classifier() *classifier {
	f := &features{name: k.name, sees: k.sees, count: k.classify}
	p := profiler{features: f, profile: newProfile(k.sees)}
	return &classifier{profiler: p, kernel: k, vocabulary: new(vocabulary), open: true}
}

// classified returns x with the classes of its nodes. If x is not trees, or too large, the result has no nodes, and
// there is an error.
func (c *classifier) classified(x []byte) (*classified, error) {
	if err := c.take(x); err != nil {
		return new(classified), err
	}
	if err := c.kernel.checkSize(c.profile); err != nil {
		return new(classified), err
	}
	if err := c.of(c.profile, c.vocabulary, c.open); err != nil {
		return new(classified), err
	}
	n := c.len()
	y := &classified{class: make([]int32, n), end: append([]int32(nil), c.end...), rank: make([]int32, n)}
	counts := make([]int32, len(c.pairs.Keys)) // per class of this record
	for i, class := range c.nodes {
		y.class[i] = intern.None
		if class >= 0 && c.to[class] >= 0 {
			y.class[i] = c.to[class]
			y.rank[i] = counts[class]
			counts[class]++
		}
	}
	at := int32(0)
	for class, count := range counts {
		if count > 0 {
			y.runs = append(y.runs, run{c.to[class], at, at + count})
		}
		counts[class] = at // from here on, where its run begins
		at += count
	}
	y.nodes = make([]int32, at)
	for i, class := range c.nodes {
		if y.class[i] >= 0 {
			y.nodes[counts[class]+y.rank[i]] = int32(i)
		}
	}
	return y, nil
}

// comparer compares records with a loaded one. It is for one goroutine.
type comparer struct {
	*classified
	runOf  []run     // by class; empty for classes that the record loaded does not have
	at     []int32   // of the other record's nodes: where the values of its pairs begin
	values []float64 // Δ of the pairs of nodes of one class
	sums   []float64 // scratch for ptk
	rows   []float64
}

// load makes y the record to compare with; classes is their number.
func (c *comparer) load(y *classified, classes int) {
	if c.classified != nil {
		for _, r := range c.runs {
			c.runOf[r.class] = run{}
		}
	}
	if missing := classes - len(c.runOf); missing > 0 {
		c.runOf = append(c.runOf, make([]run, missing)...)
	}
	c.classified = y
	for _, r := range y.runs {
		c.runOf[r.class] = r
	}
}

// pairs visits the pairs of nodes of the same class, nodes of x from last to first, so that descendants come first, and
// returns Σ Δ.
func (c *comparer) pairs(x *classified, delta func(a, b int32) float64) float64 {
	c.at, c.values = zeros(c.at, len(x.class)), slices.Grow(c.values[:0], c.like(x))
	sum := 0.0
	for a := int32(len(x.class)) - 1; a >= 0; a-- {
		class := x.class[a]
		if class < 0 {
			continue
		}
		r := c.runOf[class]
		c.at[a] = int32(len(c.values))
		for _, b := range c.nodes[r.lo:r.hi] {
			d := min(delta(a, b), mostDelta)
			c.values = append(c.values, d)
			sum += d
		}
	}
	return sum
}

// like returns the number of pairs of nodes of the same class.
func (c *comparer) like(x *classified) (pairs int) {
	for _, r := range x.runs {
		mine := c.runOf[r.class]
		pairs += int(r.hi-r.lo) * int(mine.hi-mine.lo)
	}
	return pairs
}

// mostDelta bounds the value of a pair, so that no sum overflows.
const mostDelta = 1e100

// of returns Δ of a visited pair, 0 if the nodes' classes differ.
func (c *comparer) of(x *classified, a, b int32) float64 {
	if class := x.class[a]; class < 0 || class != c.class[b] {
		return 0
	}
	return c.values[c.at[a]+c.rank[b]]
}

// eval returns k(x, y), bit for bit equal to k(y, x); 0 if x or y is not trees.
func (k *pairwise) eval(x, y []byte) float64 {
	if bytes.Compare(x, y) > 0 {
		x, y = y, x
	}
	c := k.classifier()
	first, _ := c.classified(x) // a record that is not trees has no nodes
	second, _ := c.classified(y)
	var w comparer
	w.load(first, len(c.vocabulary.pairs.Keys))
	return k.compare(&w, second)
}

// selfEval returns k(x, x).
func (k *pairwise) selfEval(x []byte) float64 { return k.eval(x, x) }

// collection is the distinct records of a corpus.
type collection struct {
	kernel     *pairwise
	vocabulary *vocabulary
	classes    int
	records    []*classified
	number     []int32   // of each record of the corpus in records
	comparers  sync.Pool // of *comparer
}

// letterBytes is the memory of a letter of distinct records in brackets, as measured.
const letterBytes = 20

func (k *pairwise) collect(ctx context.Context, c *stringkernel.Corpus) (*collection, error) {
	if err := cmp.Or(stringkernel.CheckLetters(c), stringkernel.CheckIndex(c, letterBytes)); err != nil {
		return nil, fmt.Errorf("%s: %w", k.name, err)
	}
	reader, known := k.classifier(), make(map[string]int32)
	s := &collection{kernel: k, vocabulary: reader.vocabulary, number: make([]int32, c.Len())}
	for i := range c.Len() {
		cancel.Check(ctx)
		number, there := known[string(c.Seq(i))]
		if !there {
			x, err := reader.classified(c.Seq(i))
			if err != nil {
				return nil, fmt.Errorf("%s: %w", k.name, recordError(c, i, err))
			}
			number = int32(len(s.records))
			known[string(c.Seq(i))] = number
			s.records = append(s.records, x)
		}
		s.number[i] = number
	}
	s.classes = len(s.vocabulary.pairs.Keys)
	s.comparers.New = func() any { return new(comparer) }
	return s, nil
}

// pairGram computes rows and keeps those of distinct records while there is room.
type pairGram struct {
	*collection
	diag []float64

	mutex sync.RWMutex
	rows  [][]float64 // by distinct record; nil for one that is not kept
	kept  int
}

// mostKept is how many bytes of rows a matrix keeps.
const mostKept = 512 << 20

func (k *pairwise) gram(ctx context.Context, c *stringkernel.Corpus) (stringkernel.Gram, error) {
	s, err := k.collect(ctx, c)
	if err != nil {
		return nil, err
	}
	g := &pairGram{collection: s, rows: make([][]float64, len(s.records))}
	own := make([]float64, len(s.records))
	parallel.ForContext(ctx, len(own), func(lo, hi int) {
		w := s.comparers.Get().(*comparer)
		defer s.comparers.Put(w)
		for i := lo; i < hi; i++ {
			cancel.Check(ctx)
			w.load(s.records[i], s.classes)
			own[i] = k.compare(w, s.records[i])
		}
	})
	for _, number := range s.number {
		g.diag = append(g.diag, own[number])
	}
	return g, nil
}

// Len returns the number of records.
func (g *pairGram) Len() int { return len(g.number) }

// Diag writes k(x_i, x_i).
func (g *pairGram) Diag(dst []float64) { copy(dst, g.diag) }

// Traits says that products are computed from rows: there is no index.
func (g *pairGram) Traits() stringkernel.Traits { return stringkernel.Traits{RowBased: true} }

// MulVecTo writes K·v from the rows of v's nonzero entries.
func (g *pairGram) MulVecTo(dst, v []float64) { stringkernel.MulByRows(g, dst, v) }

// Row writes k(x_j, x_i) for every j: one value per distinct record, unless the row is kept.
func (g *pairGram) Row(dst []float64, i int) {
	row := g.row(g.number[i])
	for j, number := range g.number {
		dst[j] = row[number]
	}
}

// row returns the values of a record with all distinct records. Of two records the earlier one is always loaded, so
// that a value has the same bits in both rows.
func (g *pairGram) row(i int32) []float64 {
	if row := g.known(i); row != nil {
		return row
	}
	row := make([]float64, len(g.records))
	parallel.For(len(row), func(lo, hi int) {
		w := g.comparers.Get().(*comparer)
		defer g.comparers.Put(w)
		for j := lo; j < min(hi, int(i)); j++ {
			if known := g.known(int32(j)); known != nil {
				row[j] = known[i]
				continue
			}
			w.load(g.records[j], g.classes)
			row[j] = g.kernel.compare(w, g.records[i])
		}
		w.load(g.records[i], g.classes)
		for j := max(lo, int(i)); j < hi; j++ {
			row[j] = g.kernel.compare(w, g.records[j])
		}
	})
	g.keep(i, row)
	return row
}

func (g *pairGram) known(i int32) []float64 {
	g.mutex.RLock()
	defer g.mutex.RUnlock()
	return g.rows[i]
}

func (g *pairGram) keep(i int32, row []float64) {
	g.mutex.Lock()
	defer g.mutex.Unlock()
	if g.rows[i] == nil && g.kept+8*len(row) <= mostKept {
		g.rows[i] = row
		g.kept += 8 * len(row)
	}
}

// pairComparison compares a record with the distinct records of a corpus.
type pairComparison struct {
	*collection
	classifiers sync.Pool // of *classifier
}

func (s *collection) comparison() *pairComparison {
	p := &pairComparison{collection: s}
	p.classifiers.New = func() any {
		c := s.kernel.classifier()
		c.vocabulary, c.open = s.vocabulary, false
		return c
	}
	return p
}

// rowTo writes a value for each distinct record, 0 if x is not trees.
func (p *pairComparison) rowTo(dst []float64, x []byte) {
	c := p.classifiers.Get().(*classifier)
	defer p.classifiers.Put(c)
	w := p.comparers.Get().(*comparer)
	defer p.comparers.Put(w)
	y, err := c.classified(x)
	if err != nil {
		clear(dst)
		return
	}
	w.load(y, p.classes)
	for i, record := range p.records {
		dst[i] = p.kernel.compare(w, record)
	}
}

// comparison is a pairComparison with all records of a corpus.
type comparison struct{ distinct *pairComparison }

func (k *pairwise) comparison(ctx context.Context, c *stringkernel.Corpus) (stringkernel.Comparison, error) {
	s, err := k.collect(ctx, c)
	if err != nil {
		return nil, err
	}
	return comparison{s.comparison()}.rowTo, nil
}

func (c comparison) rowTo(dst []float64, x []byte) {
	distinct := make([]float64, len(c.distinct.records))
	c.distinct.rowTo(distinct, x)
	for i, number := range c.distinct.number {
		dst[i] = distinct[number]
	}
}

// merge adds up the coefficients of equal support vectors: a score takes a value for each distinct one.
func (k *pairwise) merge(
	ctx context.Context, sv *stringkernel.Corpus, c *stringkernel.Coefficients,
) (stringkernel.Scorer, error) {
	if err := c.Check(sv); err != nil {
		return nil, fmt.Errorf("%s: %w", k.name, err)
	}
	s, err := k.collect(ctx, sv)
	if err != nil {
		return nil, err
	}
	sums := scratch.Vectors(c.Outputs, len(s.records))
	for i, number := range s.number {
		outputs, values := c.Row(i)
		for e, m := range outputs {
			sums[m][number] += values[e]
		}
	}
	distinct := stringkernel.NewCoefficients(len(s.records), sums)
	return stringkernel.NewComparisonScorer(s.comparison().rowTo, distinct), nil
}
