package kerneltest

import (
	"context"
	"errors"
	"fmt"
	"math"
	"runtime"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/seqsvm/seqsvm/internal/must"
	"github.com/seqsvm/seqsvm/stringkernel"
	"github.com/seqsvm/seqsvm/stringkernel/compose"
)

// toy is a sound kernel with every capability: the inner product of letter counts over ACGT. Its hooks, where set,
// break one thing each.
type toy struct {
	check func() error
	eval  func(x, y []byte) float64
	self  func(x []byte) float64
	joint func(x, y []byte) float64

	diag, product func(g toyGram, dst, v []float64)
	dense         func(g toyGram, dst []float64)
	row           func(g toyGram, dst []float64, i int)
	length        func(n int) int
	scatter       func(t []float64)
	appended      func(ids []uint32, values []float64) ([]uint32, []float64)
	compare       func(dst []float64)
	prepare       func(ctx context.Context, g toyGram) error
	deaf          bool // to contexts
	greedy        bool // for memory

	merge    func(sv *stringkernel.Corpus, c *stringkernel.Coefficients) // before the coefficients are folded
	lenient  bool                                                        // Merge does not check its coefficients
	outputs  func(n int) int
	selfish  func(own float64) float64 // k(x, x) beside a score
	score    func(s *toyScorer, dst []float64, x []byte)
	explain  func(s *toyScorer, dst []float64, m int, x []byte)
	around   func(x []byte) func(i int) (lo, hi int)
	list     func(features []stringkernel.Feature) []stringkernel.Feature // of a sequence
	track    func(s *toyScorer, dst []float64, m int, x []byte, window int)
	own      func(k *toy, dst []float64, x []byte, window int)
	batch    func(s *toyScorer, dst []float64, x [][]byte)
	arrays   func(arrays []stringkernel.Array) []stringkernel.Array
	trusting bool // Restore believes what it is given
	add      func(t toyTable, x []byte, a []float64)
	mix      func(rows [][]float64) [][]float64
	scale    func(x []byte) float64
	filter   func(table []float64)

	fit       func(k *toy, c *stringkernel.Corpus) toy
	reference *stringkernel.Corpus
}

func counts(x []byte) (n [4]float64) {
	for _, b := range x {
		if code := strings.IndexByte("ACGT", b); code >= 0 {
			n[code]++
		}
	}
	return n
}

func inner(x, y []byte) float64 {
	a, b := counts(x), counts(y)
	return a[0]*b[0] + a[1]*b[1] + a[2]*b[2] + a[3]*b[3]
}

func (k *toy) Check() error {
	if k.check != nil {
		return k.check()
	}
	return nil
}

func (k *toy) Eval(x, y []byte) float64 {
	if k.eval != nil {
		return k.eval(x, y)
	}
	return inner(x, y)
}

func (k *toy) SelfEval(x []byte) float64 {
	if k.self != nil {
		return k.self(x)
	}
	return k.Eval(x, x)
}

func (k *toy) Traits() stringkernel.Traits {
	return stringkernel.Traits{Compare: k.compares, Fold: k.fold, JointSelf: k.joint, TrackSelf: k.trackSelf, StrandSymmetric: true}
}

func (k *toy) Fitter() stringkernel.Fitter {
	if k.fit == nil {
		return nil
	}
	return k
}

func (k *toy) SelfContained() bool { return false }

func (k *toy) Fit(ctx context.Context, c *stringkernel.Corpus) (stringkernel.Kernel, error) {
	fitted := k.fit(k, c)
	return &fitted, nil
}

func (k *toy) Reference() *stringkernel.Corpus { return k.reference }

func (k *toy) Gram(ctx context.Context, c *stringkernel.Corpus) (stringkernel.Gram, error) {
	if err := k.index(ctx, c); err != nil {
		return nil, err
	}
	return toyGram{stringkernel.DirectGram{Kernel: k, Corpus: c}, k}, nil
}

// index takes 4 bytes a letter, as far as a context and the memory allow.
func (k *toy) index(ctx context.Context, c *stringkernel.Corpus) error {
	if ctx.Err() != nil && !k.deaf {
		return ctx.Err()
	}
	if k.greedy {
		return nil
	}
	return stringkernel.CheckIndex(c, 4)
}

func (k *toy) compares(ctx context.Context, c *stringkernel.Corpus) (stringkernel.Comparison, error) {
	return func(dst []float64, x []byte) {
		for i := range dst {
			dst[i] = k.Eval(c.Seq(i), x)
		}
		if k.compare != nil {
			k.compare(dst)
		}
	}, k.index(ctx, c)
}

type toyGram struct {
	stringkernel.DirectGram
	kernel *toy
}

func (g toyGram) Len() int {
	if g.kernel.length != nil {
		return g.kernel.length(g.DirectGram.Len())
	}
	return g.DirectGram.Len()
}

func (g toyGram) Diag(dst []float64) {
	if g.kernel.diag != nil {
		g.kernel.diag(g, dst, nil)
		return
	}
	g.DirectGram.Diag(dst)
}

func (g toyGram) Row(dst []float64, i int) {
	if g.kernel.row != nil {
		g.kernel.row(g, dst, i)
		return
	}
	g.DirectGram.Row(dst, i)
}

func (g toyGram) MulVecTo(dst, v []float64) {
	if g.kernel.product != nil {
		g.kernel.product(g, dst, v)
		return
	}
	g.DirectGram.MulVecTo(dst, v)
}

func (g toyGram) Traits() stringkernel.Traits {
	return stringkernel.Traits{Prepare: func(ctx context.Context) error {
		if g.kernel.prepare != nil {
			return g.kernel.prepare(ctx, g)
		}
		return ctx.Err()
	}}
}

func (g toyGram) FeatureRows() stringkernel.FeatureRows { return toyRows{g} }

type toyRows struct{ gram toyGram }

func (r toyRows) Width() int { return 4 }

func (r toyRows) Own(dst []float64) { clear(dst) }

func (r toyRows) Scatter(t []float64, i int, a float64) {
	for l, n := range counts(r.gram.Corpus.Seq(i)) {
		t[l] += a * n
	}
	if r.gram.kernel.scatter != nil {
		r.gram.kernel.scatter(t)
	}
}

func (r toyRows) Gather(t []float64, i int) (sum float64) {
	for l, n := range counts(r.gram.Corpus.Seq(i)) {
		sum += t[l] * n
	}
	return sum
}

func (r toyRows) AppendRow(ids []uint32, values []float64, i int) ([]uint32, []float64) {
	for l, n := range counts(r.gram.Corpus.Seq(i)) {
		ids, values = append(ids, uint32(l)), append(values, n)
	}
	if r.gram.kernel.appended != nil {
		return r.gram.kernel.appended(ids, values)
	}
	return ids, values
}

func (g toyGram) DenseCost(context.Context, float64) (matrix, product float64, err error) {
	return 1, 1, nil
}

func (g toyGram) DenseTo(_ context.Context, dst []float64, from, to int) error {
	n := g.Len()
	all := make([]float64, n*n)
	for i := range n {
		g.DirectGram.Row(all[i*n:(i+1)*n], i)
	}
	if g.kernel.dense != nil {
		g.kernel.dense(g, all)
	}
	copy(dst, all[from*n:to*n])
	return nil
}

// toyScorer holds a weight per output and letter.
type toyScorer struct {
	kernel  *toy
	weights []float64 // output-major
	last    float64   // for kernels that wrongly keep a state
	mutex   sync.Mutex
}

func (k *toy) Merge(
	ctx context.Context, sv *stringkernel.Corpus, c *stringkernel.Coefficients,
) (stringkernel.Scorer, error) {
	if err := c.Check(sv); err != nil {
		if k.lenient {
			return &toyScorer{kernel: k, weights: make([]float64, 4)}, nil
		}
		return nil, err
	}
	if err := k.index(ctx, sv); err != nil {
		return nil, err
	}
	if k.merge != nil {
		k.merge(sv, c)
	}
	coef := c.Dense()
	s := &toyScorer{kernel: k, weights: make([]float64, 4*len(coef))}
	for m, c := range coef {
		for i, a := range c {
			for l, n := range counts(sv.Seq(i)) {
				s.weights[4*m+l] += a * n
			}
		}
	}
	return s, nil
}

func (s *toyScorer) Outputs() int {
	if s.kernel.outputs != nil {
		return s.kernel.outputs(len(s.weights) / 4)
	}
	return len(s.weights) / 4
}

func (s *toyScorer) ScoreTo(dst []float64, x []byte) {
	if s.kernel.score != nil {
		s.kernel.score(s, dst, x)
		return
	}
	s.sum(dst, x)
}

func (s *toyScorer) selfScoreTo(dst []float64, x []byte) float64 {
	s.ScoreTo(dst, x)
	if s.kernel.selfish != nil {
		return s.kernel.selfish(s.kernel.SelfEval(x))
	}
	return s.kernel.SelfEval(x)
}

func (s *toyScorer) sum(dst []float64, x []byte) {
	n := counts(x)
	for m := range len(s.weights) / 4 {
		dst[m] = 0
		for l := range n {
			dst[m] += s.weights[4*m+l] * n[l]
		}
	}
}

func (s *toyScorer) ExplainTo(dst []float64, m int, x []byte) {
	if s.kernel.explain != nil {
		s.kernel.explain(s, dst, m, x)
		return
	}
	s.spread(dst, m, x)
}

func (s *toyScorer) Traits() stringkernel.Traits {
	t := stringkernel.Traits{
		SelfScoreTo: s.selfScoreTo, ScoreBatchTo: s.scoreBatchTo, Around: stringkernel.Within(1),
	}
	if s.kernel.around != nil {
		t.Around = s.kernel.around
	}
	return t
}

func (s *toyScorer) spread(dst []float64, m int, x []byte) {
	for i, b := range x {
		dst[i] = 0
		if l := strings.IndexByte("ACGT", b); l >= 0 {
			dst[i] = s.weights[4*m+l]
		}
	}
}

// letters lists the four letters with their weights and counts.
func (s *toyScorer) letters(mix []float64, n [4]float64) (list []stringkernel.Feature) {
	for l := range n {
		f := stringkernel.Feature{Text: "ACGT"[l : l+1], Count: int(n[l])}
		for m, a := range mix {
			f.Weight += a * s.weights[4*m+l]
		}
		f.Contribution = f.Weight * n[l]
		list = append(list, f)
	}
	return list
}

func (s *toyScorer) TopFeatures(mix []float64, n int) []stringkernel.Feature {
	return stringkernel.StrongestWeights(s.letters(mix, [4]float64{}), n)
}

func (s *toyScorer) FeaturesOf(mix []float64, x []byte, n int) []stringkernel.Feature {
	list := stringkernel.StrongestContributions(s.letters(mix, counts(x)), n)
	if s.kernel.list != nil {
		return s.kernel.list(list)
	}
	return list
}

func (s *toyScorer) TrackTo(dst []float64, m int, x []byte, window int) {
	if s.kernel.track != nil {
		s.kernel.track(s, dst, m, x, window)
		return
	}
	s.slide(dst, m, x, window)
}

func (s *toyScorer) slide(dst []float64, m int, x []byte, window int) {
	parts := make([]float64, len(x))
	s.spread(parts, m, x)
	stringkernel.SlidingSumsTo(dst, parts, window)
}

func (s *toyScorer) scoreBatchTo(dst []float64, x [][]byte) {
	if s.kernel.batch != nil {
		s.kernel.batch(s, dst, x)
		return
	}
	s.each(dst, x)
}

func (s *toyScorer) each(dst []float64, x [][]byte) {
	for i, m := 0, s.Outputs(); i < len(x); i++ {
		s.ScoreTo(dst[i*m:(i+1)*m], x[i])
	}
}

func (k *toy) trackSelf(dst []float64, x []byte, window int) {
	if k.own != nil {
		k.own(k, dst, x, window)
		return
	}
	for p := range dst {
		dst[p] = k.SelfEval(x[p : p+window])
	}
}

func (k *toy) Arrays(s stringkernel.Scorer) []stringkernel.Array {
	arrays := []stringkernel.Array{{Name: "weights", Data: s.(*toyScorer).weights}}
	if k.arrays != nil {
		arrays = k.arrays(arrays)
	}
	return arrays
}

func (k *toy) Restore(arrays []stringkernel.Array) (stringkernel.Scorer, error) {
	if k.trusting {
		return &toyScorer{kernel: k, weights: arrays[0].Data.([]float64)}, nil
	}
	if len(arrays) != 1 {
		return nil, fmt.Errorf("toy: %d arrays, want 1", len(arrays))
	}
	weights, ok := arrays[0].Data.([]float64)
	if !ok || len(weights) == 0 || len(weights)%4 != 0 {
		return nil, fmt.Errorf("toy: want 4 weights per output")
	}
	return &toyScorer{kernel: k, weights: weights}, nil
}

func (k *toy) fold(outputs int) (*stringkernel.Table, error) {
	return toyTable{&toyScorer{kernel: k, weights: make([]float64, 4*outputs)}}.open(), nil
}

func (t toyTable) open() *stringkernel.Table {
	freeze := func() (stringkernel.Scorer, error) { return t.toyScorer, nil }
	return &stringkernel.Table{Scorer: t.toyScorer, Add: t.Add, Mix: t.Mix, Freeze: freeze}
}

type toyTable struct{ *toyScorer }

func (t toyTable) Add(x []byte, a []float64) {
	if t.kernel.add != nil {
		t.kernel.add(t, x, a)
		return
	}
	t.plus(x, a)
}

func (t toyTable) plus(x []byte, a []float64) {
	for l, n := range counts(x) {
		for m, value := range a {
			t.weights[4*m+l] += value * n
		}
	}
}

func (t toyTable) Mix(rows [][]float64) (*stringkernel.Table, error) {
	if t.kernel.mix != nil {
		rows = t.kernel.mix(rows)
	}
	mixed := make([]float64, 4*len(rows))
	for i, row := range rows {
		for m, a := range row {
			for l := range 4 {
				mixed[4*i+l] += a * t.weights[4*m+l]
			}
		}
	}
	return toyTable{&toyScorer{kernel: t.kernel, weights: mixed}}.open(), nil
}

func (k *toy) Space() compose.Space { return toySpace{kernel: k} }

type toySpace struct {
	kernel *toy
	compose.RawCounts
}

func (s toySpace) Size() int       { return 4 }
func (s toySpace) KmerLength() int { return 1 }
func (s toySpace) Strands() int    { return 0 }

func (s toySpace) Scale(x []byte) float64 {
	if s.kernel.scale != nil {
		return s.kernel.scale(x)
	}
	return 1
}

func (s toySpace) Scatter(table []float64, x []byte, a float64) {
	for l, n := range counts(x) {
		table[l] += a * n
	}
}

func (s toySpace) Filter(ctx context.Context, table []float64) error {
	if s.kernel.filter != nil {
		s.kernel.filter(table)
	}
	return nil
}

func (s toySpace) Gather(table []float64, x []byte) (sum float64) {
	for l, n := range counts(x) {
		sum += table[l] * n
	}
	return sum
}

func (s toySpace) Scorer(_ context.Context, tables [][]float64) (stringkernel.Scorer, error) {
	return &toyScorer{kernel: s.kernel, weights: slices.Concat(tables...)}, nil
}

// MarshalJSON and UnmarshalJSON: a toy has no parameters.
func (k *toy) MarshalJSON() ([]byte, error)    { return []byte("{}"), nil }
func (k *toy) UnmarshalJSON(text []byte) error { return nil }

// recorder is a testing.TB that notes what a check reports. Its other methods are never called.
type recorder struct {
	testing.TB
	mutex    sync.Mutex
	failures []string
	skipped  string
}

func (r *recorder) Helper() {}

func (r *recorder) Context() context.Context { return context.Background() }

func (r *recorder) note(message string) {
	r.mutex.Lock()
	defer r.mutex.Unlock()
	r.failures = append(r.failures, message)
}

func (r *recorder) Error(args ...any)                 { r.note(fmt.Sprint(args...)) }
func (r *recorder) Errorf(format string, args ...any) { r.note(fmt.Sprintf(format, args...)) }
func (r *recorder) Fatal(args ...any)                 { r.note(fmt.Sprint(args...)); runtime.Goexit() }
func (r *recorder) Fatalf(format string, args ...any) {
	r.note(fmt.Sprintf(format, args...))
	runtime.Goexit()
}
func (r *recorder) Skip(args ...any) { r.skipped = fmt.Sprint(args...); runtime.Goexit() }
func (r *recorder) Skipf(format string, args ...any) {
	r.skipped = fmt.Sprintf(format, args...)
	runtime.Goexit()
}

// verdict runs some checks on a kernel, all if none is named: the failures and the reason for skipping, by check.
func verdict(t *testing.T, k stringkernel.Kernel, opt Options, names ...string) map[string]*recorder {
	t.Helper()
	s := must.Get(newSuite(k, opt))(t)
	records := map[string]*recorder{}
	for _, c := range s.checks() {
		if len(names) > 0 && !slices.Contains(names, c.name) {
			continue
		}
		r, done := new(recorder), make(chan struct{})
		go func() {
			defer close(done)
			c.run(s, r)
		}()
		<-done
		records[c.name] = r
	}
	return records
}

var (
	dna     = Options{Letters: "ACGT", Breaks: "N"}
	indexed = Options{Letters: "ACGT", Records: records(100), Define: letterCounts(1)}
)

// records returns a corpus of one record with at least the given number of letters, and fifty short ones.
func records(letters int) *stringkernel.Corpus {
	var b stringkernel.CorpusBuilder
	b.Add("", []byte(strings.Repeat("GATTACA", letters/7+1)))
	for i := range 50 {
		b.Add("", []byte("GATTACANCCATTGACCAGTGACCANTTTGACATGACCAGATTGACC"[i%20:20+i/2]))
	}
	return b.Corpus()
}

// letterCounts defines the toy, if a letter's value is one.
func letterCounts(each float64) func(*stringkernel.Corpus) func(x []byte) map[string]float64 {
	return func(*stringkernel.Corpus) func(x []byte) map[string]float64 {
		return func(x []byte) map[string]float64 {
			values := map[string]float64{}
			for l, n := range counts(x) {
				values["ACGT"[l:l+1]] = each * n
			}
			return values
		}
	}
}

func TestSoundKernelsPass(t *testing.T) {
	byValue := dna
	byValue.Value = inner
	for name, c := range map[string]struct {
		kernel *toy
		opt    Options
	}{
		"plain":   {&toy{}, dna},
		"valued":  {&toy{}, byValue},
		"indexed": {&toy{}, indexed},
		"fitted":  {&toy{fit: fitToLength}, dna},
	} {
		for check, r := range verdict(t, c.kernel, c.opt) {
			if check == "json" && c.kernel.fit != nil {
				continue // a toy's functions are not in its JSON
			}
			if len(r.failures) > 0 {
				t.Errorf("%s: %s: %s", name, check, r.failures[0])
			}
			if skips := check == "fitting" && name != "fitted"; skips != (r.skipped != "") {
				t.Errorf("%s: %s is skipped: %q", name, check, r.skipped)
			}
		}
	}
	Run(t, &toy{}, dna)
}

// fitToLength is a kernel that depends on a corpus, soundly: it only remembers it.
func fitToLength(k *toy, c *stringkernel.Corpus) toy {
	fitted := *k
	fitted.reference = c
	return fitted
}

// firstArray puts data in the place of the toy's only array.
func firstArray(data any) func([]stringkernel.Array) []stringkernel.Array {
	return func([]stringkernel.Array) []stringkernel.Array {
		return []stringkernel.Array{{Name: "weights", Data: data}}
	}
}

// TestBrokenKernelsFail breaks one thing at a time: the check responsible must report it.
func TestBrokenKernelsFail(t *testing.T) {
	calls := 0
	for name, c := range map[string]struct {
		kernel toy
		check  string // that must fail
	}{
		"asymmetric": {toy{eval: func(x, y []byte) float64 {
			return inner(x, y) * (1 + counts(x)[0])
		}}, "agreement"},
		"value differs from index": {toy{eval: func(x, y []byte) float64 {
			return inner(x, y) * (1 + 1e-6)
		}}, "agreement"},
		"wrong k(x, x)": {toy{self: func(x []byte) float64 { return inner(x, x) + 1 }}, "agreement"},
		"wrong joint norm": {toy{joint: func(x, y []byte) float64 {
			return inner(x, x) + inner(y, y)
		}}, "agreement"},
		"joint norm of an order": {toy{joint: func(x, y []byte) float64 {
			return (inner(x, x) + inner(y, y) + 2*inner(x, y)) * (1 + 1e-12*counts(x)[0])
		}}, "agreement"},
		"diagonal of ones": {toy{diag: func(_ toyGram, dst, _ []float64) {
			for i := range dst {
				dst[i] = 1
			}
		}}, "agreement"},
		"diagonal not written": {toy{diag: func(toyGram, []float64, []float64) {}}, "agreement"},
		"row without diagonal": {toy{row: func(g toyGram, dst []float64, i int) {
			g.DirectGram.Row(dst, i)
			dst[i] = 0
		}}, "agreement"},
		"row added": {toy{row: func(g toyGram, dst []float64, i int) {
			row := make([]float64, len(dst))
			g.DirectGram.Row(row, i)
			for j := range row {
				dst[j] += row[j]
			}
		}}, "agreement"},
		"product added": {toy{product: func(g toyGram, dst, v []float64) {
			product := make([]float64, len(dst))
			g.DirectGram.MulVecTo(product, v)
			for j := range product {
				dst[j] += product[j]
			}
		}}, "agreement"},
		"product forgets the last": {toy{product: func(g toyGram, dst, v []float64) {
			w := append([]float64(nil), v...)
			w[max(0, len(w)-1)%max(1, len(w)):][0] = 0
			g.DirectGram.MulVecTo(dst, w)
		}}, "agreement"},
		"matrix without diagonal": {toy{dense: func(g toyGram, dst []float64) {
			for i := range g.Len() {
				dst[i*g.Len()+i] = 0
			}
		}}, "agreement"},
		"matrix hardly symmetric": {toy{dense: func(g toyGram, dst []float64) {
			for i := range g.Len() {
				for j := range i {
					dst[i*g.Len()+j] *= 1 + 1e-15
				}
			}
		}}, "agreement"},
		"scatters three letters": {toy{scatter: func(t []float64) { t[3] = 0 }}, "agreement"},
		"lists three letters": {toy{appended: func(ids []uint32, values []float64) ([]uint32, []float64) {
			return ids[:3], values[:3]
		}}, "agreement"},
		"comparison without its last": {toy{compare: func(dst []float64) { dst[len(dst)-1] = 0 }}, "agreement"},
		"k(x, x) beside a score":      {toy{selfish: func(own float64) float64 { return own + 1 }}, "agreement"},
		"wrong size":                  {toy{length: func(n int) int { return n + 1 }}, "agreement"},
		"wrong outputs":               {toy{outputs: func(int) int { return 1 }}, "agreement"},
		"second output is the first": {toy{score: func(s *toyScorer, dst []float64, x []byte) {
			s.sum(dst, x)
			for m := range dst {
				dst[m] = dst[0]
			}
		}}, "agreement"},
		"score added": {toy{score: func(s *toyScorer, dst []float64, x []byte) {
			sum := make([]float64, len(dst))
			s.sum(sum, x)
			for m := range sum {
				dst[m] += sum[m]
			}
		}}, "agreement"},
		"slightly indefinite": {toy{eval: func(x, y []byte) float64 {
			if string(x) == string(y) && len(x) > 0 {
				return inner(x, y) - 1e-3
			}
			return inner(x, y)
		}}, "semidefinite"},
		"not zero without features": {toy{eval: func(x, y []byte) float64 {
			return inner(x, y) + 1
		}}, "edge sequences"},
		"breaks are letters": {toy{eval: func(x, y []byte) float64 {
			return inner(x, y) + float64(strings.Count(string(x), "N")*strings.Count(string(y), "N"))
		}}, "edge sequences"},
		"NaN without features": {toy{eval: func(x, y []byte) float64 {
			return inner(x, y) / math.Sqrt(inner(x, x)*inner(y, y))
		}}, "edge sequences"},
		"score of nothing": {toy{score: func(s *toyScorer, dst []float64, x []byte) {
			if s.sum(dst, x); dst[0] == 0 {
				dst[0] = 1
			}
		}}, "edge sequences"},
		"contributions not spread": {toy{explain: func(s *toyScorer, dst []float64, m int, x []byte) {
			clear(dst)
		}}, "explanation"},
		"substitutions beside their place": {toy{around: func([]byte) func(i int) (lo, hi int) {
			return func(i int) (lo, hi int) { return max(0, i-1), i }
		}}, "substitutions"},
		"contributions of another output": {toy{explain: func(s *toyScorer, dst []float64, m int, x []byte) {
			s.spread(dst, 0, x)
		}}, "explanation"},
		"contributions added": {toy{explain: func(s *toyScorer, dst []float64, m int, x []byte) {
			parts := make([]float64, len(dst))
			s.spread(parts, m, x)
			for i := range parts {
				dst[i] += parts[i]
			}
		}}, "explanation"},
		"a feature left out": {toy{list: func(features []stringkernel.Feature) []stringkernel.Feature {
			return features[:min(2, len(features))]
		}}, "features"},
		"features in another order": {toy{list: func(features []stringkernel.Feature) []stringkernel.Feature {
			slices.Reverse(features)
			return features
		}}, "features"},
		"features without counts": {toy{list: func(features []stringkernel.Feature) []stringkernel.Feature {
			for i := range features {
				features[i].Count = 0
			}
			return features
		}}, "features"},
		"windows of another output": {toy{track: func(s *toyScorer, dst []float64, m int, x []byte, window int) {
			s.slide(dst, 0, x, window)
		}}, "windows"},
		"last window not written": {toy{track: func(s *toyScorer, dst []float64, m int, x []byte, window int) {
			s.slide(dst[:len(dst)-1], m, x[:len(x)-1], window)
		}}, "windows"},
		"windows one letter short": {toy{track: func(s *toyScorer, dst []float64, m int, x []byte, window int) {
			s.slide(append(dst, 0)[:len(x)-max(1, window-1)+1], m, x, max(1, window-1))
		}}, "windows"},
		"norms of the whole": {toy{own: func(k *toy, dst []float64, x []byte, window int) {
			for p := range dst {
				dst[p] = k.SelfEval(x)
			}
		}}, "windows"},
		"batch without its last": {toy{batch: func(s *toyScorer, dst []float64, x [][]byte) {
			s.each(dst, x[:len(x)-1])
		}}, "batches"},
		"batch rounds otherwise": {toy{batch: func(s *toyScorer, dst []float64, x [][]byte) {
			s.each(dst, x)
			dst[0] *= 1 + 1e-15
		}}, "batches"},
		"adds to the first only": {toy{add: func(t toyTable, x []byte, a []float64) {
			t.plus(x, a[:1])
		}}, "table"},
		"mixes in another order": {toy{mix: func(rows [][]float64) [][]float64 {
			slices.Reverse(rows)
			return rows
		}}, "table"},
		"scales by the length":  {toy{scale: func(x []byte) float64 { return float64(len(x)) }}, "space"},
		"filters by a half":     {toy{filter: func(table []float64) { table[0] /= 2 }}, "space"},
		"stored zeros":          {toy{arrays: firstArray(make([]float64, 8))}, "stored form"},
		"stored in a type none": {toy{arrays: firstArray([]string{"weights"})}, "stored form"},
		"stored twice": {toy{arrays: func(a []stringkernel.Array) []stringkernel.Array {
			return append(a, a...)
		}}, "stored form"},
		"restores anything": {toy{trusting: true}, "damaged stored form"},
		"explains sound weights only": {toy{explain: func(s *toyScorer, dst []float64, m int, x []byte) {
			if math.IsNaN(s.weights[0]) {
				panic("no number")
			}
			s.spread(dst, m, x)
		}}, "damaged stored form"},
		"merges anything": {toy{lenient: true}, "misuse"},
		"changes coefficients": {toy{merge: func(_ *stringkernel.Corpus, c *stringkernel.Coefficients) {
			if len(c.Values) > 0 {
				c.Values[0] = 0
			}
		}}, "inputs unchanged"},
		"changes sequences": {toy{score: func(s *toyScorer, dst []float64, x []byte) {
			s.sum(dst, x)
			for i := range x {
				x[i] = 'A'
			}
		}}, "inputs unchanged"},
		"remembers": {toy{score: func(s *toyScorer, dst []float64, x []byte) {
			s.mutex.Lock()
			defer s.mutex.Unlock()
			s.sum(dst, x)
			dst[0] += s.last
			s.last += 1e-12
		}}, "concurrency"},
		"fits and forgets": {toy{fit: func(k *toy, _ *stringkernel.Corpus) toy { return *k }}, "fitting"},
		"fits to a part": {toy{fit: func(k *toy, c *stringkernel.Corpus) toy {
			return fitToLength(k, c.Subset([]int{0}))
		}}, "fitting"},
		"fits its receiver": {toy{fit: func(k *toy, c *stringkernel.Corpus) toy {
			k.eval = func(x, y []byte) float64 { return 2 * inner(x, y) }
			return fitToLength(k, c)
		}}, "fitting"},
		"fits once more each time": {toy{fit: func(k *toy, c *stringkernel.Corpus) toy {
			fitted := fitToLength(k, c)
			calls++
			factor := float64(calls)
			fitted.eval = func(x, y []byte) float64 { return factor * inner(x, y) }
			return fitted
		}}, "fitting"},
	} {
		t.Run(name, func(t *testing.T) {
			if raceDetector && name == "changes sequences" {
				t.Skip("the race detector sees this kernel write what others read, as it should")
			}
			if record := verdict(t, &c.kernel, dna, c.check)[c.check]; len(record.failures) == 0 {
				t.Errorf("%q finds nothing (skipped: %q)", c.check, record.skipped)
			}
		})
	}
}

// TestBrokenIndexesFail does the same with an index of given records.
func TestBrokenIndexesFail(t *testing.T) {
	otherwise, valued, large := indexed, dna, indexed
	otherwise.Define = letterCounts(2)
	large.Records = records(mostUncancelled) // whose index has to end with its context
	valued.Value = func(x, y []byte) float64 { return 2 * inner(x, y) }
	for name, c := range map[string]struct {
		kernel toy
		opt    Options
		check  string // that must fail
	}{
		"other features than defined": {toy{}, otherwise, "agreement"},
		"other values than defined":   {toy{}, valued, "agreement"},
		"last record forgotten": {toy{product: func(g toyGram, dst, v []float64) {
			g.DirectGram.MulVecTo(dst, append(slices.Clone(v[:len(v)-1]), 0))
		}}, indexed, "agreement"},
		"merges the first record alone": {toy{merge: func(_ *stringkernel.Corpus, c *stringkernel.Coefficients) {
			clear(c.Values[1:])
		}}, indexed, "agreement"},
		"contributions of a part": {toy{explain: func(s *toyScorer, dst []float64, m int, x []byte) {
			s.spread(dst, m, x)
			clear(dst[:min(1, len(dst))])
		}}, indexed, "explanation"},
		"bits of processors": {toy{product: func(g toyGram, dst, v []float64) {
			g.DirectGram.MulVecTo(dst, v)
			for i := range dst {
				dst[i] *= 1 + 1e-15*float64(runtime.GOMAXPROCS(0))
			}
		}}, indexed, "processors"},
		"prepares never": {toy{prepare: func(context.Context, toyGram) error {
			return errors.ErrUnsupported
		}}, indexed, "cancellation"},
		"prepared by halves": {toy{prepare: func(ctx context.Context, g toyGram) error {
			if ctx.Err() != nil {
				g.kernel.product = func(g toyGram, dst, v []float64) { clear(dst) }
			}
			return ctx.Err()
		}}, indexed, "cancellation"},
		"goes on":          {toy{deaf: true}, large, "cancellation"},
		"takes all memory": {toy{greedy: true}, indexed, "memory"},
	} {
		t.Run(name, func(t *testing.T) {
			if record := verdict(t, &c.kernel, c.opt, c.check)[c.check]; len(record.failures) == 0 {
				t.Errorf("%q finds nothing (skipped: %q)", c.check, record.skipped)
			}
		})
	}
}

// lossy does not keep its parameter in a model file.
type lossy struct {
	K int `json:"-"`
}

func (lossy) Check() error                { return nil }
func (l lossy) SelfEval(x []byte) float64 { return l.Eval(x, x) }

func (lossy) Eval(x, y []byte) float64 { return inner(x, y) }
func (k lossy) Gram(ctx context.Context, c *stringkernel.Corpus) (stringkernel.Gram, error) {
	return stringkernel.DirectGram{Kernel: k, Corpus: c}, nil
}
func (k lossy) Merge(
	ctx context.Context, sv *stringkernel.Corpus, c *stringkernel.Coefficients,
) (stringkernel.Scorer, error) {
	return stringkernel.DirectScorer{Kernel: k, SV: sv, Coef: c}, c.Check(sv)
}

func TestLostParametersFail(t *testing.T) {
	records := verdict(t, lossy{K: 3}, dna)
	if len(records["json"].failures) == 0 {
		t.Error("a parameter that JSON does not keep goes unnoticed")
	}
	if records["explanation"].skipped == "" || records["stored form"].skipped == "" {
		t.Error("a direct scorer has an Explainer or a stored form")
	}
}

// forgetful is a wrapper that forwards no option.
type forgetful struct{ stringkernel.Kernel }

// boastful is a wrapper whose scorer explains whatever it wraps.
type boastful struct{ stringkernel.Kernel }

func (k boastful) Merge(
	ctx context.Context, sv *stringkernel.Corpus, c *stringkernel.Coefficients,
) (stringkernel.Scorer, error) {
	s, err := k.Kernel.Merge(ctx, sv, c)
	return boastfulScorer{s}, err
}

type boastfulScorer struct{ stringkernel.Scorer }

func (boastfulScorer) ExplainTo(dst []float64, m int, x []byte) {}

func TestBrokenWrappersFail(t *testing.T) {
	for name, c := range map[string]struct {
		kernel stringkernel.Kernel
		wrap   func(stringkernel.Kernel) stringkernel.Kernel
	}{
		"forgetful": {&toy{}, func(k stringkernel.Kernel) stringkernel.Kernel { return forgetful{k} }},
		"boastful":  {lossy{}, func(k stringkernel.Kernel) stringkernel.Kernel { return boastful{k} }},
	} {
		s := must.Get(newSuite(c.kernel, dna))(t)
		r, done := new(recorder), make(chan struct{})
		go func() {
			defer close(done)
			s.forwards(r, c.wrap)
		}()
		<-done
		if len(r.failures) == 0 {
			t.Errorf("the wrapper %s goes unnoticed", name)
		}
	}
}

func TestOptionsAreChecked(t *testing.T) {
	if _, err := newSuite(&toy{}, Options{}); err == nil {
		t.Error("no letters: no error")
	}
	failing := &toy{check: func() error { return fmt.Errorf("k = 0, want ≥ 1") }}
	if _, err := newSuite(failing, dna); err == nil || !strings.Contains(err.Error(), "k = 0") {
		t.Errorf("a kernel that fails Check: %v", err)
	}
}
