package bow

import (
	"github.com/seqsvm/seqsvm/internal/elementary"
	"github.com/seqsvm/seqsvm/internal/intern"
	"github.com/seqsvm/seqsvm/internal/parallel"
	"github.com/seqsvm/seqsvm/internal/vectors"
	"github.com/seqsvm/seqsvm/stringkernel"
)

// weights returns the factor of each node that does not depend on the document: 0 if it is not a feature.
func (k Kernel) weights(v *vocabulary, parts []entries, n int) []float64 {
	df := make([]int32, v.Len())
	for _, p := range parts {
		for _, node := range p.nodes {
			df[node]++
		}
	}
	global := make([]float64, len(df))
	parallel.For(len(df), func(lo, hi int) {
		for node, d := range df[lo:hi] {
			global[lo+node] = k.weight(int(d), n)
		}
	})
	if k.LogEntropy {
		for node, e := range entropies(parts, len(df)) {
			global[node] *= concentration(e, n)
		}
	}
	return global
}

// weight returns what the weight of a feature is by the number of documents that have it, df of n, but for an entropy.
func (k Kernel) weight(df, n int) float64 {
	d := float64(df)
	switch {
	case df == 0 || d < documents(k.MinDF, n, false) || k.MaxDF > 0 && d > documents(k.MaxDF, n, true):
		return 0
	case k.TFIDF:
		return idf(df, n)
	}
	return 1
}

// documents returns a limit as a number of documents. Values below 1, or up to 1 for the upper limit, are shares.
func documents(limit float64, n int, oneIsAll bool) float64 {
	if limit < 1 || limit == 1 && oneIsAll {
		return limit * float64(n)
	}
	return limit
}

// idf returns 1 + ln((1 + n)/(1 + df)).
func idf(df, n int) float64 { return 1 + elementary.Log(float64(1+n)/float64(1+df)) }

// entropies returns −Σ_d p_d ln p_d of each node, where p_d is the share of its occurrences in document d.
func entropies(parts []entries, nodes int) []float64 {
	totals, sums := make([]float64, nodes), make([]float64, nodes)
	for _, p := range parts {
		for i, node := range p.nodes {
			totals[node] += float64(p.counts[i])
		}
	}
	for _, p := range parts {
		for i, node := range p.nodes {
			share := float64(p.counts[i]) / totals[node]
			sums[node] -= float64(share * elementary.Log(share))
		}
	}
	return sums
}

// concentration returns 1 − entropy/ln n: 1 for a word of one document, exactly 0, in spite of rounding, for one spread
// evenly over all.
func concentration(entropy float64, n int) float64 {
	const rounding = 1e-12
	if n < 2 {
		return 1
	}
	c := 1 - entropy/elementary.Log(float64(n))
	if c < rounding {
		return 0
	}
	return c
}

// local returns the factor of a feature that occurs tf times in a document with total occurrences of features.
func (v *vocabulary) local(tf, total int) float64 {
	switch k := &v.kernel; {
	case k.LogEntropy:
		return stringkernel.CountLog.Of(tf)
	case k.Laplace:
		return float64(tf+1) / float64(total+v.size)
	default:
		return k.function().Of(tf)
	}
}

// weigher computes the features of one text at a time. It is for one goroutine.
type weigher struct {
	*reader
	*grams
	vocabulary *vocabulary
	small      []float64 // factors of the least counts; empty if they depend on the text
	values     []float64 // values of a text
}

// smallCounts is how many counts have their factors at hand: most of all are 1.
const smallCounts = 32

// borrow returns an idle weigher.
func (v *vocabulary) borrow() *weigher {
	if w, ok := v.idle.Get().(*weigher); ok {
		return w
	}
	v.complete.Do(v.pairs.Index)
	w := v.newWeigher()
	w.reader = v.newReader()
	w.tallies = make([]int32, v.Len())
	return w
}

// newWeigher returns a weigher that reads no texts: see load.
func (v *vocabulary) newWeigher() *weigher {
	w := &weigher{grams: v.grams(), vocabulary: v}
	for count := 0; count < smallCounts && !v.kernel.Laplace; count++ {
		w.small = append(w.small, v.local(count, 0))
	}
	return w
}

// eachOf calls visit with every feature of x and its value, each once, in order of first occurrence.
func (w *weigher) eachOf(x []byte, visit func(node int32, value float64)) {
	_ = w.Read(x) // there is no error
	w.spread(visit)
}

// load weighs counts of nodes, which are renumbered by places.
func (w *weigher) load(document entries, places []int32) {
	w.touched, w.counts = w.touched[:0], w.counts[:0]
	for i, node := range document.nodes {
		if place := places[node]; place != intern.None {
			w.touched = append(w.touched, place) // two statements: see rows.Rows.Add
			w.counts = append(w.counts, document.counts[i])
		}
	}
	w.weigh()
}

// spread calls visit for each feature weighed.
func (w *weigher) spread(visit func(node int32, value float64)) {
	for i, node := range w.touched {
		if value := w.values[i]; value != 0 {
			visit(node, value)
		}
	}
}

// local is that of the vocabulary.
func (w *weigher) local(tf, total int) float64 {
	if tf < len(w.small) {
		return w.small[tf]
	}
	return w.vocabulary.local(tf, total)
}

// weigh computes the value of each node touched, 0 if it is not a feature.
func (w *weigher) weigh() {
	k, factors := &w.vocabulary.kernel, w.vocabulary.global
	total := 0
	if k.Laplace {
		for i, node := range w.touched {
			if factors[node] != 0 {
				total += int(w.counts[i])
			}
		}
	}
	w.values = w.values[:0]
	sum := 0.0
	for i, node := range w.touched {
		value := factors[node]
		if value != 0 {
			value *= w.local(int(w.counts[i]), total)
		}
		w.values = append(w.values, value)
		sum += value
	}
	if k.L1 && sum != 0 {
		vectors.Scale(w.values, 1/sum)
	}
}
