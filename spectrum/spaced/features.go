package spaced

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"sync"

	"github.com/seqsvm/seqsvm/internal/cancel"
	"github.com/seqsvm/seqsvm/internal/intern"
	"github.com/seqsvm/seqsvm/internal/kmer"
	"github.com/seqsvm/seqsvm/internal/memory"
	"github.com/seqsvm/seqsvm/internal/rows"
	"github.com/seqsvm/seqsvm/internal/stored"
	"github.com/seqsvm/seqsvm/stringkernel"
)

// mask is a choice of letters from a place on.
type mask struct {
	offsets []int // ascending; the first is 0
	weight  float64
}

// span is the number of letters from the first chosen to the last.
func (m *mask) span() int { return m.offsets[len(m.offsets)-1] + 1 }

// features is a kernel whose features are the letters under masks: those of each mask for itself, or all together. A
// feature is a code, the packed letters with the number of the mask above them.
type features struct {
	name     string
	alphabet stringkernel.Alphabet
	masks    []mask
	together bool
	above    uint // bits of the letters, below the number of the mask
}

// profile is the features of a record.
type profile struct {
	found  intern.Pairs // their codes
	values []float64
	counts []int
}

var profiles = sync.Pool{New: func() any { return new(profile) }}

// each calls visit for every occurrence of a feature in x, with the place of its first letter: by place, then by mask.
func (f *features) each(x []byte, visit func(p, mask int, code uint64)) {
	codes, bits := f.alphabet.Codes(), uint(f.alphabet.Bits())
	for p := range x {
		for i := range f.masks {
			m, code := &f.masks[i], uint64(0)
			if p+m.span() > len(x) {
				continue
			}
			inside := true
			for _, o := range m.offsets {
				letter := codes[x[p+o]]
				inside = inside && letter >= 0
				code = code<<bits | uint64(letter&0xff)
			}
			if !inside {
				continue
			}
			if !f.together {
				code |= uint64(i) << f.above
			}
			visit(p, i, code)
		}
	}
}

// take counts the features of x.
func (f *features) take(x []byte) *profile {
	w := profiles.Get().(*profile)
	w.found.Reset()
	w.values, w.counts = w.values[:0], w.counts[:0]
	f.each(x, func(_, i int, code uint64) {
		id := int(w.found.Add(code))
		if id == len(w.values) {
			w.values, w.counts = append(w.values, 0), append(w.counts, 0)
		}
		w.values[id] += f.masks[i].weight
		w.counts[id]++
	})
	return w
}

// square returns k(x, x).
func (w *profile) square() (sum float64) {
	for _, v := range w.values {
		sum += float64(v * v)
	}
	return sum
}

func (f *features) eval(x, y []byte) (sum float64) {
	a, b := f.take(x), f.take(y)
	defer profiles.Put(a)
	defer profiles.Put(b)
	for i, code := range a.found.Keys {
		if j := b.found.Find(code); j != intern.None {
			sum += float64(a.values[i] * b.values[j])
		}
	}
	return sum
}

func (f *features) selfEval(x []byte) float64 {
	w := f.take(x)
	defer profiles.Put(w)
	return w.square()
}

// text returns the letters of a feature, with a dot for each letter between.
func (f *features) text(code uint64) string {
	i := 0
	if !f.together {
		i = int(code >> f.above)
	}
	m := &f.masks[i]
	packed := kmer.New(f.alphabet, len(m.offsets))
	letters := packed.String(code & packed.Mask)
	if f.together {
		return letters
	}
	text := []byte{}
	for j, o := range m.offsets {
		for len(text) < o {
			text = append(text, '.')
		}
		text = append(text, letters[j])
	}
	return string(text)
}

// visit calls visit for each feature of x with its text and value.
func (f *features) visit(x []byte, visit func(name string, value float64)) {
	w := f.take(x)
	defer profiles.Put(w)
	for i, code := range w.found.Keys {
		visit(f.text(code), w.values[i])
	}
}

// valid reports whether a code is that of a feature.
func (f *features) valid(code uint64) bool {
	i := uint64(0)
	if !f.together && f.above < 64 {
		i = code >> f.above
		code &= kmer.LowBits(f.above)
	}
	if i >= uint64(len(f.masks)) {
		return false
	}
	packed := kmer.New(f.alphabet, len(f.masks[i].offsets))
	return packed.Valid(code)
}

// The memory of a feature of a record, in rows and turned round, and of one of the vocabulary.
const (
	entryBytes   = 36
	featureBytes = 40
)

// rows lists the features of a corpus.
func (f *features) rows(ctx context.Context, c *stringkernel.Corpus) (*intern.Pairs, *rows.Rows, error) {
	v, r := new(intern.Pairs), rows.New(c.Len(), 0, 0)
	for i := range c.Len() {
		cancel.Check(ctx)
		w := f.take(c.Seq(i))
		for id, code := range w.found.Keys {
			r.Add(v.Add(code), w.values[id])
		}
		r.End()
		profiles.Put(w)
		bytes := float64(entryBytes*float64(r.Entries())) + float64(featureBytes*float64(len(v.Keys)))
		if err := memory.Check(bytes); err != nil {
			return nil, nil, fmt.Errorf("%s: %w", f.name, &stringkernel.IndexError{Letters: c.Letters(), Err: err})
		}
	}
	r.SetWidth(len(v.Keys))
	return v, r, nil
}

func (f *features) gram(ctx context.Context, c *stringkernel.Corpus) (stringkernel.Gram, error) {
	_, r, err := f.rows(ctx, c)
	if err != nil {
		return nil, err
	}
	return rows.NewGram(ctx, r), nil
}

func (f *features) compare(ctx context.Context, c *stringkernel.Corpus) (stringkernel.Comparison, error) {
	v, r, err := f.rows(ctx, c)
	if err != nil {
		return nil, err
	}
	columns := r.Columns()
	return func(dst []float64, x []byte) {
		clear(dst)
		w := f.take(x)
		defer profiles.Put(w)
		for i, code := range w.found.Keys {
			if id := v.Find(code); id != intern.None {
				columns.AddTo(dst, uint32(id), w.values[i])
			}
		}
	}, nil
}

func (f *features) merge(
	ctx context.Context, sv *stringkernel.Corpus, c *stringkernel.Coefficients,
) (stringkernel.Scorer, error) {
	if err := c.Check(sv); err != nil {
		return nil, fmt.Errorf("%s: %w", f.name, err)
	}
	v, r, err := f.rows(ctx, sv)
	if err != nil {
		return nil, err
	}
	if err := rows.CheckTable(r.Width(), c.Outputs, c.Outputs); err != nil {
		return nil, fmt.Errorf("%s: %w", f.name, err)
	}
	weights := make([]float64, r.Width()*c.Outputs)
	rows.Merge(c, r.Row, func(id uint32) []float64 { return weights[int(id)*c.Outputs:][:c.Outputs] })
	return &scorer{f, v, c.Outputs, weights}, nil
}

// scorer is the weights of the features of support vectors. The cost of a score depends on the record alone.
type scorer struct {
	features *features
	known    *intern.Pairs
	outputs  int
	weights  []float64 // one number per output for each feature
}

// Outputs returns the number of scores per record.
func (s *scorer) Outputs() int { return s.outputs }

// ScoreTo writes the scores of x with a look-up per distinct feature.
func (s *scorer) ScoreTo(dst []float64, x []byte) { s.SelfScoreTo(dst, x) }

// SelfScoreTo is ScoreTo and also returns k(x, x).
func (s *scorer) SelfScoreTo(dst []float64, x []byte) (self float64) {
	dst = dst[:s.outputs]
	clear(dst)
	w := s.features.take(x)
	defer profiles.Put(w)
	for i, code := range w.found.Keys {
		if id := s.known.Find(code); id != intern.None {
			for m, weight := range s.weights[int(id)*s.outputs:][:s.outputs] {
				dst[m] += float64(w.values[i] * weight)
			}
		}
	}
	return w.square()
}

// ExplainTo spreads what an occurrence adds to score m evenly over its letters.
func (s *scorer) ExplainTo(dst []float64, m int, x []byte) {
	clear(dst[:len(x)])
	s.features.each(x, func(p, i int, code uint64) {
		if id := s.known.Find(code); id != intern.None {
			of := &s.features.masks[i]
			share := float64(of.weight*s.weights[int(id)*s.outputs+m]) / float64(len(of.offsets))
			for _, o := range of.offsets {
				dst[p+o] += share
			}
		}
	})
}

// mixed returns the weight of a feature in a mixture of outputs.
func (s *scorer) mixed(mix []float64, id int) float64 {
	return stringkernel.Mix(mix, s.weights[id*s.outputs:(id+1)*s.outputs])
}

// TopFeatures lists the features of the support vectors: see stringkernel.FeatureLister.
func (s *scorer) TopFeatures(mix []float64, n int) []stringkernel.Feature {
	return stringkernel.StrongestOf(len(s.known.Keys), n, func(i int) float64 { return s.mixed(mix, i) },
		func(i int) string { return s.features.text(s.known.Keys[i]) })
}

// FeaturesOf lists the features of x: see stringkernel.FeatureLister. The weight of a subsequence is that without its
// span.
func (s *scorer) FeaturesOf(mix []float64, x []byte, n int) []stringkernel.Feature {
	w := s.features.take(x)
	defer profiles.Put(w)
	var list []stringkernel.Feature
	for i, code := range w.found.Keys {
		if id := s.known.Find(code); id != intern.None {
			weight := s.mixed(mix, int(id))
			list = append(list, stringkernel.Feature{Text: s.features.text(code), Weight: weight, Count: w.counts[i],
				Contribution: float64(weight * w.values[i])})
		}
	}
	return stringkernel.StrongestContributions(list, n)
}

// The arrays of a scorer.
const (
	codesName   = "features"
	weightsName = "weights"
)

// arrays lists the features in the order of their codes: that in which they were met would reveal support vectors.
func (s *scorer) arrays() []stringkernel.Array {
	order := make([]int, len(s.known.Keys))
	for i := range order {
		order[i] = i
	}
	slices.SortFunc(order, func(i, j int) int { return cmp.Compare(s.known.Keys[i], s.known.Keys[j]) })
	codes, weights := make([]uint64, len(order)), make([]float64, 0, len(s.weights))
	for i, id := range order {
		codes[i] = s.known.Keys[id]
		weights = append(weights, s.weights[id*s.outputs:(id+1)*s.outputs]...)
	}
	return []stringkernel.Array{
		stored.Outputs(s.outputs),
		{Name: codesName, Data: codes},
		{Name: weightsName, Data: weights},
	}
}

func (f *features) restore(a *stored.Arrays) (*scorer, error) {
	outputs := a.Outputs()
	codes := stored.Get[uint64](a, codesName, 1<<31-2)
	weights := a.Table(weightsName, len(codes), outputs)
	if err := a.Close(); err != nil {
		return nil, err
	}
	v := new(intern.Pairs)
	for i, code := range codes {
		if !f.valid(code) {
			return nil, fmt.Errorf("feature %d is %#x, which has no letters", i, code)
		}
		if i > 0 && code <= codes[i-1] {
			return nil, fmt.Errorf("feature %d is %#x after %#x, want ascending codes", i, code, codes[i-1])
		}
		v.Add(code)
	}
	return &scorer{f, v, outputs, weights}, nil
}
